//! Resolves links that begin with `/`: at the root of a site, or of the repository on a forge.

use super::{LinkChecker, LinkOutcome, link_convention};
use crate::documents::doc_sites::{
    DocSite, DocSites, Generator, LearnedRoutes, PAGE_ENDINGS, PublishedDirectories, docusaurus,
};
use crate::documents::markdown::classify::{has_extension, is_built_page, is_forge_absolute};
use crate::documents::markdown::links::body_start;
use crate::file_moves::FileMoves;
use crate::moved_addresses;
use pathfinder_literals::path::{ancestors, extension, join, name, parent, with_endings};
use pathfinder_literals::{Code, Kind, Lookup, Missing, Reason, Severity, Tree, Verdict, Want};

/// Suffixes of the sources that a site can build a page from.
const PAGE_SUFFIXES: [&str; 10] =
    ["", ".md", ".mdx", "/index.md", "/README.md", "/index.mdx", "/_index.md", ".html", "/index.html", ".rst"];

/// Names of directories that a web server serves as they are.
const SERVED_DIRECTORIES: [&str; 8] = ["public", "static", "assets", "www", "web", "site", "htdocs", "wwwroot"];

/// Names of files that generators make for programs.
const FEEDS: [&str; 7] = ["feed.xml", "rss.xml", "atom.xml", "index.xml", "sitemap.xml", "feed.json", "robots.txt"];

