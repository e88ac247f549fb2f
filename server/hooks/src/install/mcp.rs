//! Installs the MCP server in a client's settings, in the forms of `docs/mcp.md`.

mod entry;
mod root;
mod yaml;

use std::path::{Path, PathBuf};

use jsonc_parser::cst::CstInputValue;

use super::agents::project_root;
use super::{InstallError, InstallScope, MAX_SETTINGS_BYTES, SettingsChange, plan_change};
use entry::{add_json, add_toml, remove_json, remove_toml};
use pathfinder_vfs::environment;
use root::OtherRoot;

/// Largest `~/.claude.json` that is edited, in bytes. Claude Code keeps its history of all projects there: users have
/// reported files of 65 MB.
const MAX_CLAUDE_SETTINGS_BYTES: u64 = 128 << 20;

/// Name of the server in settings.
const NAME: &str = "pathfinder";

/// All clients with a settings file.
pub const CLIENTS: [&str; 9] =
    ["claude-code", "cline", "codex", "cursor", "gemini", "goose", "opencode", "vscode", "zed"];

/// The form of the settings.
#[derive(Clone, Copy)]
enum Form {
    /// An object of servers below this key, each with `command` and `args`.
    Json(&'static str),
    /// The form of opencode: `command` is a list.
    Opencode,
    /// A table below `mcp_servers`.
    Toml,
    /// The form of goose.
    Yaml,
}

/// One client's settings file.
struct ClientSettings {
    file: PathBuf,
    /// Largest file that is edited, in bytes.
    max_bytes: u64,
    form: Form,
    /// Arguments that name the root, for clients that do not start servers in the project.
    root: Vec<String>,
    /// Members besides `command` and `args`.
    more: Vec<(&'static str, CstInputValue)>,
    /// The step after installing.
    note: &'static str,
}

/// Plans the change that installs or removes the server. `program` is the program's path or name.
///
/// # Errors
/// If the client is unknown, or its settings cannot be found or parsed.
pub fn plan(
    client: &str,
    scope: &InstallScope,
    directory: &Path,
    program: &str,
    remove: bool,
) -> Result<SettingsChange, InstallError> {
    let ClientSettings { file, max_bytes, form, root, more, note } = settings_of(client, scope, directory)?;
    // A variable of the client, such as `${workspaceFolder}`, stands for the root of each project.
    let fixed_root = root.last().filter(|root| Path::new(root).is_absolute()).cloned();
    let other_root = |text: &str, key: &str| root::find_other(text, key, fixed_root.as_deref()?);
    let mut args = vec!["mcp".to_owned()];
    args.extend(root);
    let add = |text: &str| match form {
        Form::Json(key) => {
            let mut members: Vec<(String, CstInputValue)> = Vec::new();
            if key == "servers" {
                members.push(("type".to_owned(), "stdio".into()));
            }
            members.push(("command".to_owned(), program.into()));
            members.push(("args".to_owned(), texts(&args)));
            members.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
            match (other_root(text, key), &fixed_root) {
                (Some(OtherRoot::Changed(other)), _) => Err(format!(
                    "the server in it has arguments of your own and serves {other}: change its --root, or remove the server"
                )),
                (Some(OtherRoot::Written(_)), Some(root)) => add_json(&root::replace(text, key, root)?, key, members),
                _ => add_json(text, key, members),
            }
        }
        Form::Opencode => {
            let command: Vec<String> = [program.to_owned()].into_iter().chain(args.clone()).collect();
            let members = vec![
                ("type".to_owned(), "local".into()),
                ("command".to_owned(), texts(&command)),
                ("enabled".to_owned(), CstInputValue::Bool(true)),
            ];
            add_json(text, "mcp", members)
        }
        Form::Toml => add_toml(text, program, &args),
        Form::Yaml => yaml::add(text, program, &args),
    };
    let take_out = |text: &str| match form {
        Form::Json(key) => remove_json(text, key),
        Form::Opencode => remove_json(text, "mcp"),
        Form::Toml => remove_toml(text),
        Form::Yaml => yaml::remove(text),
    };
    let mut change = plan_change(file, max_bytes, NAME, remove, Some(note), &add, &take_out)?;
    if let (false, Form::Json(key), Some(text)) = (remove, form, &change.before)
        && let Some(OtherRoot::Written(other)) = other_root(text, key)
    {
        change.replaced_root = Some(other);
    }
    Ok(change)
}

/// Returns the settings file of a client, for installing and for reports.
///
/// # Errors
/// If the client is unknown, or the user has no home directory.
pub fn settings_path(client: &str, scope: &InstallScope) -> Result<PathBuf, InstallError> {
    Ok(settings_of(client, scope, Path::new(""))?.file)
}

fn settings_of(client: &str, scope: &InstallScope, directory: &Path) -> Result<ClientSettings, InstallError> {
    let home = || environment::home().filter(|home| home.is_absolute()).ok_or(InstallError::NoHome);
    let absolute = |name: &str| environment::variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = || absolute("XDG_CONFIG_HOME").map_or_else(|| Ok(home()?.join(".config")), Ok);
    let code = || -> Result<PathBuf, InstallError> {
        Ok(if cfg!(windows) {
            absolute("APPDATA").ok_or(InstallError::NoHome)?
        } else if cfg!(target_os = "macos") {
            home()?.join("Library/Application Support")
        } else {
            config()?
        }
        .join("Code/User"))
    };
    let project = match scope {
        InstallScope::Project(directory) => Some(project_root(directory)),
        InstallScope::User => None,
    };
    let at = |below: &str, user: PathBuf| project.as_ref().map_or(user, |root| root.join(below));
    let workspace = || vec!["--root".to_owned(), "${workspaceFolder}".to_owned()];
    let plain = |file: PathBuf, form: Form, note: &'static str| ClientSettings {
        file,
        max_bytes: MAX_SETTINGS_BYTES,
        form,
        root: Vec::new(),
        more: Vec::new(),
        note,
    };
    Ok(match client {
        "claude-code" => {
            let user = absolute("CLAUDE_CONFIG_DIR").map_or_else(home, Ok)?.join(".claude.json");
            let max_bytes = if project.is_some() { MAX_SETTINGS_BYTES } else { MAX_CLAUDE_SETTINGS_BYTES };
            let note = "next: start claude again; /mcp shows the server";
            ClientSettings { max_bytes, ..plain(at(".mcp.json", user), Form::Json("mcpServers"), note) }
        }
        "codex" => {
            let user = absolute("CODEX_HOME").map_or_else(|| Ok(home()?.join(".codex")), Ok)?.join("config.toml");
            plain(at(".codex/config.toml", user), Form::Toml, "next: start codex again; /mcp shows the server")
        }
        "gemini" => {
            let user = absolute("GEMINI_CLI_HOME").map_or_else(|| Ok(home()?.join(".gemini")), Ok)?;
            let file = at(".gemini/settings.json", user.join("settings.json"));
            plain(file, Form::Json("mcpServers"), "next: start gemini again; /mcp shows the server")
        }
        "goose" => {
            let file = if cfg!(windows) {
                absolute("APPDATA").ok_or(InstallError::NoHome)?.join("Block/goose/config/config.yaml")
            } else {
                config()?.join("goose/config.yaml")
            };
            plain(file, Form::Yaml, "next: start goose again; `goose info -v` shows the server")
        }
        "opencode" => {
            let file = at("opencode.json", config()?.join("opencode/opencode.json"));
            plain(file, Form::Opencode, "next: start opencode again")
        }
        "zed" => {
            let file = at(".zed/settings.json", config()?.join("zed/settings.json"));
            let note = "next: open the settings of Zed's agent, which list the server";
            let more = vec![("env", CstInputValue::Object(Vec::new()))];
            ClientSettings { more, ..plain(file, Form::Json("context_servers"), note) }
        }
        "vscode" => {
            let file = at(".vscode/mcp.json", code()?.join("mcp.json"));
            let note = "next: run `MCP: List Servers` in VS Code, and start the server";
            ClientSettings { root: workspace(), ..plain(file, Form::Json("servers"), note) }
        }
        "cursor" => {
            let file = at(".cursor/mcp.json", home()?.join(".cursor/mcp.json"));
            let note = "next: open Cursor's settings, and switch the server on under MCP";
            ClientSettings { root: workspace(), ..plain(file, Form::Json("mcpServers"), note) }
        }
        "cline" => {
            let file = "globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
            let root = project_root(directory).to_string_lossy().into_owned();
            let tools = ["path_resolve", "tool_retry_with_resolve", "path_find", "roots_list", "reindex_paths"];
            let approved = texts(&tools.map(str::to_owned));
            ClientSettings {
                root: vec!["--root".to_owned(), root],
                more: vec![("autoApprove", approved)],
                ..plain(
                    code()?.join(file),
                    Form::Json("mcpServers"),
                    "next: the server is in Cline's list; it serves this project only",
                )
            }
        }
        _ => return Err(InstallError::Client(client.to_owned())),
    })
}

fn texts(all: &[String]) -> CstInputValue {
    CstInputValue::Array(all.iter().map(|text| text.as_str().into()).collect())
}
