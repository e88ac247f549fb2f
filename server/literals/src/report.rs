//! `Report`: collects the literals of one file with their verdicts. Languages add to it; `check` returns its content.
//!
//! It also has the verdict rules that several languages share: unknown base directories, moved files, fixtures.

use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::generated;
use crate::literal_kind::LiteralKind;
use crate::lookup::Lookup;
use crate::path::{extension, first_places, is_within, strip_parent_steps};
use crate::path_memo::PathMemo;
use crate::project::Project;
use crate::source::Source;
use crate::tree::Kind;

/// A verdict with the paths that were tried for it.
pub type Resolution = (Verdict, Vec<String>);

/// Collects the literals of one file.
pub struct Report<'a> {
    /// The file.
    pub source: &'a Source<'a>,
    /// The project of the file.
    pub project: &'a Project,
    found: &'a mut Vec<Checked>,
    reports_moved_optional: bool,
}

impl<'a> Report<'a> {
    /// Creates the report of one file; literals are appended to `found`.
    pub fn new(source: &'a Source<'a>, project: &'a Project, found: &'a mut Vec<Checked>) -> Self {
        Self { source, project, found, reports_moved_optional: false }
    }

    /// Also reports an optional literal whose target a commit moved. Without this only generated targets are reported: the
    /// imports of a language can be optional for versions that have other modules.
    #[must_use]
    pub fn with_moved_optional(self) -> Self {
        Self { reports_moved_optional: true, ..self }
    }

    /// Adds the literal of `length` bytes at byte `at` of the text.
    pub fn add(&mut self, kind: LiteralKind, at: usize, length: usize, (verdict, tried): Resolution) {
        let start = at + self.source.offset();
        // No file names itself: a literal that matches only its own file in another case names another file.
        let is_itself = matches!(&verdict, Verdict::Missing(Missing { code: Code::CaseMismatch, instead: Some(path), .. })
            if path == self.source.path());
        let verdict = if is_itself { Verdict::Unknown(Reason::Elsewhere) } else { verdict };
        let verdict = self.moved_finding(&verdict, &tried).unwrap_or(verdict);
        self.found.push(Checked { kind, range: start..start + length, verdict, tried });
    }

