//! Checks `MkDocs` configurations: the navigation, and the directories and files of a site.

use crate::data_report::{DataReport, PathRule};
use crate::documents::doc_sites::PAGE_PLUGINS;
use crate::yaml::kinds;
use pathfinder_literals::path::{has_scheme, join, parent, without_query};
use pathfinder_literals::{Lookup, Reason, Verdict, Want};
use pathfinder_syntax::data::yaml::read;
use pathfinder_syntax::data::{Node, Text};

/// Plugins that arrange pages differently from the tree.
const ARRANGING_PLUGINS: [&str; 6] = ["i18n", "static-i18n", "simple", "literate-nav", "awesome-nav", "awesome-pages"];
/// The longest chain of `INHERIT`; it also ends cycles.
const MAX_INHERIT_DEPTH: usize = 4;

/// Checks the navigation, assets and directories of a site.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    if root.entries().is_empty() {
        return;
    }
    let settings = MkDocsSettings::new(report, root);
    report.check_all(root, "INHERIT", PathRule::file(kinds::MKDOCS_INHERIT));
    report.check_all(root, "hooks", PathRule::file(kinds::MKDOCS_HOOKS));
    report.check_all(root, "docs_dir", PathRule::directory(kinds::MKDOCS_DOCS_DIR).warning());
    report.check_all(root, "theme.custom_dir", PathRule::directory(kinds::MKDOCS_CUSTOM_DIR));
    let Some(docs) = settings.docs.as_deref() else { return };
    let custom = settings.custom.as_deref();
    let bases: Vec<&str> = std::iter::once(docs).chain(custom).collect();
    for pattern in ["extra_css", "extra_javascript", "extra_javascript.path"] {
        for text in root.texts(pattern) {
            check_asset(report, text, &bases, settings.page_plugin);
        }
    }
    // It was called `pages` in older configurations.
    for nav in ["nav", "pages"].iter().filter_map(|key| root.get(key)) {
        visit_texts(nav, &mut |text| check_page(report, text, docs, settings.page_plugin));
    }
}

/// The settings that determine where pages are.
struct MkDocsSettings {
    docs: Option<String>,
    custom: Option<String>,
    /// A plugin that adds pages.
    page_plugin: Option<&'static str>,
}

impl MkDocsSettings {
    /// Reads the settings of a configuration and of those it inherits.
    fn new(report: &DataReport<'_>, root: &Node) -> Self {
        let mut settings = Self { docs: None, custom: None, page_plugin: None };
        let mut current = root.clone();
        let mut directory = report.here().to_owned();
        for _ in 0..MAX_INHERIT_DEPTH {
            for name in current.texts("plugins").chain(current.texts("plugins.@")) {
                let page_plugin = PAGE_PLUGINS.iter().chain(&ARRANGING_PLUGINS).find(|plugin| name.text == **plugin);
                settings.page_plugin = settings.page_plugin.or(page_plugin.copied());
            }
            let joined = |key: &str| current.at(key).and_then(Node::str).and_then(|path| join(&directory, path));
            settings.docs = settings.docs.take().or_else(|| joined("docs_dir"));
            settings.custom = settings.custom.take().or_else(|| joined("theme.custom_dir"));
            let Some(next) = current.get("INHERIT").and_then(Node::str).and_then(|path| join(&directory, path)) else {
                break;
            };
            let Some(text) = report.project.tree().read_shared(&next) else {
                // The inherited file could contain any setting.
                settings.page_plugin = settings.page_plugin.or(Some("INHERIT"));
                break;
            };
            parent(&next).clone_into(&mut directory);
            let Some(document) = read(&text).into_iter().next() else { break };
            current = document.into_owned();
        }
        settings.docs = settings.docs.or_else(|| join(report.here(), "docs"));
        // If a build creates the directory itself, none of its files are in the repository.
        settings.docs = settings.docs.filter(|docs| report.exists(docs));
        settings
    }
}

/// Visits the texts of a navigation in nested lists and titles.
fn visit_texts(node: &Node, each: &mut impl FnMut(&Text)) {
    match node {
        Node::Text(text) => each(text),
        Node::List(items) => items.iter().for_each(|item| visit_texts(item, each)),
        Node::Map(entries) => entries.iter().for_each(|(_, node)| visit_texts(node, each)),
        Node::Other(_) => {}
    }
}

/// Checks a page of the navigation: a file in the documents' directory.
fn check_page(report: &mut DataReport<'_>, text: &Text, docs: &str, page_plugin: Option<&'static str>) {
    let kind = kinds::MKDOCS_NAV;
    let path = without_query(text.text.trim());
    if path.is_empty() || path.contains('\n') {
        return;
    }
    // `!include` and `*` belong to plugins.
    if has_scheme(path) || path.starts_with(['/', '!', '#']) || path.contains('*') {
        return report.unknown(kind, text, Reason::Elsewhere);
    }
    let page = pathfinder_literals::path::extension(path);
    // A link to an address of the site is no page.
    if !matches!(page.as_str(), "md" | "markdown" | "ipynb" | "html" | "mdx" | "pdf" | "txt" | "yml" | "yaml" | "json")
    {
        return report.unknown(kind, text, Reason::Undecided("a link of the site".to_owned()));
    }
    let rule = PathRule::file(kind);
    if page == "html" || page == "pdf" {
        let exists = join(docs, path).is_some_and(|path| report.exists(&path));
        if !exists {
            return report.unknown(kind, text, Reason::Produced("the site".to_owned()));
        }
    }
    let answer =
        Lookup::new(report.project, Want::File).verdict(pathfinder_literals::Severity::Error, [join(docs, path)]);
    match (page_plugin, &answer.0) {
        (Some(by), Verdict::Missing(_)) => report.unknown(rule.kind, text, Reason::Produced(by.to_owned())),
        _ => report.add(rule.kind, text, answer),
    }
}

/// Checks a style sheet or script: in the documents or in the theme.
fn check_asset(report: &mut DataReport<'_>, text: &Text, bases: &[&str], page_plugin: Option<&'static str>) {
    let rule = PathRule::file(kinds::MKDOCS_EXTRA).warning();
    let cut = Text { text: without_query(&text.text).into(), range: text.range.clone() };
    let exists = bases.iter().filter_map(|base| join(base, &cut.text)).any(|path| report.exists(&path));
    match page_plugin.filter(|_| !exists) {
        Some(by) => report.unknown(rule.kind, text, Reason::Produced(by.to_owned())),
        None => report.check(&cut, rule, bases),
    }
}
