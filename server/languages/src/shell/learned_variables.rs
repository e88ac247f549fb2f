//! `LearnedVariables`: the directories that variables of scripts lead to, learned from the scripts that are read below them.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Project, ProjectIndex, Tree};
use rustc_hash::FxHashMap;

use super::below_variables::split_variable;
use crate::learned_bases::{base_of, below, is_plain};

/// Scripts that are read. More say nothing new.
const MAX_SCRIPTS: usize = 1_000;
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
        Some(below(base, rest))
    }
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
