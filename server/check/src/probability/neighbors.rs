//! Evidence from what is beside a missing path: names that differ from it in a digit, and misses of its file that lead to the same place.
//!
//! In 78 healthy repositories nearly no miss has either, and all that were read were broken: numbered pages that were numbered anew, and
//! images that moved together.

use pathfinder_literals::corrected_imports::is_imported_twice;
use pathfinder_literals::path::{name, parent};
use pathfinder_literals::typo::{is_number_slip, is_respelling};
use pathfinder_literals::{Checked, Code, Missing, Project, Verdict, Want};
use rustc_hash::FxHashSet;

use super::evidence::Evidence;
use super::form::{hash, missing_root};
use super::statistics::{LanguageStatistics, path_key, text_key};
use super::unexplained::other_directory;
use crate::source_tree::{HistoryVerdict, SourceTree};

/// Literals of a file that are compared with each other. A longer list is alike throughout, and would take long.
const MAX_COMPARED_LITERALS: usize = 500;
/// Names of a directory that are compared: one with more holds data.
const MAX_COMPARED_NAMES: usize = 2_000;

/// Names of one row that may differ by a mistyped digit. Proposals and messages are numbered to the thousands, and a missing one is
/// nearly always elsewhere.
const MAX_ROW: usize = 100;

/// This many files do not make the same mistake by chance.
const MIN_AGREEING_FILES: u32 = 3;

/// Returns whether several other files miss an import of this text: a slip is made once.
pub(super) fn is_imported_by_several(
    others: &LanguageStatistics,
    file: &str,
    text: &str,
    evidence: &[Evidence],
) -> bool {
    evidence.iter().any(|one| matches!(one, Evidence::Named | Evidence::Relative))
        && others.files_missing(file, text_key(text)) >= MIN_AGREEING_FILES
}

/// Returns whether other files import something by this text too, so that it has no typo. Of names of packages one more file is enough: it
/// would not run with a typo either.
pub(super) fn has_no_typo(
    project: &Project,
    others: &LanguageStatistics,
    file: &str,
    text: &str,
    evidence: &[Evidence],
) -> bool {
    is_imported_by_several(others, file, text, evidence)
        || evidence.contains(&Evidence::Named) && is_imported_twice(project, text)
}

/// Returns whether a file misses several paths in one missing directory: its name was not mistyped each time.
pub(super) fn is_of_other_tree(literals: &[Checked], missing: &Missing) -> bool {
    /// A second one can be copied from the first.
    const MIN_PATHS: usize = 3;
    let directory = parent(&missing.wanted);
    let wanted = literals.iter().take(MAX_COMPARED_LITERALS).filter_map(|other| match &other.verdict {
        Verdict::Missing(other) if parent(&other.wanted) == directory => Some(other.wanted.as_str()),
        _ => None,
    });
    wanted.collect::<FxHashSet<&str>>().len() >= MIN_PATHS
}

/// Returns whether several misses of a file have an entry beside them that is their name in another style of writing.
pub(super) fn are_restyled(tree: &dyn SourceTree, literals: &[Checked]) -> bool {
    /// Fewer can be mistyped.
    const MIN_RESTYLED: usize = 4;
    /// Misses that are compared; those of a list are alike.
    const MAX_COMPARED: usize = 64;
    let misses = literals.iter().filter_map(|one| match &one.verdict {
        Verdict::Missing(missing) => Some(missing.wanted.as_str()),
        _ => None,
    });
    let is_restyled = |wanted: &&str| {
        // The directory of a module counts, not its file.
        let first = missing_root(tree, wanted);
        let names = tree.names(parent(first));
        names.iter().take(MAX_COMPARED_NAMES).any(|other| is_respelling(other, name(first)))
    };
    misses.take(MAX_COMPARED).filter(is_restyled).nth(MIN_RESTYLED - 1).is_some()
}

/// The verdict of git's history on a missing path: a package that an import names was there if its directory was, of which history lists
/// only the files.
pub(super) fn with_lost_package(
    tree: &dyn SourceTree,
    missing: &Missing,
    evidence: &[Evidence],
    history: Option<HistoryVerdict>,
) -> Option<HistoryVerdict> {
    let is_never = matches!(history, Some(HistoryVerdict::Never | HistoryVerdict::NotLately));
    let is_package = evidence.contains(&Evidence::Named) && missing.want == Want::Directory;
    let was_there = is_never && is_package && tree.was_there_a_month_ago(&missing.wanted);
    if was_there { Some(HistoryVerdict::Had) } else { history }
}

/// Adds evidence from the other files that miss the same path, import or directory.
pub(super) fn add_agreement(
    tree: &dyn SourceTree,
    (file, others): (&str, &LanguageStatistics),
    text: &str,
    missing: &Missing,
    evidence: &mut Vec<Evidence>,
) {
    let path = missing.wanted.as_str();
    let same = others.files_missing(file, path_key(path));
    match same {
        _ if is_imported_by_several(others, file, text, evidence) => evidence.push(Evidence::AgreeMany),
        0 => {}
        1 | 2 => evidence.push(Evidence::AgreeOne),
        _ => evidence.push(Evidence::AgreeMany),
    }
    let root = missing_root(tree, path);
    // If all files miss one target, it is gone; if they miss many different ones, a tool creates the directory.
    if root != path && others.files_missing(file, hash(&("below", root))) >= same + MIN_AGREEING_FILES {
        evidence.push(Evidence::AgreeBelow);
    }
}

