//! `check --watch`: checks again after each change of the tree.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

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

/// Least time between checks of a tree that is not watched. The workspace reads such a tree again as often.
const MIN_INTERVAL: Duration = Duration::from_secs(5);
/// Checks of a tree that is not watched take at most one part in this many of the time, as reading it does.
const INTERVAL_FACTOR: u32 = 20;

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
        let wake = interval.map_or_else(|| wakes.recv().map_err(Into::into), |interval| wakes.recv_timeout(interval));
        if wake == Err(RecvTimeoutError::Disconnected) {
            return Ok(exit);
        }
        while wakes.recv_timeout(DEBOUNCE).is_ok() {}
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

/// Returns a channel of reasons to check again, once the tree is watched or watches are refused. Before that a change may
/// go unreported.
fn wakes(paths: &[PathBuf], tree: &Workspace, changes: Receiver<ChangeBatch>) -> Receiver<()> {
    let (sender, wakes) = channel();
    let update = tree.wait_for_update(0);
    let (mut version, mut tree_version) = update.map_or((0, 0), |update| (update.version, update.tree_version));
    let (updated, reread) = (tree.clone(), sender.clone());
    // The tree is read again after new settings, or by the times of directories.
    thread::spawn(move || {
        while let Some(update) = updated.wait_for_update(version) {
            version = update.version;
            let before = std::mem::replace(&mut tree_version, update.tree_version);
            // Otherwise only the history is newer.
            if before != update.tree_version && reread.send(()).is_err() {
                return;
            }
        }
    });
    let (paths, tree) = (paths.to_vec(), tree.clone());
    thread::spawn(move || {
        changes.into_iter().filter(|batch| can_matter(&paths, &tree, batch)).try_for_each(|_| sender.send(()))
    });
    wakes
}

/// Returns whether changes can change the findings. Those of ignored files and of git's own can not, unless a file that
/// the tree does not list is named to be checked.
fn can_matter(paths: &[PathBuf], tree: &Workspace, batch: &ChangeBatch) -> bool {
    let has_listed = !batch.changes.is_empty() || !batch.written.is_empty() || batch.has_new_rules;
    has_listed || tree.current().is_ok_and(|snapshot| paths.iter().any(|path| !is_listed(path, &snapshot)))
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
