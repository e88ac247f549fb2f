//! `Routes`: the last segments that addresses of pages can have, by all rules by which generators derive them from files.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{DocSite, Generator};
use pathfinder_literals::Tree;
use pathfinder_literals::path::{extension, head, name, parent};
use pathfinder_literals::typo::{TypoIndex, is_typo};

/// Number of bytes of a document that are searched for front matter, which is not longer.
const FRONT_MATTER_BYTES: usize = 8 << 10;

/// Most lines with a name that are compared with their files as they were. A name of more is no address of one page.
const MAX_DECLARATIONS: usize = 64;

/// Names of pages, normalised by [`normalize_name`]: generators change case, separators, a leading number and the extension.
#[derive(Default)]
pub(crate) struct Routes {
    /// Indexes of files by the plain names of the file and its directories.
    by_name: FxHashMap<String, Vec<u32>>,
    /// Indexes of the files whose front matter or configuration declares a plain name, by that name.
    declared: FxHashMap<String, Vec<u32>>,
    /// Beginnings of the addresses that a redirection of many covers: `/old/` of `/old/:path*`.
    patterns: FxHashSet<String>,
    /// The names of `by_name`, to be found with a typo.
    typos: OnceLock<(Vec<String>, TypoIndex)>,
}

impl Routes {
    pub(super) fn new(tree: &dyn Tree, sites: &[DocSite]) -> Self {
        let mut routes = Self::default();
        let mut seen = FxHashSet::default();
        let titles = sites.iter().any(|site| site.generator == Generator::Hugo);
        for (index, path) in tree.files().iter().enumerate() {
            let index = index as u32;
            let mut add = |name: String| {
                let at = routes.by_name.entry(name).or_default();
                if at.last() != Some(&index) {
                    at.push(index);
                }
            };
            let last = name(path);
            add(normalize_name(last));
            // `a.en.md` is both a page `a` and a page `a.en`.
            for (at, _) in last.match_indices('.') {
                add(normalize_name(&last[..at]));
            }
            for (at, _) in path.match_indices('/') {
                if seen.insert(&path[..at]) {
                    add(normalize_name(name(&path[..at])));
                }
            }
        }
        for (index, path) in tree.files().iter().enumerate() {
            let (index, last) = (index as u32, name(path));
            if is_page(path) {
                if let Some(text) = tree.read_shared(path) {
                    routes.add_front_matter(index, stem(last), &text, titles);
                }
            } else if declares_routes(last) || sites.iter().any(|site| is_site_configuration(path, site)) {
                let text = tree.read_shared(path).unwrap_or_default();
                for word in address_words(&text) {
                    routes.patterns.extend(pattern_start(word));
                    routes.declare(normalize_name(stem(name(word))), index);
                }
            }
        }
        routes
    }

    /// Returns the path that the only page would have whose address is this one but for a typo in one name.
    pub(crate) fn mistyped_page(&self, tree: &dyn Tree, address: &str) -> Option<String> {
        let segments: Vec<&str> = address.split('/').filter(|segment| !segment.is_empty()).collect();
        let mut unknown = segments.iter().enumerate().filter(|(_, segment)| self.is_unknown(segment));
        let ((at, written), None) = (unknown.next()?, unknown.next()) else { return None };
        let plain = normalize_name(written);
        let (names, index) = self.typos.get_or_init(|| {
            let mut names: Vec<String> = self.by_name.keys().cloned().collect();
            names.sort_unstable();
            let index = TypoIndex::new(names.iter().map(String::as_str));
            (names, index)
        });
        let near = index.candidates(&plain).into_iter().filter_map(|at| names.get(at));
        let pages = near.filter(|name| is_typo(&plain, name)).filter_map(|name| {
            let corrected: Vec<&str> =
                segments.iter().enumerate().map(|(i, it)| if i == at { name } else { *it }).collect();
            // One name alone can be that of any directory.
            let is_told = segments.len() > 1 || self.by_name.get(name).is_some_and(|files| files.len() == 1);
            let page = self.ends_in(tree, &corrected.join("/")).filter(|_| is_told)?;
            with_name(page, name, written)
        });
        let mut pages = pages.take(2);
        let page = pages.next()?;
        pages.next().is_none().then_some(page)
    }

    /// Returns whether no page of the project can have an address that ends in this name.
    pub(crate) fn is_unknown(&self, last: &str) -> bool {
        let plain = normalize_name(last);
        !self.by_name.contains_key(&plain) && !self.declared.contains_key(&plain)
    }

    /// Returns whether front matter or a configuration declares a name.
    pub(crate) fn is_declared(&self, last: &str) -> bool {
        self.declared.contains_key(&normalize_name(last))
    }

