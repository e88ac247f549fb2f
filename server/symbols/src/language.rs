//! Chooses the reader for a file by its name and extension.

use std::borrow::Cow;

use crate::braces::{self, BraceLanguage};
use crate::lines::{LineLanguage, tables};
use crate::tags::{self, TagQuery};
use crate::{Symbol, haskell, makefile, markup, shell};

/// The way to read the symbols of a file.
#[derive(Clone, Copy)]
pub(crate) enum SymbolReader {
    /// A query on its syntax tree.
    Tree(&'static TagQuery),
    /// Keywords and braces.
    Braces(&'static BraceLanguage),
    /// The first words of lines.
    Lines(&'static LineLanguage),
    /// A function for this format.
    Custom(fn(&str) -> Vec<Symbol>),
    /// The scripts of a page, read as TypeScript.
    Scripts,
}

/// File names that decide the reader before the extension, in lower case.
const READERS_BY_NAME: [(&str, SymbolReader); 20] = [
    ("makefile", SymbolReader::Custom(makefile::read_makefile)),
    ("gnumakefile", SymbolReader::Custom(makefile::read_makefile)),
    ("justfile", SymbolReader::Custom(makefile::read_justfile)),
    (".justfile", SymbolReader::Custom(makefile::read_justfile)),
    ("dockerfile", SymbolReader::Lines(&tables::DOCKERFILE)),
    ("containerfile", SymbolReader::Lines(&tables::DOCKERFILE)),
    ("cmakelists.txt", SymbolReader::Lines(&tables::CMAKE)),
    ("build", SymbolReader::Lines(&tables::BAZEL)),
    ("build.bazel", SymbolReader::Lines(&tables::BAZEL)),
    ("rakefile", SymbolReader::Tree(&tags::RUBY)),
    ("gemfile", SymbolReader::Tree(&tags::RUBY)),
    ("vagrantfile", SymbolReader::Tree(&tags::RUBY)),
    ("podfile", SymbolReader::Tree(&tags::RUBY)),
    ("fastfile", SymbolReader::Tree(&tags::RUBY)),
    ("jenkinsfile", SymbolReader::Lines(&tables::GROOVY)),
    (".bashrc", SymbolReader::Custom(shell::read_symbols)),
    (".bash_profile", SymbolReader::Custom(shell::read_symbols)),
    (".zshrc", SymbolReader::Custom(shell::read_symbols)),
    (".profile", SymbolReader::Custom(shell::read_symbols)),
    ("pkgbuild", SymbolReader::Custom(shell::read_symbols)),
];

/// The reader for files of this name; `None` if they declare nothing.
pub(crate) fn reader_for(path: &str) -> Option<SymbolReader> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    };
    if let Some((_, reader)) = READERS_BY_NAME.iter().find(|(known, _)| *known == name) {
        return Some(*reader);
    }
    if name.starts_with("dockerfile.") || name.starts_with("makefile.") {
        return reader_for(name.split('.').next()?);
    }
    // Minified files are never searched for.
    if name.contains(".min.") {
        return None;
    }
    reader_by_extension(name.rsplit_once('.')?.1)
}

fn reader_by_extension(extension: &str) -> Option<SymbolReader> {
    Some(match extension {
        "rs" => SymbolReader::Tree(&tags::RUST),
        "c" => SymbolReader::Tree(&tags::C),
        // A header can be C or C++, and the C++ grammar reads C nearly as well.
        "h" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp" | "tpp" | "cc" | "cpp" | "cxx" | "c++" | "cu" | "cuh"
        | "ino" => SymbolReader::Tree(&tags::CPP),
        "py" | "pyi" | "bzl" | "star" | "gyp" | "sage" => SymbolReader::Tree(&tags::PYTHON),
        "js" | "jsx" | "mjs" | "cjs" => SymbolReader::Tree(&tags::JAVASCRIPT),
        "ts" | "mts" | "cts" => SymbolReader::Tree(&tags::TYPESCRIPT),
        "tsx" => SymbolReader::Tree(&tags::TSX),
        "go" => SymbolReader::Tree(&tags::GO),
        "java" => SymbolReader::Tree(&tags::JAVA),
        "rb" | "rake" | "gemspec" | "ru" => SymbolReader::Tree(&tags::RUBY),
        "php" | "phtml" => SymbolReader::Tree(&tags::PHP),
        "lua" => SymbolReader::Tree(&tags::LUA),
        "sh" | "bash" | "zsh" | "ksh" | "bats" => SymbolReader::Custom(shell::read_symbols),
        "ex" | "exs" => SymbolReader::Tree(&tags::ELIXIR),
        "zig" => SymbolReader::Tree(&tags::ZIG),
        "dart" => SymbolReader::Tree(&tags::DART),
        "kt" | "kts" => SymbolReader::Braces(&braces::KOTLIN),
        "cs" => SymbolReader::Braces(&braces::C_SHARP),
        "swift" => SymbolReader::Braces(&braces::SWIFT),
        "scala" | "sc" | "sbt" => SymbolReader::Braces(&braces::SCALA),
        "hs" | "elm" | "purs" | "hsc" => SymbolReader::Custom(haskell::read_symbols),
        "md" | "mdx" | "markdown" | "qmd" => SymbolReader::Custom(markup::read_markdown),
        "rst" => SymbolReader::Custom(markup::read_underlined),
        "adoc" | "asciidoc" => SymbolReader::Custom(|text| markup::read_marked(text, '=')),
        "org" => SymbolReader::Custom(|text| markup::read_marked(text, '*')),
        "mk" | "mak" => SymbolReader::Custom(makefile::read_makefile),
        "just" => SymbolReader::Custom(makefile::read_justfile),
        "vue" | "svelte" | "astro" => SymbolReader::Scripts,
        _ => return line_language(extension).map(SymbolReader::Lines),
    })
}

fn line_language(extension: &str) -> Option<&'static LineLanguage> {
    Some(match extension {
        "sql" | "ddl" | "pgsql" | "psql" => &tables::SQL,
        "proto" => &tables::PROTO,
        "thrift" => &tables::THRIFT,
        "graphql" | "gql" | "graphqls" => &tables::GRAPHQL,
        "prisma" => &tables::PRISMA,
        "cmake" => &tables::CMAKE,
        "bazel" => &tables::BAZEL,
        "dockerfile" => &tables::DOCKERFILE,
        "tf" | "hcl" => &tables::HCL,
        "toml" | "ini" | "cfg" | "conf" => &tables::INI,
        "scss" | "sass" | "less" => &tables::STYLES,
        "tex" | "sty" => &tables::LATEX,
        "pl" | "pm" => &tables::PERL,
        "ps1" | "psm1" => &tables::POWERSHELL,
        "vim" => &tables::VIM,
        "jl" => &tables::JULIA,
        "clj" | "cljs" | "cljc" | "el" | "lisp" | "scm" | "rkt" => &tables::LISP,
        "erl" | "hrl" => &tables::ERLANG,
        "ml" | "mli" | "fs" | "fsi" | "fsx" => &tables::OCAML,
        "groovy" | "gradle" => &tables::GROOVY,
        "m" | "mm" => &tables::OBJECTIVE_C,
        "pas" | "pp" | "dpr" => &tables::PASCAL,
        "f" | "f90" | "f95" | "f03" | "f08" => &tables::FORTRAN,
        "sol" => &tables::SOLIDITY,
        "nim" | "cr" | "d" | "v" | "gleam" | "odin" | "wgsl" | "sv" | "fish" | "tcl" | "awk" | "pyx" | "pxd" | "gd"
        | "coffee" | "as" | "hx" => &tables::OTHER,
        _ => return None,
    })
}

/// The scripts of a page at their lines; all other lines are blank.
pub(crate) fn extract_scripts(text: &str) -> String {
    let mut scripts: String = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim();
        if inside && (trimmed == "---" || trimmed.starts_with("</script")) {
            inside = false;
        } else if trimmed.starts_with("<script") && trimmed.ends_with('>') && !trimmed.contains("</script")
            || trimmed == "---"
        {
            inside = true;
        } else if inside {
            scripts.push_str(line);
            continue;
        }
        scripts.push('\n');
    }
    scripts
}
