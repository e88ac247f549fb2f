//! Requests and answers as JSON: the names here are relied on by other programs.

pub(crate) mod answer;
pub(crate) mod find;
pub(crate) mod finding;
pub(crate) mod line;
pub(crate) mod place;
pub(crate) mod read;
pub(crate) mod request;
