//! Checks Markdown and MDX: links, images, reference definitions, HTML, anchors, and files that generators include.

pub(crate) mod anchors;
pub(crate) mod classify;
mod directives;
pub(crate) mod front_matter;
mod gitbook;
mod guides;
mod html_tags;
mod include;
pub(crate) mod kinds;
pub(crate) mod link_checker;
mod links;
mod mdx;
mod mdx_body;
mod myst;
mod page_labels;
mod page_scripts;
mod prose_blocks;
mod shared_links;
mod shortcodes;
mod site_prefix;
pub(crate) mod spelling;
#[cfg(test)]
mod tests;

use pathfinder_literals::path::extension;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Reason, Source, Verdict};
use rustc_hash::FxHashSet;

use super::doc_sites::DocSites;
use link_checker::LinkChecker;
use links::Dialect;

/// Restrains the finding of a definition that no link uses: it counts where its target moved, or where a typo explains it.
fn restrained(link: Checked) -> Checked {
    let verdict = match link.verdict {
        Verdict::Missing(missing) if missing.instead.is_none() => {
            Verdict::Unknown(Reason::Undecided("a link that uses it".to_owned()))
        }
        verdict => verdict,
    };
    Checked { verdict, ..link }
}

/// The Markdown language, with MDX.
pub(crate) struct Markdown;

impl Language for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "mdown" | "mkd")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let (links, code) = links::parse_links(source.text(), Dialect::find(project, source.path()));
        let mut checker = LinkChecker::new(source, project);
        let mut unused = FxHashSet::default();
        for link in links {
            if !link.is_followed {
                unused.insert(link.range.start + source.offset());
            }
            checker.check_link(link.kind, link.range, &link.destination);
        }
        front_matter::check_files(&mut checker, source.text());
        found.extend(
            checker.finish().map(|link| if unused.contains(&link.range.start) { restrained(link) } else { link }),
        );
        front_matter::check_layout(source, project, found);
        front_matter::check_addresses(source, project, found);
        mdx::check(source, project, &code, found);
        page_scripts::check(source, project, found);
        include::check(source, project, &code, found);
        myst::check(source, project, &code, found);
        shortcodes::check(source, project, found);
        directives::check(source, project, found);
        guides::check(source, project, found);
        front_matter::check_moved(source, project, found);
    }

    fn address_declarations(&self, address: &str, project: &Project) -> Option<Vec<(String, String)>> {
        let tree = project.tree();
        project.index::<DocSites>().routes(tree).declarations(tree, address)
    }

    fn has_unconfigured_site(&self, project: &Project) -> bool {
        project.index::<DocSites>().all(project.tree()).is_empty()
    }

    fn has_cached_headings(&self, path: &str, project: &Project) -> bool {
        project.index::<DocSites>().has_cached_anchors(path)
    }
}