impl LinkChecker<'_> {
    /// Resolves a link that begins with `/`.
    pub(super) fn resolve_absolute(&self, path: &str) -> LinkOutcome {
        let tree = self.project.tree();
        let all = self.project.index::<DocSites>().all(tree);
        let Some(plain) = join("", path).filter(|path| !path.is_empty()) else {
            return LinkOutcome::unknown(Reason::Elsewhere);
        };
        let mut lookup = Lookup::new(self.project, Want::Any);
        // The document's own sites come first, then the repository as a forge renders it, then any site: the document
        // can be copied there.
        let own: Vec<&str> = self.sites.iter().flat_map(|site| site.roots.iter().map(String::as_str)).collect();
        let sphinx = self.sites.iter().filter(|site| site.generator == Generator::Sphinx);
        let sources: Vec<String> = sphinx.flat_map(|site| site.sources(self.source.path())).collect();
        let roots = self.roots(all, &own, &sources);
        for root in &roots {
            let Some(at) = join(root, &plain) else { continue };
            let source = at.rsplit_once('.').filter(|_| is_built_page(&plain)).map(|(stem, _)| stem.to_owned());
            // An untranslated page is taken from the original language.
            let others = self.in_other_locales(&at);
            let stems = std::iter::once(at).chain(source).chain(others);
            for stem in stems {
                if let Some(path) = lookup.first(with_endings(&stem, &PAGE_SUFFIXES)) {
                    return lookup.verdict(Severity::Warning, [Some(path)]).into();
                }
            }
        }
        let missing = |lookup: Lookup<'_>| -> LinkOutcome {
            match lookup.missing(Severity::Warning) {
                // Sites use lower-case page addresses, whatever the case of the files.
                (Verdict::Missing(Missing { code: Code::CaseMismatch, .. }), _) if !has_extension(&plain) => {
                    LinkOutcome::undecided("the routes of the site")
                }
                other => other.into(),
            }
        };
        if let Some(path) = self.project.index::<PublishedDirectories>().find(self.project, self.source.path(), &plain)
        {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        if let Some(outcome) = self.resolve_learned(path, &plain) {
            return outcome;
        }
        // The source of a page is named so for the host of the code, from the root of the repository.
        if let Some(path) = (!is_document(&plain)).then(|| self.find_above(&plain)).flatten() {
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        // A site shows another file than the host of the code.
        if is_document(&plain) && tree.moved(&plain).is_none() && self.find_above(&plain).is_some() {
            return LinkOutcome::undecided("the root of the site");
        }
        if is_forge_absolute(&plain) {
            return LinkOutcome::unknown(Reason::Elsewhere);
        }
        let first = plain.split('/').next().unwrap_or("");
        let has_first = |root: &&&str| join(root, first).is_some_and(|at| tree.kind(&at) == Some(Kind::Directory));
        let is_file = has_extension(&plain) && !is_built_page(&plain);
        if all.is_empty() && !self.is_routed {
            // A server that no configuration mentions can serve that directory.
            let served =
                |path: &str| SERVED_DIRECTORIES.contains(&name(path.trim_end_matches(&plain).trim_end_matches('/')));
            if self.project.find_by_suffix(&plain).is_some_and(served) {
                return LinkOutcome::undecided("what serves the directory that has it");
            }
            // Only a forge is known to render the document.
            let is_placed = has_first(&&"") || (is_file && !plain.contains('/'));
            // A page can keep its old addresses.
            if self.project.index::<DocSites>().routes(tree).is_declared(name(&plain)) {
                return LinkOutcome::undecided("the addresses that pages declare");
            }
            // A commit moved the file, together with its directory.
            let is_moved = is_file && tree.moved(&plain).is_some();
            let is_sure = is_moved || is_placed && (is_file || plain.contains('/')) && !is_built_page(&plain);
            return if is_sure { missing(lookup) } else { LinkOutcome::unknown(Reason::Elsewhere) };
        }
        let routes = self.project.index::<DocSites>().routes(tree);
        let stem = if is_built_page(&plain) {
            plain.rsplit_once('.').map_or(plain.as_str(), |(stem, _)| stem)
        } else {
            &plain
        };
        // The source of a page that a commit moved is no route.
        let was_there = |root: &&str| join(root, &plain).is_some_and(|path| tree.moved(&path).is_some());
        if let Some(root) = roots.iter().copied().find(|root| is_document(&plain) && was_there(root)) {
            return lookup.verdict(Severity::Warning, [join(root, &plain)]).into();
        }
        // Without a known site, pages with front matter are those of one that begins at the root.
        if self.has_lost_page(if own.is_empty() { &[""] } else { &own }, stem) {
            return LinkOutcome::undecided("the routes of the site");
        }
        if let Some(path) = routes.ends_in(tree, stem) {
            let path = self.before_renaming(stem, path).unwrap_or_else(|| path.to_owned());
            return lookup.verdict(Severity::Warning, [Some(path)]).into();
        }
        let is_placed = plain.contains('/') && roots.iter().any(|root| has_first(&root));
        if !is_placed {
            return self.open_route(&plain);
        }
        if FEEDS.contains(&name(&plain)) {
            return LinkOutcome::unknown(Reason::Produced("the generator of the site".to_owned()));
        }
        if is_file {
            // Static files are copied unchanged, so a file with this name exists if the target does.
            return if is_document(&plain) || !own.is_empty() || self.sites.is_empty() && tree.kind(first).is_some() {
                missing(lookup)
            } else {
                LinkOutcome::undecided("the routes of the site")
            };
        }
        if routes.is_declared(name(stem)) || roots.iter().any(|root| self.has_parameter(root, &plain)) {
            return LinkOutcome::undecided("the routes of the site");
        }
        // The form of the document's other links is the only rule for pages.
        let mut outcome = missing(lookup);
        outcome.convention = link_convention(path);
        // A typo is looked for in the first of them.
        outcome.tried.splice(0..0, self.mistyped_page(&plain));
        outcome
    }

    /// The path that a page would have whose address is this one but for a typo.
    fn mistyped_page(&self, address: &str) -> Option<String> {
        let routes = self.project.index::<DocSites>().routes(self.project.tree());
        if has_extension(address) { None } else { routes.mistyped_page(self.project.tree(), address) }
    }

    /// The file at an address below a directory above the document, which is the root of a site that no configuration tells of: one that
    /// was built, or of a generator that we do not know. Some publish `_assets` as `assets`.
    fn find_above(&self, address: &str) -> Option<String> {
        let tree = self.project.tree();
        let names = [address.to_owned(), format!("_{address}")];
        let mut above = ancestors(self.source.directory()).flat_map(|at| names.each_ref().map(|name| join(at, name)));
        above.find_map(|path| path.filter(|path| tree.kind(path) == Some(Kind::File)))
    }

    /// The directories that an address can be below: those of the document's own sites, the repository, then those of any site.
    fn roots<'r>(&'r self, all: &'r [DocSite], own: &[&'r str], sources: &'r [String]) -> Vec<&'r str> {
        let edition = docusaurus::edition(self.source.path()).filter(|_| !own.is_empty());
        let sources = sources.iter().map(String::as_str);
        let mut roots: Vec<&str> = edition.into_iter().chain(own.iter().copied()).chain(sources).chain([""]).collect();
        if roots.len() > 1 || self.is_routed {
            for root in all.iter().flat_map(|site| site.roots.iter().map(String::as_str)) {
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
        roots
    }

    /// The verdict on an address that a program of the site can answer, but which can be that of a page with a typo in its name: in a
    /// directory above the document.
    fn open_route(&self, plain: &str) -> LinkOutcome {
        /// Directories above a page; the content of a site is seldom deeper.
        const MAX_ABOVE: usize = 3;
        const ENDINGS: [&str; 5] = [".md", ".mdx", "/index.md", "/index.mdx", "/page.mdx"];
        let above = ancestors(self.source.directory()).take(MAX_ABOVE).filter_map(|directory| join(directory, plain));
        // A file is named with its ending.
        let endings = if has_extension(plain) { &[""][..] } else { &ENDINGS };
        let above = above.flat_map(|stem| endings.iter().map(move |ending| format!("{stem}{ending}")));
        let is_declared = self.project.index::<DocSites>().routes(self.project.tree()).is_declared(name(plain));
        // Pages that a program makes have whole directories of their own.
        let is_beside = |path: &String| self.project.tree().kind(parent(path)) == Some(Kind::Directory);
        let learned = if is_declared { Vec::new() } else { self.learned_pages(plain) };
        let learned = learned.into_iter().filter(is_beside);
        let mistyped = self.mistyped_page(plain);
        let tried = mistyped.into_iter().chain(learned).chain(above).collect();
        (Verdict::Unknown(Reason::Undecided("the routes of the site".to_owned())), tried).into()
    }

    /// Resolves an address whose place other addresses tell; `None` if nothing is there, and no commit moved it.
    fn resolve_learned(&self, written: &str, plain: &str) -> Option<LinkOutcome> {
        let tree = self.project.tree();
        // Nothing redirects a file that moved.
        let is_known = |path: &String| tree.kind(path).is_some() || has_extension(plain) && tree.moved(path).is_some();
        if let Some(path) = self.learned_pages(plain).into_iter().find(is_known) {
            let outcome = Lookup::new(self.project, Want::Any).verdict(Severity::Warning, [Some(path)]);
            // A file that moved was there, whatever the form of other addresses.
            let convention = matches!(outcome.0, Verdict::Found(_)).then(|| plain.to_owned());
            return Some(LinkOutcome { convention, ..outcome.into() });
        }
        moved_addresses::follow(self.source, self.project, written).map(LinkOutcome::from)
    }

    /// The paths that the page or file at an address can have, where it is learned in what directory those of such addresses are.
    fn learned_pages(&self, address: &str) -> Vec<String> {
        let stems = self.project.index::<LearnedRoutes>().stems(address);
        let is_file = has_extension(address);
        let paths =
            |stem: String| if is_file { vec![stem] } else { PAGE_ENDINGS.map(|end| format!("{stem}{end}")).into() };
        stems.into_iter().flat_map(paths).collect()
    }

    /// The path of a picture that is named without a directory, where it is learned which one those are in.
    pub(super) fn learned_picture(&self, path: &str) -> Option<String> {
        let is_name = !path.contains('/') && has_extension(path);
        is_name.then(|| self.project.index::<LearnedRoutes>().picture(path)).flatten()
    }

    /// Returns whether a page has a part of an address as its parameter, as `chain/[name].astro` and `chain/[...path]/page.tsx` have: in
    /// the deepest directory of an address below a root, or of pages of the project.
    fn has_parameter(&self, root: &str, address: &str) -> bool {
        /// Parts of an address that parameters can be behind; no site has so many.
        const MAX_PARTS: usize = 16;
        let tree = self.project.tree();
        let is_directory = |path: &String| tree.kind(path) == Some(Kind::Directory);
        let deepest = ancestors(parent(address)).take(MAX_PARTS).find_map(|at| {
            let own = join(root, at).filter(is_directory);
            let pages = || self.project.find_all_by_suffix(at, 2).into_iter().map(str::to_owned).find(is_directory);
            own.or_else(pages).map(|directory| (directory, at))
        });
        deepest.is_some_and(|(directory, at)| {
            !at.is_empty() && tree.names(&directory).iter().any(|name| name.starts_with('['))
        })
    }

    /// The earlier path of a page, if a commit renamed it so that generators see another name where we see the same: `/saml_libs` after
    /// `saml_libs.md` became `saml-libs.md`, which does not declare the old name.
    fn before_renaming(&self, address: &str, page: &str) -> Option<String> {
        let tree = self.project.tree();
        let earlier = join(parent(page), &format!("{}.{}", name(address), extension(page)))?;
        // A number that orders pages is in no address.
        let is_other = !name(page).split('.').next().is_some_and(|stem| stem.ends_with(name(address)));
        let is_renamed = is_other && tree.moved(&earlier).is_some_and(|moved| moved.to == page);
        let keeps = || tree.read_shared(page).is_some_and(|text| text[..body_start(&text)].contains(name(address)));
        (is_renamed && !keeps()).then_some(earlier)
    }

    /// Returns whether a page stood at an address of one of these roots until lately: it is not the one that has its name elsewhere.
    fn has_lost_page(&self, roots: &[&str], address: &str) -> bool {
        let moves = self.project.index::<FileMoves>();
        let stems = roots.iter().filter_map(|root| join(root, address)).filter(|_| !moves.is_empty());
        let pages = stems.flat_map(|stem| with_endings(&stem, &PAGE_SUFFIXES).collect::<Vec<_>>()).flatten();
        moves.have_any(&pages.collect::<Vec<String>>())
    }
}

/// Returns whether an address is that of the source of a page.
fn is_document(address: &str) -> bool {
    matches!(extension(address).as_str(), "md" | "mdx" | "markdown")
}

/// Returns whether git ignores a file in a directory that the tree has: a build puts it there.
pub(super) fn is_put_in_place(tree: &dyn Tree, path: &str) -> bool {
    let directory = parent(path);
    tree.kind(directory) == Some(Kind::Directory) && tree.is_ignored(path) && !tree.is_ignored(directory)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    /// Astro, Next and others name a parameter in brackets.
    #[test]
    fn leaves_addresses_with_a_parameter() {
        let tree = "docs/astro.config.mjs\ndocs/src/content/docs/ab/intro.md\ndocs/src/content/docs/ab/setup.md\n\
                    docs/src/pages/ab/chain/[...name].astro\ndocs/src/pages/cd/e.astro";
        let page = "[a](/ab/setup) [b](/ab/intro) [c](/ab/chain/ton-testnet) [d](/ab/setpu)";
        check(
            tree,
            "docs/src/content/docs/ab/x.md",
            page,
            "md.link /ab/setup → docs/src/content/docs/ab/setup.md
             md.link /ab/intro → docs/src/content/docs/ab/intro.md
             md.link /ab/chain/ton-testnet → unknown undecided
             md.link /ab/setpu → missing",
        );
    }

    #[test]
    fn follows_pages_that_moved_lately() {
        let tree = "docs/docs.json = {\"navigation\": [\"core/setup\"]}\ndocs/core/setup.mdx\nmoved docs/setup.mdx docs/core/setup.mdx";
        check(tree, "docs/a.mdx", "[a](/setup)\n", "md.link /setup → moved");
        check(tree, "docs/a.mdx", "[a](/core/setup)\n", "md.link /core/setup → docs/core/setup.mdx");
        // A file of the repository, as a forge shows it.
        check(
            &format!("{tree}\nCONTRIBUTING.md"),
            "README.md",
            "[a](/CONTRIUTING.md)\n",
            "md.link /CONTRIUTING.md → missing",
        );
        check(tree, "docs/a.mdx", "[a](/setup.mdx)\n", "md.link /setup.mdx → moved");
        let stays = "docs/docs.json\ndocs/core/setup.mdx";
        check(stays, "docs/a.mdx", "[a](/setup)\n", "md.link /setup → docs/core/setup.mdx");
    }

    /// A site shows another file at the address of a document than the host of the code.
    #[test]
    fn leaves_documents_from_an_unknown_root() {
        let tree = "book/start/b.md\nbook/tools.md\nREADME.md\nmoved gone.md book/gone.md\nbook/gone.md";
        let text = "[a](/tools.md) [b](/README.md) [c](/gone.md)\n";
        check(
            tree,
            "book/start/a.md",
            text,
            "md.link /tools.md → unknown undecided\nmd.link /README.md → README.md\nmd.link /gone.md → moved",
        );
    }

    #[test]
    fn finds_roots_above_a_document() {
        let tree = "__site/assets/a.svg\n_assets/b.svg\nassets/c.svg";
        let text = "![a](/assets/a.svg) ![b](/assets/b.svg) ![d](/assets/d.svg)\n";
        check(
            tree,
            "__site/assets/x/a.md",
            text,
            "md.image /assets/a.svg → __site/assets/a.svg
             md.image /assets/b.svg → _assets/b.svg
             md.image /assets/d.svg → missing",
        );
    }

    #[test]
    fn finds_typos_of_routes() {
        let tree = "apps/docs/astro.config.ts = starlight()\napps/docs/src/content/docs/configuration.md\napps/docs/src/content/docs/admin/b.md";
        let file = "apps/docs/src/content/docs/admin/a.md";
        check(tree, file, "---\ntitle: a\n---\n[a](/configration)\n", "md.link /configration → missing");
        check(tree, file, "---\ntitle: a\n---\n[a](/playground)\n", "md.link /playground → unknown undecided");
    }

    /// The documents have the new addresses of all but one, so that the tree before the moves does not tell where they begin.
    #[test]
    fn follows_pages_below_learned_addresses() {
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let pages = names.map(|name| format!("new/{name}.mdx\nmoved old/{name}.mdx new/{name}.mdx\n")).concat();
        let links = names.map(|name| format!("[x](/docs/new/{name}) ")).concat();
        let tree = format!("{pages}a.mdx = {links}");
        check(
            &tree,
            "new/b.mdx",
            "---\nx: 1\n---\n[a](/docs/old/one) [b](/docs/new/two)\n",
            "md.link /docs/old/one → moved\nmd.link /docs/new/two → new/two.mdx",
        );
    }

    #[test]
    fn tells_renamed_pages_from_their_new_names() {
        let tree = |front: &str| {
            format!(
                "_config.yml\n_pages/saml-libs.md = ---\\n{front}\\n---\\n\nmoved _pages/saml_libs.md _pages/saml-libs.md"
            )
        };
        let check = |front: &str, expect: &str| {
            check(&tree(front), "_pages/a.md", "---\nx: 1\n---\n[a](/saml_libs/)\n", expect);
        };
        check("title: a", "md.link /saml_libs/ → moved");
        check("permalink: /saml_libs/", "md.link /saml_libs/ → _pages/saml-libs.md");
        let tree = "docusaurus.config.js\ndocs/sdk/01-tutorial.md\nmoved docs/sdk/tutorial.md docs/sdk/01-tutorial.md";
        crate::testing::check(
            tree,
            "docs/a.md",
            "[a](/docs/sdk/tutorial)\n",
            "md.link /docs/sdk/tutorial → unknown undecided",
        );
    }

    #[test]
    fn knows_addresses_that_pages_keep() {
        check(
            "docs/new/a.md = ---\\naliases:\\n- /docs/old/a\\n---\\n",
            "b.md",
            "[a](/docs/old/a) [z](/docs/old/z.md)\n",
            "md.link /docs/old/a → unknown undecided\nmd.link /docs/old/z.md → missing",
        );
    }
}
