//! Counts findings by code and kind, for `--statistics`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pathfinder_check::Finding;
use serde::Serialize;

use crate::cli::render::{FAINT, GOOD, grouped};

/// The findings of one code and kind.
#[derive(Debug, Default, Serialize)]
pub(super) struct FindingCount {
    code: &'static str,
    kind: &'static str,
    count: usize,
    /// Number of these that `fix` fixes.
    fixable: usize,
}

/// The counts, most findings first.
pub(super) fn counts(findings: &[Finding]) -> Vec<FindingCount> {
    let mut all: BTreeMap<(&'static str, &'static str), FindingCount> = BTreeMap::new();
    for finding in findings {
        let (code, kind) = (finding.code.name(), finding.kind.as_str());
        let counted = all.entry((code, kind)).or_insert_with(|| FindingCount { code, kind, ..Default::default() });
        counted.count += 1;
        counted.fixable += usize::from(finding.fixes.first().is_some_and(|fix| fix.preferred));
    }
    let mut all: Vec<FindingCount> = all.into_values().collect();
    all.sort_by_key(|counted| std::cmp::Reverse(counted.count));
    all
}

/// One line per code and kind.
pub(super) fn text(findings: &[Finding]) -> String {
    let counts = counts(findings);
    let widest = counts.first().map_or(0, |counted| grouped(counted.count).len());
    let longest = counts.iter().map(|counted| counted.code.len()).max().unwrap_or(0);
    let mut out = String::new();
    for FindingCount { code, kind, count, fixable } in counts {
        let fixes = match fixable {
            0 => String::new(),
            all if all == count => format!("  {GOOD}fixable{GOOD:#}"),
            some => format!("  {GOOD}{} fixable{GOOD:#}", grouped(some)),
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{:>widest$}  {code:<longest$}  {FAINT}{kind}{FAINT:#}{fixes}", grouped(count));
    }
    out
}
