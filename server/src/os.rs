//! Disk access: every module that reads directories, files or git's index lies below this one.
//!
//! [`roots`] decides what is indexed. [`walk`] lists it. [`package_manifests`] reads the names that project metadata gives to
//! directories. [`listing`] repeats both only as far as something has changed. [`probe`] answers the engine's questions
//! about single paths.
//!
//! [`history`], [`listing`], [`symbols`], [`vectors`] and [`visits`] write to the cache directory. [`replace`] changes
//! files for fixes and the installer. Nothing else here writes.

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
pub(crate) mod open_file_limit;
pub(crate) mod package_manifests;
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

// The fixtures need symbolic links, file modes and `sh`.
#[cfg(all(test, unix))]
pub(crate) mod tests;
