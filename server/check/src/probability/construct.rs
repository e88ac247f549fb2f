//! The construct that a literal belongs to, as evidence.

use pathfinder_literals::path::{name, parent};
use pathfinder_literals::{Checked, Code, SCRIPT_RUNNERS, Source};

use super::evidence::Evidence;
use super::form::{LiteralForm, LiteralStart};

/// The construct that a literal belongs to, as far as it affects the meaning of a miss.
pub(super) fn construct_evidence(kind: &str, code: Code, form: &LiteralForm<'_>) -> Evidence {
    const PAGES: [&str; 5] = ["md", "rst", "adoc", "tex", "url"];
    const BUILDS: [&str; 17] = [
        "json",
        "toml",
        "yaml",
        "cmake",
        "make",
        "docker",
        "gradle",
        "maven",
        "bazel",
        "nix",
        "terraform",
        "cs",
        "ini",
        "sh",
        "xml",
        "swift",
        "meson",
    ];
    if code == Code::MissingAnchor {
        return Evidence::Anchor;
    }
    let (language, construct) = kind.split_once('.').unwrap_or((kind, ""));
    match construct {
        "string" => return Evidence::Text,
        "mock" => return Evidence::Mock,
        "value" => return Evidence::Value,
        _ => {}
    }
    if matches!(language, "html" | "svg") {
        return Evidence::Attribute;
    }
    if PAGES.contains(&language) {
        // An element of HTML in a page leads where links and images of the page lead: what a browser requests depends on where the page
        // is shown.
        let is_link = matches!(construct, "link" | "image" | "definition" | "target" | "xref");
        return match is_link || construct.starts_with("html.") {
            true if form.has_extension() => Evidence::PageFile,
            true => Evidence::PageName,
            false => Evidence::Directive,
        };
    }
    if BUILDS.contains(&language) {
        return Evidence::Configuration;
    }
    let is_named = matches!(form.start(), LiteralStart::Name | LiteralStart::Names)
        && matches!(construct, "import" | "use" | "include_angle");
    if is_named { Evidence::Named } else { Evidence::Relative }
}

/// Returns whether a value is a command that runs a script, which the literal names: `python3 tools/release.py --force`.
pub(super) fn is_run(source: &Source<'_>, literal: &Checked) -> bool {
    let start = literal.range.start.saturating_sub(source.offset());
    let before = source.text().get(..start).unwrap_or_default();
    let program = before.strip_suffix(' ').and_then(|before| before.rsplit([' ', '\t', '\n', '"', '\'']).next());
    program.is_some_and(|program| SCRIPT_RUNNERS.contains(&program))
}

/// Replaces the evidence of a value of data, if nearly all others of its file lead to files and exactly one other file has its name: the
/// value is a path, and its file moved. A value that git's history explains needs no such evidence.
pub(super) fn name_value(evidence: &mut [Evidence]) {
    let has = |all: &[Evidence]| all.iter().any(|one| evidence.contains(one));
    let is_named = has(&[Evidence::SameName, Evidence::SameTail]) && has(&[Evidence::FileMost]);
    if is_named && !has(&[Evidence::HistoryHad, Evidence::TargetKnown]) {
        evidence.iter_mut().filter(|one| **one == Evidence::Value).for_each(|one| *one = Evidence::NamedValue);
    }
}

/// Returns whether a file's name, or that of its directory, says that it tells of a day or of a run: `2026-02-07-outage.json`,
/// `link-report.json`, `archive/links.json`; or that a program wrote it: `generated/links.json`. A list of redirects tells what was once there.
pub(super) fn is_record(path: &str) -> bool {
    const WORDS: [&str; 11] = [
        "archive",
        "assessment",
        "audit",
        "baseline",
        "history",
        "log",
        "payload",
        "redirect",
        "report",
        "result",
        "snapshot",
    ];
    /// Other words of those are also names of parts of a program.
    const DIRECTORIES: [&str; 4] = ["archive", "archived", "assessment", "generated"];
    let name = name(path);
    let stem = name.split('.').next().unwrap_or(name);
    let says = |text: &str, words: &[&str]| {
        let lower = text.to_ascii_lowercase();
        let mut all = lower.split(['-', '_']).map(|word| word.strip_suffix('s').unwrap_or(word));
        all.any(|word| words.contains(&word))
    };
    // A workflow runs, whatever it tests.
    let is_run = parent(path).ends_with(".github/workflows");
    is_dated(name) || !is_run && says(stem, &WORDS) || parent(path).split('/').any(|above| says(above, &DIRECTORIES))
}

/// Returns whether a file's name has a date.
fn is_dated(name: &str) -> bool {
    let digits = |from: usize, count: usize| {
        name.get(from..from + count).filter(|part| part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is_date = |at: usize| {
        let dash = usize::from(name.as_bytes().get(at + 4) == Some(&b'-'));
        let year = digits(at, 4).is_some_and(|year| ("1990".."2100").contains(&year));
        let month = digits(at + 4 + dash, 2).is_some_and(|month| ("01"..="12").contains(&month));
        let day = digits(at + 6 + 2 * dash, 2).is_some_and(|day| ("01"..="31").contains(&day));
        year && month && day && (dash == 0 || name.as_bytes().get(at + 7) == Some(&b'-'))
    };
    let starts = (0..name.len()).filter(|at| *at == 0 || !name.as_bytes()[at - 1].is_ascii_digit());
    starts.into_iter().any(is_date)
}

#[cfg(test)]
mod tests {
    use super::super::evidence::Evidence as E;
    use super::{is_record, name_value};

    #[test]
    fn tells_values_that_moved() {
        let check = |evidence: &[E], expect: E| {
            let mut all = evidence.to_vec();
            name_value(&mut all);
            assert_eq!(all[0], expect, "{evidence:?}");
        };
        check(&[E::Value, E::FileMost, E::SameName], E::NamedValue);
        check(&[E::Value, E::FileSome, E::SameName], E::Value);
        check(&[E::Value, E::FileMost, E::SameNames], E::Value);
        check(&[E::Value, E::FileMost, E::SameName, E::HistoryHad], E::Value);
        check(&[E::Configuration, E::FileMost, E::SameName], E::Configuration);
    }

    #[test]
    fn recognises_records() {
        let check = |name: &str, expect: bool| assert_eq!(is_record(name), expect, "{name}");
        check("2026-02-07-outage.json", true);
        check("docs/_redirects.yml", true);
        check("docs/redirector.yml", false);
        check("backup_20260207.yaml", true);
        check("plan-1-2026.json", false);
        check("2026-02.json", false);
        check("99920260207.json", false);
        check("20261301é.json", false);
        check("cross-reference-report.json", true);
        check("reporters.json", false);
        check(".github/workflows/baseline.yml", false);
        check("docs/Assessments/names.json", true);
        check("ops/generated/names.json", true);
        check("tools/reporters/names.json", false);
    }
}
