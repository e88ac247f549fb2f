//! Prints one line per finding, as `--format concise` of other tools.

use std::fmt::Write as _;
use std::path::Path;

use pathfinder_check::Finding;

use super::text::severity_style;
use crate::cli::render::{GOOD, HEAD, printable};
use crate::cli::text_paths::TextPaths;

/// One line per finding.
pub(super) fn findings(paths: &TextPaths, root: &Path, findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        line(&mut out, paths, root, finding);
    }
    out
}

/// The line of one finding, with the likeliest fix.
pub(super) fn line(out: &mut String, paths: &TextPaths, root: &Path, finding: &Finding) {
    head(out, paths, root, finding);
    if let Some(fix) = finding.likely() {
        // Writing to a `String` cannot fail.
        let _ = write!(out, " → {GOOD}{}{GOOD:#}", printable(&fix.literal));
    }
    out.push('\n');
}

/// The position, severity, code and reason of a finding, without an end of line.
pub(super) fn head(out: &mut String, paths: &TextPaths, root: &Path, finding: &Finding) {
    let Finding { line, column, code, severity, reason, .. } = finding;
    let style = severity_style(*severity);
    let (file, reason) = (paths.in_line(root, &finding.file), printable(reason));
    let (severity, code) = (severity.name(), code.name());
    let _ = write!(out, "{HEAD}{file}:{line}:{column}{HEAD:#}: {style}{severity}[{code}]{style:#}: {reason}");
}
