//! `ComposerAutoload`: the namespaces that the project's `composer.json` files map to directories, and the other files
//! that they load.

use rustc_hash::FxHashSet;

use pathfinder_literals::path::{is_within, join, name, parent};
use pathfinder_literals::report::is_fixture;
use pathfinder_literals::{Project, ProjectIndex};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::json::read;

/// One namespace and a directory that it is mapped to.
#[derive(Debug)]
pub(super) struct NamespacePrefix {
    /// The namespace with its trailing `\`.
    pub(super) namespace: String,
    /// The directory relative to the root.
    pub(super) directory: String,
    /// The directory whose files can use the mapping, for the manifest of a sample. Empty for all files.
    only_below: String,
}

/// The autoload mappings of a project, as an index.
#[derive(Debug, Default)]
pub(crate) struct ComposerAutoload {
    /// The mappings, the longest namespace first, in Composer's order.
    prefixes: Vec<NamespacePrefix>,
    /// Files and directories that are loaded regardless of their classes' names.
    loaded: Vec<String>,
    /// The normalized vendors of the required packages.
    vendors: FxHashSet<String>,
    /// The required packages that no manifest of the tree is of, normalized: `acme/foobar`.
    packages: FxHashSet<String>,
}

impl ProjectIndex for ComposerAutoload {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut composer = Self::default();
        let mut own = FxHashSet::default();
        for path in tree.files().iter().filter(|path| name(path) == "composer.json") {
            let text = tree.read_shared(path);
            let Some(root) = text.as_deref().and_then(read) else { continue };
            own.extend(root.get("name").and_then(Node::str).map(normalize_package));
            composer.add(path, &root);
        }
        composer.packages.retain(|package| !own.contains(package));
        composer.prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.namespace.len()));
        composer
    }
}

impl ComposerAutoload {
    /// Adds the mappings of one manifest.
    fn add(&mut self, path: &str, root: &Node) {
        let here = parent(path);
        let only_below = if is_fixture(path) { here.to_owned() } else { String::new() };
        for section in ["autoload", "autoload-dev"] {
            let Some(section) = root.get(section) else { continue };
            for (namespace, directories) in section.get("psr-4").map(Node::entries).unwrap_or_default() {
                for directory in directories.items().iter().filter_map(Node::str) {
                    let Some(directory) = join(here, directory) else { continue };
                    let only_below = only_below.clone();
                    self.prefixes.push(NamespacePrefix {
                        namespace: namespace.text.clone().into_owned(),
                        directory,
                        only_below,
                    });
                }
            }
            let loaded = ["psr-0.*", "classmap", "files"].into_iter().flat_map(|pattern| section.texts(pattern));
            // A pattern loads files below the directory before it.
            let literal_part = |text: &str| text.split('*').next().unwrap_or_default().to_owned();
            self.loaded.extend(loaded.filter_map(|text| join(here, &literal_part(&text.text))));
        }
        for section in ["require", "require-dev", "replace"] {
            let packages = root.get(section).map(Node::entries).unwrap_or_default();
            let vendors = packages.iter().filter_map(|(package, _)| package.text.split_once('/'));
            self.vendors.extend(vendors.map(|(vendor, _)| normalize(vendor)));
            // A package has in it those that it replaces.
            let required = packages.iter().filter(|_| section != "replace");
            self.packages.extend(required.map(|(package, _)| normalize_package(&package.text)));
        }
    }

    /// Iterates over the mappings that apply to a class in a file, in order.
    pub(super) fn prefixes_for<'c>(
        &'c self,
        class: &'c str,
        file: &'c str,
    ) -> impl Iterator<Item = &'c NamespacePrefix> {
        self.prefixes.iter().filter(move |prefix| {
            !prefix.namespace.is_empty()
                && class.len() > prefix.namespace.len()
                && class.starts_with(prefix.namespace.as_str())
                && (prefix.only_below.is_empty() || is_within(file, &prefix.only_below))
        })
    }

    /// Returns the directory of a namespace that is mapped itself, if a file can use the mapping: `use App\Extra;`.
    pub(super) fn directory_of(&self, namespace: &str, file: &str) -> Option<&str> {
        let is_mapped = |prefix: &&NamespacePrefix| {
            prefix.namespace.strip_suffix('\\') == Some(namespace)
                && (prefix.only_below.is_empty() || is_within(file, &prefix.only_below))
        };
        self.prefixes.iter().find(is_mapped).map(|prefix| prefix.directory.as_str())
    }

    /// Returns whether a file is loaded regardless of its classes' names.
    pub(super) fn is_loaded(&self, file: &str) -> bool {
        self.loaded.iter().any(|at| at.is_empty() || is_within(file, at))
    }

    /// Returns whether the namespace of a class, or one above it, has the name of a required package: `Acme\Foo\Bar` of `acme/foo-bar`.
    pub(super) fn is_of_required_package(&self, class: &str) -> bool {
        let Some((vendor, rest)) = class.split_once('\\') else { return false };
        let ends = rest.match_indices('\\').map(|(at, _)| at);
        ends.into_iter()
            .any(|end| self.packages.contains(&format!("{}/{}", normalize(vendor), normalize(&rest[..end]))))
    }

    /// Returns whether a required package can have the class's namespace: `Acme\` of `acme/common`.
    pub(super) fn has_required_vendor(&self, class: &str) -> bool {
        self.vendors.contains(&normalize(class.split('\\').next().unwrap_or_default()))
    }
}

/// The name of a package, with its vendor and its own name normalized.
fn normalize_package(package: &str) -> String {
    let (vendor, name) = package.split_once('/').unwrap_or((package, ""));
    format!("{}/{}", normalize(vendor), normalize(name))
}

/// Reduces a name to its lower-case letters and digits, as vendors and namespaces differ in the rest.
fn normalize(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
