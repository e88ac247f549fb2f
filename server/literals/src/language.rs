//! The languages: each finds its literals and resolves them by its own rules. One folder per language; to add one, add
//! its folder, a line in [`ALL`], and its table of fixtures. What it reads once of a whole tree is a
//! `Fact` of its own.

mod asciidoc;
mod bazel;
mod c;
pub(crate) mod cmake;
mod code;
pub(crate) mod css;
mod dart;
pub(crate) mod data;
mod docker;
mod dotnet;
mod elements;
mod elixir;
mod go;
mod gradle;
mod haskell;
mod hits;
pub(crate) mod html;
pub(crate) mod js;
mod json;
mod jvm;
mod latex;
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
pub(crate) mod site;
pub(crate) mod strings;
mod swift;
mod terraform;
#[cfg(test)]
mod tests;
mod tokens;
mod toml;
mod words;
mod yaml;
mod zig;

pub use markdown::fragments;

use crate::checked::Checked;
use crate::project::Project;
use crate::source::Source;

/// A language, or a format.
pub trait Language: Sync {
    /// Its name, as the first part of its kinds.
    fn name(&self) -> &'static str;

    /// Whether a file is in it, by its path.
    fn claims(&self, path: &str) -> bool;

    /// Adds every literal of a file with its verdict. Finding none is fine; failing is not.
    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>);

    /// What of its build makes a path that is not there: a rule, a script. Asked for what files of any language name.
    fn made_by(&self, _path: &str, _project: &Project) -> Option<String> {
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

/// The languages that claim a path.
pub fn of(path: &str) -> impl Iterator<Item = &'static dyn Language> {
    ALL.iter().copied().filter(move |language| language.claims(path))
}
