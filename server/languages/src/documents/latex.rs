//! Checks LaTeX: inputs, graphics, bibliographies.
//!
//! A small scanner finds commands with their arguments; only TeX itself can interpret the rest.

mod kinds;
mod rules;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// LaTeX documents. Packages and classes are left out: they name files of the documents that use them.
pub(crate) struct Latex;

impl Language for Latex {
    fn name(&self) -> &'static str {
        "tex"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "tex" | "ltx")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        rules::check(&mut Report::new(source, project, found));
    }
}
