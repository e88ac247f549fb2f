//! What a check brings to light: findings, literals of which nobody can say, and the sums.

use std::ops::Range;
use std::time::Duration;

use pathfinder_literals::{Checked, Code, Reason, Severity, Want};

use super::fixes::Fix;
use super::probability::BrokenEstimate;

/// A literal that leads nowhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// Relative to the root.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in bytes.
    pub(crate) column: usize,
    /// In bytes of the file.
    pub(crate) range: Range<usize>,
    /// As it is written.
    pub(crate) literal: String,
    /// Language and construct.
    pub(crate) kind: &'static str,
    /// What was looked for, in order, relative to the root.
    pub(crate) tried: Vec<String>,
    /// The line that it begins in: for people.
    pub(crate) text: String,
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) reason: String,
    /// The path that it names in the first place, relative to the root.
    pub(crate) wanted: String,
    /// What it can lead to.
    pub(crate) want: Want,
    /// The path that is there instead, where that is known for sure.
    pub(crate) instead: Option<String>,
    /// How sure it is that it is broken.
    pub(crate) estimate: BrokenEstimate,
    /// The likeliest first.
    pub(crate) fixes: Vec<Fix>,
    /// Whether fixes were not looked for, or not all of them, because the file or the run has too many findings.
    pub(crate) is_over_budget: bool,
}

/// From this probability on a fix is shown to people: it is right more often than not.
const LIKELY: f32 = 0.5;

impl Finding {
    /// The first fix, if it is likely enough to be spoken of.
    pub(crate) fn likely(&self) -> Option<&Fix> {
        self.fixes.first().filter(|fix| fix.confidence >= LIKELY)
    }
}

/// A literal with an unknown verdict. It is kept only where traces are wanted.
#[derive(Clone, Debug)]
pub(crate) struct UnknownLiteral {
    /// Relative to the root.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in bytes.
    pub(crate) column: usize,
    /// In bytes of the file.
    pub(crate) range: Range<usize>,
    /// As it is written.
    pub(crate) literal: String,
    /// Language and construct.
    pub(crate) kind: &'static str,
    /// What was looked for, in order, relative to the root.
    pub(crate) tried: Vec<String>,
    /// Why nobody can say.
    pub(crate) reason: Reason,
    /// How sure it is that it is broken, where nothing is there.
    pub(crate) estimate: Option<BrokenEstimate>,
}

/// What came of a check.
#[derive(Debug, Default)]
pub(crate) struct CheckReport {
    /// By file and place.
    pub(crate) findings: Vec<Finding>,
    /// By file and place; only where traces are wanted.
    pub(crate) unknown_literals: Vec<UnknownLiteral>,
    /// Ignore comments that suppress nothing: (file, line).
    pub(crate) useless: Vec<(String, usize)>,
    /// Files whose check ended in a defect of this program.
    pub(crate) failed: Vec<String>,
    pub(crate) files: usize,
    pub(crate) found: usize,
    pub(crate) missing: usize,
    pub(crate) unknown: usize,
    /// Uses of what would be deleted that cannot be read for sure. They are counted where that is asked.
    pub(crate) unknown_uses: usize,
    /// Spellings of fixes that were put to the proof.
    pub(crate) proofs: usize,
    pub(crate) elapsed: Duration,
}

/// What came of one file.
#[derive(Debug, Default)]
pub(crate) struct FileReport {
    pub(crate) findings: Vec<Finding>,
    pub(super) unknown_literals: Vec<UnknownLiteral>,
    pub(super) useless: Vec<usize>,
    /// Its literals, where something is missing and statistics are to be read first.
    pub(super) waits: Option<Vec<Checked>>,
    pub(super) failed: bool,
    pub(super) found: usize,
    pub(crate) missing: usize,
    pub(crate) unknown: usize,
    /// Literals that may lead to what would be deleted, and cannot be told.
    pub(super) unknown_uses: usize,
    pub(super) proofs: usize,
    /// CPU time that it took.
    pub(super) cpu: Duration,
}

impl CheckReport {
    /// Takes in what came of a file.
    pub(super) fn add(&mut self, file: &str, report: FileReport) {
        self.files += 1;
        if report.failed {
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
