//! Lists git's index instead of walking: until the first walk is done, or for a tree whose files are fetched on demand.

use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use gix::index::entry::Mode;
use pathfinder_core::Kind;
use pathfinder_core::index::{Snapshot, WalkedEntries};

use super::super::git::{self, GitDir};
use super::super::roots::RootDir;
use super::super::walk::UnreadableDirs;
use super::super::{bytes, on_demand};
use super::stamp::{UNSURE, is_unchanged, stamp_following_links};
use super::{Listing, ListingSource};

/// Below this many files a walk takes no longer than reading the index: 10,000 files take some 40 ms.
const MIN_TRACKED_FILES: usize = 10_000;

/// Implements [`Listing::tracked`].
pub(super) fn list_tracked(root: &RootDir) -> Option<Listing> {
    // The listing of such a tree is the index anyway.
    if on_demand::reason(root).is_some() {
        return None;
    }
    let is_sparse =
        git::worktree_top(&root.canonical).and_then(GitDir::from_worktree).is_some_and(|git| git.is_sparse());
    build_listing(root, is_sparse, MIN_TRACKED_FILES, ListingSource::Tracked)
}

/// Lists a root whose files are fetched on demand; `None` if they are all on disk, or git has no index. While the index
/// is unchanged, so is the listing.
pub(super) fn list_on_demand(root: &RootDir, before: Option<&Listing>, now: SystemTime) -> Option<Listing> {
    let why = on_demand::reason(root)?;
    let git = git::worktree_top(&root.canonical).and_then(GitDir::from_worktree);
    let stamp = git.map_or(UNSURE, |git| stamp_following_links(&git.index_file(), now));
    let known = before
        .filter(|before| matches!(before.source, ListingSource::OnDemand(_, known) if is_unchanged(known, stamp)));
    // In such a tree even the left-out files of a sparse checkout appear on access.
    let listing = known.cloned().or_else(|| build_listing(root, false, 0, ListingSource::OnDemand(why, stamp)));
    if listing.is_none() {
        tracing::warn!(root = %root.given, why, "files are fetched on demand, but git has no index of them: the walk fetches directories");
    }
    listing
}

/// Lists git's index below a root, without left-out files if `is_sparse`; `None` if it has fewer than `min_files`
/// entries.
fn build_listing(root: &RootDir, is_sparse: bool, min_files: usize, source: ListingSource) -> Option<Listing> {
    let start = Instant::now();
    let (index, inside) = git::index_around(&root.canonical)?;
    let there = || index.entries().iter().filter(|entry| !is_sparse || !git::is_left_out(entry));
    if there().count() < min_files {
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
    let (unreadable, packages) = (UnreadableDirs::default(), Duration::ZERO);
    Some(Listing { snapshot, unreadable, source, read, packages, build, evidence: None, fingerprint: OnceLock::new() })
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::{list_on_demand, list_tracked};
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
        // In a virtual tree there is no walk to bridge.
        check_tracked("git config core.virtualFilesystem x", None);
    }

    /// The index is read again only when it has changed.
    #[test]
    fn rereads_a_changed_index_of_a_virtual_tree() {
        let tree = TestTree::new("$ git init -q\nout/a.rs\nweb/b.rs\n$ git add -A && git commit -qm one");
        // The clock is one hour ahead, so that no time is recent.
        let read = |before| list_on_demand(&tree.root(""), before, SystemTime::now() + Duration::from_hours(1));
        assert!(read(None).is_none());
        tree.run("git update-index --skip-worktree out/a.rs; git config core.sparseCheckout true; git config core.virtualfilesystem x");
        let first = read(None).expect("git's list");
        assert_eq!(first.snapshot.stats().files, 2);
        let again = read(Some(&first)).expect("git's list");
        assert_eq!((again.read, again.source), (first.read, first.source));
        tree.run("touch new.rs web/c.rs; git add new.rs; git rm -q --cached web/b.rs");
        let later = read(Some(&again)).expect("git's list");
        let paths =
            ["new.rs", "out/a.rs", "web/b.rs", "web/c.rs"].map(|path| later.snapshot.get(path.as_bytes()).is_some());
        assert_eq!(paths, [true, true, false, false]);
        tree.run("git config --unset core.virtualfilesystem");
        assert!(read(Some(&later)).is_none());
    }
}
