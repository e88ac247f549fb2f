//! Reads the pages and files that shortcodes of Hugo name, `{{< relref "/docs/setup" >}}`, and those of expressions of other
//! generators, `{{ 'setup.md' | pageUrl }}`.
//!
//! A site declares its shortcodes itself, so an argument that leads nowhere can be anything. One that leads to a page does so on purpose,
//! and follows it when it moves. Two are Hugo's own, and a page that they do not find ends the build.

use pathfinder_literals::path::{extension, has_scheme, head, join, parent, with_endings};
use pathfinder_literals::{
    Checked, Kind, Lookup, Project, Reason, Resolution, Severity, Source, Target, Verdict, Want,
};

use super::classify::suppress_if_detached;
use crate::documents::doc_sites::{CONTENT, suppress_if_added};
use crate::documents::markdown::kinds;

/// No shortcode is longer. The limit keeps a mark without an end from causing repeated searches of the whole text.
const MAX_SHORTCODE_BYTES: usize = 1000;
/// Endings of pages that their addresses omit.
const ENDINGS: [&str; 4] = ["", ".md", "/_index.md", "/index.md"];

/// Adds each argument that has the form of a path: of shortcodes in a page of a site, and of expressions in any page.
pub(super) fn check(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    let text = source.text();
    if !text.contains("{{") {
        return;
    }
    let mut references = Vec::new();
    let mut add = |start: usize, argument: &str, target: Option<String>| {
        let verdict = match target {
            Some(path) => Verdict::Found(Target { path }),
            None => Verdict::Unknown(Reason::Elsewhere),
        };
        let range = start + source.offset()..start + argument.len() + source.offset();
        found.push(Checked { kind: kinds::SHORTCODE, range, verdict, tried: Vec::new() });
    };
    let bases = Bases::for_page(source.path());
    // The content of a site can be a repository of its own: its pages have front matter.
    let is_page = bases.is_some() || text.starts_with("---") || text.starts_with("+++");
    for (open, close) in [("{{<", ">}}"), ("{{%", "%}}")] {
        // `{{</* name */>}}` shows a shortcode.
        for (start, inside) in enclosed(text, open, close).filter(|(_, inside)| !inside.starts_with("/*")) {
            if let Some((offset, page)) = find_reference(inside).filter(|_| is_page) {
                references.push((start + offset, page));
            } else if let Some(bases) = &bases {
                for (offset, argument) in quoted(inside, '"').filter(|(_, argument)| is_path(argument)) {
                    add(start + offset, argument, bases.find(project, argument));
                }
            }
        }
    }
    let is_expression = |(_, inside): &(usize, &str)| !inside.starts_with(['<', '%', '{', '#', '/', '>', '!']);
    for (start, inside) in enclosed(text, "{{", "}}").filter(is_expression) {
        let all = ['"', '\''].into_iter().flat_map(|quote| quoted(inside, quote));
        for (offset, argument) in all.filter(|(_, argument)| is_relative_file(argument)) {
            let path = argument.split(['#', '?']).next().and_then(|path| join(source.directory(), path));
            let target = path.filter(|path| project.tree().kind(path) == Some(Kind::File));
            add(start + offset, argument, target);
        }
    }
    let is_in_content = bases.is_some();
    let bases = bases.unwrap_or_else(|| Bases { directory: source.directory(), roots: vec![String::new()] });
    for (start, page) in references {
        let (verdict, tried) = bases.resolve(project, page);
        // Elsewhere it is a guess that the text is Hugo's, which a move or a typo confirms.
        let verdict = match verdict {
            Verdict::Missing(missing) if !is_in_content && missing.instead.is_none() => {
                Verdict::Unknown(Reason::Elsewhere)
            }
            verdict => verdict,
        };
        let verdict = suppress_if_added(project.tree(), suppress_if_detached(source.path(), verdict));
        let range = start + source.offset()..start + page.len() + source.offset();
        found.push(Checked { kind: kinds::SHORTCODE, range, verdict, tried });
    }
}

/// The page that a shortcode of Hugo's own refers to, with its offset.
fn find_reference(inside: &str) -> Option<(usize, &str)> {
    let name = inside.split_whitespace().next()?;
    let argument = matches!(name, "ref" | "relref").then(|| quoted(inside, '"').next()).flatten();
    argument.filter(|(_, page)| !page.starts_with('#') && !page.contains("{{") && !has_scheme(page))
}

/// Returns the texts between two marks, with their offsets.
fn enclosed<'t>(text: &'t str, open: &'t str, close: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    text.match_indices(open).filter_map(move |(at, _)| {
        let start = at + open.len();
        let rest = head(&text[start..], MAX_SHORTCODE_BYTES);
        Some((start, &rest[..rest.find(close)?]))
    })
}

/// Returns whether an argument of an expression can be the path of a page or picture from the directory of its own.
fn is_relative_file(argument: &str) -> bool {
    let path = argument.split(['#', '?']).next().unwrap_or(argument);
    let ending = extension(path);
    !path.starts_with('/')
        && (is_path(path) || !path.contains(|c: char| c.is_whitespace() || "{}<>*$|\\:".contains(c)))
        && ending.len() >= 2
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the texts in quotes, with their offsets.
fn quoted(text: &str, quote: char) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(quote)? + 1;
        let end = start + text[start..].find(quote)?;
        at = end + 1;
        Some((start, &text[start..end]))
    })
}

/// Returns whether an argument can be a path with a directory.
fn is_path(argument: &str) -> bool {
    let path = argument.split(['#', '?']).next().unwrap_or(argument);
    path.trim_matches('/').contains(|c: char| c.is_alphanumeric())
        && path.contains('/')
        && !path.starts_with("//")
        && !has_scheme(path)
        && !path.contains(|c: char| c.is_whitespace() || "{}<>*$|\\:".contains(c))
}

