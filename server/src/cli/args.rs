//! The arguments of all commands, and their help texts.

mod check;
mod hook;
mod model;
mod settings;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, ColorChoice, Parser, Subcommand, ValueEnum, value_parser};
use pathfinder_core::{CANDIDATES_MAX, FindRequest, Op, Request};

pub(crate) use check::{CheckArgs, CheckFormat, FixArgs};
pub(crate) use hook::{CompletedShell, HookArgs, HookCommand, InstallArgs, SuggestingShell};
pub(crate) use model::{ModelArgs, ModelCommand, ModelLocation};
pub(crate) use settings::SettingFlags;

use pathfinder_mcp::ServeOptions;
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{SnapshotError, WorkspaceSnapshot, refuse_too_wide};
use pathfinder_vfs::roots;

const ABOUT: &str = "Resolves wrong paths to the existing ones; finds and fixes broken paths in files.";

const EXAMPLES: &str = "\
Examples:
  pathfinder resolve src/confg.rs                  a typo
  pathfinder resolve --root ~/app app/models/usr.py
  pathfinder resolve --format json --intent 'fix the login form' form.tsx
  pathfinder resolve --batch < requests.ndjson     many requests, one JSON object per line
  pathfinder find where is CommandRouter implemented
  pathfinder check                                 broken paths in files
  pathfinder doctor                                problems and their remedies
  pathfinder help settings                         settings that all commands share

Environment:
  PATHFINDER_LOG=debug    log to stderr (LEVEL or MODULE=LEVEL,...)

Exit status: 0 success, 1 negative answer, 2 bad usage or failure.";

const RESOLVE_EXAMPLES: &str = "\
Prints the path to stdout, or the candidates, best first, one per line, if none is certain.
Notes for the user go to stderr. Of several PATHs, uncertain ones print nothing to stdout.

Examples:
  pathfinder resolve src/confg.rs
  pathfinder resolve src/confg.rs:12:5 docs/gide.md
  pathfinder resolve --op list internal/config/
  pathfinder resolve --intent 'retry of failed uploads' --root-hint services client.go
  pathfinder resolve --from web/src/App.tsx ./components/Buton
  pathfinder resolve --explain helpers.py
  cargo test 2>&1 | pathfinder resolve --stdin
  echo '{\"id\":1,\"failed_path\":\"src/confg.rs\"}' | pathfinder resolve --batch

Exit status: 0 exists or resolved, 1 ambiguous or not found, 2 bad usage or failure.
With --batch and --stdin: 0 at the end of stdin, 2 if it could not start.";

const FIND_EXAMPLES: &str = "\
Searches names, declarations and directories, tolerating typos; file contents if these match little.
Prints files best first, with the line of a declaration and the reason of the match.

Examples:
  pathfinder find authmidlware                            a typo, words written together
  pathfinder find cursor binary                           words of a path, in any order
  pathfinder find where is CommandRouter implemented      a question
  pathfinder find 'src/**/auth*.py'                       a pattern
  pathfinder find --impl replay                           source code first
  echo '{\"id\":1,\"query\":\"checkpoint service\"}' | pathfinder find --batch

Exit status: 0 found, 1 no match, 2 bad usage or failure.
With --batch: 0 at the end of stdin, 2 if it could not start.";

const MCP_EXAMPLES: &str = "\
Over HTTP one server serves all clients that are configured with http://ADDR/mcp. Only this machine
can reach it by default. Any other address needs a secret of at least 16 characters in
PATHFINDER_HTTP_TOKEN, which clients send as Authorization: Bearer TOKEN.

Examples:
  pathfinder mcp --root ~/app                     for one client, which starts it
  pathfinder mcp --root ~/app --http 7777         for several, at http://127.0.0.1:7777/mcp
  pathfinder mcp install claude-code              adds the server to a client's settings

