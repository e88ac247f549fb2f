//! Sockets of Unix, in a directory of mode 0700. A socket has another name until it takes its place.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use crate::share::Place;

/// A socket that this process listens at.
#[derive(Debug)]
pub(in crate::share) struct Listening {
    listener: UnixListener,
    path: PathBuf,
    /// Device and number of the socket.
    file: (u64, u64),
}

impl Listening {
    /// Takes the place of whatever socket is there.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.file_type().is_socket()) {
            return Err(io::Error::other("something that is no socket has its place"));
        }
        let new = path.with_extension("sock.new");
        // Of a process that ended between the next two steps.
        _ = fs::remove_file(&new);
        let listener = UnixListener::bind(&new)?;
        let metadata = fs::symlink_metadata(&new)?;
        fs::rename(&new, path)?;
        Ok(Self { listener, path: path.to_owned(), file: (metadata.dev(), metadata.ino()) })
    }

    /// Whether who connects there now comes here.
    pub(in crate::share) fn is_current(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == self.file)
    }

    /// Those who come, for a task of the runtime that this is called in.
    pub(in crate::share) fn incoming(&self) -> io::Result<Incoming> {
        let listener = self.listener.try_clone()?;
        listener.set_nonblocking(true)?;
        Ok(Incoming(tokio::net::UnixListener::from_std(listener)?))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if self.is_current() {
            _ = fs::remove_file(&self.path);
        }
    }
}

/// Who comes to a socket.
#[derive(Debug)]
pub(in crate::share) struct Incoming(tokio::net::UnixListener);

impl Incoming {
    /// The next one, if it is this user's.
    pub(in crate::share) async fn next(&self) -> io::Result<UnixStream> {
        let (stream, _) = self.0.accept().await?;
        if stream.peer_cred()?.uid() != own() {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "another user has connected"));
        }
        let stream = stream.into_std()?;
        stream.set_nonblocking(false)?;
        Ok(stream)
    }
}

/// Connects to who listens; `None` if nobody does.
pub(in crate::share) fn connect(place: &Place) -> io::Result<Option<UnixStream>> {
    let path = place.socket();
    let metadata = match fs::symlink_metadata(&path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !metadata.file_type().is_socket() {
        return Err(io::Error::other("it is no socket"));
    }
    // Nobody else can put one into a directory that is private, and so nobody else answers.
    check_private(place.sockets())?;
    if metadata.uid() != own() {
        return Err(io::Error::other("it is another user's"));
    }
    match UnixStream::connect(&path) {
        Ok(stream) => Ok(Some(stream)),
        Err(error) if matches!(error.kind(), ErrorKind::ConnectionRefused | ErrorKind::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether nobody listens at a socket.
pub(super) fn is_left(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket())
        && UnixStream::connect(path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

/// The directory, made if it is not there.
pub(super) fn make_private(directory: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    check_private(directory)
}

/// Whether others than this user can neither look into a directory nor put anything there.
fn check_private(directory: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(directory)?;
    if !metadata.is_dir() || metadata.uid() != own() || metadata.mode() & 0o077 != 0 {
        return Err(io::Error::new(
            ErrorKind::PermissionDenied,
            "the directory of sockets is not this user's alone (it must be a directory of mode 0700)",
        ));
    }
    Ok(())
}

fn own() -> u32 {
    rustix::process::geteuid().as_raw()
}
