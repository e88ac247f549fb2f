//! `PublishedDirectories`: directories whose files a documentation generator publishes at another path of the site.
//!
//! A document links to such a file by its published address, which does not exist in the tree and works on the site. Each
//! supported generator is recognised by its configuration file.

use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};

/// Maximum number of bytes of a list in a configuration that are read. Lists of documents have some hundred entries.
const MAX_LIST_BYTES: usize = 20_000;

/// Entries of a list of directories that are read: each is asked for each address that is missing.
const MAX_DIRECTORIES: usize = 32;
/// Longer paths cannot be opened by their names.
const MAX_PATH_BYTES: usize = 4096;

/// Maximum number of files with one name that are compared.
const MAX_NAMESAKES: usize = 20;

/// A directory or file and the address at which it is published.
#[derive(Debug, PartialEq, Eq)]
struct PublishedDirectory {
    /// Documents below this directory can link to it.
    scope: String,
    /// The prefix of the published address; empty for the root of the site.
    prefix: String,
    /// The path, relative to the root of the project.
    path: String,
    naming: Naming,
}

/// The way in which a published file is found by its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// By its path below the directory.
    Path,
    /// By its name, in any directory below.
    Name,
    /// As by its name, with `.html` for the ending of a page: `readme.html` for `README.md`.
    Page,
    /// By the end of its path, in any directory below.
    Suffix,
}

/// All published directories of a project.
#[derive(Default)]
pub(crate) struct PublishedDirectories(Vec<PublishedDirectory>);

impl ProjectIndex for PublishedDirectories {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut all = Vec::new();
        for path in tree.files() {
            match name(path) {
                "conf.py" => add_sphinx(tree, path, &mut all),
                "mkdocs.yml" | "mkdocs.yaml" => add_mkdocs(tree, path, &mut all),
                "writerside.cfg" | "project.ihp" => add_writerside(tree, path, &mut all),
                last if last == "mix.exs" || extension(last) == "exs" && last.contains("doc") => {
                    add_exdoc(tree, path, &mut all);
                }
                last if is_doxygen_configuration(last) => {
                    add_doxygen(tree, path, &mut all);
                }
                _ => {}
            }
        }
        Self(all)
    }
}

impl PublishedDirectories {
    /// Returns the file with a published address, for a link in a document.
    pub(crate) fn find(&self, project: &Project, document: &str, address: &str) -> Option<String> {
        let tree = project.tree();
        let address = address.trim_start_matches('/').trim_start_matches("./");
        let below = address.trim_start_matches("../");
        let mut directories =
            self.0.iter().filter(|directory| directory.scope.is_empty() || is_within(document, &directory.scope));
        directories.find_map(|directory| {
            let rest =
                if directory.prefix.is_empty() { below } else { below.strip_prefix(directory.prefix.as_str())? };
            let rest = if directory.prefix.is_empty() { rest } else { rest.strip_prefix('/')? };
            let is_below = |path: &&str| directory.path.is_empty() || is_within(path, &directory.path);
            let find = |end: &str| {
                project.find_all_by_suffix(end, MAX_NAMESAKES).into_iter().find(is_below).map(str::to_owned)
            };
            match directory.naming {
                Naming::Path => join(&directory.path, rest).filter(|path| tree.kind(path) == Some(Kind::File)),
                Naming::Name => find(name(rest)),
                Naming::Page => find(name(rest)).or_else(|| page_names(name(rest)).find_map(|name| find(&name))),
                Naming::Suffix => find(rest),
            }
        })
    }
}

/// Sphinx publishes the entries of two lists: below `_static`, and at the root. Its two images of the site lie below `_static` as well,
/// and those of its pages in one directory.
fn add_sphinx(tree: &dyn Tree, path: &str, all: &mut Vec<PublishedDirectory>) {
    let at = parent(path);
    let text = tree.read_shared(path).unwrap_or_default();
    let lists = [("html_static_path", "_static"), ("html_extra_path", "")];
    let listed = lists.iter().flat_map(|(key, prefix)| {
        let items = list_items(&text, key, ['[', ']']).take(MAX_DIRECTORIES);
        items.map(move |item| (*prefix, item.to_owned())).collect::<Vec<_>>()
    });
    let images = ["html_favicon", "html_logo"].into_iter().filter_map(|key| {
        let value = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='))?;
        Some(("_static", parent(quoted(value).next()?).to_owned()))
    });
    for (prefix, item) in listed.chain(images) {
        let Some(path) = join(at, &item).filter(|path| path.len() <= MAX_PATH_BYTES) else { continue };
        let (scope, prefix) = (at.to_owned(), prefix.to_owned());
        all.push(PublishedDirectory { scope, prefix, path, naming: Naming::Path });
    }
    let (scope, path) = (at.to_owned(), at.to_owned());
    all.push(PublishedDirectory { scope, prefix: "_images".to_owned(), path, naming: Naming::Name });
}

