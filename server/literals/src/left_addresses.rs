//! `LeftAddresses`: tells whether the address of a page that moved was only forgotten, from the other documents.
//!
//! A site whose configuration is elsewhere can have its redirects there, and then an old address works on. Documents that rely on them
//! keep old addresses; in others the new one is everywhere but where it was forgotten.

use memchr::memmem::Finder;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use crate::path::extension;
use crate::project::Project;
use crate::project_index::ProjectIndex;

/// Documents that are searched. The largest manuals of 600 repositories have half as many.
const MAX_DOCUMENTS: usize = 10_000;

/// Pages that moved of which this is asked; for each all documents are searched once.
const MAX_PAGES: usize = 64;

/// The uses of the pages that were asked for so far, by their earlier and later paths.
#[derive(Default)]
pub(crate) struct LeftAddresses(Mutex<FxHashMap<(String, String), AddressUse>>);

/// The uses of the addresses of one page in all documents.
#[derive(Clone, Debug, Default)]
struct AddressUse {
    /// The first two documents with the old address.
    old: Vec<String>,
    has_new: bool,
}

impl ProjectIndex for LeftAddresses {
    fn build(_project: &Project) -> Self {
        Self::default()
    }
}

impl LeftAddresses {
    /// Returns whether no document but one has the old address of a page, and some document has the new one.
    pub(crate) fn is_left(&self, project: &Project, file: &str, old: &str, new: &str) -> bool {
        let mut known = self.0.lock();
        let key = (old.to_owned(), new.to_owned());
        if !known.contains_key(&key) && known.len() >= MAX_PAGES {
            return false;
        }
        let uses = known.entry(key).or_insert_with(|| AddressUse::find(project, old, new));
        uses.has_new && uses.old.iter().all(|other| other == file)
    }
}

impl AddressUse {
    fn find(project: &Project, old: &str, new: &str) -> Self {
        let mut uses = Self::default();
        let Some((old, new)) = differing_ends(stem(old), stem(new)) else { return uses };
        let (old, new) = (Finder::new(old), Finder::new(new));
        let tree = project.tree();
        let is_document =
            |path: &&String| matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "rst" | "html");
        for path in tree.files().iter().filter(is_document).take(MAX_DOCUMENTS) {
            let Some(text) = tree.read_shared(path) else { continue };
            if old.find(text.as_bytes()).is_some() {
                uses.old.push(path.clone());
                if uses.old.len() > 1 {
                    break;
                }
            }
            uses.has_new = uses.has_new || new.find(text.as_bytes()).is_some();
        }
        uses
    }
}

/// A path of a page without its ending, or that of the directory of an index.
fn stem(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    ["/_index", "/index", "/README"].iter().find_map(|index| stem.strip_suffix(index)).unwrap_or(stem)
}

/// The shortest ends of two paths that differ in their first names; `None` if one is the end of the other.
fn differing_ends<'p>(old: &'p str, new: &'p str) -> Option<(&'p str, &'p str)> {
    let (mut old_start, mut new_start) = (old.len(), new.len());
    loop {
        let previous =
            |path: &str, end: usize| path[..end.checked_sub(1)?].rfind('/').map_or(Some(0), |at| Some(at + 1));
        let (one, other) = (previous(old, old_start)?, previous(new, new_start)?);
        let differ = old[one..old_start] != new[other..new_start];
        (old_start, new_start) = (one, other);
        if differ {
            // A name alone stands in prose as well.
            let is_pair = |end: &str| end.contains('/');
            let with_parent = |path: &'p str, start: usize| match previous(path, start) {
                Some(above) if !is_pair(&path[start..]) => &path[above..],
                _ => &path[start..],
            };
            return Some((with_parent(old, old_start), with_parent(new, new_start)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::differing_ends;

    #[track_caller]
    fn check(old: &str, new: &str, expect: Option<(&str, &str)>) {
        assert_eq!(differing_ends(old, new), expect, "{old} {new}");
    }

    #[test]
    fn finds_where_paths_differ() {
        check("a/keys/b/c", "a/more/keyring/b/c", Some(("keys/b/c", "keyring/b/c")));
        check("a/old", "a/new", Some(("a/old", "a/new")));
        check("old", "new", Some(("old", "new")));
        check("b/c", "a/b/c", None);
    }
}
