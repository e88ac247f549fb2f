//! Sockets for Unix, in a directory of mode 0700. A new socket gets a temporary name and is then renamed into place.
//!
//! They are Tokio's own. `interprocess` wraps the same type here, and its check of the peer refuses processes of other containers: it
//! takes their process id 0 for a closed connection.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use tokio::net::{UnixListener, UnixStream};

use crate::endpoint::Endpoint;

/// A socket that this process listens at.
#[derive(Debug)]
pub(crate) struct UnixSocketListener {
    listener: UnixListener,
    path: PathBuf,
    /// Device and inode number of the socket.
    device_and_inode: (u64, u64),
}

impl UnixSocketListener {
    /// Creates a socket and replaces the one at this path. Must be called within a runtime.
    pub(super) fn bind(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.file_type().is_socket()) {
            return Err(io::Error::other("another kind of file has its name"));
        }
        let new = path.with_extension("sock.new");
        // A process that ended between the next two steps leaves this file.
        _ = fs::remove_file(&new);
        let listener = UnixListener::bind(&new)?;
        let metadata = fs::symlink_metadata(&new)?;
        fs::rename(&new, path)?;
        Ok(Self { listener, path: path.to_owned(), device_and_inode: (metadata.dev(), metadata.ino()) })
    }

    /// Returns whether new connections still reach this process.
    pub(crate) fn is_current(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == self.device_and_inode)
    }

    /// Removes the file, unless it is another listener's: new clients no longer find this process.
    pub(crate) fn withdraw(&self) {
        if self.is_current() {
            _ = fs::remove_file(&self.path);
        }
    }

    /// Waits for the next connection. Fails if it comes from another user.
    pub(crate) async fn accept(&self) -> io::Result<UnixStream> {
        let (stream, _) = self.listener.accept().await?;
        if stream.peer_cred()?.uid() != user_id() {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "another user has connected"));
        }
        Ok(stream)
    }
}

impl Drop for UnixSocketListener {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// Connects to the listener; `None` if there is none.
pub(crate) async fn connect(endpoint: &Endpoint) -> io::Result<Option<UnixStream>> {
    let path = endpoint.socket_path();
    let metadata = match fs::symlink_metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !metadata.file_type().is_socket() {
        return Err(io::Error::other("it is not a socket"));
    }
    // Only this user can create a socket in a private directory.
    check_private(endpoint.socket_dir())?;
    if metadata.uid() != user_id() {
        return Err(io::Error::other("it is another user's"));
    }
    match UnixStream::connect(&path).await {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns whether no process listens at a socket.
pub(super) async fn is_stale(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket())
        && UnixStream::connect(path).await.is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

/// Creates the directory if necessary, and checks that it is private.
pub(super) fn create_private_dir(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    check_private(directory)
}

/// Fails if other users can read a directory or create files in it.
fn check_private(directory: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(directory)?;
    if !metadata.is_dir() || metadata.uid() != user_id() || metadata.mode() & 0o077 != 0 {
        return Err(io::Error::new(
            ErrorKind::PermissionDenied,
            "the directory of sockets is not this user's alone (it must be a directory of mode 0700)",
        ));
    }
    Ok(())
}

fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}
