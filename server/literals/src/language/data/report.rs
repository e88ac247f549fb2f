//! `Report`: from a text that names a path, by a rule's own bases, to a verdict in the list.

use std::borrow::Cow;

use super::{Node, Text};
use crate::checked::{Checked, Code, Missing, Reason, Severity, Target, Verdict};
use crate::glob::{first_match, is_glob};
use crate::lookup::{Lookup, Want};
use crate::path::{has_scheme, is_dynamic, join, parent};
use crate::project::{Project, within};
use crate::source::Source;

/// What a rule says of the texts it leads to.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    /// The name of the construct.
    pub(crate) kind: &'static str,
    want: Want,
    severity: Severity,
    /// Whether `/x` is seen from the root, and not from the root of the machine.
    slash: bool,
}

impl Rule {
    /// A file that must be there.
    pub(crate) const fn file(kind: &'static str) -> Self {
        Self { kind, want: Want::File, severity: Severity::Error, slash: false }
    }

    /// A directory that must be there.
    pub(crate) const fn directory(kind: &'static str) -> Self {
        Self { kind, want: Want::Directory, severity: Severity::Error, slash: false }
    }

    /// Either.
    pub(crate) const fn any(kind: &'static str) -> Self {
        Self { kind, want: Want::Any, severity: Severity::Error, slash: false }
    }

    /// What does not fail without it.
    pub(crate) const fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// What is often legitimate.
    pub(crate) const fn hint(mut self) -> Self {
        self.severity = Severity::Hint;
        self
    }

    /// With a slash before it, it is seen from the bases all the same.
    pub(crate) const fn slash(mut self) -> Self {
        self.slash = true;
        self
    }
}

/// Where the verdicts on one file's literals go.
pub(crate) struct Report<'r> {
    pub(crate) source: &'r Source<'r>,
    pub(crate) project: &'r Project,
    found: &'r mut Vec<Checked>,
}

impl<'r> Report<'r> {
    /// For the literals of `source`.
    pub(crate) fn new(source: &'r Source<'r>, project: &'r Project, found: &'r mut Vec<Checked>) -> Self {
        Self { source, project, found }
    }

