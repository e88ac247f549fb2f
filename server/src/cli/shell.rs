//! `pathfinder completions`, `man` and `suggestions`: print scripts for shells, and the manual page.

use clap::CommandFactory as _;
use clap_complete::{Shell, generate};
use clap_complete_nushell::Nushell;

use super::args::{Args, CompletedShell, SuggestingShell};
use super::output::{Exit, write_bytes};

/// The program's name in a shell.
const NAME: &str = "pathfinder";

/// Prints a completion script.
pub(crate) fn completions(shell: CompletedShell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    let command = &mut Args::command();
    match shell {
        CompletedShell::Bash => generate(Shell::Bash, command, NAME, &mut script),
        CompletedShell::Elvish => generate(Shell::Elvish, command, NAME, &mut script),
        CompletedShell::Fish => generate(Shell::Fish, command, NAME, &mut script),
        CompletedShell::Nushell => generate(Nushell, command, NAME, &mut script),
        CompletedShell::PowerShell => generate(Shell::PowerShell, command, NAME, &mut script),
        CompletedShell::Zsh => generate(Shell::Zsh, command, NAME, &mut script),
    }
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
