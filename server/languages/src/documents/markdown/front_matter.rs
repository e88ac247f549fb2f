//! Checks front matter: images of a page, its links to other pages, and its layout in a Jekyll site.

use super::classify::{has_extension, is_test_data};
use super::link_checker::LinkChecker;
use crate::documents::doc_sites::{DocSites, Generator};
use crate::documents::markdown::kinds;
use crate::moved_addresses;
use crate::path_words;
use pathfinder_literals::path::{extension, is_dynamic, join};
use pathfinder_literals::report::{is_vendored, severity_in};
use pathfinder_literals::{Checked, Lookup, Project, Severity, Source, Verdict, Want};
use pathfinder_syntax::data::yaml::read;
use pathfinder_syntax::data::{Node, Text};

/// Front matter is shorter; a longer block is none.
const MAX_FRONT_MATTER_BYTES: usize = 32 << 10;

/// Key of links in `VitePress`, Jekyll's themes and others.
const LINK_KEY: &str = "link";
/// The key as it stands in front matter.
const LINK_MARK: &str = "link:";
/// Keys of images in the usual themes.
const IMAGE_KEYS: [&str; 14] = [
    "image",
    "image.path",
    "image.src",
    "image.url",
    "images",
    "cover",
    "cover.image",
    "cover.src",
    "thumbnail",
    "og_image",
    "ogImage",
    "banner",
    "hero.image",
    "hero.image.file",
];

/// The front matter of a text, and the byte at which it begins.
fn front_matter(text: &str) -> Option<(usize, &str)> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let end = pathfinder_literals::path::head(rest, MAX_FRONT_MATTER_BYTES).find("\n---")?;
    Some((text.len() - rest.len(), &rest[..=end]))
}

/// Checks the addresses of pages that moved in the front matter of a page, whatever their keys.
pub(super) fn check_addresses(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    if let Some((at, front)) = front_matter(source.text()) {
        moved_addresses::add(source, project, found, kinds::FRONT_LINK, at..at + front.len());
    }
}

/// Checks the paths of files that moved in the front matter of a page, whatever their keys: `sass: scss/_slider.scss`.
pub(super) fn check_moved(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    if is_test_data(source.path()) || is_vendored(source.path()) {
        return;
    }
    if let Some((at, front)) = front_matter(source.text()) {
        // The value of a key or an item of a list.
        let values = front.lines().filter_map(|line| {
            let value = line.trim_start().trim_start_matches("- ");
            let value = value.split_once(": ").map_or(value, |(_, value)| value).trim();
            let start = at + value.as_ptr() as usize - front.as_ptr() as usize;
            (value.contains('/') && !value.contains(' ')).then(|| start..start + value.len())
        });
        path_words::check_moved_in(source, project, kinds::STRING, values, found);
    }
}

/// Checks the images and links in the front matter of a page. A bare file name is skipped: the theme decides its directory.
pub(super) fn check_files(checker: &mut LinkChecker<'_>, text: &str) {
    let Some((at, front)) = front_matter(text) else { return };
    let has_link = front.contains(LINK_MARK);
    if !has_link && !IMAGE_KEYS.iter().any(|key| front.contains(key.split('.').next().unwrap_or(key))) {
        return;
    }
    let Some(root) = read(front).into_iter().next() else { return };
    for Text { text: destination, range } in has_link.then(|| links_of(&root)).into_iter().flatten() {
        let is_page = destination.starts_with(['/', '.']) && !destination.starts_with("//") && destination.len() > 1;
        if is_page && front.get(range.clone()) == Some(destination.as_ref()) {
            checker.check_link(kinds::FRONT_LINK, at + range.start..at + range.end, destination);
        }
    }
    for key in IMAGE_KEYS {
        for image in root.texts(key) {
            let Text { text: destination, range } = image;
            let is_explicit =
                destination.starts_with("./") || destination.starts_with("../") || destination.starts_with('/');
            if is_explicit && is_image(destination) && front.get(range.clone()) == Some(destination.as_ref()) {
                checker.check_link(kinds::FRONT_IMAGE, at + range.start..at + range.end, destination);
            }
        }
    }
}

/// The links of a page's cards, buttons and neighbours: the values of each key `link`, in order.
fn links_of<'n, 't>(root: &'n Node<'t>) -> Vec<&'n Text<'t>> {
    let mut found = Vec::new();
    let mut rest = vec![root];
    while let Some(node) = rest.pop() {
        if let Node::List(items) = node {
            rest.extend(items);
        }
        for (key, value) in node.entries() {
            found.extend(value.text().filter(|_| key.text == LINK_KEY));
            rest.push(value);
        }
    }
    found.sort_by_key(|text| text.range.start);
    found
}

/// Returns whether a path has the extension of an image.
fn is_image(path: &str) -> bool {
    const EXTENSIONS: [&str; 8] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico"];
    EXTENSIONS.contains(&extension(path).as_str())
}

