//! What happens on disk: told by the client, and by the system where the client does not tell all of it. Told twice is no more
//! than told once, as it is held against the disk.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};

use pathfinder_core::index::Change;
use pathfinder_core::{Kind, RelPath};
use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, Registration,
    RegistrationParams,
};

use super::desk::Desk;
use super::{moves, roots};
use crate::os::events;
use crate::os::walk::WalkOptions;
use crate::os::watch::{Told, Watch};
use crate::settings::PROJECT_FILE;
use crate::survey::{Survey, relative};

/// Has somebody watch all roots. Said again when there are others.
pub(super) fn watch(desk: &Arc<Desk>) {
    desk.workspace.watch();
    if desk.editor.can().watches_all {
        return;
    }
    let mut watch = desk.watch.lock().unwrap_or_else(PoisonError::into_inner);
    if watch.is_none() {
        let told = Arc::downgrade(desk);
        let begun = Watch::begin(move |what| {
            let Some(desk) = told.upgrade() else { return };
            match what {
                Told::Paths(paths) => happened(&desk, paths),
                Told::Everything => _ = desk.workspace.reindex(),
            }
        });
        match begun {
            Ok(begun) => *watch = Some(begun),
            Err(error) => return desk.editor.log(MessageType::WARNING, format!("files are not watched: {error}")),
        }
    }
    let Some(watch) = watch.as_mut() else { return };
    for survey in desk.surveys().iter() {
        let session = survey.session();
        let root = survey.root();
        let entries = session.engine().roots()[0].snapshot.entries();
        let directories = entries.into_iter().filter(|(_, kind)| *kind == Kind::Directory);
        let paths: Vec<PathBuf> =
            directories.filter_map(|(path, _)| Some(root.join(String::from_utf8(path).ok()?))).collect();
        // Of git only what tells of commits.
        let git = [root.join(".git"), root.join(".git/logs")];
        let own = std::iter::once(root.as_path()).chain(git.iter().map(PathBuf::as_path).filter(|path| path.is_dir()));
        let refused = watch.add(own.chain(paths.iter().map(PathBuf::as_path)));
        if refused > 0 {
            let message =
                format!("{refused} directories of {} cannot be watched: the system allows no more", root.display());
            desk.editor.log(MessageType::WARNING, message);
        }
    }
}

/// Asks the client to watch all files.
pub(super) async fn register(desk: &Desk) {
    let watcher = FileSystemWatcher { glob_pattern: GlobPattern::String("**/*".to_owned()), kind: None };
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: vec![watcher] };
    let registration = Registration {
        id: "pathfinder/files".to_owned(),
        method: "workspace/didChangeWatchedFiles".to_owned(),
        register_options: serde_json::to_value(options).ok(),
    };
    desk.editor.request::<RegisterCapability>(RegistrationParams { registrations: vec![registration] }).await;
}

/// Takes in that something has happened at these paths. Not for threads that others wait for.
pub(super) fn happened(desk: &Arc<Desk>, paths: Vec<PathBuf>) {
    let mut by_root: BTreeMap<PathBuf, (Arc<Survey>, Vec<String>)> = BTreeMap::new();
    for path in paths {
        if let Some((survey, file)) = desk.place(&path) {
            by_root.entry(survey.root()).or_insert_with(|| (survey, Vec::new())).1.push(file);
        }
    }
    for (root, (survey, files)) in by_root {
        if !root.is_dir() {
            for file in survey.forget_all() {
                desk.give(super::publish::Work::File { root: root.clone(), file, findings: Arc::new([]) });
            }
            continue;
        }
        // A commit is in the history, and may have moved what literals name.
        let committed = files.iter().any(|file| file == ".git/logs/HEAD" || file == ".git/HEAD");
        let session = survey.session();
        let options = WalkOptions { include_dirs: session.opened()[0].settings.include_dirs.clone() };
        let seen: Vec<RelPath> = files.iter().map(|file| RelPath::from(file.as_str())).collect();
        let changes = events::look(&root, &options, &session.engine().roots()[0].snapshot, &seen);
        let ignore_rules = files.iter().any(|file| file.ends_with(".gitignore") || file.ends_with(".ignore"));
        // Its settings are read with the tree.
        let settings = files.iter().any(|file| file == PROJECT_FILE);
        let Some(changes) = changes.filter(|_| !committed && !ignore_rules && !settings) else {
            // What is read then is taken over by who follows.
            _ = desk.workspace.reindex();
            continue;
        };
        let written = files.into_iter().filter(|file| !survey.checker().ignores(file));
        changed(desk, &survey, &changes, &written.collect::<Vec<_>>());
    }
}

/// Takes in what has changed below a root: entries, and files whose contents are others.
fn changed(desk: &Arc<Desk>, survey: &Arc<Survey>, changes: &[Change], written: &[String]) {
    let gone: Vec<RelPath> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Removed(path) => Some(path.clone()),
            Change::Added(..) => None,
        })
        .collect();
    let there = |file: &&String| !gone.iter().any(|gone| gone.text() == file.as_str());
    let written: Vec<String> = written.iter().filter(there).cloned().collect();
    if changes.is_empty() && written.is_empty() {
        return;
    }
    let root = survey.root();
    let moves = moves::among(desk, survey, changes);
    let session = if changes.is_empty() {
        survey.session()
    } else {
        let Some(session) = desk.workspace.change(&root, changes.to_vec()) else { return };
        let at = session.opened().iter().position(|opened| opened.root.canonical == root);
        let Some(alone) = at.and_then(|at| session.alone(at).ok()) else { return };
        Arc::new(alone)
    };
    let affected = survey.change(&session, changes, &written);
    let files = desk.surveys().iter().map(|survey| survey.count()).sum();
    desk.tell(|status| status.files = files);
    // What is gone has nothing wrong any more.
    for path in &gone {
        desk.give(super::publish::Work::Gone { root: root.clone(), path: path.text().into_owned() });
    }
    watch_new(desk, &root, changes);
    roots::affected(desk, survey, affected);
    moves::propose(desk, survey, &moves);
}

fn watch_new(desk: &Desk, root: &std::path::Path, changes: &[Change]) {
    let mut watch = desk.watch.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(watch) = watch.as_mut() else { return };
    for change in changes {
        if let Change::Added(path, Kind::Directory) = change {
            watch.add([root.join(&*path.text()).as_path()]);
        }
    }
}

/// A path below a root that a client named.
pub(super) fn file_of(desk: &Desk, uri: &str) -> Option<(Arc<Survey>, String)> {
    let path = super::uri::path(uri)?;
    desk.surveys()
        .iter()
        .find_map(|survey| Some((Arc::clone(survey), relative(&survey.root(), &path)?)))
        .or_else(|| desk.place(&path))
}
