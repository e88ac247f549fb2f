//! `DocSites`: the documentation sites of a project, their generators, and the directories of their pages and assets. The checks
//! of Markdown, reStructuredText and `AsciiDoc` use it.
//!
//! The rules of a generator are known only roughly, so this lists all possible targets. A literal is missing only if none of
//! them exists.

mod content_adapters;
pub(crate) mod docusaurus;
mod includers;
mod learned_routes;
mod published_directories;
mod routes;

use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::documents::markdown::anchors::Anchors;
use crate::documents::markdown::spelling::without_accents;
use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};

pub(crate) use content_adapters::{CONTENT, suppress_if_added};
pub(crate) use includers::Includers;
pub(crate) use learned_routes::{LearnedRoutes, PAGE_ENDINGS};
pub(crate) use published_directories::PublishedDirectories;
pub(crate) use routes::Routes;

/// The program that builds a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Generator {
    Antora,
    Astro,
    Docsify,
    Docusaurus,
    Eleventy,
    Gatsby,
    GitBook,
    Hugo,
    Jekyll,
    MdBook,
    Mintlify,
    MkDocs,
    Next,
    Nuxt,
    Sphinx,
    VitePress,
    VuePress,
}

/// Returns the fragment of a heading, formed as GitHub does, as the generator of its page forms it: some write one dash where signs and
/// spaces stood, and none at the end, and letters without accents.
pub fn as_in_site(project: &Project, page: &str, fragment: &str) -> String {
    const JOINING: [Generator; 4] = [Generator::MkDocs, Generator::Sphinx, Generator::VitePress, Generator::VuePress];
    let sites = project.index::<DocSites>().containing(project.tree(), page);
    let Some(site) = sites.first().filter(|site| JOINING.contains(&site.generator)) else { return fragment.to_owned() };
    let is_ascii = matches!(site.generator, Generator::MkDocs | Generator::Sphinx);
    let plain = without_accents(fragment);
    let plain = if is_ascii { plain.replace(|c: char| !c.is_ascii(), "") } else { plain };
    // A title of which nothing is left gets a number.
    let fragment = if plain.contains(char::is_alphabetic) { &plain } else { fragment };
    fragment.split('-').filter(|word| !word.is_empty()).collect::<Vec<&str>>().join("-")
}

/// A documentation site.
#[derive(Debug)]
pub(crate) struct DocSite {
    pub(crate) generator: Generator,
    /// The directory of its configuration.
    pub(crate) directory: String,
    /// Directories of pages and static files, which paths from the root of the site can lead into.
    pub(crate) roots: Vec<String>,
    /// True if pages are only in roots below `directory`, so that a README beside the configuration is no page.
    pub(crate) is_below: bool,
    /// A plugin of `MkDocs` that adds pages which are in no directory of the tree.
    page_plugin: Option<&'static str>,
}

/// Plugins of `MkDocs` that add pages.
pub(crate) const PAGE_PLUGINS: [&str; 10] = [
    "gen-files",
    "autoapi",
    "mkdocs-autoapi",
    "monorepo",
    "multirepo",
    "simple-blog",
    "api-autonav",
    "mkdoxy",
    "gendocs",
    "coverage",
];

impl DocSite {
    /// Returns the plugin that adds a page: git never had one, and its directory is not in the tree.
    pub(crate) fn plugin_of(&self, tree: &dyn Tree, page: &str) -> Option<&'static str> {
        let is_here = || self.roots.iter().any(|root| is_within(page, root));
        let is_new = || tree.kind(parent(page)).is_none() && tree.moved(page).is_none() && !tree.was_there(page);
        self.page_plugin.filter(|_| is_here() && is_new())
    }

    /// Returns the directories that absolute paths of a document may be relative to: that of the configuration, and those between
    /// it and the document. `sphinx-build -c docs docs/user` takes the configuration from above the sources.
    pub(crate) fn sources(&self, document: &str) -> Vec<String> {
        let skipped = if self.directory.is_empty() { 0 } else { self.directory.len() + 1 };
        let below = document.get(skipped..).filter(|_| is_within(document, &self.directory)).unwrap_or_default();
        let ends = below.match_indices('/').map(|(at, _)| document[..skipped + at].to_owned());
        std::iter::once(self.directory.clone()).chain(ends).collect()
    }
}

