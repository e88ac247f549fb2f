//! HTML and SVG: attributes that name a file.
//!
//! A page is often not what is served: it is a template, or it is moved, or what it names is built. So a finding needs
//! evidence that the page is read where it lies, and that nobody makes what it names.

mod attributes;
mod page;
pub(crate) mod site;
mod tags;
#[cfg(test)]
mod tests;

use crate::checked::Checked;
use crate::language::Language;
use crate::language::markdown::layout;
use crate::path::extension;
use crate::project::Project;
use crate::report::Report;
use crate::source::Source;

/// HTML, XHTML.
pub(crate) struct Html;

impl Language for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn claims(&self, path: &str) -> bool {
        // `component.html` is Angular's: its references are those of the page that it becomes a part of.
        matches!(extension(path).as_str(), "html" | "htm" | "xhtml") && !path.ends_with(".component.html")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        page::check(&mut Report::new(source, project, found), false);
        layout(source, project, found);
    }
}

/// SVG.
pub(crate) struct Svg;

impl Language for Svg {
    fn name(&self) -> &'static str {
        "svg"
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "svg"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        page::check(&mut Report::new(source, project, found), true);
    }
}
