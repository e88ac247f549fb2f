//! Checks the patterns of `//go:embed`, which name files below the directory of the file.

use super::scan::{self, BuildConstraint};
use crate::go::kinds;
use pathfinder_literals::glob::{first_match, is_glob};
use pathfinder_literals::path::{extension, join, name};
use pathfinder_literals::report::{severity_in, unknown};
use pathfinder_literals::{Code, Lookup, Missing, Reason, Report, Resolution, Severity, Target, Verdict, Want};

/// Directories that a build writes before the program is compiled.
const BUILD_DIRECTORIES: [&str; 9] = ["bin", "build", "dist", "gen", "generated", "out", "output", "_output", "static"];

/// Adds the patterns of all directives.
pub(super) fn check(report: &mut Report<'_>) {
    let text = report.source.text();
    let ranges = scan::find_embeds(text);
    if ranges.is_empty() {
        return;
    }
    let is_always = scan::build_constraint(text) == BuildConstraint::None;
    for range in ranges {
        let (verdict, tried) = resolve_pattern(report, &text[range.clone()]);
        let verdict = match verdict {
            Verdict::Missing(_) if !is_always => Verdict::Unknown(Reason::Optional),
            verdict => verdict,
        };
        report.add(kinds::EMBED, range.start, range.len(), (verdict, tried));
    }
}

/// The verdict on one pattern.
fn resolve_pattern(report: &Report<'_>, written: &str) -> Resolution {
    let pattern = written.strip_prefix("all:").unwrap_or(written);
    // Go itself rejects these patterns.
    if pattern.is_empty()
        || pattern.starts_with('/')
        || pattern.contains(['\\', '$'])
        || pattern.split('/').any(|part| part == "..")
    {
        return unknown(Reason::Dynamic);
    }
    let source = report.source;
    let severity = severity_in(source.path(), Severity::Error);
    let Some(path) = join(source.directory(), pattern) else { return unknown(Reason::Outside) };
    let (verdict, tried) = if is_glob(pattern) {
        resolve_glob(report, severity, &path)
    } else {
        Lookup::new(report.project, Want::Any).verdict(severity, [Some(path)])
    };
    match verdict {
        Verdict::Missing(missing) if missing.code == Code::MissingPath && is_built(source.text(), pattern) => {
            (Verdict::Unknown(Reason::Produced("a build".to_owned())), tried)
        }
        Verdict::Missing(missing) if missing.code == Code::MissingPath && is_embedded_by_bazel(report) => {
            (Verdict::Unknown(Reason::Produced("Bazel".to_owned())), tried)
        }
        // Test input of parsers.
        Verdict::Missing(missing) if name(source.path()).contains("fixture") => {
            (Verdict::Missing(Missing { severity: Severity::Hint, ..missing }), tried)
        }
        verdict => (verdict, tried),
    }
}

/// Returns whether a build generates the files of a pattern: by the name of a directory, or by a `go:generate` line.
fn is_built(text: &str, pattern: &str) -> bool {
    let by_name = pattern.split('/').any(|segment| BUILD_DIRECTORIES.contains(&segment)) || extension(pattern) == "gz";
    by_name || text.lines().any(|line| line.starts_with("//go:generate ") && line.contains(pattern))
}

/// Returns whether Bazel builds the package, so that its rules can add any file.
fn is_embedded_by_bazel(report: &Report<'_>) -> bool {
    ["BUILD.bazel", "BUILD"].iter().any(|name| {
        let path = join(report.source.directory(), name);
        path.and_then(|path| report.project.tree().read_shared(&path)).is_some_and(|text| text.contains("embedsrcs"))
    })
}

/// A pattern must match at least one file.
fn resolve_glob(report: &Report<'_>, severity: Severity, path: &str) -> Resolution {
    // Go supports neither `**` nor braces.
    let pattern = path.replace("**", "*");
    if pattern.contains('{') {
        return unknown(Reason::Dynamic);
    }
    let tried = vec![path.to_owned()];
    let verdict = match first_match(report.project, &pattern) {
        Err(_) => Verdict::Unknown(Reason::Dynamic),
        Ok(Some(path)) => Verdict::Found(Target { path }),
        Ok(None) => report.project.generated_by(&pattern.replace(['*', '?', '[', ']'], "x")).map_or_else(
            || {
                let reason = format!("nothing matches {path}");
                let wanted = path.to_owned();
                Verdict::Missing(Missing {
                    code: Code::MissingPath,
                    severity,
                    reason,
                    wanted,
                    want: Want::Any,
                    instead: None,
                })
            },
            Verdict::Unknown,
        ),
    };
    (verdict, tried)
}
