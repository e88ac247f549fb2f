//! `LearnedRoutes`: the addresses below which a site has the pages of a directory, learned from the links of its documents.
//!
//! A program of a site can put its pages below any address. Where most addresses that begin alike lead to pages of one directory by
//! what follows, `/docs/product/fields/lookup` to `content/docs/fields/lookup.mdx`, the others are meant to as well. No generator has
//! to be known for that.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use pathfinder_literals::path::{extension, head};
use pathfinder_literals::{Project, ProjectIndex, Tree};
use rustc_hash::FxHashMap;

/// Endings of the sources of pages behind an address.
pub(crate) const PAGE_ENDINGS: [&str; 8] =
    [".md", ".mdx", "/index.md", "/index.mdx", "/page.mdx", "/page.md", "/_index.md", "/README.md"];

/// Marks before an address in a document.
const MARKS: [&str; 3] = ["](/", "href=\"/", "to=\"/"];
/// Longest address; pages have shorter ones.
const MAX_ADDRESS_BYTES: usize = 200;
/// Different addresses that are looked at. More say nothing new of where they begin.
const MAX_ADDRESSES: usize = 2_000;
/// Names in front that pages can be put below.
const MAX_PREFIX_NAMES: usize = 3;
/// Pages of one ending that are compared. More common names say nothing.
const MAX_NAMESAKES: usize = 8;
/// Addresses that must lead to pages of a directory; fewer do so by chance.
const MIN_PAGES: usize = 8;
/// One of so many addresses may lead nowhere: a repository has few broken links.
const MIN_PAGES_PER_OTHER: usize = 4;

/// Directories of pages by the address that they are below.
pub(crate) struct LearnedRoutes(FxHashMap<String, String>);

impl ProjectIndex for LearnedRoutes {
    fn build(project: &Project) -> Self {
        let mut votes: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        let mut totals: FxHashMap<String, usize> = FxHashMap::default();
        for address in addresses(project.tree()) {
            let starts = std::iter::once(0).chain(address.match_indices('/').map(|(at, _)| at + 1));
            for start in starts.take(MAX_PREFIX_NAMES + 1) {
                let (prefix, rest) = (address[..start].trim_end_matches('/'), &address[start..]);
                *totals.entry(prefix.to_owned()).or_default() += 1;
                for base in bases(project, rest) {
                    *votes.entry(prefix.to_owned()).or_default().entry(base).or_default() += 1;
                }
            }
        }
        let known = votes.into_iter().filter_map(|(prefix, bases)| {
            let mut bases: Vec<(String, usize)> = bases.into_iter().collect();
            bases.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
            let (base, pages) = bases.first()?.clone();
            let others = totals.get(&prefix).copied().unwrap_or_default().saturating_sub(pages);
            // Versions and translations have the same pages.
            let is_only = bases.get(1).is_none_or(|(_, second)| second * 2 <= pages);
            let is_known = is_only && pages >= MIN_PAGES && others * MIN_PAGES_PER_OTHER <= pages;
            is_known.then_some((prefix, base))
        });
        Self(known.collect())
    }
}

impl LearnedRoutes {
    /// Returns the path of the page at an address without the slash in front, but for its ending; `None` if it is not known where the
    /// address begins.
    pub(crate) fn stem(&self, address: &str) -> Option<String> {
        let address = address.trim_end_matches('/');
        let starts = std::iter::once(0).chain(address.match_indices('/').map(|(at, _)| at + 1));
        let starts: Vec<usize> = starts.take(MAX_PREFIX_NAMES + 1).collect();
        // The longest one tells the most.
        starts.into_iter().rev().find_map(|start| {
            let base = self.0.get(address[..start].trim_end_matches('/'))?;
            Some(if base.is_empty() { address[start..].to_owned() } else { format!("{base}/{}", &address[start..]) })
        })
    }
}

/// The directories from which an address leads to a page.
fn bases(project: &Project, rest: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for ending in PAGE_ENDINGS {
        let tail = format!("{rest}{ending}");
        let paths = project.find_all_by_suffix(&tail, MAX_NAMESAKES);
        found.extend(paths.iter().filter_map(|path| Some(path.strip_suffix(&tail)?.trim_end_matches('/').to_owned())));
    }
    found
}

/// The different addresses of pages in the links of all documents, without the slash in front.
fn addresses(tree: &dyn Tree) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let is_document = |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
    for path in tree.files().iter().filter(is_document) {
        let text = tree.read_shared(path).unwrap_or_default();
        for mark in MARKS {
            for at in memmem::find_iter(text.as_bytes(), mark) {
                let rest = head(&text[at + mark.len()..], MAX_ADDRESS_BYTES);
                let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | '"' | '#' | '?' | '{' | '<');
                let Some(address) = rest.find(is_end).map(|end| rest[..end].trim_end_matches('/')) else { continue };
                if !address.is_empty() && extension(address).is_empty() && !address.starts_with('/') {
                    found.insert(address.to_owned());
                }
            }
        }
        if found.len() >= MAX_ADDRESSES {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn learns_where_addresses_begin() {
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let pages = names.map(|name| format!("content/docs/fields/{name}.mdx\n")).concat();
        let links = names.map(|name| format!("[x](/docs/product/fields/{name}) ")).concat();
        let tree = format!("next.config.mjs\n{pages}content/docs/a.mdx = {links}\ncontent/docs/sub/index.mdx");
        check(
            &tree,
            "content/docs/b.mdx",
            "[a](/docs/product/fields/one) [b](/docs/product/sub/) [c](/docs/product/fields/threee) [d](/docs/other/one)\n",
            "md.link /docs/product/fields/one → content/docs/fields/one.mdx
             md.link /docs/product/sub/ → content/docs/sub/index.mdx
             md.link /docs/product/fields/threee → unknown undecided
             md.link /docs/other/one → unknown undecided",
        );
        let moved = format!(
            "{tree}\ncontent/docs/fields/nine.mdx\nmoved content/docs/old/nine.mdx content/docs/fields/nine.mdx"
        );
        check(&moved, "content/docs/b.mdx", "[a](/docs/product/old/nine)\n", "md.link /docs/product/old/nine → moved");
    }
}
