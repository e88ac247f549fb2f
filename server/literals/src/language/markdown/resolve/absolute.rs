//! Links that begin at a root: of the site, or of the repository where a forge shows the document.

use super::{Outcome, Page, custom_of, is_page};
use crate::checked::{Code, Missing, Reason, Severity, Verdict};
use crate::language::doc_sites::{DocSites, Generator, PublishedDirectories};
use crate::language::markdown::words::{has_extension, is_forge_absolute};
use crate::lookup::{Lookup, Want, with_endings};
use crate::path::{join, name};
use crate::tree::Kind;

/// What a site can make a page with this address from.
const ENDINGS: [&str; 10] =
    ["", ".md", ".mdx", "/index.md", "/README.md", "/index.mdx", "/_index.md", ".html", "/index.html", ".rst"];

/// What directories are called whose contents a site serves as they are.
const SERVED: [&str; 8] = ["public", "static", "assets", "www", "web", "site", "htdocs", "wwwroot"];

impl Page<'_> {
    pub(super) fn absolute(&self, path: &str) -> Outcome {
        let tree = self.project.tree();
        let all = self.project.index::<DocSites>().all(tree);
        let Some(plain) = join("", path).filter(|path| !path.is_empty()) else {
            return Outcome::unknown(Reason::Elsewhere);
        };
        let mut lookup = Lookup::new(self.project, Want::Any);
        // Its own sites first, then the repository as a forge shows it, then any site: a document can be copied there.
        let own: Vec<&str> = self.sites.iter().flat_map(|site| site.roots.iter().map(String::as_str)).collect();
        let others = all.iter().flat_map(|site| site.roots.iter().map(String::as_str));
        let sphinx = self.sites.iter().filter(|site| site.generator == Generator::Sphinx);
        let sources: Vec<String> = sphinx.flat_map(|site| site.sources(self.source.path())).collect();
        let mut roots: Vec<&str> = own.iter().copied().chain(sources.iter().map(String::as_str)).chain([""]).collect();
        if roots.len() > 1 || self.is_routed {
            others.for_each(|root| {
                if !roots.contains(&root) {
                    roots.push(root);
                }
            });
        }
        for root in &roots {
            let Some(at) = join(root, &plain) else { continue };
            let source = at.rsplit_once('.').filter(|_| is_page(&plain)).map(|(stem, _)| stem.to_owned());
            // What is not translated is taken from the original.
            let others = self.in_other_locales(&at);
            let stems = std::iter::once(at).chain(source).chain(others);
            for stem in stems {
                if let Some(path) = lookup.first(with_endings(&stem, &ENDINGS)) {
                    return lookup.verdict(Severity::Warning, [Some(path)]).into();
                }
            }
        }
        let missing = |lookup: Lookup<'_>| -> Outcome {
            match lookup.missing(Severity::Warning) {
                // Sites write the addresses of their pages in small letters, whatever the files are called.
                (Verdict::Missing(Missing { code: Code::CaseMismatch, .. }), _) if !has_extension(&plain) => {
                    Outcome::undecided("the routes of the site")
                }
                other => other.into(),
            }
        };
        if let Some(path) = self.project.index::<PublishedDirectories>().find(self.project, self.source.path(), &plain)
        {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if is_forge_absolute(&plain) {
            return Outcome::unknown(Reason::Elsewhere);
        }
        let first = plain.split('/').next().unwrap_or("");
        let has_first = |root: &&&str| join(root, first).is_some_and(|at| tree.kind(&at) == Some(Kind::Directory));
        let is_file = has_extension(&plain) && !is_page(&plain);
        if all.is_empty() && !self.is_routed {
            // Something may serve that directory, though nothing says so.
            let served = |path: &str| SERVED.contains(&name(path.trim_end_matches(&plain).trim_end_matches('/')));
            if self.project.ending_in(&plain).is_some_and(served) {
                return Outcome::undecided("what serves the directory that has it");
            }
            // A forge shows it, and nothing else is known to.
            let is_placed = has_first(&&"") || (is_file && !plain.contains('/'));
            // It was there until a commit moved it, with all that was in its directory.
            let is_moved = is_file && tree.moved(&plain).is_some();
            let is_sure = is_moved || is_placed && (is_file || plain.contains('/')) && !is_page(&plain);
            return if is_sure { missing(lookup) } else { Outcome::unknown(Reason::Elsewhere) };
        }
        let routes = self.project.index::<DocSites>().routes(tree);
        let stem =
            if is_page(&plain) { plain.rsplit_once('.').map_or(plain.as_str(), |(stem, _)| stem) } else { &plain };
        if let Some(path) = routes.ends_in(tree, stem) {
            return lookup.verdict(Severity::Warning, [Some(path.to_owned())]).into();
        }
        let is_placed = plain.contains('/') && roots.iter().any(|root| has_first(&root));
        if !is_placed {
            return Outcome::undecided("the routes of the site");
        }
        if matches!(
            name(&plain),
            "feed.xml" | "rss.xml" | "atom.xml" | "index.xml" | "sitemap.xml" | "feed.json" | "robots.txt"
        ) {
            return Outcome::unknown(Reason::Produced("the generator of the site".to_owned()));
        }
        if is_file {
            // A file is copied as it is, so that its name is somewhere if it is anywhere.
            let is_source = matches!(crate::path::extension(&plain).as_str(), "md" | "mdx" | "markdown");
            return if is_source || !own.is_empty() || self.sites.is_empty() && tree.kind(first).is_some() {
                missing(lookup)
            } else {
                Outcome::undecided("the routes of the site")
            };
        }
        if routes.is_given(name(stem)) {
            return Outcome::undecided("the routes of the site");
        }
        // Pages have no other rule than what the document's other links follow.
        let mut outcome = missing(lookup);
        outcome.custom = custom_of(path);
        outcome
    }
}
