//! `StringChecker`: the verdict on one string that looks like a path.

use std::ops::Range;

use super::{context, path_like};
use pathfinder_literals::path::{ancestors, extension, join, name, parent, strip_parent_steps};
use pathfinder_literals::report::{is_fixture, unknown};
use pathfinder_literals::{Kind, Lookup, Project, Reason, Resolution, Severity, Verdict, Want};

/// Files that make a directory a package. Paths are often relative to a package.
const PACKAGE_MANIFESTS: [&str; 12] = [
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
const OUTPUT_DIRECTORIES: [&str; 22] = [
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

/// Extensions of files that programs write while they run.
const RUNTIME_EXTENSIONS: [&str; 10] = ["bak", "cache", "class", "db", "log", "out", "pid", "sock", "sqlite", "tmp"];

/// Extensions of compiled files, with those of their sources.
const COMPILED_EXTENSIONS: [(&str, &[&str]); 9] = [
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

/// Parts of names of files that are not expected to exist.
const PLACEHOLDER_WORDS: [&str; 23] = [
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

/// Checks the strings of one file.
pub(super) struct StringChecker<'a> {
    project: &'a Project,
    path: &'a str,
    text: &'a str,
    directory: &'a str,
    /// Directories that a path without leading `./` or `../` can be relative to: that of the file, packages above it, the root.
    bases: Vec<&'a str>,
    /// The byte at which tests begin. Tests often name files that do not exist.
    tests_start: usize,
}

impl<'a> StringChecker<'a> {
    /// Creates the checker of one file.
    pub(super) fn new(project: &'a Project, path: &'a str, text: &'a str) -> Self {
        let directory = parent(path);
        let is_package = |at: &str| {
            at.is_empty()
                || at == directory
                || PACKAGE_MANIFESTS
                    .iter()
                    .any(|name| join(at, name).is_some_and(|file| project.tree().kind(&file).is_some()))
        };
        let bases = ancestors(directory).filter(|at| is_package(at)).collect();
        let tests_start = if is_test(path) { 0 } else { text.find("#[cfg(test)]").unwrap_or(text.len()) };
        Self { project, path, text, directory, bases, tests_start }
    }

    /// Returns the verdict on the string with this content range.
    pub(super) fn outcome(&self, range: &Range<usize>) -> Resolution {
        let written = &self.text[range.clone()];
        let project = self.project;
        if project.settings().aliases.iter().any(|(prefix, _)| written.starts_with(prefix.as_str())) {
            return unknown(Reason::Undecided("an alias".to_owned()));
        }
        // Drops candidates that lead out of the root; from another directory the string may resolve.
        let paths: Vec<String> = ancestors(self.directory).filter_map(|at| join(at, written)).collect();
        let lookup = Lookup::new(project, Want::Any);
        let (verdict, tried) = lookup.verdict(Severity::Hint, paths.into_iter().map(Some));
        let Verdict::Missing(missing) = &verdict else { return (verdict, tried) };
        match self.unknown_reason(written, range, missing.instead.is_some()) {
            Some(reason) => (Verdict::Unknown(reason), tried),
            None => (verdict, tried),
        }
    }

    /// Returns why a missing path need not be wrong. `is_known` is true if it exists in another spelling or existed once.
    fn unknown_reason(&self, written: &str, range: &Range<usize>, is_known: bool) -> Option<Reason> {
        let project = self.project;
        let Some(tail) = strip_parent_steps(written) else { return Some(Reason::Outside) };
        if let Some(path) = project.find_by_suffix(&tail) {
            return Some(Reason::Undecided(path.to_owned()));
        }
        if !is_known && !self.begins_in_project(written) {
            return Some(Reason::Elsewhere);
        }
        let is_data = RUNTIME_EXTENSIONS.contains(&extension(&tail).as_str());
        // Sphinx and its themes add files to `_static`.
        let is_sphinx = tail.starts_with("_static/") && name(self.path) == "conf.py";
        if is_data || is_sphinx || self.is_in_missing_output(written) || self.is_compiled(&tail) {
            return Some(Reason::Produced("a build".to_owned()));
        }
        let small = name(&tail).to_ascii_lowercase();
        let is_placeholder = tail.starts_with("path/to")
            || small.starts_with("no-")
            || small.starts_with("no_")
            || PLACEHOLDER_WORDS.iter().any(|part| small.contains(part));
        if is_placeholder || range.start >= self.tests_start && !self.has_specific_directory(written) {
            return Some(Reason::Optional);
        }
        context::unknown_reason(self.text, range)
    }

    /// Returns whether the path begins with a directory of the project.
    ///
    /// A path with leading `./` or `../` is taken relative to the file's directory and those above it, any other relative to
    /// `bases`. A name alone (`./config.json`) may be a file of the user that runs the code.
    fn begins_in_project(&self, written: &str) -> bool {
        let steps = path_like::count_steps(written);
        let Some((directories, file)) = written.rsplit_once('/') else { return false };
        let Some(head) = directories.split('/').nth(steps) else { return false };
        // Every npm package has one, and directories are named like packages.
        if file == "package.json" && steps == 0 {
            return false;
        }
        let up = "../".repeat(written.split('/').take(steps).filter(|step| *step == "..").count());
        let begin = format!("{up}{head}");
        self.bases.iter().any(|at| self.is_directory(at, &begin))
            || steps > 0 && ancestors(self.directory).any(|at| self.is_directory(at, &begin))
    }

    /// Returns whether `path` is a directory relative to `at`.
    fn is_directory(&self, at: &str, path: &str) -> bool {
        join(at, path).is_some_and(|path| self.project.tree().kind(&path) == Some(Kind::Directory))
    }

    /// Returns whether a path leads through an output directory that does not exist.
    fn is_in_missing_output(&self, written: &str) -> bool {
        let is_written = written.split('/').any(|segment| OUTPUT_DIRECTORIES.contains(&segment));
        is_written && !self.bases.iter().any(|at| self.is_directory(at, parent(written)))
    }

    /// Returns whether the path can be compiled from an existing file.
    fn is_compiled(&self, tail: &str) -> bool {
        let Some((stem, ending)) = tail.rsplit_once('.') else { return false };
        let from = COMPILED_EXTENSIONS.iter().find(|(to, _)| *to == ending).map_or(&[][..], |(_, from)| from);
        from.iter().any(|from| self.project.find_by_suffix(&format!("{stem}.{from}")).is_some())
    }

    /// Returns whether the directory of a path exists and is specific to this project, so that a test that names a file in it
    /// expects the file.
    fn has_specific_directory(&self, written: &str) -> bool {
        let directory = parent(written);
        let tail = strip_parent_steps(directory).unwrap_or_default();
        let is_special = tail.contains('/') || is_fixture(&format!("{tail}/x"));
        is_special && self.bases.iter().any(|at| self.is_directory(at, directory))
    }
}

/// Returns whether a file is a test, by its name or its directories.
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
    const STEM_SUFFIXES: [&str; 9] = ["_test", "_tests", "-test", "-tests", "_spec", "-spec", "Test", "Tests", "Spec"];
    let file = name(path);
    let stem = file.split('.').next().unwrap_or(file);
    stem.starts_with("test")
        || STEM_SUFFIXES.iter().any(|end| stem.ends_with(end))
        || [".test.", ".spec.", ".tests.", ".stories."].iter().any(|mark| file.contains(mark))
        || path.split('/').rev().skip(1).any(|segment| {
            let segment = segment.to_ascii_lowercase();
            DIRECTORIES.contains(&segment.as_str()) || segment.ends_with("test") || segment.ends_with("tests")
        })
}
