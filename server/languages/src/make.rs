//! Makefiles: checks `include`, and words of rules, recipes and lists that are paths.
//!
//! The line scanner is handwritten. The meaning of a line depends on variables that only make knows, so the syntax tree of
//! `makefile-lossless` would say no more than the lines do. Recipes are read as shell.

pub(crate) mod index;
mod kinds;
mod lines;
mod rules;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// The [`Language`] of makefiles, including automake's.
pub(crate) struct Make;

/// Returns whether a path is a makefile.
pub(crate) fn is_makefile(path: &str) -> bool {
    matches!(name(path), "Makefile" | "makefile" | "GNUmakefile" | "Makefile.am")
        || matches!(extension(path).as_str(), "mk" | "mak" | "makefile")
}

impl Language for Make {
    fn name(&self) -> &'static str {
        "make"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_makefile(path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        rules::check(&mut Report::new(source, project, found));
    }
}