Exit status: 0 the client has disconnected or stopped the server, 2 bad usage or failure.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "pathfinder", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Resolve a wrong path to the existing one
    #[command(after_help = RESOLVE_EXAMPLES)]
    Resolve(Box<ResolveArgs>),
    /// Find files by a rough name, a few words or a question
    #[command(after_help = FIND_EXAMPLES)]
    Find(FindArgs),
    /// Report broken paths in files: links, imports, includes, configuration
    #[command(after_help = check::CHECK_EXAMPLES)]
    Check(Box<CheckArgs>),
    /// Fix broken paths in files if the right path is certain
    #[command(after_help = check::FIX_EXAMPLES)]
    Fix(FixArgs),
    /// Index the roots and print counts and times
    #[command(after_help = "Exit status: 0 indexed, 2 bad usage or failure.")]
    Index(IndexArgs),
    /// Check the setup and report problems with their remedies
    #[command(after_help = "Exit status: 0 no problems, 1 problems, 2 bad usage or failure.")]
    Doctor(DoctorArgs),
    /// Answer an agent's hook (event on stdin), or install the hook
    #[command(after_help = hook::EXAMPLES)]
    Hook(HookArgs),
    /// Inspect or verify a reranking model
    #[command(after_help = "Exit status: 0 usable, 1 not usable, 2 bad usage or failure.")]
    Model(ModelArgs),
    /// Explain a diagnostic code; without a code, list all codes
    #[command(after_help = "Example:\n  pathfinder rule missing-anchor")]
    Rule {
        /// The code, as `check` prints it
        code: Option<String>,
    },
    /// Write a commented pathfinder.toml into the root
    #[command(after_help = "Exit status: 0 written, 1 the file is there already, 2 bad usage or failure.")]
    Init(InitArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  pathfinder completions bash > ~/.local/share/bash-completion/completions/pathfinder"
    )]
    Completions {
        /// The shell
        shell: CompletedShell,
    },
    /// Print a shell function that suggests the right path after a failed command
    #[command(after_help = "Example:\n  echo 'eval \"$(pathfinder suggestions bash)\"' >> ~/.bashrc")]
    Suggestions {
        /// The shell
        shell: SuggestingShell,
    },
    /// Describe the settings that all commands share
    #[command(mut_args = |arg| arg.hide(false))]
    Settings(SettingsArgs),
    /// Print the manual page (troff)
    #[command(after_help = "Example:\n  pathfinder man | man -l -")]
    Man,
    /// Serve agents over MCP, on stdin and stdout or over HTTP (default outside a terminal)
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Serve editors over LSP, on stdin and stdout
    #[command(
        after_help = "Exit status: 0 the client shut the server down or is gone, 1 exit without a shutdown request, 2 bad usage or failure."
    )]
    Lsp(LspArgs),
}

/// The roots and settings of a command; every command takes them.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Scope {
    /// Directory to find paths in; repeatable [default: the git worktree, else the current directory]
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,
    /// Accept a root that is a whole disk or a home directory
    #[arg(long)]
    pub(crate) force: bool,
    /// When to colour text: in a terminal only, always or never [default: auto]
    #[arg(long, value_enum, value_name = "WHEN", hide_possible_values = true)]
    pub(crate) color: Option<ColorChoice>,
    #[command(flatten)]
    pub(crate) settings: SettingFlags,
}

impl Scope {
    /// Merges the flags before and after the subcommand. Of two values the later wins.
    pub(crate) fn merge(mut self, later: Self) -> Self {
        self.roots.extend(later.roots);
        self.force |= later.force;
        self.color = later.color.or(self.color);
        self.settings.extend(later.settings);
        self
    }

    /// The scope for given paths: without `--root`, and outside of any git worktree, the root is the worktree of the paths.
    pub(crate) fn for_paths(&self, paths: &[PathBuf]) -> Self {
        let mut scope = self.clone();
        if scope.roots.is_empty() {
            scope.roots.extend(roots::worktree_of(paths));
        }
        scope
    }

    /// The settings given on the command line.
    pub(crate) fn overrides(&self) -> Overrides {
        self.settings.overrides()
    }

    /// Applies the choice of colours to both output streams.
    pub(crate) fn set_color(&self) {
        if let Some(color) = self.color {
            let choice = match color {
                ColorChoice::Auto => anstream::ColorChoice::Auto,
                ColorChoice::Always => anstream::ColorChoice::Always,
                ColorChoice::Never => anstream::ColorChoice::Never,
            };
            choice.write_global();
        }
    }

