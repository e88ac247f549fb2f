//! `Report`: one file's literals on their way out. It knows the file, so that a language says only where in the text a
//! literal stands and what is known of it.

use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict};
use crate::lookup::{Lookup, Want};
use crate::path::extension;
use crate::places::tail;
use crate::producer;
use crate::project::Project;
use crate::source::Source;

/// A verdict, and what was tried for it.
pub(crate) type Outcome = (Verdict, Vec<String>);

/// Where the literals of one file go.
pub(crate) struct Report<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) project: &'a Project,
    found: &'a mut Vec<Checked>,
}

impl<'a> Report<'a> {
    /// For one file.
    pub(crate) fn new(source: &'a Source<'a>, project: &'a Project, found: &'a mut Vec<Checked>) -> Self {
        Self { source, project, found }
    }

    /// Adds the literal of `length` bytes that stands at `at` in the text.
    pub(crate) fn add(&mut self, kind: &'static str, at: usize, length: usize, (verdict, tried): Outcome) {
        let start = at + self.source.offset();
        // A name that only this file itself has, in another case, is that of another file: no file names itself.
        let is_itself = matches!(&verdict, Verdict::Missing(Missing { code: Code::CaseMismatch, instead: Some(path), .. })
            if path == self.source.path());
        let verdict = if is_itself { Verdict::Unknown(Reason::Elsewhere) } else { verdict };
        let verdict = self.tracked_before(kind, &verdict, &tried).unwrap_or(verdict);
        self.found.push(Checked { kind, range: start..start + length, verdict, tried });
    }

    /// The verdict on a path that a build seems to make or a condition to leave out, if git moved it: it was a file of the
    /// repository, so that the guess is wrong.
    fn tracked_before(&self, kind: &str, verdict: &Verdict, tried: &[String]) -> Option<Verdict> {
        match verdict {
            Verdict::Unknown(Reason::Produced(_)) => {}
            // Python's optional imports are for versions that have other modules.
            Verdict::Unknown(Reason::Optional) if kind.starts_with("rust.") => {}
            _ => return None,
        }
        let tree = self.project.tree();
        // A file that moved to another extension, or to a template, is made since.
        let moved = |path: &&String| {
            let to = tree.moved(path)?.to;
            let is_made = extension(&to) != extension(path)
                || producer::by_convention(path).is_some()
                || producer::template(tree, path).is_some()
                || tree.is_ignored(path);
            (!is_made).then_some(())
        };
        let path = tried.iter().find(|path| moved(path).is_some())?;
        let to = tree.moved(path)?;
        Some(Verdict::Missing(Missing {
            code: Code::MovedPath,
            severity: severity_in(self.source.path(), Severity::Error),
            reason: format!("moved to {} in {}", to.to, to.commit),
            wanted: path.clone(),
            want: Want::Any,
            instead: Some(to.to),
        }))
    }

    /// Adds a literal of which nobody can say.
    pub(crate) fn unknown(&mut self, kind: &'static str, at: usize, length: usize, reason: Reason) {
        self.add(kind, at, length, unknown(reason));
    }
}

/// Nobody can say.
pub(crate) fn unknown(reason: Reason) -> Outcome {
    (Verdict::Unknown(reason), Vec::new())
}

/// The rule where what decides is not known: the candidates are tried, and if none is there, the literal is missing only
/// if no directory of the tree would make it resolve, and its head is a name that the project has.
pub(crate) fn undecided(
    project: &Project,
    want: Want,
    severity: Severity,
    literal: &str,
    candidates: impl IntoIterator<Item = Option<String>>,
) -> Outcome {
    let (verdict, tried) = Lookup::new(project, want).verdict(severity, candidates);
    if !matches!(verdict, Verdict::Missing(_)) {
        return (verdict, tried);
    }
    let Some(tail) = tail(literal) else { return (Verdict::Unknown(Reason::Outside), tried) };
    if let Some(path) = project.ending_in(&tail) {
        return (Verdict::Unknown(Reason::Undecided(path.to_owned())), tried);
    }
    let head = tail.split('/').next().unwrap_or_default();
    // Names of files are known without their extensions.
    let head = if tail.contains('/') { head } else { head.split('.').next().unwrap_or(head) };
    if !project.has_name(head) {
        if let Some(outcome) = moved_away(project, want, severity, literal, tried.iter().cloned().map(Some)) {
            return outcome;
        }
        return (Verdict::Unknown(Reason::Elsewhere), tried);
    }
    (verdict, tried)
}

