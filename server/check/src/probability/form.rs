//! `LiteralForm`: the properties by which literals are grouped in the statistics, including the role of their file.

use std::hash::{DefaultHasher, Hash, Hasher as _};

use pathfinder_literals::report::{is_own_template, without_code_names, without_packages};
use pathfinder_literals::{Checked, Code, Kind, Missing, PathMemo, Verdict, is_fixture};

use super::evidence::Evidence;
use crate::source_tree::SourceTree;

/// The role of a file in a project, judged by its directories and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FileRole {
    /// Test input, a template, or a copy of another project's file.
    Fixture,
    /// A test, or code for tests.
    Test,
    /// An example for readers.
    Example,
    /// Any other file.
    Plain,
}

impl FileRole {
    /// The evidence of a file's role for a literal in it; `is_run` tells whether a test runner loads the literal.
    pub(super) fn evidence(self, is_run: impl FnOnce() -> bool) -> Option<Evidence> {
        Some(match self {
            Self::Fixture => Evidence::InFixture,
            Self::Test if is_run() => Evidence::InRunTest,
            Self::Test => Evidence::InTest,
            Self::Example => Evidence::InExample,
            Self::Plain => return None,
        })
    }

    /// The role of the file at this path.
    pub(super) fn from_path(path: &str) -> Self {
        thread_local! {
            static KNOWN: PathMemo<FileRole> = const { PathMemo::new() };
        }
        KNOWN.with(|known| known.get(path, Self::classify))
    }

    /// Computes the answer of [`Self::from_path`].
    fn classify(path: &str) -> Self {
        const TESTS: [&str; 9] =
            ["test", "tests", "testing", "spec", "specs", "e2e", "__mocks__", "__tests__", "testsuite"];
        const EXAMPLES: [&str; 8] =
            ["example", "examples", "sample", "samples", "demo", "demos", "playground", "playgrounds"];
        // Directories that hold input and output of tests if they lie below a test directory.
        const MATERIAL: [&str; 9] =
            ["_expected", "cases", "expected", "files", "input", "inputs", "output", "outputs", "resources"];
        // Parts of the names of files that tests compare with: `Foreign.out.js`, `a.expected.json`.
        const COMPARED: [&str; 5] = ["actual", "expected", "golden", "out", "output"];
        // Words in the names of directories whose tests are meant to fail, or do not run.
        const FAILING: [&str; 11] = [
            "broken",
            "disabled",
            "fail",
            "failing",
            "invalid",
            "malformed",
            "neg",
            "negative",
            "pending",
            "untried",
            "xfail",
        ];
        // Test directories that hold code as well as input. Their files run, unless another name says otherwise.
        const CODE: [&str; 4] = ["__mocks__", "__tests__", "specs", "testsuite"];
        // A page in a hidden directory is part of another page, or the text of a tool: its links are written for another place.
        const PAGES: [&str; 5] = [".md", ".mdx", ".markdown", ".rst", ".adoc"];
        // Forges show the pages of these directories where they lie.
        const FORGES: [&str; 4] = [".github", ".gitlab", ".gitea", ".forgejo"];
        let named = without_code_names(path);
        let path = named.as_deref().unwrap_or(path);
        let rest: Vec<&str> = path.split('/').filter(|segment| !CODE.contains(segment)).collect();
        if is_fixture(&rest.join("/")) {
            return Self::Fixture;
        }
        let lower = path.to_ascii_lowercase();
        let (directories, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        // Packages of the JVM are called after organisations: `com.google.samples`.
        let directories = directories.get(..without_packages(path).len()).unwrap_or(directories);
        let is_in = |names: &[&str]| directories.split('/').any(|segment| names.contains(&segment));
        let is_hidden = |segment: &str| segment.starts_with('.') && !FORGES.contains(&segment);
        let is_page = PAGES.iter().any(|extension| name.ends_with(extension));
        if is_page && directories.split('/').any(is_hidden) {
            return Self::Fixture;
        }
        let parts = || directories.split('/').flat_map(|segment| segment.split(['-', '_']));
        // `wl_templates/monero.dart` is laid out in another directory. A template elsewhere, such as `mkdocs.template.yml`, is beside its output.
        // Files of `golden_copies` are what a program is expected to write.
        if parts().any(|part| matches!(part, "golden" | "templates")) {
            return Self::Fixture;
        }
        // The code of `_codesnippets` is shown in a page, for the project of its reader.
        let is_snippet = |part: &str| part.ends_with("snippet") || part.ends_with("snippets");
        if !is_page && parts().any(is_snippet) {
            return Self::Fixture;
        }
        // A program that is called a template is copied to another directory, from which its imports lead.
        if !is_page && name.split('.').next() == Some("template") && name.matches('.').count() == 1 {
            return Self::Fixture;
        }
        // Words of names such as `testProjects/expectedData`.
        let words = || path[..directories.len()].split('/').flat_map(camel_case_words);
        let marked = is_named_test(name);
        let is_test = |word: &str| word == "test" || word == "tests";
        // `test-site-data` holds what tests read, as `testdata` does, and `expected_results` what they compare with.
        let is_data = |segment: &str| {
            let has = |word: &str| segment.split(['-', '_']).any(|part| part == word);
            has("data") && (has("test") || has("tests")) || has("expected")
        };
        if is_in(&TESTS) || marked || parts().any(is_test) || words().any(|word| is_test(&word)) {
            let is_compared = name.split('.').any(|part| COMPARED.contains(&part));
            if parts().any(|part| FAILING.contains(&part))
                || directories.split('/').any(is_data)
                || is_in(&EXAMPLES)
                || is_in(&MATERIAL)
                || is_compared
                || words().any(|word| COMPARED.contains(&word.as_str()))
            {
                Self::Fixture
            } else {
                Self::Test
            }
        } else if is_in(&EXAMPLES) {
            Self::Example
        } else {
            Self::Plain
        }
    }
}

/// The role of a file for a miss in it. A test that led to the project's own file until a commit moved one of them is no input of a test,
/// whatever the name of its directory.
pub(super) fn role_of_miss(form: &LiteralForm, missing: &Missing, path: &str) -> FileRole {
    let is_moved = missing.code == Code::MovedPath && missing.instead.as_ref().is_some_and(|path| !is_fixture(path));
    let is_test = is_moved && form.role() == FileRole::Fixture && is_named_test(path);
    if is_test { FileRole::Test } else { form.role() }
}

/// Returns whether a file has the name of a test.
fn is_named_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    name.starts_with("test_") || [".test.", ".spec.", "_test.", "_spec."].iter().any(|mark| name.contains(mark))
}

