//! Loaded roots: snapshots, live workspaces, settings, and the questions that several edges ask.

#![cfg_attr(
    test,
    expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests write files and look at the clock")
)]

mod asked_directories;
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
