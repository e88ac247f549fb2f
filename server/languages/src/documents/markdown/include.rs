//! Checks the files that documentation generators include. A notation counts only if its generator is recognized;
//! otherwise it is text about that generator.

use std::ops::Range;

use super::classify::suppress_if_detached;
use super::classify::{has_extension, is_test_data};
use super::front_matter::has_theme;
use crate::documents::doc_sites::{DocSite, DocSites, Generator};
use crate::documents::markdown::kinds;
use pathfinder_literals::path::{ancestors, has_scheme, head, is_dynamic, join, name, parent};
use pathfinder_literals::{Checked, Kind, LiteralKind, Lookup, Project, Reason, Severity, Source, Verdict, Want};

/// No path is longer. The limit keeps a mark without an end from causing repeated searches of the whole text.
const MAX_PATH_BYTES: usize = 400;

/// Checks every include of a document. `code` are the byte ranges of inline code.
pub(super) fn check(source: &Source<'_>, project: &Project, code: &[Range<usize>], found: &mut Vec<Checked>) {
    let sites = project.index::<DocSites>().containing(project.tree(), source.path());
    let all = project.index::<DocSites>().all(project.tree());
    let has =
        |sites: &[&DocSite], generators: &[Generator]| sites.iter().any(|site| generators.contains(&site.generator));
    let scanner = IncludeScanner { source, project, code, sites: &sites };
    // Translations share the configuration of another directory.
    if all.iter().any(|site| site.generator == Generator::MkDocs) {
        scanner.check_braces("{!", "!}", found);
        scanner.check_braces("{*", "*}", found);
        scanner.check_snippets(all, found);
        scanner.check_macros(found);
    }
    if has(&sites, &[Generator::MdBook]) {
        scanner.check_mdbook(found);
    }
    if has(&sites, &[Generator::VitePress, Generator::VuePress]) {
        scanner.check_vitepress(found);
    }
    if has(&sites, &[Generator::Jekyll, Generator::Eleventy]) {
        scanner.check_liquid(found);
    }
    scanner.check_partials(found);
}

/// The rest of a line, up to the longest possible path.
fn line_at(text: &str, start: usize) -> &str {
    head(&text[start..], MAX_PATH_BYTES).lines().next().unwrap_or("")
}

/// The document in which includes are searched, with its sites.
struct IncludeScanner<'s> {
    source: &'s Source<'s>,
    project: &'s Project,
    code: &'s [Range<usize>],
    sites: &'s [&'s DocSite],
}

