//! Installs a hook in an agent's settings: plans the new text, then writes the whole file or nothing. Called by `cli/hook.rs`.

mod agents;
mod hook_entry;
mod json;
mod line_ends;
pub mod mcp;
mod toml;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::agent_names;
use pathfinder_vfs::environment;
use pathfinder_vfs::paths;
use pathfinder_vfs::regular_file;
use pathfinder_vfs::replace::{self, ReplaceError};

/// Largest settings file that is edited, in bytes. Real ones have a few kilobytes, and a repository can hold any.
const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// Scope of an installation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallScope {
    /// All projects of the user.
    User,
    /// The project around this directory.
    Project(PathBuf),
}

/// Reason why no settings were changed.
#[derive(Debug, Error)]
pub enum InstallError {
    /// No agent has this name.
    #[error("unknown agent {0:?}: use one of {known}", known = agent_names().join(", "))]
    Agent(String),
    /// No MCP client with a settings file has this name.
    #[error("unknown client {0:?}: use one of {known}; docs/mcp.md has others", known = mcp::CLIENTS.join(", "))]
    Client(String),
    /// The user has no home directory.
    #[error("your home directory is unknown: set HOME")]
    NoHome,
    /// The agent's settings cannot be read or changed.
    #[error("{}: {reason}; nothing was changed", file.display())]
    Settings {
        /// The settings file.
        file: PathBuf,
        /// The problem with it.
        reason: String,
    },
    /// The settings cannot be written.
    #[error("{}: {reason}; nothing was changed", file.display())]
    Write {
        /// The settings file.
        file: PathBuf,
        /// The failure. It is no source: the message has its text.
        reason: ReplaceError,
    },
}

/// A planned change of one settings file.
#[derive(Debug)]
pub struct SettingsChange {
    /// The agent's settings file.
    pub file: PathBuf,
    /// Current contents; `None` if the file does not exist.
    pub before: Option<String>,
    /// New contents; `None` removes the file.
    pub after: Option<String>,
    /// Further steps for the user.
    pub note: Option<&'static str>,
    /// The root that the entry served before, if the new one replaces it.
    pub replaced_root: Option<String>,
    /// True for a script that the agent runs.
    is_executable: bool,
    /// True if all of the current contents were written by this program: removing them needs no backup.
    is_generated: bool,
    /// True if the current contents have this program's entry. An earlier backup has the user's own text then, and stays.
    is_installed: bool,
}

/// Quotes a program's path for a shell.
pub fn quote_for_shell(program: &Path) -> String {
    let text = program.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | ':' | '\\');
    if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Plans the change that installs or removes a hook. `program` is the command to call, quoted for a shell.
///
/// # Errors
/// If the agent is unknown, or its settings cannot be found or parsed.
pub fn plan(agent: &str, scope: &InstallScope, program: &str, remove: bool) -> Result<SettingsChange, InstallError> {
    let target = agents::settings_file(agent, scope, &environment::variable)?;
    let command = format!("{program} hook {agent}");
    let own_hook = OwnHook { agent, command: &command };
    match target.settings {
        agents::SettingsContent::Json(layout, entries) => plan_change(
            target.file,
            MAX_SETTINGS_BYTES,
            own_hook.marker(),
            remove,
            target.note,
            &|text| json::add_hooks(text, own_hook, &entries, layout),
            &|text| json::remove_hooks(text, own_hook, &entries, layout),
        ),
        agents::SettingsContent::Toml(entries) => plan_change(
            target.file,
            MAX_SETTINGS_BYTES,
            own_hook.marker(),
            remove,
            target.note,
            &|text| toml::add_hooks(text, own_hook, &entries),
            &|text| toml::remove_hooks(text, own_hook, &entries),
        ),
        agents::SettingsContent::Own(contents) => {
            let file = target.file;
            let before = read(&file, MAX_SETTINGS_BYTES)
                .map_err(|reason| InstallError::Settings { file: file.clone(), reason })?;
            let own = contents(program, &command);
            let is_generated = before.as_ref() == Some(&own);
            let after = (!remove).then_some(own);
            Ok(SettingsChange { is_generated, ..SettingsChange::new(file, before, after, target.note) })
        }
        agents::SettingsContent::Script => plan_script(target.file, own_hook, remove, target.note),
    }
}

