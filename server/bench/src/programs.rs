//! Finds the programs to measure, and starts them without the user's settings.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context as _;

/// Name of the program to measure.
const OWN_NAME: &str = "pathfinder";

/// An external program.
#[derive(Clone, Debug)]
pub(crate) struct ExternalProgram {
    /// The name it is started by.
    pub(crate) command: &'static str,
    /// The version it reports.
    pub(crate) version: String,
}

/// The programs of the benchmark; for each one that is missing, the reason.
pub(crate) struct InstalledPrograms {
    /// The pathfinder that is measured.
    pub(crate) own: PathBuf,
    /// The version that it reports.
    pub(crate) own_version: String,
    pub(crate) fd: Result<ExternalProgram, String>,
    pub(crate) rg: Result<ExternalProgram, String>,
    pub(crate) git: Result<ExternalProgram, String>,
    pub(crate) fzf: Result<ExternalProgram, String>,
    /// The shell that runs pipelines.
    pub(crate) sh: Result<ExternalProgram, String>,
}

impl InstalledPrograms {
    /// Asks each program for its version. Measures the pathfinder at the given path; else the one beside this program,
    /// which the same build made; else the one in `PATH`.
    ///
    /// # Errors
    /// If there is no pathfinder.
    pub(crate) fn find(own: Option<&Path>, top: &Path) -> anyhow::Result<Self> {
        let find = |names: &[&'static str]| {
            let ask = |name: &&'static str| Some(ExternalProgram { command: name, version: version(name, top)? });
            names.iter().find_map(ask).ok_or_else(|| "not found".to_owned())
        };
        let sh = if cfg!(unix) {
            Ok(ExternalProgram { command: "sh", version: String::new() })
        } else {
            Err("no sh".to_owned())
        };
        let own = match own {
            Some(own) => dunce::canonicalize(own).with_context(|| format!("cannot find {}", own.display()))?,
            None => beside(OWN_NAME).unwrap_or_else(|| OWN_NAME.into()),
        };
        let own_version = version(&own, top).with_context(|| {
            format!("cannot start {}: build it with `cargo build --release`, or name it with --program", own.display())
        })?;
        // Debian's `fd` is another program.
        Ok(Self {
            own,
            own_version,
            fd: find(&["fdfind", "fd"]),
            rg: find(&["rg"]),
            git: find(&["git"]),
            fzf: find(&["fzf"]),
            sh,
        })
    }

    /// A command that runs pathfinder with default settings and the given cache directory.
    pub(crate) fn own(&self, top: &Path, cache: &Path) -> Command {
        let mut command = isolated_command(&self.own, top);
        command.env("PATHFINDER_CACHE_DIR", cache);
        command
    }
}

/// The program of this name beside this one, if there is one.
fn beside(name: &str) -> Option<PathBuf> {
    let file = std::env::current_exe().ok()?.with_file_name(name).with_extension(std::env::consts::EXE_EXTENSION);
    file.is_file().then_some(file)
}

/// Extracts the version number from the output of `--version`; `None` if the program cannot be started.
fn version(program: impl AsRef<OsStr>, top: &Path) -> Option<String> {
    let said = isolated_command(program, top)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|it| it.status.success())?;
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    let number = said.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit()));
    Some(number.unwrap_or("of unknown version").to_owned())
}

/// Home directory of all started programs, without any settings.
pub(crate) const HOME: &str = "home";
/// Beginnings of the environment variables that set up pathfinder or a peer.
const SETTINGS: [&str; 8] =
    ["PATHFINDER_", "RESOLVE_", "INCLUDE_DIRS", "GIT_", "FZF_", "RIPGREP_", "XDG_", "LS_COLORS"];

/// A command that ignores the user's settings.
pub(crate) fn isolated_command(program: impl AsRef<OsStr>, top: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if SETTINGS.iter().any(|prefix| text.starts_with(prefix)) {
            command.env_remove(&name);
        }
    }
    command.env("HOME", top.join(HOME)).env("GIT_CONFIG_NOSYSTEM", "1");
    command
}
