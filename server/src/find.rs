//! Finding files in a session: the engine, the disk below its roots, and how much of it may be read.

use std::time::{Duration, Instant};

use pathfinder_core::{FindAnswer, FindRequest};

use crate::os::grep::{Bounds, Grep};
use crate::snapshot::{AskError, WorkspaceSnapshot, caught};
use crate::symbols;

/// What searching contents may cost: names and declarations are answered within milliseconds, and whoever asks in vain
/// should not wait much longer than who does not.
const CONTENT_LIMITS: Bounds = Bounds { files: 20_000, bytes: 256 << 20, time: Duration::from_secs(2) };

/// A command that asks once reads declarations for so long, of files that have a word of the query, and as long again of
/// all files if that said too little.
const SYMBOLS_TIMEOUT: Duration = Duration::from_millis(1500);

/// A question that was asked, and how long it took.
pub(crate) struct TimedFindAnswer {
    pub(crate) answer: Result<FindAnswer, AskError>,
    pub(crate) took: Duration,
}

/// Answers from what the session knows.
pub(crate) fn find(workspace: &WorkspaceSnapshot, request: &FindRequest) -> TimedFindAnswer {
    let start = Instant::now();
    // Searching files would fetch them.
    let is_there = workspace.opened().iter().all(|opened| opened.listing.on_demand().is_none());
    let grep =
        Grep::new(workspace.probe(), if is_there { CONTENT_LIMITS } else { Bounds { files: 0, ..CONTENT_LIMITS } });
    let answer = caught(|| workspace.engine().find(request, workspace.probe(), &grep));
    let took = start.elapsed();
    tracing::debug!(query = %request.query, ?took, failed = answer.is_err(), "found");
    TimedFindAnswer { answer, took }
}

/// Answers one question of a session that will not be asked again: what was kept of declarations is brought up to date for
/// the files that have a word of the query first, and for all if the answer is weak, as a typo may be in no file. Also
/// gives what to call when the answer is printed, to keep what was read.
pub(crate) fn find_once(
    workspace: &WorkspaceSnapshot,
    request: &FindRequest,
) -> (TimedFindAnswer, impl FnOnce() + use<>) {
    let start = Instant::now();
    let words = request.words();
    let before = symbols::recall(workspace);
    let mut with_symbols = symbols::read(&before, SYMBOLS_TIMEOUT, &|bytes| crate::os::grep::has_any(bytes, &words));
    let mut asked = find(&with_symbols, request);
    if asked.answer.as_ref().is_ok_and(|answer| !answer.strong) {
        with_symbols = symbols::read(&with_symbols, SYMBOLS_TIMEOUT, &|_| true);
        asked = find(&with_symbols, request);
    }
    asked.took = start.elapsed();
    (asked, move || symbols::keep(&with_symbols, &before))
}
