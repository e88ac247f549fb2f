//! `LearnedRoutes`: the addresses below which a site has the pages of a directory, learned from the links of its documents.
//!
//! A program of a site can put its pages and pictures below any address. Where most addresses that begin alike lead to pages of one
//! directory by what follows, `/docs/product/fields/lookup` to `content/docs/fields/lookup.mdx`, the others are meant to as well. So are
//! names of pictures without a directory. No generator has to be known for that.

use std::collections::{BTreeMap, BTreeSet};

use memchr::memmem;
use pathfinder_literals::path::{extension, head, join, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};
use rustc_hash::FxHashMap;

use crate::file_moves::FileMoves;

/// Endings of the sources of pages behind an address.
pub(crate) const PAGE_ENDINGS: [&str; 8] =
    [".md", ".mdx", "/index.md", "/index.mdx", "/page.mdx", "/page.md", "/_index.md", "/README.md"];

/// Marks before the address of a page or a file in a document.
const MARKS: [&str; 4] = ["](/", "href=\"/", "to=\"/", "src=\"/"];
/// Marks before the name of a picture.
const PICTURE_MARKS: [&str; 3] = ["](", "](<", "src=\""];
/// Endings of pictures.
const PICTURES: [&str; 6] = ["png", "jpg", "jpeg", "gif", "svg", "webp"];
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

/// The directories that addresses lead to which begin alike.
pub(crate) struct LearnedRoutes {
    /// Directories of pages by the address that they are below.
    pages: FxHashMap<String, String>,
    /// Directories of other files.
    files: FxHashMap<String, String>,
    /// The directory of the pictures that are named alone.
    pictures: Option<String>,
}

/// Counts of the addresses that begin alike.
#[derive(Default)]
struct Votes {
    addresses: usize,
    /// Addresses that lead to a file of a directory, by the directory.
    bases: BTreeMap<String, usize>,
}

impl Votes {
    fn add(&mut self, bases: BTreeSet<String>) {
        self.addresses += 1;
        for base in bases {
            *self.bases.entry(base).or_default() += 1;
        }
    }

    /// The directory that nearly all addresses lead to.
    fn base(self) -> Option<String> {
        let mut bases: Vec<(String, usize)> = self.bases.into_iter().collect();
        bases.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        let (base, pages) = bases.first()?.clone();
        let others = self.addresses.saturating_sub(pages);
        // Versions and translations have the same pages.
        let is_only = bases.get(1).is_none_or(|(_, second)| second * 2 <= pages);
        (is_only && pages >= MIN_PAGES && others * MIN_PAGES_PER_OTHER <= pages).then_some(base)
    }
}

impl ProjectIndex for LearnedRoutes {
    fn build(project: &Project) -> Self {
        let mut votes: BTreeMap<(bool, String), Votes> = BTreeMap::new();
        let mut pictures = Votes::default();
        let Written { addresses, names } = Written::read(project.tree());
        for address in addresses {
            let is_file = !extension(&address).is_empty();
            let starts = std::iter::once(0).chain(address.match_indices('/').map(|(at, _)| at + 1));
            for start in starts.take(MAX_PREFIX_NAMES + 1) {
                let (prefix, rest) = (address[..start].trim_end_matches('/'), &address[start..]);
                let endings = if is_file { &[""][..] } else { &PAGE_ENDINGS };
                votes.entry((is_file, prefix.to_owned())).or_default().add(bases(project, rest, endings));
            }
        }
        for name in &names {
            pictures.add(bases(project, name, &[""]));
        }
        let mut learned = Self { pages: FxHashMap::default(), files: FxHashMap::default(), pictures: pictures.base() };
        for ((is_file, prefix), votes) in votes {
            let known = if is_file { &mut learned.files } else { &mut learned.pages };
            known.extend(votes.base().map(|base| (prefix, base)));
        }
        learned
    }
}

impl LearnedRoutes {
    /// Returns the paths that the page at an address without the slash in front can have, but for its ending, and a file with its ending:
    /// by the shortest known beginning first, which was learned from the most addresses.
    pub(crate) fn stems(&self, address: &str) -> Vec<String> {
        let address = address.trim_end_matches('/');
        let known = if extension(address).is_empty() { &self.pages } else { &self.files };
        let starts = std::iter::once(0).chain(address.match_indices('/').map(|(at, _)| at + 1));
        let bases = starts.take(MAX_PREFIX_NAMES + 1).filter_map(|start| {
            let base = known.get(address[..start].trim_end_matches('/'))?;
            Some(if base.is_empty() { address[start..].to_owned() } else { format!("{base}/{}", &address[start..]) })
        });
        bases.collect()
    }

