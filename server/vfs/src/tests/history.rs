//! Tests of reading git's history, on repositories that git itself makes.

mod cache;
mod degraded;
mod read;

use std::path::Path;
use std::time::Duration;

use pathfinder_core::history::{MoveEvidence, PathHistory, short_id};

use super::super::history::{self, GitHistory};
use crate::testing::TestTree;

/// Longer than any of these small histories takes, even on a machine that is busy.
const AMPLE: Duration = Duration::from_mins(1);

/// Shell functions for the commands of a test's tree.
///
/// `c NAME` commits everything on the next day of 2026 and tags the commit.
const GIT: &str = r#"
    c() {
        day=$(( $(cat .git/day 2>/dev/null || echo 0) + 1 )); echo $day > .git/day
        date=$(printf '2026-01-%02dT12:00:00Z' $day)
        git add -A
        GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git commit -q --allow-empty -m "$1"
        git tag -f "$1" >/dev/null
    }
    # A file of several lines that no other name's file resembles.
    f() { for path; do mkdir -p "$(dirname "$path")"; for i in 1 2 3 4 5 6 7 8; do echo "$path line $i"; done > "$path"; done; }
    m() { mkdir -p "$(dirname "$2")"; git mv "$1" "$2"; }
"#;

/// Creates a repository with these commands.
fn repository(commands: &str) -> TestTree {
    // Clones and linked worktrees inside of it are ignored.
    let tree = TestTree::new("$ git init -q -b main . && printf '/clone\\n/linked\\n' > .git/info/exclude");
    git(&tree, commands);
    tree
}

fn git(tree: &TestTree, commands: &str) {
    tree.run(&format!("{GIT}\n{commands}"));
}

/// Reads the whole history of a directory in the tree, without a cache.
fn read(tree: &TestTree, root: &str) -> GitHistory {
    history::load_or_read(&tree.root(root), None, history::HistoryScope::All, AMPLE, &|| false)
}

/// Reads the whole history with a cache directory.
fn read_with(tree: &TestTree, root: &str, cache: &Path, budget: Duration) -> GitHistory {
    history::load_or_read(&tree.root(root), Some(cache), history::HistoryScope::All, budget, &|| false)
}

/// Returns the commit id of a name.
fn id(tree: &TestTree, name: &str) -> String {
    let output = std::process::Command::new("git").args(["rev-parse", name]).current_dir(tree.path("")).output();
    String::from_utf8(output.expect("git").stdout).expect("digits").trim().to_owned()
}

/// Checks rows `path => target (tag)`, `path => deleted (tag)` or `path => -`; `~` if only the directory's move is
/// known. Existing paths are not considered: in a linear history that makes no difference.
#[track_caller]
fn check(tree: &TestTree, history: &GitHistory, expected: &str) {
    for row in expected.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let (path, wanted) = row.split_once(" => ").expect(row);
        let wanted = match wanted.split_once(" (") {
            Some((place, tag)) => format!("{place} ({})", short_id(&id(tree, tag.trim_end_matches(')')))),
            None => wanted.to_owned(),
        };
        let mark = |by| if by == MoveEvidence::Directory { "~" } else { "" };
        let found = match history.renames.look_up(&path.into(), |_| false) {
            None => "-".to_owned(),
            Some(PathHistory::Moved { to, commit, by, .. }) => {
                format!("{}{} ({})", mark(by), to.text(), short_id(&commit))
            }
            Some(PathHistory::Deleted { commit, by, .. }) => format!("{}deleted ({})", mark(by), short_id(&commit)),
        };
        assert_eq!(found, wanted, "{path}");
    }
}