    /// Refuses roots that are a whole disk or a home directory: reading one can take minutes and gigabytes.
    pub(crate) fn refuse_too_wide(&self) -> Result<(), SnapshotError> {
        if self.force { Ok(()) } else { refuse_too_wide(&self.roots) }
    }

    /// Reads all roots, and git's history within the time that the settings allow.
    pub(crate) fn open(&self) -> Result<WorkspaceSnapshot, SnapshotError> {
        self.open_from(None)
    }

    /// Reads all roots with the history that the settings allow. Trees that `before` contains are only brought up to date.
    pub(crate) fn open_from(&self, before: Option<&WorkspaceSnapshot>) -> Result<WorkspaceSnapshot, SnapshotError> {
        WorkspaceSnapshot::open(&self.roots, &self.overrides(), Duration::MAX, before)
    }

    /// Reads all roots, and of git's history only which files changed last.
    pub(crate) fn open_for_find(&self) -> Result<WorkspaceSnapshot, SnapshotError> {
        WorkspaceSnapshot::open_for_find(&self.roots, &self.overrides())
    }

    /// Reads all roots without git's history.
    pub(crate) fn open_without_history(&self) -> Result<WorkspaceSnapshot, SnapshotError> {
        WorkspaceSnapshot::open_without_history(&self.roots, &self.overrides())
    }
}

/// Arguments of `pathfinder resolve`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ResolveArgs {
    /// Wrong paths as written; put -- before one that begins with a dash
    #[arg(required_unless_present_any = ["batch", "stdin"], value_name = "PATH")]
    pub(crate) paths: Vec<OsString>,
    /// Answer JSON requests on stdin, one per line, with one line of JSON each
    #[arg(long, conflicts_with_all = ["paths", "intent", "op", "root_hint", "from", "history", "evidence", "absolute"])]
    pub(crate) batch: bool,
    /// Copy stdin to stdout and correct wrong paths in it, as in stack traces and compiler output
    #[arg(long, conflicts_with_all = ["batch", "paths", "intent", "op", "root_hint", "from", "history", "evidence", "limit", "format", "explain", "absolute"])]
    pub(crate) stdin: bool,
    /// With --stdin: treat each line as a command in which any word may be a path
    #[arg(long, requires = "stdin", conflicts_with = "paths")]
    pub(crate) commands: bool,
    #[command(flatten)]
    pub(crate) request_args: RequestArgs,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// The circumstances of a wrong path.
#[derive(Debug, ClapArgs)]
pub(crate) struct RequestArgs {
    /// Purpose in a few words; tells files of the same name apart
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// Planned operation; `write` may create the path, so it only gets suggestions
    #[arg(long, value_enum, default_value_t)]
    pub(crate) op: OpName,
    /// Directory that should contain the file, relative to a root
    #[arg(long, value_name = "DIR")]
    pub(crate) root_hint: Option<String>,
    /// File that contains the path, relative to a root or absolute
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<String>,
    /// Recently used path; repeatable, oldest first
    #[arg(long, value_name = "PATH")]
    pub(crate) history: Vec<String>,
    /// Text that the file contains
    #[arg(long, value_name = "TEXT")]
    pub(crate) evidence: Option<String>,
    #[command(flatten)]
    pub(crate) output: AnswerArgs,
}

impl RequestArgs {
    /// The number of candidates to print.
    pub(crate) fn limit(&self) -> usize {
        self.output.limit.map_or(Request::DEFAULT_LIMIT, usize::from)
    }
}

/// Form and length of an answer.
#[derive(Debug, ClapArgs)]
pub(crate) struct AnswerArgs {
    /// Most paths to print, 1 to 200; with --batch the default of requests [default: 10]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=CANDIDATES_MAX as i64))]
    pub(crate) limit: Option<u16>,
    /// Output format; --batch always prints JSON [default: text]
    #[arg(long, value_enum)]
    pub(crate) format: Option<OutputFormat>,
    /// Print what decided, and what the runner-up lacked; `all` prints every part of every score
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "brief")]
    pub(crate) explain: Option<Explain>,
    /// Print absolute paths; text is relative to the current directory if that lies inside the root
    #[arg(long)]
    pub(crate) absolute: bool,
}

