//! Mends files: literals that lead nowhere are written anew, where it is sure what was meant.

use std::ops::Range;

use crate::check::{Checker, Finding};

/// A literal that is written anew.
#[derive(Clone, Debug)]
pub(crate) struct AppliedFix {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// In bytes of the file as it was.
    pub(crate) range: Range<usize>,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// What is to become of one file.
#[derive(Clone, Debug)]
pub(crate) struct FixPlan {
    /// Relative to the root.
    pub(crate) file: String,
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
    /// In the order of their places.
    pub(crate) fixed: Vec<AppliedFix>,
    /// Findings that stay.
    pub(crate) left: usize,
}

/// Which fixes are applied.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Threshold {
    /// Those that are sure enough to be applied unseen.
    Preferred,
    /// Those of at least this probability.
    AtLeast(f32),
}

/// What is to become of a file with these findings, which are all of it; `None` if the file is not there any more.
pub(crate) fn plan(checker: &Checker, file: &str, findings: &[Finding], threshold: Threshold) -> Option<FixPlan> {
    Some(plan_text(checker, file, checker.bytes(file)?, findings, threshold))
}

/// The same for a text that may not be on disk.
///
/// What is mended says more of what is left: where its directory is, what else the file needs. So what is left is looked at
/// again until nothing more is sure, and whoever asks twice is not told more than who asked once.
pub(crate) fn plan_text(
    checker: &Checker,
    file: &str,
    before: Vec<u8>,
    findings: &[Finding],
    threshold: Threshold,
) -> FixPlan {
    let mut fixed = fix_once(checker, file, &before, findings, threshold);
    let mut after = applied(&before, &fixed);
    let mut added = fixed.len();
    // Not only these findings: what was too doubtful to be reported can be sure once others of the file are mended.
    let most = if added > 0 { checker.judge_all(file, &before).findings.len() } else { 0 };
    while added > 0 && fixed.len() < most {
        let left = checker.check_bytes(file, &after).findings;
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

/// Which of these findings of a text are mended at once.
fn fix_once(
    checker: &Checker,
    file: &str,
    before: &[u8],
    findings: &[Finding],
    threshold: Threshold,
) -> Vec<AppliedFix> {
    let fixed =
        without_overlaps(findings.iter().filter_map(|finding| fix_to_apply(finding, before, threshold)).collect());
    if fixed.is_empty() {
        return fixed;
    }
    // All that is missing, reported or not: how likely the others are broken may depend on this one.
    let all = checker.judge_all(file, before).findings;
    if holds(checker, file, &all, &fixed, &applied(before, &fixed)) {
        return fixed;
    }
    // Each holds by itself, yet together they do not: one after the other, then, as long as all is well.
    let mut held = Vec::new();
    for one in fixed {
        held.push(one);
        if !holds(checker, file, &all, &held, &applied(before, &held)) {
            held.pop();
        }
    }
    held
}

/// What is to be mended in a text in which others were, by its place before that; `None` if it has a part of one of them.
fn place_before(others: &[AppliedFix], mut fixed: AppliedFix) -> Option<AppliedFix> {
    for other in others {
        // In the order of their places: what was before this one is undone by now.
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

/// The fix of a finding that is to be applied, if there is one; none if the file does not say any more what it said.
fn fix_to_apply(finding: &Finding, bytes: &[u8], threshold: Threshold) -> Option<AppliedFix> {
    let fix = finding.fixes.first().filter(|fix| match threshold {
        Threshold::Preferred => fix.preferred,
        Threshold::AtLeast(least) => fix.confidence >= least,
    })?;
    let is_there = bytes.get(finding.range.clone()) == Some(finding.literal.as_bytes());
    is_there.then(|| AppliedFix {
        line: finding.line,
        column: finding.column,
        range: finding.range.clone(),
        old: finding.literal.clone(),
        new: fix.literal.clone(),
    })
}

/// In the order of their places; of those that overlap the first.
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

/// Whether a file in which literals were mended has the findings that are left, and no others.
fn holds(checker: &Checker, file: &str, findings: &[Finding], fixed: &[AppliedFix], after: &[u8]) -> bool {
    let now = checker.judge_all(file, after).findings;
    let is_fixed = |finding: &&Finding| fixed.iter().any(|fixed| fixed.range == finding.range);
    let mut left: Vec<_> = findings.iter().filter(|finding| !is_fixed(finding)).map(key).collect();
    left.sort_unstable();
    let mut now: Vec<_> = now.iter().map(key).collect();
    now.sort_unstable();
    now == left
}

fn key(finding: &Finding) -> (&'static str, &str) {
    (finding.kind, &finding.literal)
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests {
    use super::{AppliedFix, applied, place_before, without_overlaps};

    fn applied_fix(range: std::ops::Range<usize>, new: &str) -> AppliedFix {
        AppliedFix { line: 1, column: range.start + 1, range, old: String::new(), new: new.to_owned() }
    }

    #[test]
    fn places_before_other_edits() {
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
        // Of two that overlap the first is applied.
        check(&[applied_fix(3..7, "y"), applied_fix(2..4, "x")], "a x](c) d\r\n");
    }
}
