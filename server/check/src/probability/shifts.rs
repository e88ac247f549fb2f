//! Moves of directories after which the paths of before go on being written: something puts the files back there, and new ones too.

use pathfinder_literals::path::is_within;
use pathfinder_literals::{Missing, Project};

use crate::source_tree::SourceTree;

/// Files of the new directory that are looked at.
const MAX_FILES: usize = 4_000;
/// So many files that were never in the old directory are named there by a rule; one or two are where an author looked at other lines.
const MIN_NEVER_THERE: usize = 3;
/// For each of them at most so many were: where many files moved, the paths of some new ones are written after the old lines by mistake.
const MAX_THERE: usize = 4;

/// Returns whether files of the directory that a target moved to, which were never in the one that it left, are named there by other
/// files all the same: `docs/de/assets` for `overrides/assets`, which a generator copies beside the pages.
pub(super) fn is_in_use(
    tree: &dyn SourceTree,
    project: &Project,
    missing: &Missing,
    is_named: impl Fn(&str) -> bool,
) -> bool {
    let Some(to) = missing.instead.as_deref() else { return false };
    let Some((before, after)) = directories(&missing.wanted, to) else { return false };
    let is_below = |path: &String| after.is_empty() || is_within(path, after);
    let files = project.tree().files();
    let from = files.partition_point(|path| path.as_str() < after);
    let moved = files[from..].iter().skip_while(|path| !is_below(path)).take_while(|path| is_below(path));
    let old = |path: &str| {
        let rest = path[after.len()..].trim_start_matches('/');
        if before.is_empty() { rest.to_owned() } else { format!("{before}/{rest}") }
    };
    let (never_there, there): (Vec<&String>, Vec<&String>) = moved
        .take(MAX_FILES)
        .filter(|path| is_named(&old(path)))
        .partition(|path| !tree.origins(path).contains(&old(path)));
    never_there.len() >= MIN_NEVER_THERE && never_there.len() * MAX_THERE >= there.len()
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
