//! The disk: everything that reads directories, files or git's index is below this module.
//!
//! [`roots`] says what is to be indexed, [`walk`] lists it, [`packages`] reads what project metadata
//! calls the directories in it, [`listing`] does both only as far as something has changed, and [`probe`] answers core's
//! questions about single paths afterwards. Nothing here writes but [`history`], [`listing`], [`symbols`], [`vectors`] and [`visits`],
//! to the cache directory.

pub(crate) mod bytes;
pub(crate) mod cache_file;
pub(crate) mod changed;
pub(crate) mod commit;
pub(crate) mod events;
mod git;
pub(crate) mod grep;
pub(crate) mod history;
pub(crate) mod ignores;
pub(crate) mod listing;
pub(crate) mod memory;
pub(crate) mod on_demand;
pub(crate) mod open_file_limit;
pub(crate) mod packages;
pub(crate) mod probe;
pub(crate) mod regular_file;
pub(crate) mod replace;
pub(crate) mod roots;
mod sparse;
pub(crate) mod symbols;
pub(crate) mod tracked;
pub(crate) mod vectors;
pub(crate) mod visits;
pub(crate) mod walk;
pub(crate) mod watch;

// Their fixtures are made with symbolic links, file modes and `sh`.
#[cfg(all(test, unix))]
pub(crate) mod tests;
