//! What generators put into a document from other files. Each notation counts only where its generator is recognised:
//! everywhere else it is text about that generator.

use std::ops::Range;

use super::front::is_themed;
use super::resolve::seen_as_written;
use super::words::{has_extension, is_test_data};
use crate::checked::{Checked, Reason, Severity, Verdict};
use crate::language::doc_sites::DocSites;
use crate::language::doc_sites::{DocSite, Generator};
use crate::lookup::{Lookup, Want};
use crate::path::{has_scheme, head, is_dynamic, join, parent};
use crate::project::Project;
use crate::source::Source;

/// No path is longer; a mark without an end does not make the rest of a text be searched again and again.
const LONGEST: usize = 400;

/// Adds every include of a document. `code` are the places of code in running text.
pub(super) fn check(source: &Source<'_>, project: &Project, code: &[Range<usize>], found: &mut Vec<Checked>) {
    let sites = project.index::<DocSites>().containing(project.tree(), source.path());
    let all = project.index::<DocSites>().all(project.tree());
    let has =
        |sites: &[&DocSite], generators: &[Generator]| sites.iter().any(|site| generators.contains(&site.generator));
    let scan = Scan { source, project, code, sites: &sites };
    // Documents of one translation are configured beside those of another.
    if all.iter().any(|site| site.generator == Generator::MkDocs) {
        scan.braces("{!", "!}", found);
        scan.braces("{*", "*}", found);
        scan.snippets(all, found);
    }
    if has(&sites, &[Generator::MdBook]) {
        scan.mdbook(found);
    }
    if has(&sites, &[Generator::VitePress, Generator::VuePress]) {
        scan.vitepress(found);
    }
    if has(&sites, &[Generator::Jekyll, Generator::Eleventy]) {
        scan.liquid(found);
    }
}

/// The rest of a line, but not more of it than a path can have.
fn line_at(text: &str, start: usize) -> &str {
    head(&text[start..], LONGEST).lines().next().unwrap_or("")
}

struct Scan<'s> {
    source: &'s Source<'s>,
    project: &'s Project,
    code: &'s [Range<usize>],
    sites: &'s [&'s DocSite],
}

