//! The document sites of a project: which generators build them, and where their pages and assets lie.
//!
//! What a generator does with a path is only known in its outlines, so that this says what could be there; a literal is
//! wrong only if none of it is.

mod mounts;
mod routes;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Fact;
use crate::language::markdown::Anchors;
use crate::path::{extension, join, name, parent};
use crate::project::{Project, within};
use crate::tree::{Kind, Tree};

pub(crate) use mounts::Mounts;
pub(crate) use routes::Routes;

/// What builds a site.
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

/// One site.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) generator: Generator,
    /// Where its configuration is.
    pub(crate) directory: String,
    /// Directories of pages, and of what is copied as it is: what a path from the site's root can lead into.
    pub(crate) roots: Vec<String>,
    /// Whether its pages are only in the roots below that directory, so that a README beside the configuration is none.
    pub(crate) is_below: bool,
}

impl Site {
    /// Directories that a document's absolute paths may begin in: that of the configuration, and those between it and the document.
    /// `sphinx-build -c docs docs/user` takes the configuration from above the sources.
    pub(crate) fn sources(&self, document: &str) -> Vec<String> {
        let skipped = if self.directory.is_empty() { 0 } else { self.directory.len() + 1 };
        let below = document.get(skipped..).filter(|_| within(document, &self.directory)).unwrap_or_default();
        let ends = below.match_indices('/').map(|(at, _)| document[..skipped + at].to_owned());
        std::iter::once(self.directory.clone()).chain(ends).collect()
    }
}

/// All sites of a project, and what is known of its documents.
#[derive(Default)]
pub(crate) struct Sites {
    all: OnceLock<Vec<Site>>,
    routes: OnceLock<Routes>,
    /// Names of files that documents include.
    included: OnceLock<FxHashSet<String>>,
    /// Headings of documents that others link to: one document is linked to from many.
    anchors: Mutex<FxHashMap<String, Arc<Anchors>>>,
}

impl Fact for Sites {
    fn of(_project: &Project) -> Self {
        Self::default()
    }
}

impl Sites {
    /// All of them, in the order of their configurations' paths.
    pub(crate) fn all(&self, tree: &dyn Tree) -> &[Site] {
        self.all.get_or_init(|| tree.files().iter().filter_map(|path| recognised(tree, path)).collect())
    }

    /// The sites that have a file among their pages, the innermost first.
    pub(crate) fn of<'s>(&'s self, tree: &dyn Tree, path: &str) -> Vec<&'s Site> {
        let has = |site: &&Site| {
            let counts = |root: &&String| !site.is_below || **root != site.directory;
            site.roots.iter().filter(counts).any(|root| root.is_empty() || within(path, root))
        };
        let mut found: Vec<&Site> = self.all(tree).iter().filter(has).collect();
        found.sort_by_key(|site| std::cmp::Reverse(site.directory.len()));
        found
    }

    /// What names pages can have.
    pub(crate) fn routes(&self, tree: &dyn Tree) -> &Routes {
        self.routes.get_or_init(|| Routes::new(tree, self.all(tree)))
    }

    /// Whether any document of reStructuredText includes a file of this name.
    pub(crate) fn is_included(&self, tree: &dyn Tree, path: &str) -> bool {
        let all = self.included.get_or_init(|| {
            let documents =
                tree.files().iter().filter(|path| matches!(extension(path).as_str(), "rst" | "txt" | "md" | "inc"));
            let mut found = FxHashSet::default();
            for text in documents.filter_map(|path| tree.read(path)) {
                for line in text.lines() {
                    let place = line.split_once("include:: ").or_else(|| line.split_once("{include} "));
                    found.extend(place.map(|(_, path)| name(path.trim()).to_owned()));
                }
            }
            found
        });
        all.contains(name(path))
    }

    /// Whether somebody has asked for the anchors of a document: they are what it said then.
    pub(crate) fn knows_anchors(&self, path: &str) -> bool {
        self.anchors.lock().unwrap_or_else(PoisonError::into_inner).contains_key(path)
    }

    /// The anchors of a document; `None` if it cannot be read.
    pub(crate) fn anchors(&self, project: &Project, path: &str) -> Option<Arc<Anchors>> {
        let known = self.anchors.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if known.is_some() {
            return known;
        }
        // Not under the lock: two threads may read the same document, and find the same in it.
        let anchors = Arc::new(Anchors::new(&project.tree().read(path)?));
        let mut all = self.anchors.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(path.to_owned(), Arc::clone(&anchors));
        Some(anchors)
    }
}

