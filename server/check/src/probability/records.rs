//! Values of data that are alike in several places. A mistake is made once; what many values miss in one way is a record of the past.

use pathfinder_literals::{Checked, Missing, Source, Verdict};
use rustc_hash::FxHashSet;

use super::statistics::{LanguageStatistics, record_key};
use super::stood::is_month_old;
use crate::source_tree::{HistoryVerdict, SourceTree};

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