    /// Returns the path of a picture that is named alone; `None` if it is not known where those are.
    pub(crate) fn picture(&self, name: &str) -> Option<String> {
        let directory = self.pictures.as_ref().filter(|_| is_picture(name) && !name.contains('/'))?;
        join(directory, name)
    }
}

fn is_picture(name: &str) -> bool {
    PICTURES.contains(&extension(name).as_str())
}

/// The directories from which an address leads to a file with one of these endings, or led to one that a commit moved since. A page that
/// moved with all that are beside it can keep its address by a redirection.
fn bases(project: &Project, rest: &str, endings: &[&str]) -> BTreeSet<String> {
    let moves = project.index::<FileMoves>();
    let mut found = BTreeSet::new();
    for ending in endings {
        let tail = format!("{rest}{ending}");
        let base = |path: &str| Some(path.strip_suffix(&tail)?.trim_end_matches('/').to_owned());
        found.extend(project.find_all_by_suffix(&tail, MAX_NAMESAKES).into_iter().filter_map(base));
        let earlier = moves.ending_with(&tail).filter(|_| ending.is_empty());
        found.extend(earlier.filter_map(|path| base(path)));
    }
    found
}

/// The names in the links of all documents.
#[derive(Default)]
struct Written {
    /// The different addresses, without the slash in front.
    addresses: BTreeSet<String>,
    /// The names of pictures that are not beside the document.
    names: BTreeSet<String>,
}

impl Written {
    fn read(tree: &dyn Tree) -> Self {
        let mut all = Self::default();
        let is_document = |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
        for path in tree.files().iter().filter(is_document) {
            let text = tree.read_shared(path).unwrap_or_default();
            if all.addresses.len() < MAX_ADDRESSES {
                let found = MARKS.iter().flat_map(|mark| written_behind(&text, mark));
                let found = found.map(|address| address.trim_end_matches('/'));
                all.addresses.extend(found.filter(|it| !it.is_empty() && !it.starts_with('/')).map(str::to_owned));
            }
            if all.names.len() < MAX_ADDRESSES {
                let found = PICTURE_MARKS.iter().flat_map(|mark| written_behind(&text, mark));
                let found = found.filter(|name| is_picture(name) && !name.contains(['/', '\\', ':']));
                let is_beside = |name: &&str| join(parent(path), name).is_some_and(|path| tree.kind(&path).is_some());
                all.names.extend(found.filter(|name| !is_beside(name)).map(str::to_owned));
            }
        }
        all
    }
}

/// The addresses behind a mark in a text.
fn written_behind<'t>(text: &'t str, mark: &'t str) -> impl Iterator<Item = &'t str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, ')' | '"' | '#' | '?' | '{' | '<' | '>');
    memmem::find_iter(text.as_bytes(), mark).filter_map(move |at| {
        let rest = head(&text[at + mark.len()..], MAX_ADDRESS_BYTES);
        rest.find(is_end).map(|end| &rest[..end])
    })
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

    #[test]
    fn learns_where_pictures_are() {
        let names = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
        let pictures = names.map(|name| format!("book/img/{name}.png\n")).concat();
        let links = names.map(|name| format!("![x](/_books/my/img/{name}.png) ![x]({name}.png) ")).concat();
        let tree =
            format!("{pictures}book/a.md = {links}\nbook/img/nine.png\nmoved book/old/nine.png book/img/nine.png");
        check(
            &tree,
            "book/b.md",
            "---\nx: 1\n---\n![a](/_books/my/img/one.png) ![b](two.png) ![c](/_books/my/old/nine.png) ![d](none.png)\n",
            "md.image /_books/my/img/one.png → book/img/one.png
             md.image two.png → book/img/two.png
             md.image /_books/my/old/nine.png → moved
             md.image none.png → unknown undecided",
        );
        // All of them moved at once.
        let renames = names.map(|name| format!("moved book/img/{name}.png book/pic/{name}.png\n")).concat();
        let later = names.map(|name| format!("book/pic/{name}.png\n")).concat();
        check(
            &format!("{later}book/a.md = {links}\n{renames}"),
            "book/b.md",
            "![a](/_books/my/img/one.png) ![b](/_books/my/pic/one.png)\n",
            "md.image /_books/my/img/one.png → moved\nmd.image /_books/my/pic/one.png → book/pic/one.png",
        );
    }
}
