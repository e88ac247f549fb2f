//! `LoadPath`: the directories of a project that `require` looks in, and the libraries that it has from elsewhere. Read
//! once for a project.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use crate::path::{extension, name};
use crate::project::Project;
use crate::project_index::ProjectIndex;
use crate::report::is_fixture;
use crate::tree::Tree;

/// See the module's text.
#[derive(Default)]
pub(crate) struct LoadPath {
    /// All directories that are called `lib`, by name.
    pub(super) libraries: Vec<String>,
    /// Names of the gems that are made here.
    made: FxHashSet<String>,
    /// Names of the gems that are needed, and their first parts.
    needed: FxHashSet<String>,
}

impl ProjectIndex for LoadPath {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl LoadPath {
    /// Of what is in a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut load_path = Self::default();
        let mut libraries = BTreeSet::new();
        for path in tree.files() {
            let is_ruby = extension(path) == "rb";
            if is_ruby && !is_fixture(path) {
                let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
                libraries.extend(ends.filter(|directory| name(directory) == "lib"));
            }
            let file = name(path);
            let is_lock = file == "Gemfile.lock" || file == "gems.locked";
            if let Some(gem) = file.strip_suffix(".gemspec") {
                load_path.made.insert(gem.to_owned());
            } else if !is_lock && file != "Gemfile" && file != "gems.rb" {
                continue;
            }
            let text = tree.read(path).unwrap_or_default();
            let own: Vec<&str> = if is_lock { below_here(&text).collect() } else { Vec::new() };
            for line in text.lines().map(str::trim) {
                if is_lock {
                    let gem = line.split([' ', '(']).next().unwrap_or_default();
                    load_path.needs(if own.contains(&gem.trim_end_matches('!')) { "" } else { gem });
                } else if line.contains("dependency") || line.starts_with("gem") {
                    load_path.needs(line.split(['"', '\'']).nth(1).unwrap_or_default());
                }
            }
        }
        load_path.libraries = libraries.into_iter().map(str::to_owned).collect();
        load_path
    }

    /// Whether a gem of this name is made here.
    pub(super) fn makes(&self, head: &str) -> bool {
        self.made.contains(head) || self.made.contains(&head.replace('_', "-"))
    }

    /// Whether a library of this name comes with a gem that is needed, as far as its name tells.
    pub(super) fn needs_gem(&self, head: &str) -> bool {
        self.needed.contains(&plain(head))
    }

    /// Whether anything is known of the gems.
    pub(super) fn is_known(&self) -> bool {
        !self.needed.is_empty() || !self.made.is_empty()
    }

    fn needs(&mut self, gem: &str) {
        if gem.is_empty() || self.made.contains(gem) {
            return;
        }
        for (at, _) in gem.match_indices(['-', '_', '.']) {
            self.needed.insert(plain(&gem[..at]));
        }
        self.needed.insert(plain(gem));
    }
}

/// The gems that a lock takes from a directory of the project: they are made here, perhaps under a name that they had before.
fn below_here(lock: &str) -> impl Iterator<Item = &str> {
    let mut is_own = false;
    lock.lines().filter_map(move |line| {
        if !line.starts_with(' ') {
            is_own = false;
        }
        if let Some(remote) = line.trim().strip_prefix("remote:") {
            is_own =
                !remote.contains(':') && !remote.trim().starts_with(['/', '~']) && !remote.trim().starts_with("..");
        }
        // Four spaces: a gem. Six: what it needs.
        let gem = line.strip_prefix("    ").filter(|gem| is_own && !gem.starts_with(' '))?;
        gem.split(' ').next()
    })
}

/// A name without what gems and their files spell differently.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
