//! The verdict on one string.

use std::ops::Range;

use super::{around, shape};
use crate::checked::{Reason, Severity, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{join, name, parent};
use crate::places::tail;
use crate::project::Project;
use crate::report::{Outcome, is_fixture, unknown};
use crate::tree::Kind;

/// Files that make a directory a package: paths are often relative to it.
const PACKAGES: [&str; 12] = [
    "Cargo.toml",
    "CMakeLists.txt",
    "Gemfile",
    "Makefile",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "go.mod",
    "package.json",
    "pom.xml",
    "pubspec.yaml",
    "setup.py",
];

/// Directories that tools write to.
const MADE: [&str; 22] = [
    "_output",
    "artifacts",
    "bin",
    "build",
    "cache",
    "coverage",
    "dist",
    "gen",
    "generated",
    "log",
    "logs",
    "lib64",
    "node_modules",
    "obj",
    "out",
    "output",
    "reports",
    "results",
    "site",
    "target",
    "temp",
    "tmp",
];

/// Endings of what is compiled, with those of what it is compiled from.
const COMPILED: [(&str, &[&str]); 9] = [
    ("css", &["scss", "less", "sass", "styl"]),
    ("html", &["md", "rst", "adoc", "pug", "hbs", "haml"]),
    ("js", &["ts", "tsx", "coffee", "jsx"]),
    ("mjs", &["mts"]),
    ("cjs", &["cts"]),
    ("map", &["js", "ts", "css"]),
    ("o", &["c", "cc", "cpp"]),
    ("mo", &["po"]),
    ("pdf", &["tex", "md", "rst"]),
];

/// Parts of names that say that nothing is meant to be there.
const ABSENT: [&str; 24] = [
    "absent",
    "bad",
    "bar.",
    "baz",
    "doesn",
    "doesnt",
    "dummy",
    "example",
    "fake",
    "foo",
    "hello",
    "invalid",
    "missing",
    "my-",
    "my_",
    "nope",
    "noexist",
    "nonexist",
    "non-exist",
    "non_exist",
    "not-",
    "not_",
    "unknown",
    "path/to",
];

/// A file whose strings are looked at.
pub(super) struct Place<'a> {
    project: &'a Project,
    text: &'a str,
    directory: &'a str,
    /// From which a path can begin without a step: the file's directory, packages above it, the root.
    bases: Vec<&'a str>,
    /// Where in the text tests begin, which make up most of what they name.
    tests: usize,
}

impl<'a> Place<'a> {
    /// For one file.
    pub(super) fn new(project: &'a Project, path: &'a str, text: &'a str) -> Self {
        let directory = parent(path);
        let is_package = |at: &str| {
            at.is_empty()
                || at == directory
                || PACKAGES.iter().any(|name| join(at, name).is_some_and(|file| project.tree().kind(&file).is_some()))
        };
        let bases = ancestors(directory).filter(|at| is_package(at)).collect();
        let tests = if is_test(path) { 0 } else { text.find("#[cfg(test)]").unwrap_or(text.len()) };
        Self { project, text, directory, bases, tests }
    }

    /// The verdict on the string that stands here.
    pub(super) fn outcome(&mut self, range: &Range<usize>) -> Outcome {
        let written = &self.text[range.clone()];
        let project = self.project;
        if project.says().aliases.iter().any(|(prefix, _)| written.starts_with(prefix.as_str())) {
            return unknown(Reason::Undecided("an alias".to_owned()));
        }
        // A step up from the root is no path from there; from another directory it may be.
        let paths: Vec<String> = ancestors(self.directory).filter_map(|at| join(at, written)).collect();
        let lookup = Lookup::new(project, Want::Any);
        let (verdict, tried) = lookup.verdict(Severity::Hint, paths.into_iter().map(Some));
        if !matches!(verdict, Verdict::Missing(_)) {
            return (verdict, tried);
        }
        match self.doubt(written, range) {
            Some(reason) => (Verdict::Unknown(reason), tried),
            None => (verdict, tried),
        }
    }

    /// Why a path that is not there need not be wrong.
    fn doubt(&self, written: &str, range: &Range<usize>) -> Option<Reason> {
        let project = self.project;
        let Some(tail) = tail(written) else { return Some(Reason::Outside) };
        if let Some(path) = project.ending_in(&tail) {
            return Some(Reason::Undecided(path.to_owned()));
        }
        if !self.is_own(written) {
            return Some(Reason::Elsewhere);
        }
        if tail.split('/').any(|segment| MADE.contains(&segment)) || self.is_compiled(&tail) {
            return Some(Reason::Produced("a build".to_owned()));
        }
        let small = tail.to_ascii_lowercase();
        if ABSENT.iter().any(|part| small.contains(part)) || range.start >= self.tests && !self.is_near(written) {
            return Some(Reason::Optional);
        }
        around::reason(self.text, range)
    }

    /// Whether a path begins where the project has something.
    fn is_own(&self, written: &str) -> bool {
        let steps = shape::steps(written);
        let head = written.split('/').nth(steps).unwrap_or_default();
        let is_directory =
            |at: &str| join(at, head).is_some_and(|path| self.project.tree().kind(&path) == Some(Kind::Directory));
        steps > 0 || self.bases.iter().any(|at| is_directory(at))
    }

    /// Whether what a path names can be compiled from a file that is there.
    fn is_compiled(&self, tail: &str) -> bool {
        let Some((stem, ending)) = tail.rsplit_once('.') else { return false };
        let from = COMPILED.iter().find(|(to, _)| *to == ending).map_or(&[][..], |(_, from)| from);
        from.iter().any(|from| self.project.ending_in(&format!("{stem}.{from}")).is_some())
    }

    /// Whether the directory is there in which a test looks for a file, and is one that only this project has: other
    /// files of it are there.
    fn is_near(&self, written: &str) -> bool {
        let directory = parent(written);
        let tail = tail(directory).unwrap_or_default();
        let is_special = tail.contains('/') || is_fixture(&format!("{tail}/x"));
        is_special
            && self.bases.iter().any(|at| {
                join(at, directory).is_some_and(|path| self.project.tree().kind(&path) == Some(Kind::Directory))
            })
    }
}

/// Whether a file is a test, by its name or its directory.
fn is_test(path: &str) -> bool {
    const DIRECTORIES: [&str; 14] = [
        "__tests__",
        "bench",
        "benches",
        "benchmarks",
        "e2e",
        "examples",
        "integration",
        "samples",
        "spec",
        "test",
        "testing",
        "testlib",
        "tests",
        "unittests",
    ];
    let file = name(path).to_ascii_lowercase();
    let stem = file.split('.').next().unwrap_or(&file);
    let is_named = |stem: &str| {
        stem.starts_with("test") || ["test", "tests", "spec", "specs"].iter().any(|end| stem.ends_with(end))
    };
    is_named(stem)
        || [".test.", ".spec.", ".tests.", ".stories."].iter().any(|mark| file.contains(mark))
        || path.split('/').rev().skip(1).any(|segment| {
            let segment = segment.to_ascii_lowercase();
            DIRECTORIES.contains(&segment.as_str()) || segment.ends_with("test") || segment.ends_with("tests")
        })
}