    /// Returns the configurations that declare an address, each with its lines that can be the declaration; `None` if a page declares it,
    /// which has it wherever it lies, or a redirection of many addresses covers it.
    pub(crate) fn declarations(&self, tree: &dyn Tree, address: &str) -> Option<Vec<(String, String)>> {
        let plain = normalize_name(stem(name(address)));
        let mut starts = address.match_indices('/').map(|(at, _)| &address[..at]);
        if starts.any(|start| self.patterns.contains(start.trim_matches('/'))) {
            return None;
        }
        let files = self.declared.get(&plain).map_or(&[][..], Vec::as_slice);
        let paths = files.iter().filter_map(|index| tree.files().get(*index as usize));
        let declares = |word: &str| normalize_name(stem(name(word))) == plain && end_alike(word, address);
        let mut found = Vec::new();
        for path in paths {
            let text = tree.read_shared(path).unwrap_or_default();
            // A name alone is one beside the page, or beside the directory that it is the index of.
            let is_beside = || [parent(path), parent(parent(path))].iter().any(|at| end_alike(at, parent(address)));
            let is_its =
                |value: &str| address_words(value).any(|word| declares(word) && (word.contains('/') || is_beside()));
            if found.len() > MAX_DECLARATIONS || is_page(path) && declared_values(&text, true).any(is_its) {
                return None;
            }
            let lines = text.lines().map(str::trim).filter(|line| !is_page(path) && address_words(line).any(declares));
            found.extend(lines.take(MAX_DECLARATIONS + 1).map(|line| (path.clone(), line.to_owned())));
        }
        (found.len() <= MAX_DECLARATIONS).then_some(found)
    }

    fn declare(&mut self, name: String, file: u32) {
        let files = self.declared.entry(name).or_default();
        if files.last() != Some(&file) {
            files.push(file);
        }
    }

    /// Returns a file whose path, or that of a directory above it, ends in these segments after normalisation.
    pub(crate) fn ends_in<'t>(&self, tree: &'t dyn Tree, path: &str) -> Option<&'t str> {
        let segments: Vec<String> = path.split('/').filter(|segment| !segment.is_empty()).map(normalize_name).collect();
        let last = segments.last()?;
        let fits = |path: &str| {
            let mut own: Vec<String> = path.split('/').map(normalize_name).collect();
            if let Some(file) = own.pop() {
                own.push(if file == *last { file } else { normalize_name(stem(name(path))) });
            }
            own.windows(segments.len()).any(|window| window == segments.as_slice())
        };
        let mut files = self.by_name.get(last)?.iter().filter_map(|index| tree.files().get(*index as usize));
        files.find(|path| fits(path)).map(String::as_str)
    }

    /// Adds the addresses that the front matter of a document declares.
    fn add_front_matter(&mut self, file: u32, own: &str, text: &str, titles: bool) {
        let own = normalize_name(own);
        for value in declared_values(text, titles) {
            // Skips a declared name that equals the name of the file.
            if value.contains('/') || normalize_name(value) != own {
                self.declare(normalize_name(value.trim()), file);
                address_words(value).for_each(|word| self.declare(normalize_name(stem(name(word))), file));
            }
        }
    }
}

/// The values of the front matter of a document that can declare addresses.
fn declared_values(text: &str, titles: bool) -> impl Iterator<Item = &str> {
    const KEYS: [&str; 11] = [
        "slug",
        "id",
        "permalink",
        "alias",
        "aliases",
        "redirect_from",
        "redirects",
        "url",
        "path",
        "route",
        "redirect",
    ];
    let rest = text.strip_prefix("---").or_else(|| text.strip_prefix("+++")).unwrap_or_default();
    let lines = head(rest, FRONT_MATTER_BYTES).lines().skip(1);
    let mut in_list = false;
    // A list in brackets can go on over lines.
    let mut in_brackets = false;
    lines.take_while(|line| !line.starts_with("---") && !line.starts_with("+++")).filter_map(move |line| {
        if let Some(item) = line.trim_start().strip_prefix('-').filter(|_| in_list) {
            return Some(item);
        }
        if in_brackets {
            in_brackets = !line.contains(']');
            return in_list.then_some(line);
        }
        let (key, value) = line.split_once([':', '='])?;
        in_brackets = value.trim_start().starts_with('[') && !value.contains(']');
        // Only Hugo makes addresses from titles.
        in_list = KEYS.contains(&key.trim()) || titles && key.trim() == "title";
        in_list.then_some(value)
    })
}

/// A path with another name in place of its last one of these letters and digits, between the number that orders it and its ending.
fn with_name(path: &str, plain: &str, name: &str) -> Option<String> {
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    let last = parts.len() - 1;
    let at = (0..parts.len())
        .rev()
        .find(|at| normalize_name(&parts[*at]) == plain || *at == last && normalize_name(stem(&parts[*at])) == plain)?;
    let old = std::mem::take(&mut parts[at]);
    let digits = old.len() - old.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = if digits > 0 && old[digits..].starts_with(['-', '_', '.', ' ']) { &old[..=digits] } else { "" };
    let ending = if at == last { &old[stem(&old).len()..] } else { "" };
    parts[at] = format!("{number}{name}{ending}");
    Some(parts.join("/"))
}

