//! Finds the header that a mistyped quoted include was intended to name. `resolve` calls it.
//!
//! Without a compile database the include directories are unknown, so a missing header may come from anywhere. A name
//! one slip away from a header of the project, and unknown to every library, is a typo.

use rustc_hash::FxHashMap;

use super::external::is_known_header;
use super::headers::is_header;
use pathfinder_literals::path::{join, name, parent};
use pathfinder_literals::typo::{TypoIndex, is_number_slip, is_typo};
use pathfinder_literals::{Lookup, Project, ProjectIndex, Reason, Want};

/// More files of one name than this are not compared with a mistyped directory.
const MAX_NAMESAKES: usize = 200;

/// Directories of one path that are searched for a header without an ending.
const MAX_PLACES: usize = 8;

/// Shorter names of two parts of a tree resemble each other by chance: `add.h` in a test, `addr.h` in a library.
const MIN_FAR_NAME_BYTES: usize = 5;

/// The names of all files that can be included.
#[derive(Default)]
pub(crate) struct HeaderNames {
    names: Vec<String>,
    index: TypoIndex,
}

impl ProjectIndex for HeaderNames {
    fn build(project: &Project) -> Self {
        let files = project.tree().files().iter().filter(|path| is_header(path) || super::is_c(path));
        let mut names: Vec<String> = files.map(|path| name(path).to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        let index = TypoIndex::new(names.iter().map(String::as_str));
        Self { names, index }
    }
}

/// A typo in an include.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HeaderTypo {
    /// The path of the existing header.
    pub(super) intended: String,
    /// The path that does not exist: the written name in the directory of `intended`.
    pub(super) written_path: String,
}

/// The header that `tail` (the include without leading `../`) is one slip away from, if there is exactly one. The
/// directory of the file is searched first, then the whole tree by path suffix.
pub(super) fn find_typo(project: &Project, directory: &str, path: &str, tail: &str) -> Option<HeaderTypo> {
    if is_known_header(tail) || has_other_case(project, directory, path) {
        return None;
    }
    let is_near = |typo: &HeaderTypo| {
        let stem = name(tail).split('.').next().unwrap_or_default();
        tail.contains('/')
            || stem.len() >= MIN_FAR_NAME_BYTES
            || first_segment(directory) == first_segment(parent(&typo.intended))
    };
    find_beside(project, directory, path)
        .or_else(|| find_anywhere(project, tail).filter(is_near))
        .or_else(|| find_without_ending(project, tail))
}

/// Returns whether the header is beside the file, in letters of another case.
fn has_other_case(project: &Project, directory: &str, path: &str) -> bool {
    let Some(written) = join(directory, path) else { return false };
    project.tree().names(parent(&written)).iter().any(|other| other.eq_ignore_ascii_case(name(&written)))
}

/// Searches the directories of the project that end as that of a header without an ending does.
fn find_without_ending(project: &Project, tail: &str) -> Option<HeaderTypo> {
    let (directory, last) = (parent(tail), name(tail));
    if directory.is_empty() || last.contains('.') {
        return None;
    }
    let near = |place: &str| {
        let names = project.tree().names(place);
        let near = names.iter().filter(|other| !other.contains('.') && is_typo(last, other));
        near.map(|intended| HeaderTypo {
            intended: format!("{place}/{intended}"),
            written_path: format!("{place}/{last}"),
        })
        .collect::<Vec<_>>()
    };
    let places = project.find_all_by_suffix(directory, MAX_PLACES);
    let mut found = places.into_iter().flat_map(near);
    let (Some(typo), None) = (found.next(), found.next()) else { return None };
    Lookup::new(project, Want::File).try_path(Some(typo.intended.clone())).then_some(typo)
}

