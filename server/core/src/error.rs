//! `RequestError`: why a request is refused, with the next action in the message.

use thiserror::Error;

/// A request that cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The path is empty or only white space.
    #[error("failed_path is empty: give the path that could not be found")]
    EmptyPath,
    /// The query is empty or only white space.
    #[error("query is empty: give a name, a part of a path, a few words or a question")]
    EmptyQuery,
    /// The path contains a NUL, which no file system allows.
    #[error("failed_path contains a NUL character at byte {at}: no path can; send the text only")]
    NulInPath {
        /// Byte offset of the first NUL.
        at: usize,
    },
    /// A field is longer than any path.
    #[error("{field} is {length} bytes long, the limit is {limit}: send the path only")]
    TooLong {
        /// The field of the request.
        field: &'static str,
        /// Its length in bytes.
        length: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The query is too long.
    #[error("query is {length} bytes long, the limit is {limit}: ask for one thing, by a name or in a few words")]
    LongQuery {
        /// Its length in bytes.
        length: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// `limit` is out of range.
    #[error("limit is {given}: it must be between 1 and {most}")]
    BadLimit {
        /// The limit in the request.
        given: usize,
        /// The most candidates that one answer can hold.
        most: usize,
    },
    /// A root that was indexed is no longer a directory that can be read.
    #[error("the root {root} can no longer be read: {reason}; restore it, or start again without it")]
    RootGone {
        /// The root as it was given.
        root: String,
        /// The error of the system.
        reason: String,
    },
}
