//! Trees whose files are fetched when somebody looks at them: a walk, or reading what is in them, would fetch everything.

use super::git::{self, GitDir};
use super::roots::RootDir;

/// What an `EdenFS` mount has in its top, and in each directory, though it is in no listing of one.
const EDEN: &str = ".eden/root";

/// Why the files of a root are of that kind, in words; `None` where they are simply there. Only what the root says of itself is
/// read: neither git nor the program that its configuration names is run.
pub(crate) fn reason(root: &RootDir) -> Option<&'static str> {
    let git = git::worktree_top(&root.canonical).and_then(GitDir::from_worktree);
    if git.is_some_and(|git| git.is_virtual()) {
        return Some("its git configuration has core.virtualFilesystem");
    }
    let is_eden = root.canonical.ancestors().any(|directory| directory.join(EDEN).is_symlink());
    is_eden.then_some("it is a mount of EdenFS")
}
