//! Findings → JSON lines, with traces if they are wanted, then a summary. The names here are relied on by other programs.

use std::collections::BTreeMap;

use serde::Serialize;

use super::answer::rounded;
use crate::check::{BrokenEstimate, CheckReport, Finding, Fix, UnknownLiteral};

/// One finding.
#[derive(Debug, Serialize)]
pub(crate) struct WireFinding<'a> {
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
    /// That it is broken.
    probability: f64,
    fixes: Vec<WireFix<'a>>,
    /// Only where traces are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<&'a [String]>,
    /// Only where traces are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<BTreeMap<&'static str, f64>>,
    /// Why there are no fixes, or not all. Only where traces are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    fixes_left_out: Option<&'static str>,
}

/// A way to mend a literal.
#[derive(Debug, Serialize)]
pub(crate) struct WireFix<'a> {
    literal: &'a str,
    path: &'a str,
    confidence: f64,
    preferred: bool,
    /// Only where traces are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    signals: Option<BTreeMap<&'static str, f64>>,
}

impl<'a> WireFinding<'a> {
    /// A finding, with what was tried if that is wanted.
    pub(crate) fn new(finding: &'a Finding, explain: bool) -> Self {
        Self {
            file: &finding.file,
            line: finding.line,
            column: finding.column,
            byte_start: finding.range.start,
            byte_end: finding.range.end,
            literal: &finding.literal,
            kind: finding.kind,
            code: finding.code.name(),
            severity: finding.severity.name(),
            reason: &finding.reason,
            fixes: finding.fixes.iter().map(|fix| WireFix::new(fix, explain)).collect(),
            tried: explain.then_some(&finding.tried),
            probability: rounded(finding.estimate.probability, 4),
            evidence: explain.then(|| evidence(&finding.estimate)),
            fixes_left_out: (explain && finding.is_over_budget).then_some("too many findings"),
        }
    }
}

/// Each piece of evidence, and how much it adds to the logarithm of the odds.
fn evidence(estimate: &BrokenEstimate) -> BTreeMap<&'static str, f64> {
    estimate.evidence.iter().map(|(name, weight)| (*name, rounded(*weight, 4))).collect()
}

impl<'a> WireFix<'a> {
    /// A fix, with its signals if they are wanted.
    pub(crate) fn new(fix: &'a Fix, explain: bool) -> Self {
        let Fix { literal, path, confidence, preferred, signals } = fix;
        let signals = explain.then(|| signals.iter().map(|(name, number)| (*name, rounded(*number, 4))).collect());
        Self { literal, path, confidence: rounded(*confidence, 4), preferred: *preferred, signals }
    }
}

/// One literal of which nobody can say.
#[derive(Debug, Serialize)]
pub(crate) struct WireUntold<'a> {
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
    /// That it is broken, where nothing is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    probability: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<BTreeMap<&'static str, f64>>,
}

impl<'a> From<&'a UnknownLiteral> for WireUntold<'a> {
    fn from(untold: &'a UnknownLiteral) -> Self {
        Self {
            file: &untold.file,
            line: untold.line,
            column: untold.column,
            byte_start: untold.range.start,
            byte_end: untold.range.end,
            literal: &untold.literal,
            kind: untold.kind,
            verdict: "unknown",
            reason: untold.reason.name(),
            detail: untold.reason.detail(),
            tried: &untold.tried,
            probability: untold.estimate.as_ref().map(|estimate| rounded(estimate.probability, 4)),
            evidence: untold.estimate.as_ref().map(evidence),
        }
    }
}

/// The last line.
#[derive(Debug, Serialize)]
pub(crate) struct WireSummary {
    summary: Summary,
}

#[derive(Debug, Serialize)]
struct Summary {
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

impl From<&CheckReport> for WireSummary {
    fn from(report: &CheckReport) -> Self {
        Self {
            summary: Summary {
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
