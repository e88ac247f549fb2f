//! Formats answers as text. Colours are always written; the output stream removes them outside of a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use pathfinder_core::{Answer, Contribution, Status};

use super::args::Explain;
use super::text_paths::TextPaths;
use pathfinder_protocol::answer::status_of;
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

/// Writes a count with a comma between groups of three digits.
pub(crate) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let first = digits.len() % 3;
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == first {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Contributions that a short explanation shows.
const MAX_BRIEF_PARTS: usize = 5;

/// Candidates that a short explanation shows: with their reasons they fill a screen of 24 lines.
const MAX_BRIEF_CANDIDATES: usize = 5;

/// Difference of points that is worth a line.
const MIN_SHOWN_POINTS: f32 = 0.005;

/// Formats the path of the answer, or the candidates; `explain` adds what each score is made of.
pub(crate) fn paths(paths: &TextPaths, roots: &[RootName], answer: &Answer, explain: Option<Explain>) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    if let Some((root, path)) = &answer.path {
        let _ = writeln!(out, "{GOOD}{}{GOOD:#}{}", paths.in_answer(roots, *root, path), position(answer));
    } else if explain.is_none() {
        for candidate in &answer.candidates {
            let _ = writeln!(out, "{}{}", paths.in_answer(roots, candidate.root, &candidate.path), position(answer));
        }
    }
    let scored: Vec<ScoredPath<'_>> = answer
        .candidates
        .iter()
        .map(|candidate| ScoredPath {
            name: paths.in_answer(roots, candidate.root, &candidate.path),
            score: candidate.score,
            parts: &candidate.contributions,
            generators: &candidate.generators,
        })
        .collect();
    match explain {
        Some(Explain::All) => scored.iter().for_each(|one| one.write_all(&mut out)),
        Some(Explain::Brief) => brief(&mut out, &scored),
        None => {}
    }
    out
}

/// A path with what its score is made of.
pub(crate) struct ScoredPath<'a> {
    pub(crate) name: String,
    pub(crate) score: f32,
    pub(crate) parts: &'a [Contribution],
    pub(crate) generators: &'a [&'static str],
}

impl ScoredPath<'_> {
    fn write_head(&self, out: &mut String) {
        let _ = writeln!(out, "{:>7.1}  {HEAD}{}{HEAD:#}", self.score, self.name);
    }

    /// Writes every part.
    pub(crate) fn write_all(&self, out: &mut String) {
        self.write_head(out);
        let widest = self.parts.iter().map(|part| part.name.len()).max().unwrap_or(0);
        for part in self.parts {
            let _ = writeln!(out, "         {:<widest$} {:>+8.2}", part.name, part.points);
        }
        if !self.generators.is_empty() {
            let _ = writeln!(out, "         {FAINT}proposed by {}{FAINT:#}", self.generators.join(", "));
        }
    }

    fn points(&self, name: &str) -> f32 {
        self.parts.iter().filter(|part| part.name == name).map(|part| part.points).sum()
    }
}

/// Writes what decided for the first path, what the second one lacks, and the scores of the next ones.
pub(crate) fn brief(out: &mut String, scored: &[ScoredPath<'_>]) {
    let Some(best) = scored.first() else { return };
    best.write_head(out);
    write_parts(out, best.parts.iter().map(|part| (part.name, part.points)).collect());
    if let Some(second) = scored.get(1) {
        second.write_head(out);
        let lacks = |part: &Contribution| (part.name, second.points(part.name) - part.points);
        let mut lacking: Vec<_> = best.parts.iter().map(lacks).collect();
        lacking.extend(
            second.parts.iter().filter(|part| best.points(part.name) == 0.0).map(|part| (part.name, part.points)),
        );
        lacking.retain(|(_, points)| *points <= -MIN_SHOWN_POINTS);
        if !lacking.is_empty() {
            let _ = writeln!(out, "         {FAINT}lacks, compared with the first:{FAINT:#}");
        }
        write_parts(out, lacking);
    }
    scored.iter().take(MAX_BRIEF_CANDIDATES).skip(2).for_each(|one| one.write_head(out));
    let rest = scored.len().saturating_sub(MAX_BRIEF_CANDIDATES);
    let more = if rest > 0 { format!("{rest} more; ") } else { String::new() };
    let _ = writeln!(out, "         {FAINT}{more}--explain=all prints every part{FAINT:#}");
}

/// Writes the parts with the most points, for or against.
fn write_parts(out: &mut String, mut parts: Vec<(&'static str, f32)>) {
    parts.retain(|(_, points)| points.abs() >= MIN_SHOWN_POINTS);
    parts.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
    parts.truncate(MAX_BRIEF_PARTS);
    let widest = parts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, points) in parts {
        let _ = writeln!(out, "         {name:<widest$} {points:>+8.2}");
    }
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

#[cfg(test)]
mod tests {
    use super::{grouped, printable, printable_lines};

    #[test]
    fn groups_digits() {
        for (count, expect) in [(0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(count), expect);
        }
    }

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
