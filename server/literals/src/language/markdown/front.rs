//! Front matter: pictures of a page, and its layout where Jekyll builds the site.

use super::resolve::Page;
use super::words::{has_extension, is_test_data};
use crate::checked::{Checked, Severity, Verdict};
use crate::language::data::yaml::read;
use crate::language::data::{Node, Text};
use crate::language::doc_sites::DocSites;
use crate::language::doc_sites::Generator;
use crate::lookup::{Lookup, Want};
use crate::path::{extension, is_dynamic, join};
use crate::project::Project;
use crate::report::severity_in;
use crate::source::Source;

/// Front matter is short; what is longer is none.
const LONGEST: usize = 32 << 10;

/// Keys of pictures, as themes have them.
const PICTURES: [&str; 14] = [
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

/// The front matter of a text and where it begins.
fn front(text: &str) -> Option<(usize, &str)> {
    let rest = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n"))?;
    let end = crate::path::head(rest, LONGEST).find("\n---")?;
    Some((text.len() - rest.len(), &rest[..=end]))
}

/// Follows the pictures of a page of a site. One by its name alone can lie wherever the theme says.
pub(super) fn pictures(page: &mut Page<'_>, text: &str) {
    let Some((at, front)) = front(text) else { return };
    if !PICTURES.iter().any(|key| front.contains(key.split('.').next().unwrap_or(key))) {
        return;
    }
    let Some(root) = read(front).into_iter().next() else { return };
    for key in PICTURES {
        for picture in root.texts(key) {
            let Text { text: says, range } = picture;
            let is_placed = says.starts_with("./") || says.starts_with("../") || says.starts_with('/');
            if is_placed && is_picture(says) && front.get(range.clone()) == Some(says.as_ref()) {
                page.link("md.front.image", at + range.start..at + range.end, says);
            }
        }
    }
}

fn is_picture(path: &str) -> bool {
    const ENDS: [&str; 8] = ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico"];
    ENDS.contains(&extension(path).as_str())
}

/// Adds the layout of a page that Jekyll builds, where the site has layouts of its own and no theme.
pub(crate) fn layout(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    /// What the theme has that is used where none is named.
    const DEFAULTS: [&str; 8] = ["default", "home", "page", "post", "none", "null", "nil", "false"];
    let Some((at, front)) = front(source.text()).filter(|(_, front)| front.contains("layout")) else { return };
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
    if !is_there && (tree.kind(&directory).is_none() || is_themed(project, &site.directory)) {
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
    found.push(Checked { kind: "md.layout", range: start + range.start..start + range.end, verdict, tried });
}

/// Whether a site's configuration names a theme, or directories of its own.
pub(super) fn is_themed(project: &Project, directory: &str) -> bool {
    let text = join(directory, "_config.yml").and_then(|path| project.tree().read(&path)).unwrap_or_default();
    ["theme:", "remote_theme:", "layouts_dir:", "includes_dir:"]
        .iter()
        .any(|key| text.lines().any(|line| line.starts_with(key)))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn front_matter() {
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
    fn layouts() {
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
        check("_config.yml = title: x", "a.md", &front("gone"), "");
    }
}