/// `MkDocs` publishes the files of a custom theme directory beside the pages.
fn add_mkdocs(tree: &dyn Tree, path: &str, all: &mut Vec<PublishedDirectory>) {
    let at = parent(path);
    let text = tree.read_shared(path).unwrap_or_default();
    let value = |key: &str| {
        let value = text.lines().find_map(|line| line.trim_start().strip_prefix(key)?.strip_prefix(':'))?;
        join(at, value.trim().trim_matches(['"', '\'']))
    };
    // The configuration can lie apart from its documents. Where it does not, others are drafts of pages.
    let is_apart = |docs: &String| !at.is_empty() && !is_within(docs, at);
    let scope = value("docs_dir").filter(is_apart).unwrap_or_else(|| at.to_owned());
    all.extend(value("custom_dir").map(|place| PublishedDirectory {
        scope,
        prefix: String::new(),
        path: place,
        naming: Naming::Path,
    }));
}

/// Writerside finds topics and images by their names, in the directories that its configuration has: `<topics dir="topics"/>`.
fn add_writerside(tree: &dyn Tree, path: &str, all: &mut Vec<PublishedDirectory>) {
    let at = parent(path);
    let text = tree.read_shared(path).unwrap_or_default();
    let directories = text.match_indices("dir=").filter_map(|(start, key)| quoted(&text[start + key.len()..]).next());
    let places: Vec<String> = directories.take(MAX_DIRECTORIES).filter_map(|directory| join(at, directory)).collect();
    let pages = text.match_indices("<topics").filter_map(|(start, _)| {
        let rest = &text[start..];
        let at = rest.find("dir=").filter(|at| !rest[..*at].contains('>'))?;
        join(parent(path), quoted(&rest[at..]).next()?)
    });
    let mut scopes: Vec<String> = pages.take(MAX_DIRECTORIES).collect();
    if scopes.is_empty() {
        scopes.extend(places.first().cloned());
    }
    for scope in scopes {
        all.extend(places.iter().map(|path| PublishedDirectory {
            scope: scope.clone(),
            prefix: String::new(),
            path: path.clone(),
            naming: Naming::Name,
        }));
    }
}

/// Endings of the pages of `ExDoc`.
const PAGES: [&str; 4] = [".md", ".livemd", ".cheatmd", ".txt"];

/// The names of the pages that `ExDoc` publishes as `readme.html`. It writes addresses in lower case.
fn page_names(address: &str) -> impl Iterator<Item = String> {
    let stem = address.strip_suffix(".html").filter(|stem| !stem.is_empty()).unwrap_or_default().to_owned();
    let upper = stem.to_ascii_uppercase();
    let stems = [stem, upper].into_iter().filter(|stem| !stem.is_empty());
    stems.flat_map(|stem| PAGES.map(|end| format!("{stem}{end}")))
}

