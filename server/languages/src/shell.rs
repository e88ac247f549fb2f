//! Shell: checks `source` and `.`, `# shellcheck source=`, and words that are paths of scripts and sources.
//!
//! The scanner of words, quotes, comments and here-documents is handwritten and linear. Few constructs matter, and most
//! scripts contain parts of another dialect (zsh, bats, templates).

mod below_variables;
mod expand;
mod kinds;
mod learned_variables;
pub(crate) mod rules;
pub(crate) mod scan;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Source};

use crate::path_words;

/// The [`Language`] of scripts of `sh` and its relatives.
pub(crate) struct Shell;

impl Language for Shell {
    fn name(&self) -> &'static str {
        "sh"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        // The first line of a script without extension names its interpreter.
        matches!(extension(path).as_str(), "sh" | "bash" | "zsh" | "ksh" | "bats" | "zsh-theme" | "")
            && !matches!(name(path), "Makefile" | "makefile" | "GNUmakefile" | "Dockerfile" | "BUILD" | "WORKSPACE")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let first = source.text().lines().next().unwrap_or_default();
        let is_script =
            first.starts_with("#!") && first.contains("sh") || first.starts_with("#!") && first.contains("bats");
        if is_script || !first.starts_with("#!") && !extension(source.path()).is_empty() {
            let words = rules::check(&mut Report::new(source, project, found));
            path_words::check(source, project, found, kinds::PATH, words);
        }
    }
}
