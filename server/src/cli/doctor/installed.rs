//! Finds out which agents and editors are set up, from their settings.

use std::path::{Path, PathBuf};

use pathfinder_hooks::install::{self, InstallScope, SettingsChange, mcp};
use pathfinder_vfs::{environment, paths};
use serde::Serialize;

/// Largest file of an editor's settings that is read.
const MAX_SETTINGS_BYTES: u64 = 4 << 20;

/// The setup of one agent or editor.
#[derive(Debug, Serialize)]
pub(super) struct Installed {
    pub(super) name: &'static str,
    /// The settings, or the extension's directory.
    pub(super) file: String,
}

/// Everything that is set up for this user.
#[derive(Debug, Serialize)]
pub(super) struct InstalledParts {
    /// Agents with the hook.
    pub(super) hooks: Vec<Installed>,
    /// Agents with the MCP server.
    pub(super) agents: Vec<Installed>,
    /// Editors with the extension, or with a configuration of the language server.
    pub(super) editors: Vec<Installed>,
}

/// Looks for all of them, in the user's settings and in those of the project around this directory.
pub(super) fn find(directory: &Path) -> InstalledParts {
    let scopes = [InstallScope::User, InstallScope::Project(directory.to_owned())];
    let mut hooks = Vec::new();
    let mut agents = Vec::new();
    for scope in &scopes {
        // A part is there if its removal would change the settings.
        let is_there = |name, change: Result<SettingsChange, _>| {
            let change = change.ok().filter(|change: &SettingsChange| change.after != change.before)?;
            Some(Installed { name, file: change.file.display().to_string() })
        };
        let hook = |name: &'static str| is_there(name, install::plan(name, scope, "pathfinder", true));
        hooks.extend(pathfinder_hooks::agent_names().into_iter().filter_map(hook));
        let server = |name: &'static str| is_there(name, mcp::plan(name, scope, directory, "pathfinder", true));
        agents.extend(mcp::CLIENTS.into_iter().filter_map(server));
    }
    // One file can serve both scopes.
    for parts in [&mut hooks, &mut agents] {
        let mut seen = Vec::new();
        parts.retain(|part: &Installed| {
            let file = Path::new(&part.file);
            let key = (part.name, paths::real(file).unwrap_or_else(|_| file.to_owned()));
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
    }
    InstalledParts { hooks, agents, editors: editors() }
}

fn editors() -> Vec<Installed> {
    let Some(home) = environment::home().filter(|home| home.is_absolute()) else { return Vec::new() };
    let mut found = Vec::new();
    let mut add = |name, file: PathBuf| found.push(Installed { name, file: file.display().to_string() });
    for (name, directory) in [("vscode", ".vscode/extensions"), ("cursor", ".cursor/extensions")] {
        let entries = std::fs::read_dir(home.join(directory)).into_iter().flatten().flatten();
        let is_ours = |name: &str| name.starts_with("pathfinder") || name.contains(".pathfinder");
        let extension = entries
            .map(|entry| entry.path())
            .find(|path| path.file_name().is_some_and(|file| is_ours(&file.to_string_lossy())));
        if let Some(path) = extension {
            add(name, path);
        }
    }
    let zed = home.join(".local/share/zed/extensions/installed/pathfinder");
    if zed.is_dir() {
        add("zed", zed);
    }
    for (name, file) in [("helix", ".config/helix/languages.toml"), ("neovim", ".config/nvim/init.lua")] {
        let file = home.join(file);
        let text = pathfinder_vfs::regular_file::read_to_string(&file, MAX_SETTINGS_BYTES).unwrap_or_default();
        if text.contains("pathfinder") {
            add(name, file);
        }
    }
    found
}

/// Names of what is set up, or a way to set it up.
pub(super) fn names(all: &[Installed], else_run: &str) -> String {
    if all.is_empty() {
        return format!("none; {else_run}");
    }
    let names: Vec<String> = all.iter().map(|one| format!("{} ({})", one.name, one.file)).collect();
    names.join(", ")
}
