//! JSON of requests and answers, for the command line and the shared engine. Other programs rely on the member names.

pub(crate) mod answer;
pub(crate) mod find;
pub(crate) mod finding;
pub(crate) mod line;
pub(crate) mod paths;
pub(crate) mod read;
pub(crate) mod request;
