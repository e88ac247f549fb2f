//! `LinkChecker`: resolves the links of one document.
//!
//! A link can name the file beside the document, as forges render it, or a page of a site. Each reading is tried. A
//! link is missing only if no known site could provide its target.

mod absolute;
mod known_outcomes;
mod numbered;
mod relative;
mod site_conventions;
mod vault;

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::anchors::Anchors;
use super::classify::{
    ISSUE, detached_reason, has_extension, is_built_page, is_forge_page, is_host, is_placeholder, links_in_code,
    suppress_if_detached,
};
use super::page_labels::PageLabels;
use super::shared_links::SharedLinks;
use super::site_prefix::root_length;
use known_outcomes::{KnownOutcomes, Outcomes};
use site_conventions::{FormCount, SiteConventions};

use crate::documents::doc_sites::{DocSite, DocSites, Generator, Includers, suppress_if_added};
use crate::js;
use pathfinder_literals::path::{ancestors, extension, has_scheme, is_dynamic, join, percent_decoded};
use pathfinder_literals::{
    Checked, Code, Kind, LiteralKind, Lookup, Missing, Project, Reason, Severity, Source, Verdict, Want,
};

/// A site without a known routing rule is trusted once this many links of one form resolve in the same document, or on its other
/// pages ([`SiteConventions`]). Only then is another link of that form missing.
const MIN_CONVENTION_LINKS: usize = 3;

/// A document with this many missing links, if they are the majority, is written for another place.
const MIN_MISPLACED_LINKS: usize = 10;

/// A document with this many links to headings of its own, of which none is there, is a part of another one.
const MIN_PART_ANCHORS: usize = 3;

/// The verdict on one link, before the whole document is considered.
#[derive(Clone)]
pub(super) struct LinkOutcome {
    verdict: Verdict,
    tried: Vec<String>,
    /// The form of the link, if it is missing only when enough others of that form resolve: see
    /// [`MIN_CONVENTION_LINKS`]. Of one that is found, set if its place was learned, so that it speaks for no form.
    convention: Option<String>,
}

impl LinkOutcome {
    fn unknown(reason: Reason) -> Self {
        Self { verdict: Verdict::Unknown(reason), tried: Vec::new(), convention: None }
    }

    fn undecided(by: &str) -> Self {
        Self::unknown(Reason::Undecided(by.to_owned()))
    }
}

impl From<(Verdict, Vec<String>)> for LinkOutcome {
    fn from((verdict, tried): (Verdict, Vec<String>)) -> Self {
        Self { verdict, tried, convention: None }
    }
}

/// Checks the links of one document.
pub(crate) struct LinkChecker<'p> {
    project: &'p Project,
    source: &'p Source<'p>,
    sites: Vec<&'p DocSite>,
    /// True if a site builds a page from the document. Links can then be addresses of pages as well as paths of files.
    is_routed: bool,
    /// The root of the vault of Obsidian that the document is in.
    vault: Option<String>,
    /// True for a template of issues: an earlier path of it says nothing of its links.
    is_for_issues: bool,
    /// True if the bot of all-contributors.org writes a part of the document.
    lists_contributors: bool,
    /// The links that its blocks of code show.
    shown: Option<FxHashSet<String>>,
    anchors: Option<Anchors>,
    /// The identifiers that the pages beside the document give their headings.
    labels: Option<FxHashSet<String>>,
    found: Vec<(Checked, Option<String>)>,
    convention: FxHashMap<String, usize>,
    /// Verdicts by tag kind and destination: documents repeat their links.
    outcomes: Outcomes,
}

impl<'p> LinkChecker<'p> {
    /// Finds the sites of the document.
    pub(crate) fn new(source: &'p Source<'p>, project: &'p Project) -> Self {
        let sites = project.index::<DocSites>().containing(project.tree(), source.path());
        let has_front = source.text().starts_with("---\n")
            || source.text().starts_with("---\r\n")
            || source.text().starts_with("+++");
        let is_routed = has_front || sites.iter().any(|site| site.generator != Generator::MdBook);
        Self {
            project,
            source,
            sites,
            is_routed,
            vault: vault::root_of(project, source.directory()),
            is_for_issues: detached_reason(source.path()) == Some(ISSUE),
            lists_contributors: source.text().contains("ALL-CONTRIBUTORS-LIST"),
            shown: None,
            anchors: None,
            labels: None,
            found: Vec::new(),
            convention: FxHashMap::default(),
            outcomes: project.index::<KnownOutcomes>().take(source.path(), is_routed),
        }
    }

