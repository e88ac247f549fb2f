//! `pathfinder completions` and `pathfinder man`: made from the command line's own description.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::Args;
use super::{Exit, write_bytes};

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "pathfinder", &mut script);
    write_bytes(&script)?;
    Ok(Exit::Answered)
}

/// Prints the manual page.
pub(crate) fn man() -> anyhow::Result<Exit> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Args::command()).render(&mut page)?;
    write_bytes(&page)?;
    Ok(Exit::Answered)
}
