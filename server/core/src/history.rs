//! The git history of missing paths: where they moved, or which commit deleted them.
//!
//! The server reads commits and passes each as [`CommitChanges`]. [`CommitMoves`] adds the directories that moved.
//! [`Renames`] indexes all commits; `history_lookup` asks it about the readings of a request.

mod date;
mod directories;
mod moves;
mod paths;
mod renames;

pub use date::{day, short_id, timestamp};
pub use moves::{CommitChanges, CommitMoves, DirectoryMove, Move, MoveEvidence};
pub use renames::{DirectoryRename, PathHistory, Renames};

#[cfg(test)]
mod tests;
