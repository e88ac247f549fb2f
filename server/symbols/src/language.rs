//! Which files are read in which way.

use std::borrow::Cow;

use crate::braces::{self, Braces};
use crate::lines::{Lines, tables};
use crate::tags::{self, Tagged};
use crate::{Symbol, haskell, makefile, markup};

/// How a file is read.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    /// By its syntax tree.
    Tree(&'static Tagged),
    /// By words and braces.
    Braces(&'static Braces),
    /// By the first words of lines.
    Lines(&'static Lines),
    /// By what is particular to it.
    Own(fn(&str) -> Vec<Symbol>),
    /// Only its scripts.
    Scripts,
}

/// Names of files that say more than their extension, in lower case, without `*` for an extension.
const NAMES: [(&str, Reader); 20] = [
    ("makefile", Reader::Own(makefile::make)),
    ("gnumakefile", Reader::Own(makefile::make)),
    ("justfile", Reader::Own(makefile::just)),
    (".justfile", Reader::Own(makefile::just)),
    ("dockerfile", Reader::Lines(&tables::DOCKERFILE)),
    ("containerfile", Reader::Lines(&tables::DOCKERFILE)),
    ("cmakelists.txt", Reader::Lines(&tables::CMAKE)),
    ("build", Reader::Lines(&tables::BAZEL)),
    ("build.bazel", Reader::Lines(&tables::BAZEL)),
    ("rakefile", Reader::Tree(&tags::RUBY)),
    ("gemfile", Reader::Tree(&tags::RUBY)),
    ("vagrantfile", Reader::Tree(&tags::RUBY)),
    ("podfile", Reader::Tree(&tags::RUBY)),
    ("fastfile", Reader::Tree(&tags::RUBY)),
    ("jenkinsfile", Reader::Lines(&tables::GROOVY)),
    (".bashrc", Reader::Tree(&tags::BASH)),
    (".bash_profile", Reader::Tree(&tags::BASH)),
    (".zshrc", Reader::Tree(&tags::BASH)),
    (".profile", Reader::Tree(&tags::BASH)),
    ("pkgbuild", Reader::Tree(&tags::BASH)),
];

/// How files of this name are read; `None` for those that declare nothing.
pub(crate) fn reader(path: &str) -> Option<Reader> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    };
    if let Some((_, reader)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*reader);
    }
    if name.starts_with("dockerfile.") || name.starts_with("makefile.") {
        return reader(name.split('.').next()?);
    }
    // Made small by a tool, and never what is meant.
    if name.contains(".min.") {
        return None;
    }
    by_extension(name.rsplit_once('.')?.1)
}

fn by_extension(extension: &str) -> Option<Reader> {
    Some(match extension {
        "rs" => Reader::Tree(&tags::RUST),
        "c" => Reader::Tree(&tags::C),
        // A header does not say of which of the two it is, and C++ reads C nearly as well.
        "h" | "hh" | "hpp" | "hxx" | "h++" | "inl" | "ipp" | "tpp" | "cc" | "cpp" | "cxx" | "c++" | "cu" | "cuh"
        | "ino" => Reader::Tree(&tags::CPP),
        "py" | "pyi" | "bzl" | "star" | "gyp" | "sage" => Reader::Tree(&tags::PYTHON),
        "js" | "jsx" | "mjs" | "cjs" => Reader::Tree(&tags::JAVASCRIPT),
        "ts" | "mts" | "cts" => Reader::Tree(&tags::TYPESCRIPT),
        "tsx" => Reader::Tree(&tags::TSX),
        "go" => Reader::Tree(&tags::GO),
        "java" => Reader::Tree(&tags::JAVA),
        "rb" | "rake" | "gemspec" | "ru" => Reader::Tree(&tags::RUBY),
        "php" | "phtml" => Reader::Tree(&tags::PHP),
        "lua" => Reader::Tree(&tags::LUA),
        "sh" | "bash" | "zsh" | "ksh" | "bats" => Reader::Tree(&tags::BASH),
        "ex" | "exs" => Reader::Tree(&tags::ELIXIR),
        "zig" => Reader::Tree(&tags::ZIG),
        "dart" => Reader::Tree(&tags::DART),
        "kt" | "kts" => Reader::Braces(&braces::KOTLIN),
        "cs" => Reader::Braces(&braces::C_SHARP),
        "swift" => Reader::Braces(&braces::SWIFT),
        "scala" | "sc" | "sbt" => Reader::Braces(&braces::SCALA),
        "hs" | "elm" | "purs" | "hsc" => Reader::Own(haskell::declared),
        "md" | "mdx" | "markdown" | "qmd" => Reader::Own(markup::markdown),
        "rst" => Reader::Own(markup::underlined),
        "adoc" | "asciidoc" => Reader::Own(|text| markup::marked(text, '=')),
        "org" => Reader::Own(|text| markup::marked(text, '*')),
        "mk" | "mak" => Reader::Own(makefile::make),
        "just" => Reader::Own(makefile::just),
        "vue" | "svelte" | "astro" => Reader::Scripts,
        _ => return by_lines(extension).map(Reader::Lines),
    })
}

fn by_lines(extension: &str) -> Option<&'static Lines> {
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

/// The scripts of a page, each where it stands; everything else is blank.
pub(crate) fn scripts(text: &str) -> String {
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
