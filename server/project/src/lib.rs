//! Loaded roots: snapshots, live workspaces, settings, and the questions that several edges ask.

pub mod contents;
pub mod find;
mod grep;
pub mod path_mentions;
pub mod retry;
pub mod settings;
pub mod similarity;
pub mod snapshot;
pub mod symbols;
pub mod workspace;
