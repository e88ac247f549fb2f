//! Checks CSS, SCSS, Sass and Less: `url()`, `@import`, `@use`, `@forward`.
//!
//! A small scanner suffices: it only distinguishes comments, strings and `url(`. It is linear in any text, and a
//! grammar of plain CSS rejects the extensions of Sass, Less and Tailwind.

mod candidates;
mod kinds;
mod load_paths;
mod rules;
mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

/// The names of a dialect's literal kinds.
pub(crate) struct StyleDialect {
    pub(crate) name: &'static str,
    pub(crate) import: LiteralKind,
    pub(crate) url: LiteralKind,
}

/// The CSS language.
pub(crate) const CSS: StyleSheet =
    StyleSheet(StyleDialect { name: "css", import: kinds::CSS_IMPORT, url: kinds::CSS_URL });
/// The SCSS and Sass language.
pub(crate) const SCSS: StyleSheet =
    StyleSheet(StyleDialect { name: "scss", import: kinds::SCSS_IMPORT, url: kinds::SCSS_URL });
/// The Less language.
pub(crate) const LESS: StyleSheet =
    StyleSheet(StyleDialect { name: "less", import: kinds::LESS_IMPORT, url: kinds::LESS_URL });

/// The language of style sheets in one dialect.
pub(crate) struct StyleSheet(StyleDialect);

impl Language for StyleSheet {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        match extension(path).as_str() {
            "css" | "pcss" | "postcss" => self.0.name == "css",
            "scss" | "sass" => self.0.name == "scss",
            "less" => self.0.name == "less",
            _ => false,
        }
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        rules::check(&mut Report::new(source, project, found), &self.0);
    }
}
