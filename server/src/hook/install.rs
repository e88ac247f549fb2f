//! A hook in an agent's settings: planned as a text before and after, and then written as a whole or not at all.

mod agents;
mod json;
mod toml;
mod wanted;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::names;
use crate::os::regular_file;
use crate::os::replace::{self, ReplaceError};

/// Largest settings file that is edited; they have some kilobytes.
const FILE_MAX: u64 = 4 << 20;

/// For whom it is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// For all projects of the user.
    User,
    /// For the project around this directory.
    Project(PathBuf),
}

/// Why nothing was changed.
#[derive(Debug, Error)]
pub(crate) enum InstallError {
    #[error("there is no agent {0:?}; there are {known}", known = names().join(", "))]
    Agent(String),
    #[error("it is not known where your home directory is")]
    NoHome,
    #[error("{}: {reason}; nothing was changed", file.display())]
    Settings {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    #[error("{}: {source}; nothing was changed", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What went wrong.
        source: ReplaceError,
    },
}

/// What is to be done to one file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) file: PathBuf,
    /// What is in it now; `None` if it is not there.
    pub(crate) before: Option<String>,
    /// What is to be in it; `None` if it is to go.
    pub(crate) after: Option<String>,
    /// What the user has to do besides.
    pub(crate) note: Option<&'static str>,
}

/// How a command is spelt for a shell.
pub(crate) fn quoted(program: &Path) -> String {
    let text = program.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '\\');
    if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// What installing, or removing, would change.
///
/// # Errors
/// When the settings cannot be understood, or it is not known where they are.
pub(crate) fn plan(agent: &str, place: &Place, program: &str, remove: bool) -> Result<Change, InstallError> {
    let target = agents::target(agent, place, &|name| std::env::var_os(name))?;
    let file = target.file.clone();
    let bad = |reason: String| InstallError::Settings { file: file.clone(), reason };
    let before = read(&file).map_err(bad)?;
    let command = format!("{program} hook {agent}");
    let ours = Ours { agent, command: &command };
    let text = before.as_deref().unwrap_or_default();
    let after = match target.settings {
        agents::Settings::Json(wanted) if remove => Some(json::without(text, ours, &wanted).map_err(bad)?),
        agents::Settings::Json(wanted) => Some(json::with(text, ours, &wanted).map_err(bad)?),
        agents::Settings::Toml(wanted) if remove => Some(toml::without(text, ours, &wanted).map_err(bad)?),
        agents::Settings::Toml(wanted) => Some(toml::with(text, ours, &wanted).map_err(bad)?),
        agents::Settings::Own(_) if remove => None,
        agents::Settings::Own(contents) => Some(contents(program, &command)),
    };
    // What was not there need not be removed from.
    let after = if remove && before.is_none() { None } else { after };
    Ok(Change { file, before, after, note: target.note })
}

impl Change {
    /// Does it. Gives the copy of what was there before.
    ///
    /// # Errors
    /// When the file was left as it is.
    pub(crate) fn apply(&self) -> Result<Option<PathBuf>, InstallError> {
        let fails = |source: ReplaceError| InstallError::Write { file: self.file.clone(), source };
        let Some(before) = &self.before else {
            let after = self.after.as_deref().unwrap_or_default();
            replace::nearest_directory(&self.file)
                .and_then(|(base, path)| replace::create(&base, &path, after.as_bytes()))
                .map_err(|error| fails(error.into()))?;
            return Ok(None);
        };
        let backup = backup_of(&self.file);
        replace::copy_beside(&self.file, backup.file_name().unwrap_or_default(), before.as_bytes())
            .map_err(|error| fails(error.into()))?;
        match &self.after {
            Some(_) => self.put(before).map_err(fails)?,
            None => fs::remove_file(&self.file).map_err(|error| fails(error.into()))?,
        }
        Ok(Some(backup))
    }

    /// Settings are often a link into a directory of all of one's settings, which it stays.
    fn put(&self, before: &str) -> Result<(), ReplaceError> {
        let real = dunce::canonicalize(&self.file)?;
        let (directory, name) = real.parent().zip(real.file_name()).ok_or(ReplaceError::Gone)?;
        let after = self.after.as_deref().unwrap_or_default();
        replace::replace(directory, &name.to_string_lossy(), before.as_bytes(), after.as_bytes())
    }
}

/// `settings.json.before-pathfinder`: no agent reads a file of such a name.
fn backup_of(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".before-pathfinder");
    file.with_file_name(name)
}

/// A settings file's text; `None` where there is none.
fn read(file: &Path) -> Result<Option<String>, String> {
    let bytes = match regular_file::read(file, FILE_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput) => {
            return Err("it is not a file".to_owned());
        }
        Err(error) => return Err(error.to_string()),
    };
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
}

/// The hook of one agent.
#[derive(Clone, Copy)]
struct Ours<'a> {
    agent: &'a str,
    /// The command that it is to be.
    command: &'a str,
}

impl Ours<'_> {
    /// Whether a command is this hook, wherever the program is; one of another name is known only as it is.
    fn is(&self, command: &str) -> bool {
        let program = command.strip_suffix(self.agent).and_then(|rest| rest.strip_suffix(" hook "));
        command == self.command || program.is_some_and(|program| program.contains("pathfinder"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Ours, quoted};

    #[test]
    fn programs_are_quoted_for_a_shell() {
        let ours = Ours { agent: "codex", command: "/bin/pf hook codex" };
        for (path, expect) in [
            ("/usr/bin/pathfinder", "/usr/bin/pathfinder"),
            ("/my tools/pathfinder", "'/my tools/pathfinder'"),
            ("/it's/pathfinder", "'/it'\\''s/pathfinder'"),
        ] {
            assert_eq!(quoted(Path::new(path)), expect);
            assert!(ours.is(&format!("{expect} hook codex")));
        }
        assert!(ours.is("/bin/pf hook codex"));
        for command in [
            "/opt/pf hook codex",
            "pathfinder hook claude-code",
            "other hook codex",
            "pathfinder",
            "echo pathfinder codex",
            "",
        ] {
            assert!(!ours.is(command), "{command}");
        }
    }
}
