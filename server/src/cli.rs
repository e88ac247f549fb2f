//! The command line: decodes arguments, runs one command, and prints its answer.

mod args;
mod batch;
mod check;
mod doctor;
mod find;
mod fix;
mod hook;
mod index;
mod install;
mod lines;
mod log_rewriter;
mod model;
mod output;
mod progress;
mod project_file;
mod render;
mod resolve;
mod rule;
mod shell;
mod text_paths;
mod unified_diff;

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal as _};

use anyhow::anyhow;
use clap::{CommandFactory as _, Parser as _};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{ParseError, Targets};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use args::{Args, CliCommand};
pub(crate) use output::Exit;
use output::print_error;
use pathfinder_project::snapshot::SnapshotError;

/// Printed to stderr if the program is started without a command, and no client talks to it.
const INTRODUCTION: &str = "pathfinder: an MCP client is expected on stdin; `pathfinder --help` lists the commands";

/// Runs the command line.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>) -> Exit {
    let arguments: Vec<OsString> = arguments.collect();
    let is_hook = hook::is_hook(&arguments);
    match run_to_exit(arguments) {
        // For an agent, status 2 of a hook blocks the call.
        Exit::Failed if is_hook => Exit::Answered,
        exit => exit,
    }
}

fn run_to_exit(arguments: Vec<OsString>) -> Exit {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and version go to stdout as answers; anything else is wrong usage, on stderr.
            let exit = if error.use_stderr() { Exit::Failed } else { Exit::Answered };
            return if error.print().is_ok() { exit } else { Exit::Answered };
        }
    };
    match start_logging().and_then(|()| dispatch(args)) {
        Ok(exit) => exit,
        // The reader closed the pipe (`| head`), which is no failure.
        Err(error) if is_broken_pipe(&error) => Exit::Answered,
        Err(error) => {
            print_failure(&error);
            Exit::Failed
        }
    }
}

fn dispatch(args: Args) -> anyhow::Result<Exit> {
    args.scope.set_color();
    match args.command {
        Some(CliCommand::Resolve(resolve)) => {
            let scope = args.scope.merge(resolve.scope);
            scope.set_color();
            if resolve.batch {
                batch::run(&scope, &resolve.request_args)
            } else if resolve.stdin {
                log_rewriter::run(&scope, resolve.commands)
            } else {
                resolve::run(&scope, resolve.paths, &resolve.request_args)
            }
        }
        Some(CliCommand::Find(find)) => {
            let scope = args.scope.merge(find.scope.clone());
            scope.set_color();
            find::run(&scope, &find)
        }
        Some(CliCommand::Index(index)) => {
            let scope = args.scope.merge(index.scope.clone());
            scope.set_color();
            index::run(&scope, &index)
        }
        Some(CliCommand::Check(check)) => {
            let scope = args.scope.merge(check.scope.clone());
            scope.set_color();
            check::run(&check, &scope)
        }
        Some(CliCommand::Fix(fix)) => {
            let scope = args.scope.merge(fix.scope.clone());
            scope.set_color();
            fix::run(&fix, &scope)
        }
        Some(CliCommand::Doctor(doctor)) => {
            let scope = args.scope.merge(doctor.scope);
            scope.set_color();
            doctor::run(&scope, doctor.format)
        }
        Some(CliCommand::Hook(hook)) => {
            let scope = args.scope.merge(hook.scope.clone());
            hook::run(hook, scope)
        }
        Some(CliCommand::Model(model)) => model::run(model, args.scope),
        Some(CliCommand::Completions { shell }) => shell::completions(shell),
        Some(CliCommand::Suggestions { shell }) => shell::suggestions(shell),
        Some(CliCommand::Rule { code }) => rule::run(code.as_deref()),
        Some(CliCommand::Init(init)) => project_file::init(&args.scope.merge(init.scope), init.dry_run),
        Some(CliCommand::Settings(settings)) if settings.schema => project_file::print_schema(),
        // Its whole output is the help of its flags.
        Some(CliCommand::Settings(_)) => Ok(run_to_exit(["pathfinder", "help", "settings"].map(OsString::from).into())),
        Some(CliCommand::Man) => shell::man(),
        Some(CliCommand::Mcp(mcp)) => {
            if let Some(args::McpCommand::Install(install)) = &mcp.command {
                return install::server(install, &args.scope.merge(mcp.scope));
            }
            let terms = mcp.terms();
            serve(args.scope.merge(mcp.scope), &terms)
        }
        Some(CliCommand::Lsp(lsp)) => {
            let scope = args.scope.merge(lsp.scope);
            let overrides = scope.overrides();
            Ok(if pathfinder_lsp::run(scope.roots, overrides)? { Exit::Answered } else { Exit::Negative })
        }
        None if args.scope.roots.is_empty() && io::stdin().is_terminal() => {
            Args::command().print_help()?;
            Ok(Exit::Answered)
        }
        None => {
            let terms = pathfinder_mcp::ServeOptions { introduction: Some(INTRODUCTION), ..Default::default() };
            serve(args.scope, &terms)
        }
    }
}

fn serve(scope: args::Scope, terms: &pathfinder_mcp::ServeOptions) -> anyhow::Result<Exit> {
    let overrides = scope.overrides();
    pathfinder_mcp::run(scope.roots, overrides, terms)?;
    Ok(Exit::Answered)
}

/// Starts logging to stderr if `PATHFINDER_LOG` is set.
fn start_logging() -> anyhow::Result<()> {
    let Some(filter) = std::env::var_os("PATHFINDER_LOG").filter(|filter| !filter.is_empty()) else { return Ok(()) };
    let wrong = |reason: String| anyhow!("PATHFINDER_LOG: {reason}; use a level such as debug, or module=level");
    let filter = filter.to_str().ok_or_else(|| wrong("is not UTF-8".to_owned()))?;
    let filter: Targets = filter.parse().map_err(|error: ParseError| wrong(error.to_string()))?;
    let log = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(io::stderr).with_ansi(false);
    log.finish().with(filter).init();
    let program = std::env::current_exe().unwrap_or_default();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), program = %program.display(), "started");
    Ok(())
}

/// Prints the error of a command.
fn print_failure(error: &anyhow::Error) {
    let kind = error.downcast_ref().map_or("Failed", kind_of);
    let is_too_wide = matches!(error.downcast_ref(), Some(SnapshotError::TooWide(_)));
    let way = if is_too_wide { ", or read it anyway with --force" } else { "" };
    print_error(kind, &format!("{error:#}{way}"));
}

fn kind_of(error: &SnapshotError) -> &'static str {
    match error {
        SnapshotError::Root(_) | SnapshotError::TooWide(_) => "BadRoot",
        SnapshotError::Setting(_) => "BadSetting",
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == ErrorKind::BrokenPipe))
}