    /// Checks one link. Text that is no path gets no verdict.
    pub(crate) fn check_link(&mut self, kind: LiteralKind, range: Range<usize>, destination: &str) {
        let destination = destination.trim();
        let prefix = if self.is_routed { root_length(destination) } else { 0 };
        let (range, destination) = (range.start + prefix..range.end, &destination[prefix..]);
        let (address, fragment) =
            destination.split_once('#').map_or((destination, None), |(address, rest)| (address, Some(rest)));
        let address = address.split('?').next().unwrap_or(address);
        let address = strip_line_number(address);
        if destination.is_empty() || has_scheme(address) || (address.is_empty() && fragment.is_none_or(str::is_empty)) {
            return;
        }
        let mut outcome = if address.is_empty() {
            // A picture is no heading: docsify takes `![color](#e8dffc)` for a color.
            if destination.starts_with('?') || matches!(kind.construct(), "image" | "html.src") {
                return;
            }
            let path = self.source.path().to_owned();
            LinkOutcome {
                verdict: Verdict::Found(pathfinder_literals::Target { path }),
                tried: Vec::new(),
                convention: None,
            }
        } else {
            let key = (kind.construct().starts_with("html"), destination.to_owned());
            let known = self.outcomes.get(&key).cloned();
            known.unwrap_or_else(|| {
                let outcome = self.resolve(kind, address, destination);
                self.outcomes.insert(key, outcome.clone());
                outcome
            })
        };
        if let Verdict::Found(target) = &outcome.verdict {
            let path = target.path.clone();
            let fragment = fragment.unwrap_or("");
            let is_learned = outcome.convention.take().is_some();
            if let Some(convention) = link_convention(address).filter(|_| !is_learned) {
                *self.convention.entry(convention).or_default() += 1;
            }
            // The list of contributors that a bot writes has links to nothing, for their titles.
            let is_title = self.lists_contributors && kind.construct().starts_with("html");
            // A built page has other identifiers than its source.
            if !is_title
                && !is_built_page(address)
                && self.lacks(&path, fragment)
                && !self.is_other_locale(address, &path)
            {
                let reason = format!("{path} has no heading for #{fragment}");
                let missing = Missing {
                    code: Code::MissingAnchor,
                    severity: Severity::Warning,
                    reason,
                    wanted: path,
                    want: Want::File,
                    instead: None,
                };
                outcome.verdict = Verdict::Missing(missing);
            }
        }
        let LinkOutcome { verdict, mut tried, convention } = outcome;
        let verdict = suppress_if_added(self.project.tree(), suppress_if_detached(self.source.path(), verdict));
        let is_example = matches!(&verdict, Verdict::Missing(missing) if missing.instead.is_none())
            && self.shown.get_or_insert_with(|| links_in_code(self.source.text())).contains(destination);
        let verdict = if is_example { Verdict::Unknown(Reason::Elsewhere) } else { verdict };
        if self.is_for_issues {
            tried.clear();
        }
        let range = range.start + self.source.offset()..range.end + self.source.offset();
        self.found.push((Checked { kind, range, verdict, tried }, convention));
    }

    /// Returns every link with its verdict.
    pub(crate) fn finish(mut self) -> impl Iterator<Item = Checked> {
        let outcomes = std::mem::take(&mut self.outcomes);
        self.project.index::<KnownOutcomes>().keep(self.source.path(), self.is_routed, outcomes);
        let usual: FxHashMap<String, bool> =
            self.count_forms().into_iter().map(|(form, own)| (form.clone(), self.is_usual(&form, own))).collect();
        // If most links are missing, the document is not written for this directory: it is assembled with others, or
        // copied. Links whose targets git moved were right here.
        let is_missing = |checked: &Checked| match &checked.verdict {
            Verdict::Missing(missing) => missing.code != Code::MovedPath,
            _ => false,
        };
        let missing = self.found.iter().filter(|(checked, _)| is_missing(checked)).count();
        let is_misplaced = missing >= MIN_MISPLACED_LINKS && missing * 3 > self.found.len() * 2;
        // So is one of whose own headings no link finds one: they are in the page that it becomes a part of.
        let path = self.source.path();
        let own = |is_there: bool| {
            self.found.iter().filter(|(checked, _)| leads_to_heading(checked, path) == Some(is_there)).count()
        };
        let is_part = own(false) >= MIN_PART_ANCHORS && own(true) == 0;
        self.found.into_iter().map(move |(mut checked, form)| {
            if form.is_some_and(|form| !usual.get(&form).copied().unwrap_or_default()) {
                checked.verdict = Verdict::Unknown(Reason::Undecided("how the site makes addresses".to_owned()));
            }
            if is_misplaced && is_missing(&checked) || is_part && leads_to_heading(&checked, path) == Some(false) {
                checked.verdict = Verdict::Unknown(Reason::Undecided("where the document is meant to be".to_owned()));
            }
            checked
        })
    }

