//! Checks TOML: files with known keys that name paths.

mod cargo;
mod kinds;
mod pyproject;
mod tools;

use crate::data_report::DataReport;
use crate::data_values;
use crate::path_words;
use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::toml::read;

/// The TOML language.
pub(crate) struct Toml;

/// A check of one known file's keys.
type TomlCheck = fn(&mut DataReport<'_>, &Node);

impl Language for Toml {
    fn name(&self) -> &'static str {
        "toml"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "toml" || name(path) == "Pipfile"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let known = find_check(source.path());
        let has_values = data_values::has_values(source.path(), source.text());
        if known.is_none() && !has_values {
            return;
        }
        let Some(root) = read(source.text()) else { return };
        let mut report = DataReport::new(source, project, found);
        if let Some(known) = known {
            known(&mut report, &root);
        }
        if has_values {
            data_values::check(&mut report, &root, kinds::VALUE);
            path_words::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
            data_values::pages::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
            data_values::names::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
        }
    }
}

/// The check for a file, by its name.
fn find_check(path: &str) -> Option<TomlCheck> {
    let known: TomlCheck = match name(path) {
        "Cargo.toml" => cargo::check,
        "config.toml" if name(parent(path)) == ".cargo" => cargo::check_config,
        "Cross.toml" => tools::check_cross,
        "pyproject.toml" => pyproject::check,
        "ruff.toml" | ".ruff.toml" => pyproject::check_ruff,
        "uv.toml" => pyproject::check_uv,
        "book.toml" => tools::check_book,
        "netlify.toml" => tools::check_netlify,
        "knope.toml" => tools::check_knope,
        "fly.toml" => tools::check_fly,
        "wrangler.toml" => tools::check_wrangler,
        "Pipfile" => tools::check_pipfile,
        _ => return None,
    };
    Some(known)
}

#[cfg(test)]
mod tests;
