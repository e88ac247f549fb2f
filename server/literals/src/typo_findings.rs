//! Reports literals with a typo that a language's own rules leave undecided. [`check`](fn@crate::check) calls it last.
//!
//! A rule leaves a literal undecided because a build, a site or a test could explain the missing target. None of these explains
//! a name that differs by one typo from the only file beside it and that occurs nowhere else in the project.

use rustc_hash::FxHashSet;

use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::lookup::count_existing;
use crate::path::name;
use crate::project::Project;
use crate::spellings::split_stem;
use crate::tree::Kind;
use crate::typo::{is_respelling, is_typo};

/// Maximum number of tried paths per literal that are compared. Further ones differ only in their extension.
const MAX_COMPARED_PATHS: usize = 12;

/// Reports undecided literals that have a typo, and raises hints that have one to warnings.
pub(crate) fn apply(project: &Project, found: &mut [Checked]) {
    let mistyped: Vec<(usize, Missing)> = found
        .iter()
        .enumerate()
        .filter_map(|(at, literal)| Some((at, typo_finding(project, found, literal)?)))
        .collect();
    for (at, missing) in mistyped {
        found[at].verdict = Verdict::Missing(missing);
    }
}

/// Returns the finding for a literal that has a typo.
fn typo_finding(project: &Project, all: &[Checked], literal: &Checked) -> Option<Missing> {
    if !allows_typo(project, &literal.verdict) {
        return None;
    }
    let typo = find_typo(project, &literal.tried)?;
    if let Verdict::Missing(missing) = &literal.verdict {
        return Some(Missing { severity: Severity::Warning, ..missing.clone() });
    }
    let is_named = |other: &Checked| matches!(&other.verdict, Verdict::Found(target) if target.path == typo.existing);
    let tree = project.tree();
    // The ignored path is a build output, and the similar file is not.
    let is_generated = tree.is_ignored(&typo.wanted) && !tree.is_ignored(&typo.existing);
    // A page of an address can be made by a program, whatever directories have its templates.
    let is_address = literal.kind.is_of_page() && matches!(&literal.verdict, Verdict::Unknown(Reason::Undecided(_)));
    if is_address && tree.kind(&typo.existing) == Some(Kind::Directory) {
        return None;
    }
    // Elsewhere than in a page, a second name for a file is one of its own.
    if is_generated || !literal.kind.is_of_page() && all.iter().any(is_named) {
        return None;
    }
    let missing = |code, reason: String, instead| {
        let TypoMatch { wanted, .. } = &typo;
        Missing { code, severity: Severity::Warning, reason, wanted: wanted.clone(), want: Want::Any, instead }
    };
    Some(match tree.moved(&typo.wanted) {
        // A commit mended the name of the file.
        Some(moved) if moved.to == typo.existing => {
            missing(Code::MovedPath, format!("moved to {} in {}", moved.to, moved.commit), Some(moved.to))
        }
        Some(_) => return None,
        None => missing(Code::MissingPath, format!("{} does not exist", typo.wanted), None),
    })
}

/// Returns whether a verdict allows a typo finding: an undecided literal, or a hint.
fn allows_typo(project: &Project, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Missing(missing) => {
            missing.severity == Severity::Hint && missing.code == Code::MissingPath && missing.instead.is_none()
        }
        // The literal may name a file of exactly this name in another directory.
        Verdict::Unknown(Reason::Undecided(by)) => project.tree().kind(by).is_none(),
        Verdict::Unknown(Reason::Produced(_) | Reason::Ignored(_) | Reason::Elsewhere | Reason::Optional) => true,
        Verdict::Unknown(_) | Verdict::Found(_) => false,
    }
}

/// Returns whether exactly one existing path differs from one of these missing ones by a typo, and no other name of the project
/// explains it.
pub fn is_mistyped(project: &Project, tried: &[String]) -> bool {
    find_typo(project, tried).is_some()
}

/// A missing path and the existing path that it differs from by a typo.
#[derive(Debug, PartialEq, Eq)]
struct TypoMatch {
    wanted: String,
    existing: String,
}

/// Returns the match if exactly one existing path differs from a tried path by a typo in one segment.
fn find_typo(project: &Project, tried: &[String]) -> Option<TypoMatch> {
    let mut existing: FxHashSet<String> = FxHashSet::default();
    let mut first = None;
    for path in tried.iter().take(MAX_COMPARED_PATHS) {
        for other in existing_lookalikes(project, path) {
            if existing.insert(other.clone()) {
                first.get_or_insert_with(|| TypoMatch { wanted: path.clone(), existing: other });
            }
        }
    }
    first.filter(|_| existing.len() == 1)
}

/// Returns the existing paths that differ from `path` by a typo in its first missing segment.
fn existing_lookalikes(project: &Project, path: &str) -> Vec<String> {
    let tree = project.tree();
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    let existing = &ends[..count_existing(tree, path, &ends)];
    let last = existing.iter().rev().find(|at| tree.kind(&path[..**at]) == Some(Kind::Directory));
    let start = last.map_or(0, |at| at + 1);
    let (before, rest) = path.split_at(start);
    let (segment, rest) = rest.split_once('/').map_or((rest, None), |(segment, rest)| (segment, Some(rest)));
    let (stem, ending) = split_stem(segment);
    // A name that occurs elsewhere in the project is no typo.
    if stem.is_empty() || project.has_name(stem) || project.find_by_suffix(segment).is_some() {
        return Vec::new();
    }
    let spellings = project.spellings(before.trim_end_matches('/'));
    let is_near = |other: &&String| {
        let (other, end) = split_stem(name(other));
        // An underscore in front makes another name: `_version` is what `version` reads.
        let is_private = stem.trim_start_matches('_') == other.trim_start_matches('_');
        end == ending && (is_typo(stem, other) || is_respelling(stem, other)) && !is_plural(stem, other) && !is_private
    };
    let there = spellings.with_digits_of(segment).filter(is_near).map(|other| match rest {
        Some(rest) => format!("{before}{other}/{rest}"),
        None => format!("{before}{other}"),
    });
    there.filter(|path| tree.kind(path).is_some()).collect()
}

/// Returns whether one word is the plural of the other. Then neither is a typo.
fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}
