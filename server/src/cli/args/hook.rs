//! Arguments of `pathfinder hook` and `pathfinder suggestions`.

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::Scope;

pub(super) const EXAMPLES: &str = "\
Agents: claude-code, cline, codex, copilot, cursor, gemini, opencode.

Examples:
  pathfinder hook install claude-code             for all projects of this user
  pathfinder hook install claude-code --project   for the project around the current directory
  pathfinder hook install codex --dry-run         show the change

Exit status of a hook: always 0; errors go to stderr. Of install: 0 done, 2 bad usage or failure.";

pub(super) const MCP_INSTALL_EXAMPLES: &str = "\
Clients: claude-code, cline, codex, cursor, gemini, goose, opencode, vscode, zed.

Examples:
  pathfinder mcp install cursor             for all projects of this user
  pathfinder mcp install vscode --project   for the project around the current directory
  pathfinder mcp install zed --dry-run      show the change
  pathfinder mcp install zed --remove       restore the settings

Exit status: 0 done, 2 bad usage or failure.";

/// Arguments of `pathfinder hook`.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HookArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HookCommand>,
    /// Agent that sent the event on stdin
    #[arg(required = true)]
    pub(crate) agent: Option<String>,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Subcommands of `pathfinder hook`.
#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Add the hook to an agent's settings, or remove it
    Install(InstallArgs),
    /// Read ahead what the hooks of an agent will need
    #[command(hide = true)]
    Ahead,
}

/// Arguments of `pathfinder hook install`.
#[derive(Debug, ClapArgs)]
pub(crate) struct InstallArgs {
    /// Agent to set up
    pub(crate) agent: String,
    /// Install for the project around the current directory only
    #[arg(long)]
    pub(crate) project: bool,
    /// Remove it again
    #[arg(long)]
    pub(crate) remove: bool,
    /// Print the changes as a unified diff and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Command that starts this program [default: its full path; with --project its name]
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

/// A shell with a completion script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompletedShell {
    /// Bash
    Bash,
    /// Elvish
    Elvish,
    /// Fish
    Fish,
    /// Nushell
    Nushell,
    /// `PowerShell`
    #[value(name = "powershell")]
    PowerShell,
    /// Zsh
    Zsh,
}
