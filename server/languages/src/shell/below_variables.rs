//! Checks words below a variable whose value is not known, `$here/src/a.c`: the files that other words below it lead to say where it is.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, join, parent};
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Lookup, Report, Severity, Want};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::command_words;
use crate::shell::kinds;

/// Files below a variable that show where it is; one or two are there by chance.
const MIN_RESOLVING: usize = 3;
/// One of so many files below it may be missing. Where more are missing, the script makes some.
const MIN_RESOLVING_PER_MISSING: usize = 3;
/// Longer lists of words are written by programs.
const MAX_WORDS: usize = 500;

/// Adds the words of a script that name a file beside others, and that is missing.
pub(super) fn check(report: &mut Report<'_>, words: &[Range<usize>]) {
    let text = report.source.text();
    let mut groups: FxHashMap<&str, FxHashMap<&str, usize>> = FxHashMap::default();
    for word in words.iter().take(MAX_WORDS) {
        if let Some((variable, rest)) = split_variable(&text[word.clone()])
            && command_words::is_path(rest)
        {
            let at = rest.as_ptr() as usize - text.as_ptr() as usize;
            groups.entry(variable).or_default().entry(rest).or_insert(at);
        }
    }
    let mut missing: Vec<(usize, usize, String)> = Vec::new();
    for paths in groups.into_values() {
        let tree = report.project.tree();
        let is_there = |base: &str, path: &str| join(base, path).is_some_and(|path| tree.kind(&path).is_some());
        let count = |base: &&str| paths.keys().filter(|path| is_there(base, path)).count();
        let Some(base) = ancestors(report.source.directory()).min_by_key(|base| std::cmp::Reverse(count(base))) else {
            continue;
        };
        let found = count(&base);
        if found < MIN_RESOLVING || (paths.len() - found) * MIN_RESOLVING_PER_MISSING > found {
            continue;
        }
        let directories: FxHashSet<String> =
            paths.keys().filter(|path| is_there(base, path)).filter_map(|path| join(base, parent(path))).collect();
        let has_others = |path: &str| directories.contains(parent(path)) || !tree.names(parent(path)).is_empty();
        let lost = paths.iter().filter(|(path, _)| !is_there(base, path));
        let lost = lost.filter_map(|(path, at)| Some((*at, path.len(), join(base, path)?)));
        missing.extend(lost.filter(|(.., path)| has_others(path)));
    }
    missing.sort_unstable();
    let severity = severity_in(report.source.path(), Severity::Warning);
    for (at, length, path) in missing {
        let outcome = Lookup::new(report.project, Want::Any).verdict(severity, [Some(path)]);
        report.add(kinds::PATH, at, length, outcome);
    }
}

/// The variable at the beginning of a word, and the path below it.
pub(super) fn split_variable(word: &str) -> Option<(&str, &str)> {
    let word = word.trim_matches('"');
    let rest = word.strip_prefix('$')?;
    let (variable, path) = match rest.strip_prefix('{') {
        Some(rest) => rest.split_once('}').map(|(variable, path)| (variable, path.trim_start_matches('"')))?,
        None => rest.split_at(rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric())?),
    };
    let is_name = !variable.is_empty() && variable.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
    is_name.then_some(variable).zip(path.strip_prefix('/'))
}

#[cfg(test)]
mod tests {
    use super::split_variable;

    #[test]
    fn splits_variables() {
        let check = |word, expect| assert_eq!(split_variable(word), expect, "{word}");
        check("\"$here/a/b.c\"", Some(("here", "a/b.c")));
        check("${here}/a.c", Some(("here", "a.c")));
        check("\"${here}\"/a.c", Some(("here", "a.c")));
        check("${here%/*}/a.c", None);
        check("$here", None);
        check("here/a.c", None);
    }
}
