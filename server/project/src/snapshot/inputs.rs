//! `SnapshotInputs`: the inputs of a run over the first root of a `WorkspaceSnapshot` beside the files that it reads: the
//! listing and uncommitted moves. Two runs with equal inputs, whose questions to the disk have equal answers, have the same result.

use pathfinder_core::history::CommitMoves;
use pathfinder_vfs::cache_file::digest;
use serde::{Deserialize, Serialize};

use super::WorkspaceSnapshot;
use super::root_history::{self, CutParts};

/// Digests of the listing and of uncommitted moves. The caller compares the position of git's history, which needs no
/// listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotInputs {
    listing: u128,
    moves: u128,
}

impl WorkspaceSnapshot {
    /// Returns the inputs that the first root was opened with, with all history up to this commit. `None` if opening it again
    /// may give another snapshot, because a time limit ended reading or the history is another one.
    pub fn inputs(&self, head: Option<&str>) -> Option<SnapshotInputs> {
        let (root, opened) = (&self.engine.roots()[0], &self.opened[0]);
        let history = &opened.history;
        let is_whole = !history.is_pending && history.cut == CutParts::default() && history.head.as_deref() == head;
        let moves = digest_moves(&history.uncommitted_moves);
        let is_off = opened.settings.history.is_zero();
        (is_off || is_whole).then(|| SnapshotInputs { listing: digest(&root.snapshot.to_image()), moves })
    }

    /// Returns the inputs of the first root of a snapshot without history, for which uncommitted moves are looked for. `None`
    /// if time did not suffice.
    pub fn present_inputs(&self) -> Option<SnapshotInputs> {
        let (root, opened) = (&self.engine.roots()[0], &self.opened[0]);
        let read = || root_history::uncommitted_in_time(&opened.root, &opened.settings, &root.snapshot);
        let (listing, (moves, is_cut)) = rayon::join(|| digest(&root.snapshot.to_image()), read);
        (!is_cut).then(|| SnapshotInputs { listing, moves: digest_moves(&moves) })
    }
}

fn digest_moves(moves: &[CommitMoves]) -> u128 {
    digest(format!("{moves:?}").as_bytes())
}
