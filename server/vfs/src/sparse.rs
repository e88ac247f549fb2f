//! `SparseCheckout`: tells whether a missing path is in the newest commit but left out by a sparse checkout. Called by
//! `DiskProbe::is_left_out`.
//!
//! The commit's trees are read instead of the index: a sparse index lacks the names below a directory that it leaves
//! out, and reading a large index takes a second.

use std::path::PathBuf;

use gix::bstr::ByteSlice as _;
use ignore::gitignore::GitignoreBuilder;
use pathfinder_core::RelPath;

use super::git::{self, GitDir};
use super::history::RepoLocation;
use super::roots::RootDir;
use super::{bytes, regular_file};

/// Size limit of the patterns: ten thousand directories take half a megabyte.
const MAX_PATTERNS_BYTES: u64 = 16 * 1024 * 1024;

/// The sparse checkout of a root, if it is one. Nothing is read before the first question.
#[derive(Debug)]
pub(super) struct SparseCheckout {
    root: RootDir,
}

impl SparseCheckout {
    /// Creates it without reading anything.
    pub(super) fn new(root: &RootDir) -> Self {
        Self { root: root.clone() }
    }

    /// Returns whether a missing path (relative to the root) is left out by the sparse checkout.
    pub(super) fn is_left_out(&self, path: &[u8]) -> bool {
        !path.is_empty() && self.find_left_out(path).unwrap_or(false)
    }

    fn find_left_out(&self, path: &[u8]) -> Option<bool> {
        let top = git::worktree_top(&self.root.canonical).filter(|top| git::may_be_sparse(top))?;
        let git = GitDir::from_worktree(top)?;
        let patterns = git.sparse_patterns();
        // Checked first, because few repositories have the file.
        if !patterns.metadata().is_ok_and(|entry| entry.is_file() && entry.len() <= MAX_PATTERNS_BYTES)
            || !git.is_sparse()
        {
            return None;
        }
        let location = RepoLocation::find(&self.root)?;
        let full = RelPath::new(bytes::join(&location.inside.join(&b'/'), path));
        let is_directory = is_committed_directory(&location, &full)?;
        Some(!is_wanted(top.to_path_buf(), &patterns, &full, is_directory)?)
    }
}

/// Returns true if the newest commit has a directory at a path (relative to the worktree's top), false if it has
/// another entry; `None` if it has nothing.
fn is_committed_directory(location: &RepoLocation, path: &RelPath) -> Option<bool> {
    let repository = location.open()?;
    let head = location.head(&repository)?;
    let tree = repository.find_commit(head).ok()?.tree().ok()?;
    let entry = tree.lookup_entry(path.as_bytes().split_str("/")).ok()??;
    Some(entry.mode().is_tree())
}

/// Returns whether the patterns include a path. They have the syntax of ignore files, and a match means checked out.
fn is_wanted(top: PathBuf, patterns: &std::path::Path, path: &RelPath, is_directory: bool) -> Option<bool> {
    let text = regular_file::read(patterns, MAX_PATTERNS_BYTES).ok()?;
    let mut builder = GitignoreBuilder::new(top);
    for line in text.lines() {
        // An invalid pattern matches nothing, as in git.
        _ = builder.add_line(None, line.to_str().ok()?);
    }
    let patterns = builder.build().ok()?;
    Some(patterns.matched_path_or_any_parents(bytes::to_path(path.as_bytes())?, is_directory).is_ignore())
}

#[cfg(all(test, unix))]
mod tests {
    use super::SparseCheckout;
    use crate::testing::TestTree;

    /// Runs commands in a repository and checks which files of its commit a root leaves out.
    #[track_caller]
    fn check(commands: &str, root: &str, expect: &str) {
        let tree = TestTree::new(
            "a.rs\nweb/a.rs\nweb/ui/a.rs\napi/a.rs\napi/v1/a.rs\n$ git init -q && git add -A && git commit -qm 1",
        );
        tree.run(commands);
        let sparse = SparseCheckout::new(&tree.root(root));
        let all = [
            "a.rs",
            "web",
            "web/a.rs",
            "web/ui",
            "web/ui/a.rs",
            "api",
            "api/a.rs",
            "api/v1/a.rs",
            "v1/a.rs",
            "api/none.rs",
        ];
        let left_out = all.into_iter().filter(|path| sparse.is_left_out(path.as_bytes()));
        assert_eq!(left_out.collect::<Vec<_>>().join(" "), expect, "{commands}");
    }

    #[test]
    fn finds_left_out_paths() {
        check("true", "", "");
        for how in ["--no-sparse-index", "--sparse-index"] {
            let set = format!("git sparse-checkout set --cone {how}");
            check(&format!("{set} web"), "", "api api/a.rs api/v1/a.rs");
            check(&format!("{set} web; mkdir api"), "api", "a.rs v1/a.rs");
            check(&format!("{set} web/ui"), "", "api api/a.rs api/v1/a.rs");
            check(&format!("{set} api/v1"), "api", "");
            check(&format!("{set} web; rm a.rs web/a.rs"), "", "api api/a.rs api/v1/a.rs");
            check(&format!("{set} web; git sparse-checkout disable"), "", "");
        }
        check(
            "git sparse-checkout set --no-cone /web/ '!/web/ui'",
            "",
            "a.rs web/ui web/ui/a.rs api api/a.rs api/v1/a.rs",
        );
        check("git sparse-checkout set --cone web; : > .git/HEAD", "", "");
    }
}