/// Returns whether a literal is a missing module that a test imports, and the test runner of the language loads the file by its name: the
/// import fails the run. A name alone can be one that a package has without a module for it.
pub(super) fn is_run_test(literal: &Checked, text: &str, file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    let is_run = match literal.kind.language() {
        "py" => name.starts_with("test_") || name.ends_with("_test.py"),
        "go" => name.ends_with("_test.go"),
        _ => false,
    };
    is_run && matches!(literal.verdict, Verdict::Missing(_)) && text.contains(['.', '/'])
}

/// The words of a name in which each but the first begins with a capital, in lower case; none of a name in another style.
fn camel_case_words(name: &str) -> impl Iterator<Item = String> {
    let starts = name.char_indices().filter(|(at, c)| *at > 0 && c.is_ascii_uppercase()).map(|(at, _)| at);
    let mut from = 0;
    let is_camel_case = name.starts_with(|first: char| first.is_ascii_lowercase());
    let ends = starts.chain([name.len()]).filter(move |_| is_camel_case);
    ends.map(move |end| name[std::mem::replace(&mut from, end)..end].to_ascii_lowercase())
}

/// The first character or segment of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LiteralStart {
    /// A dot: relative to the file, or to its package.
    Dot,
    /// A slash.
    Slash,
    /// `#`: an anchor in the same file.
    Anchor,
    /// A single name.
    Name,
    /// A name that others follow.
    Names,
}

/// The form of a literal.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiteralForm<'l> {
    kind: &'static str,
    start: LiteralStart,
    /// Not lower-cased: authors of one tree agree on case.
    extension: &'l str,
    /// Everything before the last segment, as written.
    before: &'l str,
    has_anchor: bool,
    role: FileRole,
}

