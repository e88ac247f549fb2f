//! Roots: which they are, and what becomes known of them in the background.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use tower_lsp_server::ls_types::{InitializeParams, MessageType, WorkspaceFolder};

use super::desk::Desk;
use super::editor::State;
use super::progress::Progress;
use super::uri;
use super::work::{Why, Work};
use crate::check::Options;
use crate::os::roots::worktree_around;
use crate::root_diagnostics::{Affected, RootDiagnostics};

/// The directories that a client names. The old ways of naming one count where the new one is missing.
pub(super) fn named(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = &params.workspace_folders {
        return directories(folders);
    }
    #[expect(deprecated, reason = "some clients know no folders yet")]
    let (root, path) = (&params.root_uri, &params.root_path);
    let root = root.as_ref().and_then(|root| uri::path(root.as_str())).or_else(|| path.as_ref().map(PathBuf::from));
    root.into_iter().filter(|root| root.is_dir()).collect()
}

/// Those of these folders that are directories here.
pub(super) fn directories(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    let paths = folders.iter().filter_map(|folder| uri::path(folder.uri.as_str()));
    paths.filter(|path| path.read_dir().is_ok()).collect()
}

/// The root of a file where the client has named none: the worktree around it, or its directory.
pub(super) fn around(file: &std::path::Path) -> Option<PathBuf> {
    let directory = dunce::canonicalize(file.parent()?).ok()?;
    Some(worktree_around(&directory).unwrap_or(directory))
}

/// Looks after the roots that the client names, as soon as they are read.
pub(super) fn offer(desk: &Desk, roots: Vec<PathBuf>) {
    if !desk.workspace.is_open() {
        desk.tell(|status| status.state = State::Indexing);
    }
    desk.workspace.offer(roots);
}

/// Takes over what is read of the roots whenever there is more, until the workspace is closed. Runs in a thread of its own.
pub(super) fn follow(desk: &Arc<Desk>) {
    let (mut version, mut trees) = (0, 0);
    while let Some(newer) = desk.workspace.newer(version) {
        version = newer.version;
        match newer.workspace {
            Ok(_) if newer.trees == trees => remember(desk),
            Ok(_) => {
                trees = newer.trees;
                take(desk);
            }
            Err(error) => {
                leave(desk);
                desk.is_surveyed.send_replace(true);
                let message = error.to_string();
                desk.editor.show(MessageType::ERROR, format!("pathfinder: {message}"));
                desk.tell(|status| {
                    status.state = State::Failed;
                    status.message = Some(message);
                });
            }
        }
    }
}

/// Looks after the roots as they are now. What is known of roots that stay is kept.
fn take(desk: &Arc<Desk>) {
    let turn = desk.turn();
    // What was told since it was read is in it.
    let Ok(workspace) = desk.workspace.current() else { return };
    let before = desk.surveys();
    let mut surveys = Vec::with_capacity(workspace.opened().len());
    let (mut wrong, mut gone) = (Vec::new(), Vec::new());
    for at in 0..workspace.opened().len() {
        let Ok(alone) = workspace.alone(at).map(Arc::new) else { continue };
        let root = alone.opened()[0].root.canonical.clone();
        let options = Options::load(&root, desk.preferences().hints).unwrap_or_else(|error| {
            wrong.push(error.to_string());
            Options::default()
        });
        let diagnostics = Arc::new(RootDiagnostics::new(&alone, Arc::new(options)));
        if let Some(known) = before.iter().find(|known| known.root() == root) {
            diagnostics.inherit(known);
            gone.extend(diagnostics.forget_others().into_iter().map(|file| Work::File { root: root.clone(), file }));
        }
        surveys.push(diagnostics);
    }
    // Said once, however often the tree is read.
    let known = std::mem::replace(&mut *desk.complaints.lock().unwrap_or_else(PoisonError::into_inner), wrong.clone());
    for message in wrong.into_iter().filter(|message| !known.contains(message)) {
        desk.editor.show(MessageType::WARNING, format!("pathfinder: {message}"));
    }
    let files = surveys.iter().map(|diagnostics| diagnostics.count()).sum();
    desk.set_surveys(surveys.clone());
    drop(turn);
    for work in gone {
        desk.give(work);
    }
    for old in before.iter().filter(|old| surveys.iter().all(|new| new.root() != old.root())) {
        repeat_of(desk, old);
    }
    desk.tell(|status| {
        status.state = State::Checking;
        status.files = files;
        status.message = None;
    });
    desk.touch_all();
    if let Some(reason) = desk.workspace.unwatched() {
        desk.editor.log(MessageType::WARNING, format!("pathfinder: not all files are watched: {reason}"));
    }
    for diagnostics in &surveys {
        check_all(desk, diagnostics);
        if desk.is_ending() {
            return;
        }
    }
    ready(desk);
}

