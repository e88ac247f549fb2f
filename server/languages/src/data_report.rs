//! `DataReport`: collects the literals of one data file. JSON, YAML and TOML checks pass it keys with a [`PathRule`].

use std::borrow::Cow;

use pathfinder_literals::glob::{first_match, is_glob};
use pathfinder_literals::path::{has_scheme, is_dynamic, is_within, join, parent};
use pathfinder_literals::{
    Checked, Code, LiteralKind, Lookup, Missing, Project, Reason, Severity, Source, Target, Verdict, Want,
};
use pathfinder_syntax::data::{Node, Text};

use crate::moved_directories::MovedDirectories;

/// A rule that resolves and reports the strings at a key.
#[derive(Clone, Copy)]
pub(crate) struct PathRule {
    /// The literal kind, such as `json.schema`.
    pub(crate) kind: LiteralKind,
    want: Want,
    severity: Severity,
    /// True if `/x` is relative to the base directories. Otherwise it is an absolute path of the machine.
    allows_leading_slash: bool,
}

impl PathRule {
    /// A file that must exist.
    pub(crate) const fn file(kind: LiteralKind) -> Self {
        Self { kind, want: Want::File, severity: Severity::Error, allows_leading_slash: false }
    }

    /// A directory that must exist.
    pub(crate) const fn directory(kind: LiteralKind) -> Self {
        Self { kind, want: Want::Directory, severity: Severity::Error, allows_leading_slash: false }
    }

    /// A file or directory that must exist.
    pub(crate) const fn any(kind: LiteralKind) -> Self {
        Self { kind, want: Want::Any, severity: Severity::Error, allows_leading_slash: false }
    }

    /// Lowers the severity to a warning: the construct does not fail without its target.
    pub(crate) const fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// Lowers the severity to a hint: a missing target is often legitimate.
    pub(crate) const fn hint(mut self) -> Self {
        self.severity = Severity::Hint;
        self
    }

    /// Resolves paths with a leading slash relative to the base directories.
    pub(crate) const fn slash(mut self) -> Self {
        self.allows_leading_slash = true;
        self
    }
}

/// Collects the literals of one data file.
pub(crate) struct DataReport<'r> {
    pub(crate) source: &'r Source<'r>,
    pub(crate) project: &'r Project,
    found: &'r mut Vec<Checked>,
}

/// Returns whether a path has a pattern of the shell that `globset` does not know: `packages/!(a|b)`.
fn has_extended_glob(path: &str) -> bool {
    path.ends_with(')') && ["!(", "+(", "*(", "?("].iter().any(|start| path.contains(start))
}

impl<'r> DataReport<'r> {
    /// Creates the report of one file; literals are appended to `found`.
    pub(crate) fn new(source: &'r Source<'r>, project: &'r Project, found: &'r mut Vec<Checked>) -> Self {
        Self { source, project, found }
    }

