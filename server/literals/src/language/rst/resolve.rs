//! `Documents`: how Sphinx and docutils follow what a document names.

use super::scan::Reference;
use crate::checked::{Checked, Reason, Severity, Verdict};
use crate::glob;
use crate::language::doc_sites::DocSites;
use crate::language::doc_sites::{DocSite, Generator};
use crate::language::markdown::{is_made_up, seen_as_written};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, is_dynamic, join, parent};
use crate::project::{Project, within};
use crate::source::Source;
use crate::typo::only_neighbor;

/// What Sphinx makes documents from, besides what its configuration says.
const SUFFIXES: [&str; 8] = ["", ".rst", ".md", ".ipynb", ".txt", ".myst", ".mdx", ".rest"];

/// One document among those of its Sphinx project, if it is in one.
pub(crate) struct Documents<'p> {
    source: &'p Source<'p>,
    project: &'p Project,
    sphinx: Option<&'p DocSite>,
}

impl<'p> Documents<'p> {
    /// Looks for the Sphinx project that the document is in.
    pub(crate) fn new(source: &'p Source<'p>, project: &'p Project) -> Self {
        let sites = project.index::<DocSites>().containing(project.tree(), source.path());
        let sphinx = sites.into_iter().find(|site| site.generator == Generator::Sphinx);
        Self { source, project, sphinx }
    }

    /// Whether Sphinx makes pages of the document.
    pub(crate) fn is_sphinx(&self) -> bool {
        self.sphinx.is_some()
    }

    /// Whether Sphinx is told that files of this suffix are documents.
    pub(super) fn has_suffix(&self, suffix: &str) -> bool {
        let Some(site) = self.sphinx else { return false };
        let text = self.configuration(site);
        let Some(at) = text.find("source_suffix") else { return false };
        text[at..].lines().take(6).any(|line| line.contains(suffix))
    }

    fn configuration(&self, site: &DocSite) -> String {
        join(&site.directory, "conf.py").and_then(|path| self.project.tree().read(&path)).unwrap_or_default()
    }

    /// Adds one reference with its verdict.
    pub(crate) fn add(&self, reference: &Reference<'_>, found: &mut Vec<Checked>) {
        let Reference { kind, range, says } = reference;
        let (kind, says) = (*kind, *says);
        if says.is_empty() || has_scheme(says) || (says.starts_with('<') && says.ends_with('>')) || says == "self" {
            return;
        }
        let (verdict, tried) = if is_dynamic(says) || says.contains(['|', '{', '<', '$', '%']) {
            (Verdict::Unknown(Reason::Dynamic), Vec::new())
        } else {
            // In Markdown they are the same.
            match kind.split_once('.').map_or(kind, |(_, construct)| construct) {
                "target" => match self.target(says) {
                    Some(answer) => answer,
                    None => return,
                },
                construct @ ("toctree" | "doc") => self.document(construct, says),
                construct => self.file(construct, says),
            }
        };
        let verdict = match verdict {
            Verdict::Missing(_) if is_made_up(says) => Verdict::Unknown(Reason::Elsewhere),
            verdict => seen_as_written(self.source.path(), verdict),
        };
        let range = range.start + self.source.offset()..range.end + self.source.offset();
        found.push(Checked { kind, range, verdict, tried });
    }

    /// From the document's directory, or from where the sources may begin.
    fn places(&self, says: &str) -> Vec<Option<String>> {
        match (says.strip_prefix('/'), self.sphinx) {
            (Some(rest), Some(site)) => {
                let sources = site.sources(self.source.path());
                sources.iter().map(|source| join(source, rest)).collect()
            }
            (Some(_), None) => Vec::new(),
            (None, _) => vec![join(self.source.directory(), says)],
        }
    }