    /// Returns whether links of a form are known to lead to files: by the document's own, or by those of its site's other pages.
    fn is_usual(&self, form: &str, own: FormCount) -> bool {
        let other_pages = || {
            let conventions = self.project.index::<SiteConventions>();
            self.sites.first().is_some_and(|site| conventions.is_usual(self.project, self.source, site, form, own))
        };
        own.found >= MIN_CONVENTION_LINKS || own.missing > 0 && other_pages()
    }

    /// Resolves the address of a link, without its fragment.
    fn resolve(&self, kind: LiteralKind, address: &str, destination: &str) -> LinkOutcome {
        if is_dynamic(destination) {
            return LinkOutcome::unknown(Reason::Dynamic);
        }
        // An expression of MDX: `<img src={Logo} />`.
        if destination.starts_with('{') && destination.ends_with('}') {
            return LinkOutcome::unknown(Reason::Elsewhere);
        }
        let decoded = percent_decoded(address);
        let decoded = decoded.as_ref();
        if let Some(outcome) = decoded.strip_prefix("@/").and_then(|rest| self.resolve_in_root(rest)) {
            return outcome;
        }
        if let Some(outcome) = decoded.strip_prefix('@').and_then(|rest| self.resolve_alias(decoded, rest)) {
            return outcome;
        }
        // `ExDoc` leads from a name in backquotes to its documentation.
        if is_host(decoded) || decoded.starts_with('@') || decoded.contains(['\\', '`']) {
            return LinkOutcome::unknown(Reason::Elsewhere);
        }
        let outcome = match decoded.strip_prefix('/') {
            Some(_) => self.resolve_absolute(decoded),
            None => self.resolve_relative(decoded, kind.construct().starts_with("html")),
        };
        if matches!(outcome.verdict, Verdict::Missing(_))
            && let Some(found) = self.resolve_in_vault(decoded)
        {
            return found;
        }
        let is_lost = |verdict: &Verdict| matches!(verdict, Verdict::Missing(missing) if missing.instead.is_none());
        let here = self.source.directory();
        let shared = || self.project.index::<SharedLinks>().is_for_other_place(self.project, here, address, decoded);
        if is_lost(&outcome.verdict) && shared() {
            return LinkOutcome::undecided("where the documents are put together");
        }
        // A path that looks like a placeholder counts only if it exists, or is a typo of one that does.
        match outcome.verdict {
            Verdict::Missing(_)
                if is_placeholder(decoded) || is_forge_page(decoded) && !self.is_below_tree(decoded) =>
            {
                LinkOutcome { verdict: Verdict::Unknown(Reason::Elsewhere), ..outcome }
            }
            _ => outcome,
        }
    }

    /// Resolves a path from the directory of all pages, as Zola and `VuePress` write it: `@/guides/setup.md`. That is the nearest directory
    /// above which has the first one of the path.
    fn resolve_in_root(&self, path: &str) -> Option<LinkOutcome> {
        let (first, _) = path.split_once('/')?;
        let tree = self.project.tree();
        let has_first = |at: &&str| join(at, first).is_some_and(|path| tree.kind(&path) == Some(Kind::Directory));
        let root = ancestors(self.source.directory()).find(has_first)?;
        Some(Lookup::new(self.project, Want::Any).verdict(Severity::Warning, [join(root, path)]).into())
    }

    /// Resolves a path that begins with an alias, which bundlers of documents know as that of an import: `@site/static/a.png`,
    /// `@images/a.png`. `None` if the project has no such alias.
    fn resolve_alias(&self, written: &str, rest: &str) -> Option<LinkOutcome> {
        let (alias, path) = rest.split_once('/')?;
        let mut docusaurus = self.sites.iter().filter(|site| site.generator == Generator::Docusaurus);
        if alias == "site" {
            let at = join(&docusaurus.next()?.directory, path);
            return Some(Lookup::new(self.project, Want::Any).verdict(Severity::Warning, [at]).into());
        }
        // A scoped package is none of a page.
        if !has_extension(path) || !self.is_routed {
            return None;
        }
        let (verdict, tried) = js::resolve_import(self.source, self.project, written);
        let is_foreign = match &verdict {
            Verdict::Unknown(_) => true,
            // The alias itself was taken for a directory.
            Verdict::Missing(missing) => missing.wanted.ends_with(written),
            Verdict::Found(_) => false,
        };
        (!is_foreign).then(|| (verdict, tried).into())
    }

