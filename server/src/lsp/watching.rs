//! What happens on disk: told by the client, and by the system where the client does not tell all of it. Told twice is no more
//! than told once, as it is held against the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use pathfinder_core::index::Change;
use pathfinder_core::{Kind, RelPath};
use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, Registration,
    RegistrationParams,
};

use super::desk::Desk;
use super::publish::Work;
use super::{moves, roots};
use crate::os::events;
use crate::os::walk::WalkOptions;
use crate::os::watch::{Told, Watch};
use crate::settings::PROJECT_FILE;
use crate::survey::{Affected, Survey, relative};

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
    let affected = survey.change(&session, &changes, &written);
    // What is gone has nothing wrong any more.
    for path in gone {
        desk.give(Work::Gone { root: root.to_path_buf(), path });
    }
    watch_new(desk, root, &changes);
    Changed::Some { survey: Arc::clone(survey), affected, moves }
}

fn watch_new(desk: &Desk, root: &Path, changes: &[Change]) {
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
