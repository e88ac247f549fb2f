//! Misses that are alike in several places. A mistake is made once; what many literals miss in one way is made by a program, or they are
//! read from another directory.

use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::{Checked, Missing, Project, Source, Verdict};
use rustc_hash::FxHashSet;

use super::evidence::Evidence;
use super::form::hash;
use super::statistics::{FileStatistics, LanguageStatistics, record_key};
use super::stood::is_month_old;
use crate::source_tree::{HistoryVerdict, SourceTree};

/// So many more paths of one name do not go missing by mistake.
const MIN_PATHS: u32 = 3;
/// So many more pages of one directory are not wrong by mistake.
const MIN_PAGES: u32 = 3;

/// The key under which missing paths are counted whose last name no file has; `None` if a file has it.
pub(super) fn nowhere_key(project: &Project, wanted: &str) -> Option<u64> {
    project.find_all_by_suffix(name(wanted), 1).is_empty().then(|| hash(&("nowhere", name(wanted))))
}

/// The key under which pages of a directory are counted that miss a path of which another file has the name; `None` if none has, or if
/// the name stands for its directory.
pub(super) fn stray_page_key(project: &Project, file: &str, wanted: &str) -> Option<u64> {
    const INDEXES: [&str; 3] = ["_index", "index", "readme"];
    let stem = name(wanted).split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_elsewhere = !INDEXES.contains(&stem.as_str()) && !project.find_all_by_suffix(name(wanted), 1).is_empty();
    is_elsewhere.then(|| hash(&("stray-page", parent(file))))
}

/// Returns whether many other files of data have named what is gone for a month: they are records.
pub(super) fn is_among_records(path: &str, others: &LanguageStatistics) -> bool {
    /// So many files are not left behind by mistake.
    const MIN_RECORDS: u32 = 8;
    others.files_missing(path, record_key()) >= MIN_RECORDS
}

/// Returns whether many values of a file of data have named what git moved or removed for a month: it is a record, or a program writes it.
pub(super) fn has_old_values(tree: &dyn SourceTree, source: &Source<'_>, literals: &[Checked]) -> bool {
    /// So many are not left behind by mistake.
    const MIN_VALUES: usize = 8;
    /// Values of which git is asked how old they are: those of a record are alike.
    const MAX_ASKED: usize = 16;
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    let gone = literals.iter().filter_map(|one| match &one.verdict {
        Verdict::Missing(missing) if one.kind.construct() == "value" => Some((one, missing)),
        _ => None,
    });
    let is_known = |(_, missing): &(&Checked, &Missing)| {
        missing.instead.is_some() || tree.history(&missing.wanted) == HistoryVerdict::Had
    };
    let known = gone.filter(|(_, missing)| seen.insert(&missing.wanted)).filter(is_known).take(MAX_ASKED);
    known.filter(|(one, missing)| is_month_old(tree, source, one, missing)).nth(MIN_VALUES - 1).is_some()
}

/// Returns what other misses say of a miss that is alike, given the evidence so far.
pub(super) fn alike_evidence(
    project: &Project,
    shares: &FileStatistics,
    file: &str,
    (missing, target): (&Missing, u64),
    evidence: &[Evidence],
) -> Option<Evidence> {
    let has = |any: &[Evidence]| any.iter().any(|one| evidence.contains(one));
    let is_new = has(&[Evidence::HistoryNever, Evidence::HistoryNotLately]);
    let is_slip = has(&[Evidence::SlipOne, Evidence::SlipTwo, Evidence::NumberSlip, Evidence::TargetKnown]);
    if is_slip || !is_new && !has(&[Evidence::Stood]) {
        return None;
    }
    // Readmes from one template miss the same page in each package.
    let constructs =
        [Evidence::Relative, Evidence::Named, Evidence::Attribute, Evidence::Configuration, Evidence::Mock];
    let is_made = has(&constructs) || matches!(extension(&missing.wanted).as_str(), "css" | "js");
    if is_made
        && let Some(key) = nowhere_key(project, &missing.wanted)
        && shares.tally(key, target).missing >= MIN_PATHS
    {
        return Some(Evidence::NameNowhere);
    }
    let has_namesake = has(&[Evidence::SameTail, Evidence::SameName, Evidence::SameNames]);
    let is_stray = is_new && has_namesake && has(&[Evidence::PageFile]);
    let key = stray_page_key(project, file, &missing.wanted).filter(|_| is_stray)?;
    (shares.language().files_missing(file, key) >= MIN_PAGES).then_some(Evidence::PagesStray)
}
