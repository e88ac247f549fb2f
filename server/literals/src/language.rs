//! The supported languages. Each language finds its literals and resolves them by its own rules.
//!
//! Each language has one folder: its scanner or parser, its rules, its table of fixtures. To add a language, add its folder,
//! an entry in [`ALL`] and its fixtures. Data about a whole tree is a `ProjectIndex` of the language.
//! [`check`](crate::check) calls every language that claims a file.
//!
//! A language reports the byte range of a literal and its candidate paths, in order; `Lookup` tries
//! them. Code is parsed with tree-sitter where strings and blocks matter, and with a small lexer where imports are at the start of
//! a file (JVM languages, Go, Dart, Haskell, PHP) or in preprocessor lines (C). Data formats are read from parser events.

mod asciidoc;
mod bazel;
mod c;
pub(crate) mod cmake;
mod command_words;
pub(crate) mod css;
mod dart;
pub(crate) mod data;
pub(crate) mod doc_sites;
mod docker;
mod dotnet;
mod elixir;
mod go;
mod gradle;
mod haskell;
pub(crate) mod html;
pub(crate) mod js;
mod json;
mod jvm;
mod keyword_hits;
mod latex;
mod lexer;
mod lua;
pub(crate) mod make;
mod markdown;
mod maven;
mod nix;
mod php;
mod proto;
mod python;
mod rst;
mod ruby;
mod rust;
pub(crate) mod shell;
mod string_ranges;
mod swift;
mod terraform;
#[cfg(test)]
mod tests;
mod toml;
mod xml;
mod yaml;
mod zig;

pub use markdown::fragments;

use crate::checked::Checked;
use crate::project::Project;
use crate::source::Source;

/// A language or a file format.
pub trait Language: Sync {
    /// Returns its name, the first part of its literal kinds.
    fn name(&self) -> &'static str;

    /// Returns whether the language reads a file, by its path.
    fn claims(&self, path: &str) -> bool;

    /// Appends every literal of a file with its verdict. It must not panic on any input.
    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>);

    /// Returns the rule or script of its build that generates a missing path. Called for literals of any language.
    fn generated_by(&self, _path: &str, _project: &Project) -> Option<String> {
        None
    }
}

/// All languages, by name.
pub const ALL: &[&dyn Language] = &[
    &asciidoc::AsciiDoc,
    &bazel::Bazel,
    &c::C,
    &cmake::Cmake,
    &css::CSS,
    &css::LESS,
    &css::SCSS,
    &dart::Dart,
    &docker::Docker,
    &dotnet::Dotnet,
    &elixir::Elixir,
    &go::Go,
    &gradle::Gradle,
    &haskell::Haskell,
    &html::Html,
    &html::Svg,
    &js::Js,
    &json::Json,
    &jvm::Jvm,
    &latex::Latex,
    &lua::Lua,
    &make::Make,
    &markdown::Markdown,
    &maven::Maven,
    &nix::Nix,
    &php::Php,
    &proto::Proto,
    &python::Python,
    &rst::Rst,
    &ruby::Ruby,
    &rust::Rust,
    &shell::Shell,
    &swift::Swift,
    &terraform::Terraform,
    &toml::Toml,
    &yaml::Yaml,
    &zig::Zig,
];

/// Returns the languages that claim a path.
pub fn for_path(path: &str) -> impl Iterator<Item = &'static dyn Language> {
    ALL.iter().copied().filter(move |language| language.claims(path))
}
