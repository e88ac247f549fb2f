//! Prints findings as compilers do: position, code, reason, the line with a caret under the literal, and the
//! likeliest fix.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use pathfinder_literals::{Reason, Severity};

use super::super::render::{FAINT, GOOD, HEAD, WARN, printable};
use crate::check::{BrokenEstimate, CheckReport, Finding, Fix, UnknownLiteral};

const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Columns of a line that are shown: in a minified file the rest says nothing.
const MAX_SHOWN_COLUMNS: usize = 160;

/// Formats findings; `explain` adds the tried paths and the evidence.
pub(super) fn findings(findings: &[Finding], explain: bool) -> String {
    let mut out = String::new();
    for finding in findings {
        one(&mut out, finding);
        if explain {
            // Writing to a `String` cannot fail.
            let _ = writeln!(out, "  {FAINT}kind:{FAINT:#} {}", finding.kind);
            tried(&mut out, &finding.tried);
            estimate(&mut out, &finding.estimate);
            if finding.is_over_budget {
                let _ = writeln!(out, "  {FAINT}fixes:{FAINT:#} not all looked for: too many findings");
            }
        }
    }
    out
}

/// Formats the lines after the findings; the last one has the counts.
pub(super) fn rest(report: &CheckReport) -> String {
    let mut out = String::new();
    for unknown in &report.unknown_literals {
        unknown_literal(&mut out, unknown);
    }
    for (file, line) in &report.useless {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{HEAD}{}:{line}{HEAD:#}: this ignore comment suppresses nothing", printable(file));
    }
    let CheckReport { files, found, missing, unknown, .. } = report;
    let uses = report.unknown_uses;
    let (style, says) = match (missing, uses) {
        (0, 0) => (GOOD, "no broken paths".to_owned()),
        (0, 1) => (WARN, "1 use could not be told".to_owned()),
        (0, uses) => (WARN, format!("{uses} uses could not be told")),
        (_, 0) => (ERROR, plural(*missing)),
        (_, 1) => (ERROR, format!("{}, 1 use could not be told,", plural(*missing))),
        (_, uses) => (ERROR, format!("{}, {uses} uses could not be told,", plural(*missing))),
    };
    let literals = found + missing;
    let _ = writeln!(out, "{style}{says}{style:#} in {literals} literals of {files} files ({unknown} cannot be told)");
    out
}

fn plural(missing: usize) -> String {
    if missing == 1 { "1 broken path".to_owned() } else { format!("{missing} broken paths") }
}

/// Formats the tried paths, one per line.
fn tried(out: &mut String, tried: &[String]) {
    for path in tried {
        let path = if path.is_empty() { "." } else { path };
        let _ = writeln!(out, "  {FAINT}tried:{FAINT:#} {}", printable(path));
    }
}

/// Formats a literal with an unknown verdict.
fn unknown_literal(out: &mut String, unknown: &UnknownLiteral) {
    let UnknownLiteral { file, line, column, literal, kind, reason, .. } = unknown;
    let (file, literal, name) = (printable(file), printable(literal), reason.name());
    let why = printable(&why(reason));
    let _ = writeln!(out, "{HEAD}{file}:{line}:{column}{HEAD:#}: {FAINT}unknown[{name}]{FAINT:#}: {literal}: {why}");
    let _ = writeln!(out, "  {FAINT}kind:{FAINT:#} {kind}");
    tried(out, &unknown.tried);
    if let Some(it) = &unknown.estimate {
        estimate(out, it);
    }
}

/// Formats the evidence of a probability, one line per observation.
fn estimate(out: &mut String, estimate: &BrokenEstimate) {
    let _ = writeln!(out, "  {FAINT}probability:{FAINT:#} {:.3}", estimate.probability);
    for (name, weight) in &estimate.evidence {
        let _ = writeln!(out, "  {FAINT}evidence:{FAINT:#} {name} {weight:+.2}");
    }
}

/// Explains an unknown verdict in a sentence.
fn why(reason: &Reason) -> String {
    match reason {
        Reason::Dynamic => "part of it is computed".to_owned(),
        Reason::Elsewhere => "it is no path in this tree".to_owned(),
        Reason::Outside => "it leads out of the root".to_owned(),
        Reason::Ignored(path) => format!("the ignore rules cover {path}"),
        Reason::Produced(by) => format!("it is made by {by}"),
        Reason::Optional => "it need not be there".to_owned(),
        Reason::Submodule(at) => format!("it lies in the submodule {at}, which is not checked out"),
        Reason::Sparse => "only a part of the repository is checked out".to_owned(),
        Reason::NotInstalled => "dependencies are not installed".to_owned(),
        Reason::Undecided(by) => format!("what decides is not known: {by}"),
        Reason::Doubtful(why) => why.clone(),
    }
}

fn one(out: &mut String, finding: &Finding) {
    let Finding { file, line, column, code, severity, reason, .. } = finding;
    let style = match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARN,
        Severity::Hint => FAINT,
    };
    let (file, reason) = (printable(file), printable(reason));
    let (severity, code) = (severity.name(), code.name());
    let _ = writeln!(out, "{HEAD}{file}:{line}:{column}{HEAD:#}: {style}{severity}[{code}]{style:#}: {reason}");
    let (shown, before, length) = excerpt(finding);
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let _ = writeln!(out, "{FAINT}{margin} |{FAINT:#}");
    let _ = writeln!(out, "{FAINT}{number} |{FAINT:#} {shown}");
    let _ = writeln!(out, "{FAINT}{margin} |{FAINT:#} {}{style}{}{style:#}", " ".repeat(before), "^".repeat(length));
    if let Some(fix) = finding.likely() {
        fixed(out, fix);
    }
}

/// Formats the likeliest fix: marked if `fix` applies it unseen, else with its probability. The JSON has the others.
fn fixed(out: &mut String, fix: &Fix) {
    let literal = printable(&fix.literal);
    // Writing to a `String` cannot fail.
    let _ = if fix.preferred {
        writeln!(out, "  → {GOOD}{literal}{GOOD:#} (preferred)")
    } else {
        writeln!(out, "  → {literal} {FAINT}({:.2}){FAINT:#}", fix.confidence)
    };
}

/// The part of the line around the literal, the columns before the literal, and the literal's own columns.
fn excerpt(finding: &Finding) -> (String, usize, usize) {
    let text = &finding.text;
    let start = text.floor_char_boundary(finding.column - 1);
    let end = text.floor_char_boundary((start + finding.literal.len()).min(text.len()));
    // The excerpt of a long line begins a little before the literal.
    let from = if text.len() > MAX_SHOWN_COLUMNS {
        text.floor_char_boundary(start.saturating_sub(MAX_SHOWN_COLUMNS / 4))
    } else {
        0
    };
    let to = text.floor_char_boundary((from + MAX_SHOWN_COLUMNS).max(end).min(text.len()));
    // A tab counts as one column, so that the caret is in the right place.
    let plain = |text: &str| printable(&text.replace('\t', " "));
    let (before, literal) = (plain(&text[from..start]), plain(&text[start..end]));
    let length = literal.chars().count().max(1);
    (format!("{before}{literal}{}", plain(&text[end..to])), before.chars().count(), length)
}
