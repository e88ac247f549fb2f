//! `SharedLinks`: tells links that several documents have alike, each from a directory of its own.
//!
//! Readmes of parts that a program collects into one directory have links from there: `./shared/access.md` is beside none of them, and
//! where they are put it is. One document with such a link is wrong, several in different directories are meant for another place.

use std::collections::BTreeSet;

use memchr::memmem::Finder;
use parking_lot::Mutex;
use pathfinder_literals::path::{extension, is_within, parent};
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

/// Directories of documents that have the same link; two can share a mistake that was copied.
const MIN_DIRECTORIES: usize = 3;
/// Documents that are searched for a link.
const MAX_DOCUMENTS: usize = 10_000;
/// Links that are searched for; for each all documents are searched once.
const MAX_LINKS: usize = 64;

/// The answers so far, by the link as it is written.
#[derive(Default)]
pub(super) struct SharedLinks(Mutex<FxHashMap<String, bool>>);

impl ProjectIndex for SharedLinks {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl SharedLinks {
    /// Returns whether documents of several directories have a link to a path below their own, which another directory has that is not
    /// above this one: a copied link to the root is wrong.
    pub(super) fn is_for_other_place(&self, project: &Project, directory: &str, written: &str, path: &str) -> bool {
        let plain = path.trim_start_matches("./");
        let base = |place: &'_ str| place.strip_suffix(plain).map(|base| base.trim_end_matches('/').to_owned());
        let is_below = !plain.starts_with("../") && plain.contains('/');
        let place = is_below.then(|| project.find_by_suffix(plain)).flatten().and_then(base);
        if place.is_none_or(|base| base.is_empty() || is_within(directory, &base)) {
            return false;
        }
        let mut known = self.0.lock();
        if !known.contains_key(written) && known.len() >= MAX_LINKS {
            return false;
        }
        *known.entry(written.to_owned()).or_insert_with(|| has_directories(project, written))
    }
}

/// Returns whether documents in several directories have a link.
fn has_directories(project: &Project, written: &str) -> bool {
    let link = format!("]({written}");
    let link = Finder::new(&link);
    let tree = project.tree();
    let mut directories: BTreeSet<&str> = BTreeSet::new();
    let is_document = |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "markdown");
    for path in tree.files().iter().filter(is_document).take(MAX_DOCUMENTS) {
        let has_link = || tree.read_shared(path).is_some_and(|text| link.find(text.as_bytes()).is_some());
        if !directories.contains(parent(path)) && has_link() {
            directories.insert(parent(path));
            if directories.len() >= MIN_DIRECTORIES {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn leaves_links_of_collected_documents() {
        let readme = |name: &str| format!("plugins/{name}/README.md = [a](./shared/a%20b.md) [b](./shared/c.md)\n");
        let tree = format!("web/docs/shared/a b.md\nweb/docs/x.md\n{}{}", readme("one"), readme("two"));
        check(
            &tree,
            "plugins/three/README.md",
            "[a](./shared/a%20b.md) [b](./shared/none.md)\n",
            "md.link ./shared/a%20b.md → unknown undecided\nmd.link ./shared/none.md → missing",
        );
        let tree = "shared/c.md\na/one/README.md = [b](shared/c.md)\na/two/README.md = [b](shared/c.md)";
        check(tree, "a/three/README.md", "[b](shared/c.md)\n", "md.link shared/c.md → missing");
    }
}
