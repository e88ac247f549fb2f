//! `check --watch`: checks again after each change of the tree.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::index::Change;
use pathfinder_project::settings::PROJECT_FILE;
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_project::workspace::{ChangeBatch, ChangeSource, Workspace};
use pathfinder_vfs::clock::Stopwatch;

use super::selection::relative_location;
use super::{HISTORY_TIMEOUT, run_once};
use crate::cli::args::{CheckArgs, Scope};
use crate::cli::output::{Exit, print_warning, write_text};
use crate::cli::{is_broken_pipe, print_failure};

/// Quiet time after a change before the next check: an editor or git writes several files at once.
const DEBOUNCE: Duration = Duration::from_millis(100);

/// Longest time that new settings wait for the tree that is read with them. A larger tree is checked twice.
const MAX_SETTINGS_WAIT: Duration = Duration::from_secs(5);

/// Least time between checks of a tree that is not watched. The workspace reads such a tree again as often.
const MIN_INTERVAL: Duration = Duration::from_secs(5);
/// Checks of a tree that is not watched take at most one part in this many of the time, as reading it does.
const INTERVAL_FACTOR: u32 = 20;

/// A reason to check again, or to wait no longer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wake {
    /// Files or contents differ.
    Changed,
    /// Only the settings differ. The tree is being read again.
    Settings,
    /// The tree was read again, after new settings or by the times of directories.
    Tree,
    /// The history is newer, or the tree could not be read. No reason by itself.
    Update,
}

/// Clears the screen and moves the cursor to its first line.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// Checks until the process is ended.
pub(super) fn run(args: &CheckArgs, scope: &Scope) -> anyhow::Result<Exit> {
    scope.refuse_too_wide()?;
    let tree = Workspace::new(scope.overrides());
    tree.watch(ChangeSource::System);
    let changes = tree.subscribe();
    tree.open(scope.roots.clone());
    tree.current()?;
    let wakes = wakes(&args.paths, &tree, changes);
    let mut shown_refusal = None;
    let start = Stopwatch::start();
    let mut exit = check(args, &tree)?;
    let mut took = start.elapsed();
    loop {
        let refusal = tree.watch_refusal();
        let interval = refusal.as_ref().map(|_| MIN_INTERVAL.max(took * INTERVAL_FACTOR));
        if refusal != shown_refusal {
            if let Some(reason) = &refusal {
                print_warning(&format!("not all files are watched: {reason}"));
            }
            shown_refusal = refusal;
        }
        let next = interval.map_or_else(
            || "watching for changes".to_owned(),
            |interval| format!("checking again in {} s", interval.as_secs()),
        );
        // In one piece, since it is the last thing that a reader may see.
        anstream::stderr().write_all(format!("{next}; Ctrl-C ends\n").as_bytes())?;
        if wait_for_wake(&wakes, interval).is_none() {
            return Ok(exit);
        }
        let start = Stopwatch::start();
        exit = match check(args, &tree) {
            Ok(exit) => exit,
            Err(error) if is_broken_pipe(&error) => return Err(error),
            // Such as a half-typed pathfinder.toml: the next change can repair it.
            Err(error) => {
                print_failure(&error);
                Exit::Failed
            }
        };
        took = start.elapsed();
    }
}

/// Waits for a reason to check, and for the end of what belongs to it. `None` if there will be none.
fn wait_for_wake(wakes: &Receiver<Wake>, interval: Option<Duration>) -> Option<()> {
    let wait = || interval.map_or_else(|| wakes.recv().map_err(Into::into), |interval| wakes.recv_timeout(interval));
    let mut next = wait();
    while next == Ok(Wake::Update) {
        next = wait();
    }
    let mut has_pending_settings = false;
    loop {
        match next {
            Ok(Wake::Settings) => has_pending_settings = true,
            Ok(Wake::Tree | Wake::Update) => has_pending_settings = false,
            Ok(Wake::Changed) => {}
            Err(RecvTimeoutError::Timeout) => return Some(()),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
        next = wakes.recv_timeout(if has_pending_settings { MAX_SETTINGS_WAIT } else { DEBOUNCE });
    }
}

/// Returns a channel of reasons to check again, once the tree is watched or watches are refused. Before that a change may
/// go unreported.
fn wakes(paths: &[PathBuf], tree: &Workspace, changes: Receiver<ChangeBatch>) -> Receiver<Wake> {
    let (sender, wakes) = channel();
    let update = tree.wait_for_update(0);
    let (mut version, mut tree_version) = update.map_or((0, 0), |update| (update.version, update.tree_version));
    let (updated, reread) = (tree.clone(), sender.clone());
    thread::spawn(move || {
        while let Some(update) = updated.wait_for_update(version) {
            version = update.version;
            let before = std::mem::replace(&mut tree_version, update.tree_version);
            let wake = if before == update.tree_version { Wake::Update } else { Wake::Tree };
            if reread.send(wake).is_err() {
                return;
            }
        }
    });
    let (paths, tree) = (paths.to_vec(), tree.clone());
    thread::spawn(move || {
        let mut batches = changes.into_iter().filter(|batch| can_matter(&paths, &tree, batch));
        batches.try_for_each(|batch| sender.send(if is_only_settings(&batch) { Wake::Settings } else { Wake::Changed }))
    });
    wakes
}

/// Returns whether changes can change the findings. Those of ignored files and of git's own can not, unless a file that
/// the tree does not list is named to be checked.
fn can_matter(paths: &[PathBuf], tree: &Workspace, batch: &ChangeBatch) -> bool {
    let has_listed = !batch.changes.is_empty() || !batch.written.is_empty() || batch.has_new_rules;
    has_listed || tree.current().is_ok_and(|snapshot| paths.iter().any(|path| !is_listed(path, &snapshot)))
}

fn is_only_settings(batch: &ChangeBatch) -> bool {
    let changed = batch.changes.iter().map(Change::path).chain(&batch.written).chain(&batch.unlisted);
    changed.map(RelPath::as_bytes).all(|path| path == PROJECT_FILE.as_bytes())
}

fn is_listed(path: &Path, snapshot: &WorkspaceSnapshot) -> bool {
    let tree = &snapshot.engine().roots()[0].snapshot;
    let relative = relative_location(&snapshot.opened()[0].root.canonical, path);
    relative.is_ok_and(|path| path.is_empty() || tree.get(path.as_bytes()).is_some())
}

/// Checks once.
fn check(args: &CheckArgs, tree: &Workspace) -> anyhow::Result<Exit> {
    let snapshot = tree.current()?;
    let snapshot =
        if snapshot.has_pending_history() { Arc::new(snapshot.with_history(HISTORY_TIMEOUT)) } else { snapshot };
    if std::io::stdout().is_terminal() {
        write_text(CLEAR)?;
    }
    run_once(args, &snapshot)
}
