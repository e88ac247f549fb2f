//! Arguments of `pathfinder hook` and `pathfinder suggestions`.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::Scope;

pub(super) const EXAMPLES: &str = "\
Agents: claude-code, codex, copilot, gemini, opencode.

Examples:
  pathfinder hook install claude-code             for all projects of this user
  pathfinder hook install claude-code --project   for the project around the current directory
  pathfinder hook install codex --dry-run         what would be changed

Exit status: of a hook always 0, what goes wrong is said on stderr; of install 0 done, 2 bad usage or failure.";

/// Arguments of `pathfinder hook`.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HookArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HookCommand>,
    /// Whose event is on stdin
    #[arg(required = true)]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Subcommands of `pathfinder hook`.
#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Write the hook into an agent's settings; what is there stays
    Install(InstallArgs),
    /// Read what the hooks of a session will ask, and keep it
    #[command(hide = true)]
    Ahead,
}

/// Arguments of `pathfinder hook install`.
#[derive(Debug, ClapArgs)]
pub(crate) struct InstallArgs {
    /// Which agent
    pub(crate) agent: String,
    /// Only for the project around the current directory
    #[arg(long)]
    pub(crate) project: bool,
    /// Take the hook out again
    #[arg(long)]
    pub(crate) remove: bool,
    /// Print what would be changed as a unified diff, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How the agent is to call this program [default: where it is; with --project just its name]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) program: Option<String>,
}

/// A shell with a suggestion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SuggestingShell {
    /// Bash
    Bash,
    /// Zsh
    Zsh,
    /// Fish
    Fish,
}
