//! Prints findings as annotations of GitHub's workflow commands.

use std::fmt::Write as _;

use pathfinder_literals::Severity;

use pathfinder_check::Finding;

/// One line per finding.
pub(super) fn annotations(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "notice",
        };
        let end = finding.column + finding.literal.len();
        let (file, title) = (property(&finding.file), finding.code.name());
        let (line, column) = (finding.line, finding.column);
        let suggestion = finding.likely().map(|fix| format!("; did you mean {}?", fix.literal)).unwrap_or_default();
        let message = data(&format!("{}{suggestion}", finding.reason));
        // Writing to a `String` cannot fail.
        let _ =
            writeln!(out, "::{level} file={file},line={line},col={column},endColumn={end},title={title}::{message}");
    }
    out
}

/// Escapes a message as the runner's toolkit does.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property as the runner's toolkit does.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{data, property};

    #[test]
    fn escapes_separators() {
        assert_eq!(property("a:b,c%\n"), "a%3Ab%2Cc%25%0A");
        assert_eq!(data("a: b\r\n"), "a: b%0D%0A");
    }
}
