//! Resolves links relative to the document.

use std::ops::Range;

use super::absolute::is_put_in_place;
use super::{LinkChecker, LinkOutcome};
use crate::documents::doc_sites::{DocSite, DocSites, Generator, Includers, PublishedDirectories, docusaurus};
use crate::documents::markdown::classify::{
    has_extension, in_own_language, is_built_page, is_extensionless_document, is_for_agents, is_known_extension,
    is_locale, is_translation,
};
use crate::documents::markdown::front_matter::has_theme;
use crate::documents::markdown::gitbook::is_synced_page;
use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{Kind, Lookup, Reason, Severity, Verdict, Want};

/// Sources of the page of a directory.
const INDEXES: [&str; 5] = ["README.md", "_index.md", "index.md", "index.mdx", "index.rst"];

/// Suffixes that a link can omit. They are appended, never replace an extension: `a.b` is not `a.md`.
const SUFFIXES: [&str; 9] = ["", ".md", ".mdx", "/index.md", "/README.md", "/index.mdx", "/_index.md", ".rst", ".html"];

/// Suffixes of the sources that a site can build a page from.
const SOURCE_SUFFIXES: [&str; 10] =
    [".md", ".mdx", ".markdown", ".rst", ".adoc", ".ipynb", "/index.md", ".htm", ".php", ".html.md"];