/// Checks the layout of a Jekyll page, if the site has layouts of its own and no theme.
pub(crate) fn check_layout(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    /// Layouts that Jekyll's themes provide by default.
    const DEFAULTS: [&str; 8] = ["default", "home", "page", "post", "none", "null", "nil", "false"];
    let Some((at, front)) = front_matter(source.text()).filter(|(_, front)| front.contains("layout")) else { return };
    let tree = project.tree();
    let sites = project.index::<DocSites>().containing(tree, source.path());
    let Some(site) = sites.first().filter(|site| site.generator == Generator::Jekyll) else { return };
    let Some(root) = read(front).into_iter().next() else { return };
    let Some(Text { text: name, range }) = root.get("layout").and_then(Node::text) else { return };
    if name.is_empty() || is_dynamic(name) || front.get(range.clone()) != Some(name.as_ref()) {
        return;
    }
    let Some(directory) = join(&site.directory, "_layouts") else { return };
    let named = |file: &String| file.strip_prefix(name.as_ref()).is_some_and(|rest| rest.starts_with('.'));
    let file = (!name.contains('/')).then(|| tree.names(&directory).iter().find(|file| named(file)).cloned()).flatten();
    let file =
        file.unwrap_or_else(|| if has_extension(name) { name.clone().into_owned() } else { format!("{name}.html") });
    let path = join(&directory, &file);
    let is_there = path.as_deref().is_some_and(|path| tree.kind(path).is_some());
    if !is_there && (tree.kind(&directory).is_none() || has_theme(project, &site.directory)) {
        return;
    }
    if !is_there && DEFAULTS.contains(&name.as_ref()) {
        return;
    }
    let severity = severity_in(source.path(), Severity::Warning);
    let (verdict, tried) = Lookup::new(project, Want::File).verdict(severity, [path]);
    if matches!(verdict, Verdict::Missing(_)) && is_test_data(source.path()) {
        return;
    }
    let start = at + source.offset();
    found.push(Checked { kind: kinds::LAYOUT, range: start + range.start..start + range.end, verdict, tried });
}

/// Returns whether a site's configuration names a theme, or directories of its own.
pub(crate) fn has_theme(project: &Project, directory: &str) -> bool {
    let text = join(directory, "_config.yml").and_then(|path| project.tree().read_shared(&path)).unwrap_or_default();
    ["theme:", "remote_theme:", "layouts_dir:", "includes_dir:"]
        .iter()
        .any(|key| text.lines().any(|line| line.starts_with(key)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn checks_images() {
        let docusaurus = "web/docusaurus.config.js\nweb/docs/b.png\nweb/static/img/c.png";
        let text = "---\ntitle: x\nimage: /img/c.png\ncover: ./b.png\nthumbnail: ../gone.png\nbanner: /img/lost.png\nhero: b.png\n---\n[x](y.md)";
        check(
            docusaurus,
            "web/docs/a.md",
            text,
            "md.front.image /img/c.png → web/static/img/c.png
            md.front.image ./b.png → web/docs/b.png
            md.front.image ../gone.png → missing
            md.front.image /img/lost.png → missing
            md.link y.md → missing",
        );
        check("a", "docs/a.md", "---\nimage: \"{{ x }}/y.png\"\ncover: x\nimages: [/a/b, c.png]\n---\n", "");
        check("a", "docs/a.md", "---\nimage: /img/x.png\n", "");
    }

    #[test]
    fn checks_links() {
        let site = "docs/.vitepress/config.ts\ndocs/a/b.md\ndocs/c.md";
        let front = "---\nhero:\n  actions:\n    - text: x\n      link: /a/b\n    - link: /a/gone\nnext:\n  link: ./c\nlink: https://x.org\n---\n";
        check(
            site,
            "docs/index.md",
            front,
            "md.front.link /a/b → docs/a/b.md
             md.front.link /a/gone → unknown undecided
             md.front.link ./c → docs/c.md",
        );
        check("a", "x.md", "---\nlink: /a/b\nblink: /c\n---\n", "md.front.link /a/b → unknown undecided");
    }

    #[test]
    fn follows_moved_files() {
        let tree = "scss/c/_range.scss\nmoved scss/_range.scss scss/c/_range.scss";
        let front =
            "---\ntitle: x\nsass: scss/_range.scss\njs:\n  - js/none.js\nabout: the file scss/_range.scss\n---\n";
        check(tree, "docs/x.md", front, "md.string scss/_range.scss → moved");
        check(tree, "tests/fixtures/x.md", front, "");
    }

    #[test]
    fn checks_layouts() {
        let tree = "site/_config.yml = title: x\nsite/_layouts/docs.html\nsite/_layouts/post.liquid";
        let front = |layout: &str| format!("---\nlayout: {layout}\n---\n");
        check(tree, "site/a.md", &front("docs"), "md.layout docs → site/_layouts/docs.html");
        check(tree, "site/a.md", &front("post"), "md.layout post → site/_layouts/post.liquid");
        check(tree, "site/_layouts/a.html", &front("gone"), "md.layout gone → missing");
        check(tree, "site/a.md", &front("default"), "");
        check(tree, "site/a.md", &front("null"), "");
        check(tree, "a.md", &front("gone"), "");
        let themed = "_config.yml = theme: minima\n_layouts/docs.html";
        check(themed, "a.md", &front("gone"), "");
        check(themed, "a.md", &front("docs"), "md.layout docs → _layouts/docs.html");
        let sheet = "<link href=\"assets/main.css\">\n";
        check("_config.yml = x: 1\n_layouts/a.html", "a.md", sheet, "md.html.href assets/main.css → missing");
        check(themed, "a.md", sheet, "md.html.href assets/main.css → unknown produced");
        check("_config.yml = title: x", "a.md", &front("gone"), "");
    }
}
