//! Checks reStructuredText: the files that directives and roles name, and the documents of Sphinx projects.

mod kinds;
mod modules;
mod resolve;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source};

pub(crate) use resolve::SphinxDocument;
pub(crate) use scan::{RstReference, continue_role, document_of_card, find_open_role, find_role_targets, parse_target};

/// The reStructuredText language.
pub(crate) struct Rst;

impl Language for Rst {
    fn name(&self) -> &'static str {
        "rst"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "rst" | "rest" | "txt")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let document = SphinxDocument::new(source, project);
        // A text file is reStructuredText only if the Sphinx configuration names its suffix.
        if extension(source.path()) == "txt" && !document.has_suffix(".txt") {
            return;
        }
        scan::find_references(source.text(), &mut |reference| document.add(&reference, found));
    }
}
