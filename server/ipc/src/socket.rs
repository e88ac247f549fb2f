//! The socket of the shared engine, in a directory that is private to the user, with at most one listener per name.
//!
//! A process that wants to listen holds a lock while it checks for a leader. A rename replaces the old socket by the new one, so that
//! one of them always exists. The old listener compares the file with its own and notices the replacement.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the sockets are this package's own files, below a private directory"
)]

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::endpoint::Endpoint;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub(super) use system::connect;
#[cfg(unix)]
pub(super) use unix::UnixSocketListener as Listener;
#[cfg(windows)]
pub(super) use windows::NamedPipeListener as Listener;

/// Directory entries that are checked for stale sockets; a user has far fewer.
const MAX_CLEARED_ENTRIES: usize = 64;

/// Starts to listen; `None` if another process listens already and `must_replace` is false.
///
/// A lock covers the check: of two processes that start together, the second sees the first. Blocks for the lock, which is held for
/// milliseconds.
///
/// # Errors
/// If the directory is not private to the user, or another kind of file has the socket's name.
pub(super) async fn listen(endpoint: &Endpoint, must_replace: bool) -> io::Result<Option<Listener>> {
    let directory = endpoint.socket_dir();
    system::create_private_dir(directory)?;
    let lock = File::options().create(true).truncate(false).write(true).open(directory.join("lock"))?;
    lock.lock()?;
    if !must_replace && connect(endpoint).await?.is_some() {
        return Ok(None);
    }
    remove_stale_sockets(directory).await;
    Listener::bind(&endpoint.socket_path()).map(Some)
}

/// Removes sockets of killed processes. The caller holds the lock.
async fn remove_stale_sockets(directory: &Path) {
    let Ok(entries) = directory.read_dir() else { return };
    for entry in entries.flatten().take(MAX_CLEARED_ENTRIES) {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "sock") && system::is_stale(&path).await {
            _ = fs::remove_file(&path);
        }
    }
}