impl IncludeScanner<'_> {
    /// Iterates over the texts between two marks on one line, with their byte offsets.
    fn find_between<'t>(&'t self, open: &'t str, close: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let text = self.source.text();
        text.match_indices(open).filter_map(move |(at, _)| {
            let start = at + open.len();
            let line = line_at(text, start);
            let inside = &line[..line.find(close)?];
            (!text[..at].ends_with(['\\', ';']) && !self.is_code(at)).then_some((start, inside))
        })
    }

    /// Returns whether a byte is in inline code.
    fn is_code(&self, at: usize) -> bool {
        let after = self.code.partition_point(|range| range.start <= at);
        after > 0 && self.code[after - 1].contains(&at)
    }

    /// Adds one include: its path, the byte at which it starts, and the candidates.
    fn add(
        &self,
        kind: LiteralKind,
        start: usize,
        path: &str,
        severity: Severity,
        candidates: Vec<String>,
        found: &mut Vec<Checked>,
    ) {
        if path.is_empty() || has_scheme(path) {
            return;
        }
        let (verdict, tried) = if is_dynamic(path) || path.contains(['*', '{', '<', '$']) {
            (Verdict::Unknown(Reason::Dynamic), Vec::new())
        } else if candidates.is_empty() {
            (Verdict::Unknown(Reason::Outside), Vec::new())
        } else {
            Lookup::new(self.project, Want::File).verdict(severity, candidates.into_iter().map(Some))
        };
        // A Liquid include is looked up in a fixed directory, so it does not matter if the document is detached.
        let is_fixed = [kinds::LIQUID_INCLUDE, kinds::LIQUID_LINK, kinds::LIQUID_POST].contains(&kind);
        let verdict = match verdict {
            Verdict::Missing(_) if is_fixed && !is_test_data(self.source.path()) => verdict,
            verdict => suppress_if_detached(self.source.path(), verdict),
        };
        let start = start + self.source.offset();
        found.push(Checked { kind, range: start..start + path.len(), verdict, tried });
    }

    /// Joins a path to the document's directory and to each directory above: the one in which the generator is started
    /// is not recorded.
    fn candidates_from_ancestors(&self, path: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut here = self.source.directory();
        loop {
            found.extend(join(here, path));
            if here.is_empty() {
                return found;
            }
            here = parent(here);
        }
    }

    /// Checks `{! path !}` and `{* path options *}` of Markdown extensions.
    fn check_braces(&self, open: &str, close: &str, found: &mut Vec<Checked>) {
        for (start, inside) in self.find_between(open, close) {
            let path = inside.trim_start_matches(['>', ' ']);
            let start = start + inside.len() - path.len();
            let path = path.split_whitespace().next().unwrap_or("");
            if has_extension(path) {
                self.add(kinds::INCLUDE, start, path, Severity::Error, self.candidates_from_ancestors(path), found);
            }
        }
    }

    /// Checks `@include 'path'` on a line of its own, which a plugin of remark reads below a directory `partials` of the pages.
    fn check_partials(&self, found: &mut Vec<Checked>) {
        let text = self.source.text();
        let tree = self.project.tree();
        let is_directory = |path: &String| tree.kind(path) == Some(Kind::Directory);
        let is_own_line = |start: usize| {
            text[..start].strip_suffix("@include '").is_some_and(|before| before.is_empty() || before.ends_with('\n'))
        };
        for (start, path) in self.find_between("@include '", "'").filter(|(start, _)| is_own_line(*start)) {
            let partials =
                ancestors(self.source.directory()).filter_map(|above| join(above, "partials")).filter(is_directory);
            let candidates: Vec<String> = partials.filter_map(|partials| join(&partials, path)).collect();
            // Another plugin reads from elsewhere.
            if has_extension(path) && !candidates.is_empty() {
                self.add(kinds::INCLUDE, start, path, Severity::Error, candidates, found);
            }
        }
    }

    /// Checks `{% include 'path' %}` of the macros of `MkDocs`, whose brackets a site can choose: `[[% include 'path' %]]`.
    fn check_macros(&self, found: &mut Vec<Checked>) {
        // Without a plugin for them they are shown as they are.
        let tree = self.project.tree();
        let mut configurations = ancestors(self.source.directory()).filter_map(|at| join(at, "mkdocs.yml"));
        let text = configurations.find_map(|path| tree.read_shared(&path)).unwrap_or_default();
        if !["macros", "jinja"].iter().any(|plugin| text.contains(plugin)) {
            return;
        }
        for (start, inside) in self.find_between("% include ", "%") {
            let Some(quote) = inside.chars().next().filter(|first| matches!(first, '"' | '\'')) else { continue };
            let Some((path, options)) = inside[1..].split_once(quote) else { continue };
            // `ignore missing` says so.
            if has_extension(path) && options.trim().is_empty() {
                self.add(kinds::INCLUDE, start + 1, path, Severity::Error, self.candidates_from_ancestors(path), found);
            }
        }
    }

    /// Checks `--8<-- "path:section"` of pymdown.
    fn check_snippets(&self, all: &[DocSite], found: &mut Vec<Checked>) {
        for (start, inside) in self.find_between("-8<-", "\"") {
            // The first quote ends the text before the path; the path follows it.
            let text = self.source.text();
            let before = text[..start - "-8<-".len()].trim_end_matches('-');
            if !inside.trim_start_matches('-').trim().is_empty() || before.ends_with(';') {
                continue;
            }
            let start = start + inside.len() + 1;
            let line = line_at(text, start);
            let Some((path, _)) = line.split_once('"') else { continue };
            let path = path.split(':').next().unwrap_or(path);
            // A semicolon in front shows the line instead.
            if text[start..].starts_with("http") || path.trim_start().starts_with(';') || !has_extension(path) {
                continue;
            }
            let mut candidates = self.candidates_from_ancestors(path);
            for site in all.iter().filter(|site| site.generator == Generator::MkDocs) {
                candidates.extend(site.roots.iter().chain([&site.directory]).filter_map(|root| join(root, path)));
                candidates.extend(self.snippet_bases(site).iter().filter_map(|base| join(base, path)));
            }
            self.add(kinds::INCLUDE, start, path, Severity::Warning, candidates, found);
        }
    }

    /// The directories of a site's snippets: the words in a list or behind a colon after `base_path`.
    fn snippet_bases(&self, site: &DocSite) -> Vec<String> {
        let tree = self.project.tree();
        let read = |name: &str| tree.read_shared(&join(&site.directory, name)?);
        let text = read("mkdocs.yml").or_else(|| read("mkdocs.yaml")).unwrap_or_default();
        let Some(at) = text.find("base_path") else { return Vec::new() };
        let classify = text[at..]
            .split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',' | '"' | '\'' | ':'))
            .skip(1)
            .take(20);
        classify.filter(|word| !word.is_empty()).filter_map(|word| join(&site.directory, word)).collect()
    }

    /// Checks `{{#include path:lines}}` of mdBook, relative to the document.
    fn check_mdbook(&self, found: &mut Vec<Checked>) {
        for (start, inside) in self.find_between("{{#", "}}") {
            let Some((name, rest)) = inside.split_once(char::is_whitespace) else { continue };
            if !matches!(name, "include" | "rustdoc_include" | "playground" | "playpen") {
                continue;
            }
            let path = rest.trim_start();
            let start = start + inside.len() - path.len();
            let path = path.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or("");
            let candidates = join(self.source.directory(), path).into_iter().collect();
            self.add(kinds::INCLUDE, start, path, Severity::Error, candidates, found);
        }
    }

    /// Checks `<<< @/path#region{lines}` and `<!-- @include: path -->` of `VitePress`.
    fn check_vitepress(&self, found: &mut Vec<Checked>) {
        let includes = self.find_between("@include:", "-->");
        // A snippet is a block of its own, unlike an include: in a fence it is only displayed.
        let text = self.source.text();
        let fences = if text.contains("<<<") { fenced_ranges(text) } else { Vec::new() };
        let is_fenced = |at: usize| {
            let after = fences.partition_point(|range| range.start <= at);
            after > 0 && fences[after - 1].contains(&at)
        };
        let snippets = self.lines_after("<<<").filter(|(at, _)| !is_fenced(*at));
        for (start, inside) in includes.chain(snippets) {
            let path = inside.trim_start();
            let start = start + inside.len() - path.len();
            let path = path.split(|c: char| c.is_whitespace() || matches!(c, '{' | '#')).next().unwrap_or("");
            if !has_extension(path) {
                continue;
            }
            let candidates = match path.strip_prefix('@') {
                Some(rest) => self.paths_in_sites(rest, &[Generator::VitePress, Generator::VuePress]),
                None => join(self.source.directory(), path).into_iter().collect(),
            };
            self.add(kinds::INCLUDE, start, path, Severity::Error, candidates, found);
        }
    }

    /// Iterates over the rests of lines that begin with a mark, with their byte offsets.
    fn lines_after<'t>(&'t self, mark: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let text = self.source.text();
        text.match_indices(mark).filter_map(move |(at, _)| {
            let before = text[..at].trim_end_matches([' ', '\t']);
            let line = line_at(text, at + mark.len());
            ((before.is_empty() || before.ends_with('\n')) && !self.is_code(at)).then_some((at + mark.len(), line))
        })
    }

    /// Joins a path to each root of the document's sites with one of these generators.
    fn paths_in_sites(&self, path: &str, generators: &[Generator]) -> Vec<String> {
        let sites = self.sites.iter().filter(|site| generators.contains(&site.generator));
        sites.flat_map(|site| &site.roots).filter_map(|root| join(root, path)).collect()
    }

    /// The paths that `{% link path %}` can name: collections can lie together in a directory that Jekyll leaves out of their paths.
    fn linked_pages(&self, path: &str) -> Vec<String> {
        let sites = self.sites.iter().filter(|site| site.generator == Generator::Jekyll);
        let collections = sites.filter_map(|site| {
            let config = self.project.tree().read_shared(&join(&site.directory, "_config.yml")?)?;
            let value = config.lines().find_map(|line| line.strip_prefix("collections_dir:"))?;
            let directory = value.split('#').next()?.trim().trim_matches(['"', '\'']);
            let is_short = directory.len() <= MAX_PATH_BYTES;
            is_short.then(|| join(&join(&site.directory, directory)?, path)).flatten()
        });
        self.paths_in_sites(path, &[Generator::Jekyll]).into_iter().chain(collections).collect()
    }

    /// The paths that `{% post_url path %}` can name: below `_posts` of the site, or of a category, with the ending of a page.
    fn posts(&self, path: &str) -> Vec<String> {
        const ENDINGS: [&str; 3] = ["md", "markdown", "html"];
        /// Sites with a post of one name; each category has posts of its own.
        const MAX_POSTS: usize = 8;
        let is_jekyll = self.sites.iter().any(|site| site.generator == Generator::Jekyll);
        let path = path.trim_start_matches('/');
        if !is_jekyll
            || !path.rsplit('/').next().is_some_and(|name| name.starts_with(|first: char| first.is_ascii_digit()))
        {
            return Vec::new();
        }
        let names = ENDINGS.map(|ending| format!("{path}.{ending}"));
        let known = names.iter().flat_map(|name| self.project.find_all_by_suffix(name, MAX_POSTS));
        let known: Vec<String> = known.filter(|post| is_post(post)).map(str::to_owned).collect();
        if !known.is_empty() {
            return known;
        }
        // The nearest directory of posts above the document, or the site's.
        let tree = self.project.tree();
        let above = ancestors(self.source.directory()).filter_map(|directory| join(directory, POSTS));
        let above = above.filter(|posts| tree.kind(posts) == Some(Kind::Directory));
        let bases =
            above.chain(self.paths_in_sites(POSTS, &[Generator::Jekyll])).chain(posts_above(self.source.directory()));
        bases.flat_map(|base| names.each_ref().map(|name| join(&base, name))).flatten().collect()
    }

    /// Checks `{% include path %}`, `{% include_relative path %}` and `{% link path %}` of Liquid, outside of raw
    /// blocks.
    fn check_liquid(&self, found: &mut Vec<Checked>) {
        let text = self.source.text();
        let mut is_raw = false;
        for (start, inside) in self.find_between("{%", "%}") {
            let inside_trimmed = inside.trim_start_matches('-').trim_start();
            let (name, rest) = inside_trimmed.split_once(char::is_whitespace).unwrap_or((inside_trimmed, ""));
            match name {
                "raw" | "comment" => is_raw = true,
                "endraw" | "endcomment" => is_raw = false,
                _ => {}
            }
            if is_raw || text[..start].ends_with('\\') {
                continue;
            }
            let path = rest.trim_start();
            let start = start + inside.len() - path.len();
            let path = path.split_whitespace().next().unwrap_or("").trim_end_matches('-');
            let quoted = path.trim_start_matches(['"', '\'']);
            let start = start + path.len() - quoted.len();
            let path = quoted.trim_end_matches(['"', '\'']);
            let (kind, candidates) = match name {
                "include" | "include_cached" => (kinds::LIQUID_INCLUDE, self.include_candidates(path)),
                "include_relative" => (kinds::INCLUDE, join(self.source.directory(), path).into_iter().collect()),
                "link" => (kinds::LIQUID_LINK, self.linked_pages(path)),
                "post_url" => (kinds::LIQUID_POST, self.posts(path)),
                _ => continue,
            };
            let is_post = kind == kinds::LIQUID_POST;
            if (is_post || has_extension(path)) && !(candidates.is_empty() && name != "include_relative") {
                self.add(kind, start, path, Severity::Error, candidates, found);
            }
        }
    }

    /// The candidates of an include: one in each `_includes` directory, none if a theme provides its own.
    fn include_candidates(&self, path: &str) -> Vec<String> {
        let tree = self.project.tree();
        let has_theme = self
            .sites
            .iter()
            .filter(|site| site.generator == Generator::Jekyll)
            .any(|site| has_theme(self.project, &site.directory));
        if has_theme {
            return Vec::new();
        }
        let mut bases: Vec<&str> = Vec::new();
        for file in tree.files() {
            let at = if file.starts_with("_includes/") {
                Some("_includes".len())
            } else {
                file.find("/_includes/").map(|at| at + "/_includes".len())
            };
            bases.extend(at.map(|at| &file[..at]));
        }
        bases.dedup();
        bases.iter().filter_map(|base| join(base, path)).collect()
    }
}