/// `ExDoc` publishes all extra pages in one directory, and assets below a name that the configuration gives.
fn add_exdoc(tree: &dyn Tree, path: &str, all: &mut Vec<PublishedDirectory>) {
    let text = tree.read_shared(path).unwrap_or_default();
    if !text.contains("extras:") && !text.contains("extras()") {
        return;
    }
    // Paths are relative to the working directory of the tool: beside `mix.exs`, or the root.
    let bases = [parent(path), ""];
    let there = |text: &str| {
        let mut paths = bases.iter().filter_map(|base| join(base, text));
        paths.find(|path| !path.is_empty() && tree.kind(path).is_some())
    };
    let mut places: Vec<String> = Vec::new();
    // `guides/*/*.{md,cheatmd}`
    let is_pattern = |text: &str| text.contains('*') && text.ends_with('}') && text.contains("md");
    for page in quoted(&text).filter(|text| is_pattern(text) || PAGES.iter().any(|end| text.ends_with(end))) {
        let plain = page.find('*').map_or(page, |at| parent(&page[..at]));
        places.extend(there(plain).filter(|place| !places.contains(place)));
    }
    for scope in &places {
        for place in &places {
            all.push(PublishedDirectory {
                scope: scope.clone(),
                prefix: String::new(),
                path: place.clone(),
                naming: Naming::Page,
            });
        }
    }
    for (at, key) in text.match_indices("assets:") {
        let rest = text[at + key.len()..].trim_start();
        let assets: Vec<&str> = match rest.strip_prefix("%{").and_then(|rest| rest.split_once('}')) {
            Some((inside, _)) => quoted(inside).collect(),
            // Older versions have the directory alone, published as `assets`.
            None => quoted(rest.lines().next().unwrap_or("")).take(1).chain(["assets"]).collect(),
        };
        let [place, prefix] = assets[..] else { continue };
        let Some(place) = there(place) else { continue };
        for scope in &places {
            let (prefix, place) = (prefix.to_owned(), place.clone());
            all.push(PublishedDirectory { scope: scope.clone(), prefix, path: place, naming: Naming::Path });
        }
    }
}

/// Returns whether a name is that of a configuration of Doxygen: `Doxyfile.in`, `doxygen.conf`, `core.doxyfile`.
fn is_doxygen_configuration(name: &str) -> bool {
    const ENDS: [&str; 5] = ["", "cfg", "conf", "config", "in"];
    let lower = name.to_ascii_lowercase();
    extension(&lower) == "doxyfile"
        || lower.starts_with("doxyfile")
        || lower.starts_with("doxygen") && ENDS.contains(&extension(&lower).as_str())
}

/// Doxygen finds images and examples by the end of their path in configured directories, and copies further files beside its pages.
fn add_doxygen(tree: &dyn Tree, path: &str, all: &mut Vec<PublishedDirectory>) {
    let text = tree.read_shared(path).unwrap_or_default();
    let joined = text.replace("\\\n", " ");
    for line in joined.lines() {
        let Some((key, values)) = line.split_once('=') else { continue };
        if !matches!(key.trim_end_matches('+').trim(), "IMAGE_PATH" | "EXAMPLE_PATH" | "HTML_EXTRA_FILES") {
            continue;
        }
        for value in values.split_whitespace().map(|value| value.trim_matches('"')) {
            // CMake templates begin paths with the source directory.
            let value = value.trim_start_matches("@PROJECT_SOURCE_DIR@").trim_start_matches("@CMAKE_SOURCE_DIR@");
            let bases = [parent(path), ""];
            let place = bases.iter().filter_map(|base| join(base, value)).find(|path| tree.kind(path).is_some());
            let (scope, prefix) = (String::new(), String::new());
            all.extend(place.map(|place| PublishedDirectory { scope, prefix, path: place, naming: Naming::Suffix }));
        }
    }
}

/// Returns the quoted strings of a list `key = [...]` or `key += [...]`.
fn list_items<'t>(text: &'t str, key: &'t str, [open, close]: [char; 2]) -> impl Iterator<Item = &'t str> {
    text.match_indices(key).flat_map(move |(at, _)| {
        let rest = text[at + key.len()..].trim_start();
        let rest = rest.strip_prefix("+=").or_else(|| rest.strip_prefix('=')).map(str::trim_start);
        let rest = rest.and_then(|rest| rest.strip_prefix(open)).unwrap_or("");
        let rest = pathfinder_literals::path::head(rest, MAX_LIST_BYTES);
        quoted(rest.find(close).map_or("", |end| &rest[..end]))
    })
}

/// Returns the quoted strings that end on their line.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(['"', '\''])?;
            let mark = rest[at..].chars().next()?;
            let inside = &rest[at + 1..];
            let end = inside.find([mark, '\n'])?;
            rest = &inside[end + 1..];
            if inside[end..].starts_with(mark) {
                return Some(&inside[..end]);
            }
        }
    })
}

#[cfg(test)]
mod tests {

    use super::{PublishedDirectories, quoted};
    use crate::testing::{MemoryTree, new_project};

