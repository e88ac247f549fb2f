//! The command line as data: what can be asked for, and the help for it.

mod bench;
mod hook;
mod model;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Args as ClapArgs, FromArgMatches, Parser, Subcommand, ValueEnum, value_parser};
use clap_complete::Shell;
use pathfinder_core::{CANDIDATES_MAX, FindRequest, Op, Request};

pub(crate) use bench::BenchArgs;
pub(crate) use hook::{HookArgs, HookCommand, InstallArgs, SuggestingShell};
pub(crate) use model::{ModelArgs, ModelCommand, ModelLocation};

use crate::mcp::Terms;
use crate::settings::{ALL, Overrides};
use crate::snapshot::{SnapshotError, WorkspaceSnapshot};

const ABOUT: &str = "Finds the existing path that was meant by a path that does not exist.";

const EXAMPLES: &str = "\
Examples:
  pathfinder resolve src/confg.rs                  a typo
  pathfinder resolve --root ~/app app/models/usr.py
  pathfinder resolve --format json --intent 'fix the login form' form.tsx
  pathfinder resolve --batch < requests.ndjson     many, one JSON object per line
  pathfinder find where is CommandRouter implemented
  pathfinder index --stats                         what is known, and how fast
  pathfinder doctor                                what is configured, and what is wrong

Environment:
  PATHFINDER_LOG=debug    log to stderr (a tracing filter: LEVEL or MODULE=LEVEL,...)
  PATHFINDER_CACHE_DIR, INCLUDE_DIRS and others: the settings, which --help lists.

Exit status: 0 answered, 1 the negative answer, 2 bad usage or failure.";

const RESOLVE_EXAMPLES: &str = "\
The path is printed on stdout, or the candidates, best first, one per line, when none is sure;
what a person wants to know beside it goes to stderr. Paths are relative to their root.

Examples:
  pathfinder resolve src/confg.rs
  pathfinder resolve --op list internal/config/
  pathfinder resolve --intent 'retry of failed uploads' --root-hint services client.go
  pathfinder resolve --from web/src/App.tsx ./components/Buton
  pathfinder resolve --explain helpers.py
  cargo test 2>&1 | pathfinder resolve --stdin
  echo '{\"id\":1,\"failed_path\":\"src/confg.rs\"}' | pathfinder resolve --batch

Exit status: 0 it exists or was resolved, 1 ambiguous or not found, 2 bad usage or failure.
With --batch and --stdin: 0 when stdin is used up, 2 when it could not start.";

const FIND_EXAMPLES: &str = "\
Names, declarations and directories are searched together, with typos; the contents where these say little.
Files are printed best first, with the line of a declaration and a few words on what fits.

Examples:
  pathfinder find authmidlware                            a typo, words written together
  pathfinder find cursor binary                           words of a path, in any order
  pathfinder find where is CommandRouter implemented      a question
  pathfinder find 'src/**/auth*.py'                       a pattern
  pathfinder find --impl replay                           code before headers, tests and documentation
  echo '{\"id\":1,\"query\":\"checkpoint service\"}' | pathfinder find --batch

Exit status: 0 found, 1 nothing fits, 2 bad usage or failure.
With --batch: 0 when stdin is used up, 2 when it could not start.";

const CHECK_EXAMPLES: &str = "\
Examples:
  pathfinder check                          the whole project
  pathfinder check docs README.md           some of it
  pathfinder check --explain docs/guide.md  what was tried, and what cannot be told
  pathfinder check --format sarif > paths.sarif

A line that has pathfinder-ignore in a comment, and the line after it, are not reported; pathfinder-ignore-file
in the first lines of a file is for all of it. [check] in pathfinder.toml has ignore, ignore_literals and severity.

Exit status: 0 clean, 1 findings, 2 bad usage or failure.";
const FIX_EXAMPLES: &str = "\
Examples:
  pathfinder fix --dry-run              what would be changed
  pathfinder fix docs                   mend all that is sure below docs
  pathfinder fix --min-confidence 0.5   mend what is more likely right than wrong