/// The rule where what decides is not known and nothing of what the tree has fits: history may know the path that was meant.
/// `literal` is what is written, with `/` between its segments; `paths` are what it would be, where it is looked for. It is
/// told only where nothing in the tree ends alike (that could be found from another directory), and where the file went under
/// its own extension: a header that became `x.h.in` is made now.
pub(crate) fn moved_away(
    project: &Project,
    want: Want,
    severity: Severity,
    literal: &str,
    paths: impl IntoIterator<Item = Option<String>>,
) -> Option<Outcome> {
    let count = tail(literal)?.split('/').count();
    let path = paths.into_iter().flatten().find(|path| {
        let Some(moved) = project.tree().moved(path) else { return false };
        let start = path.rmatch_indices('/').nth(count - 1).map_or(0, |(at, _)| at + 1);
        extension(&moved.to) == extension(path) && project.ending_in(&path[start..]).is_none()
    })?;
    let outcome = Lookup::new(project, want).verdict(severity, [Some(path)]);
    matches!(&outcome.0, Verdict::Missing(missing) if missing.instead.is_some()).then_some(outcome)
}

/// The first of these paths that some directory of the tree would make resolve.
pub(crate) fn anywhere(project: &Project, paths: impl IntoIterator<Item = impl AsRef<str>>) -> Option<&str> {
    paths.into_iter().filter_map(|path| tail(path.as_ref())).find_map(|tail| project.ending_in(&tail))
}

/// Whether a file is input of tests, a sample, or a copy of something else's file: what it names is often not meant to be
/// there.
pub fn is_fixture(path: &str) -> bool {
    const NAMES: [&str; 32] = [
        "__fixtures__",
        "__mocks__",
        "__snapshots__",
        "__tests__",
        "baselines",
        "boilerplate",
        "conformance",
        "cookiecutter",
        "corpus",
        "fixture",
        "fixtures",
        "golden",
        "goldens",
        "scaffold",
        "skeleton",
        "snapshots",
        "specs",
        "template",
        "templates",
        "test-cases",
        "test-data",
        "test-fixtures",
        "test-suite",
        "test_cases",
        "test_data",
        "test_fixtures",
        "test_suite",
        "testcases",
        "testdata",
        "testfixtures",
        "testsuite",
        "tmpl",
    ];
    // A build tool's own playground tries out what no other project can do; a site's `wwwroot/lib` has copies of libraries.
    path.starts_with("playground/")
        || ["test/data/", "tests/data/", "wwwroot/lib/"].iter().any(|part| path.contains(part))
        || is_in(path, &NAMES)
        || is_copy(path)
}

/// Whether a file is a copy of another project's: what it names lies there.
pub(crate) fn is_copy(path: &str) -> bool {
    const NAMES: [&str; 10] = [
        "3rdparty",
        "bower_components",
        "deps",
        "extern",
        "external",
        "externals",
        "third-party",
        "third_party",
        "thirdparty",
        "vendor",
    ];
    is_in(path, &NAMES)
}

/// Whether one of the directories that a file is in has one of these names.
fn is_in(path: &str, names: &[&str]) -> bool {
    path.split('/').rev().skip(1).any(|segment| names.contains(&segment.to_ascii_lowercase().as_str()))
}

/// The severity of a finding in this file: a sample's findings are hints.
pub(crate) fn severity_in(path: &str, severity: Severity) -> Severity {
    if is_fixture(path) { Severity::Hint } else { severity }
}
