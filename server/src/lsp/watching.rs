//! Who tells what happens on disk: the client, and the system where the client does not tell all of it.

use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use pathfinder_core::Kind;
use pathfinder_core::index::Change;
use tower_lsp_server::ls_types::request::RegisterCapability;
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, MessageType, Registration,
    RegistrationParams,
};

use super::desk::Desk;
use crate::os::watch::Watch;

/// Has somebody watch all roots. Said again when there are others.
pub(super) fn watch(desk: &Desk) {
    desk.workspace.watch();
    if desk.editor.can().watches_all {
        return;
    }
    let mut watch = desk.watch.lock().unwrap_or_else(PoisonError::into_inner);
    if watch.is_none() {
        let told = desk.told.clone();
        // Who takes it in may be gone at the very end.
        match Watch::begin(move |what| _ = told.send(what)) {
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

/// Watches directories that are new, if any are watched.
pub(super) fn watch_new(desk: &Desk, root: &Path, changes: &[Change]) {
    let mut watch = desk.watch.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(watch) = watch.as_mut() else { return };
    for change in changes {
        if let Change::Added(path, Kind::Directory) = change {
            watch.add([root.join(&*path.text()).as_path()]);
        }
    }
}
