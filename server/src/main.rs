//! `pathfinder`: runs the command line.
//!
//! stdout belongs to the protocol of the command (paths, JSON lines); logs and notes go to stderr.

mod bench;
mod check;
mod cli;
mod command_line;
mod contents;
mod find;
mod fix;
#[cfg(test)]
#[path = "../../tests/fuzz/driver.rs"]
mod fuzz;
mod hook;
mod lsp;
mod mcp;
mod os;
mod parent;
mod path_mentions;
mod printable;
mod retry;
mod root_diagnostics;
mod settings;
mod share;
mod similarity;
mod snapshot;
mod suggestion;
mod symbols;
mod uri;
mod wire;
mod workspace;
mod writer;

use std::process::ExitCode;

fn main() -> ExitCode {
    os::memory::return_large_blocks();
    cli::run(std::env::args_os()).into()
}
