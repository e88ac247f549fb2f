//! `pathfinder`: runs the command line.
//!
//! stdout belongs to the protocol of the command (paths, JSON lines); logs and notes go to stderr.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    pathfinder_vfs::memory::return_large_blocks();
    cli::run(std::env::args_os()).into()
}
