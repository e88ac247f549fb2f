//! The directories in which Docusaurus keeps versions and translations of its documents.

use pathfinder_literals::path::{name, parent, sibling_path};
use pathfinder_literals::{Kind, Tree};

/// Returns the directory of a document's version and language, from which a path from the root of the site is looked up first;
/// `None` for a document of the newest version in the original language.
pub(crate) fn edition(document: &str) -> Option<&str> {
    let mut segments = segments(document);
    let is_translated = |at: usize| document[..at].split('/').rev().nth(1) == Some("i18n");
    while let Some((at, segment)) = segments.next() {
        if segment.ends_with("versioned_docs") {
            let (at, version) = segments.next().filter(|(_, next)| next.starts_with("version-"))?;
            return Some(&document[..at + version.len()]);
        }
        if segment.starts_with(PLUGIN) && is_translated(at.saturating_sub(1)) {
            let (below, version) = segments.next()?;
            let has_version = version == "current" || version.starts_with("version-");
            return Some(if has_version {
                &document[..below + version.len()]
            } else {
                &document[..at + segment.len()]
            });
        }
    }
    None
}

/// Returns the path of a translated document in the original language.
pub(crate) fn untranslated(path: &str) -> Option<String> {
    let (above, rest) = match path.strip_prefix("i18n/") {
        Some(rest) => ("", rest),
        None => path.split_at_checked(path.find("/i18n/")? + 1).map(|(above, rest)| (above, &rest["i18n/".len()..]))?,
    };
    let (_locale, rest) = rest.split_once('/')?;
    let (plugin, rest) = rest.strip_prefix(PLUGIN)?.split_once('/')?;
    let (content, id) = plugin.split_once('-').map_or((plugin, None), |(content, id)| (content, Some(id)));
    Some(match content {
        "docs" => match rest.strip_prefix("current") {
            Some(rest) => format!("{above}{}{rest}", id.unwrap_or("docs")),
            None => format!("{above}{}versioned_docs/{rest}", id.map(|id| format!("{id}_")).unwrap_or_default()),
        },
        "pages" => format!("{above}src/pages/{rest}"),
        _ => format!("{above}{}/{rest}", id.unwrap_or(content)),
    })
}

/// The document that a version lacks, in the last version before it that has it, or else in any other. The first Docusaurus keeps only what
/// changed in a version. The path may lack its ending.
pub(crate) fn in_other_version(tree: &dyn Tree, path: &str) -> Option<String> {
    let own = edition(path)?;
    let versions = parent(own);
    tree.kind(&sibling_path(versions, "siteConfig.js"))?;
    let there = |version: &str| {
        let path = format!("{versions}/{version}{}", &path[own.len()..]);
        let ended = ["", ".md", ".mdx"].into_iter().map(|ending| format!("{path}{ending}"));
        ended.into_iter().find(|path| tree.kind(path) == Some(Kind::File))
    };
    let names = tree.names(versions);
    let (before, after): (Vec<&String>, Vec<&String>) = names.iter().partition(|version| version.as_str() < name(own));
    before.into_iter().rev().chain(after).find_map(|version| there(version))
}

/// The prefix of a plugin's name, which is that of its directory of translations.
const PLUGIN: &str = "docusaurus-plugin-content-";

/// The segments of a path with the bytes at which they begin.
fn segments(path: &str) -> impl Iterator<Item = (usize, &str)> {
    path.split('/').scan(0, |at, segment| {
        let begin = *at;
        *at += segment.len() + 1;
        Some((begin, segment))
    })
}

#[cfg(test)]
mod tests {
    use super::{edition, untranslated};
    use crate::testing::check;

    #[test]
    fn finds_versions_and_translations() {
        let check_path = |path: &str, own: Option<&str>, original: Option<&str>| {
            assert_eq!((edition(path), untranslated(path).as_deref()), (own, original), "{path}");
        };
        check_path("docs/a.md", None, None);
        check_path("versioned_docs/version-2/b/a.md", Some("versioned_docs/version-2"), None);
        check_path("w/api_versioned_docs/version-2/a.md", Some("w/api_versioned_docs/version-2"), None);
        let docs = "i18n/uk/docusaurus-plugin-content-docs";
        let (own, path) = (format!("{docs}/current"), format!("{docs}/current/b/a.md"));
        check_path(&path, Some(&own), Some("docs/b/a.md"));
        check_path(&format!("w/{path}"), Some(&format!("w/{own}")), Some("w/docs/b/a.md"));
        let (own, path) = (format!("{docs}-community/current"), format!("{docs}-community/current/a.md"));
        check_path(&path, Some(&own), Some("community/a.md"));
        let (own, path) = (format!("{docs}/version-3"), format!("{docs}/version-3/a.md"));
        check_path(&path, Some(&own), Some("versioned_docs/version-3/a.md"));
        let blog = "i18n/uk/docusaurus-plugin-content-blog";
        check_path(&format!("{blog}/a.md"), Some(blog), Some("blog/a.md"));
        check_path(
            "i18n/uk/docusaurus-plugin-content-pages/a.md",
            Some("i18n/uk/docusaurus-plugin-content-pages"),
            Some("src/pages/a.md"),
        );
        check_path("docusaurus-plugin-content-docs/src/a.md", None, None);
        check_path("i18n/uk/code.json", None, None);
    }

    #[test]
    fn resolves_links_of_versions_and_translations() {
        let first = "web/siteConfig.js\nweb/core/Footer.js\nweb/versioned_docs/version-1/a.md";
        let links = "[a](a.md) [z](z.md)\n";
        let expect = "md.link a.md → web/versioned_docs/version-1/a.md\nmd.link z.md → missing";
        check(first, "web/versioned_docs/version-2/b.md", links, expect);
        // A version and a translation come before the newest documents; what is not translated is read in the original language.
        let versions = "docusaurus.config.js = path: 'community'\ndocs/a.md = # New\nversioned_docs/version-3/a.md = # Old\ncommunity/c.md";
        let links = "[a](/a.md#old) [b](/a.md#new)\n";
        check(
            versions,
            "versioned_docs/version-3/b/d.md",
            links,
            "md.link /a.md#old → versioned_docs/version-3/a.md\nmd.link /a.md#new → missing-anchor",
        );
        check(
            versions,
            "i18n/uk/docusaurus-plugin-content-docs-community/current/d.md",
            "[c](c.md) [z](z.md)\n",
            "md.link c.md → community/c.md\nmd.link z.md → missing",
        );
    }
}
