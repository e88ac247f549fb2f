//! Finds the programs to measure, and runs them with their time and memory measured.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use wait4::Wait4 as _;

use pathfinder_project::settings::ALL;

/// An external program.
#[derive(Clone, Debug)]
pub(super) struct ExternalProgram {
    /// The name it is started by.
    pub(super) command: &'static str,
    /// The version it reports.
    pub(super) version: String,
}

/// The programs of the benchmark; for each one that is missing, the reason.
pub(super) struct InstalledPrograms {
    /// This program.
    pub(super) own: PathBuf,
    pub(super) fd: Result<ExternalProgram, String>,
    pub(super) rg: Result<ExternalProgram, String>,
    pub(super) git: Result<ExternalProgram, String>,
    pub(super) fzf: Result<ExternalProgram, String>,
    /// The shell that runs pipelines.
    pub(super) sh: Result<ExternalProgram, String>,
}

/// Resources used by one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunSample {
    pub(super) wall: Duration,
    /// Processor time on all cores, including children that were waited for.
    pub(super) processor: Duration,
    /// Peak memory in bytes; never below what this process had when it started the child.
    pub(super) peak: u64,
}

impl InstalledPrograms {
    /// Asks each program for its version.
    ///
    /// # Errors
    /// If the path of this program is unknown.
    pub(super) fn find(top: &Path) -> anyhow::Result<Self> {
        let find = |names: &[&'static str]| {
            let asked = names.iter().find_map(|name| version(name, top)).ok_or_else(|| "not found".to_owned());
            asked.map(|(command, version)| ExternalProgram { command, version })
        };
        let sh = if cfg!(unix) {
            Ok(ExternalProgram { command: "sh", version: String::new() })
        } else {
            Err("no sh".to_owned())
        };
        let own = std::env::current_exe().context("cannot find the path of this program")?;
        // Debian's `fd` is another program.
        Ok(Self { own, fd: find(&["fdfind", "fd"]), rg: find(&["rg"]), git: find(&["git"]), fzf: find(&["fzf"]), sh })
    }

    /// A command that runs this program with default settings and the given cache directory.
    pub(super) fn own(&self, top: &Path, cache: &Path) -> Command {
        let mut command = isolated_command(&self.own, top);
        command.env("PATHFINDER_CACHE_DIR", cache);
        command
    }
}

/// Extracts the version number from the output of `--version`.
fn version(name: &'static str, top: &Path) -> Option<(&'static str, String)> {
    let said = isolated_command(name, top)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|it| it.status.success())?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let number = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    Some((name, number.unwrap_or("of unknown version").to_owned()))
}

/// Home directory of all started programs, without any settings.
pub(super) const HOME: &str = "home";

/// A command that ignores the user's settings.
pub(super) fn isolated_command(program: impl AsRef<std::ffi::OsStr>, top: &Path) -> Command {
    let mut command = Command::new(program);
    for setting in &ALL {
        command.env_remove(setting.variable);
    }
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let theirs = ["GIT_", "FZF_", "RIPGREP_", "XDG_", "LS_COLORS", "PATHFINDER_"];
        if theirs.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.env("HOME", top.join(HOME)).env("GIT_CONFIG_NOSYSTEM", "1");
    command
}

/// Runs a command to its end and drops its output.
///
/// # Errors
/// If it cannot be started or fails. Status 1 (nothing found) is not a failure.
pub(super) fn run_timed(command: &mut Command) -> anyhow::Result<RunSample> {
    command.stdout(Stdio::null());
    run(command).map(|(sample, _)| sample)
}

/// Runs a command to its end and returns its output.
///
/// # Errors
/// If it cannot be started or fails.
pub(super) fn run_timed_with_output(command: &mut Command) -> anyhow::Result<(RunSample, Vec<u8>)> {
    command.stdout(Stdio::piped());
    run(command)
}

fn run(command: &mut Command) -> anyhow::Result<(RunSample, Vec<u8>)> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {name}"))?;
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut output)?;
    }
    let ended = child.wait4()?;
    let wall = start.elapsed();
    ensure!(matches!(ended.status.code(), Some(0 | 1)), "{name} failed: {}", ended.status);
    let used = ended.rusage;
    Ok((RunSample { wall, processor: used.utime + used.stime, peak: used.maxrss }, output))
}
