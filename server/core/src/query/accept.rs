//! Input checks: what cannot be a request is refused before any work is done on it.

use crate::candidates::CANDIDATES_MAX;
use crate::error::RequestError;
use crate::request::Request;

/// `PATH_MAX` of Linux is 4096; twice that leaves room for the stack frame or quotes around a path.
const MOST_PATH: usize = 8 * 1024;

/// A long prompt fits; more would cost time in the reranker, which reads the first few hundred words only.
const MOST_TEXT: usize = 64 * 1024;

/// All of the history together: some 4000 paths of usual length. What is older says nothing about this request.
const MOST_HISTORY: usize = 256 * 1024;

/// Checks every field that is given.
pub(super) fn accept(request: &Request) -> Result<(), RequestError> {
    let path = &request.failed_path;
    within("failed_path", path.len(), MOST_PATH)?;
    if let Some(at) = path.find('\0') {
        return Err(RequestError::NulInPath { at });
    }
    if path.chars().all(says_nothing) {
        return Err(RequestError::EmptyPath);
    }
    within("intent_text", request.intent_text.len(), MOST_TEXT)?;
    within("evidence", request.evidence.as_ref().map_or(0, String::len), MOST_TEXT)?;
    within("root_hint", request.root_hint.as_ref().map_or(0, String::len), MOST_PATH)?;
    within("from_file", request.from_file.as_ref().map_or(0, String::len), MOST_PATH)?;
    for entry in &request.history {
        within("a history entry", entry.len(), MOST_PATH)?;
    }
    // One byte more per entry, so that empty ones are not free.
    within("history", request.history.iter().map(|entry| entry.len() + 1).sum(), MOST_HISTORY)?;
    if !(1..=CANDIDATES_MAX).contains(&request.limit) {
        return Err(RequestError::BadLimit { given: request.limit, most: CANDIDATES_MAX });
    }
    Ok(())
}

fn within(field: &'static str, length: usize, limit: usize) -> Result<(), RequestError> {
    if length > limit { Err(RequestError::TooLong { field, length, limit }) } else { Ok(()) }
}

/// White space, quotes and what does not show at all: a path of these only is an empty one.
fn says_nothing(c: char) -> bool {
    c.is_whitespace() || super::clean::is_quote(c) || super::alike::is_invisible(c)
}