/// The site that a file configures, if it does.
fn recognised(tree: &dyn Tree, path: &str) -> Option<Site> {
    use Generator as G;
    let at = parent(path);
    let text = || tree.read(path).unwrap_or_default();
    let below = |names: &[&str]| -> Vec<String> { names.iter().filter_map(|name| join(at, name)).collect() };
    let made = |generator, directory: &str, roots| {
        let is_below = matches!(generator, G::Docusaurus | G::Astro | G::Next | G::Nuxt | G::Hugo | G::Gatsby);
        Some(Site { generator, directory: directory.to_owned(), roots, is_below })
    };
    let site = |generator, roots: Vec<String>| made(generator, at, roots);
    let last = name(path);
    match last.split('.').next().unwrap_or("") {
        "docusaurus" if last.starts_with("docusaurus.config.") => {
            let mut roots = below(&["docs", "blog", "src/pages", "static", "versioned_docs", ""]);
            roots.extend(values(&text(), "path").filter_map(|path| join(at, path)));
            site(G::Docusaurus, roots)
        }
        "siteConfig" if last == "siteConfig.js" && tree.kind(&format!("{at}/core")).is_some() => {
            site(G::Docusaurus, below(&["../docs", "blog", "static", "pages", ""]))
        }
        "config" if matches!(name(at), ".vitepress" | ".vuepress") && parent(at) != at => {
            let generator = if name(at) == ".vitepress" { G::VitePress } else { G::VuePress };
            let mut roots = below(&["..", "../public", "public"]);
            roots.extend(values(&text(), "srcDir").filter_map(|path| join(parent(at), path)));
            site(generator, roots)
        }
        "mkdocs" if matches!(last, "mkdocs.yml" | "mkdocs.yaml") => {
            let text = text();
            let docs = line_value(&text, "docs_dir", ':').unwrap_or("docs");
            site(G::MkDocs, below(&[docs]))
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
        "hugo" if matches!(last, "hugo.toml" | "hugo.yaml" | "hugo.yml" | "hugo.json") => site(G::Hugo, hugo(at)),
        "config" if matches!(last, "config.toml" | "config.yaml" | "config.yml") => {
            let top = at.strip_suffix("config/_default").map_or(at, |top| top.trim_end_matches('/'));
            let has =
                |name: &str| tree.kind(&crate::lookup::beside(&format!("{top}/x"), name)) == Some(Kind::Directory);
            let is_site = !top.starts_with('.') && has("content") && (has("layouts") || has("themes") || has("static"));
            is_site.then(|| made(G::Hugo, top, hugo(top))).flatten()
        }
        "astro" if last.starts_with("astro.config.") => {
            site(G::Astro, below(&["src/content/docs", "src/pages", "src/content", "src", "public", ""]))
        }
        "gatsby-config" => site(G::Gatsby, below(&["content", "docs", "src/pages", "static", "src", ""])),
        "_sidebar" | "_coverpage" if tree.kind(&crate::lookup::beside(path, "index.html")).is_some() => {
            site(G::Docsify, below(&[""]))
        }
        "SUMMARY" | "" if last == "SUMMARY.md" || last == ".gitbook.yaml" => {
            // A book of mdBook has one as well.
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

fn hugo(at: &str) -> Vec<String> {
    ["content", "static", "assets", "content/en", ""].iter().filter_map(|name| join(at, name)).collect()
}

/// The value of the first line `name: value`, without quotes, if it is a plain one.
fn line_value<'t>(text: &'t str, name: &str, sign: char) -> Option<&'t str> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(sign))?;
    let value = rest.split(" #").next().unwrap_or(rest);
    Some(value.trim().trim_matches(['"', '\'']))
}

/// The values of all `name: "value"` in a configuration that is a script.
fn values<'t>(text: &'t str, name: &str) -> impl Iterator<Item = &'t str> {
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
    use crate::testing::Forest;

    #[test]
    fn sites_and_their_roots() {
        let check = |tree: &str, path: &str, expect: &[(Generator, &str)]| {
            let tree = Forest::new(tree);
            let sites = Sites::default();
            let found = sites.of(&tree, path);
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
        check("book.toml = src = 'text'", "text/a.md", &[(Generator::MdBook, "text")]);
        check("config.toml\ncontent/a.md\nstatic/b.png", "content/a.md", &[(Generator::Hugo, "content")]);
        check("config.toml\nsrc/content.rs", "docs/a.md", &[]);
        check("tool/conf.py = import os", "tool/a.rst", &[]);
        check("docs/conf.py = project = 'x'", "docs/a.rst", &[(Generator::Sphinx, "docs")]);
    }
}
