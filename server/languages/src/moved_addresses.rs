//! Checks addresses of pages in programs, templates, lists and front matter: `<a href="/docs/setup">`.
//!
//! Only the documents of a site are known to lead to its pages. Anywhere else a string that begins with a slash is an address by evidence
//! only: a page was there, by the roots of the project's sites or by where addresses of its documents lead, until a recent commit moved
//! it, and the string has stood there since before.

use std::ops::Range;

use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{
    Checked, LiteralKind, Lookup, Project, ProjectIndex, Resolution, Severity, Source, Target, Verdict, Want,
    keeps_address,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::documents::doc_sites::{DocSites, LearnedRoutes, PAGE_ENDINGS};

/// Longest address that is read; pages have shorter ones.
const MAX_ADDRESS_BYTES: usize = 200;
/// Addresses of one file that are looked up. A file with more is a list that a program writes.
const MAX_ADDRESSES: usize = 200;

/// The pages that recent commits moved.
#[derive(Default)]
struct MovedPages {
    /// Earlier and later paths.
    moves: FxHashMap<String, String>,
    /// Later paths.
    later: FxHashSet<String>,
    /// The last names of their addresses, before and after.
    names: FxHashSet<String>,
}

impl ProjectIndex for MovedPages {
    fn build(project: &Project) -> Self {
        let mut pages = Self::default();
        let is_page = |path: &str| matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
        for (from, moved) in project.tree().recent_moves() {
            if is_page(&from) && is_page(&moved.to) {
                pages.names.extend([&from, &moved.to].map(|path| last_name(path).to_owned()));
                pages.later.insert(moved.to.clone());
                pages.moves.insert(from, moved.to);
            }
        }
        pages
    }
}

/// The last name of a page's address.
fn last_name(path: &str) -> &str {
    let stem = name(path).split('.').next().unwrap_or_default();
    if matches!(stem, "index" | "_index" | "README" | "page") { name(parent(path)) } else { stem }
}

/// Adds the addresses in a part of a file that are those of moved pages, in place of what other rules leave open.
pub(crate) fn add(
    source: &Source<'_>,
    project: &Project,
    found: &mut Vec<Checked>,
    kind: LiteralKind,
    part: Range<usize>,
) {
    let pages = project.index::<MovedPages>();
    if pages.moves.is_empty() || is_vendored(source.path()) {
        return;
    }
    let text = source.text();
    let addresses = addresses(&text[part.clone()]).map(|range| range.start + part.start..range.end + part.start);
    let may_name = |range: &Range<usize>| pages.names.contains(name(plain(&text[range.clone()])));
    for address in addresses.filter(may_name).filter(|range| source.wants(range)).take(MAX_ADDRESSES) {
        let range = address.start + source.offset()..address.end + source.offset();
        let overlaps = |other: &Checked| other.range.start < range.end && range.start < other.range.end;
        let known = found.iter().position(overlaps);
        let is_open = |at: &usize| matches!(found[*at].verdict, Verdict::Unknown(_));
        if known.is_none_or(|at| is_open(&at))
            && let Some((verdict, tried)) = resolve(source, project, pages, &text[address])
        {
            if let Some(at) = known {
                found.remove(at);
            }
            found.push(Checked { kind, range, verdict, tried });
        }
    }
}

/// The verdict on an address; `None` if it is that of no page that moved.
fn resolve(source: &Source<'_>, project: &Project, pages: &MovedPages, written: &str) -> Option<Resolution> {
    let tree = project.tree();
    let paths = paths_of(project, plain(written));
    if let Some(path) = paths.iter().find(|path| tree.kind(path).is_some()) {
        return pages.later.contains(path).then(|| (Verdict::Found(Target { path: path.clone() }), Vec::new()));
    }
    let (from, to) = paths.iter().find_map(|path| pages.moves.get_key_value(path))?;
    let is_as_old = tree.had_text_at_origin(source.path(), from, written) == Some(true);
    let is_left = is_as_old && !keeps_address(project, source.path(), (from, to), written);
    is_left.then(|| Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(from.clone())]))
}

/// The verdict on an address in a document, if its page moved and does not keep it.
pub(crate) fn follow(source: &Source<'_>, project: &Project, written: &str) -> Option<Resolution> {
    let pages = project.index::<MovedPages>();
    let may_name = pages.names.contains(name(plain(written)));
    may_name
        .then(|| resolve(source, project, pages, written))
        .flatten()
        .filter(|(verdict, _)| matches!(verdict, Verdict::Missing(_)))
}

/// The paths that the page at an address can have: below the roots of sites, and where other addresses lead.
fn paths_of(project: &Project, address: &str) -> Vec<String> {
    let sites = project.index::<DocSites>().all(project.tree());
    let roots = sites.iter().flat_map(|site| site.roots.iter().map(String::as_str)).chain([""]);
    let stems = roots.filter_map(|root| join(root, address)).chain(project.index::<LearnedRoutes>().stems(address));
    stems.flat_map(|stem| PAGE_ENDINGS.map(|ending| format!("{stem}{ending}"))).collect()
}

/// The path of an address, without the slashes around it.
fn plain(written: &str) -> &str {
    written.split(['#', '?']).next().unwrap_or(written).trim_matches('/')
}

/// The byte ranges of strings that begin with a slash and have two names.
fn addresses(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '~' | '#' | '?' | '=');
    memchr::memchr_iter(b'/', text.as_bytes()).filter_map(move |at| {
        let quote = text[..at].chars().next_back()?;
        let rest = pathfinder_literals::path::head(&text[at..], MAX_ADDRESS_BYTES);
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let after = rest[end..].chars().next();
        let is_value = match quote {
            '"' | '\'' | '`' => after == Some(quote),
            // A value of YAML and of front matter.
            ' ' => text[..at - 1].ends_with([':', '-']) && after.is_none_or(|c| matches!(c, '\n' | '\r')),
            _ => false,
        };
        (is_value && plain(&rest[..end]).contains('/')).then_some(at..at + end)
    })
}

#[cfg(test)]
mod tests {
    use super::addresses;
    use crate::testing::check;

    #[test]
    fn finds_addresses() {
        let find = |text: &str| addresses(text).map(|range| text[range].to_owned()).collect::<Vec<_>>().join(" ");
        assert_eq!(find("<a href=\"/a/b\"> '/c/d#e' \"/x\" \"a/b\" `/f/${g}`"), "/a/b /c/d#e");
        assert_eq!(find("link: /a/b\n- /c/d/\nx /e/f\n"), "/a/b /c/d/");
    }

    #[test]
    fn follows_pages_that_moved() {
        let tree = "docusaurus.config.js\ndocs/guides/setup.md\nmoved docs/start/setup.md docs/guides/setup.md";
        let text = "<a href=\"/docs/start/setup\" to='/docs/guides/setup' src=\"/docs/start/none\" />;\n";
        check(
            tree,
            "src/a.tsx",
            text,
            "code.address /docs/start/setup → moved\ncode.address /docs/guides/setup → docs/guides/setup.md",
        );
    }
}