/// The directories from which arguments of a page lead.
struct Bases<'p> {
    directory: &'p str,
    roots: Vec<String>,
}

impl<'p> Bases<'p> {
    /// The directories for a page; `None` if it is in no site.
    fn for_page(page: &'p str) -> Option<Self> {
        let parts: Vec<&str> = page.split('/').collect();
        let at = parts.iter().position(|part| *part == CONTENT)?;
        let content = parts[..=at].join("/");
        let site = parts[..at].join("/");
        // Each language can have its pages in a directory of its own.
        let language = parts.get(at + 1).filter(|_| at + 2 < parts.len()).map(|name| format!("{content}/{name}"));
        let roots = [Some(content), language, join(&site, "static"), join(&site, "assets")];
        Some(Self { directory: parent(page), roots: roots.into_iter().flatten().collect() })
    }

    /// The verdict on the page of a reference: from the page, from the content, or the only one whose path ends so.
    fn resolve(&self, project: &Project, reference: &str) -> Resolution {
        let path = reference.split(['#', '?']).next().unwrap_or(reference).trim_matches('/');
        let by_end = || ENDINGS.iter().find_map(|ending| project.find_by_suffix(&format!("{path}{ending}")));
        if let Some(path) = self.find(project, reference).or_else(|| by_end().map(str::to_owned)) {
            return (Verdict::Found(Target { path }), Vec::new());
        }
        let own = (!reference.starts_with('/')).then_some(self.directory);
        let bases = own.into_iter().chain(self.roots.iter().map(String::as_str));
        // A name with its ending is that of a file.
        let endings = if extension(path) == "md" { &ENDINGS[..1] } else { &ENDINGS[1..] };
        let paths = bases.filter_map(|base| join(base, path));
        let paths = paths.flat_map(|path| with_endings(&path, endings).collect::<Vec<_>>());
        let (verdict, tried) = Lookup::new(project, Want::File).verdict(Severity::Warning, paths);
        match &verdict {
            // The content of a site can come from other repositories.
            Verdict::Missing(missing)
                if missing.instead.is_none() && project.tree().kind(parent(&missing.wanted)).is_none() =>
            {
                (Verdict::Unknown(Reason::Elsewhere), tried)
            }
            _ => (verdict, tried),
        }
    }

    /// The file at the path of an argument.
    fn find(&self, project: &Project, argument: &str) -> Option<String> {
        let path = argument.split(['#', '?']).next()?.trim_end_matches('/');
        let own = (!path.starts_with('/')).then_some(self.directory);
        let bases = own.into_iter().chain(self.roots.iter().map(String::as_str));
        let mut paths = bases.filter_map(|base| join(base, path.trim_start_matches('/')));
        paths.find_map(|path| {
            let mut files = ENDINGS.iter().map(|ending| format!("{path}{ending}"));
            files.find(|file| project.tree().kind(file) == Some(Kind::File))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_paths_of_shortcodes() {
        let tree = "site/hugo.toml\nsite/content/docs/setup.md\nsite/content/docs/ref/_index.md\nsite/content/en/blog/a.md\n\
                    site/static/img/l.png";
        check(
            tree,
            "site/content/docs/a.md",
            "[a]({{< relref \"/docs/setup#top\" >}}) {{% ours fromRoot=\"/docs/ref/\" title=\"a/b c\" %}} {{< ref \"./setup.md\" >}}\n\
             {{</* ref \"/docs/setup\" */>}} {{< figure src=\"/img/l.png\" link=\"https://a.b/c\" >}} {{< ours \"/docs/gone\" >}}\n",
            "md.shortcode /docs/setup#top → site/content/docs/setup.md
             md.shortcode /docs/ref/ → site/content/docs/ref/_index.md
             md.shortcode ./setup.md → site/content/docs/setup.md
             md.shortcode /img/l.png → site/static/img/l.png
             md.shortcode /docs/gone → unknown elsewhere",
        );
        check(
            "docs/setup.md\ndocs/new.md\nmoved docs/old.md docs/new.md\nother/deep/page.md",
            "docs/a.md",
            "---\ntitle: a\n---\n{{< ref \"/docs/setup\" >}} {{< relref \"setpu.md\" >}} {{< ref \"old.md#x\" >}} {{% ref \"page.md\" %}} {{< ref \"/none/b.md\" >}} {{< ref \"absent.md\" >}}\n",
            "md.shortcode /docs/setup → docs/setup.md
             md.shortcode setpu.md → missing
             md.shortcode old.md#x → moved
             md.shortcode page.md → other/deep/page.md
             md.shortcode /none/b.md → unknown elsewhere
             md.shortcode absent.md → unknown elsewhere",
        );
        check(
            tree,
            "site/content/en/blog/b.md",
            "{{< ref \"/blog/a\" >}}\n",
            "md.shortcode /blog/a → site/content/en/blog/a.md",
        );
        check(tree, "README.md", "{{< ref \"/docs/setup\" >}}\n", "");
    }

    #[test]
    fn reads_paths_of_expressions() {
        check(
            "docs/setup.md\ndocs/img/a.png",
            "docs/a.md",
            "[a]({{ 'setup.md#top' | pageUrl }}) {{ asset(\"img/a.png\", 'big') }} {{ '../gone.md' | pageUrl }} {{ 'page.title' }}\n\
             {{{ 'setup.md' }}} {{#if 'setup.md'}} {{ 'setup.md\n",
            "md.shortcode setup.md#top → docs/setup.md
             md.shortcode img/a.png → docs/img/a.png
             md.shortcode ../gone.md → unknown elsewhere
             md.shortcode page.title → unknown elsewhere",
        );
    }
}