impl<'l> LiteralForm<'l> {
    /// The form of a literal of this kind in this file.
    pub(super) fn new(kind: &'static str, literal: &'l str, file: &str) -> Self {
        let literal = literal.trim();
        let path = literal.split(['#', '?']).next().unwrap_or(literal);
        let separator = if path.contains(['/', '\\']) { &['/', '\\'][..] } else { &['.', ':'][..] };
        // Modules are written with dots; files have a dot before their extension.
        let is_module = is_dotted(kind);
        let start = match literal.as_bytes().first() {
            Some(b'#') => LiteralStart::Anchor,
            Some(b'.') => LiteralStart::Dot,
            Some(b'/') => LiteralStart::Slash,
            _ if path.contains(['/', '\\']) || is_module && path.contains(separator) => LiteralStart::Names,
            _ => LiteralStart::Name,
        };
        let at = if is_module { path.rfind(['.', '/', '\\', ':']) } else { path.rfind(['/', '\\']) };
        let (before, last) = at.map_or(("", path), |at| (&path[..at], &path[at + 1..]));
        let extension = if is_module { "" } else { last.rsplit_once('.').map_or("", |(_, extension)| extension) };
        Self {
            kind: shared_kind(kind),
            start,
            extension,
            before,
            has_anchor: literal.contains('#'),
            role: if kind.starts_with("template.") && is_own_template(file) {
                FileRole::Plain
            } else {
                FileRole::from_path(file)
            },
        }
    }

    /// Returns whether it is a header in angle brackets, which a library or the project can have.
    pub(super) fn is_angle_include(&self) -> bool {
        self.kind == "c.include_angle"
    }

    /// Returns whether it is an entry of a data file that no build or start of a program reads first: such a list stays wrong.
    pub(super) fn is_in_data(&self) -> bool {
        let (language, construct) = self.kind.split_once('.').unwrap_or((self.kind, ""));
        let is_run = ["ansible", "compose", "helm", "kustomize"].iter().any(|tool| construct.starts_with(tool));
        matches!(language, "json" | "toml" | "yaml") && !is_run
    }

    /// The beginning of the literal.
    pub(super) fn start(&self) -> LiteralStart {
        self.start
    }

    /// Returns whether its last name has an extension.
    pub(super) fn has_extension(&self) -> bool {
        !self.extension.is_empty()
    }

    /// The role of its file.
    pub(super) fn role(&self) -> FileRole {
        self.role
    }

    /// Keys of its groups in the statistics, from the widest to the narrowest.
    pub(super) fn keys(&self) -> [u64; 5] {
        let &Self { kind, start, extension, before, has_anchor, role } = self;
        [
            hash(&("kind", kind)),
            hash(&("lead", kind, start, has_anchor, extension.is_empty())),
            hash(&("form", kind, start, has_anchor, extension)),
            hash(&("place", kind, start, has_anchor, extension, role)),
            hash(&("before", kind, before, extension.is_empty())),
        ]
    }
}

/// The kind under which a literal is counted: elements of HTML in a page lead where the page's own links and images lead, so what is
/// seen of one tells of the other.
fn shared_kind(kind: &'static str) -> &'static str {
    match kind {
        "md.html.src" | "md.html.srcset" => "md.image",
        "md.html.href" => "md.link",
        kind => kind,
    }
}

/// Returns whether literals of a kind are names of modules, with dots (or the like) between their segments.
fn is_dotted(kind: &str) -> bool {
    const LANGUAGES: [&str; 9] = ["py", "java", "kotlin", "scala", "groovy", "php", "haskell", "lua", "ex"];
    kind.split_once('.').is_some_and(|(language, construct)| {
        LANGUAGES.contains(&language) && matches!(construct, "import" | "use" | "require" | "alias" | "module")
    })
}

/// The path up to its first missing directory; the whole path if only the last segment is missing.
pub(super) fn missing_root<'p>(tree: &dyn SourceTree, path: &'p str) -> &'p str {
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    // An existing directory has existing parents, so a binary search needs few queries.
    let there = ends.partition_point(|end| tree.kind(&path[..*end]) == Some(Kind::Directory));
    ends.get(there).map_or(path, |end| &path[..*end])
}