/// All sites of a project, with caches of routes, included files and anchors.
#[derive(Default)]
pub(crate) struct DocSites {
    all: OnceLock<Vec<DocSite>>,
    routes: OnceLock<Routes>,
    /// Names of files that reStructuredText and `MyST` documents include.
    included: OnceLock<FxHashSet<String>>,
    /// Anchors by document. Many documents link to the same one.
    anchors: Mutex<FxHashMap<String, Arc<Anchors>>>,
}

impl ProjectIndex for DocSites {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl DocSites {
    /// Returns all sites, in the order of the paths of their configuration.
    pub(crate) fn all(&self, tree: &dyn Tree) -> &[DocSite] {
        self.all.get_or_init(|| tree.files().iter().filter_map(|path| configured_site(tree, path)).collect())
    }

    /// Returns the sites whose roots contain a file, the innermost first.
    pub(crate) fn containing<'s>(&'s self, tree: &dyn Tree, path: &str) -> Vec<&'s DocSite> {
        let has = |site: &&DocSite| {
            let counts = |root: &&String| !site.is_below || **root != site.directory;
            site.roots.iter().filter(counts).any(|root| root.is_empty() || is_within(path, root))
        };
        let mut found: Vec<&DocSite> = self.all(tree).iter().filter(has).collect();
        found.sort_by_key(|site| std::cmp::Reverse(site.directory.len()));
        found
    }

    /// Returns the possible routes of all pages.
    pub(crate) fn routes(&self, tree: &dyn Tree) -> &Routes {
        self.routes.get_or_init(|| Routes::new(tree, self.all(tree)))
    }

    /// Returns whether a reStructuredText or `MyST` document includes a file of this name.
    pub(crate) fn is_included(&self, tree: &dyn Tree, path: &str) -> bool {
        let all = self.included.get_or_init(|| {
            let documents =
                tree.files().iter().filter(|path| matches!(extension(path).as_str(), "rst" | "txt" | "md" | "inc"));
            let mut found = FxHashSet::default();
            for text in documents.filter_map(|path| tree.read_shared(path)) {
                for line in text.lines() {
                    let place = line.split_once("include:: ").or_else(|| line.split_once("{include} "));
                    found.extend(place.map(|(_, path)| name(path.trim()).to_owned()));
                }
            }
            found
        });
        all.contains(name(path))
    }

    /// Returns whether the anchors of a document are cached. They are not updated when the document changes.
    pub(crate) fn has_cached_anchors(&self, path: &str) -> bool {
        self.anchors.lock().contains_key(path)
    }

    /// Returns the anchors of a document; `None` if it cannot be read.
    pub(crate) fn anchors(&self, project: &Project, path: &str) -> Option<Arc<Anchors>> {
        let known = self.anchors.lock().get(path).cloned();
        if known.is_some() {
            return known;
        }
        // Reads without the lock. Two threads may read the same document and get the same anchors.
        let anchors = Arc::new(Anchors::new(&project.tree().read_shared(path)?));
        let mut all = self.anchors.lock();
        all.insert(path.to_owned(), Arc::clone(&anchors));
        Some(anchors)
    }
}

