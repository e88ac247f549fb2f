//! Mends files: literals that lead nowhere are written anew, where it is sure what was meant.

use std::ops::Range;

use crate::check::{Checker, Finding};

/// A literal that is written anew.
#[derive(Clone, Debug)]
pub(crate) struct Mended {
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// In bytes of the file as it was.
    pub(crate) range: Range<usize>,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// What is to become of one file.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Relative to the root.
    pub(crate) file: String,
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
    /// In the order of their places.
    pub(crate) mended: Vec<Mended>,
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
pub(crate) fn plan(checker: &Checker, file: &str, findings: &[Finding], bar: Threshold) -> Option<Plan> {
    Some(plan_of(checker, file, checker.bytes(file)?, findings, bar))
}

/// The same for a text that may not be on disk.
///
/// What is mended says more of what is left: where its directory is, what else the file needs. So what is left is looked at
/// again until nothing more is sure, and whoever asks twice is not told more than who asked once.
pub(crate) fn plan_of(checker: &Checker, file: &str, before: Vec<u8>, findings: &[Finding], bar: Threshold) -> Plan {
    let mut mended = round(checker, file, &before, findings, bar);
    let mut after = applied(&before, &mended);
    let mut news = mended.len();
    // Not only these findings: what was too doubtful to be reported can be sure once others of the file are mended.
    let most = if news > 0 { checker.judge_all(file, &before).findings.len() } else { 0 };
    while news > 0 && mended.len() < most {
        let left = checker.check_bytes(file, &after).findings;
        let more = round(checker, file, &after, &left, bar);
        let more: Vec<Mended> = more.into_iter().filter_map(|one| before_others(&mended, one)).collect();
        news = more.len();
        mended.extend(more);
        mended.sort_by_key(|mended| mended.range.start);
        after = applied(&before, &mended);
    }
    let left = if mended.is_empty() { findings.len() } else { checker.judge_bytes(file, &after).len() };
    Plan { file: file.to_owned(), before, after, mended, left }
}

/// Which of these findings of a text are mended at once.
fn round(checker: &Checker, file: &str, before: &[u8], findings: &[Finding], bar: Threshold) -> Vec<Mended> {
    let mended = apart(findings.iter().filter_map(|finding| wanted(finding, before, bar)).collect());
    if mended.is_empty() {
        return mended;
    }
    // All that is missing, reported or not: how likely the others are broken may depend on this one.
    let all = checker.judge_all(file, before).findings;
    if holds(checker, file, &all, &mended, &applied(before, &mended)) {
        return mended;
    }
    // Each holds by itself, yet together they do not: one after the other, then, as long as all is well.
    let mut held = Vec::new();
    for one in mended {
        held.push(one);
        if !holds(checker, file, &all, &held, &applied(before, &held)) {
            held.pop();
        }
    }
    held
}

/// What is to be mended in a text in which others were, by its place before that; `None` if it has a part of one of them.
fn before_others(others: &[Mended], mut mended: Mended) -> Option<Mended> {
    for other in others {
        // In the order of their places: what was before this one is undone by now.
        let end = other.range.start + other.new.len();
        if mended.range.end <= other.range.start {
            break;
        }
        if mended.range.start < end {
            return None;
        }
        let back = |at: usize| at - end + other.range.end;
        if mended.line == other.line {
            mended.column = mended.column + other.range.len() - other.new.len();
        }
        mended.range = back(mended.range.start)..back(mended.range.end);
    }
    Some(mended)
}

/// The fix of a finding that is to be applied, if there is one; none if the file does not say any more what it said.
fn wanted(finding: &Finding, bytes: &[u8], bar: Threshold) -> Option<Mended> {
    let fix = finding.fixes.first().filter(|fix| match bar {
        Threshold::Preferred => fix.preferred,
        Threshold::AtLeast(least) => fix.confidence >= least,
    })?;
    let is_there = bytes.get(finding.range.clone()) == Some(finding.literal.as_bytes());
    is_there.then(|| Mended {
        line: finding.line,
        column: finding.column,
        range: finding.range.clone(),
        old: finding.literal.clone(),
        new: fix.literal.clone(),
    })
}

/// In the order of their places; of those that overlap the first.
fn apart(mut mended: Vec<Mended>) -> Vec<Mended> {
    mended.sort_by_key(|mended| (mended.range.start, mended.range.end));
    let mut end = 0;
    mended.retain(|mended| {
        let fits = mended.range.start >= end;
        if fits {
            end = mended.range.end;
        }
        fits
    });
    mended
}

fn applied(before: &[u8], mended: &[Mended]) -> Vec<u8> {
    let mut after = Vec::with_capacity(before.len());
    let mut at = 0;
    for Mended { range, new, .. } in mended {
        after.extend_from_slice(&before[at..range.start]);
        after.extend_from_slice(new.as_bytes());
        at = range.end;
    }
    after.extend_from_slice(&before[at..]);
    after
}

/// Whether a file in which literals were mended has the findings that are left, and no others.
fn holds(checker: &Checker, file: &str, findings: &[Finding], mended: &[Mended], after: &[u8]) -> bool {
    let now = checker.judge_all(file, after).findings;
    let is_mended = |finding: &&Finding| mended.iter().any(|mended| mended.range == finding.range);
    let mut left: Vec<_> = findings.iter().filter(|finding| !is_mended(finding)).map(key).collect();
    left.sort_unstable();
    let mut now: Vec<_> = now.iter().map(key).collect();
    now.sort_unstable();
    now == left
}

fn key(finding: &Finding) -> (&'static str, &str) {
    (finding.kind, &finding.literal)
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests {
    use super::{Mended, apart, applied, before_others};

    fn mended(range: std::ops::Range<usize>, new: &str) -> Mended {
        Mended { line: 1, column: range.start + 1, range, old: String::new(), new: new.to_owned() }
    }

    #[test]
    fn places_before_other_edits() {
        let others = [mended(2..4, "xxxx"), mended(10..14, "y")];
        let check = |range: std::ops::Range<usize>, expect: Option<std::ops::Range<usize>>| {
            let told = before_others(&others, mended(range, "z"));
            assert_eq!(told.as_ref().map(|told| told.range.clone()), expect);
            assert!(told.is_none_or(|told| told.column == told.range.start + 1));
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
        let check = |edits: &[Mended], expect: &str| {
            let edits = apart(edits.to_vec());
            assert_eq!(String::from_utf8_lossy(&applied(b"a [b](c) d\r\n", &edits)), expect);
        };
        check(&[], "a [b](c) d\r\n");
        check(&[mended(6..7, "x/y")], "a [b](x/y) d\r\n");
        check(&[mended(6..7, ""), mended(0..1, "éé")], "éé [b]() d\r\n");
        // Of two that overlap the first is applied.
        check(&[mended(3..7, "y"), mended(2..4, "x")], "a x](c) d\r\n");
    }
}