impl Scan<'_> {
    /// Everything between two marks on one line, with its place.
    fn between<'t>(&'t self, open: &'t str, close: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let text = self.source.text();
        text.match_indices(open).filter_map(move |(at, _)| {
            let start = at + open.len();
            let line = line_at(text, start);
            let inside = &line[..line.find(close)?];
            (!text[..at].ends_with(['\\', ';']) && !self.is_code(at)).then_some((start, inside))
        })
    }

    fn is_code(&self, at: usize) -> bool {
        let after = self.code.partition_point(|range| range.start <= at);
        after > 0 && self.code[after - 1].contains(&at)
    }

    /// Adds one include: the path with its place in the text, and where it can lead.
    fn add(
        &self,
        kind: &'static str,
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
        // What is looked for in a directory of its own is the same wherever it is included from.
        let is_fixed = kind == "md.liquid.link" || kind == "md.liquid.include";
        let verdict = match verdict {
            Verdict::Missing(_) if is_fixed && !is_test_data(self.source.path()) => verdict,
            verdict => seen_as_written(self.source.path(), verdict),
        };
        let start = start + self.source.offset();
        found.push(Checked { kind, range: start..start + path.len(), verdict, tried });
    }

    /// A path as seen from the document's directory and from every one above it: which of them a generator is started in
    /// is not written anywhere.
    fn seen_from_above(&self, path: &str) -> Vec<String> {
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

    /// `{! path !}` and `{* path options *}` of Markdown extensions.
    fn braces(&self, open: &str, close: &str, found: &mut Vec<Checked>) {
        for (start, inside) in self.between(open, close) {
            let path = inside.trim_start_matches(['>', ' ']);
            let start = start + inside.len() - path.len();
            let path = path.split_whitespace().next().unwrap_or("");
            if has_extension(path) {
                self.add("md.include", start, path, Severity::Error, self.seen_from_above(path), found);
            }
        }
    }

    /// `--8<-- "path:section"` of pymdown.
    fn snippets(&self, all: &[DocSite], found: &mut Vec<Checked>) {
        for (start, inside) in self.between("-8<-", "\"") {
            // The first quote ends what is before the path; the path is what follows it.
            let text = self.source.text();
            let before = text[..start - "-8<-".len()].trim_end_matches('-');
            if !inside.trim_start_matches('-').trim().is_empty() || before.ends_with(';') {
                continue;
            }
            let start = start + inside.len() + 1;
            let line = line_at(text, start);
            let Some((path, _)) = line.split_once('"') else { continue };
            let path = path.split(':').next().unwrap_or(path);
            if text[start..].starts_with("http") || !has_extension(path) {
                continue;
            }
            let mut candidates = self.seen_from_above(path);
            for site in all.iter().filter(|site| site.generator == Generator::MkDocs) {
                candidates.extend(site.roots.iter().chain([&site.directory]).filter_map(|root| join(root, path)));
                candidates.extend(self.bases(site).iter().filter_map(|base| join(base, path)));
            }
            self.add("md.include", start, path, Severity::Warning, candidates, found);
        }
    }

    /// Where a site's snippets begin: whatever stands in a list or behind a colon near `base_path`.
    fn bases(&self, site: &DocSite) -> Vec<String> {
        let tree = self.project.tree();
        let read = |name: &str| tree.read(&join(&site.directory, name)?);
        let text = read("mkdocs.yml").or_else(|| read("mkdocs.yaml")).unwrap_or_default();
        let Some(at) = text.find("base_path") else { return Vec::new() };
        let words = text[at..]
            .split(|c: char| c.is_whitespace() || matches!(c, '[' | ']' | ',' | '"' | '\'' | ':'))
            .skip(1)
            .take(20);
        words.filter(|word| !word.is_empty()).filter_map(|word| join(&site.directory, word)).collect()
    }

    /// `{{#include path:lines}}` of mdBook, relative to the document.
    fn mdbook(&self, found: &mut Vec<Checked>) {
        for (start, inside) in self.between("{{#", "}}") {
            let Some((name, rest)) = inside.split_once(char::is_whitespace) else { continue };
            if !matches!(name, "include" | "rustdoc_include" | "playground" | "playpen") {
                continue;
            }
            let path = rest.trim_start();
            let start = start + inside.len() - path.len();
            let path = path.split(|c: char| c.is_whitespace() || c == ':').next().unwrap_or("");
            let candidates = join(self.source.directory(), path).into_iter().collect();
            self.add("md.include", start, path, Severity::Error, candidates, found);
        }
    }

    /// `<<< @/path#region{lines}` and `<!-- @include: path -->` of `VitePress`.
    fn vitepress(&self, found: &mut Vec<Checked>) {
        let includes = self.between("@include:", "-->");
        // Unlike an include, a snippet is a block of its own: in a fence it is only shown.
        let text = self.source.text();
        let fences = if text.contains("<<<") { fences(text) } else { Vec::new() };
        let is_fenced = |at: usize| {
            let after = fences.partition_point(|range| range.start <= at);
            after > 0 && fences[after - 1].contains(&at)
        };
        let snippets = self.lines_behind("<<<").filter(|(at, _)| !is_fenced(*at));
        for (start, inside) in includes.chain(snippets) {
            let path = inside.trim_start();
            let start = start + inside.len() - path.len();
            let path = path.split(|c: char| c.is_whitespace() || matches!(c, '{' | '#')).next().unwrap_or("");
            if !has_extension(path) {
                continue;
            }
            let candidates = match path.strip_prefix('@') {
                Some(rest) => self.in_sites(rest, &[Generator::VitePress, Generator::VuePress]),
                None => join(self.source.directory(), path).into_iter().collect(),
            };
            self.add("md.include", start, path, Severity::Error, candidates, found);
        }
    }

    /// What stands behind a mark that begins a line.
    fn lines_behind<'t>(&'t self, mark: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
        let text = self.source.text();
        text.match_indices(mark).filter_map(move |(at, _)| {
            let before = text[..at].trim_end_matches([' ', '\t']);
            let line = line_at(text, at + mark.len());
            ((before.is_empty() || before.ends_with('\n')) && !self.is_code(at)).then_some((at + mark.len(), line))
        })
    }

    fn in_sites(&self, path: &str, generators: &[Generator]) -> Vec<String> {
        let sites = self.sites.iter().filter(|site| generators.contains(&site.generator));
        sites.flat_map(|site| &site.roots).filter_map(|root| join(root, path)).collect()
    }

    /// `{% include path %}`, `{% include_relative path %}` and `{% link path %}` of Liquid, but for what is shown as it is.
    fn liquid(&self, found: &mut Vec<Checked>) {
        let text = self.source.text();
        let mut is_raw = false;
        for (start, inside) in self.between("{%", "%}") {
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
                "include" | "include_cached" => ("md.liquid.include", self.included(path)),
                "include_relative" => ("md.include", join(self.source.directory(), path).into_iter().collect()),
                "link" => ("md.liquid.link", self.in_sites(path, &[Generator::Jekyll])),
                _ => continue,
            };
            if has_extension(path) && !(candidates.is_empty() && name != "include_relative") {
                self.add(kind, start, path, Severity::Error, candidates, found);
            }
        }
    }

    /// In any directory of includes there is. None if a theme brings its own.
    fn included(&self, path: &str) -> Vec<String> {
        let tree = self.project.tree();
        let is_themed = self
            .sites
            .iter()
            .filter(|site| site.generator == Generator::Jekyll)
            .any(|site| is_themed(self.project, &site.directory));
        if is_themed {
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

/// The places of fenced code, in order.
fn fences(text: &str) -> Vec<Range<usize>> {
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
            None if marks.len() >= 3 => open = Some((marks, start)),
            _ => {}
        }
    }
    found.extend(open.map(|(_, from)| from..text.len()));
    found
}