    /// The directory of the file.
    pub(crate) fn here(&self) -> &'r str {
        self.source.directory()
    }

    /// Returns whether a path exists.
    pub(crate) fn exists(&self, path: &str) -> bool {
        self.project.tree().kind(path).is_some()
    }

    /// The places at which the literals found so far begin.
    pub(crate) fn starts(&self) -> impl Iterator<Item = usize> {
        self.found.iter().map(|literal| literal.range.start)
    }

    /// Checks every string that matches a pattern, relative to the directory of the file.
    pub(crate) fn check_all(&mut self, root: &Node, pattern: &str, rule: PathRule) {
        self.check_all_from(root, pattern, rule, &[self.here()]);
    }

    /// Checks every string that matches a pattern, relative to each of `bases` in order.
    pub(crate) fn check_all_from(&mut self, root: &Node, pattern: &str, rule: PathRule, bases: &[&str]) {
        root.texts(pattern).for_each(|text| self.check(text, rule, bases));
    }

    /// Checks one string, relative to each of `bases` in order.
    pub(crate) fn check(&mut self, text: &Text, rule: PathRule, bases: &[&str]) {
        self.check_with(text, rule, bases, &[""]);
    }

    /// Checks one string, relative to each of `bases`, with each of `endings` appended.
    pub(crate) fn check_with(&mut self, text: &Text, rule: PathRule, bases: &[&str], endings: &[&str]) {
        let Some(path) = self.path(text, rule) else { return };
        // From a directory further up, a path with `..` can lead out of the root, where nothing of the file is looked for.
        let joined = bases.iter().enumerate().map(|(at, base)| (at, join(base, &path)));
        let joined: Vec<Option<String>> =
            joined.filter(|(at, path)| *at == 0 || path.is_some()).map(|(_, path)| path).collect();
        let exact = joined.iter().flatten().any(|path| self.exists(path));
        if is_glob(&path) && !exact {
            self.glob(text, rule, bases, &path);
            return;
        }
        if !exact && self.is_list_of_words(&path, bases) {
            return self.unknown(rule.kind, text, Reason::Undecided("how its words are split".to_owned()));
        }
        let tried = joined.into_iter().flat_map(|path| {
            endings.iter().map(move |ending| path.as_ref().map(|path| format!("{path}{ending}"))).collect::<Vec<_>>()
        });
        let resolution = Lookup::new(self.project, rule.want).verdict(rule.severity, tried);
        self.add(rule.kind, text, resolution);
    }

    /// Returns whether each word of a text with spaces exists: `testpaths = "tests src"`.
    fn is_list_of_words(&self, text: &str, bases: &[&str]) -> bool {
        let exists = |word: &str| bases.iter().any(|base| join(base, word).is_some_and(|path| self.exists(&path)));
        text.contains(char::is_whitespace) && text.split_whitespace().all(exists)
    }

    /// Checks one string against complete candidate paths, in order.
    pub(crate) fn check_paths(&mut self, text: &Text, rule: PathRule, paths: impl IntoIterator<Item = Option<String>>) {
        let resolution = Lookup::new(self.project, rule.want).verdict(rule.severity, paths);
        self.add(rule.kind, text, resolution);
    }

    /// Returns a string as a path to look up. Otherwise returns `None`, and adds an unknown literal unless the string is no path.
    pub(crate) fn path<'t>(&mut self, text: &'t Text, rule: PathRule) -> Option<Cow<'t, str>> {
        let path = text.text.trim();
        // `!` takes paths out of a list.
        let path = path.strip_prefix('!').unwrap_or(path);
        if path.is_empty() || path.contains('\n') {
            return None;
        }
        let reason = if is_dynamic(path) || has_variable(path) || has_extended_glob(path) {
            Reason::Dynamic
        } else if has_scheme(path) {
            Reason::Elsewhere
        } else if path.starts_with('~') || (path.starts_with('/') && !rule.allows_leading_slash) {
            Reason::Outside
        } else if path.contains('\\') {
            return Some(Cow::Owned(path.replace('\\', "/")));
        } else {
            return Some(Cow::Borrowed(path));
        };
        self.unknown(rule.kind, text, reason);
        None
    }

    /// Checks a glob. One that matches nothing is only a hint, because its files may not exist yet.
    fn glob(&mut self, text: &Text, rule: PathRule, bases: &[&str], path: &str) {
        let mut lookup = Lookup::new(self.project, Want::Any);
        for base in bases {
            let Some(pattern) = join(base, path) else { return self.unknown(rule.kind, text, Reason::Outside) };
            match first_match(self.project, &pattern) {
                Ok(Some(_)) if self.add_moved_directory(text, rule, base) => return,
                Ok(Some(path)) => {
                    let verdict = Verdict::Found(Target { path });
                    return self.add(rule.kind, text, (verdict, vec![pattern]));
                }
                Ok(None) => _ = lookup.try_path(Some(pattern)),
                Err(_) => return self.unknown(rule.kind, text, Reason::Undecided("a pattern".to_owned())),
            }
        }
        if !bases.iter().any(|base| self.add_moved_directory(text, rule, base)) {
            self.add(rule.kind, text, lookup.missing(Severity::Hint));
        }
    }

    /// Adds the directory that a pattern begins with, if recent commits moved it from there or to there, and returns whether it did.
    fn add_moved_directory(&mut self, text: &Text, rule: PathRule, base: &str) -> bool {
        let plain = text.text.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let Some((directory, _)) = plain.rsplit_once('/') else { return false };
        let head = Text { text: directory.into(), range: text.range.start..text.range.start + directory.len() };
        let is_written = self.source.text().get(head.range.clone()) == Some(directory);
        let moved = self.project.index::<MovedDirectories>();
        let Some(path) = join(base, directory).filter(|path| is_written && moved.are_at(path)) else { return false };
        let severity = rule.severity.max(Severity::Warning);
        self.add(rule.kind, &head, Lookup::new(self.project, Want::Any).verdict(severity, [Some(path)]));
        true
    }

    /// Checks a string that names a file of a package. A target outside of the package is a finding, as it is not published.
    pub(crate) fn check_packaged(&mut self, text: &Text, rule: PathRule) {
        let Some(path) = self.path(text, rule) else { return };
        let here = self.here();
        let resolution = Lookup::new(self.project, rule.want).verdict(rule.severity, [join(here, &path)]);
        self.add(rule.kind, text, (flag_outside_package(here, resolution.0), resolution.1));
    }

    /// Adds a literal with an unknown verdict.
    pub(crate) fn unknown(&mut self, kind: LiteralKind, text: &Text, reason: Reason) {
        self.add(kind, text, (Verdict::Unknown(reason), Vec::new()));
    }

    /// Adds a literal. Findings in foreign files become hints.
    pub(crate) fn add(&mut self, kind: LiteralKind, text: &Text, (mut verdict, tried): (Verdict, Vec<String>)) {
        if let Verdict::Missing(missing) = &mut verdict
            && is_foreign(self.source.path())
            // Editor schemas and promtool tests in a fixture are used by tools, not as test data. So are plays, with which tests are written.
            && !(is_fixture(self.source.path())
                && matches!(kind, crate::json::kinds::SCHEMA | crate::yaml::kinds::PROMTOOL_RULE_FILES | crate::yaml::kinds::ANSIBLE_INCLUDE))
        {
            missing.severity = Severity::Hint;
        }
        // Skips folded and continued strings, whose value differs from the source text, and invalid ranges of the parser.
        let offset = self.source.offset();
        let written = self.source.text().get(text.range.clone());
        if written.is_none_or(|written| written.is_empty() || written.contains('\n')) {
            return;
        }
        let range = text.range.start + offset..text.range.end + offset;
        self.found.push(Checked { kind, range, verdict, tried });
    }
}

