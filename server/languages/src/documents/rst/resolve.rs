//! `SphinxDocument`: resolves the references of a document as Sphinx and docutils do.

use super::modules;
use super::scan::RstReference;
use crate::documents::doc_sites::{DocSite, DocSites, Generator, Includers};
use crate::documents::markdown::classify::is_placeholder;
use crate::documents::markdown::classify::suppress_if_detached;
use pathfinder_literals::path::{ancestors, extension, has_scheme, is_dynamic, is_within, join, parent};
use pathfinder_literals::report::find_inside;
use pathfinder_literals::typo::only_neighbor;
use pathfinder_literals::{
    Checked, Kind, Lookup, Project, Reason, Report, Severity, Source, Tree, Verdict, Want, glob,
};

/// Suffixes of Sphinx documents, besides those in the configuration.
const SUFFIXES: [&str; 8] = ["", ".rst", ".md", ".ipynb", ".txt", ".myst", ".mdx", ".rest"];

/// A document, and the Sphinx project that contains it, if any.
pub(crate) struct SphinxDocument<'p> {
    source: &'p Source<'p>,
    project: &'p Project,
    sphinx: Option<&'p DocSite>,
}

impl<'p> SphinxDocument<'p> {
    /// Finds the Sphinx project of the document.
    pub(crate) fn new(source: &'p Source<'p>, project: &'p Project) -> Self {
        let sites = project.index::<DocSites>().containing(project.tree(), source.path());
        let sphinx = sites.into_iter().find(|site| site.generator == Generator::Sphinx);
        Self { source, project, sphinx }
    }

    /// Returns whether the document belongs to a Sphinx project.
    pub(crate) fn is_in_sphinx(&self) -> bool {
        self.sphinx.is_some()
    }

    /// Returns whether the configuration names this suffix for documents.
    pub(super) fn has_suffix(&self, suffix: &str) -> bool {
        let Some(site) = self.sphinx else { return false };
        let text = self.configuration(site);
        let Some(at) = text.find("source_suffix") else { return false };
        text[at..].lines().take(6).any(|line| line.contains(suffix))
    }

    /// The text of a project's `conf.py`, or an empty string.
    fn configuration(&self, site: &DocSite) -> String {
        join(&site.directory, "conf.py").and_then(|path| self.project.tree().read(&path)).unwrap_or_default()
    }

    /// Returns whether a Makefile of a site, or one above it, has `sphinx-apidoc` write a document: it has the name of a module.
    fn has_apidoc(&self, site: &DocSite, document: &str) -> bool {
        let tree = self.project.tree();
        let runs = |directory: &str| {
            let text = join(directory, "Makefile").and_then(|path| tree.read_shared(&path));
            text.is_some_and(|text| text.contains("sphinx-apidoc"))
        };
        let path = document.trim_start_matches("./").replace('.', "/");
        let is_module = || {
            let files = [format!("{path}/__init__.py"), format!("{path}.py")];
            path == "modules" || files.iter().any(|file| self.project.find_by_suffix(file).is_some())
        };
        is_module() && ancestors(&site.directory).any(runs)
    }

    /// Adds one reference with its verdict.
    pub(crate) fn add(&self, reference: &RstReference<'_>, found: &mut Vec<Checked>) {
        let RstReference { kind, range, written } = reference;
        let (kind, written) = (*kind, *written);
        if written.is_empty()
            || has_scheme(written)
            || (written.starts_with('<') && written.ends_with('>'))
            || written == "self"
        {
            return;
        }
        let (verdict, tried) = if is_dynamic(written) || written.contains(['|', '{', '<', '$', '%']) {
            (Verdict::Unknown(Reason::Dynamic), Vec::new())
        } else {
            // The kinds of Markdown have the same second part.
            match kind.construct() {
                "target" => match self.resolve_target(written) {
                    Some(answer) => answer,
                    None => return,
                },
                "module" => match modules::resolve(self.project, self.source.directory(), written) {
                    Some(answer) => answer,
                    None => return,
                },
                construct @ ("toctree" | "doc") => self.resolve_document(construct, written),
                construct => self.resolve_file(construct, written),
            }
        };
        let verdict = match verdict {
            Verdict::Missing(_) if is_placeholder(written) => Verdict::Unknown(Reason::Elsewhere),
            // The page that shows this text is known: its paths are as certain as those of the page.
            verdict @ Verdict::Missing(_)
                if !matches!(kind.construct(), "target" | "module" | "toctree" | "doc")
                    && !self.shown_from().is_empty() =>
            {
                verdict
            }
            verdict => suppress_if_detached(self.source.path(), verdict),
        };
        Report::new(self.source, self.project, found).add(kind, range.start, range.len(), (verdict, tried));
    }