/// The first directory of a path.
fn first_segment(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// The generator of the written header. `None` if the intended header has the same generator, or the written one has
/// none.
pub(super) fn generated_typo(typo: &HeaderTypo, generated_by: impl Fn(&str) -> Option<Reason>) -> Option<Reason> {
    let reason = generated_by(&typo.written_path)?;
    let intended_reason = generated_by(&typo.intended);
    intended_reason.is_none_or(|intended_reason| intended_reason.name() != reason.name()).then_some(reason)
}

/// Searches the directory that the path leads to from the file.
fn find_beside(project: &Project, directory: &str, path: &str) -> Option<HeaderTypo> {
    let written_path = join(directory, path)?;
    let names = project.tree().names(parent(&written_path));
    let mut near = names.iter().filter(|other| is_name_slip(name(&written_path), other, is_typo));
    let (Some(intended), None) = (near.next(), near.next()) else { return None };
    let intended = join(parent(&written_path), intended)?;
    Lookup::new(project, Want::File).try_path(Some(intended.clone())).then_some(HeaderTypo { intended, written_path })
}

/// Searches the whole tree: the last name or one directory is mistyped, and the rest of the path is right.
fn find_anywhere(project: &Project, tail: &str) -> Option<HeaderTypo> {
    let (directory, last) = (parent(tail), name(tail));
    let mut found: FxHashMap<String, String> = FxHashMap::default();
    let known = project.index::<HeaderNames>();
    for at in known.index.candidates(last) {
        // A library can have any number beside that of an own header, but not in a directory of this tree.
        let is_slip = |other: &&String| {
            is_name_slip(last, other, is_typo) || !directory.is_empty() && is_name_slip(last, other, is_number_slip)
        };
        let Some(other) = known.names.get(at).filter(is_slip) else { continue };
        let suffix = if directory.is_empty() { other.clone() } else { format!("{directory}/{other}") };
        if let Some(intended) = project.find_by_suffix(&suffix) {
            found.insert(suffix, intended.to_owned());
        }
    }
    if !directory.is_empty() {
        for path in project.find_all_by_suffix(last, MAX_NAMESAKES) {
            if let Some(suffix) = directory_slip(tail, path) {
                found.entry(suffix.to_owned()).or_insert_with(|| path.to_owned());
            }
        }
    }
    let mut found = found.into_iter();
    let (Some((suffix, intended)), None) = (found.next(), found.next()) else { return None };
    let root = intended.strip_suffix(&suffix)?.trim_end_matches('/');
    let written_path = join(root, tail)?;
    Some(HeaderTypo { intended, written_path })
}

/// The suffix of a path that differs from the include in one directory, by one slip.
fn directory_slip<'p>(tail: &str, path: &'p str) -> Option<&'p str> {
    let count = tail.split('/').count();
    let start = match path.rmatch_indices('/').nth(count - 1) {
        Some((at, _)) => at + 1,
        None if path.split('/').count() == count => 0,
        None => return None,
    };
    let suffix = &path[start..];
    let mut differing = tail.split('/').zip(suffix.split('/')).filter(|(a, b)| a != b);
    let (Some((a, b)), None) = (differing.next(), differing.next()) else { return None };
    is_typo(a, b).then_some(suffix)
}

/// Returns whether two file names with the same extension are one slip apart.
fn is_name_slip(left: &str, right: &str, is_slip: fn(&str, &str) -> bool) -> bool {
    let (Some((left, ending)), Some((right, other))) = (left.rsplit_once('.'), right.rsplit_once('.')) else {
        return false;
    };
    ending == other && is_slip(left, right)
}

#[cfg(test)]
mod tests {

    use super::find_typo;
    use crate::testing::{MemoryTree, new_project};

    /// Expects the intended header of an include in `src/a.c`, and the path that it would have as written.
    #[track_caller]
    fn check(tree: &str, path: &str, expect: &str) {
        let project = new_project(MemoryTree::new(tree));
        let found = find_typo(&project, "src", path, path.trim_start_matches("../"));
        let found = found.map(|found| format!("{} {}", found.intended, found.written_path)).unwrap_or_default();
        assert_eq!(found, expect, "{path}");
    }

    #[test]
    fn finds_the_only_header_a_slip_away() {
        let tree = "src/internal.h\nlib/internal.h\nlib/proto/arena.h\nlib/proto/arena_c.h\nlib/porto/port.h\nb/zstr.h\nb/part1.h\nb/part2.h\nc/hashes.h\nd/hashed.h";
        check(tree, "intrnal.h", "src/internal.h src/intrnal.h");
        check(tree, "../lib/intrnal.h", "lib/internal.h lib/intrnal.h");
        check("src/a.c\nlib/addr.h\nsrc/x/many.h", "add.h", "");
        check("src/a.c\nlib/addr.h\nsrc/x/many.h", "mny.h", "src/x/many.h src/x/mny.h");
        check(tree, "proto/arsna.h", "lib/proto/arena.h lib/proto/arsna.h");
        check(tree, "porto/arena.h", "lib/proto/arena.h lib/porto/arena.h");
        check(tree, "prooto/arena.h", "lib/proto/arena.h lib/prooto/arena.h");
        check(tree, "proto/arena.hpp", "");
        // A library's header; a family numbered by digits; two candidates.
        check(tree, "zstd.h", "");
        check(tree, "part3.h", "");
        check(tree, "b/part3.h", "");
        check(tree, "c/hashes2.h", "c/hashes.h c/hashes2.h");
        check(tree, "hashes2.h", "");
        check(tree, "hashe.h", "");
        check(tree, "", "");
    }
}
