//! Where `/x` leads: the roots of sites.

use crate::path::{join, parent};
use crate::project::Project;

/// Places below a site's root whose files are served from the root.
const SERVED: [&str; 4] = ["", "public", "static", "www"];

/// The directories of a file, from its own to the root.
pub(crate) fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(directory);
    std::iter::from_fn(move || {
        let here = next?;
        next = (!here.is_empty()).then(|| parent(here));
        Some(here)
    })
}

/// What `/x` can name in a file of this directory. The second is true if the site's root is known for sure.
pub(crate) fn candidates(project: &Project<'_>, directory: &str, path: &str) -> (Vec<Option<String>>, bool) {
    let root = vite(project, directory);
    let first = root.into_iter().flat_map(|root| SERVED.map(|below| (root, below)));
    let rest = ancestors(directory).flat_map(|root| SERVED.map(|below| (root, below)));
    let all = first.chain(rest).map(|(root, below)| join(&join(root, below)?, path)).collect();
    (all, root.is_some())
}

/// The nearest directory that Vite serves: it has a configuration that moves neither the root nor `public`.
fn vite<'d>(project: &Project<'_>, directory: &'d str) -> Option<&'d str> {
    let tree = project.tree();
    let config =
        |here: &str| ["ts", "js", "mts", "mjs", "cts", "cjs"].map(|end| join(here, &format!("vite.config.{end}")));
    for here in ancestors(directory) {
        if let Some(text) = config(here).into_iter().flatten().find_map(|path| tree.read(&path)) {
            let is_plain =
                !["publicDir", "root:", "root ", "middleware", "rewrite"].iter().any(|word| text.contains(word));
            // Vite serves the page that lies beside its configuration; what lies deeper is often a sample.
            return (is_plain && here == directory).then_some(here);
        }
        if let Some(text) = join(here, "package.json").and_then(|path| tree.read(&path)) {
            return (here == directory && text.contains("\"vite\"")).then_some(here);
        }
    }
    None
}
