//! `Routes`: the last segments that addresses of pages can have, by all rules by which generators derive them from files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{DocSite, Generator};
use pathfinder_literals::Tree;
use pathfinder_literals::path::{extension, head, name};

/// Number of bytes of a document that are searched for front matter, which is not longer.
const FRONT_MATTER_BYTES: usize = 8 << 10;

/// Most lines with a name that are compared with their files as they were. A name of more is no address of one page.
const MAX_DECLARATIONS: usize = 64;

/// Names of pages, normalised by [`normalize_name`]: generators change case, separators, a leading number and the extension.
pub(crate) struct Routes {
    /// Indexes of files by the plain names of the file and its directories.
    by_name: FxHashMap<String, Vec<u32>>,
    /// Indexes of the files whose front matter or configuration declares a plain name, by that name.
    declared: FxHashMap<String, Vec<u32>>,
}

impl Routes {
    pub(super) fn new(tree: &dyn Tree, sites: &[DocSite]) -> Self {
        let mut routes = Self { by_name: FxHashMap::default(), declared: FxHashMap::default() };
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
                for word in address_names(&tree.read_shared(path).unwrap_or_default()) {
                    routes.declare(word, index);
                }
            }
        }
        routes
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

    /// Returns the configurations that declare a name, each with its lines that can be the declaration; `None` if a page declares the name,
    /// which it has wherever it lies.
    pub(crate) fn declarations(&self, tree: &dyn Tree, last: &str) -> Option<Vec<(String, String)>> {
        let plain = normalize_name(stem(last));
        let files = self.declared.get(&plain).map_or(&[][..], Vec::as_slice);
        let paths = files.iter().filter_map(|index| tree.files().get(*index as usize));
        let mut found = Vec::new();
        for path in paths {
            if is_page(path) || found.len() > MAX_DECLARATIONS {
                return None;
            }
            let text = tree.read_shared(path).unwrap_or_default();
            let lines = text.lines().map(str::trim).filter(|line| address_names(line).any(|name| name == plain));
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
        let own = normalize_name(own);
        let Some(rest) = text.strip_prefix("---").or_else(|| text.strip_prefix("+++")) else { return };
        let mut in_list = false;
        for line in head(rest, FRONT_MATTER_BYTES)
            .lines()
            .skip(1)
            .take_while(|line| !line.starts_with("---") && !line.starts_with("+++"))
        {
            let value = match line.trim_start().strip_prefix('-') {
                Some(item) if in_list => item,
                _ => {
                    let Some((key, value)) = line.split_once([':', '=']) else { continue };
                    // Only Hugo makes addresses from titles.
                    in_list = KEYS.contains(&key.trim()) || (titles && key.trim() == "title");
                    value
                }
            };
            // Skips a declared name that equals the name of the file.
            if in_list && (value.contains('/') || normalize_name(value) != own) {
                self.declare(normalize_name(value.trim()), file);
                address_names(value).for_each(|name| self.declare(name, file));
            }
        }
    }
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
    pathfinder_literals::path::parent(path) == site.directory
        && matches!(extension(path).as_str(), "js" | "ts" | "mjs" | "cjs" | "mts" | "json" | "yml" | "yaml" | "toml")
}

/// Returns the plain last segments of everything in a text that could be an address.
fn address_names(text: &str) -> impl Iterator<Item = String> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '[' | ']' | '(' | ')' | '{' | '}');
    text.split(is_end).filter(|word| !word.is_empty() && word.len() < 200).map(|word| {
        let word = word.split(['#', '?']).next().unwrap_or(word).trim_end_matches(['/', ':']);
        normalize_name(stem(name(word)))
    })
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
