//! `PathClass`: flags of a path that make a file a less likely answer: tests, examples, documents, data, generated files.

use pathfinder_core::generated::is_marked_generated;
use pathfinder_core::words::split_extension;

/// Flags of one path; several may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct PathClass(u16);

impl PathClass {
    pub(crate) const TEST: Self = Self(1);
    pub(crate) const EXAMPLE: Self = Self(1 << 1);
    pub(crate) const DOCUMENT: Self = Self(1 << 2);
    pub(crate) const CONFIGURATION: Self = Self(1 << 3);
    /// Kept for old callers, or another project's code.
    pub(crate) const FOREIGN: Self = Self(1 << 4);
    pub(crate) const GENERATED: Self = Self(1 << 5);
    /// A file that mostly names others: `index.ts`, `mod.rs`, `__init__.py`.
    pub(crate) const BARREL: Self = Self(1 << 6);
    /// Types without code: `.d.ts`, `.pyi`.
    pub(crate) const TYPES_ONLY: Self = Self(1 << 7);
    /// A translation of texts.
    pub(crate) const TRANSLATION: Self = Self(1 << 8);
    /// The index had no room for its text.
    pub(crate) const TEXT_LEFT_OUT: Self = Self(1 << 9);

    /// Returns the flags as a number, for the cache.
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    /// Returns the flags that [`bits`](Self::bits) gave.
    pub(crate) fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns both sets of flags.
    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns whether one of the flags of `other` holds.
    pub(crate) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether it is code of the project itself, which most questions ask for.
    pub(crate) fn is_plain_code(self) -> bool {
        let others = Self::TEST
            .with(Self::EXAMPLE)
            .with(Self::DOCUMENT)
            .with(Self::CONFIGURATION)
            .with(Self::GENERATED)
            .with(Self::TRANSLATION);
        !self.has(others)
    }

    /// Classifies a path by its directories and its name.
    pub(crate) fn from_path(path: &str) -> Self {
        let mut class = Self::default();
        let mut segments = path.split('/');
        let name = segments.next_back().unwrap_or(path);
        for directory in segments {
            class = class.with(directory_class(&directory.to_ascii_lowercase()));
        }
        class.with(name_class(name))
    }

    /// Returns the class that the beginning of a text shows: generators mark what they write.
    pub(crate) fn from_text(text: &str) -> Self {
        if is_marked_generated(text) { Self::GENERATED } else { Self::default() }
    }
}

fn directory_class(directory: &str) -> PathClass {
    match directory {
        "test" | "tests" | "__tests__" | "spec" | "specs" | "testing" | "testdata" | "testutils" | "test-utils"
        | "testutil" | "e2e" | "mocks" | "__mocks__" | "testsuite" | "fuzz" | "fixtures" | "__fixtures__"
        | "snapshots" | "__snapshots__" | "integration-tests" | "integration_tests" | "unittests" | "selftest"
        | "selftests" | "dtslint" | "t" | "syntax-tests" | "highlight-tests" | "benchmarktests" => PathClass::TEST,
        "example" | "examples" | "sample" | "samples" | "demo" | "demos" | "bench" | "benches" | "benchmark"
        | "benchmarks" | "tutorial" | "tutorials" | "cookbook" | "playground" | "playgrounds" | "website" => {
            PathClass::EXAMPLE
        }
        "doc" | "docs" | "documentation" => PathClass::DOCUMENT,
        "compat" | "legacy" | "deprecated" | "vendor" | "vendored" | "third_party" | "third-party" | "thirdparty"
        | "external" | "externals" | "deps" | "node_modules" | "extras" => PathClass::FOREIGN,
        "gen" | "generated" | "dist" | "build" | "__generated__" => PathClass::GENERATED,
        "locale" | "locales" | "lang" | "langs" | "i18n" | "l10n" | "translations" | "po" => PathClass::TRANSLATION,
        _ if directory.ends_with("-tests") || directory.ends_with("_tests") || directory.ends_with("-test") => {
            PathClass::TEST
        }
        // Swift and C# projects: `NIOCoreTests`, `Acme.Tests`.
        _ if directory.len() > 5 && directory.ends_with("tests") => PathClass::TEST,
        _ => PathClass::default(),
    }
}