    /// Returns whether the first directory that a path names exists: `../packages/a.js` is no page of a forge beside `packages`.
    fn is_below_tree(&self, path: &str) -> bool {
        let is_step = |segment: &&str| matches!(*segment, "" | "." | "..");
        let first = path.split('/').find(|segment| !is_step(segment)).unwrap_or_default();
        let end = path.find(first).map_or(0, |at| at + first.len());
        let is_directory = |path: String| self.project.tree().kind(&path) == Some(Kind::Directory);
        path.len() > end && join(self.source.directory(), &path[..end]).is_some_and(is_directory)
    }

    /// Returns whether a link leads to the page in another language, whose headings are not translated.
    fn is_other_locale(&self, address: &str, path: &str) -> bool {
        let wanted = join(self.source.directory(), address);
        wanted.is_some_and(|wanted| self.in_other_locales(&wanted).iter().any(|other| other == path))
    }

    /// Returns whether a page beside the document has a fragment as an identifier of its own. The code host shows none, and another
    /// renderer can look for it on all pages, as Doxygen does.
    fn is_label(&mut self, fragment: &str) -> bool {
        /// More pages in one directory are generated.
        const MAX_PAGES: usize = 128;
        /// Bytes of the pages that are read: each page with such a link reads them all.
        const MAX_BYTES: usize = 1 << 20;
        let (tree, source) = (self.project.tree(), self.source);
        let read = || {
            let names = tree.names(source.directory());
            let pages = names.iter().filter(|name| extension(name) == "md").take(MAX_PAGES);
            let texts = pages.filter_map(|name| tree.read_shared(&join(source.directory(), name)?));
            let mut bytes = 0;
            let is_within = |text: &Arc<str>| {
                bytes += text.len();
                bytes <= MAX_BYTES
            };
            texts.take_while(is_within).flat_map(|text| labels(&text).map(str::to_owned).collect::<Vec<_>>()).collect()
        };
        self.labels.get_or_insert_with(read).contains(fragment)
    }

    /// Returns whether a document lacks a heading for a fragment, if its renderer's rules are known.
    fn lacks(&mut self, path: &str, fragment: &str) -> bool {
        if fragment.is_empty() || !matches!(extension(path).as_str(), "md" | "mdx" | "markdown") {
            return false;
        }
        // Front matter without a known site belongs to an unknown one.
        if self.sites.is_empty() && self.is_routed {
            return false;
        }
        let fragment = percent_decoded(fragment);
        let known = |site: &DocSite| {
            matches!(
                site.generator,
                Generator::Docusaurus | Generator::VitePress | Generator::MkDocs | Generator::MdBook
            )
        };
        if !self.sites.iter().all(|site| known(site)) {
            return false;
        }
        // Only GitHub keeps non-ASCII letters in identifiers.
        if !(fragment.is_ascii() || self.sites.is_empty()) {
            return false;
        }
        if path == self.source.path() {
            let text = self.source.text();
            // The page that shows this text has other headings.
            let is_included = || !self.project.index::<Includers>().directories_of(path).is_empty();
            return self.anchors.get_or_insert_with(|| Anchors::new(text)).lacks(&fragment)
                && !is_included()
                && !(self.sites.is_empty()
                    && (self.is_label(&fragment) || self.project.index::<PageLabels>().contains(&fragment)));
        }
        let tree = self.project.tree();
        if !self.project.index::<DocSites>().containing(tree, path).into_iter().all(known) {
            return false;
        }
        self.project.index::<DocSites>().anchors(self.project, path).is_some_and(|anchors| anchors.lacks(&fragment))
    }
}

/// The identifiers in `{#…}` that a page gives its headings, as Doxygen has them. Most pages have none.
fn labels(page: &str) -> impl Iterator<Item = &str> {
    let has_label = memchr::memmem::find(page.as_bytes(), b"{#").is_some();
    let rest = if has_label { page } else { "" }.split("{#").skip(1);
    rest.filter_map(|rest| rest.split_once('}')).map(|(label, _)| label.trim())
}

/// Returns whether a link to a heading of the document itself finds it; `None` for another link.
fn leads_to_heading(checked: &Checked, document: &str) -> Option<bool> {
    let (path, is_there) = match &checked.verdict {
        Verdict::Found(target) => (&target.path, true),
        Verdict::Missing(missing) if missing.code == Code::MissingAnchor => (&missing.wanted, false),
        _ => return None,
    };
    (path == document && checked.tried.is_empty()).then_some(is_there)
}

