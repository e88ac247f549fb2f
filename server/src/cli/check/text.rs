//! Prints findings as compilers do: position, code, reason, the line with a caret under the literal, and the
//! likeliest fix.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use pathfinder_literals::{Reason, Severity};

use super::output::Summary;
use super::{TextPaths, concise, is_claim};
use crate::cli::args::Explain;
use crate::cli::render::{FAINT, GOOD, HEAD, WARN, grouped, printable};
use pathfinder_check::{BrokenEstimate, CheckReport, Finding, Fix, UnknownLiteral};

const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Columns of a line that are shown: in a minified file the rest says nothing.
const MAX_SHOWN_COLUMNS: usize = 160;

/// Pieces of evidence, tried paths and unknown literals that a short explanation shows.
const MAX_BRIEF_REASONS: usize = 5;

/// Formats findings. Those of one missing target stand together: the first in full, the others in one line each.
pub(super) fn findings(
    out: &mut String,
    paths: &TextPaths,
    root: &Path,
    findings: &[Finding],
    explain: Option<Explain>,
) {
    let mut positions: HashMap<(&str, &str), usize> = HashMap::new();
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let position = *positions.entry((finding.code.name(), &finding.reason)).or_insert(groups.len());
        match groups.get_mut(position) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    for group in groups {
        for (at, finding) in group.into_iter().enumerate() {
            if at > 0 && explain.is_none() {
                concise::line(out, paths, root, finding);
                continue;
            }
            one_finding(out, paths, root, finding);
            if explain.is_some() {
                // Writing to a `String` cannot fail.
                let _ = writeln!(out, "  {FAINT}kind:{FAINT:#} {}", finding.kind);
                tried(out, &finding.tried, explain);
                estimate(out, &finding.estimate, explain);
                if finding.is_over_budget {
                    let _ = writeln!(out, "  {FAINT}fixes:{FAINT:#} not all searched: too many findings");
                }
            }
        }
    }
}

/// Formats the unknown literals, which a report has only with explanations.
pub(super) fn unknown_literals(
    out: &mut String,
    paths: &TextPaths,
    root: &Path,
    report: &CheckReport,
    explain: Option<Explain>,
) {
    let shown = if explain == Some(Explain::All) { usize::MAX } else { MAX_BRIEF_REASONS };
    for unknown in report.unknown_literals.iter().take(shown) {
        unknown_literal(out, paths, root, unknown, explain);
    }
    let rest = report.unknown_literals.len().saturating_sub(shown);
    if rest > 0 {
        let rest = grouped(rest);
        let _ = writeln!(out, "{FAINT}{rest} more cannot be decided: --explain=all lists them{FAINT:#}");
    }
}

/// Formats the comments that suppress nothing.
pub(super) fn unused_comments(out: &mut String, paths: &TextPaths, root: &Path, report: &CheckReport) {
    for (file, line) in &report.useless {
        let file = paths.in_line(root, file);
        let _ = writeln!(out, "{HEAD}{file}:{line}{HEAD:#}: unused ignore comment: remove it");
    }
}

/// Formats the counts, and what to do next.
pub(super) fn summary(out: &mut String, report: &CheckReport, summary: &Summary) {
    let CheckReport { files, missing, unknown, unknown_uses, .. } = report;
    let fixed = match summary.fixed.fixed {
        0 => String::new(),
        fixed => format!(", {GOOD}{} fixed{GOOD:#}", grouped(fixed)),
    };
    let uses = match unknown_uses {
        0 => String::new(),
        uses => format!(", {WARN}{}{WARN:#}", plural(*uses, "possible use")),
    };
    let style = if *missing == 0 { GOOD } else { ERROR };
    let broken = if *missing == 0 { "none".to_owned() } else { grouped(*missing) };
    let rest = match unknown {
        0 => String::new(),
        1 => "; 1 points outside this project or cannot be decided".to_owned(),
        unknown => format!("; {} point outside this project or cannot be decided", grouped(*unknown)),
    };
    let (literals, files) = (grouped(summary.checked), plural(*files, "file"));
    let nouns = if summary.checked == 1 { "link or import" } else { "links and imports" };
    let _ = writeln!(out, "{literals} {nouns} checked in {files}{fixed}, {style}{broken} broken{style:#}{uses}{rest}");
    let claims = || report.findings.iter().filter(|finding| is_claim(finding));
    let fixable = claims().filter(|finding| finding.fixes.first().is_some_and(|fix| fix.preferred)).count();
    if fixable > 0 {
        let _ = writeln!(out, "{GOOD}{} fixable{GOOD:#}: run `pathfinder fix`", grouped(fixable));
    }
    let codes: BTreeSet<&str> = report.findings.iter().map(|finding| finding.code.name()).collect();
    if !codes.is_empty() {
        let pages: Vec<String> = codes.iter().map(|code| format!("`pathfinder rule {code}`")).collect();
        let _ = writeln!(out, "{FAINT}explained by {}{FAINT:#}", pages.join(", "));
    }
}