    #[test]
    fn finds_files_by_published_address() {
        let check = |tree: &str, document: &str, address: &str, expect: &str| {
            let project = new_project(MemoryTree::new(tree));
            let found = project.index::<PublishedDirectories>().find(&project, document, address);
            assert_eq!(found.as_deref().unwrap_or("-"), expect, "{document}: {address}");
        };
        let sphinx = "docs/conf.py = html_static_path = ['../img']\\nhtml_extra_path = [\\n  \"more\",\\n]\nimg/a.png\ndocs/more/b.html";
        check(sphinx, "docs/x.md", "_static/a.png", "img/a.png");
        check(sphinx, "docs/x/y.md", "../_static/a.png", "img/a.png");
        check(sphinx, "docs/x.md", "b.html", "docs/more/b.html");
        check(sphinx, "docs/x.md", "_static/gone.png", "-");
        let icon = "docs/conf.py = html_favicon = 'images/icon.png'\ndocs/images/icon.png";
        check(icon, "docs/old/x.html", "../_static/icon.png", "docs/images/icon.png");
        check(icon, "docs/old/x.html", "../_static/gone.png", "-");
        check(icon, "docs/old/x.html", "../_images/icon.png", "docs/images/icon.png");
        check(icon, "docs/old/x.html", "../_images/gone.png", "-");
        check(icon, "x.html", "_images/icon.png", "-");
        check("conf.py\nimg/a.png", "old/x.html", "../_images/a.png", "img/a.png");
        check(sphinx, "README.md", "_static/a.png", "-");
        let exdoc = "x/mix.exs = extras: [\\\"guides/a/one.md\\\", \\\"README.md\\\"] ++ Path.wildcard(\\\"guides/b/*.md\\\"), assets: %{\\\"guides/img\\\" => \\\"assets\\\"}\nx/guides/a/one.md\nx/guides/b/two.md\nx/guides/c/three.md\nx/guides/img/p.png";
        let exdoc = &exdoc.replace("\\\"", "\"");
        check(exdoc, "x/guides/a/one.md", "two.md", "x/guides/b/two.md");
        check(exdoc, "x/guides/b/two.md", "one.md", "x/guides/a/one.md");
        check(exdoc, "x/guides/a/one.md", "two.html", "x/guides/b/two.md");
        check(exdoc, "x/guides/a/one.md", "three.html", "-");
        check(&format!("{exdoc}\nx/README.md"), "x/guides/a/one.md", "readme.html", "x/README.md");
        check(exdoc, "x/guides/a/one.md", "assets/p.png", "x/guides/img/p.png");
        let braces = "mix.exs = extras: Path.wildcard(\"guides/*/*.{md,cheatmd}\")\nguides/a/one.md\nguides/b/two.md";
        check(braces, "guides/a/one.md", "two.md", "guides/b/two.md");
        check(exdoc, "x/guides/a/one.md", "three.md", "-");
        check(exdoc, "x/guides/c/three.md", "two.md", "-");
        let doxygen = "doc/Doxyfile = IMAGE_PATH = pics \\\\\\n other\ndoc/other/deep/p.png";
        check(doxygen, "src/a.md", "p.png", "doc/other/deep/p.png");
        check(doxygen, "src/a.md", "deep/p.png", "doc/other/deep/p.png");
        check(doxygen, "src/a.md", "image/p.png", "-");
        let copied = "doc/doxygen.conf = HTML_EXTRA_FILES = doc/img/p.svg \\\\\\n doc/img/q.svg\ndoc/img/p.svg\ndoc/img/q.svg\ndoc/img/r.svg";
        check(copied, "doc/en/a.md", "q.svg", "doc/img/q.svg");
        check(copied, "doc/en/a.md", "../../p.svg", "doc/img/p.svg");
        check(copied, "doc/en/a.md", "r.svg", "-");
        check("mkdocs.yml = theme:\\n  custom_dir: over\nover/x.css", "docs/a.md", "x.css", "over/x.css");
        let apart =
            "config/de/mkdocs.yml = docs_dir: '../../docs/de'\\ntheme:\\n  custom_dir: '../../over/'\nover/x.css";
        check(apart, "docs/de/a.md", "x.css", "over/x.css");
        check(apart, "docs/en/a.md", "x.css", "-");
    }

    #[test]
    fn finds_quoted_strings() {
        assert_eq!(quoted("'a', \"b'c\" 'd\n 'e'").collect::<Vec<_>>(), ["a", "b'c", "e"]);
        assert_eq!(quoted("'é").count(), 0);
    }
}