/// The form of a link where no routing rule is known: addresses below one directory, or pages by their extension.
fn link_convention(address: &str) -> Option<String> {
    match address.strip_prefix('/') {
        Some(rest) => rest.split_once('/').map(|(first, _)| format!("/{first}/")),
        None if is_built_page(address) => Some(".html".to_owned()),
        None => None,
    }
}

/// Removes a line number that editors understand: `a.rs:12`, `a.rs:12:3`.
fn strip_line_number(address: &str) -> &str {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    match address.split_once(':') {
        Some((path, rest)) if rest.split(':').all(digits) && has_extension(path) => path,
        _ => address,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn resolves_paths_from_the_directory_of_all_pages() {
        let tree = "config.toml\ncontent/guides/b.md\nmoved content/guides/a.md content/guides/b.md";
        let text = "[a](@/guides/a.md) [b](@/guides/b.md) @[code](@/guides/c.ts) [d](@/none/d.md) [e](@user)\n";
        let expect = "md.link @/guides/a.md → moved
            md.link @/guides/b.md → content/guides/b.md
            md.link @/guides/c.ts → missing
            md.link @/none/d.md → unknown elsewhere
            md.link @user → unknown elsewhere";
        check(tree, "content/blog/x.md", text, expect);
    }

    #[test]
    fn resolves_aliases_of_bundlers() {
        let tree = "package.json\ntsconfig.json = {\"compilerOptions\": {\"paths\": {\"@images/*\": [\"src/images/*\"]}}}\nsrc/images/a.png";
        let text = "---\nt: 1\n---\n![a](@images/a.png) ![b](@images/bb.png) [c](@x/y.png) [d](@images/a)\n";
        let expect = "md.image @images/a.png → src/images/a.png
            md.image @images/bb.png → missing
            md.link @x/y.png → unknown elsewhere
            md.link @images/a → unknown elsewhere";
        check(tree, "src/content/x.mdx", text, expect);
        // A program of the site replaces an alias that no configuration tells of; it is no typo of a directory.
        let replaced = "docs/.vuepress/config.js\ndocs/snippets/loading/vscode.sh\ndocs/clients/start.md";
        let text = "@[code](@snippets/loading/vscode.sh) [c](@clients/start.md)\n";
        let expect =
            "md.link @snippets/loading/vscode.sh → unknown elsewhere\nmd.link @clients/start.md → unknown elsewhere";
        check(replaced, "docs/book/x.md", text, expect);
        let tree = "web/docusaurus.config.js\nweb/static/a.png\nweb/i18n/x";
        let text = "![a](@site/static/a.png) [b](@site/docs/b.md)\n";
        let expect = "md.image @site/static/a.png → web/static/a.png\nmd.link @site/docs/b.md → missing";
        check(tree, "web/docs/x.md", text, expect);
    }

    #[test]
    fn restrains_what_nobody_follows() {
        let text = "[b] [c]\n\n[b]: b.md\n[c]: gone.md\n[d]: lost.md\n[e]: old.md\n";
        let expect = "md.definition b.md → b.md
            md.definition gone.md → missing
            md.definition lost.md → unknown undecided
            md.definition old.md → moved";
        check("b.md\nmoved old.md b.md", "a.md", text, expect);
    }

    #[test]
    fn leaves_headings_of_pages_that_others_make() {
        let text = "# One\n[a](#two)\n";
        check("mkdocs.yml\ndocs/b.md", "docs/a.md", text, "md.link #two → missing-anchor");
        let page = format!("---\ntemplate: x.html\n---\n{text}");
        check("mkdocs.yml\ndocs/b.md", "docs/a.md", &page, "md.link #two → docs/a.md");
        let book = "book.toml\nsrc/b.md = {{#include a/c.md}}\nsrc/d.md";
        let expect = "md.link #two → src/a/c.md\nmd.link d.html → src/d.md";
        check(book, "src/a/c.md", "# One\n[a](#two) [d](d.html)\n", expect);
    }

    /// A label of Doxygen leads to another page.
    #[test]
    fn leaves_labels_of_other_pages() {
        let links = "# One\n[a](#two)\n[b](#three)\n";
        let expect = "md.link #two → docs/a.md\nmd.link #three → missing-anchor";
        check("docs/b.md = # Two {#two}", "docs/a.md", links, expect);
    }
}