impl LinkChecker<'_> {
    /// Resolves a link relative to the document.
    pub(super) fn resolve_relative(&self, path: &str, is_html: bool) -> LinkOutcome {
        let mut lookup = Lookup::new(self.project, Want::Any);
        let here = self.source.directory();
        let first = join(here, path);
        // The first candidate is the literal path; the others count only if they exist.
        let plain = first.clone().into_iter().flat_map(|path| SUFFIXES.map(|ending| Some(format!("{path}{ending}"))));
        if first.is_none() {
            lookup.try_path(None);
        }
        let tree = self.project.tree();
        if let Some(path) = lookup.first(plain) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        let is_there = |path: &String| tree.kind(path).is_some();
        // Paths in files for agents are relative to the root.
        let from_root = join("", path).filter(|path| is_for_agents(self.source.path()) && is_there(path));
        if let Some(path) = from_root {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if let Some(path) = self.site_candidates(path, is_html).chain(self.routed_pages(path)).find(is_there) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        // A build puts it among what the site serves.
        if let Some(path) = self.site_candidates(path, is_html).find(|path| is_put_in_place(tree, path)) {
            return LinkOutcome::unknown(Reason::Ignored(path));
        }
        // Docusaurus also looks from where its version and language begin, and then in the original language.
        let from_edition = docusaurus::edition(self.source.path()).filter(|_| !path.starts_with('.'));
        let below = from_edition.and_then(|edition| join(edition, path));
        let original = || below.as_deref().and_then(docusaurus::untranslated);
        if let Some(path) = below.clone().filter(is_there).or_else(|| original().filter(is_there)) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if let Some(path) = self.project.index::<PublishedDirectories>().find(self.project, self.source.path(), path) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if let Some(path) = first.as_deref().filter(|_| !has_extension(path)).and_then(|wanted| self.numbered(wanted)) {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        let Some(wanted) = first else { return LinkOutcome::unknown(Reason::Outside) };
        // A page that a commit moved was there.
        let was_moved = tree.moved(&wanted).is_some();
        // A page in another language leads to the page in that language.
        if let Some(there) = in_own_language(self.source.path(), &wanted).into_iter().find(is_there) {
            return lookup.verdict(Severity::Warning, [Some(there)]).into();
        }
        let is_translated =
            is_translation(&wanted) || is_translation(self.source.path()) && self.has_untranslated(&wanted);
        if is_translated && !was_moved {
            return LinkOutcome::undecided("which translations there are");
        }
        if let Some(there) = docusaurus::in_other_version(tree, &wanted) {
            return lookup.verdict(Severity::Warning, [Some(there)]).into();
        }
        if let Some(there) = self.as_included(path) {
            return lookup.verdict(Severity::Warning, [Some(there)]).into();
        }
        if let Some(there) = self.learned_picture(path).filter(is_there) {
            return lookup.verdict(Severity::Warning, [Some(there)]).into();
        }
        self.resolve_missing(path, is_html, &wanted, lookup)
    }

    /// The file that a relative link leads to from a document that includes this one.
    fn as_included(&self, path: &str) -> Option<String> {
        let tree = self.project.tree();
        let includers = self.project.index::<Includers>();
        let directories = includers.directories_of(self.source.path());
        let stems = directories.iter().filter_map(|directory| join(directory, path));
        let files = stems.flat_map(|stem| {
            let source =
                stem.strip_suffix(".html").map(|source| SOURCE_SUFFIXES.map(|ending| format!("{source}{ending}")));
            SUFFIXES.map(|ending| format!("{stem}{ending}")).into_iter().chain(source.into_iter().flatten())
        });
        files.into_iter().find(|file| tree.kind(file).is_some())
    }

    /// The verdict on a link for which no candidate exists.
    fn resolve_missing(&self, path: &str, is_html: bool, wanted: &str, lookup: Lookup<'_>) -> LinkOutcome {
        let tree = self.project.tree();
        let routes = || self.project.index::<DocSites>().routes(tree);
        let last = name(wanted);
        let is_bare = !path.contains('/');
        let is_outside = |site: &DocSite| !site.roots.iter().any(|root| root.is_empty() || is_within(wanted, root));
        let is_page = is_built_page(path) || !has_extension(path) && !is_extensionless_document(path);
        // A page above all pages of a site is another site's.
        if is_page && !self.sites.is_empty() && self.sites.iter().all(|site| is_outside(site)) {
            return LinkOutcome::undecided("what is published beside the site");
        }
        if is_built_page(path) {
            // The page of a directory is made from one of these.
            let index = (last == "index.html")
                .then(|| INDEXES.iter().filter_map(|index| join(parent(wanted), index)))
                .and_then(|mut all| all.find(|path| tree.kind(path) == Some(Kind::File)));
            if let Some(index) = index {
                return lookup.verdict(Severity::Warning, [Some(index)]).into();
            }
            // A generated page is missing only if the document's other pages are built from sources of the same name.
            let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
            let is_placed = tree.kind(parent(wanted)) == Some(Kind::Directory);
            if is_placed && !routes().is_declared(stem) {
                // A typo is one in the name of the source.
                let mut lookup = lookup;
                lookup.first(SOURCE_SUFFIXES.map(|ending| join(parent(wanted), &format!("{stem}{ending}"))));
                let mut outcome: LinkOutcome = lookup.missing(Severity::Warning).into();
                // Sphinx has one rule for all pages.
                outcome.convention = (!self.is_plain_sphinx()).then(|| ".html".to_owned());
                return outcome;
            }
            return LinkOutcome::undecided("what makes the pages");
        }
        // The theme provides the icon if the site has none.
        if path.ends_with("img/favicon.ico") && self.sites.iter().any(|site| site.generator == Generator::MkDocs) {
            return LinkOutcome::unknown(Reason::Produced("MkDocs".to_owned()));
        }
        // A theme of Jekyll brings the style sheets, scripts and images of its own `assets`.
        let brings = |site: &DocSite| {
            let assets = join(&site.directory, "assets").filter(|_| site.generator == Generator::Jekyll);
            assets.is_some_and(|assets| is_within(wanted, &assets)) && has_theme(self.project, &site.directory)
        };
        if is_html && self.sites.iter().any(|site| brings(site)) {
            return LinkOutcome::unknown(Reason::Produced("the theme of the site".to_owned()));
        }
        if has_extension(path) {
            // `a.b` can be code that is not marked as code.
            if is_bare && !is_known_extension(path) {
                return (Verdict::Unknown(Reason::Elsewhere), vec![wanted.to_owned()]).into();
            }
            // An unknown site has its own directories for images and downloads.
            let is_document = matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
            let is_of_site = self.sites.is_empty() && self.is_routed && !is_document;
            let is_open = is_of_site && (is_html || !path.starts_with('.')) && tree.moved(wanted).is_none();
            if is_open && !is_synced_page(tree, self.source.directory()) {
                let reason = Reason::Undecided("the site that it is a page of".to_owned());
                return (Verdict::Unknown(reason), vec![wanted.to_owned()]).into();
            }
            // A document that is generated for another place has paths relative to that place, such as the root of a
            // site.
            let all = self.project.index::<DocSites>().all(tree);
            let is_explicit = path.starts_with('.');
            let mut roots = all.iter().flat_map(|site| &site.roots);
            let is_in_root = |root: &String| join(root, path).is_some_and(|path| tree.kind(&path).is_some());
            if self.sites.is_empty() && !is_document && !is_explicit && roots.any(is_in_root) {
                return LinkOutcome::undecided("the site that it is for");
            }
            // A table of contents can be assembled with its documents.
            if name(self.source.path()) == "SUMMARY.md" && routes().ends_in(tree, path).is_some() {
                return LinkOutcome::undecided("where the documents are put");
            }
            // A mdBook can be published beside other books.
            if self.sites.iter().any(|site| site.generator == Generator::MdBook && is_outside(site)) {
                return LinkOutcome::undecided("what is published beside the book");
            }
            if let Some(plugin) = self.sites.iter().find_map(|site| site.plugin_of(tree, wanted)) {
                return LinkOutcome::unknown(Reason::Produced(plugin.to_owned()));
            }
            return lookup.missing(Severity::Warning).into();
        }
        // MyST reads a name that is no file as a label or a documented object.
        if is_bare && self.has_labels() {
            return LinkOutcome::undecided("the labels of the documentation");
        }
        if is_bare && !path.contains(['-', '_']) {
            if is_extensionless_document(path) && !self.is_routed {
                return lookup.missing(Severity::Warning).into();
            }
            return open_page(wanted, Reason::Elsewhere);
        }
        let in_place = |directory: &str| tree.kind(directory) == Some(Kind::Directory);
        let has_pages = |directory: &str| tree.names(directory).iter().any(|name| name.contains(".md"));
        if !self.is_routed {
            let first = path.split('/').find(|segment| !matches!(*segment, "." | "..")).unwrap_or("");
            let below = path.find(first).and_then(|at| join(self.source.directory(), &path[..at + first.len()]));
            let is_placed = below.is_some_and(|below| in_place(&below));
            // Links of DocC are addresses of symbols.
            let is_beside =
                || path.starts_with('.') && has_pages(parent(wanted)) && !self.source.path().contains(".docc/");
            // The address of a page can end with a slash: from there, `../name` is beside the page.
            let is_address = || {
                let beside = path.strip_prefix("../").and_then(|rest| join(self.source.directory(), rest));
                beside.is_some_and(|beside| in_place(&beside) || tree.kind(&format!("{beside}.md")) == Some(Kind::File))
            };
            if is_bare || !is_placed && !is_beside() || is_address() {
                return open_page(wanted, Reason::Elsewhere);
            }
            return lookup.missing(Severity::Warning).into();
        }
        // A page is missing only if no page has its name and its directory contains pages.
        if self.sites.is_empty() || !routes().is_unknown(last) || !has_pages(parent(wanted)) {
            let open = || open_page(wanted, Reason::Undecided("the routes of the site".to_owned()));
            return self.moved_page(wanted).unwrap_or_else(open);
        }
        lookup.missing(Severity::Warning).into()
    }

    /// The verdict on a relative address of which a commit moved the page, unless a page declares it. (A server keeps absolute ones: of
    /// those that a commit moved in redis-doc, all work.)
    fn moved_page(&self, wanted: &str) -> Option<LinkOutcome> {
        let tree = self.project.tree();
        if self.project.index::<DocSites>().routes(tree).is_declared(name(wanted)) {
            return None;
        }
        let mut pages = SUFFIXES.iter().map(|ending| format!("{wanted}{ending}"));
        let page = pages.find(|page| tree.moved(page).is_some_and(|moved| extension(&moved.to) == extension(page)))?;
        Some(Lookup::new(self.project, Want::File).verdict(Severity::Warning, [Some(page)]).into())
    }

    /// Other paths that a link can have, if a site builds a page from the document.
    fn site_candidates<'s>(&'s self, path: &'s str, is_html: bool) -> impl Iterator<Item = String> + 's {
        let own = self.source.path();
        let here = self.source.directory();
        let stem = own.rsplit_once('.').map_or(own, |(stem, _)| stem);
        let mut bases = Vec::new();
        let is_file_relative = !is_html && self.is_file_relative(path);
        if self.is_routed && !is_file_relative {
            // The address of a page is a directory, or that of its directory's index.
            bases.push(stem.to_owned());
            if matches!(name(stem), "index" | "README" | "_index") && !here.is_empty() {
                bases.push(parent(here).to_owned());
            }
        }
        for site in self.sites.iter().filter(|_| !is_file_relative) {
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
            let mut all: Vec<String> = SUFFIXES.iter().map(|ending| format!("{path}{ending}")).collect();
            if is_built_page(&path) || is_sphinx {
                let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
                all.extend(SOURCE_SUFFIXES.iter().map(|ending| format!("{stem}{ending}")));
            }
            all
        };
        let sources = is_built_page(path).then(|| join(here, path)).flatten().into_iter().flat_map(with_endings);
        let in_site: Vec<String> = bases.into_iter().filter_map(|base| join(&base, path)).collect();
        let other = join(here, path).into_iter().chain(in_site.clone()).flat_map(|path| self.in_other_locales(&path));
        let other = other.flat_map(with_endings);
        let in_site = in_site.into_iter().flat_map(with_endings);
        sources.chain(in_site).chain(other)
    }

    /// The pages that an address can have in a page whose own address is its directory, as Next and `SvelteKit` name them: from
    /// `install/linux/page.mdx`, `./docker.mdx` is `install/docker/page.mdx`.
    fn routed_pages<'s>(&'s self, path: &'s str) -> impl Iterator<Item = String> + 's {
        const PAGES: [&str; 4] = ["page.mdx", "page.md", "+page.md", "+page.svx"];
        let is_routed = PAGES.contains(&name(self.source.path()));
        let address = [".mdx", ".md"].iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path);
        let here = Some(parent(self.source.directory())).filter(|_| is_routed);
        let at = here.and_then(|here| join(here, address));
        at.into_iter().flat_map(|at| PAGES.map(|page| format!("{at}/{page}")))
    }

    /// Returns whether Sphinx builds a page from every document, and no other pages.
    fn is_plain_sphinx(&self) -> bool {
        let [site] = self.sites.as_slice() else { return false };
        let text = join(&site.directory, "conf.py")
            .and_then(|path| self.project.tree().read_shared(&path))
            .unwrap_or_default();
        let makes =
            ["apidoc", "autoapi", "autosummary", "autodoc2", "gallery", "breathe", "exhale", "html_extra", "dirhtml"];
        site.generator == Generator::Sphinx && !makes.iter().any(|name| text.contains(name))
    }

    /// Returns whether `MyST` parses the documents of a Sphinx project.
    fn has_labels(&self) -> bool {
        self.sites.iter().filter(|site| site.generator == Generator::Sphinx).any(|site| {
            let text = join(&site.directory, "conf.py").and_then(|path| self.project.tree().read_shared(&path));
            text.is_some_and(|text| text.contains("myst_parser") || text.contains("myst_nb"))
        })
    }

    /// Returns whether a path is relative to the file it is written in, whatever page is built from that.
    fn is_file_relative(&self, path: &str) -> bool {
        use Generator as G;
        let is_document = matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
        let is_explicit = path.starts_with("./") || path.starts_with("../");
        let by_file = |site: &DocSite| match site.generator {
            G::MkDocs | G::MdBook | G::VitePress | G::VuePress | G::Sphinx | G::GitBook => true,
            G::Docusaurus => is_explicit,
            G::Docsify | G::Hugo => false,
            _ => is_document && is_explicit,
        };
        let is_file =
            has_extension(path) && (!is_built_page(path) || self.sites.iter().any(|site| site.generator == G::Sphinx));
        is_file && if self.sites.is_empty() { is_document } else { self.sites.iter().all(|site| by_file(site)) }
    }

    /// Returns the path in the directories of other languages, which sites fall back to.
    pub(super) fn in_other_locales(&self, path: &str) -> Vec<String> {
        let mut found: Vec<String> = docusaurus::untranslated(path).into_iter().collect();
        let mut at = 0;
        for segment in path.split('/') {
            let end = at + segment.len();
            if is_locale(segment) && end < path.len() {
                let above = path[..at].trim_end_matches('/');
                let others = self.project.tree().names(above);
                // An untranslated page falls back to the original language, which has no fallback.
                let is_original = |name: &str| name == "en" || name.starts_with("en-") || name.starts_with("en_");
                let has_original = others.iter().any(|name| is_original(name));
                let fits = |name: &&String| {
                    is_locale(name) && name.as_str() != segment && (!has_original || is_original(name))
                };
                let others = others.iter().filter(|_| !is_original(segment)).filter(fits);
                found.extend(others.map(|other| format!("{}{other}{}", &path[..at], &path[end..])));
                // The original language can lie outside of a language directory.
                found.push(format!("{}{}", &path[..at], path[end..].trim_start_matches('/')));
            }
            found.extend(self.in_original_directory(path, at..end));
            at = end + 1;
        }
        found
    }

    /// Returns the path in the directory of the original language, if a segment ends in the name of another: `guide/a.md` for
    /// `guide-fr/a.md`.
    fn in_original_directory(&self, path: &str, segment: Range<usize>) -> Option<String> {
        // The last segment is the page itself.
        let rest = path.get(segment.end..).filter(|rest| !rest.is_empty())?;
        let written = &path[segment.clone()];
        // A region follows its language: `guide-pt-BR`.
        let (stem, _) = written
            .match_indices(['-', '_', '.'])
            .map(|(at, _)| (&written[..at], &written[at + 1..]))
            .find(|(stem, locale)| !stem.is_empty() && is_locale(locale) && *locale != "en")?;
        let above = path[..segment.start].trim_end_matches('/');
        let original = self
            .project
            .tree()
            .names(above)
            .iter()
            .find(|name| *name == stem || name.strip_prefix(stem).and_then(|rest| rest.get(1..)) == Some("en"))
            .cloned()?;
        Some(format!("{}{original}{rest}", &path[..segment.start]))
    }

    /// Returns whether the untranslated file of a link in a translation exists.
    fn has_untranslated(&self, wanted: &str) -> bool {
        let tree = self.project.tree();
        let last = name(wanted);
        let Some((stem, ending)) = last.rsplit_once('.') else { return false };
        let Some((stem, locale)) = stem.rsplit_once(['.', '_', '-']) else { return false };
        is_locale(locale)
            && tree.kind(&pathfinder_literals::path::sibling_path(wanted, &format!("{stem}.{ending}"))).is_some()
    }
}

