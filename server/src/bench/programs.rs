//! Programs that are measured: which are there, and what one run of a command takes.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use wait4::Wait4 as _;

use crate::settings::ALL;

/// A program of somebody else.
#[derive(Clone, Debug)]
pub(super) struct ExternalProgram {
    /// As it is called here.
    pub(super) command: &'static str,
    /// As it says itself.
    pub(super) version: String,
}

/// What is there; of what is not there, why.
pub(super) struct InstalledPrograms {
    /// This program.
    pub(super) own: PathBuf,
    pub(super) fd: Result<ExternalProgram, String>,
    pub(super) rg: Result<ExternalProgram, String>,
    pub(super) git: Result<ExternalProgram, String>,
    pub(super) fzf: Result<ExternalProgram, String>,
    /// Runs pipes.
    pub(super) sh: Result<ExternalProgram, String>,
}

/// What one run took.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunSample {
    pub(super) wall: Duration,
    /// Of all processors, children that were waited for included.
    pub(super) processor: Duration,
    /// Bytes in memory at most; what this process had at most before is the least that the system tells.
    pub(super) peak: u64,
}

impl InstalledPrograms {
    /// Asks each for its version.
    ///
    /// # Errors
    /// When this program does not know where it is.
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
        let own = std::env::current_exe().context("this program does not know where it is")?;
        // Debian has another program that is called fd.
        Ok(Self { own, fd: find(&["fdfind", "fd"]), rg: find(&["rg"]), git: find(&["git"]), fzf: find(&["fzf"]), sh })
    }

    /// This program, as it was shipped and with what it keeps in this directory.
    pub(super) fn own(&self, top: &Path, cache: &Path) -> Command {
        let mut command = isolated_command(&self.own, top);
        command.env("PATHFINDER_CACHE_DIR", cache);
        command
    }
}

/// The number in what a program says of its version.
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

/// In the directory of a benchmark: a home without anybody's settings, for all that is started.
pub(super) const HOME: &str = "home";

/// A command that no setting of the user reaches.
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

/// Runs a command to its end; what it prints is thrown away.
///
/// # Errors
/// When it cannot be started or fails. That nothing was found (status 1) is no failure.
pub(super) fn run_timed(command: &mut Command) -> anyhow::Result<RunSample> {
    command.stdout(Stdio::null());
    run(command).map(|(sample, _)| sample)
}

/// The same, and what it has printed.
///
/// # Errors
/// As [`timed`].
pub(super) fn run_timed_with_output(command: &mut Command) -> anyhow::Result<(RunSample, Vec<u8>)> {
    command.stdout(Stdio::piped());
    run(command)
}

fn run(command: &mut Command) -> anyhow::Result<(RunSample, Vec<u8>)> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{name} cannot be started"))?;
    let mut output = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_end(&mut output)?;
    }
    let ended = child.wait4()?;
    let wall = start.elapsed();
    ensure!(matches!(ended.status.code(), Some(0 | 1)), "{name} has failed: {}", ended.status);
    let used = ended.rusage;
    Ok((RunSample { wall, processor: used.utime + used.stime, peak: used.maxrss }, output))
}
