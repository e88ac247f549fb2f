//! Attacks on the built binary, as data: what a repository holds or a client sends, and what may come of it at most.
//!
//! `PATHFINDER_BIN` has another program attacked: that of an earlier commit shows that an attack is one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

mod bounded;
mod budget;
mod git_files;
mod hook_input;
mod hooks;
mod http;
mod lsp_text;
mod mcp;
mod project;
#[expect(dead_code, reason = "the end-to-end tests use the rest")]
#[path = "../e2e/run.rs"]
mod run;
mod server;
mod server_end;
#[expect(dead_code, reason = "the end-to-end tests use the rest")]
#[path = "../e2e/tree.rs"]
mod tree;
