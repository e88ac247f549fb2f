//! Where each agent has its settings, and what is to be in them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::super::opencode;
use super::wanted::Wanted;
use super::{InstallError, Place, toml};

/// The file of one agent.
pub(super) struct Target {
    pub(super) file: PathBuf,
    pub(super) settings: Settings,
    pub(super) note: Option<&'static str>,
}

/// What is to be in it.
pub(super) enum Settings {
    /// Entries among others in JSON.
    Json(Vec<Wanted>),
    /// The same in TOML.
    Toml(Vec<Wanted>),
    /// All of it, made from the program and the command.
    Own(fn(&str, &str) -> String),
}

const fn wanted(event: &'static str, matcher: Option<&'static str>, timeout: u32) -> Wanted {
    Wanted { event, matcher, timeout }
}

/// Seconds after which an agent goes on without an answer. The program gives up by itself before.
const SECONDS: u32 = 10;

/// Tools that read. Each of them starts the program, which takes some milliseconds where the path is there.
const READING: &str = "Read|Grep|Glob|LS|Bash|mcp__.*__(read|list|view|search|directory|get_file|get_symbols).*";

/// The file of an agent, and what is to be in it.
pub(super) fn target(
    agent: &str,
    place: &Place,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Result<Target, InstallError> {
    let absolute = |name: &str| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || std::env::home_dir().filter(|home| home.is_absolute()).ok_or(InstallError::NoHome);
    let directory = |variable: &str, below_home: &str, project: &str| match place {
        Place::Project(directory) => Ok(top(directory).join(project)),
        Place::User => absolute(variable).map_or_else(|| Ok(home()?.join(below_home)), Ok),
    };
    let plain = |file: PathBuf, settings: Settings| Target { file, settings, note: None };
    Ok(match agent {
        "claude-code" => {
            let file = directory("CLAUDE_CONFIG_DIR", ".claude", ".claude")?.join("settings.json");
            plain(
                file,
                Settings::Json(vec![
                    wanted("SessionStart", None, SECONDS),
                    wanted("PreToolUse", Some(READING), SECONDS),
                    wanted("PostToolUse", Some("Grep|Glob|Bash"), SECONDS),
                    wanted(
                        "PostToolUseFailure",
                        Some("Read|Grep|Glob|LS|Bash|Edit|MultiEdit|NotebookEdit|mcp__.*"),
                        SECONDS,
                    ),
                    wanted("UserPromptSubmit", None, SECONDS),
                ]),
            )
        }
        "gemini" => {
            let file = directory("GEMINI_CLI_HOME", ".gemini", ".gemini")?.join("settings.json");
            let milliseconds = SECONDS * 1000;
            plain(
                file,
                Settings::Json(vec![
                    wanted("SessionStart", None, milliseconds),
                    wanted("AfterTool", Some(".*"), milliseconds),
                    wanted("BeforeAgent", None, milliseconds),
                ]),
            )
        }
        "codex" => {
            let directory = directory("CODEX_HOME", ".codex", ".codex")?;
            let events = vec![
                wanted("SessionStart", None, SECONDS),
                wanted("PreToolUse", Some("Bash|mcp__.*"), SECONDS),
                wanted("PostToolUse", Some("Bash|mcp__.*"), SECONDS),
                wanted("UserPromptSubmit", None, SECONDS),
            ];
            // Hooks in two files are a warning at every start: where there are some, they stay together.
            let config = directory.join("config.toml");
            let note = Some("Codex runs a hook once you have trusted it: start codex, and say /hooks");
            if toml::has_hooks(&config) {
                Target { file: config, settings: Settings::Toml(events), note }
            } else {
                Target { file: directory.join("hooks.json"), settings: Settings::Json(events), note }
            }
        }
        "copilot" => {
            let directory = directory("COPILOT_HOME", ".copilot", ".github")?;
            plain(directory.join("hooks/pathfinder.json"), Settings::Own(copilot))
        }
        "opencode" => {
            let below = |base: PathBuf| base.join("opencode");
            let directory = match place {
                Place::Project(directory) => top(directory).join(".opencode"),
                Place::User => match absolute("XDG_CONFIG_HOME") {
                    Some(base) => below(base),
                    None => below(home()?.join(".config")),
                },
            };
            plain(directory.join("plugin/pathfinder.js"), Settings::Own(plugin))
        }
        _ => return Err(InstallError::Agent(agent.to_owned())),
    })
}

/// The project around a directory.
fn top(directory: &Path) -> PathBuf {
    let canonical = dunce::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    crate::os::roots::worktree_around(&canonical).unwrap_or(canonical)
}

fn copilot(_program: &str, command: &str) -> String {
    let hook = json!({"type": "command", "bash": command, "powershell": command, "timeoutSec": SECONDS});
    let hooks = ["sessionStart", "preToolUse", "postToolUse", "postToolUseFailure"]
        .map(|event| (event.to_owned(), json!([hook])));
    let all = json!({"version": 1, "hooks": Value::Object(hooks.into_iter().collect())});
    // Of plain texts and numbers: this cannot fail.
    serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
}

fn plugin(program: &str, _command: &str) -> String {
    // A shell's quotes are none of a list of words.
    let program = program.trim_matches('\'').replace("'\\''", "'");
    opencode::PLUGIN.replace("PROGRAM", &json!([program, "hook", "opencode"]).to_string())
}
