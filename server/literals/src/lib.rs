//! Finds path literals in source, and says of each whether what it names is there.
//!
//! [`check`] is the façade: one file in, one [`Checked`] for each literal out. A [`Tree`] is the only thing it asks
//! about the world; a [`Project`] is what all files of one tree share.

#![forbid(unsafe_code)]

mod checked;
mod configuration;
mod configured;
mod document;
mod facts;
mod glob;
pub mod language;
mod lookup;
mod mentions;
mod mistyped;
mod past;
mod path;
mod places;
mod producer;
mod project;
mod report;
mod rewrite;
mod slip;
mod source;
mod spellings;
#[cfg(test)]
mod testing;
mod tree;
mod trees;

pub use checked::{Checked, Code, Missing, Reason, Severity, Target, Verdict, Want};
pub use configuration::is_configuration;
pub use configured::Configured;
pub use document::Document;
pub use mentions::Mentions;
pub use project::Project;
pub use report::is_fixture;
pub use rewrite::{Edit, Moving, Rewriting};
pub use source::Source;
pub use tree::{Kind, Moved, Tree};

/// Every literal of one file, in the order of their places. A file in no known language has none; broken input has
/// fewer, and never fails.
pub fn check(source: &Source<'_>, project: &Project) -> Vec<Checked> {
    let mut found = at_present(source, project);
    past::apply(source, project, &mut found);
    mistyped::apply(project, &mut found);
    found
}

/// The same without what is told by the places that the file itself had before.
pub(crate) fn at_present(source: &Source<'_>, project: &Project) -> Vec<Checked> {
    let mut found = Vec::new();
    for language in language::of(source.path()) {
        language.check(source, project, &mut found);
    }
    found.sort_by_key(|checked| (checked.range.start, checked.range.end));
    // Two languages can see the same place (HTML in Markdown): what one of them knows to be there is there.
    found.dedup_by(|later, first| {
        let same = later.range == first.range;
        if same && matches!(later.verdict, Verdict::Found(_)) {
            std::mem::swap(later, first);
        }
        same
    });
    for checked in &mut found {
        configured::apply(project.says(), source, project, checked);
    }
    if project.says().hints {
        language::strings::check(source, project, &mut found);
        found.sort_by_key(|checked| (checked.range.start, checked.range.end));
    }
    found
}
