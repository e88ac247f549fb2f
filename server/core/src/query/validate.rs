//! Checks the fields of a request; `interpret` refuses bad input here before any other work.

use crate::error::RequestError;
use crate::request::{CANDIDATES_MAX, Request};

/// `PATH_MAX` of Linux is 4096; twice that leaves room for the stack frame or quotes around a path.
const MAX_PATH_BYTES: usize = 8 * 1024;

/// A long prompt fits. More costs time in the reranker, which reads only the first few hundred words.
const MAX_TEXT_BYTES: usize = 64 * 1024;

/// Bytes of all history entries together: some 4000 paths of usual length. Older entries do not help this request.
const MAX_HISTORY_BYTES: usize = 256 * 1024;

/// Checks every field of a request.
///
/// # Errors
/// If the path is empty or contains a NUL, a field is too long, or the limit is out of range.
pub(super) fn validate_request(request: &Request) -> Result<(), RequestError> {
    let path = &request.failed_path;
    check_length("failed_path", path.len(), MAX_PATH_BYTES)?;
    if let Some(at) = path.find('\0') {
        return Err(RequestError::NulInPath { at });
    }
    if path.chars().all(is_blank) {
        return Err(RequestError::EmptyPath);
    }
    check_length("intent_text", request.intent_text.len(), MAX_TEXT_BYTES)?;
    check_length("evidence", request.evidence.as_ref().map_or(0, String::len), MAX_TEXT_BYTES)?;
    check_length("root_hint", request.root_hint.as_ref().map_or(0, String::len), MAX_PATH_BYTES)?;
    check_length("from_file", request.from_file.as_ref().map_or(0, String::len), MAX_PATH_BYTES)?;
    for entry in &request.history {
        check_length("a history entry", entry.len(), MAX_PATH_BYTES)?;
    }
    // One byte more per entry, so that empty ones are not free.
    check_length("history", request.history.iter().map(|entry| entry.len() + 1).sum(), MAX_HISTORY_BYTES)?;
    if !(1..=CANDIDATES_MAX).contains(&request.limit) {
        return Err(RequestError::BadLimit { given: request.limit, most: CANDIDATES_MAX });
    }
    Ok(())
}

fn check_length(field: &'static str, length: usize, limit: usize) -> Result<(), RequestError> {
    if length > limit { Err(RequestError::TooLong { field, length, limit }) } else { Ok(()) }
}

/// True for white space, quotes and invisible characters: a path of only these is empty.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || super::strip::is_quote(c) || super::lookalike::is_invisible(c)
}