/// Returns whether the paths that exist and differ from a missing one by an edit of one digit are one or several: `05-mail.md` and
/// `07-mail.md`, `v1.h` and `v.h`.
pub(super) fn number_evidence(tree: &dyn SourceTree, wanted: &str) -> Option<Evidence> {
    let root = missing_root(tree, wanted);
    let (directory, rest) = (parent(root), &wanted[root.len()..]);
    let names = tree.names(directory);
    let exists = |other: &&String| {
        let path = if directory.is_empty() { format!("{other}{rest}") } else { format!("{directory}/{other}{rest}") };
        rest.is_empty() || tree.kind(&path).is_some()
    };
    let compared = || names.iter().filter(|_| names.len() <= MAX_COMPARED_NAMES);
    // In a long row each number has neighbors.
    if compared().filter(|other| is_of_row(name(root), other)).nth(MAX_ROW).is_some() {
        return None;
    }
    let mut alike = compared().filter(|other| differs_in_digit(name(root), other)).filter(exists);
    alike.next()?;
    Some(if alike.next().is_none() { Evidence::NumberSlip } else { Evidence::NumberFamily })
}

/// Returns whether two names are the same but for their digits.
fn is_of_row(written: &str, name: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    letters(written) == letters(name)
}

/// Returns whether two names of the same extension differ by one digit.
fn differs_in_digit(written: &str, name: &str) -> bool {
    fn split(name: &str) -> (&str, &str) {
        name.split_at(name.rfind('.').filter(|at| *at > 0).unwrap_or(name.len()))
    }
    let ((stem, extension), (other, other_extension)) = (split(written), split(name));
    extension == other_extension && is_number_slip(stem, other)
}

/// Returns whether the only file of a miss's name, and that of another miss beside it, lie in the same other directory.
pub(super) fn is_moved_together(project: &Project, literals: &[Checked], missing: &Missing) -> bool {
    if literals.len() > MAX_COMPARED_LITERALS {
        return false;
    }
    let Some(own) = other_directory(project, &missing.wanted) else { return false };
    let moved_alike = |other: &Missing| {
        other.code != Code::MissingAnchor
            && parent(&other.wanted) == parent(&missing.wanted)
            && name(&other.wanted) != name(&missing.wanted)
            && other_directory(project, &other.wanted) == Some(own)
    };
    literals.iter().any(|other| matches!(&other.verdict, Verdict::Missing(other) if moved_alike(other)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pathfinder_literals::testing::MemoryTree;
    use pathfinder_literals::{Checked, Code, LiteralKind, Missing, Project, Severity, Verdict, Want};

    use super::{differs_in_digit, is_moved_together, is_of_row};

    #[test]
    fn compares_digits_of_names() {
        let check = |written, name, expect| assert_eq!(differs_in_digit(written, name), expect, "{written} {name}");
        check("img2.png", "img1.png", true);
        check("img.png", "img1.png", true);
        check("013-regions.md", "012-regions.md", true);
        check("v1.2.h", "v1.3.h", true);
        check("img1.png", "img2.jpg", false);
        check("a.mp3", "a.mp4", false);
        check("img.png", "imgs.png", false);
        check("1.png", "2.png", false);
    }

    #[test]
    fn compares_names_of_rows() {
        let check = |written, name, expect| assert_eq!(is_of_row(written, name), expect, "{written} {name}");
        check("eip-7683.md", "eip-20.md", true);
        check("eip-7683.md", "erc-20.md", false);
    }

    fn miss(wanted: &str) -> Missing {
        Missing {
            code: Code::MissingPath,
            severity: Severity::Warning,
            reason: String::new(),
            wanted: wanted.to_owned(),
            want: Want::File,
            instead: None,
        }
    }

    #[test]
    fn recognises_misses_that_moved_together() {
        let check = |tree: &str, wanted: &str, others: &[&str], expect: bool| {
            let project = Project::new(Arc::new(MemoryTree::new(tree)), &[]);
            let kind = LiteralKind::new("md.image", "An image.");
            let literal = |wanted: &&str| Checked {
                kind,
                range: 0..1,
                verdict: Verdict::Missing(miss(wanted)),
                tried: Vec::new(),
            };
            let literals: Vec<Checked> = [&wanted].into_iter().chain(others).map(literal).collect();
            assert_eq!(is_moved_together(&project, &literals, &miss(wanted)), expect, "{tree} {wanted} {others:?}");
        };
        check("img/x/a.png\nimg/x/b.png", "img/a.png", &["img/b.png"], true);
        check("img/x/a.png\nimg/x/b.png", "img/a.png", &[], false);
        check("img/x/a.png\nimg/y/b.png", "img/a.png", &["img/b.png"], false);
        check("img/x/a.png\nimg/x/b.png", "img/a.png", &["docs/b.png"], false);
        check("img/x/a.png\nimg/x/b.png\nb.png", "img/a.png", &["img/b.png"], false);
    }
}
