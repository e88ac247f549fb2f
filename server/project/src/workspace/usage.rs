//! Recently used paths of a workspace, and the visits of each path, also of earlier processes.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use pathfinder_core::RelPath;
use pathfinder_core::frecency::Visits;

use super::absolute;
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};
use pathfinder_vfs::roots::RootDir;
use pathfinder_vfs::visits::{self, now};

/// Length of the list of recent paths, as in the original pathfinder.
const MAX_RECENT_PATHS: usize = 5;

/// Uses of all roots.
#[derive(Debug, Default)]
pub(super) struct UsageHistory {
    /// Absolute paths, oldest first.
    recent: VecDeque<String>,
    /// Uses by root (canonical path).
    roots: BTreeMap<PathBuf, RootUsage>,
}

/// Uses of the paths of one root.
#[derive(Debug, Default)]
struct RootUsage {
    /// All known visits, including `new`.
    visits: Visits,
    /// True if the saved visits are part of `visits`.
    is_loaded: bool,
    /// Visits of this process that are not saved yet: path and seconds since 1970.
    new: Vec<(RelPath, i64)>,
}

impl UsageHistory {
    /// Returns the recent paths, oldest first.
    pub(super) fn recent(&self) -> Vec<String> {
        self.recent.iter().cloned().collect()
    }

    /// Records one use of a path.
    pub(super) fn record(&mut self, root: &RootDir, path: &RelPath) {
        let text = absolute(&root.canonical, path);
        self.recent.retain(|other| *other != text);
        self.recent.push_back(text);
        if self.recent.len() > MAX_RECENT_PATHS {
            self.recent.pop_front();
        }
        let uses = self.roots.entry(root.canonical.clone()).or_default();
        let now = now();
        uses.visits.note(path.clone(), now);
        uses.new.push((path.clone(), now));
    }

    /// Saves new visits. Returns whether there were any.
    pub(super) fn save(&mut self, opened: &[LoadedRoot]) -> bool {
        let mut any = false;
        for opened in opened {
            let Some(uses) = self.roots.get_mut(&opened.root.canonical).filter(|uses| !uses.new.is_empty()) else {
                continue;
            };
            any = true;
            let new = std::mem::take(&mut uses.new);
            if let Some(directory) = &opened.settings.cache_dir {
                uses.visits = visits::add(directory, &opened.root.canonical, new, now());
            }
        }
        any
    }

    /// Returns a snapshot whose frecency includes all visits.
    pub(super) fn with_frecency(&mut self, workspace: &WorkspaceSnapshot) -> WorkspaceSnapshot {
        let now = now();
        let visits = workspace.opened().iter().map(|opened| {
            let uses = self.roots.entry(opened.root.canonical.clone()).or_default();
            if !uses.is_loaded {
                uses.is_loaded = true;
                if let Some(directory) = &opened.settings.cache_dir {
                    uses.visits = visits::load(directory, &opened.root.canonical);
                    uses.new.iter().for_each(|(path, at)| uses.visits.note(path.clone(), *at));
                }
            }
            uses.visits.clone()
        });
        workspace.with_visits(&visits.collect::<Vec<_>>(), now)
    }
}