    /// The candidates of a target: relative to the document, or to each directory of the sources if it begins with
    /// `/`.
    fn candidates(&self, written: &str) -> Vec<Option<String>> {
        match (written.strip_prefix('/'), self.sphinx) {
            (Some(rest), Some(site)) => {
                let sources = site.sources(self.source.path());
                sources.iter().map(|source| join(source, rest)).collect()
            }
            (Some(_), None) => Vec::new(),
            (None, _) => vec![join(self.source.directory(), written)],
        }
    }

    /// Resolves a file that a directive or `:download:` reads.
    fn resolve_file(&self, construct: &str, written: &str) -> (Verdict, Vec<String>) {
        let severity = match construct {
            "include" | "literalinclude" | "csv-table" | "raw" => Severity::Error,
            _ => Severity::Warning,
        };
        if written.contains('\\') {
            // `a\ b.png` has a space. A fix would need such escapes as well, so that only what is there is said.
            return match self.resolve_file(construct, &written.replace("\\ ", " ").replace('\\', "")) {
                found @ (Verdict::Found(_), _) => found,
                (_, tried) => (Verdict::Unknown(Reason::Undecided("a path with escapes".to_owned())), tried),
            };
        }
        let mut candidates = self.candidates(written);
        if candidates.is_empty() {
            return (Verdict::Unknown(Reason::Undecided("where the documents begin".to_owned())), Vec::new());
        }
        if written.contains('*') {
            return self.resolve_pattern(&candidates);
        }
        if construct == "bibliography" {
            // Its settings name the files from where the documents begin.
            candidates.extend(self.candidates(&format!("/{}", written.trim_start_matches('/'))));
        }
        if matches!(construct, "image" | "figure") {
            let is_image = matches!(
                extension(written).as_str(),
                "png" | "jpg" | "jpeg" | "gif" | "svg" | "webp" | "pdf" | "eps" | "bmp" | "avif" | "ico"
            );
            if !is_image {
                return (Verdict::Unknown(Reason::Elsewhere), Vec::new());
            }
            candidates.extend(self.in_language(&candidates).into_iter().map(Some));
        }
        // To know what shows this text, all documents are read.
        if !candidates.iter().flatten().any(|path| self.project.tree().kind(path).is_some()) {
            candidates.extend(self.as_included(written, &[""]).into_iter().map(Some));
        }
        candidates.extend(self.beside_documents(written).map(Some));
        if let Some(missing) =
            find_inside(self.project, written, severity).filter(|_| candidates.iter().all(Option::is_none))
        {
            return (Verdict::Missing(missing), Vec::new());
        }
        let (verdict, tried) = Lookup::new(self.project, Want::File).verdict(severity, candidates);
        match &verdict {
            Verdict::Missing(missing) if missing.instead.is_none() && self.is_copied(&missing.wanted) => {
                (Verdict::Unknown(Reason::Produced("conf.py".to_owned())), tried)
            }
            // Sphinx says what the page lacks that shows this text.
            Verdict::Missing(missing) if missing.instead.is_none() && !written.starts_with('/') => {
                match self.shown_from().iter().find_map(|directory| join(directory, written)) {
                    Some(wanted) => Lookup::new(self.project, Want::File).verdict(severity, [Some(wanted)]),
                    None => (verdict, tried),
                }
            }
            _ => (verdict, tried),
        }
    }

