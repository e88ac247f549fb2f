//! Lists git's index until the first walk is done.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use gix::index::entry::Mode;
use pathfinder_core::Kind;
use pathfinder_core::index::{Snapshot, WalkedEntries};

use super::super::bytes;
use super::super::git::{self, GitDir};
use super::super::roots::RootDir;
use super::super::walk::UnreadableDirs;
use super::{Listing, ListingSource};

/// Below this many files a walk takes no longer than reading the index: 10,000 files take some 40 ms.
const MIN_TRACKED_FILES: usize = 10_000;

/// Implements [`Listing::tracked`].
pub(super) fn list_tracked(root: &RootDir) -> Option<Listing> {
    let is_sparse =
        git::worktree_top(&root.canonical).and_then(GitDir::from_worktree).is_some_and(|git| git.is_sparse());
    build_listing(root, is_sparse)
}

/// Lists git's index below a root, without left-out files if `is_sparse`; `None` if it has fewer than
/// [`MIN_TRACKED_FILES`] entries.
fn build_listing(root: &RootDir, is_sparse: bool) -> Option<Listing> {
    let start = Instant::now();
    let (index, inside) = git::index_around(&root.canonical)?;
    let there = || index.entries().iter().filter(|entry| !is_sparse || !git::is_left_out(entry));
    if there().count() < MIN_TRACKED_FILES {
        return None;
    }
    let mut found = WalkedEntries::default();
    for entry in there() {
        let Some(path) = entry.path(&index).strip_prefix(inside.as_slice()) else { continue };
        let kind = match entry.mode {
            Mode::SYMLINK => Kind::Symlink,
            Mode::COMMIT | Mode::DIR => Kind::Directory,
            _ => Kind::File,
        };
        // An entry for a whole directory ends in a slash.
        let (directory, name) = bytes::split(path.strip_suffix(b"/").unwrap_or(path));
        found.push(directory, name, kind);
    }
    let read = start.elapsed();
    let started = Instant::now();
    let snapshot = Snapshot::build(&[found], Vec::new());
    let build = started.elapsed();
    let (unreadable, packages, source) = (UnreadableDirs::default(), Duration::ZERO, ListingSource::Tracked);
    Some(Listing { snapshot, unreadable, source, read, packages, build, evidence: None, fingerprint: OnceLock::new() })
}

#[cfg(all(test, unix))]
mod tests {
    use super::list_tracked;
    use crate::testing::TestTree;

    /// Checks which files of a large index are listed after these commands.
    #[track_caller]
    fn check_tracked(commands: &str, expect: Option<&str>) {
        let tree = TestTree::new("$ git init -q\nout/a.rs\nweb/b.rs\n$ git add -A && git commit -qm one");
        tree.run("for i in $(seq 9999); do printf '100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\\tweb/%s.rs\\n' $i; done | git update-index --index-info");
        tree.run(commands);
        let listing = list_tracked(&tree.root("")).map(|listing| listing.snapshot);
        let has = |path: &str| listing.as_ref().is_some_and(|listing| listing.get(path.as_bytes()).is_some());
        let seen = ["out", "out/a.rs", "web/b.rs", "web/9999.rs"].into_iter().filter(|path| has(path));
        let seen = listing.is_some().then(|| seen.collect::<Vec<_>>().join(" "));
        assert_eq!(seen.as_deref(), expect, "{commands}");
    }

    #[test]
    fn omits_left_out_files_of_sparse_checkouts() {
        check_tracked("true", Some("out out/a.rs web/b.rs web/9999.rs"));
        let left_out = "git update-index --skip-worktree out/a.rs";
        check_tracked(left_out, Some("out out/a.rs web/b.rs web/9999.rs"));
        check_tracked(&format!("{left_out}; git config core.sparseCheckout true"), Some("web/b.rs web/9999.rs"));
        let more = "git update-index --skip-worktree web/b.rs; git config core.sparseCheckout true";
        check_tracked(&format!("{left_out}; {more}"), None);
    }
}
