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

use pathfinder_literals::path::{ancestors, extension, join, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Reason, Report, Source, Verdict};

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
        let start = found.len();
        rules::check(&mut Report::new(source, project, found));
        if is_left_out(source, project) {
            for literal in &mut found[start..] {
                let range = literal.range.start - source.offset()..literal.range.end - source.offset();
                let is_above =
                    source.text().get(range).is_some_and(|text| text.trim_start_matches('"').starts_with("../"));
                if is_above && matches!(&literal.verdict, Verdict::Missing(missing) if missing.instead.is_none()) {
                    let reason = Reason::Undecided("the build that it was a part of".to_owned());
                    literal.verdict = Verdict::Unknown(reason);
                }
            }
        }
    }
}

/// Returns whether no build reads the list of a directory: it begins none, and no directory above has a list. Such are in copies of libraries
/// without what is above them.
fn is_left_out(source: &Source<'_>, project: &Project) -> bool {
    let text = source.text().to_ascii_lowercase();
    let begins = ["cmake_minimum_required", "project("].iter().any(|call| text.contains(call));
    let lists = || ancestors(source.directory()).skip(1).filter_map(|above| join(above, "CMakeLists.txt"));
    name(source.path()) == "CMakeLists.txt"
        && !source.directory().is_empty()
        && !begins
        && !lists().any(|path| project.tree().kind(&path).is_some())
}
