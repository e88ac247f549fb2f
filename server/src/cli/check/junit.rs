//! Prints findings as `JUnit` XML: one suite per file, one failed case per finding.

use std::fmt::Write as _;

use pathfinder_check::Finding;

/// The whole document. Without findings it has one case that passed, since some readers refuse an empty one.
pub(super) fn document(findings: &[Finding]) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let failures = findings.len();
    let tests = failures.max(1);
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "<testsuites name=\"pathfinder\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\">");
    if findings.is_empty() {
        out.push_str("  <testsuite name=\"pathfinder\" tests=\"1\" failures=\"0\" errors=\"0\">\n");
        out.push_str("    <testcase name=\"no broken paths\" classname=\"pathfinder\"/>\n  </testsuite>\n");
    }
    for of_file in findings.chunk_by(|one, other| one.file == other.file) {
        let (file, count) = (escape(&of_file[0].file), of_file.len());
        let _ = writeln!(out, "  <testsuite name=\"{file}\" tests=\"{count}\" failures=\"{count}\" errors=\"0\">");
        for finding in of_file {
            let (code, line, column) = (finding.code.name(), finding.line, finding.column);
            let (reason, literal) = (escape(&finding.reason), escape(&finding.literal));
            let _ = writeln!(
                out,
                "    <testcase name=\"{code}: {literal}\" classname=\"{file}\" file=\"{file}\" line=\"{line}\">\n      \
                 <failure type=\"{code}\" message=\"{reason}\">{file}:{line}:{column}: {reason}</failure>\n    </testcase>"
            );
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

/// Escapes text for attributes and contents. XML has no form for most control characters.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(out, "&#{};", u32::from(character));
            }
            control if control.is_control() => out.push('\u{fffd}'),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            plain => out.push(plain),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn escapes_text() {
        assert_eq!(escape("a<b>&\"c\"\n\u{1b}é"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;\u{fffd}é");
    }
}
