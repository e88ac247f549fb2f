//! `RubyLoadPath`: the directories of a project that `require` searches, and the gems that the project contains or
//! requires. Built once for a project.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use pathfinder_literals::path::{ancestors, extension, name};
use pathfinder_literals::report::is_fixture;
use pathfinder_literals::{Project, ProjectIndex, Tree};

/// The load path and gems of a project, as an index.
#[derive(Default)]
pub(crate) struct RubyLoadPath {
    /// All directories named `lib`, sorted.
    pub(super) libraries: Vec<String>,
    /// Names of the gems in the project.
    local_gems: FxHashSet<String>,
    /// Normalized names of the required gems, and their first parts.
    required_gems: FxHashSet<String>,
    /// The directories that the names of required gems stand for: by the rule of gems, `a-b` has its files in `a/b`.
    gem_directories: FxHashSet<String>,
}

impl ProjectIndex for RubyLoadPath {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl RubyLoadPath {
    /// Reads the load path of a tree.
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
                load_path.local_gems.insert(gem.to_owned());
            } else if !is_lock && file != "Gemfile" && file != "gems.rb" {
                continue;
            }
            let text = tree.read_shared(path).unwrap_or_default();
            let local: Vec<&str> = if is_lock { path_gems(&text).collect() } else { Vec::new() };
            for line in text.lines().map(str::trim) {
                if is_lock {
                    let gem = line.split([' ', '(']).next().unwrap_or_default();
                    load_path.add_required_gem(if local.contains(&gem.trim_end_matches('!')) { "" } else { gem });
                } else if line.contains("dependency") || line.starts_with("gem") {
                    load_path.add_required_gem(line.split(['"', '\'']).nth(1).unwrap_or_default());
                }
            }
        }
        load_path.libraries = libraries.into_iter().map(str::to_owned).collect();
        load_path
    }

    /// Returns whether the project contains a gem of this name.
    pub(super) fn has_local_gem(&self, head: &str) -> bool {
        self.local_gems.contains(head) || self.local_gems.contains(&head.replace('_', "-"))
    }

    /// Returns whether a required gem can provide a library of this name, judging by the name.
    pub(super) fn has_required_gem(&self, head: &str) -> bool {
        self.required_gems.contains(&normalize(head))
    }

    /// Returns whether the file is in the directory of a required gem that extends another one, as `a-b` extends `a`.
    pub(super) fn is_in_extension(&self, literal: &str) -> bool {
        ancestors(literal).any(|directory| directory.contains('/') && self.gem_directories.contains(directory))
    }

    /// Returns whether many required gems have files in the directory of this library, as `a-b` has in `a`.
    pub(super) fn is_shared(&self, head: &str) -> bool {
        /// The parts of one project are fewer, and have files where their names say.
        const MIN_EXTENSIONS: usize = 3;
        let is_below = |directory: &&String| directory.split_once('/').is_some_and(|(first, _)| first == head);
        self.gem_directories.iter().filter(is_below).take(MIN_EXTENSIONS).count() == MIN_EXTENSIONS
    }

    /// Returns whether any gem is known.
    pub(super) fn is_known(&self) -> bool {
        !self.required_gems.is_empty() || !self.local_gems.is_empty()
    }

    /// Adds a required gem with the first parts of its name.
    fn add_required_gem(&mut self, gem: &str) {
        if gem.is_empty() || self.local_gems.contains(gem) {
            return;
        }
        for (at, _) in gem.match_indices(['-', '_', '.']) {
            self.required_gems.insert(normalize(&gem[..at]));
        }
        self.required_gems.insert(normalize(gem));
        self.gem_directories.insert(gem.replace('-', "/"));
    }
}

/// The gems of a lock file that come from a directory of the project. The project contains them, perhaps under another
/// name.
fn path_gems(lock: &str) -> impl Iterator<Item = &str> {
    let mut is_local = false;
    lock.lines().filter_map(move |line| {
        if !line.starts_with(' ') {
            is_local = false;
        }
        if let Some(remote) = line.trim().strip_prefix("remote:") {
            is_local =
                !remote.contains(':') && !remote.trim().starts_with(['/', '~']) && !remote.trim().starts_with("..");
        }
        // Four spaces precede a gem, six a dependency of it.
        let gem = line.strip_prefix("    ").filter(|gem| is_local && !gem.starts_with(' '))?;
        gem.split(' ').next()
    })
}

/// Reduces a name to its lower-case letters and digits, as gems and their files differ in the rest.
fn normalize(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
