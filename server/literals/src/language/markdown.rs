//! Markdown and MDX: links, images, reference definitions, HTML, anchors, and what generators include.

mod anchors;
mod front;
mod include;
mod links;
mod mdx;
mod myst;
mod resolve;
mod tags;
#[cfg(test)]
mod tests;
mod words;

use crate::checked::Checked;
use crate::language::Language;
use crate::path::extension;
use crate::project::Project;
use crate::source::Source;

pub(crate) use anchors::Anchors;
pub use anchors::fragments;
pub(crate) use front::layout;
pub(crate) use resolve::seen_as_written;
pub(crate) use words::is_made_up;

use resolve::Page;

/// The language.
pub(crate) struct Markdown;

impl Language for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "mdown" | "mkd")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let (links, code) = links::links(source.text());
        let mut page = Page::new(source, project);
        for link in links {
            page.link(link.kind, link.range, &link.says);
        }
        front::pictures(&mut page, source.text());
        found.extend(page.finish());
        front::layout(source, project, found);
        mdx::check(source, project, &code, found);
        include::check(source, project, &code, found);
        myst::check(source, project, &code, found);
    }
}