/// The verdict on an address that need not be that of a page beside it, but can be one with a typo in its name.
fn open_page(wanted: &str, reason: Reason) -> LinkOutcome {
    (Verdict::Unknown(reason), SUFFIXES.iter().map(|ending| format!("{wanted}{ending}")).collect()).into()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn leaves_expressions() {
        let expect = "md.html.src {Assets} → unknown elsewhere";
        check("src/assets/a.png", "src/a.mdx", "# A\n\n<img src={Assets} />\n", expect);
    }

    #[test]
    fn resolves_addresses_of_routed_pages() {
        let tree = "app/install/page.mdx\napp/install/docker/page.mdx";
        let check = |file: &str, links: &str, expect: &str| check(tree, file, links, expect);
        let docker = "app/install/docker/page.mdx";
        check("app/install/linux/page.mdx", "[a](./docker.mdx)\n", &format!("md.link ./docker.mdx → {docker}"));
        check(
            "app/install/page.mdx",
            "[a](./install/docker.mdx)\n",
            &format!("md.link ./install/docker.mdx → {docker}"),
        );
        check("app/install/linux/page.mdx", "[a](./podman.mdx)\n", "md.link ./podman.mdx → missing");
        check("app/install/linux/a.mdx", "[a](./docker.mdx)\n", "md.link ./docker.mdx → missing");
    }

    #[test]
    fn ignores_titles_of_contributors() {
        let list = "<!-- ALL-CONTRIBUTORS-LIST:START -->\n<a href=\"#design-x\" title=\"Design\">y</a>\n\n";
        let text = format!("# A\n\n{list}[a](#b)\n");
        check("", "README.md", &text, "md.html.href #design-x → README.md\nmd.link #b → missing-anchor");
    }

    /// A page that is not translated yet is read in the original language.
    #[test]
    fn resolves_pages_without_a_translation() {
        let tree = "docs/guide/a.md = # Two\ndocs/guide/b.md\ndocs/guide-pt-BR/b.md";
        let links = "[a](a.md#deux) [b](b.md) [c](c.md)\n";
        let expect =
            "md.link a.md#deux → docs/guide/a.md\nmd.link b.md → docs/guide-pt-BR/b.md\nmd.link c.md → missing";
        check(tree, "docs/guide-pt-BR/index.md", links, expect);
        check("docs/guide/a.md", "docs/guide-two/b.md", "[a](a.md)\n", "md.link a.md → missing");
        let tree = "docs/guide/a.mdx\nother/a.mdx";
        let page = "i18n/uk/docusaurus-plugin-content-docs/current/guide/b.md";
        check(tree, page, "[a](./a) [b](./c)\n", "md.link ./a → docs/guide/a.mdx\nmd.link ./c → missing");
    }

    /// The page is published beside the book.
    #[test]
    fn decides_no_pages_above_a_site() {
        let tree = "old/book.toml\nold/src/SUMMARY.md\nold/src/b.md\nold/src/d.md\nold/src/e.md";
        let links = "[a](../index.html) [b](b.html) [d](d.html) [e](e.html) [c](gone.html)\n";
        let found = "md.link b.html → old/src/b.md\nmd.link d.html → old/src/d.md\nmd.link e.html → old/src/e.md";
        let expect = format!("md.link ../index.html → unknown undecided\n{found}\nmd.link gone.html → missing");
        check(tree, "old/src/a.md", links, &expect);
        // The page of a directory is made from its readme.
        let pages = "docs/one/README.md\ndocs/two/other.md\ndocs/b.md\ndocs/c.md\ndocs/d.md";
        let links = "[a](one/index.html) [b](b.html) [c](c.html) [d](d.html) [e](two/index.html)\n";
        let found = "md.link b.html → docs/b.md\nmd.link c.html → docs/c.md\nmd.link d.html → docs/d.md";
        let expect = format!("md.link one/index.html → docs/one/README.md\n{found}\nmd.link two/index.html → missing");
        check(pages, "docs/a.md", links, &expect);
        check(
            "docs/conf.py = project = 'x'\nb.md",
            "docs/a.md",
            "[a](../../index.html)\n",
            "md.link ../../index.html → unknown outside",
        );
    }

    /// A placeholder names no file, but with one typo it can be a file of such a name.
    #[test]
    fn reports_typos_in_names_like_placeholders() {
        let tree = "use-your-theme.md\nforbidden.list";
        check(tree, "x.md", "[a](use-your-thmee.md)\n", "md.link use-your-thmee.md → missing");
        check(
            tree,
            "x.md",
            "[a](use-your-thmee.md) [b](use-your-theme.md)\n",
            "md.link use-your-thmee.md → missing\nmd.link use-your-theme.md → use-your-theme.md",
        );
        check(tree, "x.md", "[a](forbiden.list)\n", "md.link forbiden.list → missing");
        let moved = |to: &str| format!("{tree}\n{to}\nmoved use-your-thmee.md {to}");
        check(&moved("use-your-theme.md"), "x.md", "[a](use-your-thmee.md)\n", "md.link use-your-thmee.md → moved");
        check(&moved("other.md"), "x.md", "[a](use-your-thmee.md)\n", "md.link use-your-thmee.md → moved");
        check(
            tree,
            "x.md",
            "[a](your-page.md) [b](a.f)\n",
            "md.link your-page.md → unknown elsewhere\nmd.link a.f → unknown elsewhere",
        );
    }

    /// A name beside pages that begins with a dot is relative to its page; links of `DocC` are addresses of symbols.
    #[test]
    fn reports_relative_names_beside_pages() {
        let text = "[a](./image) [b](./gone) [c](../gone) [d](../issues/1) [e](gone) [f](../image)\n";
        let expect = "md.link ./image → docs/image.md
            md.link ./gone → missing
            md.link ../gone → missing
            md.link ../issues/1 → unknown elsewhere
            md.link gone → unknown elsewhere
            md.link ../image → unknown elsewhere";
        check("README.md\ndocs/image.md", "docs/a.md", text, expect);
        check("a/b.docc/image.md", "a/b.docc/a.md", "[b](./gone)\n", "md.link ./gone → unknown elsewhere");
    }

    #[test]
    fn leaves_pages_that_plugins_add() {
        let tree = "mkdocs.yml = plugins:\\n  - gen-files:\\n      scripts: [a.py]\ndocs/guide/b.md\ndocs/guide/c.md";
        let expect = "md.link api/a.md → unknown produced\nmd.link guide/z.md → missing";
        check(tree, "docs/d.md", "[a](api/a.md) [b](guide/z.md)\n", expect);
    }
}
