//! `Used`: what a session answered: the last few paths, and how often each was used, also by sessions before.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use pathfinder_core::RelPath;
use pathfinder_core::frecency::Visits;

use super::absolute;
use crate::os::roots::RootDir;
use crate::os::visits::{self, now};
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};

/// Paths of a session's own history: the original's ring of five.
const MAX_RECENT_PATHS: usize = 5;

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct UsageHistory {
    /// Absolute paths, oldest first.
    recent: VecDeque<String>,
    /// By root, what is known of it.
    roots: BTreeMap<PathBuf, RootUsage>,
}

/// The uses of one root's paths.
#[derive(Debug, Default)]
struct RootUsage {
    /// All that is known, this session's own included.
    visits: Visits,
    /// Whether what is on disk is part of it.
    loaded: bool,
    /// This session's own that are not on disk yet.
    new: Vec<(RelPath, i64)>,
}

impl UsageHistory {
    /// The last paths, oldest first.
    pub(super) fn recent(&self) -> Vec<String> {
        self.recent.iter().cloned().collect()
    }

    /// One use of a path.
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

    /// Writes what is new to the cache; true if anything was.
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

    /// The session with what is familiar at this moment.
    pub(super) fn with_frecency(&mut self, workspace: &WorkspaceSnapshot) -> WorkspaceSnapshot {
        let now = now();
        let visits = workspace.opened().iter().map(|opened| {
            let uses = self.roots.entry(opened.root.canonical.clone()).or_default();
            if !uses.loaded {
                uses.loaded = true;
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
