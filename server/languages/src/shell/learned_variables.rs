//! `LearnedVariables`: the directories that variables of scripts lead to, learned from the scripts that are read below them.
//!
//! A variable that another script or the environment sets has no value in the text. Where nearly all files that the project's scripts
//! read below it, `. "$APP_HOME/lib-log"`, are in one directory by what follows, it leads there.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Project, ProjectIndex, Tree};
use rustc_hash::FxHashMap;

use super::below_variables::split_variable;

/// Scripts that are read. More say nothing new.
const MAX_SCRIPTS: usize = 1_000;
/// Files below one variable that are looked up.
const MAX_FILES: usize = 200;
/// Files that must be in one directory; fewer are by chance.
const MIN_FILES: usize = 4;
/// One of so many may be missing: it is made, or broken.
const MIN_FILES_PER_OTHER: usize = 4;
/// Files of one name that are compared. More common names say nothing.
const MAX_NAMESAKES: usize = 8;

/// The directory of each variable.
pub(super) struct LearnedVariables(FxHashMap<String, String>);

impl ProjectIndex for LearnedVariables {
    fn build(project: &Project) -> Self {
        let read = files_below_variables(project.tree());
        let known = read.into_iter().filter_map(|(variable, files)| Some((variable, base_of(project, &files)?)));
        Self(known.collect())
    }
}

impl LearnedVariables {
    /// Returns the path of a word below a variable; `None` if it is not known where that leads.
    pub(super) fn path_of(&self, word: &str) -> Option<String> {
        let (variable, rest) = split_variable(word)?;
        let rest = rest.trim_end_matches('"');
        let base = self.0.get(variable).filter(|_| is_plain(rest))?;
        Some(if base.is_empty() { rest.to_owned() } else { format!("{base}/{rest}") })
    }
}

/// The directory that nearly all of these files are in.
fn base_of(project: &Project, files: &BTreeSet<String>) -> Option<String> {
    let mut votes: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().take(MAX_FILES) {
        let paths = project.find_all_by_suffix(file, MAX_NAMESAKES);
        let bases = paths.iter().filter_map(|path| path.strip_suffix(file.as_str()));
        bases.for_each(|base| *votes.entry(base.trim_end_matches('/')).or_default() += 1);
    }
    let (base, found) = votes.into_iter().max_by(|one, other| one.1.cmp(&other.1).then(other.0.cmp(one.0)))?;
    let others = files.len().min(MAX_FILES).saturating_sub(found);
    (found >= MIN_FILES && others * MIN_FILES_PER_OTHER <= found).then(|| base.to_owned())
}

/// The different files that scripts read below each variable.
fn files_below_variables(tree: &dyn Tree) -> BTreeMap<String, BTreeSet<String>> {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let can_be_script = |path: &&String| {
        matches!(extension(path).as_str(), "sh" | "bash" | "zsh" | "ksh" | "") && !name(path).starts_with('.')
    };
    let texts = tree.files().iter().filter(can_be_script).take(MAX_SCRIPTS).filter_map(|path| tree.read_shared(path));
    for text in texts {
        for line in text.lines().map(str::trim_start) {
            let Some(rest) = line.strip_prefix("source ").or_else(|| line.strip_prefix(". ")) else { continue };
            let word = rest.trim_start().split([' ', ';', '\t']).next().unwrap_or_default();
            if let Some((variable, file)) = split_variable(word)
                && is_plain(file.trim_end_matches('"'))
            {
                found.entry(variable.to_owned()).or_default().insert(file.trim_end_matches('"').to_owned());
            }
        }
    }
    found
}

/// Returns whether a shell takes a path as it is written.
fn is_plain(path: &str) -> bool {
    !path.is_empty() && path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '@'))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn learns_where_a_variable_leads() {
        let files = ["one", "two", "three", "four", "six", "seven", "eight", "nine"];
        let tree = files.map(|name| format!("lib/{name}\nrun-{name}.sh = . $APP_HOME/{name}\n")).concat();
        let tree = format!("{tree}lib/five\nmoved lib/old-five lib/five");
        check(
            &tree,
            "x.sh",
            "#!/bin/sh\n. $APP_HOME/one\nsource \"${APP_HOME}/old-five\"\n. $APP_HOME/made\n. $OTHER/one\n",
            "sh.source $APP_HOME/one → lib/one
             sh.source ${APP_HOME}/old-five → moved
             sh.source $APP_HOME/made → unknown elsewhere
             sh.source $OTHER/one → unknown dynamic",
        );
    }
}
