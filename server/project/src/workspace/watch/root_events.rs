//! Picks the change events that concern one root: paths, git's own files, ignore rules, project settings.

use std::path::Path;

use pathfinder_core::RelPath;

use crate::settings::PROJECT_FILE;
use pathfinder_vfs::events::{TouchedPaths, WalkMetadata};
use pathfinder_vfs::watch::PendingChanges;

/// Change events of one root.
#[derive(Debug, Default)]
pub(super) struct RootEvents {
    /// Paths to look up on disk.
    pub(super) touched: TouchedPaths,
    /// Files whose contents have changed.
    pub(super) written: Vec<RelPath>,
    /// True if the project's settings have changed.
    pub(super) has_new_settings: bool,
    /// True if there may be a new commit or another branch.
    pub(super) has_new_commits: bool,
}

impl RootEvents {
    /// Picks the changes that concern a root (its canonical path).
    pub(super) fn new(root: &Path, metadata: Option<&WalkMetadata>, changes: &PendingChanges) -> Self {
        let mut events = Self::default();
        let of_git = metadata.map(|metadata| metadata.places(root)).unwrap_or_default();
        for path in changes.entries.iter().chain(&changes.written) {
            // Git's own files first, since most lie below the root too.
            if let Some(here) = of_git.iter().find(|it| path.starts_with(&it.git)) {
                match path.strip_prefix(&here.git).ok().and_then(Path::to_str) {
                    Some("index") => _ = events.touched.tracked.insert(here.at.clone()),
                    Some("HEAD" | "logs/HEAD") if here.at.is_empty() => events.has_new_commits = true,
                    // The repository's own rules, or the git directory itself was added or removed.
                    Some("info/exclude" | "") => _ = events.touched.rules.insert(here.at.clone()),
                    _ => {}
                }
                continue;
            }
            let Ok(relative) = path.strip_prefix(root) else {
                // Rules above the root apply below it too.
                let above = path.parent().is_some_and(|parent| root.starts_with(parent));
                if above && is_rules(path) {
                    events.touched.rules.insert(Vec::new());
                }
                continue;
            };
            let relative = RelPath::new(pathfinder_vfs::bytes::from_os_str(relative.as_os_str()).into_owned());
            if relative.as_bytes() == PROJECT_FILE.as_bytes() {
                events.has_new_settings = true;
            }
            if changes.entries.contains(path) || is_rules(path) {
                events.touched.paths.insert(relative.clone());
            }
            if changes.written.contains(path) {
                events.written.push(relative);
            }
        }
        events.written.sort();
        events.written.dedup();
        events
    }
}

fn is_rules(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ".gitignore" || name == ".ignore")
}
