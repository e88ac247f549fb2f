//! `FileKind`: classifies a path as code, header, test, documentation, configuration or non-source.

use crate::words::{for_each_word, split_extension};

/// Flags of one path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent: a test can be documentation and an example")]
pub(super) struct FileKind {
    /// Source code of any language, headers excluded.
    pub(super) is_code: bool,
    pub(super) is_header: bool,
    pub(super) is_test: bool,
    pub(super) is_documentation: bool,
    pub(super) is_configuration: bool,
    /// Generated, vendored, or an example.
    pub(super) is_aside: bool,
}

const CODE: &[&str] = &[
    "c", "cc", "clj", "cljs", "cpp", "cr", "cs", "cxx", "d", "dart", "el", "ex", "exs", "erl", "f90", "fs", "go",
    "groovy", "hs", "java", "jl", "js", "jsx", "kt", "kts", "lua", "m", "mjs", "cjs", "ml", "mm", "nim", "php", "pl",
    "pm", "proto", "ps1", "py", "pyx", "r", "rb", "rs", "scala", "sh", "sql", "svelte", "swift", "tcl", "ts", "tsx",
    "v", "vala", "vb", "vue", "zig", "bash", "zsh", "fish", "mts", "cts", "astro", "cu",
];
const HEADERS: &[&str] = &["h", "hh", "hpp", "hxx", "mli", "pyi", "hrl", "inl"];
const DOCUMENTATION: &[&str] = &["md", "mdx", "rst", "adoc", "txt", "org", "tex", "html"];
const CONFIGURATION: &[&str] =
    &["toml", "yaml", "yml", "json", "jsonc", "ini", "cfg", "conf", "env", "properties", "xml", "nix", "tf"];

impl FileKind {
    /// Classifies a path by its extension and by the words of its name and directories.
    pub(super) fn from_path(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, extension) = split_extension(name.as_bytes());
        let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
        let is = |list: &[&str]| list.contains(&extension.as_str());
        // Type declarations are TypeScript's headers.
        let header = is(HEADERS) || name.ends_with(".d.ts");
        let mut kind = Self {
            is_code: is(CODE) && !header,
            is_header: header,
            is_documentation: is(DOCUMENTATION),
            is_configuration: is(CONFIGURATION) || name.starts_with('.'),
            ..Self::default()
        };
        let directories = &path.as_bytes()[..path.len() - name.len()];
        for part in [directories, stem] {
            for_each_word(part, |word| match word {
                "test" | "tests" | "testing" | "testdata" | "spec" | "specs" | "mock" | "mocks" | "fixture"
                | "fixtures" | "snapshots" | "e2e" => kind.is_test = true,
                "doc" | "docs" | "documentation" => kind.is_documentation = true,
                "config" | "configuration" | "settings" | "conf" => kind.is_configuration = true,
                "example" | "examples" | "sample" | "samples" | "demo" | "demos" | "vendor" | "vendored" | "third"
                | "generated" | "dist" | "legacy" | "deprecated" | "archive" | "bak" | "bench" | "benches"
                | "benchmark" | "benchmarks" | "node" | "external" => kind.is_aside = true,
                _ => {}
            });
        }
        kind
    }

    /// Returns whether it is code that implements something.
    pub(super) fn is_implementation(self) -> bool {
        self.is_code && !self.is_test && !self.is_documentation && !self.is_aside
    }
}

/// Returns whether a name stands for its directory: `index.ts`, `mod.rs`, `__init__.py`.
pub(super) fn is_directory_index(stem: &str) -> bool {
    matches!(stem, "index" | "mod" | "__init__" | "main" | "lib" | "init" | "default" | "README" | "readme")
}