fn name_class(name: &str) -> PathClass {
    let (stem, extension) = split_extension(name.as_bytes());
    let stem = &name[..stem.len()];
    let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
    let lower = stem.to_ascii_lowercase();
    let mut class = match extension.as_str() {
        "txt" if lower == "cmakelists" => PathClass::CONFIGURATION,
        "md" | "mdx" | "markdown" | "rst" | "adoc" | "asciidoc" | "txt" | "org" | "html" | "htm" | "tex" | "qmd"
        | "1" | "textile" | "po" | "pot" => PathClass::DOCUMENT,
        "toml" | "yaml" | "yml" | "ini" | "cfg" | "conf" | "json" | "jsonc" | "json5" | "css" | "scss" | "less"
        | "lock" | "properties" | "xml" | "env" | "svg" | "csv" | "tsv" | "plist" | "pbxproj" | "xcscheme" | "sum"
        | "mod" | "nix" | "bzl" | "cabal" | "gemspec" | "cmake" | "gradle" | "podspec" | "csproj" | "sln" | "in"
        | "map" | "snap" | "service" | "strings" | "storyboard" | "xib" | "png" | "jpg" | "gif" | "ico" | "pdf" => {
            PathClass::CONFIGURATION
        }
        "pyi" => PathClass::TYPES_ONLY,
        "feature" => PathClass::TEST,
        "" if lower.starts_with('.') => PathClass::CONFIGURATION,
        "" => match lower.as_str() {
            "license" | "readme" | "changelog" | "authors" | "contributors" | "copying" | "notice" | "news"
            | "todo" => PathClass::DOCUMENT,
            "makefile" | "dockerfile" | "gemfile" | "rakefile" | "podfile" | "vagrantfile" | "justfile" => {
                PathClass::CONFIGURATION
            }
            _ => PathClass::default(),
        },
        _ => PathClass::default(),
    };
    if name.ends_with(".d.ts") {
        class = class.with(PathClass::TYPES_ONLY);
    }
    if is_test_name(stem, &lower) {
        class = class.with(PathClass::TEST);
    }
    if lower.ends_with(".config") || lower.ends_with("rc") && lower.starts_with('.') {
        class = class.with(PathClass::CONFIGURATION);
    }
    if [".pb", ".gen", ".min", ".generated"]
        .iter()
        .any(|end| lower.ends_with(end) || lower.contains(&format!("{end}.")))
        || lower.ends_with("_pb2")
        || lower.contains("generated")
        || lower.contains("amalgamated")
    {
        class = class.with(PathClass::GENERATED);
    }
    if matches!(lower.as_str(), "__init__" | "mod" | "lib" | "index" | "main" | "package-info" | "doc") {
        class = class.with(PathClass::BARREL);
    }
    class
}

fn is_test_name(stem: &str, lower: &str) -> bool {
    let capital_end = |end: &str| stem.len() > end.len() && stem.ends_with(end);
    lower.starts_with("test_")
        || lower.ends_with("_test")
        || lower.ends_with("_tests")
        || lower.ends_with("-test")
        || lower.ends_with("_spec")
        || matches!(lower, "conftest" | "test" | "tests")
        || lower.split('.').skip(1).any(|part| matches!(part, "test" | "tests" | "spec" | "test-d"))
        || ["Test", "Tests", "Spec", "Suite", "TestCase"].iter().any(|end| capital_end(end))
}

#[cfg(test)]
mod tests {
    use super::PathClass;

    #[test]
    fn classifies_paths() {
        for (path, class) in [
            ("src/router.rs", PathClass::default()),
            ("src/test/java/RouterTest.java", PathClass::TEST),
            ("Tests/NIOCoreTests/Loop.swift", PathClass::TEST),
            ("src/__tests__/a.ts", PathClass::TEST),
            ("src/a.test.ts", PathClass::TEST),
            ("examples/a.rs", PathClass::EXAMPLE),
            ("docs/a.md", PathClass::DOCUMENT),
            ("CMakeLists.txt", PathClass::CONFIGURATION),
            ("go.mod", PathClass::CONFIGURATION),
            ("lib/mod.rs", PathClass::BARREL),
            ("api/v1/a.pb.go", PathClass::GENERATED),
            ("types/a.d.ts", PathClass::TYPES_ONLY),
            ("lang/de.inc.php", PathClass::TRANSLATION),
            ("third_party/a.c", PathClass::FOREIGN),
        ] {
            assert_eq!(PathClass::from_path(path), class, "{path}");
        }
        assert_eq!(PathClass::from_text("// Code generated by a tool.\n"), PathClass::GENERATED);
    }
}
