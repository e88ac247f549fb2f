//! Findings → JSON lines, then a summary. The names here are relied on by other programs.

use serde::Serialize;

use crate::check::{Finding, Report};

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
    fixes: [WireFix; 0],
}

/// A way to mend a literal.
#[derive(Debug, Serialize)]
struct WireFix {}

impl<'a> From<&'a Finding> for WireFinding<'a> {
    fn from(finding: &'a Finding) -> Self {
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
            fixes: [],
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
    elapsed_ms: u64,
}

impl From<&Report> for WireSummary {
    fn from(report: &Report) -> Self {
        Self {
            summary: Summary {
                files: report.files,
                literals: report.found + report.missing,
                found: report.found,
                missing: report.missing,
                unknown: report.unknown,
                elapsed_ms: u64::try_from(report.elapsed.as_millis()).unwrap_or(u64::MAX),
            },
        }
    }
}
