//! What has happened on disk is taken in. Told twice is no more than told once, as it is held against the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use pathfinder_core::RelPath;
use pathfinder_core::index::Change;

use super::desk::Desk;
use super::watching::watch_new;
use super::work::Work;
use super::{moves, roots};
use crate::os::events;
use crate::os::walk::WalkOptions;
use crate::os::watch::Told;
use crate::settings::PROJECT_FILE;
use crate::survey::{Affected, Survey, relative};

/// Takes in what the system tells, until nobody can tell any more. Runs in a thread of its own.
pub(super) fn listen(desk: &Arc<Desk>, told: &Receiver<Told>) {
    while let Ok(told) = told.recv() {
        match told {
            Told::Paths(paths) => happened(desk, paths),
            Told::Everything => _ = desk.workspace.reindex(),
        }
    }
}

/// Takes in that something has happened at these paths. Not for threads that others wait for.
pub(super) fn happened(desk: &Arc<Desk>, paths: Vec<PathBuf>) {
    let mut by_root: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
    for path in paths {
        if let Some((survey, file)) = desk.place(&path) {
            by_root.entry(survey.root()).or_default().push(file);
        }
    }
    for (root, files) in by_root {
        match changed(desk, &root, files) {
            Changed::Nothing => {}
            // What is read then is taken over by who follows.
            Changed::Everything => _ = desk.workspace.reindex(),
            Changed::Some { survey, affected, moves } => {
                let files = desk.surveys().iter().map(|survey| survey.count()).sum();
                desk.tell(|status| status.files = files);
                roots::affected(desk, &survey, affected);
                moves::propose(desk, &survey, &moves);
            }
        }
    }
}

/// What has changed below a root.
enum Changed {
    Nothing,
    /// Too much to be told, or what decides what the tree is.
    Everything,
    Some {
        survey: Arc<Survey>,
        affected: Affected,
        moves: Vec<moves::Seen>,
    },
}

/// Takes in what has changed below a root at these paths: entries, and files whose contents are others.
fn changed(desk: &Arc<Desk>, root: &Path, files: Vec<String>) -> Changed {
    let _turn = desk.turn();
    let surveys = desk.surveys();
    let Some(survey) = surveys.iter().find(|survey| survey.root() == root) else { return Changed::Nothing };
    if !root.is_dir() {
        for file in survey.forget_all() {
            desk.give(Work::File { root: root.to_path_buf(), file, findings: Arc::new([]) });
        }
        return Changed::Nothing;
    }
    // A commit is in the history, and may have moved what literals name.
    let committed = files.iter().any(|file| file == ".git/logs/HEAD" || file == ".git/HEAD");
    let ignore_rules = files.iter().any(|file| file.ends_with(".gitignore") || file.ends_with(".ignore"));
    // Its settings are read with the tree.
    let settings = files.iter().any(|file| file == PROJECT_FILE);
    if committed || ignore_rules || settings {
        return Changed::Everything;
    }
    let session = survey.session();
    let options = WalkOptions { include_dirs: session.opened()[0].settings.include_dirs.clone() };
    let seen: Vec<RelPath> = files.iter().map(|file| RelPath::from(file.as_str())).collect();
    let snapshot = &session.engine().roots()[0].snapshot;
    let Some(changes) = events::look(root, &options, snapshot, &seen) else { return Changed::Everything };
    let gone = |change: &Change| match change {
        Change::Removed(path) => Some(path.text().into_owned()),
        Change::Added(..) => None,
    };
    let gone: Vec<String> = changes.iter().filter_map(gone).collect();
    let checker = survey.checker();
    let written = files.into_iter().filter(|file| !gone.contains(file) && !checker.ignores(file));
    let written: Vec<String> = written.collect();
    if changes.is_empty() && written.is_empty() {
        return Changed::Nothing;
    }
    let moves = moves::among(desk, survey, &changes);
    let session = if changes.is_empty() {
        session
    } else {
        let Some(session) = desk.workspace.change(root, changes.clone()) else { return Changed::Nothing };
        let at = session.opened().iter().position(|opened| opened.root.canonical == root);
        let Some(alone) = at.and_then(|at| session.alone(at).ok()) else { return Changed::Nothing };
        Arc::new(alone)
    };
    desk.workspace.wrote(root, &written);
    let affected = survey.change(&session, &changes, &written);
    // What is gone has nothing wrong any more.
    for path in gone {
        desk.give(Work::Gone { root: root.to_path_buf(), path });
    }
    watch_new(desk, root, &changes);
    Changed::Some { survey: Arc::clone(survey), affected, moves }
}

/// A path below a root that a client named.
pub(super) fn file_of(desk: &Desk, uri: &str) -> Option<(Arc<Survey>, String)> {
    let path = super::uri::path(uri)?;
    desk.surveys()
        .iter()
        .find_map(|survey| Some((Arc::clone(survey), relative(&survey.root(), &path)?)))
        .or_else(|| desk.place(&path))
}
