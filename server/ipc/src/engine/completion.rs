//! Completes a path that is being typed, by its prefix, else by a fuzzy search.

use std::path::Path;

use pathfinder_core::{CANDIDATES_MAX, FindRequest, Hit, Kind, Presence, Probe as _, RelPath};

use super::withheld;
use crate::question::{Completion, CompletionQuestion, EngineError};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_project::workspace::{Workspace, absolute};
use pathfinder_protocol::paths::{RootName, display_path};

/// Completions in one answer: as many as MCP allows.
pub const MAX_COMPLETIONS: usize = 100;

/// Completes a typed path.
///
/// # Errors
/// If the roots cannot be used.
pub(super) fn complete(workspace: &Workspace, asked: &CompletionQuestion) -> Result<Completion, EngineError> {
    let CompletionQuestion { typed, is_absolute } = asked;
    let snapshot = workspace.snapshot()?;
    let mut items = complete_prefix(&snapshot, typed, *is_absolute);
    let has_more = items.len() > MAX_COMPLETIONS;
    items.truncate(MAX_COMPLETIONS);
    if items.is_empty() && !typed.is_empty() {
        items = complete_fuzzy(workspace, typed)?;
    }
    let values = items.into_iter().filter_map(|item| item.to_value(&snapshot, *is_absolute)).collect();
    Ok(Completion { values, has_more })
}

/// One entry of a root that completes the input.
struct CompletionItem {
    root: usize,
    path: RelPath,
    is_directory: bool,
}

impl CompletionItem {
    /// Returns the completion's text, if the entry exists and can be written.
    ///
    /// For the template (`is_absolute`), the path is absolute without the template's leading slash; for prompts it is relative to its root.
    fn to_value(&self, snapshot: &WorkspaceSnapshot, is_absolute: bool) -> Option<String> {
        if self.path.is_lossy()
            || !withheld::is_shown(snapshot, self.root, &self.path)
            || !matches!(snapshot.probe().presence(self.root, self.path.as_bytes()), Presence::Present(_))
        {
            return None;
        }
        let slash = if self.is_directory { "/" } else { "" };
        if is_absolute {
            let path = absolute(&snapshot.opened()[self.root].root.canonical, &self.path);
            let path = path.replace(std::path::MAIN_SEPARATOR, "/");
            return Some(format!("{}{slash}", path.trim_start_matches('/')));
        }
        Some(format!("{}{slash}", display_path(&RootName::list(snapshot), self.root, &self.path)))
    }
}

/// Returns entries with this prefix in the typed directory, by name, at most one more than the protocol allows.
fn complete_prefix(snapshot: &WorkspaceSnapshot, typed: &str, is_absolute: bool) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    for (at, opened) in snapshot.opened().iter().enumerate() {
        let tree = &snapshot.engine().roots()[at].snapshot;
        let root_prefix = match snapshot.opened() {
            _ if is_absolute => template_path(&opened.root.canonical),
            [_] => String::new(),
            _ => opened.root.given.replace('\\', "/"),
        };
        let root_prefix = root_prefix.trim_end_matches('/');
        let below =
            if root_prefix.is_empty() { Some(typed) } else { strip_root(typed.trim_start_matches('/'), root_prefix) };
        let Some(below) = below else {
            // The input is still shorter than the root's path.
            if root_prefix.starts_with(typed.trim_matches('/')) {
                items.push(CompletionItem { root: at, path: RelPath::new(""), is_directory: true });
            }
            continue;
        };
        let (directory, name) = below.rsplit_once('/').unwrap_or(("", below));
        let children = tree.children(directory.as_bytes());
        let matching = children.into_iter().filter(|(child, _)| child.starts_with(name.as_bytes()));
        let room = (MAX_COMPLETIONS + 1).saturating_sub(items.len());
        items.extend(matching.take(room).map(|(child, kind)| {
            let path = if directory.is_empty() { child } else { [directory.as_bytes(), b"/", &child].concat() };
            CompletionItem { root: at, path: RelPath::new(path), is_directory: kind == Kind::Directory }
        }));
    }
    items
}

/// Returns an absolute path without its leading slash, which the template has.
fn template_path(path: &Path) -> String {
    path.to_string_lossy().trim_start_matches('/').replace('\\', "/")
}

fn strip_root<'a>(typed: &'a str, root: &str) -> Option<&'a str> {
    typed.strip_prefix(root)?.strip_prefix('/')
}

/// Finds entries with a similar name.
fn complete_fuzzy(workspace: &Workspace, typed: &str) -> Result<Vec<CompletionItem>, EngineError> {
    let limit = MAX_COMPLETIONS.min(CANDIDATES_MAX);
    let (snapshot, found) = workspace.find(&FindRequest { limit, ..FindRequest::new(typed) })?;
    // Input that is no valid query, such as only punctuation, has no completion.
    let hits = found.answer.map(|answer| answer.hits).unwrap_or_default();
    let kind = |root: usize, path: &RelPath| snapshot.engine().roots()[root].snapshot.get(path.as_bytes());
    let item = |hit: Hit| CompletionItem {
        is_directory: kind(hit.root, &hit.path) == Some(Kind::Directory),
        root: hit.root,
        path: hit.path,
    };
    Ok(hits.into_iter().map(item).collect())
}
