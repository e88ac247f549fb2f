//! `Routes`: the names that pages of a project can have, in any way that generators make addresses from files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Site;
use crate::path::{extension, head, name};
use crate::tree::Tree;

/// Of each document only its head is read for other names: front matter is not longer than that.
const HEAD: usize = 8 << 10;

/// Names of pages, without what generators change: case, separators, a number in front, the extension.
pub(crate) struct Routes {
    /// For each plain name, the files and directories that have it.
    by_name: FxHashMap<String, Vec<u32>>,
    /// What front matter and configurations say that addresses end in.
    given: FxHashSet<String>,
}

impl Routes {
    pub(super) fn new(tree: &dyn Tree, sites: &[Site]) -> Self {
        let mut routes = Self { by_name: FxHashMap::default(), given: FxHashSet::default() };
        let mut seen = FxHashSet::default();
        for (index, path) in tree.files().iter().enumerate() {
            let index = index as u32;
            let mut add = |name: String| {
                let at = routes.by_name.entry(name).or_default();
                if at.last() != Some(&index) {
                    at.push(index);
                }
            };
            let last = name(path);
            add(plain(last));
            // `a.en.md` is a page `a` and a page `a.en`.
            for (at, _) in last.match_indices('.') {
                add(plain(&last[..at]));
            }
            for (at, _) in path.match_indices('/') {
                if seen.insert(&path[..at]) {
                    add(plain(name(&path[..at])));
                }
            }
        }
        for path in tree.files() {
            let last = name(path);
            if matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "rst" | "adoc" | "html") {
                if let Some(text) = tree.read(path) {
                    routes.add_head(stem(last), &text);
                }
            } else if says_routes(last) || sites.iter().any(|site| in_configuration(path, site)) {
                for word in words(&tree.read(path).unwrap_or_default()) {
                    routes.given.insert(word);
                }
            }
        }
        routes
    }

    /// Whether nothing in the project could make a page whose address ends in this name.
    pub(crate) fn is_unknown(&self, last: &str) -> bool {
        let plain = plain(last);
        !self.by_name.contains_key(&plain) && !self.given.contains(&plain)
    }

    /// Whether front matter or a configuration says a name.
    pub(crate) fn is_given(&self, last: &str) -> bool {
        self.given.contains(&plain(last))
    }

    /// The file, or a file in the directory, whose path ends in these segments, plainly.
    pub(crate) fn ends_in<'t>(&self, tree: &'t dyn Tree, path: &str) -> Option<&'t str> {
        let segments: Vec<String> = path.split('/').filter(|segment| !segment.is_empty()).map(plain).collect();
        let last = segments.last()?;
        let fits = |path: &str| {
            let mut own: Vec<String> = path.split('/').map(plain).collect();
            if let Some(file) = own.pop() {
                own.push(if file == *last { file } else { plain(stem(name(path))) });
            }
            own.windows(segments.len()).any(|window| window == segments.as_slice())
        };
        let mut files = self.by_name.get(last)?.iter().filter_map(|index| tree.files().get(*index as usize));
        files.find(|path| fits(path)).map(String::as_str)
    }

    /// Adds what a document's head says its address is, in the keys that generators know.
    fn add_head(&mut self, own: &str, text: &str) {
        const KEYS: [&str; 12] = [
            "slug",
            "id",
            "permalink",
            "alias",
            "aliases",
            "redirect_from",
            "redirects",
            "url",
            "path",
            "title",
            "route",
            "redirect",
        ];
        let own = plain(own);
        let Some(rest) = text.strip_prefix("---").or_else(|| text.strip_prefix("+++")) else { return };
        let mut in_list = false;
        for line in
            head(rest, HEAD).lines().skip(1).take_while(|line| !line.starts_with("---") && !line.starts_with("+++"))
        {
            let value = match line.trim_start().strip_prefix('-') {
                Some(item) if in_list => item,
                _ => {
                    let Some((key, value)) = line.split_once([':', '=']) else { continue };
                    in_list = KEYS.contains(&key.trim());
                    value
                }
            };
            // A page that is called what its file is called says nothing new.
            if in_list && (value.contains('/') || plain(value) != own) {
                self.given.insert(plain(value.trim()));
                self.given.extend(words(value));
            }
        }
    }
}

/// Whether a file is one that says where addresses lead, by its name.
fn says_routes(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "redirect",
        "sidebar",
        "netlify.toml",
        "vercel.json",
        "_config.yml",
        "mkdocs",
        "docs.json",
        "mint.json",
        "manifest.json",
    ]
    .iter()
    .any(|part| name.contains(part))
}

fn in_configuration(path: &str, site: &Site) -> bool {
    crate::path::parent(path) == site.directory
        && matches!(extension(path).as_str(), "js" | "ts" | "mjs" | "cjs" | "mts" | "json" | "yml" | "yaml" | "toml")
}

/// The last segments of everything in a text that could be an address.
fn words(text: &str) -> impl Iterator<Item = String> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | '[' | ']' | '(' | ')' | '{' | '}');
    text.split(is_end).filter(|word| !word.is_empty() && word.len() < 200).map(|word| {
        let word = word.split(['#', '?']).next().unwrap_or(word).trim_end_matches(['/', ':']);
        plain(stem(name(word)))
    })
}

/// The name without its extension, if that is one of a page.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() && ending.len() <= 8 => stem,
        _ => name,
    }
}

/// What generators leave of a name: small letters and digits, without a number in front that orders pages.
pub(crate) fn plain(name: &str) -> String {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = &name[digits..];
    let rest =
        if digits > 0 && rest.len() > 1 { rest.strip_prefix(['-', '_', '.', ' ']).unwrap_or(name) } else { name };
    rest.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Forest;

    #[test]
    fn names_of_pages() {
        let tree = Forest::new(
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
