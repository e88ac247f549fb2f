//! What was seen to be renamed: it is known to the history before it is committed.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use pathfinder_core::history::{By, CommitMoves, DirectoryMove, Move};
use pathfinder_core::index::Snapshot;
use pathfinder_core::{Kind, RelPath};

/// Files of one directory that are followed at most: beyond that the directory's own move leads to them.
const MAX_FILES: usize = 10_000;

/// The moves among these renamings (from, to: absolute, in their order) below a root; `None` if there are none. What has been
/// there before, or is gone again, was no move of a file that anybody named: editors save in that way.
pub(super) fn find(
    root: &Path,
    before: &Snapshot,
    now: &Snapshot,
    renamed: &[(PathBuf, PathBuf)],
) -> Option<CommitMoves> {
    let mut moves = CommitMoves { seconds: unix_time(), ..CommitMoves::default() };
    for (from, to) in renamed {
        let relative = |path: &Path| Some(crate::os::bytes::of(path.strip_prefix(root).ok()?.as_os_str()).into_owned());
        let (Some(from), Some(to)) = (relative(from), relative(to)) else { continue };
        let (Some(was), Some(is)) = (before.get(&from), now.get(&to)) else { continue };
        if now.get(&from).is_some() || before.get(&to).is_some() || was != is {
            continue;
        }
        if was == Kind::Directory {
            let files = before.entries_below(&from).into_iter().filter(|(_, kind)| *kind != Kind::Directory);
            for (file, _) in files.take(MAX_FILES) {
                let there = [&to, &file[from.len()..]].concat();
                if now.get(&there).is_some() {
                    moves.moves.push(file_move(&file, &there));
                }
            }
            let (from, to) = (RelPath::new(from), Some(RelPath::new(to)));
            moves.directories.push(DirectoryMove { from, to, whole: true });
        } else {
            moves.moves.push(file_move(&from, &to));
        }
    }
    moves.moves.sort();
    moves.directories.sort();
    (!moves.is_empty()).then_some(moves)
}

fn file_move(from: &[u8], to: &[u8]) -> Move {
    Move { from: RelPath::new(from), to: RelPath::new(to), by: By::File }
}

fn unix_time() -> i64 {
    // Before 1970 nothing was committed.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