Exit status: 0 nothing is left to mend, 1 something is, 2 bad usage or failure.";

const MCP_EXAMPLES: &str = "\
Over HTTP one server is shared by all clients that are configured with http://ADDR/mcp. Only this machine can reach
it, unless another address is given; that needs a secret in PATHFINDER_HTTP_TOKEN (16 characters or more), which
clients send as Authorization: Bearer TOKEN.

Examples:
  pathfinder mcp --root ~/app                     for one client, which starts it
  pathfinder mcp --root ~/app --http 7777         for several, at http://127.0.0.1:7777/mcp

Exit status: 0 the client is gone or it was told to end, 2 bad usage or failure.";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "pathfinder", version, about = ABOUT, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<CliCommand>,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Find the path that was meant
    #[command(after_help = RESOLVE_EXAMPLES)]
    Resolve(Box<ResolveArgs>),
    /// Find files by a rough name, a few words or a question
    #[command(after_help = FIND_EXAMPLES)]
    Find(FindArgs),
    /// Report path literals that lead nowhere: links, includes, configuration
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Mend path literals that lead nowhere, where it is sure what was meant
    #[command(after_help = FIX_EXAMPLES)]
    Fix(FixArgs),
    /// Read all roots and print counts and times
    #[command(after_help = "Exit status: 0 indexed, 2 bad usage or failure.")]
    Index(IndexArgs),
    /// Say what is configured, what was found, what is running and what is wrong
    #[command(after_help = "Exit status: 0 all is well, 1 something needs action, 2 it could not run.")]
    Doctor(DoctorArgs),
    /// Answer an agent's hook (its event on stdin), or set an agent up for that
    #[command(after_help = hook::EXAMPLES)]
    Hook(HookArgs),
    /// Look at a model: what is understood of it, and whether it can be used
    #[command(after_help = "Exit status: 0 it can be used, 1 something is wrong with it, 2 it could not be looked at.")]
    Model(ModelArgs),
    /// Measure this program and others side by side
    #[command(after_help = bench::EXAMPLES)]
    Bench(BenchArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  pathfinder completions bash > ~/.local/share/bash-completion/completions/pathfinder"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print a function for a shell that suggests the right path when a command has failed because of a wrong one
    #[command(after_help = "Example:\n  echo 'eval \"$(pathfinder suggestions bash)\"' >> ~/.bashrc")]
    Suggestions {
        /// Which shell
        shell: SuggestingShell,
    },
    /// Print the manual page (troff)
    #[command(after_help = "Example:\n  pathfinder man | man -l -")]
    Man,
    /// Serve agents over MCP, on stdin and stdout (the same as no command at all, outside a terminal) or over HTTP
    #[command(after_help = MCP_EXAMPLES)]
    Mcp(McpArgs),
    /// Serve editors over LSP on stdin and stdout
    #[command(
        after_help = "Exit status: 0 the client has ended the conversation or is gone, 1 it left without saying so, 2 bad usage or failure."
    )]
    Lsp(LspArgs),
}

/// Which roots, with which settings: the same for every command.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Scope {
    /// A directory to find paths in; can be repeated. Default: the enclosing git worktree, else the current directory
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) settings: SettingFlags,
}

impl Scope {
    /// Flags before the subcommand and flags after it count the same; of two values the later wins.
    pub(crate) fn and(mut self, later: Self) -> Self {
        self.roots.extend(later.roots);
        self.settings.0.extend(later.settings.0);
        self
    }

    /// The settings as given on the command line.
    pub(crate) fn overrides(&self) -> Overrides {
        let mut overrides = Overrides::default();
        for (position, value) in &self.settings.0 {
            overrides.set(ALL[*position].key, value.clone());
        }
        overrides
    }

    /// Reads all roots, and of git's history what the settings allow: a command asks only once.
    pub(crate) fn open(&self) -> Result<WorkspaceSnapshot, SnapshotError> {
        WorkspaceSnapshot::open(&self.roots, &self.overrides(), Duration::MAX, None)
    }

