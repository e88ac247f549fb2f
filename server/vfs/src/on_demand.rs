//! Detects trees whose files are fetched on access (VFS for Git, `EdenFS`). Walking or reading such a tree would fetch
//! all of it, so `listing` and `snapshot` avoid that.

use super::git::{self, GitDir};
use super::roots::RootDir;

/// A link that an `EdenFS` mount has in every directory, although no listing shows it.
const EDEN: &str = ".eden/root";

/// Returns the reason in words why the files of a root are fetched on demand; `None` if they are all on disk. Only the
/// root's own configuration is read. Neither git nor the program that it names is run.
pub(crate) fn reason(root: &RootDir) -> Option<&'static str> {
    let git = git::worktree_top(&root.canonical).and_then(GitDir::from_worktree);
    if git.is_some_and(|git| git.is_virtual()) {
        return Some("its git configuration has core.virtualFilesystem");
    }
    let is_eden = root.canonical.ancestors().any(|directory| directory.join(EDEN).is_symlink());
    is_eden.then_some("it is a mount of EdenFS")
}
