//! Links that begin where the document is.

use super::{Outcome, Page, is_page};
use crate::checked::{Reason, Severity};
use crate::language::doc_sites::DocSites;
use crate::language::doc_sites::{Generator, PublishedDirectories};
use crate::language::markdown::words::{
    has_extension, is_for_agents, is_known_extension, is_locale, is_named, is_translation,
};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, join, name, parent};
use crate::project::within;
use crate::tree::Kind;

/// What can be left out behind a path. They are put behind it, never in place of an extension: `a.b` is not `a.md`.
const ENDINGS: [&str; 9] = ["", ".md", ".mdx", "/index.md", "/README.md", "/index.mdx", "/_index.md", ".rst", ".html"];

/// What a page of a site can be made from.
const SOURCES: [&str; 10] =
    [".md", ".mdx", ".markdown", ".rst", ".adoc", ".ipynb", "/index.md", ".htm", ".php", ".html.md"];

impl Page<'_> {
    pub(super) fn relative(&self, path: &str, is_html: bool) -> Outcome {
        let mut lookup = Lookup::new(self.project, Want::Any);
        let here = self.source.directory();
        let first = join(here, path);
        // The first is what the literal names in the first place; the others count only if they are there.
        let plain = first.clone().into_iter().flat_map(|path| ENDINGS.map(|ending| Some(format!("{path}{ending}"))));
        if first.is_none() {
            lookup.try_path(None);
        }
        let tree = self.project.tree();
        if let Some(path) = lookup.first(plain) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        let is_there = |path: &String| tree.kind(path).is_some();
        // What agents are told is seen from the root.
        let from_root = join("", path).filter(|path| is_for_agents(self.source.path()) && is_there(path));
        if let Some(path) = from_root {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if let Some(path) = self.elsewhere(path, is_html).find(is_there) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if let Some(path) = self.project.index::<PublishedDirectories>().find(self.project, self.source.path(), path) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        let Some(wanted) = first else { return Outcome::unknown(Reason::Outside) };
        if is_translation(&wanted) || is_translation(self.source.path()) && self.translated(&wanted) {
            return Outcome::undecided("which translations there are");
        }
        self.missing_relative(path, is_html, &wanted, lookup)
    }

    fn missing_relative(&self, path: &str, is_html: bool, wanted: &str, lookup: Lookup<'_>) -> Outcome {
        let tree = self.project.tree();
        let routes = || self.project.index::<DocSites>().routes(tree);
        let last = name(wanted);
        let is_bare = !path.contains('/');
        if is_page(path) {
            // A generated page; wrong only where others of this document are made from a source by the same rule.
            let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
            let is_placed = tree.kind(parent(wanted)) == Some(Kind::Directory);
            if is_placed && !routes().is_given(stem) {
                let mut outcome: Outcome = lookup.missing(Severity::Warning).into();
                // Sphinx has one rule for all.
                outcome.custom = (!self.is_plain_sphinx()).then(|| ".html".to_owned());
                return outcome;
            }
            return Outcome::undecided("what makes the pages");
        }
        // The theme brings it where the site has none.
        if path.ends_with("img/favicon.ico") && self.sites.iter().any(|site| site.generator == Generator::MkDocs) {
            return Outcome::unknown(Reason::Produced("MkDocs".to_owned()));
        }
        if has_extension(path) {
            // `a.b` can be code in text that nobody marked as code.
            if is_bare && !is_known_extension(path) {
                return Outcome::unknown(Reason::Elsewhere);
            }
            // A site that is not known has places of its own for what pages show.
            let is_document = matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
            if self.sites.is_empty() && self.is_routed && !is_document && (is_html || !path.starts_with('.')) {
                return Outcome::undecided("the site that it is a page of");
            }
            // What is generated for another place is written as it will be seen from there: as from the root of a site.
            let all = self.project.index::<DocSites>().all(tree);
            let is_explicit = path.starts_with('.');
            let mut roots = all.iter().flat_map(|site| &site.roots);
            let is_in_root = |root: &String| join(root, path).is_some_and(|path| tree.kind(&path).is_some());
            if self.sites.is_empty() && !is_document && !is_explicit && roots.any(is_in_root) {
                return Outcome::undecided("the site that it is for");
            }
            // A table of contents can be put together with its documents.
            if name(self.source.path()) == "SUMMARY.md" && routes().ends_in(tree, path).is_some() {
                return Outcome::undecided("where the documents are put");
            }
            // A book of mdBook is published beside others.
            let leaves = |site: &&crate::language::doc_sites::DocSite| {
                site.generator == Generator::MdBook && !site.roots.iter().any(|root| within(wanted, root))
            };
            if self.sites.iter().any(leaves) {
                return Outcome::undecided("what is published beside the book");
            }
            return lookup.missing(Severity::Warning).into();
        }
        // MyST takes what is no file for the name of a label, or of what code documents.
        if is_bare && self.has_labels() {
            return Outcome::undecided("the labels of the documentation");
        }
        if is_bare && !path.contains(['-', '_']) {
            if is_named(path) && !self.is_routed {
                return lookup.missing(Severity::Warning).into();
            }
            return Outcome::unknown(Reason::Elsewhere);
        }
        let in_place = |directory: &str| tree.kind(directory) == Some(Kind::Directory);
        if !self.is_routed {
            let first = path.split('/').find(|segment| !matches!(*segment, "." | "..")).unwrap_or("");
            let below = path.find(first).and_then(|at| join(self.source.directory(), &path[..at + first.len()]));
            let is_placed = below.is_some_and(|below| in_place(&below));
            if is_bare || !is_placed {
                return Outcome::unknown(Reason::Elsewhere);
            }
            return lookup.missing(Severity::Warning).into();
        }
        // A page: wrong only if nothing anywhere has its name, and there are pages where it should be.
        let has_pages = |directory: &str| tree.names(directory).iter().any(|name| name.contains(".md"));
        if self.sites.is_empty() || !routes().is_unknown(last) || !has_pages(parent(wanted)) {
            return Outcome::undecided("the routes of the site");
        }
        lookup.missing(Severity::Warning).into()
    }

    /// Where else a path that is written here could lead, if a site makes a page of this.
    fn elsewhere<'s>(&'s self, path: &'s str, is_html: bool) -> impl Iterator<Item = String> + 's {
        let own = self.source.path();
        let here = self.source.directory();
        let stem = own.rsplit_once('.').map_or(own, |(stem, _)| stem);
        let mut bases = Vec::new();
        let is_by_file = !is_html && self.is_by_file(path);
        if self.is_routed && !is_by_file {
            // The page is a directory in the address, or its directory's index.
            bases.push(stem.to_owned());
            if matches!(name(stem), "index" | "README" | "_index") && !here.is_empty() {
                bases.push(parent(here).to_owned());
            }
        }
        for site in self.sites.iter().filter(|_| !is_by_file) {
            for root in &site.roots {
                bases.push(root.clone());
                let inside = site.roots.iter().filter_map(|from| stem.strip_prefix(from.as_str()));
                for rest in inside.map(|rest| rest.trim_start_matches('/')) {
                    bases.extend(join(root, rest));
                    bases.extend(join(root, parent(rest)));
                }
            }
        }
        bases.sort();
        bases.dedup();
        let is_sphinx = self.sites.iter().any(|site| site.generator == Generator::Sphinx);
        let with_endings = move |path: String| {
            let mut all: Vec<String> = ENDINGS.iter().map(|ending| format!("{path}{ending}")).collect();
            if is_page(&path) || is_sphinx {
                let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
                all.extend(SOURCES.iter().map(|ending| format!("{stem}{ending}")));
            }
            all
        };
        let sources = is_page(path).then(|| join(here, path)).flatten().into_iter().flat_map(with_endings);
        let in_site = bases.into_iter().filter_map(|base| join(&base, path)).flat_map(with_endings);
        let other = join(here, path).into_iter().flat_map(|path| self.in_other_locales(&path));
        sources.chain(in_site).chain(other)
    }

    /// Whether Sphinx makes a page of every document, and of nothing else.
    fn is_plain_sphinx(&self) -> bool {
        let [site] = self.sites.as_slice() else { return false };
        let text =
            join(&site.directory, "conf.py").and_then(|path| self.project.tree().read(&path)).unwrap_or_default();
        let makes =
            ["apidoc", "autoapi", "autosummary", "autodoc2", "gallery", "breathe", "exhale", "html_extra", "dirhtml"];
        site.generator == Generator::Sphinx && !makes.iter().any(|name| text.contains(name))
    }

    /// Whether the documents of a Sphinx project are read by `MyST`.
    fn has_labels(&self) -> bool {
        self.sites.iter().filter(|site| site.generator == Generator::Sphinx).any(|site| {
            let text = join(&site.directory, "conf.py").and_then(|path| self.project.tree().read(&path));
            text.is_some_and(|text| text.contains("myst_parser") || text.contains("myst_nb"))
        })
    }

    /// Whether a path can only be meant from the file that it is written in, whatever page is made of that.
    fn is_by_file(&self, path: &str) -> bool {
        use Generator as G;
        let is_document = matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
        let is_explicit = path.starts_with("./") || path.starts_with("../");
        let by_file = |site: &crate::language::doc_sites::DocSite| match site.generator {
            G::MkDocs | G::MdBook | G::VitePress | G::VuePress | G::Sphinx | G::GitBook => true,
            G::Docusaurus => is_explicit,
            G::Docsify | G::Hugo => false,
            _ => is_document && is_explicit,
        };
        let is_file =
            has_extension(path) && (!is_page(path) || self.sites.iter().any(|site| site.generator == G::Sphinx));
        is_file && if self.sites.is_empty() { is_document } else { self.sites.iter().all(|site| by_file(site)) }
    }

    /// The same path in the directories of other languages, which sites fall back to.
    pub(super) fn in_other_locales(&self, path: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut at = 0;
        for segment in path.split('/') {
            let end = at + segment.len();
            if is_locale(segment) && end < path.len() {
                let above = path[..at].trim_end_matches('/');
                let others = self.project.tree().names(above);
                // What is not translated is taken from the original, which itself falls back to nothing.
                let is_original = |name: &str| name == "en" || name.starts_with("en-") || name.starts_with("en_");
                let has_original = others.iter().any(|name| is_original(name));
                let fits = |name: &&String| {
                    is_locale(name) && name.as_str() != segment && (!has_original || is_original(name))
                };
                let others = others.iter().filter(|_| !is_original(segment)).filter(fits);
                found.extend(others.map(|other| format!("{}{other}{}", &path[..at], &path[end..])));
                // The original can have no directory of its own.
                found.push(format!("{}{}", &path[..at], path[end..].trim_start_matches('/')));
            }
            at = end + 1;
        }
        found
    }

    /// Whether what a translation links to is there untranslated.
    fn translated(&self, wanted: &str) -> bool {
        let tree = self.project.tree();
        let last = name(wanted);
        let Some((stem, ending)) = last.rsplit_once('.') else { return false };
        let Some((stem, locale)) = stem.rsplit_once(['.', '_', '-']) else { return false };
        is_locale(locale) && tree.kind(&crate::lookup::beside(wanted, &format!("{stem}.{ending}"))).is_some()
    }
}
