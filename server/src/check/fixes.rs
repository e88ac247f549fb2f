//! Fixes: where a literal that leads nowhere was meant to lead, and how that is written there.
//!
//! What was meant comes from git's history first, then from the engine, which is asked for the path that the literal
//! names; what else the file says decides between its candidates. How it is written comes from `Rewriting`: only what the
//! literal's own resolver then finds is offered.

mod anchor;
mod confidence;
mod names;
mod paths;
mod read_cache;
mod signals;
mod surroundings;
mod target;
mod words;

use pathfinder_literals::{Checked, Code, Kind, Missing, Rewriting, Source};

use super::probability::BrokenEstimate;
use super::source_tree::SourceTree;
use crate::snapshot::WorkspaceSnapshot;
pub(super) use confidence::lower_confidence;
pub(super) use names::Names;
use paths::{extension, extension_similarity};
pub(super) use read_cache::ReadCache;
use signals::Signal;
use target::targets;
pub(super) use words::expected;

/// Fixes of one literal that are offered at most: a menu that one can take in at a glance.
pub(super) const MAX_FIXES: usize = 5;
/// The same where traces are wanted. So many are weighed in any case.
pub(super) const MAX_EXPLAINED_FIXES: usize = 20;

/// A way to mend a literal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fix {
    /// What to write in its place.
    pub(crate) literal: String,
    /// What it then leads to, relative to the root.
    pub(crate) path: String,
    /// Probability that this is what was meant: 0–1.
    pub(crate) confidence: f32,
    /// Whether it is sure enough to be applied without being looked at.
    pub(crate) preferred: bool,
    /// What its place among the others comes from, by name.
    pub(crate) signals: Vec<(&'static str, f32)>,
}

/// The file that a literal stands in.
pub(super) struct FixContext<'a> {
    pub(super) workspace: &'a WorkspaceSnapshot,
    pub(super) tree: &'a dyn SourceTree,
    /// Relative to the root.
    pub(super) file: &'a str,
    /// What is in it.
    pub(super) source: &'a Source<'a>,
    /// Every literal in it.
    pub(super) all: &'a [Checked],
    /// What was read for it so far.
    pub(super) cache: &'a ReadCache,
    /// How many fixes are wanted.
    pub(super) max_fixes: usize,
}

/// Kinds of literal that select from what a build may leave, so that an entry can be missing in a project that works: a recorded
/// move of a directory of that name is no reason to change them without asking.
const SELECTIONS: [&str; 3] = ["json.package.files", "json.package.workspaces", "json.tsconfig.include"];

/// The fixes of a missing literal, the likeliest first.
/// `weighed`: how sure it is that the literal is broken.
pub(super) fn fixes(
    context: &FixContext<'_>,
    rewriting: &Rewriting<'_>,
    literal: &Checked,
    missing: &Missing,
    estimate: &BrokenEstimate,
) -> Vec<Fix> {
    if missing.code == Code::MissingAnchor {
        return anchor::fixes(context, rewriting, literal, missing);
    }
    let mut fixes: Vec<Fix> = Vec::new();
    let (mut signals_of, mut rest) = (Vec::new(), Vec::new());
    for target in targets(context, literal, missing) {
        if signals_of.len() + rest.len() >= MAX_EXPLAINED_FIXES {
            break;
        }
        if fixes.len() >= context.max_fixes {
            rest.push(target.signals);
            continue;
        }
        let Some(spelling) = rewriting.rewrite(literal, &target.path) else { continue };
        if fixes.iter().all(|known| known.literal != spelling) {
            let signals = target.signals.list();
            signals_of.push(target.signals);
            fixes.push(Fix { literal: spelling, path: target.path, confidence: 0.0, preferred: false, signals });
        }
    }
    signals_of.extend(rest);
    confidence::assign_confidence(&mut fixes, &signals_of);
    if let Some(first) = fixes.first_mut() {
        let is_same_kind = is_same_kind_of_file(literal, missing, &first.path);
        let is_slip = signals_of.first().is_some_and(|signals| signals.get(Signal::Slip) >= 1.0);
        let is_selection = SELECTIONS.contains(&literal.kind);
        let may_have_moved = !is_selection && !estimate.never_worked();
        // A literal that climbs out of the root to a file that is there can be right in code that runs from a deeper directory.
        let is_there = missing.instead.is_none() && context.tree.kind(&missing.wanted) == Some(Kind::File);
        let may_be_applied = estimate.is_certain() && !estimate.may_be_deliberate() && !is_there;
        first.preferred &= may_be_applied && is_same_kind && (is_slip || may_have_moved);
        if !is_same_kind && extension_similarity(extension(&missing.wanted), extension(&first.path)) == 0.0 {
            first.confidence = first.confidence.min(confidence::MAX_UNSUPPORTED_CONFIDENCE);
        }
    }
    fixes
}

/// Whether a path has the extension of what was named, or of one of the paths that were tried for it: an image is never meant by the
/// name of its checksum.
fn is_same_kind_of_file(literal: &Checked, missing: &Missing, path: &str) -> bool {
    let tried = || std::iter::once(&missing.wanted).chain(&literal.tried);
    missing.instead.as_deref() == Some(path) || tried().any(|tried| extension(tried) == extension(path))
}
