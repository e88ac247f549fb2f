//! The supported languages. Each language finds its literals and resolves them by its own rules; `pathfinder-literals` is the
//! framework.
//!
//! Each language has one folder: its scanner or parser, its rules, its table of fixtures. To add a language, add its folder,
//! an entry in [`ALL`] and its fixtures. Formats of documents lie together in `documents`, because they share sites and anchors.
//!
//! # Reading files
//!
//! Tree-sitter reads code where strings and blocks matter. A small lexer reads imports at the head of a file (JVM languages, Go,
//! Dart, Haskell, PHP class names) and preprocessor lines (C). Parts that can be separated without a grammar (Python statements,
//! scripts of a component) are parsed one by one, and only if they contain a relevant word. Data formats are read from the
//! events of a parser; their nodes borrow text from the file.

#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests write files and look at the clock")
)]

mod bazel;
mod c;
mod cmake;
mod command_words;
mod configuration;
mod css;
mod dart;
mod data_report;
mod data_values;
mod docker;
mod documents;
mod dotnet;
mod elixir;
mod file_moves;
mod formats;
mod go;
mod gradle;
mod haskell;
mod host_links;
mod install_directories;
mod js;
mod json;
mod jvm;
mod keyword_hits;
mod learned_bases;
mod learned_references;
mod left_paths;
mod lua;
mod make;
mod maven;
mod moved_addresses;
mod moved_directories;
mod moved_names;
mod moved_resources;
mod moved_strings;
mod near_name;
mod near_names;
mod nix;
mod other_times;
mod path_lists;
mod path_words;
mod php;
mod proto;
mod python;
mod relative_names;
mod ruby;
mod rust;
mod shell;
mod swift;
mod templates;
mod terraform;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod toml;
mod words;
mod xcode;
mod yaml;
mod zig;

use pathfinder_literals::Language;

pub use configuration::is_configuration;
pub use documents::doc_sites::as_in_site;
pub use documents::markdown::anchors::{fragments, shown_headings, shows_heading};
pub use near_name::NearName;
pub use near_names::find_near_name;

/// All languages, by name.
pub const ALL: &[&dyn Language] = &[
    &documents::asciidoc::AsciiDoc,
    &bazel::Bazel,
    &c::C,
    &cmake::Cmake,
    &documents::code_links::CodeLinks,
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
    &documents::html::Html,
    &documents::html::Svg,
    &js::Js,
    &json::Json,
    &jvm::Jvm,
    &documents::latex::Latex,
    &lua::Lua,
    &make::Make,
    &documents::markdown::Markdown,
    &maven::Maven,
    &nix::Nix,
    &php::Php,
    &proto::Proto,
    &python::Python,
    &documents::rst::Rst,
    &ruby::Ruby,
    &rust::Rust,
    &shell::Shell,
    &swift::Swift,
    &templates::Templates,
    &terraform::Terraform,
    &toml::Toml,
    &words::Words,
    &xcode::Xcode,
    &yaml::Yaml,
    &zig::Zig,
    // Files are counted with those of the first language that claims them.
    &documents::code_blocks::CodeBlocks,
    &host_links::HostLinks,
    &learned_references::LearnedReferences,
    &moved_strings::MovedStrings,
    &path_lists::PathLists,
];

/// Returns the languages that claim a path.
pub fn for_path(path: &str) -> impl Iterator<Item = &'static dyn Language> {
    ALL.iter().copied().filter(move |language| language.claims(path))
}