/// Formats how the findings differ from a baseline.
pub(super) fn baseline(out: &mut String, met: usize, unmet: usize) {
    let _ = write!(out, "{} in the baseline", plural(met, "known finding"));
    if unmet > 0 {
        let nouns = if unmet == 1 { "other is" } else { "others are" };
        let _ = write!(out, "; {} {nouns} fixed or gone: refresh it with --write-baseline", grouped(unmet));
    }
    out.push('\n');
}

/// The style of a severity's name.
pub(super) fn severity_style(severity: Severity) -> Style {
    match severity {
        Severity::Error => ERROR,
        Severity::Warning => WARN,
        Severity::Hint => FAINT,
    }
}

/// A count with its noun, in the plural unless it is one.
pub(super) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

/// Formats the tried paths, one per line.
fn tried(out: &mut String, tried: &[String], explain: Option<Explain>) {
    let shown = if explain == Some(Explain::All) { tried.len() } else { MAX_BRIEF_REASONS };
    for path in tried.iter().take(shown) {
        let path = if path.is_empty() { "." } else { path };
        let _ = writeln!(out, "  {FAINT}tried:{FAINT:#} {}", printable(path));
    }
    if tried.len() > shown {
        let _ = writeln!(out, "  {FAINT}tried:{FAINT:#} {} more", tried.len() - shown);
    }
}

/// Formats a literal with an unknown verdict.
fn unknown_literal(
    out: &mut String,
    paths: &TextPaths,
    root: &Path,
    unknown: &UnknownLiteral,
    explain: Option<Explain>,
) {
    let UnknownLiteral { file, line, column, literal, kind, reason, .. } = unknown;
    let (file, literal, name) = (paths.in_line(root, file), printable(literal), reason.name());
    let why = printable(&self::explain(reason));
    let _ = writeln!(out, "{HEAD}{file}:{line}:{column}{HEAD:#}: {FAINT}unknown[{name}]{FAINT:#}: {literal}: {why}");
    let _ = writeln!(out, "  {FAINT}kind:{FAINT:#} {kind}");
    tried(out, &unknown.tried, explain);
    if let Some(it) = &unknown.estimate {
        estimate(out, it, explain);
    }
}

/// Formats the evidence of a probability, one line per observation.
fn estimate(out: &mut String, estimate: &BrokenEstimate, explain: Option<Explain>) {
    let _ = writeln!(out, "  {FAINT}probability:{FAINT:#} {:.3}", estimate.probability);
    let mut evidence: Vec<_> = estimate.evidence.iter().collect();
    if explain == Some(Explain::Brief) {
        evidence.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()));
        evidence.truncate(MAX_BRIEF_REASONS);
    }
    for (name, weight) in evidence {
        let _ = writeln!(out, "  {FAINT}evidence:{FAINT:#} {name} {weight:+.2}");
    }
}

/// Explains an unknown verdict in a sentence.
fn explain(reason: &Reason) -> String {
    match reason {
        Reason::Dynamic => "a part of it is computed".to_owned(),
        Reason::Elsewhere => "it is not a path in this tree".to_owned(),
        Reason::Outside => "it leads out of the root".to_owned(),
        Reason::Ignored(path) => format!("{path} is ignored"),
        Reason::Produced(by) => format!("it is generated by {by}"),
        Reason::Optional => "it may be missing".to_owned(),
        Reason::Submodule(at) => format!("it lies in the submodule {at}, which is not checked out"),
        Reason::Sparse => "only a part of the repository is checked out".to_owned(),
        Reason::NotInstalled => "dependencies are not installed".to_owned(),
        Reason::Undecided(by) => format!("the target is unclear: {by}"),
        Reason::Doubtful(why) => why.clone(),
    }
}

fn one_finding(out: &mut String, paths: &TextPaths, root: &Path, finding: &Finding) {
    concise::head(out, paths, root, finding);
    out.push('\n');
    let (style, line) = (severity_style(finding.severity), finding.line);
    let (shown, before, length) = excerpt(finding);
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    let _ = writeln!(out, "{FAINT}{margin} |{FAINT:#}");
    let _ = writeln!(out, "{FAINT}{number} |{FAINT:#} {shown}");
    let _ = writeln!(out, "{FAINT}{margin} |{FAINT:#} {}{style}{}{style:#}", " ".repeat(before), "^".repeat(length));
    if let Some(fix) = finding.likely() {
        likely_fix(out, &finding.literal, fix);
    }
}

/// Formats the likeliest fix: marked if `fix` applies it unseen, else with its probability. The JSON has the others.
fn likely_fix(out: &mut String, written: &str, fix: &Fix) {
    let shown = fix.shown(written);
    let literal = printable(&shown);
    // Writing to a `String` cannot fail.
    let _ = if fix.preferred {
        writeln!(out, "  → {GOOD}{literal}{GOOD:#} (preferred)")
    } else {
        writeln!(out, "  → {literal} {FAINT}({:.2}){FAINT:#}", fix.confidence)
    };
}

/// The part of the line around the literal, the columns before the literal, and the literal's own columns.
fn excerpt(finding: &Finding) -> (String, usize, usize) {
    // A finding keeps the beginning of a long line only.
    let is_kept = finding.column <= finding.text.len();
    let (text, column) = if is_kept { (&finding.text, finding.column) } else { (&finding.literal, 1) };
    let start = text.floor_char_boundary(column - 1);
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
