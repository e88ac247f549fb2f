//! The socket: in a directory that is this user's alone, at most one listener at a name.
//!
//! Who wants to listen holds a lock while it looks whether somebody answers there. A new socket takes the place of an old one by a
//! rename, so that at any moment there is one or the other; who listened before sees by what is there now that it does no more.

#[cfg(windows)]
mod blocking;
#[cfg(windows)]
mod pipe;
#[cfg(unix)]
mod unix;

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::place::Place;

#[cfg(windows)]
use pipe as system;
#[cfg(unix)]
use unix as system;

pub(super) use system::{Incoming, Listening, connect};

/// What goes between two processes.
#[cfg(windows)]
pub(crate) type Stream = blocking::Blocking;
/// What goes between two processes.
#[cfg(unix)]
pub(crate) type Stream = std::os::unix::net::UnixStream;

/// Sockets that nobody listens at are looked for among so many; who has more has other worries.
const CLEARED: usize = 64;

/// Begins to listen; `None` where somebody listens already, unless that one is to be replaced. This is looked at under a lock: of two
/// who come at once the second sees the first. Called in a runtime.
///
/// # Errors
/// When others have a hand in the directory, or something else has the socket's place.
pub(super) fn listen(place: &Place, replace: bool) -> io::Result<Option<Listening>> {
    let directory = place.sockets();
    system::make_private(directory)?;
    let lock = File::options().create(true).truncate(false).write(true).open(directory.join("lock"))?;
    lock.lock()?;
    if !replace && connect(place)?.is_some() {
        return Ok(None);
    }
    clear(directory);
    Listening::begin(&place.socket()).map(Some)
}

/// Removes sockets that nobody listens at any more, of processes that were killed. Called by who holds the lock.
fn clear(directory: &Path) {
    let Ok(entries) = directory.read_dir() else { return };
    for entry in entries.flatten().take(CLEARED) {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "sock") && system::is_left(&path) {
            _ = fs::remove_file(&path);
        }
    }
}
