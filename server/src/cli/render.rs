//! Formats answers as text. Colours are always written; the output stream removes them outside of a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use pathfinder_core::{Answer, Candidate, RelPath, Status};

use pathfinder_protocol::answer::{path_text, status_of};
use pathfinder_protocol::command_line::to_operand;
use pathfinder_protocol::paths::RootName;
pub(crate) use pathfinder_protocol::printable::{printable, printable_lines};

/// Style of results.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Style of warnings.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();
/// Style of headings.
pub(crate) const HEAD: Style = Style::new().bold();
/// Style of secondary text.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Formats the path of the answer, or the candidates; `explain` adds what each score is made of.
pub(crate) fn paths(roots: &[RootName], answer: &Answer, explain: bool) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    if let Some((root, path)) = &answer.path {
        let _ = writeln!(out, "{GOOD}{}{GOOD:#}{}", qualified_path(roots, *root, path), position(answer));
    } else if !explain {
        for candidate in &answer.candidates {
            let _ = writeln!(out, "{}", qualified_path(roots, candidate.root, &candidate.path));
        }
    }
    if explain {
        for candidate in &answer.candidates {
            explanation(&mut out, roots, candidate);
        }
    }
    out
}

/// The position in the file, written as in the request: `:12:5`.
fn position(answer: &Answer) -> String {
    match answer.position {
        Some((line, Some(column))) => format!(":{line}:{column}"),
        Some((line, None)) => format!(":{line}"),
        None => String::new(),
    }
}

/// Formats the confidence of the answer, and its reason.
pub(crate) fn note(answer: &Answer) -> String {
    let style = if answer.path.is_some() { GOOD } else { WARN };
    let status = status_of(answer.status).replace('_', " ");
    let mut out = format!("{style}{status}{style:#}");
    if answer.status != Status::Exists && !answer.candidates.is_empty() {
        let _ = write!(out, " {FAINT}(confidence {:.2}){FAINT:#}", answer.confidence);
    }
    if !answer.why.is_empty() {
        let _ = write!(out, ": {}", printable(&answer.why));
    }
    out.push('\n');
    if let Some(question) = &answer.next_question {
        let _ = writeln!(out, "{}", printable(question));
    }
    out
}

/// A path that is unambiguous (with its root's name if there are several) and safe as an operand, since commands read
/// the output (`cat "$(pathfinder resolve x)"`).
pub(crate) fn qualified_path(roots: &[RootName], root: usize, path: &RelPath) -> String {
    let path = path_text(path);
    if roots.len() < 2 {
        return printable(&to_operand(&path));
    }
    let given = roots[root].given.trim_end_matches(['/', '\\']);
    printable(&to_operand(&format!("{given}/{path}")))
}

fn explanation(out: &mut String, roots: &[RootName], candidate: &Candidate) {
    let name = qualified_path(roots, candidate.root, &candidate.path);
    let _ = writeln!(out, "{:>7.1}  {HEAD}{name}{HEAD:#}", candidate.score);
    let widest = candidate.contributions.iter().map(|part| part.name.len()).max().unwrap_or(0);
    for part in &candidate.contributions {
        let _ = writeln!(out, "         {:<widest$} {:>+8.2}", part.name, part.points);
    }
    if !candidate.generators.is_empty() {
        let _ = writeln!(out, "         {FAINT}proposed by {}{FAINT:#}", candidate.generators.join(", "));
    }
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_lines};

    #[test]
    fn escapes_control_characters() {
        for (name, expect) in [
            ("a b/é日本.rs", "a b/é日本.rs"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("two\nlines\t\r", "two\\nlines\\t\\r"),
            ("c1\u{9b}2J\u{7f}", "c1\\u{9b}2J\\u{7f}"),
            ("exe\u{202e}txt.", "exe\\u{202e}txt."),
        ] {
            assert_eq!(printable(name), expect);
        }
        assert_eq!(printable_lines("a\nb\u{1b}"), "a\nb\\u{1b}");
    }
}
