//! Converts rename events to moves, which the history knows before they are committed.

use std::path::{Path, PathBuf};

use pathfinder_core::history::{CommitMoves, DirectoryMove, Move, MoveEvidence};
use pathfinder_core::index::Snapshot;
use pathfinder_core::{Kind, RelPath};

use pathfinder_vfs::clock::unix_time;

/// Most files of a moved directory with a move of their own; the directory's move covers the rest.
const MAX_FILES: usize = 10_000;

/// Returns the moves below a root among these renames (from, to: absolute, in order), if there are any. The target must be
/// new and the source gone: editors save files by renaming, which moves no file.
pub(super) fn find(
    root: &Path,
    before: &Snapshot,
    now: &Snapshot,
    renamed: &[(PathBuf, PathBuf)],
) -> Option<CommitMoves> {
    let mut moves = CommitMoves { seconds: unix_time(), ..CommitMoves::default() };
    for (from, to) in renamed {
        let relative = |path: &Path| {
            Some(pathfinder_vfs::bytes::from_os_str(path.strip_prefix(root).ok()?.as_os_str()).into_owned())
        };
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
    Move { from: RelPath::new(from), to: RelPath::new(to), by: MoveEvidence::File }
}
