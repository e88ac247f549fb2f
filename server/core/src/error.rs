//! Errors of a request: bad input is refused with what is wrong with it and what to do.

use thiserror::Error;

/// Why a request could not be answered at all.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// Nothing, or nothing but white space, was asked for.
    #[error("failed_path is empty: give the path that could not be found")]
    EmptyPath,
    /// Nothing, or nothing but white space, was looked for.
    #[error("query is empty: give a name, a part of a path, a few words or a question")]
    EmptyQuery,
    /// No file system takes a NUL, so the request was damaged on its way.
    #[error("failed_path contains a NUL character at byte {at}: no path can; send the text only")]
    NulInPath {
        /// Byte offset of the first NUL.
        at: usize,
    },
    /// Longer than any path.
    #[error("{field} is {length} bytes long, the limit is {limit}: send the path only")]
    TooLong {
        /// Which part of the request.
        field: &'static str,
        /// Its length in bytes.
        length: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// Longer than any question.
    #[error("query is {length} bytes long, the limit is {limit}: ask for one thing, by a name or in a few words")]
    LongQuery {
        /// Its length in bytes.
        length: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// `limit` is outside what can be answered.
    #[error("limit is {given}: it must be between 1 and {most}")]
    BadLimit {
        /// As asked.
        given: usize,
        /// The most candidates that one answer can hold.
        most: usize,
    },
    /// A root that was indexed is no longer a directory that can be read.
    #[error("the root {root} can no longer be read: {reason}; restore it, or start again without it")]
    RootGone {
        /// The root as it was given.
        root: String,
        /// What the system said.
        reason: String,
    },
}
