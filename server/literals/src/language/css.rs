//! CSS, SCSS, Sass and Less: `url()`, `@import`, `@use`, `@forward`.
//!
//! An own scanner: comments, strings and `url(` are all that has to be told apart, it is linear whatever is in the file,
//! and a grammar of plain CSS breaks on what Sass, Less and Tailwind add.

mod foreign;
mod rules;
mod sass;
mod scan;
#[cfg(test)]
mod tests;

use crate::checked::Checked;
use crate::language::Language;
use crate::path::extension;
use crate::project::Project;
use crate::report::Report;
use crate::source::Source;

/// What a dialect calls its literals.
pub(crate) struct Dialect {
    pub(crate) name: &'static str,
    pub(crate) import: &'static str,
    pub(crate) url: &'static str,
}

/// CSS.
pub(crate) const CSS: Sheet = Sheet(Dialect { name: "css", import: "css.import", url: "css.url" });
/// SCSS and Sass.
pub(crate) const SCSS: Sheet = Sheet(Dialect { name: "scss", import: "scss.import", url: "scss.url" });
/// Less.
pub(crate) const LESS: Sheet = Sheet(Dialect { name: "less", import: "less.import", url: "less.url" });

/// Style sheets in one dialect.
pub(crate) struct Sheet(Dialect);

impl Language for Sheet {
    fn name(&self) -> &'static str {
        self.0.name
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
