//! JSON lines of `check`: findings, optional traces, and a summary. Other programs rely on the member names.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::round_to;
use pathfinder_check::{BrokenEstimate, CheckReport, Finding, Fix, UnknownLiteral};

/// One finding.
#[derive(Debug, Serialize)]
pub struct WireFinding<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    byte_start: usize,
    byte_end: usize,
    literal: &'a str,
    kind: &'static str,
    code: &'static str,
    severity: &'static str,
    reason: &'a str,
    /// Probability that the path is broken.
    probability: f64,
    fixes: Vec<WireFix<'a>>,
    /// Only with traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<&'a [String]>,
    /// Only with traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<BTreeMap<&'static str, f64>>,
    /// Reason for missing fixes. Only with traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes_left_out: Option<&'static str>,
}

/// One fix of a literal.
#[derive(Debug, Serialize)]
pub struct WireFix<'a> {
    literal: &'a str,
    path: &'a str,
    confidence: f64,
    preferred: bool,
    /// Further edits of the file that belong to the fix.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    followers: Vec<WireEdit<'a>>,
    /// Only with traces.
    #[serde(skip_serializing_if = "Option::is_none")]
    signals: Option<BTreeMap<&'static str, f64>>,
}

impl<'a> WireFinding<'a> {
    /// Converts a finding. `explain` adds traces.
    pub fn new(finding: &'a Finding, explain: bool) -> Self {
        Self {
            file: &finding.file,
            line: finding.line,
            column: finding.column,
            byte_start: finding.range.start,
            byte_end: finding.range.end,
            literal: &finding.literal,
            kind: finding.kind.as_str(),
            code: finding.code.name(),
            severity: finding.severity.name(),
            reason: &finding.reason,
            fixes: finding.fixes.iter().map(|fix| WireFix::new(fix, explain)).collect(),
            tried: explain.then_some(&finding.tried),
            probability: round_to(finding.estimate.probability, 4),
            evidence: explain.then(|| evidence(&finding.estimate)),
            fixes_left_out: (explain && finding.is_over_budget).then_some("too many findings"),
        }
    }
}

/// Returns each piece of evidence with its weight in the log-odds.
fn evidence(weighed: &BrokenEstimate) -> BTreeMap<&'static str, f64> {
    weighed.evidence.iter().map(|(name, weight)| (*name, round_to(*weight, 4))).collect()
}

/// An edit of another literal that belongs to a fix.
#[derive(Debug, Serialize)]
pub struct WireEdit<'a> {
    byte_start: usize,
    byte_end: usize,
    literal: &'a str,
}

impl<'a> WireFix<'a> {
    /// Converts a fix. `explain` adds its signals.
    pub fn new(fix: &'a Fix, explain: bool) -> Self {
        let Fix { literal, path, followers, confidence, preferred, signals } = fix;
        let edit = |(range, literal): &'a (std::ops::Range<usize>, String)| WireEdit {
            byte_start: range.start,
            byte_end: range.end,
            literal,
        };
        let followers = followers.iter().map(edit).collect();
        let signals = explain.then(|| signals.iter().map(|(name, number)| (*name, round_to(*number, 4))).collect());
        Self { literal, path, confidence: round_to(*confidence, 4), preferred: *preferred, followers, signals }
    }
}

/// One literal that could not be judged.
#[derive(Debug, Serialize)]
pub struct WireUnknownLiteral<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    byte_start: usize,
    byte_end: usize,
    literal: &'a str,
    kind: &'static str,
    verdict: &'static str,
    reason: &'static str,
    detail: Option<&'a str>,
    tried: &'a [String],
    /// Probability that the path is broken, if no entry exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<BTreeMap<&'static str, f64>>,
}

impl<'a> From<&'a UnknownLiteral> for WireUnknownLiteral<'a> {
    fn from(untold: &'a UnknownLiteral) -> Self {
        Self {
            file: &untold.file,
            line: untold.line,
            column: untold.column,
            byte_start: untold.range.start,
            byte_end: untold.range.end,
            literal: &untold.literal,
            kind: untold.kind.as_str(),
            verdict: "unknown",
            reason: untold.reason.name(),
            detail: untold.reason.detail(),
            tried: &untold.tried,
            probability: untold.estimate.as_ref().map(|estimate| round_to(estimate.probability, 4)),
            evidence: untold.estimate.as_ref().map(evidence),
        }
    }
}

/// The last line.
#[derive(Debug, Serialize)]
pub struct WireSummary<'a> {
    summary: Summary<'a>,
}

#[derive(Debug, Serialize)]
struct Summary<'a> {
    /// The directory that all files are relative to.
    root: &'a str,
    files: usize,
    literals: usize,
    found: usize,
    missing: usize,
    unknown: usize,
    /// Uses of the deleted paths that cannot be read; only with `--if-deleted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    untold_uses: Option<usize>,
    elapsed_ms: u64,
}

impl<'a> WireSummary<'a> {
    /// Converts the counts of a report about files of this root.
    pub fn new(report: &CheckReport, root: &'a str) -> Self {
        Self {
            summary: Summary {
                root,
                files: report.files,
                literals: report.found + report.missing,
                found: report.found,
                missing: report.missing,
                unknown: report.unknown,
                untold_uses: (report.unknown_uses > 0).then_some(report.unknown_uses),
                elapsed_ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
            },
        }
    }
}
