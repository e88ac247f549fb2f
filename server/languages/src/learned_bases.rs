//! Learns the directory that a name in front of paths stands for, from the files that are named below it.
//!
//! A variable that another script or the environment sets, or an attribute that a build gives to its documents, has no value in the text.
//! Scripts name files below it (`. "$APP_HOME/lib-log"`), and so do documents (`include::{sources}/A.java[]`). If nearly all of these files
//! are in one directory, the name stands for that directory.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_literals::{Lookup, Project, Reason, Resolution, Severity, Verdict, Want};

/// Files below one name that are looked up.
const MAX_FILES: usize = 200;
/// Files that must be in one directory; fewer are by chance.
const MIN_FILES: usize = 4;
/// One of so many may be missing: it is made, or broken.
const MIN_FILES_PER_OTHER: usize = 4;
/// Files of one name that are compared. More common names say nothing.
const MAX_NAMESAKES: usize = 8;

/// Returns the directory that nearly all of these files are in; `None` if there is none.
pub(crate) fn base_of(project: &Project, files: &BTreeSet<String>) -> Option<String> {
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

/// Returns whether a path is taken as it is written, without anything that is computed.
pub(crate) fn is_plain(path: &str) -> bool {
    !path.is_empty() && path.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | '@'))
}

/// Returns the verdict on a path in a learned directory. A program can make what git never had.
pub(crate) fn resolve(project: &Project, severity: Severity, path: String) -> Resolution {
    let was_there = project.tree().was_there(&path);
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, [Some(path)]);
    match verdict {
        Verdict::Missing(missing) if missing.instead.is_none() && !was_there => {
            (Verdict::Unknown(Reason::Elsewhere), tried)
        }
        verdict => (verdict, tried),
    }
}

/// Returns a path below a directory; the root is the empty path.
pub(crate) fn below(base: &str, rest: &str) -> String {
    if base.is_empty() { rest.to_owned() } else { format!("{base}/{rest}") }
}