/// Returns the site that a file configures.
fn configured_site(tree: &dyn Tree, path: &str) -> Option<DocSite> {
    use Generator as G;
    let at = parent(path);
    let text = || tree.read_shared(path).unwrap_or_default();
    let below = |names: &[&str]| -> Vec<String> { names.iter().filter_map(|name| join(at, name)).collect() };
    let new_site = |generator, directory: &str, roots| {
        let is_below = matches!(generator, G::Docusaurus | G::Astro | G::Next | G::Nuxt | G::Hugo | G::Gatsby);
        Some(DocSite { generator, directory: directory.to_owned(), roots, is_below, page_plugin: None })
    };
    let site = |generator, roots: Vec<String>| new_site(generator, at, roots);
    let last = name(path);
    match last.split('.').next().unwrap_or("") {
        "docusaurus" if last.starts_with("docusaurus.config.") => {
            let mut roots = below(&["docs", "blog", "src/pages", "static", "versioned_docs", ""]);
            roots.extend(script_values(&text(), "path").filter_map(|path| join(at, path)));
            site(G::Docusaurus, roots)
        }
        "siteConfig" if last == "siteConfig.js" && tree.kind(&format!("{at}/core")).is_some() => {
            site(G::Docusaurus, below(&["../docs", "blog", "static", "pages", ""]))
        }
        "config" if matches!(name(at), ".vitepress" | ".vuepress") && parent(at) != at => {
            let generator = if name(at) == ".vitepress" { G::VitePress } else { G::VuePress };
            let mut roots = below(&["..", "../public", "public"]);
            roots.extend(script_values(&text(), "srcDir").filter_map(|path| join(parent(at), path)));
            site(generator, roots)
        }
        // A configuration in several files: `.vitepress/config/index.ts`.
        "index" if name(at) == "config" && matches!(name(parent(at)), ".vitepress" | ".vuepress") => {
            let directory = parent(at);
            let generator = if name(directory) == ".vitepress" { G::VitePress } else { G::VuePress };
            new_site(generator, directory, below(&["../..", "../../public", "../public"]))
        }
        "mkdocs" if matches!(last, "mkdocs.yml" | "mkdocs.yaml") => {
            let text = text();
            let docs = line_value(&text, "docs_dir", ':').unwrap_or("docs");
            let mut items = text.lines().filter_map(|line| line.trim_start().strip_prefix("- "));
            let page_plugin = items.find_map(|item| {
                let item = item.split_once(':').map_or(item, |(item, _)| item);
                PAGE_PLUGINS.iter().copied().find(|plugin| item.trim().trim_matches(['"', '\'']) == *plugin)
            });
            site(G::MkDocs, below(&[docs])).map(|site| DocSite { page_plugin, ..site })
        }
        "book" if last == "book.toml" => {
            let text = text();
            let src = line_value(&text, "src", '=').unwrap_or("src");
            site(G::MdBook, below(&[src]))
        }
        "_config" if matches!(last, "_config.yml" | "_config.yaml" | "_config.toml") => {
            let text = text();
            let source = line_value(&text, "source", ':').unwrap_or("");
            site(G::Jekyll, below(&[source, ""]))
        }
        "hugo" if matches!(last, "hugo.toml" | "hugo.yaml" | "hugo.yml" | "hugo.json") => site(G::Hugo, hugo_roots(at)),
        "config" if matches!(last, "config.toml" | "config.yaml" | "config.yml") => {
            let top = at.strip_suffix("config/_default").map_or(at, |top| top.trim_end_matches('/'));
            let has = |name: &str| {
                tree.kind(&pathfinder_literals::path::sibling_path(&format!("{top}/x"), name)) == Some(Kind::Directory)
            };
            let is_site = !top.starts_with('.') && has("content") && (has("layouts") || has("themes") || has("static"));
            is_site.then(|| new_site(G::Hugo, top, hugo_roots(top))).flatten()
        }
        "astro" if last.starts_with("astro.config.") => {
            site(G::Astro, below(&["src/content/docs", "src/pages", "src/content", "src", "public", ""]))
        }
        "gatsby-config" => site(G::Gatsby, below(&["content", "docs", "src/pages", "static", "src", ""])),
        // The page that loads docsify can lie above: `basePath: 'docs/'`.
        "_sidebar" | "_coverpage"
            if ["index.html", "../index.html"]
                .iter()
                .any(|page| join(at, page).is_some_and(|page| tree.kind(&page).is_some())) =>
        {
            site(G::Docsify, below(&[""]))
        }
        "SUMMARY" | "" if last == "SUMMARY.md" || last == ".gitbook.yaml" => {
            // mdBook has a `SUMMARY.md` as well.
            tree.kind(&join(at, "../book.toml")?).is_none().then_some(())?;
            site(G::GitBook, below(&[""]))
        }
        "conf" if last == "conf.py" => {
            let text = text();
            let is_sphinx = ["extensions", "html_theme", "master_doc", "root_doc", "project", "source_suffix"];
            let is_one = text.contains("sphinx") || is_sphinx.iter().any(|name| line_value(&text, name, '=').is_some());
            is_one.then_some(())?;
            site(G::Sphinx, below(&[""]))
        }
        // The renderer of phpDocumentor, which TYPO3 uses, reads documents as Sphinx does.
        "guides" if last == "guides.xml" => site(G::Sphinx, below(&[""])),
        "Settings" if last == "Settings.cfg" && tree.names(at).iter().any(|name| name == "Index.rst") => {
            site(G::Sphinx, below(&[""]))
        }
        "" if last == ".eleventy.js" => site(G::Eleventy, below(&["src", "public", ""])),
        "eleventy" if last.starts_with("eleventy.config.") => site(G::Eleventy, below(&["src", "public", ""])),
        "next" if last.starts_with("next.config.") => {
            site(G::Next, below(&["content", "src/content", "pages", "src/pages", "app", "src/app", "public", ""]))
        }
        "nuxt" if last.starts_with("nuxt.config.") => site(G::Nuxt, below(&["content", "public", "app", "docs", ""])),
        "mint" | "docs" if matches!(last, "mint.json" | "docs.json") => site(G::Mintlify, below(&[""])),
        "antora" if last == "antora.yml" => site(G::Antora, below(&[""])),
        _ => None,
    }
}

