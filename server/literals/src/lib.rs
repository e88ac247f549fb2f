//! Finds path literals in source files and checks whether their targets exist.
//!
//! [`check`] is the entry point: it takes one file and returns one [`Checked`] per literal. All access to the file system
//! goes through a [`Tree`]; a [`Project`] holds the data that all files of one tree share.

#![forbid(unsafe_code)]

mod checked;
mod configuration;
mod document;
mod earlier_paths;
mod generated;
mod glob;
pub mod language;
mod lookup;
mod path;
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
    if project.settings().hints {
        language::strings::check(source, project, &mut found);
        found.sort_by_key(|checked| (checked.range.start, checked.range.end));
    }
    found
}