    /// A file that a directive or `:download:` reads.
    fn file(&self, kind: &str, says: &str) -> (Verdict, Vec<String>) {
        let severity = match kind {
            "include" | "literalinclude" | "csv-table" | "raw" => Severity::Error,
            _ => Severity::Warning,
        };
        let mut places = self.places(says);
        if places.is_empty() {
            return (Verdict::Unknown(Reason::Undecided("where the documents begin".to_owned())), Vec::new());
        }
        if says.contains('*') {
            return self.pattern(&places);
        }
        if matches!(kind, "image" | "figure") {
            let is_picture = matches!(
                extension(says).as_str(),
                "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "pdf" | "eps" | "bmp" | "avif" | "ico"
            );
            if !is_picture {
                return (Verdict::Unknown(Reason::Elsewhere), Vec::new());
            }
        }
        // A document that another one includes is read as if it stood there, but for what it includes itself.
        if places[0].is_some() && kind != "include" && !says.starts_with('/') {
            let tree = self.project.tree();
            let mut here = self.source.directory();
            let mut others = Vec::new();
            while !here.is_empty() {
                here = parent(here);
                others.extend(join(here, says).filter(|path| tree.kind(path).is_some()).map(Some));
            }
            if !others.is_empty() && self.project.index::<DocSites>().is_included(tree, self.source.path()) {
                places.extend(others);
            }
        }
        let (verdict, tried) = Lookup::new(self.project, Want::File).verdict(severity, places);
        match &verdict {
            Verdict::Missing(missing) if missing.instead.is_none() && self.is_copied(&missing.wanted) => {
                (Verdict::Unknown(Reason::Produced("conf.py".to_owned())), tried)
            }
            _ => (verdict, tried),
        }
    }

    /// Whether the configuration copies files into the directory that a path is missing in: it copies, and it has the name of
    /// the topmost directory that is not there as a string, or else of the one that the file would be in.
    fn is_copied(&self, wanted: &str) -> bool {
        const CALLS: [&str; 6] = ["copy(", "copy2(", "copyfile(", "copytree(", "symlink", "urlretrieve("];
        let Some(site) = self.sphinx else { return false };
        let tree = self.project.tree();
        let mut ends = wanted.match_indices('/').map(|(at, _)| at);
        let missing = ends.find(|end| tree.kind(&wanted[..*end]).is_none());
        let directory = crate::path::name(missing.map_or(parent(wanted), |end| &wanted[..end]));
        // One beside it that has its name but for a slip was meant.
        if directory.is_empty() || only_neighbor(tree, wanted, |_| true).is_some() {
            return false;
        }
        let text = self.configuration(site);
        let is_named = || {
            text.match_indices(directory).any(|(at, name)| {
                let before = text[..at].ends_with(['"', '\'', '/']);
                before && text[at + name.len()..].starts_with(['"', '\'', '/'])
            })
        };
        CALLS.iter().any(|call| text.contains(call)) && is_named()
    }

