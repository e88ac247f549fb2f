//! .NET: checks items and imports of project files, and the projects of a solution.

mod kinds;
mod rules;
mod solution;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// The [`Language`] of .NET project files and solutions.
pub(crate) struct Dotnet;

impl Language for Dotnet {
    fn name(&self) -> &'static str {
        "cs"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "csproj" | "fsproj" | "vbproj" | "props" | "targets" | "sln" | "slnx")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let mut report = Report::new(source, project, found);
        if extension(source.path()) == "sln" {
            solution::check(&mut report);
        } else {
            rules::check(&mut report);
        }
    }
}