    /// The directory of the file.
    pub(crate) fn here(&self) -> &'r str {
        self.source.directory()
    }

    /// Whether something is there.
    pub(crate) fn exists(&self, path: &str) -> bool {
        self.project.tree().kind(path).is_some()
    }

    /// Every text that a pattern leads to, as seen from the file's directory.
    pub(crate) fn all(&mut self, root: &Node, pattern: &str, rule: Rule) {
        self.all_from(root, pattern, rule, &[self.here()]);
    }

    /// Every text that a pattern leads to, as seen from the first of these directories that has it.
    pub(crate) fn all_from(&mut self, root: &Node, pattern: &str, rule: Rule, bases: &[&str]) {
        root.texts(pattern).for_each(|text| self.check(text, rule, bases));
    }

    /// One text, as seen from the first of these directories that has it.
    pub(crate) fn check(&mut self, text: &Text, rule: Rule, bases: &[&str]) {
        self.check_with(text, rule, bases, &[""]);
    }

    /// The same, where one of some endings can be left out.
    pub(crate) fn check_with(&mut self, text: &Text, rule: Rule, bases: &[&str], endings: &[&str]) {
        let Some(path) = self.path(text, rule) else { return };
        let joined: Vec<Option<String>> = bases.iter().map(|base| join(base, &path)).collect();
        let exact = joined.iter().flatten().any(|path| self.exists(path));
        if is_glob(&path) && !exact {
            self.glob(text, rule, bases, &path);
            return;
        }
        let tried = joined.into_iter().flat_map(|path| {
            endings.iter().map(move |ending| path.as_ref().map(|path| format!("{path}{ending}"))).collect::<Vec<_>>()
        });
        let answer = Lookup::new(self.project, rule.want).verdict(rule.severity, tried);
        self.add(rule.kind, text, answer);
    }

    /// Where one of some endings *must* be there: what is looked for, in order, is given whole.
    pub(crate) fn check_paths(&mut self, text: &Text, rule: Rule, paths: impl IntoIterator<Item = Option<String>>) {
        let answer = Lookup::new(self.project, rule.want).verdict(rule.severity, paths);
        self.add(rule.kind, text, answer);
    }

    /// What a text says as a path; `None` if it says none that could be looked for, and then that is in the list.
    pub(crate) fn path<'t>(&mut self, text: &'t Text, rule: Rule) -> Option<Cow<'t, str>> {
        let path = text.text.trim();
        if path.is_empty() || path.contains('\n') {
            return None;
        }
        let reason = if is_dynamic(path) || has_variable(path) {
            Reason::Dynamic
        } else if has_scheme(path) {
            Reason::Elsewhere
        } else if path.starts_with('~') || (path.starts_with('/') && !rule.slash) {
            Reason::Outside
        } else if path.contains('\\') {
            return Some(Cow::Owned(path.replace('\\', "/")));
        } else {
            return Some(Cow::Borrowed(path));
        };
        self.unknown(rule.kind, text, reason);
        None
    }

    /// A pattern that matches nothing is often legitimate: what it is for is still to come.
    fn glob(&mut self, text: &Text, rule: Rule, bases: &[&str], path: &str) {
        let mut lookup = Lookup::new(self.project, Want::Any);
        for base in bases {
            let Some(pattern) = join(base, path) else { return self.unknown(rule.kind, text, Reason::Outside) };
            match first_match(self.project.tree(), &pattern) {
                Ok(Some(path)) => {
                    let verdict = Verdict::Found(Target { path });
                    return self.add(rule.kind, text, (verdict, vec![pattern]));
                }
                Ok(None) => _ = lookup.try_path(Some(pattern)),
                Err(()) => return self.unknown(rule.kind, text, Reason::Undecided("a pattern".to_owned())),
            }
        }
        self.add(rule.kind, text, lookup.missing(Severity::Hint));
    }

    /// One text that names a file of a package: what lies outside of it is not there for who gets the package.
    pub(crate) fn packed(&mut self, text: &Text, rule: Rule) {
        let Some(path) = self.path(text, rule) else { return };
        let here = self.here();
        let answer = Lookup::new(self.project, rule.want).verdict(rule.severity, [join(here, &path)]);
        self.add(rule.kind, text, (packed(here, answer.0), answer.1));
    }

    /// Puts a literal about which nobody can say into the list.
    pub(crate) fn unknown(&mut self, kind: &'static str, text: &Text, reason: Reason) {
        self.add(kind, text, (Verdict::Unknown(reason), Vec::new()));
    }

    /// Puts a literal into the list.
    pub(crate) fn add(&mut self, kind: &'static str, text: &Text, (mut verdict, tried): (Verdict, Vec<String>)) {
        if let Verdict::Missing(missing) = &mut verdict
            && is_foreign(self.source.path())
            // An editor's schema and a tool's own unit tests are not what a test is about.
            && !(is_fixture(self.source.path()) && matches!(kind, "json.schema" | "yaml.promtool.rule-files"))
        {
            missing.severity = Severity::Hint;
        }
        // A folded or continued text is not what is written; and what a parser places badly is nobody's literal.
        let offset = self.source.offset();
        let written = self.source.text().get(text.range.clone());
        if written.is_none_or(|written| written.is_empty() || written.contains('\n')) {
            return;
        }
        let range = text.range.start + offset..text.range.end + offset;
        self.found.push(Checked { kind, range, verdict, tried });
    }
}

/// What a package in the directory `here` names and does not hold is there in the repository, and nowhere else.
pub(crate) fn packed(here: &str, verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Found(Target { path }) if !here.is_empty() && !within(&path, here) => Verdict::Missing(Missing {
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

/// Whether a file is no part of how this repository works: it is there for tests to read (what its paths lead to is
/// what the test is about), it was copied from another repository without the rest, or others complete it.
pub(crate) fn is_foreign(path: &str) -> bool {
    const COPIED: [&str; 12] = [
        "vendor",
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
    is_fixture(path) || parent(path).split('/').any(|name| COPIED.contains(&name))
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
    // `tests/tsconfig.json` and `tests/e2e/package.json` are the tests' own.
    tests.is_some_and(|at| directories.len() > at + 2) || directories.iter().any(|name| DIRECTORIES.contains(name))
}

/// `$NAME`, as shells, compose and the like read it.
pub(crate) fn has_variable(text: &str) -> bool {
    text.match_indices('$').any(|(at, _)| {
        text[at + 1..].starts_with(|next: char| next.is_ascii_uppercase() || matches!(next, '_' | '{' | '('))
    })
}
