//! Finds files in a snapshot with the engine and a bounded search of file contents. Called by the command line, MCP
//! and the shared engine.

use std::time::Duration;

use pathfinder_core::{FindAnswer, FindRequest};

use crate::grep::{Bounds, Grep};
use crate::snapshot::{AskError, WorkspaceSnapshot, catch_panic};
use crate::symbols;
use pathfinder_vfs::clock::Stopwatch;

/// Limits of searching contents. Names and declarations take milliseconds, and a search in vain should not take much
/// longer.
const CONTENT_LIMITS: Bounds = Bounds { files: 20_000, bytes: 256 << 20, time: Duration::from_secs(2) };

/// Time limit for reading declarations in a command that asks once: first of files that have a word of the query,
/// then again of all files if that found too little.
const SYMBOLS_TIMEOUT: Duration = Duration::from_millis(1500);

/// An answer, and how long it took.
pub struct TimedFindAnswer {
    /// The answer, or the reason why the question cannot be answered.
    pub answer: Result<FindAnswer, AskError>,
    /// Time of the whole question.
    pub took: Duration,
}

/// Answers from what the snapshot has in memory.
pub fn find(workspace: &WorkspaceSnapshot, request: &FindRequest) -> TimedFindAnswer {
    let start = Stopwatch::start();
    let grep = Grep::new(workspace.probe(), CONTENT_LIMITS);
    let answer = catch_panic(|| workspace.engine().find(request, workspace.probe(), &grep));
    let took = start.elapsed();
    tracing::debug!(query = %request.query, ?took, failed = answer.is_err(), "found");
    TimedFindAnswer { answer, took }
}

/// Answers a question of a snapshot that is used once. Brings the cached declarations up to date, first for files
/// that have a word of the query, then for all files if the answer is weak, since a typo may be in no file. Also
/// returns a function that stores what was read; call it after the answer is printed.
pub fn find_once(workspace: &WorkspaceSnapshot, request: &FindRequest) -> (TimedFindAnswer, impl FnOnce() + use<>) {
    let start = Stopwatch::start();
    let words = request.words();
    let before = symbols::with_cached(workspace);
    let mut with_symbols = symbols::read(&before, SYMBOLS_TIMEOUT, &|bytes| crate::grep::has_any(bytes, &words));
    let mut asked = find(&with_symbols, request);
    if asked.answer.as_ref().is_ok_and(|answer| !answer.strong) {
        with_symbols = symbols::read(&with_symbols, SYMBOLS_TIMEOUT, &|_| true);
        asked = find(&with_symbols, request);
    }
    asked.took = start.elapsed();
    (asked, move || symbols::save_changed(&with_symbols, &before))
}
