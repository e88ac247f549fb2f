//! Where in a root something has happened, and what that concerns.

use std::path::Path;

use pathfinder_core::RelPath;

use crate::os::events::{Ground, Touched};
use crate::os::watch::Told;
use crate::settings::PROJECT_FILE;

/// What was told of one root.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// What has to be looked at.
    pub(super) touched: Touched,
    /// Files whose contents are others.
    pub(super) written: Vec<RelPath>,
    /// Whether the project's own settings are others.
    pub(super) settings: bool,
    /// Whether there may be a new commit, or another branch.
    pub(super) committed: bool,
}

/// What of that which was told concerns a root (canonical).
pub(super) fn place(root: &Path, ground: Option<&Ground>, told: &Told) -> Placed {
    let mut placed = Placed::default();
    let of_git = ground.map(|ground| ground.places(root)).unwrap_or_default();
    for path in told.entries.iter().chain(&told.written) {
        // Git's own files first: most lie below the root too.
        if let Some(here) = of_git.iter().find(|it| path.starts_with(&it.git)) {
            match path.strip_prefix(&here.git).ok().and_then(Path::to_str) {
                Some("index") => _ = placed.touched.tracked.insert(here.at.clone()),
                Some("HEAD" | "logs/HEAD") if here.at.is_empty() => placed.committed = true,
                // Its own rules, or the directory itself, which came or went.
                Some("info/exclude" | "") => _ = placed.touched.rules.insert(here.at.clone()),
                _ => {}
            }
            continue;
        }
        let Ok(relative) = path.strip_prefix(root) else {
            // Rules above the root hold in it too.
            let above = path.parent().is_some_and(|parent| root.starts_with(parent));
            if above && is_rules(path) {
                placed.touched.rules.insert(Vec::new());
            }
            continue;
        };
        let relative = RelPath::new(crate::os::bytes::of(relative.as_os_str()).into_owned());
        if relative.as_bytes() == PROJECT_FILE.as_bytes() {
            placed.settings = true;
        }
        if told.entries.contains(path) || is_rules(path) {
            placed.touched.paths.insert(relative.clone());
        }
        if told.written.contains(path) {
            placed.written.push(relative);
        }
    }
    placed.written.sort();
    placed.written.dedup();
    placed
}

fn is_rules(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ".gitignore" || name == ".ignore")
}