    /// The file among documents that a name leads to from a page outside of them: a gallery copies the pages of its examples to
    /// a directory of the documents.
    fn beside_documents(&self, written: &str) -> Option<String> {
        /// Projects of documents that are asked; a repository has one or two.
        const MAX_PROJECTS: usize = 8;
        let tree = self.project.tree();
        let rest = written.trim_start_matches("../");
        if self.sphinx.is_some() || rest.len() == written.len() {
            return None;
        }
        let sites = self.project.index::<DocSites>().all(tree).iter();
        let paths = sites.filter(|site| site.generator == Generator::Sphinx).take(MAX_PROJECTS);
        let mut paths = paths.filter_map(|site| join(&site.directory, rest));
        paths.find(|path| tree.kind(path) == Some(Kind::File))
    }

    /// The files of images in the language of the project, which Sphinx reads in their place: `a.en.png` of `a.png`.
    fn in_language(&self, images: &[Option<String>]) -> Vec<String> {
        let Some(site) = self.sphinx else { return Vec::new() };
        let text = self.configuration(site);
        let assigned = text.lines().find_map(|line| line.strip_prefix("language")?.trim_start().strip_prefix('='));
        // Without a language, or with one that is computed, pages are in English.
        let quoted = assigned.and_then(|value| value.trim().strip_prefix(['"', '\''])?.split(['"', '\'']).next());
        let language = quoted.unwrap_or("en");
        let with_language =
            |image: &String| image.rsplit_once('.').map(|(stem, end)| format!("{stem}.{language}.{end}"));
        images.iter().flatten().filter_map(with_language).collect()
    }

