//! An index of all makefiles: targets of rules and values of variables. It is read once per tree.

use rustc_hash::{FxHashMap, FxHashSet};

use pathfinder_literals::path::{name, strip_parent_steps};
use pathfinder_literals::{Project, ProjectIndex, Tree};

use super::lines::{MakefileLine, parse_lines};

/// A tree with more makefiles than this contains other projects too.
const MAX_MAKEFILES: usize = 2_000;

/// Targets, pattern rules and variables of all makefiles.
#[derive(Default)]
pub(crate) struct MakefileIndex {
    /// The makefile of each target, by the target as it is written.
    targets: FxHashMap<String, String>,
    /// Suffixes of pattern targets: `.c` for `%.c: %.y`.
    patterns: FxHashSet<String>,
    /// The value of each variable; `None` if the project sets several, or one that is not plain.
    values: FxHashMap<String, Option<String>>,
}

impl ProjectIndex for MakefileIndex {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl MakefileIndex {
    /// Reads all makefiles of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut index = Self::default();
        for path in tree.files().iter().filter(|path| super::is_makefile(path)).take(MAX_MAKEFILES) {
            let Some(text) = tree.read_shared(path) else { continue };
            for line in parse_lines(&text) {
                match line {
                    MakefileLine::Rule { targets: (at, end), .. } => {
                        text[at..end].split_whitespace().for_each(|target| index.add_target(target, path));
                    }
                    MakefileLine::Assign { name: (from, to), at, end } => {
                        index.add_assignment(&text[from..to], text[at..end].trim());
                    }
                    MakefileLine::Include { .. } | MakefileLine::Recipe { .. } => {}
                }
            }
        }
        index
    }

    /// Adds the target of a rule.
    fn add_target(&mut self, target: &str, path: &str) {
        if let Some((_, end)) = target.rsplit_once('%') {
            self.patterns.insert(end.to_owned());
        } else if !target.starts_with('.') || target.contains('/') {
            // `$(OUT)/x.h` generates an `x.h`.
            let target = target.rsplit_once([')', '}']).map_or(target, |(_, rest)| rest);
            if let Some(tail) = strip_parent_steps(target) {
                self.targets.entry(tail).or_insert_with(|| path.to_owned());
            }
        }
    }

    /// Adds an assignment to a variable.
    fn add_assignment(&mut self, name: &str, value: &str) {
        let is_plain = !value.contains(['$', ' ', '\t', '\n', '%', '*']) && value.len() < 200;
        let value = is_plain.then(|| value.to_owned());
        let known = self.values.entry(name.to_owned()).or_insert_with(|| value.clone());
        if *known != value {
            *known = None;
        }
    }

    /// The makefile that has a rule for this path.
    pub(crate) fn rule_for(&self, path: &str) -> Option<&str> {
        let tail = strip_parent_steps(path)?;
        let mut rest = tail.as_str();
        loop {
            if let Some(by) = self.targets.get(rest) {
                return Some(by);
            }
            match rest.split_once('/') {
                Some((_, after)) => rest = after,
                None => break,
            }
        }
        let name = name(&tail);
        let is_pattern = name.match_indices('.').any(|(at, _)| self.patterns.contains(&name[at..]));
        is_pattern.then_some("a pattern rule")
    }

    /// The only plain value of a variable.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values.get(name)?.as_deref()
    }
}
