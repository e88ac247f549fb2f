//! `CMake`: checks subdirectories, includes, sources, inputs of `configure_file`, and paths below known variables.
//!
//! The scanner is handwritten: the whole grammar is `name(words)` with quotes, brackets and comments.

mod expand;
pub(crate) mod index;
mod kinds;
mod rules;
pub(crate) mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// The [`Language`] of `CMake` files.
pub(crate) struct Cmake;

/// Returns whether a path is a `CMake` file.
pub(crate) fn is_cmake(path: &str) -> bool {
    name(path) == "CMakeLists.txt" || extension(path) == "cmake"
}

impl Language for Cmake {
    fn name(&self) -> &'static str {
        "cmake"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        is_cmake(path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        rules::check(&mut Report::new(source, project, found));
    }
}