/// Arguments of `pathfinder find`.
#[derive(Debug, ClapArgs)]
pub(crate) struct FindArgs {
    /// Name, part of a path, pattern, words or question
    #[arg(required_unless_present = "batch", value_name = "QUERY")]
    pub(crate) query: Vec<OsString>,
    /// Answer JSON requests on stdin, one per line, with one line of JSON each
    #[arg(long, conflicts_with_all = ["query", "absolute"])]
    pub(crate) batch: bool,
    /// Prefer source code to headers, tests and documentation
    #[arg(long = "impl")]
    pub(crate) implementation: bool,
    #[command(flatten)]
    pub(crate) output: AnswerArgs,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

impl FindArgs {
    /// The number of files to print.
    pub(crate) fn limit(&self) -> usize {
        self.output.limit.map_or(FindRequest::DEFAULT_LIMIT, usize::from)
    }
}

/// Arguments of `pathfinder settings`.
#[derive(Debug, ClapArgs)]
pub(crate) struct SettingsArgs {
    /// Print the JSON schema of pathfinder.toml
    #[arg(long)]
    pub(crate) schema: bool,
    #[command(flatten)]
    pub(crate) settings: SettingFlags,
}

/// Arguments of `pathfinder init`.
#[derive(Debug, ClapArgs)]
pub(crate) struct InitArgs {
    /// Print the file and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Arguments of `pathfinder index`.
#[derive(Debug, ClapArgs)]
pub(crate) struct IndexArgs {
    /// Also print names, packages, memory, unreadable directories and the time of each stage
    #[arg(long)]
    pub(crate) stats: bool,
    /// Also read the declarations in files
    #[arg(long)]
    pub(crate) symbols: bool,
    /// Print every declaration instead, as `PATH:LINE KIND NAME`
    #[arg(long, hide = true)]
    pub(crate) list_symbols: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Arguments of `pathfinder doctor`.
#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Arguments of `pathfinder mcp`.
#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) command: Option<McpCommand>,
    /// Serve over HTTP at this address (PORT or HOST:PORT); port 0 takes a free one
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<String>,
    /// Ask the user through the client if several files fit
    #[arg(long)]
    pub(crate) ask: bool,
    /// Also read ignored files, credentials and git's own files if the client names the exact path
    #[arg(long)]
    pub(crate) allow_ignored: bool,
    /// Does nothing; accepted for configurations of earlier versions
    #[arg(long, hide = true, conflicts_with = "ask")]
    pub(crate) no_ask: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// Subcommands of `pathfinder mcp`.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Add the server to a client's settings, or remove it
    #[command(after_help = hook::MCP_INSTALL_EXAMPLES)]
    Install(InstallArgs),
}

impl McpArgs {
    /// The options of the server.
    pub(crate) fn terms(&self) -> ServeOptions {
        ServeOptions { http: self.http.clone(), ask: self.ask, allow_ignored: self.allow_ignored, introduction: None }
    }
}

/// Arguments of `pathfinder lsp`.
#[derive(Debug, ClapArgs)]
pub(crate) struct LspArgs {
    /// Does nothing; accepted because editors pass it (stdin and stdout are always used)
    #[arg(long)]
    pub(crate) stdio: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// The output format of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Plain text
    #[default]
    Text,
    /// One line of JSON
    Json,
}

impl OutputFormat {
    /// Refuses `--absolute` beside JSON, whose paths are relative to the root.
    pub(crate) fn refuse_absolute(self, is_absolute: bool) -> anyhow::Result<()> {
        let is_json = self == Self::Json;
        anyhow::ensure!(!(is_json && is_absolute), "--absolute is for text only: JSON has paths relative to the root");
        Ok(())
    }
}

/// The extent of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Explain {
    /// The contributions that decided
    Brief,
    /// Every contribution
    All,
}

/// [`Op`] by its name on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpName {
    /// Read a file
    #[default]
    Read,
    /// List a directory
    List,
    /// Check whether it exists
    Stat,
    /// Change an existing file
    Edit,
    /// Write a file, perhaps a new one
    Write,
}

impl From<OpName> for Op {
    fn from(name: OpName) -> Self {
        match name {
            OpName::Read => Self::Read,
            OpName::List => Self::List,
            OpName::Stat => Self::Stat,
            OpName::Edit => Self::Edit,
            OpName::Write => Self::Write,
        }
    }
}
