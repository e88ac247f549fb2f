//! Completion: what somebody is typing as a path, by its beginning or else by a rough name.

use std::path::Path;

use pathfinder_core::{CANDIDATES_MAX, FindRequest, Hit, Kind, Presence, Probe as _, RelPath};
use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};

use super::{prompts, resources, withheld};
use crate::snapshot::WorkspaceSnapshot;
use crate::wire::place::placed;
use crate::workspace::{Workspace, absolute};

/// As long as a query may be; what is typed by hand is shorter.
const TYPED_MAX: usize = 1000;

/// What can stand in the place of what was typed. What has no completion completes to nothing: an error while somebody
/// types helps nobody.
///
/// # Errors
/// When the roots cannot be used.
pub(super) fn complete(workspace: &Workspace, asked: &CompleteRequestParams) -> Result<CompletionInfo, ErrorData> {
    let argument = asked.argument.name.as_str();
    let whole = match &asked.r#ref {
        Reference::Resource(resource) if resource.uri == resources::TEMPLATE && argument == "path" => true,
        Reference::Prompt(prompt) if prompts::argument(&prompt.name) == Some(argument) => false,
        _ => return Ok(CompletionInfo::default()),
    };
    let typed = asked.argument.value.trim();
    if typed.len() > TYPED_MAX {
        return Ok(CompletionInfo::default());
    }
    let snapshot = workspace.snapshot().map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let mut places = begun(&snapshot, typed, whole);
    let more = places.len() > CompletionInfo::MAX_VALUES;
    places.truncate(CompletionInfo::MAX_VALUES);
    if places.is_empty() && !typed.is_empty() {
        places = alike(workspace, typed)?;
    }
    let values = places.into_iter().filter_map(|place| place.shown(&snapshot, whole)).collect();
    let mut info = CompletionInfo::new(values).map_err(|error| ErrorData::internal_error(error, None))?;
    info.has_more = Some(more);
    Ok(info)
}

/// An entry of a root.
struct Place {
    root: usize,
    path: RelPath,
    is_directory: bool,
}

impl Place {
    /// As it is offered, if it is there and can be written: a `whole` path as the template wants it, absolute but without the
    /// slash that stands in the template, or else relative to its root.
    fn shown(&self, snapshot: &WorkspaceSnapshot, whole: bool) -> Option<String> {
        if self.path.is_lossy()
            || !withheld::is_shown(snapshot, self.root, &self.path)
            || !matches!(snapshot.probe().presence(self.root, self.path.as_bytes()), Presence::Present(_))
        {
            return None;
        }
        let slash = if self.is_directory { "/" } else { "" };
        if whole {
            let path = absolute(&snapshot.opened()[self.root].root.canonical, &self.path);
            let path = path.replace(std::path::MAIN_SEPARATOR, "/");
            return Some(format!("{}{slash}", path.trim_start_matches('/')));
        }
        Some(format!("{}{slash}", placed(snapshot, self.root, &self.path)))
    }
}

/// What begins like that, in the directory that was typed; in order of names, one more than is offered at most.
fn begun(snapshot: &WorkspaceSnapshot, typed: &str, whole: bool) -> Vec<Place> {
    let mut places = Vec::new();
    for (at, opened) in snapshot.opened().iter().enumerate() {
        let tree = &snapshot.engine().roots()[at].snapshot;
        let own = match snapshot.opened() {
            _ if whole => prefix(&opened.root.canonical),
            [_] => String::new(),
            _ => opened.root.given.replace('\\', "/"),
        };
        let own = own.trim_end_matches('/');
        let below = if own.is_empty() { Some(typed) } else { below(typed.trim_start_matches('/'), own) };
        let Some(below) = below else {
            // Not so far yet.
            if own.starts_with(typed.trim_matches('/')) {
                places.push(Place { root: at, path: RelPath::new(""), is_directory: true });
            }
            continue;
        };
        let (directory, name) = below.rsplit_once('/').unwrap_or(("", below));
        let children = tree.children(directory.as_bytes());
        let alike = children.into_iter().filter(|(child, _)| child.starts_with(name.as_bytes()));
        let room = (CompletionInfo::MAX_VALUES + 1).saturating_sub(places.len());
        places.extend(alike.take(room).map(|(child, kind)| {
            let path = if directory.is_empty() { child } else { [directory.as_bytes(), b"/", &child].concat() };
            Place { root: at, path: RelPath::new(path), is_directory: kind == Kind::Directory }
        }));
    }
    places
}

/// An absolute path as the template wants it.
fn prefix(path: &Path) -> String {
    path.to_string_lossy().trim_start_matches('/').replace('\\', "/")
}

fn below<'a>(typed: &'a str, root: &str) -> Option<&'a str> {
    typed.strip_prefix(root)?.strip_prefix('/')
}

/// What is called something like that.
fn alike(workspace: &Workspace, typed: &str) -> Result<Vec<Place>, ErrorData> {
    let limit = CompletionInfo::MAX_VALUES.min(CANDIDATES_MAX);
    let (snapshot, found) = workspace
        .find(&FindRequest { limit, ..FindRequest::new(typed) })
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    // What cannot be a query, such as nothing but signs, completes to nothing.
    let hits = found.answer.map(|answer| answer.hits).unwrap_or_default();
    let kind = |root: usize, path: &RelPath| snapshot.engine().roots()[root].snapshot.get(path.as_bytes());
    let place = |hit: Hit| Place {
        is_directory: kind(hit.root, &hit.path) == Some(Kind::Directory),
        root: hit.root,
        path: hit.path,
    };
    Ok(hits.into_iter().map(place).collect())
}
