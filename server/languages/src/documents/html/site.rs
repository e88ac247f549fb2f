//! `SiteRoots`: resolves `/x` from the roots of the sites around a file.

use pathfinder_literals::path::{ancestors, extension, join};
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
}

impl SiteRoots {
    /// Finds the site roots of a file in `directory`.
    pub(crate) fn new(project: &Project, directory: &str) -> Self {
        let root = find_vite_root(project, directory);
        let roots = root.into_iter().chain(ancestors(directory));
        let all = roots.flat_map(|root| SERVED_DIRECTORIES.map(|below| join(root, below))).flatten();
        let tree = project.tree();
        let mut served: Vec<String> = Vec::new();
        for path in all {
            if tree.kind(&path) == Some(Kind::Directory) && !served.contains(&path) {
                served.push(path);
            }
        }
        Self { served, is_known: root.is_some() }
    }

    /// Resolves `/x`. It is missing only if the root is known.
    pub(crate) fn resolve(&self, project: &Project, severity: Severity, path: &str) -> Resolution {
        let candidates = || self.served.iter().map(|root| join(root, path));
        let tree = project.tree();
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
    let config =
        |here: &str| ["ts", "js", "mts", "mjs", "cts", "cjs"].map(|end| join(here, &format!("vite.config.{end}")));
    for here in ancestors(directory) {
        if let Some(text) = config(here).into_iter().flatten().find_map(|path| tree.read_shared(&path)) {
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
