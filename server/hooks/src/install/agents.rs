//! Knows each agent's settings file and the hook entries that go into it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::opencode;
use super::hook_entry::{HookEntry, JsonLayout};
use super::{InstallError, InstallScope, toml};
use pathfinder_vfs::environment;
use pathfinder_vfs::paths;

/// The settings file of one agent and its planned contents.
pub(super) struct SettingsFile {
    pub(super) file: PathBuf,
    pub(super) settings: SettingsContent,
    pub(super) note: Option<&'static str>,
}

/// Planned contents of a settings file.
pub(super) enum SettingsContent {
    /// Entries among others, in JSON.
    Json(JsonLayout, Vec<HookEntry>),
    /// Entries among others, in TOML.
    Toml(Vec<HookEntry>),
    /// A script that runs the hook. The agent gives its name, so that another one can be in its place.
    Script,
    /// The whole file, built from the program and the command.
    Own(fn(&str, &str) -> String),
}

const fn entry(event: &'static str, matcher: Option<&'static str>, timeout: u32) -> HookEntry {
    HookEntry { event, matcher, timeout }
}

/// Seconds after which an agent continues without an answer. The program gives up earlier by itself.
const TIMEOUT_SECONDS: u32 = 10;

/// Matcher for tools that read. Each such call starts the program, which takes a few milliseconds if the path exists.
const READ_TOOLS_MATCHER: &str =
    "Read|Grep|Glob|LS|Bash|mcp__.*__(read|list|view|search|directory|get_file|get_symbols).*";

/// Returns the settings file of an agent and its planned contents.
pub(super) fn settings_file(
    agent: &str,
    scope: &InstallScope,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<SettingsFile, InstallError> {
    let absolute = |name: &str| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || environment::home().filter(|home| home.is_absolute()).ok_or(InstallError::NoHome);
    let directory = |variable: &str, below_home: &str, project: &str| match scope {
        InstallScope::Project(directory) => Ok(project_root(directory).join(project)),
        InstallScope::User => absolute(variable).map_or_else(|| Ok(home()?.join(below_home)), Ok),
    };
    let plain = |file: PathBuf, settings: SettingsContent| SettingsFile { file, settings, note: None };
    Ok(match agent {
        "claude-code" => {
            let file = directory("CLAUDE_CONFIG_DIR", ".claude", ".claude")?.join("settings.json");
            plain(
                file,
                SettingsContent::Json(
                    JsonLayout::Grouped,
                    vec![
                        entry("SessionStart", None, TIMEOUT_SECONDS),
                        entry("PreToolUse", Some(READ_TOOLS_MATCHER), TIMEOUT_SECONDS),
                        entry("PostToolUse", Some("Grep|Glob|Bash"), TIMEOUT_SECONDS),
                        entry(
                            "PostToolUseFailure",
                            Some("Read|Grep|Glob|LS|Bash|Edit|MultiEdit|NotebookEdit|mcp__.*"),
                            TIMEOUT_SECONDS,
                        ),
                        entry("UserPromptSubmit", None, TIMEOUT_SECONDS),
                    ],
                ),
            )
        }
        "gemini" => {
            let file = directory("GEMINI_CLI_HOME", ".gemini", ".gemini")?.join("settings.json");
            let milliseconds = TIMEOUT_SECONDS * 1000;
            plain(
                file,
                SettingsContent::Json(
                    JsonLayout::Grouped,
                    vec![
                        entry("SessionStart", None, milliseconds),
                        entry("AfterTool", Some(".*"), milliseconds),
                        entry("BeforeAgent", None, milliseconds),
                    ],
                ),
            )
        }
        "codex" => {
            let directory = directory("CODEX_HOME", ".codex", ".codex")?;
            let events = vec![
                entry("SessionStart", None, TIMEOUT_SECONDS),
                entry("PreToolUse", Some("Bash|mcp__.*"), TIMEOUT_SECONDS),
                entry("PostToolUse", Some("Bash|mcp__.*"), TIMEOUT_SECONDS),
                entry("UserPromptSubmit", None, TIMEOUT_SECONDS),
            ];
            // Codex warns at every start about hooks in two files, so they stay in the file that has some.
            let config = directory.join("config.toml");
            let note = Some("Codex runs a hook once you have trusted it: start codex, and say /hooks");
            if toml::has_hooks(&config) {
                SettingsFile { file: config, settings: SettingsContent::Toml(events), note }
            } else {
                SettingsFile {
                    file: directory.join("hooks.json"),
                    settings: SettingsContent::Json(JsonLayout::Grouped, events),
                    note,
                }
            }
        }
        "cline" => {
            let directory = match scope {
                InstallScope::Project(directory) => project_root(directory).join(".clinerules/hooks"),
                InstallScope::User => home()?.join("Documents/Cline/Hooks"),
            };
            plain(directory.join("PostToolUse"), SettingsContent::Script)
        }
        "cursor" => {
            let directory = match scope {
                InstallScope::Project(directory) => project_root(directory),
                InstallScope::User => home()?,
            };
            plain(directory.join(".cursor/hooks.json"), SettingsContent::Json(JsonLayout::Flat, cursor_entries()))
        }
        "copilot" => {
            let directory = directory("COPILOT_HOME", ".copilot", ".github")?;
            plain(directory.join("hooks/pathfinder.json"), SettingsContent::Own(copilot_settings))
        }
        "opencode" => {
            let below = |base: PathBuf| base.join("opencode");
            let directory = match scope {
                InstallScope::Project(directory) => project_root(directory).join(".opencode"),
                InstallScope::User => match absolute("XDG_CONFIG_HOME") {
                    Some(base) => below(base),
                    None => below(home()?.join(".config")),
                },
            };
            plain(directory.join("plugin/pathfinder.js"), SettingsContent::Own(opencode_plugin))
        }
        _ => return Err(InstallError::Agent(agent.to_owned())),
    })
}

/// Returns the root of the project around a directory.
pub(super) fn project_root(directory: &Path) -> PathBuf {
    let canonical = paths::real(directory).unwrap_or_else(|_| directory.to_owned());
    pathfinder_vfs::roots::worktree_around(&canonical).unwrap_or(canonical)
}

/// Returns the events of Cursor that are answered. Without a matcher every tool is announced, since their names differ by version.
fn cursor_entries() -> Vec<HookEntry> {
    vec![
        entry("sessionStart", None, TIMEOUT_SECONDS),
        entry("preToolUse", None, TIMEOUT_SECONDS),
        entry("postToolUse", Some("Shell"), TIMEOUT_SECONDS),
    ]
}

fn copilot_settings(_program: &str, command: &str) -> String {
    let hook = json!({"type": "command", "bash": command, "powershell": command, "timeoutSec": TIMEOUT_SECONDS});
    let hooks = ["sessionStart", "preToolUse", "postToolUse", "postToolUseFailure"]
        .map(|event| (event.to_owned(), json!([hook])));
    let all = json!({"version": 1, "hooks": Value::Object(hooks.into_iter().collect())});
    // Serializing texts and numbers cannot fail.
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

fn opencode_plugin(program: &str, _command: &str) -> String {
    // A list of words has no shell quotes.
    let program = program.trim_matches('\'').replace("'\\''", "'");
    opencode::PLUGIN.replace("PROGRAM", &json!([program, "hook", "opencode"]).to_string())
}