/// Directory of the posts of a site of Jekyll.
const POSTS: &str = "_posts";

/// Returns whether a path is below a directory of posts.
fn is_post(path: &str) -> bool {
    parent(path).split('/').any(|name| name == POSTS)
}

/// The directory of posts that a directory is below.
fn posts_above(directory: &str) -> Option<String> {
    ancestors(directory).find(|above| name(above) == POSTS).map(str::to_owned)
}

/// The byte ranges of fenced code, in order.
pub(super) fn fenced_ranges(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let plain = line.trim_start();
        let mark = plain.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let Some(mark) = mark else { continue };
        let rest = plain.trim_start_matches(mark);
        let marks = &plain[..plain.len() - rest.len()];
        match open {
            Some((end, from)) if marks.starts_with(end) && rest.trim().is_empty() => {
                found.push(from..at);
                open = None;
            }
            // Code within a line can have as many marks.
            None if marks.len() >= 3 && !(mark == '`' && rest.contains('`')) => open = Some((marks, start)),
            _ => {}
        }
    }
    found.extend(open.map(|(_, from)| from..text.len()));
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_includes_of_macros() {
        let tree = "mkdocs.yml = plugins:\\n- macros\ndocs/json/a.json";
        let text = "[[% include 'json/a.json' %]] {% include \"json/b.json\" %} {% include \"c.md\" ignore missing %} {% include d %}\n";
        check(
            tree,
            "docs/x/a.md",
            text,
            "md.include json/a.json → docs/json/a.json
             md.include json/b.json → missing",
        );
        check("mkdocs.yml\ndocs/json/a.json", "docs/x/a.md", text, "");
    }

    #[test]
    fn reads_includes_of_partials() {
        let text =
            "@include 'ssh/a.mdx'\n\n@include 'ssh/b.mdx'\n\nSee @include 'ssh/c.mdx' and `@include 'ssh/d.mdx'`.\n";
        let tree =
            "site/content/partials/ssh/a.mdx\nmoved site/content/partials/ssh/b.mdx site/content/partials/ssh/a.mdx";
        check(
            tree,
            "site/content/docs/x/y.mdx",
            text,
            "md.include ssh/a.mdx → site/content/partials/ssh/a.mdx
             md.include ssh/b.mdx → moved",
        );
        check("site/content/ssh/a.mdx", "site/content/docs/y.mdx", text, "");
    }

    #[test]
    fn finds_pages_and_posts_of_jekyll() {
        let collections = "_config.yml = collections_dir: all\nall/_docs/b.md";
        check(collections, "all/_docs/x.md", "{% link _docs/b.md %}\n", "md.liquid.link _docs/b.md → all/_docs/b.md");
        let posts = "src/_config.yml\nsrc/_posts/php/2015-01-02-a.md\nmoved src/_posts/php/2014-01-02-b.md src/_posts/php/2015-01-02-a.md";
        check(
            posts,
            "src/_posts/x/2015-02-02-c.md",
            "{% post_url php/2015-01-02-a %} {% post_url /php/2014-01-02-b %} {% post_url 2015-01-02-a %} {% post_url php/2015-01-02-aa %} {% post_url {{ x }} %}\n",
            "md.liquid.post php/2015-01-02-a → src/_posts/php/2015-01-02-a.md
             md.liquid.post /php/2014-01-02-b → moved
             md.liquid.post 2015-01-02-a → src/_posts/php/2015-01-02-a.md
             md.liquid.post php/2015-01-02-aa → missing",
        );
    }
}
