//! Runs a command to its end, with its time and memory measured.
//!
//! Linux counts the memory of the starting process to the peak of the started one. A benchmark that holds a million
//! paths would hide most peaks, so a small process in between starts the command: this program with [`MEASURE`].

use std::env::ArgsOs;
use std::io::{self, Write as _};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};
use wait4::Wait4 as _;

/// First argument of the process in between. It is no part of the command line for users.
pub(crate) const MEASURE: &str = "measure-one-command";

/// Resources used by one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct RunSample {
    pub(crate) wall: Duration,
    /// Processor time on all cores, including children that were waited for.
    pub(crate) processor: Duration,
    /// Peak memory in bytes; never below the few megabytes of the process in between.
    pub(crate) peak: u64,
}

/// Runs a command to its end without input and drops its output.
///
/// # Errors
/// If it cannot be started or fails. Status 1 (nothing found) is not a failure.
pub(crate) fn run_timed(command: &Command) -> anyhow::Result<RunSample> {
    run(command, Stdio::null(), Stdio::null()).map(|(sample, _)| sample)
}

/// Runs a command to its end and returns its output.
///
/// # Errors
/// If it cannot be started or fails.
pub(crate) fn run_timed_with_output(command: &Command, stdin: Stdio) -> anyhow::Result<(RunSample, Vec<u8>)> {
    run(command, stdin, Stdio::piped())
}

fn run(command: &Command, stdin: Stdio, stdout: Stdio) -> anyhow::Result<(RunSample, Vec<u8>)> {
    let mut between = Command::new(std::env::current_exe()?);
    between.arg(MEASURE).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => between.env(name, value),
            None => between.env_remove(name),
        };
    }
    if let Some(directory) = command.get_current_dir() {
        between.current_dir(directory);
    }
    let ended = between.stdin(stdin).stdout(stdout).stderr(Stdio::piped()).output()?;
    let measured: Result<RunSample, String> =
        serde_json::from_slice(&ended.stderr).context("the measuring process printed no JSON")?;
    Ok((measured.map_err(anyhow::Error::msg)?, ended.stdout))
}

/// The process in between: runs the command of the arguments, and prints its [`RunSample`] or an error as JSON to stderr.
pub(crate) fn measure_for_parent(mut args: ArgsOs) -> ExitCode {
    let program = args.next().unwrap_or_default();
    let measured = measure(Command::new(program).args(args)).map_err(|error| format!("{error:#}"));
    let written = serde_json::to_writer(io::stderr(), &measured).is_ok() && io::stderr().flush().is_ok();
    if written { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn measure(command: &mut Command) -> anyhow::Result<RunSample> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stderr(Stdio::null());
    let start = Instant::now();
    let ended = command.spawn().with_context(|| format!("cannot start {name}"))?.wait4()?;
    let wall = start.elapsed();
    ensure!(matches!(ended.status.code(), Some(0 | 1)), "{name} failed: {}", ended.status);
    let used = ended.rusage;
    Ok(RunSample { wall, processor: used.utime + used.stime, peak: used.maxrss })
}