    /// A document, named without what its file ends in.
    fn document(&self, kind: &str, says: &str) -> (Verdict, Vec<String>) {
        let undecided = |by: &str| (Verdict::Unknown(Reason::Undecided(by.to_owned())), Vec::new());
        let Some(site) = self.sphinx else { return undecided("where the documents begin") };
        let says = says.strip_suffix("/").unwrap_or(says);
        let mut places = self.places(says);
        // The name of a document does not lead out of the sources: what goes too far up begins at their root.
        let is_inside = |path: &Option<String>| path.as_deref().is_some_and(|path| within(path, &site.directory));
        if !site.directory.is_empty() && !places.iter().any(is_inside) {
            places = vec![clamped(&site.directory, self.source.directory(), says)];
        }
        if says.starts_with("..") {
            let sources = site.sources(self.source.path());
            places.extend(sources.iter().skip(1).map(|source| clamped(source, self.source.directory(), says)));
        }
        if kind == "toctree" {
            if glob::is_glob(says) {
                return self.pattern(&places);
            }
            // `genindex`, `modindex` and `search` are made.
            if matches!(says, "genindex" | "modindex" | "search" | "py-modindex") {
                return (Verdict::Unknown(Reason::Produced("Sphinx".to_owned())), Vec::new());
            }
        }
        let mut lookup = Lookup::new(self.project, Want::File);
        let tree = self.project.tree();
        let all = places.iter().flatten().flat_map(|path| SUFFIXES.iter().map(move |suffix| format!("{path}{suffix}")));
        if let Some(path) = lookup.first(all.clone().map(Some)) {
            return lookup.verdict(Severity::Warning, [Some(path)]);
        }
        let Some(wanted) = places.iter().flatten().next() else { return undecided("where the documents begin") };
        // Extensions write documents before they are read, mostly into a directory of their own.
        let text = self.configuration(site);
        let makes = ["apidoc", "autoapi", "autosummary", "breathe", "exhale", "gallery", "autodoc2", "def setup"];
        let is_made = makes.iter().any(|name| text.contains(name));
        if is_made && tree.kind(parent(wanted)).is_none() || is_word(&text, says.trim_start_matches(['.', '/'])) {
            return (Verdict::Unknown(Reason::Produced("a Sphinx extension".to_owned())), Vec::new());
        }
        // Another suffix than those that everyone has.
        if text.contains("source_suffix") || text.contains("source_parsers") {
            let name = crate::path::name(wanted);
            let is_other = |other: &String| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            if let Some(other) = tree.names(parent(wanted)).iter().find(|other| is_other(other)) {
                let path = crate::lookup::beside(wanted, other);
                return lookup.verdict(Severity::Warning, [Some(path)]);
            }
        }
        let (verdict, tried) = lookup.missing(Severity::Warning);
        match &verdict {
            // A name alone can be that of a document in another project.
            Verdict::Missing(missing)
                if missing.instead.is_none()
                    && kind == "doc"
                    && !says.contains('/')
                    && text.contains("intersphinx_mapping")
                    && only_neighbor(tree, wanted, |rest| SUFFIXES.contains(&rest)).is_none() =>
            {
                (Verdict::Unknown(Reason::Undecided("intersphinx".to_owned())), tried)
            }
            _ => (verdict, tried),
        }
    }

    /// What a pattern matches; that it matches nothing can be what is wanted.
    fn pattern(&self, places: &[Option<String>]) -> (Verdict, Vec<String>) {
        let Some(Some(pattern)) = places.first() else { return (Verdict::Unknown(Reason::Outside), Vec::new()) };
        for pattern in places.iter().flatten().flat_map(|place| [place.clone(), format!("{place}.*")]) {
            if let Ok(Some(path)) = glob::first_match(self.project.tree(), &pattern) {
                return (Verdict::Found(crate::checked::Target { path }), vec![pattern]);
            }
        }
        (Verdict::Unknown(Reason::Optional), vec![pattern.clone()])
    }

    /// The target of a link, which is a path only where a forge shows the document, and only with an extension.
    fn target(&self, says: &str) -> Option<(Verdict, Vec<String>)> {
        let path = crate::path::without_query(says);
        let is_file = matches!(
            extension(path).as_str(),
            "rst"
                | "md"
                | "txt"
                | "py"
                | "png"
                | "svg"
                | "jpg"
                | "yml"
                | "yaml"
                | "toml"
                | "json"
                | "c"
                | "h"
                | "rs"
                | "sh"
        );
        if !is_file || path.contains(char::is_whitespace) || path.starts_with('/') {
            return None;
        }
        let place = join(self.source.directory(), path);
        if self.is_sphinx() && place.as_deref().is_none_or(|place| self.project.tree().kind(place).is_none()) {
            // On a page it is an address.
            return Some((Verdict::Unknown(Reason::Undecided("the routes of the site".to_owned())), Vec::new()));
        }
        Some(Lookup::new(self.project, Want::Any).verdict(Severity::Warning, [place]))
    }
}

/// A path as seen from a directory of the sources, where steps beyond their root lead nowhere.
fn clamped(root: &str, directory: &str, says: &str) -> Option<String> {
    let mut below: Vec<&str> = directory.strip_prefix(root)?.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in says.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = below.pop(),
            name => below.push(name),
        }
    }
    join(root, &below.join("/"))
}

/// Whether a text has something as a whole word.
fn is_word(text: &str, word: &str) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    text.match_indices(word)
        .any(|(at, _)| ends(text[..at].chars().next_back()) && ends(text[at + word.len()..].chars().next()))
}