/// Turns a found target outside of the package directory `here` into a finding: the published package does not contain it.
pub(crate) fn flag_outside_package(here: &str, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Found(Target { path }) if !here.is_empty() && !is_within(&path, here) => Verdict::Missing(Missing {
            code: Code::OutsidePackageTarget,
            severity: Severity::Warning,
            reason: format!("{path} lies outside the package, which is published without it"),
            wanted: path.clone(),
            want: Want::File,
            instead: Some(path),
        }),
        verdict => verdict,
    }
}

/// Returns whether a file plays no part in the build of this repository: test data, a vendored copy, or a template that other
/// tools complete.
pub(crate) fn is_foreign(path: &str) -> bool {
    const FOREIGN_DIRECTORIES: [&str; 13] = [
        "vendor",
        // Hugo's.
        "_vendor",
        "vendored",
        "third_party",
        "third-party",
        "thirdparty",
        "node_modules",
        "Godeps",
        "external",
        "templates",
        "template",
        "boilerplate",
        "skeleton",
    ];
    is_fixture(path) || parent(path).split('/').any(|name| FOREIGN_DIRECTORIES.contains(&name))
}

fn is_fixture(path: &str) -> bool {
    const DIRECTORIES: [&str; 14] = [
        "testdata",
        "test-data",
        "test_data",
        "fixtures",
        "fixture",
        "__fixtures__",
        "test-fixtures",
        "__tests__",
        "__mocks__",
        "testsuite",
        "testcases",
        "test-cases",
        "snapshots",
        "__snapshots__",
    ];
    let directories: Vec<&str> = parent(path).split('/').collect();
    let tests = directories.iter().position(|name| matches!(*name, "test" | "tests" | "spec" | "specs"));
    // `tests/tsconfig.json` and `tests/e2e/package.json` configure the tests and are no fixtures.
    tests.is_some_and(|at| directories.len() > at + 2) || directories.iter().any(|name| DIRECTORIES.contains(name))
}

/// Returns whether a text has a variable such as `$NAME` or `${NAME}`, as in shells and Compose files.
pub(crate) fn has_variable(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        text[at + 1..].starts_with(|next: char| next.is_ascii_uppercase() || matches!(next, '_' | '{' | '('))
    })
}