    /// Returns whether the configuration copies files to the directory of a missing path. It must call a copy function and
    /// name the topmost missing directory, or the directory of the file, in a string.
    fn is_copied(&self, wanted: &str) -> bool {
        const CALLS: [&str; 6] = ["copy(", "copy2(", "copyfile(", "copytree(", "symlink", "urlretrieve("];
        let Some(site) = self.sphinx else { return false };
        let tree = self.project.tree();
        let mut ends = wanted.match_indices('/').map(|(at, _)| at);
        let missing = ends.find(|end| tree.kind(&wanted[..*end]).is_none());
        let directory = pathfinder_literals::path::name(missing.map_or(parent(wanted), |end| &wanted[..end]));
        // A neighbour that differs by a typo is the more likely target.
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

    /// The directories of the pages that show this document in the place of an include.
    fn shown_from(&self) -> &[String] {
        self.project.index::<Includers>().directories_of(self.source.path())
    }

    /// The files that a target names from the documents that include this one, or from a directory above: it is read in the
    /// place of the include.
    fn as_included(&self, written: &str, endings: &[&str]) -> Vec<String> {
        let tree = self.project.tree();
        let there = self.shown_from().iter().filter_map(|directory| join(directory, written));
        let there = there.flat_map(|path| endings.iter().map(move |ending| format!("{path}{ending}")));
        let there: Vec<String> = there.filter(|path| tree.kind(path).is_some()).collect();
        if !there.is_empty() {
            return there;
        }
        let above = ancestors(self.source.directory()).skip(1);
        let paths = above.filter(|_| !written.starts_with('/')).filter_map(|above| join(above, written));
        let files = paths.flat_map(|path| endings.iter().map(move |ending| format!("{path}{ending}")));
        let files: Vec<String> = files.filter(|path| tree.kind(path).is_some()).collect();
        let is_included = || self.project.index::<DocSites>().is_included(tree, self.source.path());
        if files.is_empty() || !is_included() { Vec::new() } else { files }
    }

    /// The verdict on a document that a commit moved from where a relative name leads.
    fn moved_document(&self, written: &str) -> Option<(Verdict, Vec<String>)> {
        let path = join(self.source.directory(), written).filter(|_| !written.starts_with('/'))?;
        let files = || SUFFIXES.iter().map(|suffix| format!("{path}{suffix}"));
        let tree = self.project.tree();
        // One with another ending is the document.
        let is_there = files().any(|file| tree.kind(&file) == Some(Kind::File));
        let file = files().find(|file| !is_there && tree.kind(file).is_none() && tree.moved(file).is_some())?;
        Some(Lookup::new(self.project, Want::File).verdict(Severity::Warning, [Some(file)]))
    }

    /// Resolves a document by its name without suffix.
    fn resolve_document(&self, construct: &str, written: &str) -> (Verdict, Vec<String>) {
        let undecided = |by: &str| (Verdict::Unknown(Reason::Undecided(by.to_owned())), Vec::new());
        let Some(site) = self.sphinx else {
            return self.moved_document(written).unwrap_or_else(|| undecided("where the documents begin"));
        };
        let written = written.strip_suffix("/").unwrap_or(written);
        let mut candidates = self.candidates(written);
        // A document name cannot leave the sources: excess `..` steps stop at their root.
        let is_inside = |path: &Option<String>| path.as_deref().is_some_and(|path| is_within(path, &site.directory));
        if !site.directory.is_empty() && !candidates.iter().any(is_inside) {
            candidates = vec![join_clamped(&site.directory, self.source.directory(), written)];
        }
        if written.starts_with("..") {
            // Below the root of another build the steps can lead to where the document moved.
            let tree = self.project.tree();
            let is_there =
                |path: &String| SUFFIXES.iter().any(|suffix| tree.kind(&format!("{path}{suffix}")).is_some());
            if !candidates.iter().flatten().any(is_there)
                && let Some(moved) = self.moved_document(written)
            {
                return moved;
            }
            let sources = site.sources(self.source.path());
            candidates
                .extend(sources.iter().skip(1).map(|source| join_clamped(source, self.source.directory(), written)));
        }
        if construct == "toctree" {
            // Sphinx removes the suffix of any document: `a.rst` names `a.md` as well.
            let stem =
                |path: &String| SUFFIXES[1..].iter().find_map(|suffix| path.strip_suffix(suffix)).map(str::to_owned);
            candidates.extend(candidates.clone().iter().flatten().filter_map(stem).map(Some));
            if glob::is_glob(written) {
                return self.resolve_pattern(&candidates);
            }
            // Sphinx generates `genindex`, `modindex` and `search`.
            if matches!(written, "genindex" | "modindex" | "search" | "py-modindex") {
                return (Verdict::Unknown(Reason::Produced("Sphinx".to_owned())), Vec::new());
            }
        }
        let mut lookup = Lookup::new(self.project, Want::File);
        let tree = self.project.tree();
        let all =
            candidates.iter().flatten().flat_map(|path| SUFFIXES.iter().map(move |suffix| format!("{path}{suffix}")));
        if let Some(path) = lookup.first(all.clone().map(Some)) {
            return lookup.verdict(Severity::Warning, [Some(path)]);
        }
        if let Some(path) = self.as_included(written, &SUFFIXES).into_iter().next() {
            return lookup.verdict(Severity::Warning, [Some(path)]);
        }
        let Some(wanted) = candidates.iter().flatten().next() else { return undecided("where the documents begin") };
        // Extensions generate documents before the build, mostly in directories of their own.
        let text = self.configuration(site);
        let makes = |names: &[&str]| names.iter().any(|name| text.contains(name));
        let is_generating = || {
            makes(&["apidoc", "autoapi", "exhale", "gallery", "autodoc2"])
                || makes(&["autosummary", "breathe", "def setup"]) && is_for_output(tree, &text, wanted)
        };
        // nbsite makes a document of each notebook in another directory.
        let is_of_notebook = || {
            let notebook = format!("{}.ipynb", pathfinder_literals::path::name(wanted));
            makes(&["nbsite"]) && self.project.find_by_suffix(&notebook).is_some()
        };
        if tree.kind(parent(wanted)).is_none() && is_generating()
            || is_of_notebook()
            || self.has_apidoc(site, written)
            || names_source(&text, written.trim_start_matches(['.', '/']))
        {
            // A document that a commit moved was no output.
            let tried: Vec<String> = all.take(SUFFIXES.len()).collect();
            return (Verdict::Unknown(Reason::Produced("a Sphinx extension".to_owned())), tried);
        }
        // The project can have other document suffixes.
        if text.contains("source_suffix") || text.contains("source_parsers") {
            let name = pathfinder_literals::path::name(wanted);
            let is_other = |other: &String| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            if let Some(other) = tree.names(parent(wanted)).iter().find(|other| is_other(other)) {
                let path = pathfinder_literals::path::sibling_path(wanted, other);
                return lookup.verdict(Severity::Warning, [Some(path)]);
            }
        }
        let (verdict, tried) = lookup.missing(Severity::Warning);
        match &verdict {
            // A bare name can be a document of another project.
            Verdict::Missing(missing)
                if missing.instead.is_none()
                    && construct == "doc"
                    && !written.contains('/')
                    && text.contains("intersphinx_mapping")
                    && only_neighbor(tree, wanted, |rest| SUFFIXES.contains(&rest)).is_none() =>
            {
                (Verdict::Unknown(Reason::Undecided("intersphinx".to_owned())), tried)
            }
            _ => (verdict, tried),
        }
    }

    /// Resolves a pattern. A pattern without match is not an error.
    fn resolve_pattern(&self, candidates: &[Option<String>]) -> (Verdict, Vec<String>) {
        let Some(Some(pattern)) = candidates.first() else { return (Verdict::Unknown(Reason::Outside), Vec::new()) };
        for pattern in candidates.iter().flatten().flat_map(|path| [path.clone(), format!("{path}.*")]) {
            if let Ok(Some(path)) = glob::first_match(self.project, &pattern) {
                return (Verdict::Found(pathfinder_literals::Target { path }), vec![pattern]);
            }
        }
        (Verdict::Unknown(Reason::Optional), vec![pattern.clone()])
    }

    /// Resolves the target of a link. It is a path only if a forge renders the document and it has an extension;
    /// `None` for others.
    fn resolve_target(&self, written: &str) -> Option<(Verdict, Vec<String>)> {
        let path = pathfinder_literals::path::without_query(written);
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
        let candidate = join(self.source.directory(), path);
        if self.is_in_sphinx()
            && candidate.as_deref().is_none_or(|candidate| self.project.tree().kind(candidate).is_none())
        {
            // On a page of a site, the target is an address.
            return Some((Verdict::Unknown(Reason::Undecided("the routes of the site".to_owned())), Vec::new()));
        }
        Some(Lookup::new(self.project, Want::Any).verdict(Severity::Warning, [candidate]))
    }
}

/// Joins a path to a directory of the sources; `..` steps beyond `root` have no effect.
fn join_clamped(root: &str, directory: &str, written: &str) -> Option<String> {
    let mut below: Vec<&str> = directory.strip_prefix(root)?.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in written.split('/') {
        match segment {
            "" | "." => {}
            ".." => _ = below.pop(),
            name => below.push(name),
        }
    }
    join(root, &below.join("/"))
}

/// Returns whether the first missing directory of a document has a name that people give to generated ones, or the configuration names it.
fn is_for_output(tree: &dyn Tree, configuration: &str, wanted: &str) -> bool {
    const OUTPUTS: [&str; 9] =
        ["_autosummary", "_gen", "_generated", "api", "autosummary", "gen", "generated", "reference", "stubs"];
    let ends = wanted.match_indices('/').map(|(at, _)| &wanted[..at]);
    let Some(missing) = ends.into_iter().find(|above| tree.kind(above).is_none()) else { return false };
    let name = pathfinder_literals::path::name(missing);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    OUTPUTS.contains(&name)
        || configuration.match_indices(name).any(|(at, _)| {
            let (before, after) = (&configuration[..at], &configuration[at + name.len()..]);
            !before.ends_with(is_part) && after.starts_with(['"', '\''])
        })
}

/// Returns whether a text names a document as a word. A page (`a.html`) is an output: redirects name pages without a document.
fn names_source(text: &str, document: &str) -> bool {
    let ends = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_' && c != '-');
    text.match_indices(document).any(|(at, _)| {
        let rest = &text[at + document.len()..];
        ends(text[..at].chars().next_back()) && ends(rest.chars().next()) && !rest.starts_with(".html")
    })
}
