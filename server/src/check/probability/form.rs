//! `Form`: what literals have in common by which their shares are counted, and the place of the file that they stand in.

use pathfinder_literals::{Kind, is_fixture};

use super::statistics::hash;
use crate::check::source_tree::SourceTree;

/// Where in a project a file stands, as its directories and its name say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum FileRole {
    /// Input of tests, a template, a copy of another project's file.
    Fixture,
    /// A test, or something for tests.
    Test,
    /// A sample for readers.
    Example,
    /// Anything else.
    Plain,
}

impl FileRole {
    /// The place of a file.
    pub(super) fn from_path(path: &str) -> Self {
        const TESTS: [&str; 8] = ["test", "tests", "testing", "spec", "specs", "e2e", "__tests__", "testsuite"];
        const EXAMPLES: [&str; 8] =
            ["example", "examples", "sample", "samples", "demo", "demos", "playground", "playgrounds"];
        // Directories that hold input and output of tests where they lie among these.
        const MATERIAL: [&str; 9] =
            ["_expected", "cases", "expected", "files", "input", "inputs", "output", "outputs", "resources"];
        // Parts of names of files that tests compare with: `Foreign.out.js`, `a.expected.json`.
        const COMPARED: [&str; 5] = ["actual", "expected", "golden", "out", "output"];
        // Directories of tests that hold code as well as input: their files run, unless another name says otherwise.
        const CODE: [&str; 3] = ["__tests__", "specs", "testsuite"];
        let rest: Vec<&str> = path.split('/').filter(|segment| !CODE.contains(segment)).collect();
        if is_fixture(&rest.join("/")) {
            return Self::Fixture;
        }
        let lower = path.to_ascii_lowercase();
        let (directories, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        let is_in = |names: &[&str]| directories.split('/').any(|segment| names.contains(&segment));
        let parts = || directories.split('/').flat_map(|segment| segment.split(['-', '_']));
        let marked = [".test.", ".spec.", "_test.", "_spec."].iter().any(|mark| name.contains(mark));
        if is_in(&TESTS) || marked || name.starts_with("test_") || parts().any(|part| part == "test" || part == "tests")
        {
            let is_compared = name.split('.').any(|part| COMPARED.contains(&part));
            if is_in(&EXAMPLES) || is_in(&MATERIAL) || is_compared { Self::Fixture } else { Self::Test }
        } else if is_in(&EXAMPLES) {
            Self::Example
        } else {
            Self::Plain
        }
    }
}

/// How a literal begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum LiteralStart {
    /// With a dot: relative to the file, or to its package.
    Dot,
    /// With a slash.
    Slash,
    /// With `#`: a place in the same file.
    Anchor,
    /// With a name, and nothing follows it.
    Name,
    /// With a name that others follow.
    Names,
}

/// See the module's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct LiteralForm<'l> {
    kind: &'static str,
    start: LiteralStart,
    /// Lower case is not enforced: writers of one tree agree.
    extension: &'l str,
    /// All before the last segment, as it is written.
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
        // Modules are written with dots, files have them before their extension.
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
        Self { kind, start, extension, before, has_anchor: literal.contains('#'), role: FileRole::from_path(file) }
    }

    /// How it begins.
    pub(super) fn start(&self) -> LiteralStart {
        self.start
    }

    /// Whether its last name has an extension.
    pub(super) fn has_extension(&self) -> bool {
        !self.extension.is_empty()
    }

    /// Where its file stands.
    pub(super) fn role(&self) -> FileRole {
        self.role
    }

    /// By what its share is counted, from what most have in common to what fewest have.
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

/// Whether literals of a kind are names of modules, with dots (or the like) between their segments.
fn is_dotted(kind: &str) -> bool {
    const LANGUAGES: [&str; 9] = ["py", "java", "kotlin", "scala", "groovy", "php", "haskell", "lua", "ex"];
    kind.split_once('.').is_some_and(|(language, construct)| {
        LANGUAGES.contains(&language) && matches!(construct, "import" | "use" | "require" | "alias" | "module")
    })
}

/// The first part of a path that is not there, up to a directory.
pub(super) fn missing_root<'p>(tree: &dyn SourceTree, path: &'p str) -> &'p str {
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    // What is there is in directories that are there, so that few have to be asked for.
    let there = ends.partition_point(|end| tree.kind(&path[..*end]) == Some(Kind::Directory));
    ends.get(there).map_or(path, |end| &path[..*end])
}

#[cfg(test)]
mod tests {
    use super::{FileRole, LiteralForm, LiteralStart};

    #[test]
    fn forms() {
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
    fn roles() {
        let check = |path, role| assert_eq!(FileRole::from_path(path), role, "{path}");
        check("src/a.ts", FileRole::Plain);
        check("a/__fixtures__/a.ts", FileRole::Fixture);
        check("Tests/a.py", FileRole::Test);
        check("src/__tests__/a.ts", FileRole::Test);
        check("test/validator/samples/a/input.svelte", FileRole::Fixture);
        check("src/test/resources/a.xml", FileRole::Fixture);
        check("tests/optimize/Foreign.out.js", FileRole::Fixture);
        check("src/Foreign.out.js", FileRole::Plain);
        check("src/resources/a.xml", FileRole::Plain);
        check("src/__tests__/fixtures/a.ts", FileRole::Fixture);
        check("a/b.spec.ts", FileRole::Test);
        check("core/play-integration-test/src/a.scala", FileRole::Test);
        check("examples/a.py", FileRole::Example);
        check("latest/contest.py", FileRole::Plain);
    }
}