/// The hash of a group of literals.
pub(super) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use pathfinder_literals::{Checked, Code, LiteralKind, Missing, Reason, Severity, Verdict, Want};

    use super::{FileRole, LiteralForm, LiteralStart, is_run_test, role_of_miss};

    #[test]
    fn parses_forms_of_literals() {
        let check = |kind, literal, start: LiteralStart, extension: &str, before: &str| {
            let form = LiteralForm::new(kind, literal, "a.md");
            assert_eq!((form.start, form.extension, form.before), (start, extension, before), "{literal}");
        };
        check("md.link", "../img/a.png#x", LiteralStart::Dot, "png", "../img");
        check("md.link", "some_label", LiteralStart::Name, "", "");
        check("md.link", "#head", LiteralStart::Anchor, "", "");
        check("md.link", "/a/b", LiteralStart::Slash, "", "/a");
        check("py.import", "a.b.c", LiteralStart::Names, "", "a.b");
        check("py.import", "..b", LiteralStart::Dot, "", ".");
        check("c.include", "a/b.h", LiteralStart::Names, "h", "a");
        check("ts.import", "", LiteralStart::Name, "", "");
    }

    #[test]
    fn recognises_tests_that_run() {
        let check = |kind, text, file, expect| {
            let missing = Missing {
                code: Code::MissingPath,
                severity: Severity::Error,
                reason: String::new(),
                wanted: String::new(),
                want: Want::File,
                instead: None,
            };
            let kind = LiteralKind::new(kind, "An import.");
            let literal = Checked { kind, range: 0..1, verdict: Verdict::Missing(missing), tried: Vec::new() };
            assert_eq!(is_run_test(&literal, text, file), expect, "{text} {file}");
            let unknown = Checked { verdict: Verdict::Unknown(Reason::Optional), ..literal };
            assert!(!is_run_test(&unknown, text, file), "{text} {file}");
        };
        check("py.import", "a.b", "tests/test_a.py", true);
        check("py.import", "a.b", "tests/a_test.py", true);
        check("py.import", "b", "tests/test_a.py", false);
        check("py.import", "a.b", "tests/library/test.py", false);
        check("go.import", "x.org/a/b", "a/a_test.go", true);
        check("ts.import", "./a", "a/test_a.ts", false);
    }

    #[test]
    fn takes_moved_tests_for_tests() {
        let check = |path: &str, code: Code, instead: &str, expect: FileRole| {
            let missing = Missing {
                code,
                severity: Severity::Error,
                reason: String::new(),
                wanted: String::new(),
                want: Want::File,
                instead: Some(instead.to_owned()),
            };
            let form = LiteralForm::new("ts.import", "../src/a", path);
            assert_eq!(role_of_miss(&form, &missing, path), expect, "{path} {instead}");
        };
        let test = "__tests__/inputs/a.spec.ts";
        check(test, Code::MovedPath, "src/a.ts", FileRole::Test);
        check(test, Code::MissingPath, "src/a.ts", FileRole::Fixture);
        check(test, Code::MovedPath, "__tests__/inputs/a.ts", FileRole::Fixture);
        check("__tests__/inputs/a.ts", Code::MovedPath, "src/a.ts", FileRole::Fixture);
        check("__tests__/inputs/test_a.py", Code::MovedPath, "src/a.py", FileRole::Test);
    }

    #[test]
    fn classifies_files_by_path() {
        let check = |path, role| assert_eq!(FileRole::from_path(path), role, "{path}");
        check("src/a.ts", FileRole::Plain);
        check("a/__fixtures__/a.ts", FileRole::Fixture);
        check("tools/golden_copies/a.yaml", FileRole::Fixture);
        check("tool/wl_templates/a.dart", FileRole::Fixture);
        check("mkdocs.template.yml", FileRole::Plain);
        check("Tests/a.py", FileRole::Test);
        check("src/__tests__/a.ts", FileRole::Test);
        check("test/validator/samples/a/input.svelte", FileRole::Fixture);
        check("src/test/resources/a.xml", FileRole::Fixture);
        check("tests/optimize/Foreign.out.js", FileRole::Fixture);
        check("src/Foreign.out.js", FileRole::Plain);
        check("gradle/src/testProjects/expectedData/a.html", FileRole::Fixture);
        check("src/expectedData/a.html", FileRole::Plain);
        check("src/contestEntries/a.html", FileRole::Plain);
        check("src/resources/a.xml", FileRole::Plain);
        check("tests/neg-custom/a.scala", FileRole::Fixture);
        check("tests/untried/pos/a.scala", FileRole::Fixture);
        check("tests/negotiation/a.scala", FileRole::Test);
        check("src/neg/a.scala", FileRole::Plain);
        check(".faq/FAQ.md", FileRole::Fixture);
        check(".github/FAQ.md", FileRole::Plain);
        check(".faq/a.yml", FileRole::Plain);
        check("src/__tests__/fixtures/a.ts", FileRole::Fixture);
        check("a/b.spec.ts", FileRole::Test);
        check("core/play-integration-test/src/a.scala", FileRole::Test);
        check("examples/a.py", FileRole::Example);
        check("latest/contest.py", FileRole::Plain);
        check("src/pages/template.js", FileRole::Fixture);
        check("src/pages/template.md", FileRole::Plain);
        check("src/pages/templates.js", FileRole::Plain);
    }
}
