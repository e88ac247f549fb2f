//! The languages: each finds its literals and resolves them by its own rules. One folder per language; to add one, add
//! its folder, a line in [`ALL`], and its table of fixtures.

mod bazel;
pub(crate) mod cmake;
pub(crate) mod css;
pub(crate) mod html;
mod latex;
pub(crate) mod make;
mod nix;
mod proto;
pub(crate) mod shell;
mod terraform;
mod words;

use crate::checked::Checked;
use crate::project::Project;
use crate::source::Source;

/// A language, or a format.
pub trait Language: Sync {
    /// Its name, as the first part of its kinds.
    fn name(&self) -> &'static str;

    /// Whether a file is in it, by its path.
    fn claims(&self, path: &str) -> bool;

    /// Adds every literal of a file with its verdict. Finding none is fine; failing is not.
    fn check(&self, source: &Source<'_>, project: &Project<'_>, found: &mut Vec<Checked>);
}

/// All languages, by name.
pub const ALL: &[&dyn Language] = &[
    &bazel::Bazel,
    &cmake::Cmake,
    &css::CSS,
    &html::Html,
    &css::LESS,
    &make::Make,
    &nix::Nix,
    &proto::Proto,
    &css::SCSS,
    &shell::Shell,
    &html::Svg,
    &latex::Latex,
    &terraform::Terraform,
];

/// The languages that claim a path.
pub fn of(path: &str) -> impl Iterator<Item = &'static dyn Language> {
    ALL.iter().copied().filter(move |language| language.claims(path))
}
