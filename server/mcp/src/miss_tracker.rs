//! `MissTracker`: detects an agent that guesses one name after another in a directory, and lists that directory.
//!
//! A list of the existing names ends the guessing. The tools call it with each answer.

use parking_lot::Mutex;
use pathfinder_core::Status;
use serde_json::{Value, json};

use pathfinder_ipc::question::{DirectorySummary, ExistingDirectory, Resolved};
use pathfinder_ipc::{Backend, BackendError};

/// Misses per directory that lead to a list. Two are a typo and its correction; three are guessing.
const MAX_MISSES: usize = 3;
/// Directories that are tracked. An agent works in a handful.
const MAX_DIRECTORIES: usize = 32;
/// Counts misses per directory since the last hit there, for one conversation, or for all stateless calls of a server.
#[derive(Debug, Default)]
pub(super) struct MissTracker(Mutex<Vec<DirectoryMisses>>);

#[derive(Debug)]
struct DirectoryMisses {
    /// Canonical path of the root.
    root: String,
    directory: ExistingDirectory,
    misses: usize,
}

impl MissTracker {
    /// Records an answer. After too many misses in one directory, returns members for the reply that list the directory.
    ///
    /// # Errors
    /// If the engine cannot list the directory.
    pub(super) fn record(&self, backend: Backend<'_>, resolved: &Resolved) -> Result<Option<Value>, BackendError> {
        let Some(directory) = &resolved.directory else { return Ok(None) };
        if !self.is_guessing(directory, resolved) {
            return Ok(None);
        }
        Ok(backend.summarize_directory(directory.clone())?.map(encode))
    }

    /// Counts an answer. Returns true after too many misses in the directory, which then begin anew.
    fn is_guessing(&self, directory: &ExistingDirectory, resolved: &Resolved) -> bool {
        let root = &resolved.roots[directory.root].canonical;
        let mut tracked = self.0.lock();
        let at = tracked.iter().position(|one| one.root == *root && one.directory.path == directory.path);
        let before = at.map_or(0, |at| tracked.remove(at).misses);
        if matches!(resolved.answer.status, Status::Exists | Status::Resolved) {
            return false;
        }
        let misses = before + 1;
        if misses < MAX_MISSES {
            // The most recent directory stands last.
            tracked.push(DirectoryMisses { root: root.clone(), directory: directory.clone(), misses });
            if tracked.len() > MAX_DIRECTORIES {
                tracked.remove(0);
            }
        }
        misses >= MAX_MISSES
    }
}

fn encode(summary: DirectorySummary) -> Value {
    let DirectorySummary { directory, entries, more, endings } = summary;
    let mut value = json!({"directory": directory, "entries": entries});
    if let Some(more) = more {
        value["more"] = json!(more);
        value["endings"] = Value::Object(endings.into_iter().map(|(ending, count)| (ending, json!(count))).collect());
    }
    value
}
