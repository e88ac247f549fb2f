//! Addresses of pages whose files are numbered: a site orders its pages by numbers that it leaves out of their addresses.

use super::LinkChecker;
use pathfinder_literals::Kind;

/// Extensions of the sources of pages.
const PAGES: [&str; 3] = [".md", ".mdx", ".markdown"];

impl LinkChecker<'_> {
    /// The page or directory at an address without the numbers of files: `guide/setup` for `02_Guide/01-Setup.md`.
    pub(super) fn numbered(&self, address: &str) -> Option<String> {
        let tree = self.project.tree();
        let mut at = String::new();
        for segment in address.split('/') {
            let names = tree.names(&at);
            let plain = names.iter().find(|name| name.as_str() == segment);
            // `names` is sorted, so the first match is always the same page.
            let name = plain.or_else(|| names.iter().find(|name| is_numbered(name, segment)))?;
            if !at.is_empty() {
                at.push('/');
            }
            at.push_str(name);
        }
        tree.kind(&at).is_some_and(|kind| kind != Kind::Elsewhere).then_some(at)
    }
}

/// Returns whether a name is a number, a sign and another name, in any case and without the extension of a page.
fn is_numbered(name: &str, wanted: &str) -> bool {
    let rest = name.trim_start_matches(|c: char| c.is_ascii_digit());
    let title = rest.strip_prefix(['_', '-', '.']).filter(|_| rest.len() < name.len());
    let stem = |title: &str| PAGES.iter().find_map(|end| title.strip_suffix(end)).map(str::to_owned);
    title.is_some_and(|title| stem(title).as_deref().unwrap_or(title).eq_ignore_ascii_case(wanted))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn finds_numbered_pages() {
        let tree = "en/01_Start/02_Documentation.md\nen/02-Guide/03.models.mdx";
        let text = "[a](./documentation) [b](../guide/models) [c](./documentaton)\n";
        check(
            tree,
            "en/01_Start/01_Code.md",
            text,
            "md.link ./documentation → en/01_Start/02_Documentation.md
             md.link ../guide/models → en/02-Guide/03.models.mdx
             md.link ./documentaton → missing",
        );
    }
}
