//! reStructuredText: what directives and roles read, and what Sphinx makes documents from.

mod resolve;
mod scan;
#[cfg(test)]
mod tests;

use crate::checked::Checked;
use crate::language::Language;
use crate::path::extension;
use crate::project::Project;
use crate::source::Source;

pub(crate) use resolve::Documents;
pub(crate) use scan::{Reference, document_in, role_targets};

/// The language.
pub(crate) struct Rst;

impl Language for Rst {
    fn name(&self) -> &'static str {
        "rst"
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "rst" | "rest" | "txt")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let documents = Documents::new(source, project);
        // Text is of this language only where Sphinx is told so.
        if extension(source.path()) == "txt" && !documents.has_suffix(".txt") {
            return;
        }
        scan::references(source.text(), &mut |reference| documents.add(&reference, found));
    }
}