/// Returns the roots of a Hugo site.
fn hugo_roots(at: &str) -> Vec<String> {
    ["content", "static", "assets", "content/en", ""].iter().filter_map(|name| join(at, name)).collect()
}

/// Returns the value of the first line `name: value`, without quotes and comment.
fn line_value<'t>(text: &'t str, name: &str, sign: char) -> Option<&'t str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(sign))?;
    let value = rest.split(" #").next().unwrap_or(rest);
    Some(value.trim().trim_matches(['"', '\'']))
}

/// Returns the values of all `name: "value"` in a configuration script.
fn script_values<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
    let length = name.len();
    text.match_indices(name).filter_map(move |(at, _)| {
        let rest = text[at + length..].trim_start().strip_prefix(':')?.trim_start();
        let quote = rest.chars().next().filter(|first| matches!(first, '"' | '\'' | '`'))?;
        rest[1..].split(quote).next().filter(|value| !value.contains('\n') && value.len() < 200)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryTree;

    #[test]
    fn finds_sites_and_roots() {
        let check = |tree: &str, path: &str, expect: &[(Generator, &str)]| {
            let tree = MemoryTree::new(tree);
            let sites = DocSites::default();
            let found = sites.containing(&tree, path);
            let found: Vec<_> = found.iter().map(|site| (site.generator, site.roots[0].as_str())).collect();
            assert_eq!(found, expect, "{path}");
        };
        check("mkdocs.yml = site_name: x", "docs/a.md", &[(Generator::MkDocs, "docs")]);
        check("mkdocs.yml = docs_dir: \"site/pages\" # there", "site/pages/a.md", &[(Generator::MkDocs, "site/pages")]);
        check("mkdocs.yml = site_name: x", "README.md", &[]);
        check(
            "web/docusaurus.config.js = docs: { path: '../docs' }",
            "docs/a.md",
            &[(Generator::Docusaurus, "web/docs")],
        );
        check("docs/.vitepress/config.ts", "docs/a.md", &[(Generator::VitePress, "docs")]);
        check("docs/.vitepress/config/index.ts", "docs/a.md", &[(Generator::VitePress, "docs")]);
        check("docs/config/index.ts", "docs/a.md", &[]);
        check("site/index.html\nsite/docs/_sidebar.md", "site/docs/a.md", &[(Generator::Docsify, "site/docs")]);
        check("docs/_sidebar.md", "docs/a.md", &[]);
        check("book.toml = src = 'text'", "text/a.md", &[(Generator::MdBook, "text")]);
        check("config.toml\ncontent/a.md\nstatic/b.png", "content/a.md", &[(Generator::Hugo, "content")]);
        check("config.toml\nsrc/content.rs", "docs/a.md", &[]);
        check("tool/conf.py = import os", "tool/a.rst", &[]);
        check("docs/conf.py = project = 'x'", "docs/a.rst", &[(Generator::Sphinx, "docs")]);
        check("Documentation/guides.xml", "Documentation/a/b.rst", &[(Generator::Sphinx, "Documentation")]);
    }
}
