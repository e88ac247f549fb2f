//! Where `/x` leads: the roots of sites.

use crate::checked::{Reason, Severity, Verdict};
use crate::lookup::{Lookup, Want};
use crate::path::{join, parent};
use crate::project::Project;
use crate::report::Resolution;
use crate::tree::Kind;

/// Places below a site's root whose files are served from the root.
const SERVED: [&str; 4] = ["", "public", "static", "www"];

/// Directories above a file that are looked at, beside the root. Trees that people make are less deep; in one of thousands of levels
/// every literal would ask for each of them.
const MAX_ANCESTORS: usize = 32;

/// The directories of a file, from its own upwards to the root; of more than [`MAX_ANCESTORS`] the nearest ones and the root.
pub(crate) fn ancestors(directory: &str) -> impl Iterator<Item = &str> {
    let above = std::iter::successors(Some(directory), |here| Some(parent(here)));
    above.take_while(|here| !here.is_empty()).take(MAX_ANCESTORS).chain([""])
}

/// The sites that a file can belong to: looked for once for each file.
pub(crate) struct Site {
    /// Directories whose files are served from the root, the likeliest first.
    served: Vec<String>,
    is_known: bool,
}

impl Site {
    /// Of a file in this directory.
    pub(crate) fn of(project: &Project, directory: &str) -> Self {
        let root = vite(project, directory);
        let roots = root.into_iter().chain(ancestors(directory));
        let all = roots.flat_map(|root| SERVED.map(|below| join(root, below))).flatten();
        let tree = project.tree();
        let mut served: Vec<String> = Vec::new();
        for path in all {
            if tree.kind(&path) == Some(Kind::Directory) && !served.contains(&path) {
                served.push(path);
            }
        }
        Self { served, is_known: root.is_some() }
    }

    /// The verdict on `/x`: missing only where the root is known for sure.
    pub(crate) fn verdict(&self, project: &Project, severity: Severity, path: &str) -> Resolution {
        let candidates = || self.served.iter().map(|root| join(root, path));
        let tree = project.tree();
        if self.is_known || candidates().flatten().any(|path| tree.kind(&path).is_some()) {
            return Lookup::new(project, Want::Any).verdict(severity, candidates());
        }
        // Why nothing is there does not matter then, and is dear to find out.
        let tried = candidates().flatten().collect();
        (Verdict::Unknown(Reason::Undecided("the site's root".to_owned())), tried)
    }
}

/// The nearest directory that Vite serves: it has a configuration that moves neither the root nor `public`.
fn vite<'d>(project: &Project, directory: &'d str) -> Option<&'d str> {
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
