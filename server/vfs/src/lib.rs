//! Disk access: every module that reads directories, files or git's index lies below this one.
//!
//! [`roots`] decides what is indexed. [`walk`] lists it. [`package_manifests`] reads the names that project metadata gives to
//! directories. [`listing`] repeats both only as far as something has changed. [`probe`] answers the engine's questions
//! about single paths, and [`paths`] those of the edges. [`clock`], [`environment`] and `process` are the rest of the system.
//!
//! [`history`], [`listing`], [`file_index`], [`vectors`], [`visits`] and
//! [`check_results`] write to the cache directory. [`replace`] changes
//! files for fixes and the installer. Nothing else here writes.

pub mod bytes;
pub mod cache_file;
pub mod changed;
pub mod check_results;
pub mod clock;
pub mod commit;
pub mod dependencies;
pub mod environment;
pub mod events;
pub mod file_index;
#[cfg(test)]
#[path = "../../../tests/fuzz/driver.rs"]
mod fuzz_driver;
mod git;
pub mod history;
pub mod ignores;
pub mod listing;
pub mod memory;
pub mod open_file_limit;
pub mod package_manifests;
pub mod past_commits;
pub mod paths;
pub mod probe;
#[cfg(unix)]
pub mod process;
pub mod regular_file;
pub mod replace;
pub mod roots;
mod sparse;
mod stamp;
pub mod toml_depth;
pub mod tracked;
pub mod vectors;
pub mod visits;
pub mod walk;
pub mod watch;

// The fixtures need symbolic links, file modes and `sh`.
#[cfg(all(unix, any(test, feature = "testing")))]
pub mod testing;
#[cfg(all(test, unix))]
mod tests;
