//! `check --watch`: checks again after each change of the tree.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use pathfinder_project::workspace::{ChangeSource, Workspace};

use super::{HISTORY_TIMEOUT, run_once};
use crate::cli::args::{CheckArgs, Scope};
use crate::cli::output::{Exit, write_text};
use crate::cli::{is_broken_pipe, print_failure};

/// Quiet time after a change before the next check: an editor or git writes several files at once.
const DEBOUNCE: Duration = Duration::from_millis(100);

/// Clears the screen and moves the cursor to its first line.
const CLEAR: &str = "\u{1b}[2J\u{1b}[H";

/// Checks until the process is ended.
pub(super) fn run(args: &CheckArgs, scope: &Scope) -> anyhow::Result<Exit> {
    scope.refuse_too_wide()?;
    let tree = Workspace::new(scope.overrides());
    tree.watch(ChangeSource::System);
    let changes = tree.subscribe();
    tree.open(scope.roots.clone());
    let mut exit = check(args, &tree)?;
    loop {
        anstream::stderr().write_all(b"watching for changes; Ctrl-C ends\n")?;
        if changes.recv().is_err() {
            return Ok(exit);
        }
        while changes.recv_timeout(DEBOUNCE).is_ok() {}
        exit = match check(args, &tree) {
            Ok(exit) => exit,
            Err(error) if is_broken_pipe(&error) => return Err(error),
            // Such as a half-typed pathfinder.toml: the next change can repair it.
            Err(error) => {
                print_failure(&error);
                Exit::Failed
            }
        };
    }
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
