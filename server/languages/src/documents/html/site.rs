//! `SiteRoots`: resolves `/x` from the roots of the sites around a file.

use pathfinder_literals::path::{ancestors, extension, join, name};
use pathfinder_literals::report::find_moved_target;
use pathfinder_literals::{Kind, Lookup, Project, Reason, Resolution, Severity, Verdict, Want};

/// Directories below a site's root whose files are served from the root.
const SERVED_DIRECTORIES: [&str; 4] = ["", "public", "static", "www"];

/// The site roots that a file can belong to, found once for each file.
pub(crate) struct SiteRoots {
    /// Directories whose files are served from the root, the likeliest first.
    served: Vec<String>,
    /// True if a configuration proves which directory is the root.
    is_known: bool,
    /// Vite's configuration beside the page, if there is one: its plugins can write files to the root.
    config: Option<String>,
}

impl SiteRoots {
    /// Finds the site roots of a file in `directory`.
    pub(crate) fn new(project: &Project, directory: &str) -> Self {
        let root = find_vite_root(project, directory);
        let config = root.and_then(|root| find_vite_config(project, root));
        let roots = root.into_iter().chain(ancestors(directory));
        let all = roots.flat_map(|root| SERVED_DIRECTORIES.map(|below| join(root, below))).flatten();
        let tree = project.tree();
        let mut served: Vec<String> = Vec::new();
        for path in all {
            if tree.kind(&path) == Some(Kind::Directory) && !served.contains(&path) {
                served.push(path);
            }
        }
        Self { served, is_known: root.is_some(), config }
    }

    /// Resolves `/x`. It is missing only if the root is known.
    pub(crate) fn resolve(&self, project: &Project, severity: Severity, path: &str) -> Resolution {
        let candidates = || self.served.iter().map(|root| join(root, path));
        let tree = project.tree();
        if self.is_known
            && let Some(config) = self.config.as_ref().filter(|config| can_make(project, config, path))
            && !candidates().flatten().any(|path| tree.kind(&path).is_some())
        {
            return (Verdict::Unknown(Reason::Produced(config.clone())), candidates().flatten().collect());
        }
        if self.is_known || candidates().flatten().any(|path| tree.kind(&path).is_some()) {
            return Lookup::new(project, Want::Any).verdict(severity, candidates());
        }
        // A file that a commit moved was at the site's root, wherever that is. Servers redirect pages only.
        let is_page = matches!(extension(path).as_str(), "" | "htm" | "html" | "md" | "php" | "xhtml");
        if !is_page && let Some(outcome) = find_moved_target(project, Want::Any, severity, path, candidates()) {
            return outcome;
        }
        // Without a known root, the reason does not matter and is expensive to find.
        let tried = candidates().flatten().collect();
        (Verdict::Unknown(Reason::Undecided("the site's root".to_owned())), tried)
    }
}

/// The nearest directory that Vite serves, unless its configuration moves the root or `public`.
fn find_vite_root<'d>(project: &Project, directory: &'d str) -> Option<&'d str> {
    let tree = project.tree();
    for here in ancestors(directory) {
        if let Some(text) = find_vite_config(project, here).and_then(|path| tree.read_shared(&path)) {
            let is_plain =
                !["publicDir", "root:", "root ", "middleware", "rewrite"].iter().any(|word| text.contains(word));
            // Vite serves the page beside its configuration; a page below it is often a sample.
            return (is_plain && here == directory).then_some(here);
        }
        if let Some(text) = join(here, "package.json").and_then(|path| tree.read_shared(&path)) {
            return (here == directory && text.contains("\"vite\"")).then_some(here);
        }
    }
    None
}

/// The configuration of Vite in a directory.
fn find_vite_config(project: &Project, here: &str) -> Option<String> {
    let ends = ["ts", "js", "mts", "mjs", "cts", "cjs"];
    let paths = ends.iter().filter_map(|end| join(here, &format!("vite.config.{end}")));
    paths.into_iter().find(|path| project.tree().kind(path).is_some())
}

/// Returns whether a plugin of a configuration may make a file: the configuration has its stem, as `manifest: {}` of a web
/// application has that of `manifest.webmanifest`.
fn can_make(project: &Project, config: &str, path: &str) -> bool {
    // Shorter stems are parts of many words, and every configuration has `vite`.
    const MIN_STEM_BYTES: usize = 5;
    let file = name(path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    stem.len() >= MIN_STEM_BYTES && project.tree().read_shared(config).is_some_and(|text| text.contains(stem))
}