    /// Returns the finding for a path that seems generated, ignored, of a submodule or optional but was moved by a commit. It was a file of the
    /// repository, so the guess is wrong.
    fn moved_finding(&self, verdict: &Verdict, tried: &[String]) -> Option<Verdict> {
        match verdict {
            // Another of the tried paths is the ignored one: those of a commit are asked for below.
            // A submodule can have any header, but not a path that was in this repository outside of it.
            Verdict::Unknown(Reason::Produced(_) | Reason::Ignored(_) | Reason::Submodule(_)) => {}
            Verdict::Unknown(Reason::Optional) if self.reports_moved_optional => {}
            _ => return None,
        }
        let tree = self.project.tree();
        // A file that moved to another extension or to a template has been generated since.
        let moved = |path: &&String| {
            let to = tree.moved(path)?.to;
            let is_generated = extension(&to) != extension(path)
                || generated::is_template_of(&to, path)
                || generated::tool_by_convention(path).is_some()
                || self.project.find_template(path).is_some()
                || tree.is_ignored(path)
                || matches!(verdict, Verdict::Unknown(Reason::Submodule(at)) if is_within(path, at));
            (!is_generated).then_some(())
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

    /// Adds a literal with an unknown verdict.
    pub fn unknown(&mut self, kind: LiteralKind, at: usize, length: usize, reason: Reason) {
        self.add(kind, at, length, unknown(reason));
    }
}

/// The name of what decides the targets of a page that a program fills in.
pub const FILLED_IN_PAGE: &str = "a template";

/// Returns an unknown verdict without tried paths.
pub fn unknown(reason: Reason) -> Resolution {
    (Verdict::Unknown(reason), Vec::new())
}

/// Resolves a literal whose base directory is not known.
///
/// The candidates are tried first. If none exists, the literal is missing only if no directory of the tree would make it
/// resolve and its first segment is a name in the project.
pub fn resolve_without_base(
    project: &Project,
    want: Want,
    severity: Severity,
    literal: &str,
    candidates: impl IntoIterator<Item = Option<String>>,
) -> Resolution {
    let (verdict, tried) = Lookup::new(project, want).verdict(severity, candidates);
    if !matches!(verdict, Verdict::Missing(_)) {
        return (verdict, tried);
    }
    let Some(tail) = strip_parent_steps(literal) else { return (Verdict::Unknown(Reason::Outside), tried) };
    if let Some(path) = project.find_by_suffix(&tail) {
        return (Verdict::Unknown(Reason::Undecided(path.to_owned())), tried);
    }
    let head = tail.split('/').next().unwrap_or_default();
    // `Project::has_name` has file names without their extensions.
    let head = if tail.contains('/') { head } else { head.split('.').next().unwrap_or(head) };
    if !project.has_name(head) {
        if let Some(outcome) = find_moved_target(project, want, severity, literal, tried.iter().cloned().map(Some)) {
            return outcome;
        }
        return (Verdict::Unknown(Reason::Elsewhere), tried);
    }
    (verdict, tried)
}

/// Looks for the target of a literal in git's history, if its base directory is not known and no existing path fits.
///
/// `literal` is the written text with `/` between segments; `paths` are its candidates. A moved file counts only if no existing
/// path ends in the same segments (another directory could make that resolve) and if it kept its extension: a header that
/// became `x.h.in` is generated now.
pub fn find_moved_target(
    project: &Project,
    want: Want,
    severity: Severity,
    literal: &str,
    paths: impl IntoIterator<Item = Option<String>>,
) -> Option<Resolution> {
    let count = strip_parent_steps(literal)?.split('/').count();
    let path = first_places(paths.into_iter().flatten()).find(|path| {
        let Some(moved) = project.tree().moved(path) else { return false };
        let start = path.rmatch_indices('/').nth(count - 1).map_or(0, |(at, _)| at + 1);
        extension(&moved.to) == extension(path) && project.find_by_suffix(&path[start..]).is_none()
    })?;
    let outcome = Lookup::new(project, want).verdict(severity, [Some(path)]);
    matches!(&outcome.0, Verdict::Missing(missing) if missing.instead.is_some()).then_some(outcome)
}

/// Returns the miss of a path that leads out of the repository, if the rest of it is a file: the path has too many `..` steps. A
/// repository needs no file outside.
pub fn find_inside(project: &Project, written: &str, severity: Severity) -> Option<Missing> {
    let tree = project.tree();
    let wanted = strip_parent_steps(written).filter(|_| tree.kind(".git").is_some())?;
    let is_file = tree.kind(&wanted) == Some(Kind::File);
    let reason = format!("{written} leads out of the repository");
    is_file.then_some(Missing { code: Code::MissingPath, severity, reason, wanted, want: Want::File, instead: None })
}

/// Returns the first existing path that one of `paths` resolves to from any directory of the tree.
pub fn find_in_any_directory(project: &Project, paths: impl IntoIterator<Item = impl AsRef<str>>) -> Option<&str> {
    paths
        .into_iter()
        .filter_map(|path| strip_parent_steps(path.as_ref()))
        .find_map(|tail| project.find_by_suffix(&tail))
}

/// Returns whether a path says that nothing is there, as paths of tests do: `no-such-file.md`.
pub fn says_missing(path: &str) -> bool {
    const WORDS: [&str; 6] = ["doesntexist", "donotexist", "noexist", "nonexist", "nosuch", "notexist"];
    let letters: String = path.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    WORDS.iter().any(|word| letters.contains(word))
}

/// Returns whether a file is a test input, a sample or a vendored copy. The paths in such files often need not exist.
pub fn is_fixture(path: &str) -> bool {
    thread_local! {
        static KNOWN: PathMemo<bool> = const { PathMemo::new() };
    }
    KNOWN.with(|known| known.get(path, has_name_of_fixture))
}

/// Returns whether one of the names beside a file is that of the output of a test, whose input the file is: `expected.html` beside
/// `source.html`. It has the ending of the file; other files of tests can have the word in their names.
pub fn has_test_result(names: &[String], own: &str) -> bool {
    let is_result = |name: &str| {
        let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
        let is_word = ["actual", "expected", "output"].iter().any(|word| stem.eq_ignore_ascii_case(word));
        is_word && own.split_once('.').is_some_and(|(_, own)| own == ending)
    };
    names.iter().any(|name| name != own && is_result(name))
}

/// Computes the answer of [`is_fixture`].
fn has_name_of_fixture(path: &str) -> bool {
    const FIXTURE_DIRECTORIES: [&str; 36] = [
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
        "test data",
        "test-cases",
        "test-data",
        "test-files",
        "test-fixtures",
        "test-suite",
        "test_cases",
        "test_data",
        "test_files",
        "test_fixtures",
        "test_suite",
        "testcases",
        "testdata",
        "testfiles",
        "testfixtures",
        "testsuite",
        "tmpl",
    ];
    let packages = without_packages(path);
    let code = without_code_names(packages);
    let path = code.as_deref().unwrap_or(packages);
    // The playground of a build tool uses features that no other project has; `wwwroot/lib` of a site has copies of libraries.
    path.starts_with("playground/")
        || path.contains("wwwroot/lib/")
        || is_data_of_tests(path)
        || is_below_any(path, &FIXTURE_DIRECTORIES)
        || is_vendored(path)
}

/// Returns whether a path lies in a directory of data below one of tests, however deep: `tests/parser/data/page.html`.
fn is_data_of_tests(path: &str) -> bool {
    let mut directories = path.split('/').rev().skip(1);
    directories.any(|name| name == "data") && directories.any(|name| matches!(name, "test" | "tests"))
}

/// The part of a path down to a source root of the JVM: `src/main/java`. The names below are those of packages, which are compiled
/// whatever they are called.
pub fn without_packages(path: &str) -> &str {
    const LANGUAGES: [&str; 4] = ["groovy", "java", "kotlin", "scala"];
    let mut at = 0;
    let mut last = ["", ""];
    for segment in path.split_inclusive('/') {
        at += segment.len();
        let name = segment.trim_end_matches('/');
        if last[0] == "src" && LANGUAGES.contains(&name) && segment.len() > name.len() {
            return &path[..at];
        }
        last = [last[1], name];
    }
    path
}

/// The path of a program without directories that are named after what their code does, not after what they hold: `src/ui/templates/list.tsx`
/// is code as its neighbours are; `None` if it has no such directory. Below a directory of sources that is what the name means, unless a
/// project of its own or a generator of projects follows.
pub fn without_code_names(path: &str) -> Option<String> {
    const SOURCES: [&str; 5] = ["app", "components", "internal", "pkg", "src"];
    const NAMES: [&str; 7] = ["boilerplate", "scaffold", "skeleton", "specs", "template", "templates", "tmpl"];
    const PROGRAMS: [&str; 26] = [
        "c", "cc", "cjs", "cpp", "cs", "cts", "dart", "ex", "go", "h", "hpp", "java", "js", "jsx", "kt", "mjs", "mts",
        "py", "rb", "rs", "scala", "svelte", "swift", "ts", "tsx", "vue",
    ];
    let (directories, file) = path.rsplit_once('/')?;
    let segments: Vec<&str> = directories.split('/').collect();
    let first = segments.iter().position(|segment| SOURCES.contains(segment))?;
    let generates = |segment: &&str| ["create", "generator", "schematic"].iter().any(|word| segment.contains(word));
    if !PROGRAMS.contains(&extension(file).as_str()) || segments.iter().any(generates) {
        return None;
    }
    let is_name = |at: usize| {
        at > first && NAMES.contains(&segments[at]) && !segments[at..].iter().any(|it| SOURCES.contains(it))
    };
    let kept: Vec<&str> = (0..segments.len()).filter(|at| !is_name(*at)).map(|at| segments[at]).collect();
    (kept.len() < segments.len()).then(|| format!("{}/{file}", kept.join("/")))
}

/// Returns whether a file is taken for a fixture only because it is below `templates`. Many frameworks keep a project's own code there.
pub fn is_own_template(path: &str) -> bool {
    const TEMPLATE_DIRECTORIES: [&str; 2] = ["template", "templates"];
    let others: Vec<&str> = path.split('/').filter(|segment| !TEMPLATE_DIRECTORIES.contains(segment)).collect();
    is_below_any(path, &TEMPLATE_DIRECTORIES) && !is_fixture(&others.join("/"))
}

/// Returns whether a file is a vendored copy from another project, where its targets are.
pub fn is_vendored(path: &str) -> bool {
    thread_local! {
        static KNOWN: PathMemo<bool> = const { PathMemo::new() };
    }
    KNOWN.with(|known| known.get(path, has_name_of_vendor))
}

/// Computes the answer of [`is_vendored`].
fn has_name_of_vendor(path: &str) -> bool {
    const VENDOR_DIRECTORIES: [&str; 12] = [
        "3rdparty",
        "bower_components",
        "deps",
        "extern",
        "external",
        "externals",
        "node_modules",
        "site-packages",
        "third-party",
        "third_party",
        "thirdparty",
        "vendor",
    ];
    is_below_any(path, &VENDOR_DIRECTORIES) || path.split('/').rev().skip(1).any(is_release)
}

/// Returns whether a directory is named after a release, and so holds a copy of it: `zstd-1.5.7`. Versions of a documentation are not.
pub fn is_release(directory: &str) -> bool {
    const OWN: [&str; 4] = ["release", "releases", "v", "version"];
    let Some((project, version)) = directory.rsplit_once('-') else { return false };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // Two numbers name a variant for a version of something else: `python-3.12`.
    version.split('.').count() > 2 && version.split('.').all(is_number) && !OWN.contains(&project)
}

/// Returns whether a directory above the file has one of these names.
fn is_below_any(path: &str, names: &[&str]) -> bool {
    path.split('/').rev().skip(1).any(|segment| {
        let is_lower = !segment.bytes().any(|byte| byte.is_ascii_uppercase());
        if is_lower { names.contains(&segment) } else { names.contains(&segment.to_ascii_lowercase().as_str()) }
    })
}

/// Returns the severity of a finding in a file: findings in fixtures are hints.
pub fn severity_in(path: &str, severity: Severity) -> Severity {
    if is_fixture(path) { Severity::Hint } else { severity }
}

#[cfg(test)]
mod tests {
    use super::is_fixture;

    #[test]
    fn recognises_fixtures() {
        let check = |path: &str, expect: bool| assert_eq!(is_fixture(path), expect, "{path}");
        check("web/src/ui/templates/list.tsx", false);
        check("pkg/template/a.go", false);
        check("src/templates/app/src/main.ts", true);
        check("src/generators/x/templates/a.ts", true);
        check("templates/app/src/a.ts", true);
        check("src/templates/a.html", true);
        check("src/templates/fixtures/a.ts", true);
        check("tests/fixtures/a.java", true);
        check("tests/a.java", false);
        check("tests/parser/data/markup/a.html", true);
        check("data/tests/a.html", false);
        check("src/main/java/net/conformance/A.java", false);
        check("a/src/test/kotlin/b/fixtures/A.kt", false);
        check("templates/src/main/java/net/A.java", true);
        check("src/main/resources/templates/a.html", true);
        check("src/java/templates/A.java", false);
        check("src/main/java", false);
    }
}
