//! What git's history says about paths that are gone: where they went, or which commit deleted them.
//!
//! An edge reads commits and gives each as [`CommitChanges`]. [`CommitMoves`] is what a commit says about
//! paths, with the directories that moved as a whole. [`Renames`] is what all of them say together.

mod date;
mod directories;
mod moves;
mod paths;
mod renames;

pub use date::{day, moment, short_id};
pub use moves::{By, CommitChanges, CommitMoves, DirectoryMove, Move};
pub use renames::{DirectoryRename, PathHistory, Renames};

#[cfg(test)]
mod tests;