/// Beginning of the line of a script that runs the hook.
const SCRIPT_COMMAND: &str = "exec ";

/// Plans a change of a script whose name the agent gives, so that it can be another program's.
fn plan_script(
    file: PathBuf,
    own_hook: OwnHook<'_>,
    remove: bool,
    note: Option<&'static str>,
) -> Result<SettingsChange, InstallError> {
    let invalid = |reason: String| InstallError::Settings { file: file.clone(), reason };
    if cfg!(windows) {
        return Err(invalid("on Windows the agent runs only PowerShell scripts, which are not installed".to_owned()));
    }
    let before = read(&file, MAX_SETTINGS_BYTES).map_err(invalid)?;
    let is_own = |text: &str| {
        text.lines().filter_map(|line| line.strip_prefix(SCRIPT_COMMAND)).any(|command| own_hook.matches(command))
    };
    let is_installed = before.as_deref().is_some_and(is_own);
    let own = format!(
        "#!/bin/sh\n# Written by `pathfinder hook install {}`, which removes it with --remove.\n{SCRIPT_COMMAND}{}\n",
        own_hook.agent, own_hook.command
    );
    let is_generated = before.as_ref() == Some(&own);
    let after = match (&before, remove) {
        (Some(_), true) if is_installed => None,
        (_, true) => before.clone(),
        (Some(_), false) if !is_installed => {
            return Err(invalid(format!("it is another hook; call `{}` in it, with the same input", own_hook.command)));
        }
        (_, false) => Some(own),
    };
    let change = SettingsChange::new(file, before, after, note);
    Ok(SettingsChange { is_executable: true, is_generated, is_installed, ..change })
}

/// Changes the text of settings.
type Edit<'a> = dyn Fn(&str) -> Result<String, String> + 'a;

/// Plans a change of a settings file that has other entries as well.
///
/// Removing restores the text before installing, byte by byte, if nothing else was changed since. `marker` is in every text that has
/// the entry.
fn plan_change(
    file: PathBuf,
    max_bytes: u64,
    marker: &str,
    remove: bool,
    note: Option<&'static str>,
    add: &Edit<'_>,
    take_out: &Edit<'_>,
) -> Result<SettingsChange, InstallError> {
    let invalid = |reason: String| InstallError::Settings { file: file.clone(), reason };
    let before = read(&file, max_bytes).map_err(invalid)?;
    let text = before.as_deref().unwrap_or_default();
    // Settings of 65 MB are not parsed only to see that nothing is in them.
    if remove && !text.contains(marker) {
        let after = before.clone();
        return Ok(SettingsChange::new(file, before, after, note));
    }
    // A text that cannot be edited has no entry of this program.
    let has_entry = |text: &str| take_out(text).is_ok_and(|rest| rest != text);
    let after = if !remove {
        Some(add(text).map_err(invalid)?)
    } else if before.is_none() {
        // A missing file needs no removal.
        None
    } else {
        let removed = take_out(text).map_err(invalid)?;
        // Installing twice can lay the entry out differently, so the texts without it are compared.
        let is_left_of = |old: &str| add(old).and_then(|new| take_out(&new)).is_ok_and(|rest| rest == removed);
        let is_installed_in = |old: &str| removed != text && !has_entry(old) && is_left_of(old);
        match read(&backup_path(&file), max_bytes).ok().flatten() {
            Some(old) if is_installed_in(&old) => Some(old),
            // Installing had created the file. It creates no links.
            _ if is_installed_in("") && !replace::is_link(&file) => None,
            _ => Some(removed),
        }
    };
    let is_installed = has_entry(text);
    // Nothing but the entry was in a file that goes.
    let is_generated = before.is_some() && after.is_none();
    Ok(SettingsChange { is_generated, is_installed, ..SettingsChange::new(file, before, after, note) })
}

impl SettingsChange {
    /// A change of a file that is no script, and in which nothing is known to be of this program.
    fn new(file: PathBuf, before: Option<String>, after: Option<String>, note: Option<&'static str>) -> Self {
        Self {
            file,
            before,
            after,
            note,
            replaced_root: None,
            is_executable: false,
            is_generated: false,
            is_installed: false,
        }
    }

