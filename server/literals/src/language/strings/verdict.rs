//! The verdict on one string.

use std::ops::Range;

use super::{around, shape};
use crate::checked::{Reason, Severity, Verdict};
use crate::language::html::site::ancestors;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, join, name, parent};
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

/// Endings of what programs write while they run.
const WRITTEN: [&str; 10] = ["bak", "cache", "class", "db", "log", "out", "pid", "sock", "sqlite", "tmp"];

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
const ABSENT: [&str; 23] = [
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
];

/// A file whose strings are looked at.
pub(super) struct Place<'a> {
    project: &'a Project,
    path: &'a str,
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
        Self { project, path, text, directory, bases, tests }
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
        let Verdict::Missing(missing) = &verdict else { return (verdict, tried) };
        match self.doubt(written, range, missing.instead.is_some()) {
            Some(reason) => (Verdict::Unknown(reason), tried),
            None => (verdict, tried),
        }
    }

    /// Why a path that is not there need not be wrong; `is_known`: another name of it is there, or was once.
    fn doubt(&self, written: &str, range: &Range<usize>, is_known: bool) -> Option<Reason> {
        let project = self.project;
        let Some(tail) = tail(written) else { return Some(Reason::Outside) };
        if let Some(path) = project.ending_in(&tail) {
            return Some(Reason::Undecided(path.to_owned()));
        }
        if !is_known && !self.is_own(written) {
            return Some(Reason::Elsewhere);
        }
        let is_data = WRITTEN.contains(&extension(&tail).as_str());
        // Sphinx and its themes bring files of their own there.
        let is_sphinx = tail.starts_with("_static/") && name(self.path) == "conf.py";
        if is_data || is_sphinx || self.is_made(written) || self.is_compiled(&tail) {
            return Some(Reason::Produced("a build".to_owned()));
        }
        let small = name(&tail).to_ascii_lowercase();
        let is_absent = tail.starts_with("path/to")
            || small.starts_with("no-")
            || small.starts_with("no_")
            || ABSENT.iter().any(|part| small.contains(part));
        if is_absent || range.start >= self.tests && !self.is_near(written) {
            return Some(Reason::Optional);
        }
        around::reason(self.text, range)
    }

    /// Whether a path begins with a directory that the project has: from the root or a package for one that says not
    /// where it begins, from the file's directory or one above it for one that does. A name alone (`./config.json`) is
    /// that of a file of whoever runs the code.
    fn is_own(&self, written: &str) -> bool {
        let steps = shape::steps(written);
        let Some((directories, file)) = written.rsplit_once('/') else { return false };
        let Some(head) = directories.split('/').nth(steps) else { return false };
        // The packages of Node have one each, and their names are those of directories.
        if file == "package.json" && steps == 0 {
            return false;
        }
        let up = "../".repeat(written.split('/').take(steps).filter(|step| *step == "..").count());
        let begin = format!("{up}{head}");
        self.bases.iter().any(|at| self.is_directory(at, &begin))
            || steps > 0 && ancestors(self.directory).any(|at| self.is_directory(at, &begin))
    }

    /// Whether there is a directory at a path as seen from another.
    fn is_directory(&self, at: &str, path: &str) -> bool {
        join(at, path).is_some_and(|path| self.project.tree().kind(&path) == Some(Kind::Directory))
    }

    /// Whether a path leads through a directory that tools write, and that is not there.
    fn is_made(&self, written: &str) -> bool {
        let is_written = written.split('/').any(|segment| MADE.contains(&segment));
        is_written && !self.bases.iter().any(|at| self.is_directory(at, parent(written)))
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
        is_special && self.bases.iter().any(|at| self.is_directory(at, directory))
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
    const ENDS: [&str; 9] = ["_test", "_tests", "-test", "-tests", "_spec", "-spec", "Test", "Tests", "Spec"];
    let file = name(path);
    let stem = file.split('.').next().unwrap_or(file);
    stem.starts_with("test")
        || ENDS.iter().any(|end| stem.ends_with(end))
        || [".test.", ".spec.", ".tests.", ".stories."].iter().any(|mark| file.contains(mark))
        || path.split('/').rev().skip(1).any(|segment| {
            let segment = segment.to_ascii_lowercase();
            DIRECTORIES.contains(&segment.as_str()) || segment.ends_with("test") || segment.ends_with("tests")
        })
}
