//! Detects moves of directories after which new files are still named by the old path: a generator puts all files back there.

use std::sync::Arc;

use parking_lot::Mutex;
use pathfinder_literals::path::is_within;
use pathfinder_literals::{Missing, Project, ProjectIndex};
use rustc_hash::FxHashMap;

use crate::source_tree::SourceTree;

/// Files of the new directory that are looked at.
const MAX_FILES: usize = 4_000;
/// So many files that were never in the old directory are named there by a rule; one or two are where an author looked at other lines.
const MIN_NEVER_THERE: usize = 3;
/// For each of them at most so many were: where many files moved, the paths of some new ones are written after the old lines by mistake.
const MAX_THERE: usize = 4;

/// Old paths that files name, each with whether git had the file there.
type OldNames = Arc<[(String, bool)]>;

/// `MoveCache`: the old names of each move, by the language of the files that name them and by the two directories. A move whose uses were
/// all left has thousands of findings.
#[derive(Default)]
struct MoveCache(Mutex<FxHashMap<(&'static str, String, String), OldNames>>);

impl ProjectIndex for MoveCache {
    fn build(_: &Project) -> Self {
        Self::default()
    }
}

/// Returns whether files of the directory that a target moved to, which were never in the one that it left, are named there by other
/// files of a language all the same: `docs/de/assets` for `overrides/assets`, which a generator copies beside the pages. `is_named` tells
/// whether a file misses a path, and `is_named_elsewhere` whether a file other than that of the literal does.
pub(super) fn has_new_names(
    tree: &dyn SourceTree,
    project: &Project,
    (language, missing): (&'static str, &Missing),
    is_named: impl Fn(&str) -> bool,
    is_named_elsewhere: impl Fn(&str) -> bool,
) -> bool {
    let Some(to) = missing.instead.as_deref() else { return false };
    let Some((before, after)) = directories(&missing.wanted, to) else { return false };
    let key = (language, before.to_owned(), after.to_owned());
    let known = project.index::<MoveCache>();
    let names = known.0.lock().get(&key).cloned();
    // Two threads may look at one move, and see the same.
    let names = names.unwrap_or_else(|| {
        let names = old_names(tree, project.tree().files(), (before, after), is_named);
        known.0.lock().insert(key, Arc::clone(&names));
        names
    });
    let others = names.iter().filter(|(name, _)| is_named_elsewhere(name));
    let (there, never_there): (Vec<_>, Vec<_>) = others.partition(|(_, was_there)| *was_there);
    never_there.len() >= MIN_NEVER_THERE && never_there.len() * MAX_THERE >= there.len()
}

/// The files below a directory that are named below another one.
fn old_names(
    tree: &dyn SourceTree,
    files: &[String],
    (before, after): (&str, &str),
    is_named: impl Fn(&str) -> bool,
) -> OldNames {
    let is_below = |path: &String| after.is_empty() || is_within(path, after);
    let from = files.partition_point(|path| path.as_str() < after);
    let moved = files[from..].iter().skip_while(|path| !is_below(path)).take_while(|path| is_below(path));
    let named = moved.take(MAX_FILES).filter_map(|path| {
        let rest = path[after.len()..].trim_start_matches('/');
        let old = if before.is_empty() { rest.to_owned() } else { format!("{before}/{rest}") };
        is_named(&old).then(|| {
            let was_there = tree.origins(path).contains(&old);
            (old, was_there)
        })
    });
    named.collect()
}

/// The directories in which two paths differ, without what they end in alike; `None` if their names differ.
fn directories<'p>(old: &'p str, new: &'p str) -> Option<(&'p str, &'p str)> {
    let (mut before, mut after) = (old, new);
    loop {
        let (above_old, name_old) = before.rsplit_once('/').unwrap_or(("", before));
        let (above_new, name_new) = after.rsplit_once('/').unwrap_or(("", after));
        if name_old != name_new || before.is_empty() || after.is_empty() {
            return (before.len() < old.len()).then_some((before, after));
        }
        (before, after) = (above_old, above_new);
    }
}

#[cfg(test)]
mod tests {
    use super::directories;

    #[test]
    fn finds_the_directories_that_differ() {
        let check = |old, new, expect| assert_eq!(directories(old, new), expect, "{old} {new}");
        check("docs/de/assets/a/x.png", "over/assets/a/x.png", Some(("docs/de", "over")));
        check("a/x.ts", "a/lib/x.ts", Some(("a", "a/lib")));
        check("x.ts", "lib/x.ts", Some(("", "lib")));
        check("a/x.ts", "a/y.ts", None);
    }
}
