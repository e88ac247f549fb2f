//! Finds path literals in source files and checks whether their targets exist.
//!
//! [`check`](fn@check) is the entry point: it takes one file and returns one [`Checked`] per literal. All access to the file system
//! goes through a [`Tree`]; a [`Project`] holds the data that all files of one tree share.
//!
//! # From a literal to a verdict
//!
//! A language says where a literal stands and which paths it can name, in order. `Lookup` tries these candidates. A
//! literal is *found* if one exists. It is *missing* only if nothing is known that would create the path. Another
//! spelling is a finding of its own. A path is *unknown* if the project ignores it, a tool generates it by convention,
//! it lies in an empty submodule or outside a sparse checkout, or it leaves the root.
//!
//! If the deciding configuration is absent (include paths, load paths), a literal is missing only if no directory of
//! the tree would make it resolve and the tree has its first segment. Git history knows more than the tree: a missing
//! literal is looked up again from the former place of its file, and a literal of unknown state becomes a finding if
//! its target was moved and no other path ends alike. Each such rule has a row in a table of fixtures.
//!
//! # What a language adds
//!
//! `pathfinder-languages` implements [`Language`] for each language and format. A [`Project`] gets the list of them when it is
//! created, so this package names none.
//!
//! Project-wide configuration (search paths, packages, modules, aliases) is read once, when the first literal asks for
//! it, and kept in `Project`. A type is a `ProjectIndex` if it says how it is read, so a language adds its own and
//! `Project` knows none of them.

#![forbid(unsafe_code)]

mod before_moves;
mod check;
mod checked;
pub mod corrected_imports;
mod document;
mod earlier_paths;
mod generated;
pub mod glob;
mod interpreter;
mod language;
mod left_addresses;
mod literal_kind;
pub mod lookup;
mod package_declaration;
pub mod path;
mod path_memo;
mod project;
mod project_index;
pub mod report;
mod reverse_dependencies;
mod rewrite;
mod settings;
mod source;
mod spellings;
mod suffix_index;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tree;
pub mod typo;
pub mod typo_findings;

pub use check::check;
pub use checked::{Checked, Code, Missing, Reason, Severity, Target, Verdict, Want};
pub use document::Document;
pub use earlier_paths::keeps_address;
pub use interpreter::SCRIPT_RUNNERS;
pub use language::Language;
pub use literal_kind::LiteralKind;
pub use lookup::Lookup;
pub use package_declaration::{PackageDeclaration, text_after_move};
pub use path_memo::PathMemo;
pub use project::Project;
pub use project_index::ProjectIndex;
pub use report::{Report, Resolution, is_fixture};
pub use reverse_dependencies::{ReverseDependencies, is_index_file};
pub use rewrite::{Edit, MoveRewriter, MovedTexts, Rewriting, Rewritten, TextForm};
pub use settings::ProjectSettings;
pub use source::Source;
pub use tree::{Kind, Moved, Tree};