/// Returns whether two addresses have the same names, from their ends up to where the shorter begins.
fn end_alike(one: &str, other: &str) -> bool {
    fn names(address: &str) -> impl Iterator<Item = String> {
        address.rsplit('/').map(|name| normalize_name(stem(name))).filter(|name| !name.is_empty())
    }
    names(one).zip(names(other)).all(|(one, other)| one == other)
}

/// Returns whether a file is a document, whose front matter can declare addresses.
fn is_page(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "rst" | "adoc" | "html")
}

/// Returns whether a file declares routes or redirects, by its name.
fn declares_routes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "redirect",
        "sidebar",
        ".htaccess",
        "caddyfile",
        "firebase.json",
        "netlify.toml",
        "nginx",
        "staticwebapp.config.json",
        "vercel.json",
        "web.config",
        "_config.yml",
        "mkdocs",
        "docs.json",
        "mint.json",
        "manifest.json",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// Returns whether a file is a configuration beside that of the site.
fn is_site_configuration(path: &str, site: &DocSite) -> bool {
    parent(path) == site.directory
        && matches!(extension(path).as_str(), "js" | "ts" | "mjs" | "cjs" | "mts" | "json" | "yml" | "yaml" | "toml")
}

/// Everything in a text that could be an address.
fn address_words(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '[' | ']' | '(' | ')' | '{' | '}');
    text.split(is_end)
        .filter(|word| !word.is_empty() && word.len() < 200)
        .map(|word| word.split(['#', '?']).next().unwrap_or(word).trim_end_matches(['/', ':']))
}

/// The beginning of the addresses that a pattern of redirections matches, without slashes around it; `None` for a single address, and for
/// one of any.
fn pattern_start(word: &str) -> Option<String> {
    let at = ["/:", "/*", "/{", "/(", "/["].iter().filter_map(|mark| word.find(mark)).min()?;
    let start = word[..at].trim_matches('/');
    (!start.is_empty() && !start.contains(':')).then(|| start.to_owned())
}

/// Returns a name without its extension, if that can be the extension of a page.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.len() <= 8 => stem,
        _ => name,
    }
}

/// Normalises a name as generators do: lower-case letters and digits, without a leading number that orders pages.
pub(crate) fn normalize_name(name: &str) -> String {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &name[digits..];
    let rest =
        if digits > 0 && rest.len() > 1 { rest.strip_prefix(['-', '_', '.', ' ']).unwrap_or(name) } else { name };
    rest.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::MemoryTree;

    #[test]
    fn tells_declarations_of_an_address() {
        let tree = MemoryTree::new(
            "docs/api/keys/index.md = ---\\nid: tokens\\n---\\n\ndocs/b.md = ---\\nslug: /c/keys\\n---\\n\n_redirects = /old/page /a 301 /was/here/:path* /b",
        );
        let routes = Routes::new(&tree, &[]);
        let check = |address: &str, expect: Option<usize>| {
            assert_eq!(routes.declarations(&tree, address).map(|all| all.len()), expect, "{address}");
        };
        check("/api/tokens", None);
        check("/api/keys/tokens", None);
        check("/cache/develop/tokens", Some(0));
        check("/docs/c/keys", None);
        check("/d/keys", Some(0));
        check("/old/page", Some(1));
        check("/older/page", Some(0));
        check("/was/here/keys/tokens", None);
    }

    #[test]
    fn finds_pages_with_a_typo() {
        let tree =
            MemoryTree::new("docs/02-core/03-Identity/04-roles.md\ndocs/02-core/index.md\ndocs/09-governance/a.md");
        let routes = Routes::new(&tree, &[]);
        let check = |address: &str, expect: Option<&str>| {
            assert_eq!(routes.mistyped_page(&tree, address).as_deref(), expect, "{address}");
        };
        check("core/identity/roes", Some("docs/02-core/03-Identity/04-roes.md"));
        check("/core/idntity/roles/", Some("docs/02-core/03-idntity/04-roles.md"));
        check("/goverance", Some("docs/09-goverance/a.md"));
        check("/core/none", None);
        check("/core/identity/roles", None);
        check("/other/roes", None);
    }

    #[test]
    fn recognises_routes() {
        let tree = MemoryTree::new(
            "docs/01-Getting Started.md = ---\\nslug: /begin/here\\n---\\n\ndocs/a/_index.md\n_redirects = /old-page /a 301",
        );
        let routes = Routes::new(&tree, &[]);
        for known in ["getting-started", "here", "a", "old-page"] {
            assert!(!routes.is_unknown(known), "{known}");
        }
        assert!(routes.is_unknown("elsewhere"));
        assert_eq!(routes.ends_in(&tree, "docs/getting-started"), Some("docs/01-Getting Started.md"));
        assert_eq!(routes.ends_in(&tree, "/docs/a/"), Some("docs/a/_index.md"));
        assert_eq!(routes.ends_in(&tree, "guide/getting-started"), None);
    }
}
