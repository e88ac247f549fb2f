//! LaTeX: inputs, graphics, bibliographies.
//!
//! An own scanner of commands with their arguments: what else TeX does with a text only TeX knows.

mod rules;
mod scan;
#[cfg(test)]
mod tests;

use crate::checked::Checked;
use crate::language::Language;
use crate::path::extension;
use crate::project::Project;
use crate::report::Report;
use crate::source::Source;

/// LaTeX documents. Packages and classes name what other documents have.
pub(crate) struct Latex;

impl Language for Latex {
    fn name(&self) -> &'static str {
        "tex"
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "tex" | "ltx")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        rules::check(&mut Report::new(source, project, found));
    }
}
