//! `Composer`: which name spaces the project's own `composer.json` files map to which directories, and what else they load.

use rustc_hash::FxHashSet;

use crate::language::data::Node;
use crate::language::data::json::read;
use crate::path::{join, name, parent};
use crate::project::{Project, within};
use crate::project_index::ProjectIndex;
use crate::report::is_fixture;

/// One name space and a directory that it is mapped to.
#[derive(Debug)]
pub(super) struct Prefix {
    /// With its last `\`.
    pub(super) space: String,
    /// Relative to the root.
    pub(super) directory: String,
    /// Files below it only know of this: the manifest is a sample's own. Empty for all.
    only_below: String,
}

/// See the module's text.
#[derive(Debug, Default)]
pub(crate) struct Composer {
    /// The longest name space first, as Composer asks them.
    prefixes: Vec<Prefix>,
    /// Files and directories that are loaded whatever their classes are called.
    loaded: Vec<String>,
    /// The vendors of the packages that are needed, in small letters.
    vendors: FxHashSet<String>,
}

impl ProjectIndex for Composer {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut composer = Self::default();
        for path in tree.files().iter().filter(|path| name(path) == "composer.json") {
            let text = tree.read(path);
            let Some(root) = text.as_deref().and_then(read) else { continue };
            composer.add(path, &root);
        }
        composer.prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.space.len()));
        composer
    }
}

impl Composer {
    fn add(&mut self, path: &str, root: &Node) {
        let here = parent(path);
        let only_below = if is_fixture(path) { here.to_owned() } else { String::new() };
        for section in ["autoload", "autoload-dev"] {
            let Some(section) = root.get(section) else { continue };
            for (space, directories) in section.get("psr-4").map(Node::entries).unwrap_or_default() {
                for directory in directories.items().iter().filter_map(Node::str) {
                    let Some(directory) = join(here, directory) else { continue };
                    let only_below = only_below.clone();
                    self.prefixes.push(Prefix { space: space.text.clone().into_owned(), directory, only_below });
                }
            }
            let loaded = ["psr-0.*", "classmap", "files"].into_iter().flat_map(|pattern| section.texts(pattern));
            // A pattern loads what is below the directory before it.
            let plain = |text: &str| text.split('*').next().unwrap_or_default().to_owned();
            self.loaded.extend(loaded.filter_map(|text| join(here, &plain(&text.text))));
        }
        for section in ["require", "require-dev", "replace"] {
            let packages = root.get(section).map(Node::entries).unwrap_or_default();
            let vendors = packages.iter().filter_map(|(package, _)| package.text.split_once('/'));
            self.vendors.extend(vendors.map(|(vendor, _)| plain(vendor)));
        }
    }

    /// The mappings that decide where a class is looked for, in order, for a file.
    pub(super) fn of<'c>(&'c self, class: &'c str, file: &'c str) -> impl Iterator<Item = &'c Prefix> {
        self.prefixes.iter().filter(move |prefix| {
            !prefix.space.is_empty()
                && class.len() > prefix.space.len()
                && class.starts_with(prefix.space.as_str())
                && (prefix.only_below.is_empty() || within(file, &prefix.only_below))
        })
    }

    /// Whether a file is loaded whatever its classes are called.
    pub(super) fn loads(&self, file: &str) -> bool {
        self.loaded.iter().any(|at| at.is_empty() || within(file, at))
    }

    /// Whether a package that is needed may have the same name space: `Acme\` of `acme/common`.
    pub(super) fn needs(&self, class: &str) -> bool {
        self.vendors.contains(&plain(class.split('\\').next().unwrap_or_default()))
    }
}

/// A name without what vendors and name spaces spell differently.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
