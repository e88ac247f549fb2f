//! Results of a check: findings, literals with an unknown verdict, and counts.

use std::ops::Range;
use std::time::Duration;

use pathfinder_literals::{Checked, Code, LiteralKind, Reason, Severity, Want};
use serde::{Deserialize, Serialize};

use super::fixes::Fix;
use super::probability::BrokenEstimate;
use super::static_names;

/// A broken path literal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Relative to the root.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
    /// In bytes of the file.
    pub range: Range<usize>,
    /// The text of the literal, as written.
    pub literal: String,
    /// Language and construct.
    #[serde(serialize_with = "static_names::serialize_kind", deserialize_with = "static_names::read_kind")]
    pub kind: LiteralKind,
    /// Paths that were tried, in order, relative to the root.
    pub tried: Vec<String>,
    /// The line in which it begins, for display; the first 4 KiB of it.
    pub text: String,
    /// Code of the finding, as printed.
    pub code: Code,
    /// Severity after the project's settings.
    pub severity: Severity,
    /// Reason for people, one sentence.
    pub reason: String,
    /// The path that it names first, relative to the root.
    pub wanted: String,
    /// The kind of target it needs.
    pub want: Want,
    /// The path that exists instead, if that is certain.
    pub instead: Option<String>,
    /// The probability that it is broken.
    pub estimate: BrokenEstimate,
    /// Possible fixes, likeliest first.
    pub fixes: Vec<Fix>,
    /// True if fixes are missing or incomplete because the file or the run has too many findings.
    pub is_over_budget: bool,
}

/// Fixes of at least this probability are shown to the user: they are right more often than not.
const MIN_LIKELY_CONFIDENCE: f32 = 0.5;

impl Finding {
    /// The first fix, if it is likely enough to show.
    pub fn likely(&self) -> Option<&Fix> {
        self.fixes.first().filter(|fix| fix.confidence >= MIN_LIKELY_CONFIDENCE)
    }

    /// Returns the kept text before the literal on its line, and how many bytes before the literal were not kept.
    pub fn line_before(&self) -> (&str, usize) {
        let end = self.text.floor_char_boundary(self.column - 1);
        (&self.text[..end], self.column - 1 - end)
    }
}

/// A literal with an unknown verdict; kept only if explanations are wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnknownLiteral {
    /// Relative to the root.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in bytes.
    pub column: usize,
    /// In bytes of the file.
    pub range: Range<usize>,
    /// The text of the literal, as written.
    pub literal: String,
    /// Language and construct.
    #[serde(serialize_with = "static_names::serialize_kind", deserialize_with = "static_names::read_kind")]
    pub kind: LiteralKind,
    /// Paths that were tried, in order, relative to the root.
    pub tried: Vec<String>,
    /// The reason why the verdict is unknown.
    pub reason: Reason,
    /// The probability that it is broken, if nothing exists at its target.
    pub estimate: Option<BrokenEstimate>,
}

/// The report of a check.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct CheckReport {
    /// Findings, by file and position.
    pub findings: Vec<Finding>,
    /// Literals with an unknown verdict, by file and position; only if explanations are wanted.
    pub unknown_literals: Vec<UnknownLiteral>,
    /// Ignore comments that suppress nothing: (file, line).
    pub useless: Vec<(String, usize)>,
    /// Files whose check panicked.
    pub failed: Vec<String>,
    /// Number of files that were read.
    pub files: usize,
    /// Number of literals whose target exists.
    pub found: usize,
    /// Number of literals whose target is missing.
    pub missing: usize,
    /// Number of literals that cannot be checked.
    pub unknown: usize,
    /// Unknown literals that may use a deleted path; counted only if deleted paths are given.
    pub unknown_uses: usize,
    /// Spellings of fixes that were tested.
    pub(crate) proofs: usize,
    /// Time of the whole check.
    #[serde(skip)]
    pub elapsed: Duration,
}

/// The report of one file.
#[derive(Debug, Default)]
pub struct FileReport {
    /// The findings, in source order.
    pub findings: Vec<Finding>,
    pub(super) unknown_literals: Vec<UnknownLiteral>,
    pub(super) useless: Vec<usize>,
    /// True for a file that waits for statistics because something in it is missing.
    pub(super) waits: bool,
    /// The literals of a file that waits, or that statistics are computed from.
    pub(super) literals: Option<Vec<Checked>>,
    pub(super) has_panicked: bool,
    pub(super) found: usize,
    /// Number of literals whose target is missing.
    pub missing: usize,
    /// Number of literals that cannot be checked.
    pub unknown: usize,
    /// Unknown literals that may use a deleted path.
    pub(super) unknown_uses: usize,
    pub(super) proofs: usize,
    /// CPU time of the check.
    pub(super) cpu: Duration,
}

impl CheckReport {
    /// Adds the report of a file.
    pub(super) fn add(&mut self, file: &str, report: FileReport) {
        self.files += 1;
        if report.has_panicked {
            self.failed.push(file.to_owned());
        }
        self.findings.extend(report.findings);
        self.unknown_literals.extend(report.unknown_literals);
        self.useless.extend(report.useless.into_iter().map(|line| (file.to_owned(), line)));
        self.found += report.found;
        self.missing += report.missing;
        self.unknown += report.unknown;
        self.unknown_uses += report.unknown_uses;
        self.proofs += report.proofs;
    }
}
