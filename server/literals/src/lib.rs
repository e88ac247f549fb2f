//! Finds path literals in source files and checks whether their targets exist.
//!
//! [`check`] is the entry point: it takes one file and returns one [`Checked`] per literal. All access to the file system
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
//! # Reading files
//!
//! Tree-sitter reads code where strings and blocks matter. Small token readers read imports at the head of a file (JVM
//! languages, Go, Dart, Haskell, PHP class names) and preprocessor lines (C). Syntax trees are kept per grammar and
//! part of the text and receive each edit. Parts that can be separated without a grammar (Python statements, scripts of
//! a component) are parsed one by one, and only if they contain a relevant word. Formats are read from the events of a
//! parser; their nodes borrow text from the file.
//!
//! Project-wide configuration (search paths, packages, modules, aliases) is read once, when the first literal asks for
//! it, and kept in `Project`. A type is a `ProjectIndex` if it says how it is read, so a language adds its own and
//! `Project` knows none of them.

#![forbid(unsafe_code)]

mod checked;
mod configuration;
mod document;
mod earlier_paths;
mod generated;
mod glob;
pub mod language;
mod lookup;
pub mod path;
mod project;
mod project_index;
mod report;
mod reverse_dependencies;
mod rewrite;
mod settings;
mod source;
mod spellings;
mod suffix_index;
mod syntax_trees;
#[cfg(test)]
mod testing;
mod tree;
mod typo;
mod typo_findings;

pub use checked::{Checked, Code, Missing, Reason, Severity, Target, Verdict, Want};
pub use configuration::is_configuration;
pub use document::Document;
pub use project::Project;
pub use report::is_fixture;
pub use reverse_dependencies::ReverseDependencies;
pub use rewrite::{Edit, MoveRewriter, Rewriting};
pub use settings::ProjectSettings;
pub use source::Source;
pub use tree::{Kind, Moved, Tree};

/// Returns every literal of one file with its verdict, in source order. A file of an unknown language has none; broken
/// input has fewer, and never fails.
pub fn check(source: &Source<'_>, project: &Project) -> Vec<Checked> {
    let mut found = check_at_current_path(source, project);
    earlier_paths::apply(source, project, &mut found);
    typo_findings::apply(project, &mut found);
    found
}

/// Checks a file without the lookups from its earlier paths and without typo detection.
pub(crate) fn check_at_current_path(source: &Source<'_>, project: &Project) -> Vec<Checked> {
    let mut found = Vec::new();
    for language in language::for_path(source.path()) {
        language.check(source, project, &mut found);
    }
    found.sort_by_key(|checked| (checked.range.start, checked.range.end));
    // Two languages can report the same range (HTML in Markdown). A verdict `Found` of either wins.
    found.dedup_by(|later, first| {
        let same = later.range == first.range;
        if same && matches!(later.verdict, Verdict::Found(_)) {
            std::mem::swap(later, first);
        }
        same
    });
    for checked in &mut found {
        settings::apply(project.settings(), source, project, checked);
    }
    found
}
