//! Plans the fixes of one file: chooses the fixes that are certain enough, applies them to the text, and checks that
//! each removes its finding and adds none. Called by the command line and the LSP server.

use std::ops::Range;

use crate::budget::MAX_POINTS_PER_FILE;
use crate::{Checker, Finding};

/// A literal that is rewritten.
#[derive(Clone, Debug)]
pub struct AppliedFix {
    /// Line of the literal, from 1.
    pub line: usize,
    /// Column of the literal, from 1, in bytes.
    pub column: usize,
    /// In bytes of the original file.
    pub range: Range<usize>,
    /// The literal before the fix.
    pub old: String,
    /// The literal after the fix.
    pub new: String,
    /// True if the literal has no finding of its own: the fix of another one rewrites it.
    pub is_follower: bool,
}

/// The planned contents of one file.
#[derive(Clone, Debug)]
pub struct FixPlan {
    /// Relative to the root.
    pub file: String,
    /// Contents before the fixes.
    pub before: Vec<u8>,
    /// Contents after the fixes.
    pub after: Vec<u8>,
    /// In the order of position.
    pub fixed: Vec<AppliedFix>,
    /// Number of findings that remain.
    pub left: usize,
}

impl FixPlan {
    /// Returns the number of findings that the plan fixes.
    pub fn fixed_findings(&self) -> usize {
        self.fixed.iter().filter(|fixed| !fixed.is_follower).count()
    }
}

/// The threshold from which on fixes are applied.
#[derive(Clone, Copy, Debug)]
pub enum Threshold {
    /// Fixes that are certain enough to be applied without review.
    Preferred,
    /// Fixes of at least this probability.
    AtLeast(f32),
}

/// Plans the fixes of a file with these findings, which must be all of its findings; `None` if the file is gone.
pub fn plan(checker: &Checker, file: &str, findings: &[Finding], threshold: Threshold) -> Option<FixPlan> {
    Some(plan_text(checker, file, checker.bytes(file)?, findings, threshold))
}

/// Plans the fixes of a text that may not be on disk.
///
/// A fix can decide others: it may give a directory, or a name that the file needs. So the remaining findings are
/// examined again until no fix is added, and a second run fixes nothing more.
pub fn plan_text(
    checker: &Checker,
    file: &str,
    before: Vec<u8>,
    findings: &[Finding],
    threshold: Threshold,
) -> FixPlan {
    let mut fixed = fix_once(checker, file, &before, findings, threshold);
    let mut after = applied(&before, &fixed);
    let mut added = fixed.len();
    // Counts all missing literals: one that was too doubtful to report can become certain after other fixes.
    let most = if added > 0 { checker.judge_all(file, &before).findings.len() } else { 0 };
    let mut points = MAX_POINTS_PER_FILE;
    while added > 0 && fixed.iter().filter(|fixed| !fixed.is_follower).count() < most {
        // A round that its budget ended is followed by one of twice as much: all cost some two of the last, however many literals there are.
        points = if added >= points / 2 { points.saturating_mul(2) } else { points };
        let left = checker.check_for(points, file, &after).findings;
        let more = fix_once(checker, file, &after, &left, threshold);
        let more: Vec<AppliedFix> = more.into_iter().filter_map(|one| place_before(&fixed, one)).collect();
        added = more.len();
        fixed.extend(more);
        fixed.sort_by_key(|fixed| fixed.range.start);
        after = applied(&before, &fixed);
    }
    let left = if fixed.is_empty() { findings.len() } else { checker.judge_bytes(file, &after).len() };
    FixPlan { file: file.to_owned(), before, after, fixed, left }
}

/// The fixes of these findings that hold together.
fn fix_once(
    checker: &Checker,
    file: &str,
    before: &[u8],
    findings: &[Finding],
    threshold: Threshold,
) -> Vec<AppliedFix> {
    let groups: Vec<Vec<AppliedFix>> =
        findings.iter().filter_map(|finding| fixes_to_apply(finding, before, threshold)).collect();
    let fixed = without_overlaps(groups.concat());
    if fixed.is_empty() {
        return fixed;
    }
    // Includes missing literals that are not reported: their probabilities may depend on a fix.
    let all = checker.judge_all(file, before).findings;
    if is_consistent(checker, file, &all, &fixed, &applied(before, &fixed)) {
        return fixed;
    }
    // Each fix holds alone, but not all together: they are added one by one while they hold.
    let mut held: Vec<AppliedFix> = Vec::new();
    for group in groups {
        let count = held.len() + group.len();
        let more = without_overlaps([held.clone(), group].concat());
        if more.len() == count && is_consistent(checker, file, &all, &more, &applied(before, &more)) {
            held = more;
        }
    }
    held
}

/// Moves a fix of an edited text to its position before the other edits; `None` if it overlaps one of them.
fn place_before(others: &[AppliedFix], mut fixed: AppliedFix) -> Option<AppliedFix> {
    for other in others {
        // In the order of position: earlier edits are already undone.
        let end = other.range.start + other.new.len();
        if fixed.range.end <= other.range.start {
            break;
        }
        if fixed.range.start < end {
            return None;
        }
        let back = |at: usize| at - end + other.range.end;
        if fixed.line == other.line {
            fixed.column = fixed.column + other.range.len() - other.new.len();
        }
        fixed.range = back(fixed.range.start)..back(fixed.range.end);
    }
    Some(fixed)
}

