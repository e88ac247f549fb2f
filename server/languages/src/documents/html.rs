//! Checks HTML and SVG: attributes that name a file.
//!
//! A page is often not served as it lies in the repository. It can be a template or be moved, and a build can create
//! its files. A finding therefore needs evidence that the page is read in place and that no build creates the target.

mod kinds;
mod made;
mod page;
mod references;
pub(crate) mod site;
mod tags;
#[cfg(test)]
mod tests;

use crate::documents::markdown::front_matter::check_layout;
use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// HTML and XHTML.
pub(crate) struct Html;

impl Language for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "html" | "htm" | "xhtml")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // Doxygen writes the head of its pages from this one, beside its own files.
        if source.text().contains("$doxygenversion") {
            return;
        }
        let first = found.len();
        page::check(&mut Report::new(source, project, found), false);
        made::restrain(source, &mut found[first..]);
        check_layout(source, project, found);
    }
}

/// The SVG language.
pub(crate) struct Svg;

impl Language for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        &[kinds::SVG_HREF]
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "svg"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        page::check(&mut Report::new(source, project, found), true);
    }
}