    /// Writes the change. Returns the path of a backup of the old contents, if one was written.
    ///
    /// # Errors
    /// If the file could not be changed; it is left as it was.
    pub fn apply(&self) -> Result<Option<PathBuf>, InstallError> {
        let fails = |reason: ReplaceError| InstallError::Write { file: self.file.clone(), reason };
        let Some(before) = &self.before else {
            let after = self.after.as_deref().unwrap_or_default();
            let create = if self.is_executable { replace::create_executable } else { replace::create };
            replace::nearest_directory(&self.file)
                .and_then(|(base, path)| create(&base, &path, after.as_bytes()))
                .map_err(|error| fails(error.into()))?;
            return Ok(None);
        };
        let backup = backup_path(&self.file);
        let has_backup = || self.is_installed && !matches!(read(&backup, MAX_SETTINGS_BYTES), Ok(None));
        let keeps_backup = self.is_generated || has_backup();
        if !keeps_backup {
            replace::copy_beside(&self.file, backup.file_name().unwrap_or_default(), before.as_bytes())
                .map_err(|error| fails(error.into()))?;
        }
        match &self.after {
            Some(_) => self.replace_settings(before).map_err(fails)?,
            None => replace::remove(&self.file, before.as_bytes()).map_err(fails)?,
        }
        Ok((!keeps_backup).then_some(backup))
    }

    /// Replaces the settings file. A symbolic link, as dotfile managers make it, stays a link.
    fn replace_settings(&self, before: &str) -> Result<(), ReplaceError> {
        let real = paths::real(&self.file)?;
        let (directory, name) = real.parent().zip(real.file_name()).ok_or(ReplaceError::Gone)?;
        let after = self.after.as_deref().unwrap_or_default();
        replace::replace(directory, name, before.as_bytes(), after.as_bytes())
    }
}

/// Returns the backup's path, such as `settings.json.before-pathfinder`: agents do not read files of such names.
fn backup_path(file: &Path) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".before-pathfinder");
    file.with_file_name(name)
}

/// Reads a settings file of at most `max_bytes`; `None` if there is none.
fn read(file: &Path, max_bytes: u64) -> Result<Option<String>, String> {
    let bytes = match regular_file::read(file, max_bytes) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if matches!(error.kind(), io::ErrorKind::IsADirectory | io::ErrorKind::InvalidInput) => {
            return Err("it is not a file".to_owned());
        }
        Err(error) => return Err(error.to_string()),
    };
    String::from_utf8(bytes).map(Some).map_err(|_| "it is not UTF-8".to_owned())
}

/// This program's hook for one agent.
#[derive(Clone, Copy)]
struct OwnHook<'a> {
    agent: &'a str,
    /// Command line of the hook.
    command: &'a str,
}

/// Part of the name of the program, wherever it lies.
const PROGRAM_NAME: &str = "pathfinder";

impl OwnHook<'_> {
    /// Returns a text that all settings with this hook contain. A program of another name may be written with escapes.
    fn marker(&self) -> &'static str {
        if self.command.contains(PROGRAM_NAME) { PROGRAM_NAME } else { "" }
    }

    /// Returns whether a command is this hook, wherever the program lies. A program of another name must match exactly.
    fn matches(&self, command: &str) -> bool {
        let program = command.strip_suffix(self.agent).and_then(|rest| rest.strip_suffix(" hook "));
        command == self.command || program.is_some_and(|program| program.contains(PROGRAM_NAME))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{OwnHook, quote_for_shell};

    #[test]
    fn quotes_programs_and_recognizes_its_hook() {
        let own_hook = OwnHook { agent: "codex", command: "/bin/pf hook codex" };
        for (path, expect) in [
            ("/usr/bin/pathfinder", "/usr/bin/pathfinder"),
            ("/my tools/pathfinder", "'/my tools/pathfinder'"),
            ("/it's/pathfinder", "'/it'\\''s/pathfinder'"),
        ] {
            assert_eq!(quote_for_shell(Path::new(path)), expect);
            assert!(own_hook.matches(&format!("{expect} hook codex")));
        }
        assert!(own_hook.matches("/bin/pf hook codex"));
        for command in [
            "/opt/pf hook codex",
            "pathfinder hook claude-code",
            "other hook codex",
            "pathfinder",
            "echo pathfinder codex",
            "",
        ] {
            assert!(!own_hook.matches(command), "{command}");
        }
    }
}
