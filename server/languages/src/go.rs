//! Go: checks imports of packages in the repository's modules, patterns of `//go:embed`, and directories in `go.mod`
//! and `go.work`.
//!
//! Imports precede all declarations, so a tokenizer stops after the first lines of a file. No grammar is needed.

mod embed;
mod gomod;
mod imports;
mod kinds;
mod modules;
mod scan;
#[cfg(test)]
mod tests;

pub(crate) use self::modules::GoModules;
use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, PackageDeclaration, Project, Report, Source};

/// The [`Language`] of Go sources, `go.mod` and `go.work`.
pub(crate) struct Go;

impl Language for Go {
    fn name(&self) -> &'static str {
        "go"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "go" || matches!(name(path), "go.mod" | "go.work")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        // Paths in vendored code refer to the repository it came from.
        if is_vendored(source.path()) {
            return;
        }
        let mut report = Report::new(source, project, found);
        if extension(source.path()) == "go" {
            imports::check_comment(&mut report);
            imports::check(&mut report);
            embed::check(&mut report);
        } else {
            gomod::check(&mut report);
        }
    }

    fn package_declaration(&self, source: &Source<'_>) -> Option<PackageDeclaration> {
        let is_own = extension(source.path()) == "go" && !is_vendored(source.path());
        let range = is_own.then(|| scan::find_import_comment(source.text())).flatten()?;
        Some(PackageDeclaration { names: vec![range], separator: '/' })
    }
}

/// Returns whether a file is a vendored copy.
fn is_vendored(path: &str) -> bool {
    path.starts_with("vendor/") || path.contains("/vendor/") || path.contains("Godeps/_workspace/")
}