/// The fix to apply for a finding, with its followers; `None` if there is none, or the text has changed.
fn fixes_to_apply(finding: &Finding, bytes: &[u8], threshold: Threshold) -> Option<Vec<AppliedFix>> {
    let fix = finding.fixes.first().filter(|fix| match threshold {
        Threshold::Preferred => fix.preferred,
        Threshold::AtLeast(least) => fix.confidence >= least,
    })?;
    let is_there = bytes.get(finding.range.clone()) == Some(finding.literal.as_bytes());
    let own = is_there.then(|| AppliedFix {
        line: finding.line,
        column: finding.column,
        range: finding.range.clone(),
        old: finding.literal.clone(),
        new: fix.literal.clone(),
        is_follower: false,
    })?;
    let follower = |(range, new): &(Range<usize>, String)| {
        let old = String::from_utf8(bytes.get(range.clone())?.to_vec()).ok()?;
        let above = bytes.get(..range.start)?;
        let line_start = memchr::memrchr(b'\n', above).map_or(0, |at| at + 1);
        let (line, column) = (memchr::memchr_iter(b'\n', above).count() + 1, range.start - line_start + 1);
        Some(AppliedFix { line, column, range: range.clone(), old, new: new.clone(), is_follower: true })
    };
    std::iter::once(Some(own)).chain(fix.followers.iter().map(follower)).collect()
}

/// Sorts fixes by position; of overlapping ones it keeps the first.
fn without_overlaps(mut fixed: Vec<AppliedFix>) -> Vec<AppliedFix> {
    fixed.sort_by_key(|fixed| (fixed.range.start, fixed.range.end));
    let mut end = 0;
    fixed.retain(|fixed| {
        let fits = fixed.range.start >= end;
        if fits {
            end = fixed.range.end;
        }
        fits
    });
    fixed
}

fn applied(before: &[u8], fixed: &[AppliedFix]) -> Vec<u8> {
    let mut after = Vec::with_capacity(before.len());
    let mut at = 0;
    for AppliedFix { range, new, .. } in fixed {
        after.extend_from_slice(&before[at..range.start]);
        after.extend_from_slice(new.as_bytes());
        at = range.end;
    }
    after.extend_from_slice(&before[at..]);
    after
}

/// Returns whether the fixed file has exactly the findings that remain.
fn is_consistent(checker: &Checker, file: &str, findings: &[Finding], fixed: &[AppliedFix], after: &[u8]) -> bool {
    let now = checker.judge_all(file, after).findings;
    let is_fixed = |finding: &&Finding| fixed.iter().any(|fixed| fixed.range == finding.range);
    let mut left: Vec<_> = findings.iter().filter(|finding| !is_fixed(finding)).map(finding_key).collect();
    left.sort_unstable();
    let mut now: Vec<_> = now.iter().map(finding_key).collect();
    now.sort_unstable();
    now == left
}

fn finding_key(finding: &Finding) -> (&'static str, &str) {
    (finding.kind.as_str(), &finding.literal)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests {
    use super::{AppliedFix, applied, place_before, without_overlaps};

    fn applied_fix(range: std::ops::Range<usize>, new: &str) -> AppliedFix {
        AppliedFix {
            line: 1,
            column: range.start + 1,
            range,
            old: String::new(),
            new: new.to_owned(),
            is_follower: false,
        }
    }

    #[test]
    fn maps_positions_to_before_other_edits() {
        let others = [applied_fix(2..4, "xxxx"), applied_fix(10..14, "y")];
        let check = |range: std::ops::Range<usize>, expect: Option<std::ops::Range<usize>>| {
            let shifted = place_before(&others, applied_fix(range, "z"));
            assert_eq!(shifted.as_ref().map(|shifted| shifted.range.clone()), expect);
            assert!(shifted.is_none_or(|shifted| shifted.column == shifted.range.start + 1));
        };
        // `abcdefghijklmnop` became `abxxxxefghijyop`.
        check(0..2, Some(0..2));
        check(6..9, Some(4..7));
        check(13..15, Some(14..16));
        check(3..4, None);
        check(11..13, None);
    }

    #[test]
    fn edits() {
        let check = |edits: &[AppliedFix], expect: &str| {
            let edits = without_overlaps(edits.to_vec());
            assert_eq!(String::from_utf8_lossy(&applied(b"a [b](c) d\r\n", &edits)), expect);
        };
        check(&[], "a [b](c) d\r\n");
        check(&[applied_fix(6..7, "x/y")], "a [b](x/y) d\r\n");
        check(&[applied_fix(6..7, ""), applied_fix(0..1, "éé")], "éé [b]() d\r\n");
        // The first of two overlapping fixes is applied.
        check(&[applied_fix(3..7, "y"), applied_fix(2..4, "x")], "a x](c) d\r\n");
    }
}
