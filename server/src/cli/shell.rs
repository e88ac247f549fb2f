//! `pathfinder completions`, `man` and `suggestions`: print scripts for shells, and the manual page.

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::args::{Args, SuggestingShell};
use super::output::{Exit, write_bytes};

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
    // The page lists the settings, which the help shows in one place only.
    let command = Args::command().mut_args(|arg| arg.hide(false));
    clap_mangen::Man::new(command).render(&mut page)?;
    write_bytes(&page)?;
    Ok(Exit::Answered)
}

/// Prints a function that suggests a right path after a command failed.
pub(crate) fn suggestions(shell: SuggestingShell) -> anyhow::Result<Exit> {
    let script = match shell {
        SuggestingShell::Bash => include_str!("shell/suggestions.bash"),
        SuggestingShell::Zsh => include_str!("shell/suggestions.zsh"),
        SuggestingShell::Fish => include_str!("shell/suggestions.fish"),
    };
    write_bytes(script.as_bytes())?;
    Ok(Exit::Answered)
}