    /// Reads all roots, and nothing of git's history.
    pub(crate) fn open_without_history(&self) -> Result<WorkspaceSnapshot, SnapshotError> {
        WorkspaceSnapshot::open_without_history(&self.roots, &self.overrides())
    }
}

/// One flag per setting, made from the list of settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingFlags(Vec<(usize, OsString)>);

impl ClapArgs for SettingFlags {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.args(ALL.iter().map(|setting| {
            Arg::new(setting.name)
                .long(setting.flag)
                .value_name(setting.value)
                .value_parser(value_parser!(OsString))
                .help_heading("Settings")
                .hide_short_help(true)
                .help(setting.meaning.trim_end_matches('.'))
                .long_help(format!("{} [env: {}] [default: {}]", setting.meaning, setting.variable, setting.default))
        }))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let value = |(position, setting): (usize, &crate::settings::Setting)| {
            matches.get_one::<OsString>(setting.name).map(|value| (position, value.clone()))
        };
        Ok(Self(ALL.iter().enumerate().filter_map(value).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// `pathfinder resolve`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ResolveArgs {
    /// The path that could not be found, as it was written; after -- one that begins with a dash
    #[arg(required_unless_present_any = ["batch", "stdin"], value_name = "PATH")]
    pub(crate) path: Option<OsString>,
    /// Answer the requests on stdin, one JSON object per line, with one JSON line each
    #[arg(long, conflicts_with_all = ["path", "intent", "op", "root_hint", "from", "history", "evidence"])]
    pub(crate) batch: bool,
    /// Copy stdin to stdout, with the wrong paths in it made right where that is sure: a stack trace, a compiler's output
    #[arg(long, conflicts_with_all = ["batch", "path", "intent", "op", "root_hint", "from", "history", "evidence", "limit", "format", "explain"])]
    pub(crate) stdin: bool,
    /// With --stdin: each line is a command, all of whose words may be paths
    #[arg(long, requires = "stdin", conflicts_with = "path")]
    pub(crate) commands: bool,
    #[command(flatten)]
    pub(crate) asking: RequestArgs,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// What is known around a failed path.
#[derive(Debug, ClapArgs)]
pub(crate) struct RequestArgs {
    /// What you are doing, in a few words: it tells files of the same name apart
    #[arg(long, value_name = "TEXT")]
    pub(crate) intent: Option<String>,
    /// What the path is wanted for; `write` may be about to create it, so it gets suggestions only
    #[arg(long, value_enum, default_value_t)]
    pub(crate) op: OpName,
    /// A directory that the file should be under, relative to a root
    #[arg(long, value_name = "DIR")]
    pub(crate) root_hint: Option<String>,
    /// The file in which the path was written, relative to a root or absolute
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<String>,
    /// A recently used path; repeat it, oldest first
    #[arg(long, value_name = "PATH")]
    pub(crate) history: Vec<String>,
    /// Text that the file is known to contain
    #[arg(long, value_name = "TEXT")]
    pub(crate) evidence: Option<String>,
    /// The most candidates to answer with, 1 to 200; with --batch for requests that do not say [default: 10]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=CANDIDATES_MAX as i64))]
    pub(crate) limit: Option<u16>,
    /// How to print the answer; --batch always answers in JSON [default: text]
    #[arg(long, value_enum)]
    pub(crate) format: Option<OutputFormat>,
    /// Say what each candidate's score is made of
    #[arg(long)]
    pub(crate) explain: bool,
}

impl RequestArgs {
    /// How many candidates to answer with.
    pub(crate) fn limit(&self) -> usize {
        self.limit.map_or(Request::DEFAULT_LIMIT, usize::from)
    }
}

/// `pathfinder find`.
#[derive(Debug, ClapArgs)]
pub(crate) struct FindArgs {
    /// A name, a part of a path, a pattern, words or a question
    #[arg(required_unless_present = "batch", value_name = "QUERY")]
    pub(crate) query: Vec<OsString>,
    /// Answer the requests on stdin, one JSON object per line, with one JSON line each
    #[arg(long, conflicts_with = "query")]
    pub(crate) batch: bool,
    /// Prefer code that does the work to headers, tests and documentation
    #[arg(long = "impl")]
    pub(crate) implementation: bool,
    /// The most files to answer with, 1 to 200; with --batch for requests that do not say [default: 10]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=CANDIDATES_MAX as i64))]
    pub(crate) limit: Option<u16>,
    /// How to print the answer; --batch always answers in JSON [default: text]
    #[arg(long, value_enum)]
    pub(crate) format: Option<OutputFormat>,
    /// Say what each file's score is made of
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

impl FindArgs {
    /// How many files to answer with.
    pub(crate) fn limit(&self) -> usize {
        self.limit.map_or(FindRequest::DEFAULT_LIMIT, usize::from)
    }
}

/// `pathfinder check`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// Files and directories to check, relative to the current directory [default: the whole root]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Report only what is broken now, or would be once merged with REV, and was not where both come from
    #[arg(long, value_name = "REV", conflicts_with = "if_deleted")]
    pub(crate) since: Option<String>,
    /// Report what would be broken without this file or directory; can be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) if_deleted: Vec<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,
    /// Also report what is often legitimate
    #[arg(long)]
    pub(crate) hints: bool,
    /// Say what was tried for each finding, and why nothing is said of the literals that cannot be told
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// `pathfinder fix`.
#[derive(Debug, ClapArgs)]
pub(crate) struct FixArgs {
    /// Files and directories to mend, relative to the current directory [default: the whole root]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print what would be changed as a unified diff, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also apply fixes of at least this probability, 0 to 1 [default: only those that are sure]
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(crate) min_confidence: Option<f32>,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// A number from 0 to 1.
fn probability(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one line per finding, then a summary
    Json,
    /// For code scanning: SARIF 2.1.0
    Sarif,
    /// For GitHub Actions: annotations
    Github,
}

/// `pathfinder index`.
#[derive(Debug, ClapArgs)]
pub(crate) struct IndexArgs {
    /// Also print names, packages, memory, what could not be read, and the time of each stage
    #[arg(long)]
    pub(crate) stats: bool,
    /// Also read what the files declare
    #[arg(long)]
    pub(crate) symbols: bool,
    /// Print every declaration instead, as `PATH:LINE KIND NAME`
    #[arg(long, hide = true)]
    pub(crate) list_symbols: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// `pathfinder doctor`.
#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// `pathfinder mcp`.
#[derive(Debug, ClapArgs)]
pub(crate) struct McpArgs {
    /// Serve over HTTP at this address (PORT, or HOST:PORT) instead of stdin and stdout; 0 takes any free port
    #[arg(long, value_name = "ADDR")]
    pub(crate) http: Option<String>,
    /// Have the client ask its user which of several files was meant
    #[arg(long)]
    pub(crate) ask: bool,
    /// Read ignored files, files with credentials and git's own too, where the client names their exact path
    #[arg(long)]
    pub(crate) allow_ignored: bool,
    /// The default; configurations of earlier versions have it
    #[arg(long, hide = true, conflicts_with = "ask")]
    pub(crate) no_ask: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

impl McpArgs {
    /// How it is to be served.
    pub(crate) fn terms(&self) -> Terms {
        Terms { http: self.http.clone(), ask: self.ask, allow_ignored: self.allow_ignored }
    }
}

/// `pathfinder lsp`.
#[derive(Debug, ClapArgs)]
pub(crate) struct LspArgs {
    /// Speak on stdin and stdout: the only way there is, so that this changes nothing
    #[arg(long)]
    pub(crate) stdio: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// How an answer is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one line
    Json,
}

/// [`Op`] by its name on the command line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpName {
    /// Read a file
    #[default]
    Read,
    /// List a directory
    List,
    /// Ask whether it exists
    Stat,
    /// Change a file that exists
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
