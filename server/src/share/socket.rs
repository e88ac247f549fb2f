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

#[cfg(windows)]
pub(super) use pipe::{Incoming, Listening, connect, listen};
#[cfg(unix)]
pub(super) use unix::{Incoming, Listening, connect, listen};

/// What goes between two processes.
#[cfg(windows)]
pub(crate) type Stream = blocking::Blocking;
/// What goes between two processes.
#[cfg(unix)]
pub(crate) type Stream = std::os::unix::net::UnixStream;