/// Says again what is wrong in files that are not open.
pub(super) fn repeat(desk: &Desk) {
    desk.surveys().iter().for_each(|diagnostics| repeat_of(desk, diagnostics));
}

/// The same of one root. Of one that is not looked after any more all is taken back.
fn repeat_of(desk: &Desk, diagnostics: &RootDiagnostics) {
    for file in diagnostics.findings().into_keys() {
        desk.give(Work::File { root: diagnostics.root(), file });
    }
}

/// Takes back what was said of all roots that were looked after.
fn leave(desk: &Desk) {
    // Who takes over roots at this moment would bring them back.
    let turn = desk.turn();
    let before = desk.surveys();
    desk.set_surveys(Vec::new());
    drop(turn);
    before.iter().for_each(|gone| repeat_of(desk, gone));
    desk.touch_all();
    desk.tell(|status| (status.files, status.broken) = (0, 0));
}

/// Looks after no roots any more, as the client has none.
pub(super) fn none(desk: &Desk) {
    leave(desk);
    desk.is_surveyed.send_replace(true);
    desk.tell(|status| {
        status.state = State::Ready;
        status.message = None;
    });
}

/// Takes over what is known of the history by now: where what is gone went. What leads somewhere is not touched by that.
fn remember(desk: &Arc<Desk>) {
    let turn = desk.turn();
    let Ok(workspace) = desk.workspace.current() else { return };
    let surveys = desk.surveys();
    for diagnostics in surveys.iter() {
        let root = diagnostics.root();
        let at = workspace.opened().iter().position(|opened| opened.root.canonical == root);
        if let Some(alone) = at.and_then(|at| workspace.alone(at).ok()) {
            diagnostics.renew(&Arc::new(alone));
        }
    }
    drop(turn);
    desk.tell(|status| status.state = State::Checking);
    for diagnostics in surveys.iter() {
        recheck(desk, diagnostics, &diagnostics.files_with_missing());
    }
    desk.touch_all();
    ready(desk);
}

/// Says that all is known, unless it is that roots cannot be read: who has checked files of those before them may come later.
fn ready(desk: &Desk) {
    let broken = broken(desk);
    desk.is_surveyed.send_replace(true);
    desk.tell(|status| {
        if status.state != State::Failed {
            status.state = State::Ready;
        }
        status.broken = broken;
    });
}

fn broken(desk: &Desk) -> usize {
    let surveys = desk.surveys();
    surveys.iter().flat_map(|diagnostics| diagnostics.findings().into_values()).map(|findings| findings.len()).sum()
}

/// Checks all files of a root, but not where that would fetch them: there only what is open is checked.
fn check_all(desk: &Arc<Desk>, diagnostics: &Arc<RootDiagnostics>) {
    if diagnostics.snapshot().opened().iter().any(|opened| opened.listing.on_demand().is_some()) {
        return;
    }
    let files = diagnostics.files();
    let progress = Progress::begin(desk, "pathfinder: checking paths", files.len());
    let seen = AtomicUsize::new(0);
    let root = diagnostics.root();
    diagnostics.check(&files, &desk.stop, &|file, changed| {
        progress.at(seen.fetch_add(1, Ordering::Relaxed) + 1);
        if changed {
            desk.give(Work::File { root: root.clone(), file: file.to_owned() });
        }
    });
    progress.end();
}

/// Checks these files of a root as they are on disk, and says what is wrong in them, also if that was said before. Where another
/// diagnostics has taken the place of this one meanwhile, that one has to know it.
pub(super) fn recheck(desk: &Arc<Desk>, diagnostics: &Arc<RootDiagnostics>, files: &[String]) {
    let root = diagnostics.root();
    diagnostics.check(files, &desk.stop, &|file, _| {
        desk.give(Work::File { root: root.clone(), file: file.to_owned() });
    });
    let surveys = desk.surveys();
    match surveys.iter().find(|current| current.root() == root && !Arc::ptr_eq(current, diagnostics)) {
        Some(current) => recheck(desk, current, files),
        None => ready(desk),
    }
}

/// Has everything looked at again that something has changed for.
pub(super) fn affected(desk: &Arc<Desk>, diagnostics: &Arc<RootDiagnostics>, affected: Affected) {
    match affected {
        Affected::Files(files) => {
            // Texts that are open are looked at as they are there.
            let root = diagnostics.root();
            for file in &files {
                if let Some((uri, _)) = desk.documents().uri_of(&root.join(file)) {
                    desk.touch(&uri, Why::Around);
                }
            }
            recheck(desk, diagnostics, &files);
        }
        Affected::All => {
            desk.touch_all();
            check_all(desk, diagnostics);
            ready(desk);
        }
    }
}
