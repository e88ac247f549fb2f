//! `MissTracker`: detects an agent that guesses one name after another in a directory, and lists that directory.
//!
//! A list of the existing names ends the guessing. The tools call it with each answer.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use pathfinder_core::{Answer, Kind, Presence, Probe as _, RelPath, Request, Status};
use serde_json::{Value, json};

use super::withheld;
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_protocol::paths::display_path;

/// Misses per directory that lead to a list. Two are a typo and its correction; three are guessing.
const MAX_MISSES: usize = 3;
/// Directories that are tracked. An agent works in a handful.
const MAX_DIRECTORIES: usize = 32;
/// Names in a list: some 200 tokens, as many as five candidates with a question.
const MAX_NAMES: usize = 40;
/// File extensions that are counted where a directory has more names than that.
const MAX_EXTENSIONS: usize = 8;

/// Counts misses per directory since the last hit there, for one conversation, or for all stateless calls of a server.
#[derive(Debug, Default)]
pub(super) struct MissTracker(Mutex<Vec<DirectoryMisses>>);

#[derive(Debug)]
struct DirectoryMisses {
    root: std::path::PathBuf,
    directory: Vec<u8>,
    misses: usize,
}

impl MissTracker {
    /// Records an answer. After too many misses in one directory, returns members for the reply that list the directory.
    pub(super) fn record(&self, workspace: &WorkspaceSnapshot, request: &Request, answer: &Answer) -> Option<Value> {
        let (root, directory) = deepest_existing_directory(workspace, &request.failed_path)?;
        let canonical = &workspace.opened()[root].root.canonical;
        let mut tracked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = tracked.iter().position(|one| one.root == *canonical && one.directory == directory);
        let before = at.map_or(0, |at| tracked.remove(at).misses);
        if matches!(answer.status, Status::Exists | Status::Resolved) {
            return None;
        }
        let misses = before + 1;
        if misses < MAX_MISSES {
            // The most recent directory stands last.
            tracked.push(DirectoryMisses { root: canonical.clone(), directory, misses });
            if tracked.len() > MAX_DIRECTORIES {
                tracked.remove(0);
            }
            return None;
        }
        drop(tracked);
        directory_summary(workspace, root, &directory)
    }
}

/// Returns the root and the deepest existing directory above a path.
fn deepest_existing_directory(workspace: &WorkspaceSnapshot, asked: &str) -> Option<(usize, Vec<u8>)> {
    let asked = asked.replace('\\', "/");
    let roots = workspace.opened();
    let (root, below) = if Path::new(&asked).is_absolute() {
        let inside = |canonical: &Path| Path::new(&asked).strip_prefix(canonical).ok().map(Path::to_path_buf);
        roots.iter().enumerate().find_map(|(at, opened)| Some((at, inside(&opened.root.canonical)?)))?
    } else {
        // With several roots a relative path has no definite root.
        if roots.len() > 1 {
            return None;
        }
        (0, Path::new(&asked).to_path_buf())
    };
    let below = below.to_str()?;
    let mut directory: Vec<&str> = below.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    if directory.contains(&"..") {
        return None;
    }
    let snapshot = &workspace.engine().roots()[root].snapshot;
    while directory.pop().is_some() {
        if directory.is_empty() || snapshot.get(directory.join("/").as_bytes()) == Some(Kind::Directory) {
            return Some((root, directory.join("/").into_bytes()));
        }
    }
    None
}

/// Lists a directory: its names, or the first of them and the number of entries per extension.
fn directory_summary(workspace: &WorkspaceSnapshot, root: usize, directory: &[u8]) -> Option<Value> {
    let children = workspace.engine().roots()[root].snapshot.children(directory);
    let below = |name: &[u8]| if directory.is_empty() { name.to_vec() } else { [directory, b"/", name].concat() };
    let is_there = |name: &[u8]| {
        let path = below(name);
        matches!(workspace.probe().presence(root, &path), Presence::Present(_))
            && withheld::is_shown(workspace, root, &RelPath::new(path))
    };
    let shown = |name: &[u8], kind: Kind| {
        format!("{}{}", String::from_utf8_lossy(name), if kind == Kind::Directory { "/" } else { "" })
    };
    let there = children.iter().filter(|(name, _)| is_there(name));
    let entries: Vec<String> = there.take(MAX_NAMES).map(|(name, kind)| shown(name, *kind)).collect();
    if entries.is_empty() {
        return None;
    }
    let path = display_path(workspace, root, &RelPath::new(directory));
    let mut summary = json!({"directory": if path.is_empty() { "." } else { &path }, "entries": entries});
    if children.len() > MAX_NAMES {
        let mut endings: BTreeMap<String, usize> = BTreeMap::new();
        for (name, kind) in &children {
            let dot = name.iter().rposition(|&byte| byte == b'.').filter(|&at| at > 0);
            let ending = match (kind, dot) {
                (Kind::Directory, _) => "/".to_owned(),
                (_, Some(dot)) => String::from_utf8_lossy(&name[dot..]).into_owned(),
                (_, None) => "no ending".to_owned(),
            };
            *endings.entry(ending).or_default() += 1;
        }
        let mut counted: Vec<(String, usize)> = endings.into_iter().collect();
        counted.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        counted.truncate(MAX_EXTENSIONS);
        summary["more"] = json!(children.len() - MAX_NAMES);
        summary["endings"] = Value::Object(counted.into_iter().map(|(ending, count)| (ending, json!(count))).collect());
    }
    Some(summary)
}
