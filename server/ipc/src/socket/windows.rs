//! Named pipes for Windows. In place of the Unix socket, a file has the name of the pipe.
//!
//! `interprocess` makes the pipe, because Tokio's own lets every user read it. Tokio opens it, because a pipe that is opened by
//! `interprocess` lets the other side act in this user's name.
//!
//! Pipe names are global to the machine, and a process that knows one in advance could create it first. Each name is therefore random,
//! and stored in the user's own application data, wherever the cache is. The pipe admits only its owner, and no remote clients.
//!
//! The owner of a process that was started as administrator is the administrators' group. Such a leader serves no process with fewer
//! rights, on purpose.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use interprocess::os::windows::named_pipe::tokio::{DuplexPipeStream, PipeListener};
use interprocess::os::windows::named_pipe::{PipeListenerOptions, pipe_mode::Bytes};
use interprocess::os::windows::security_descriptor::SecurityDescriptor;
use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeClient};
use tokio::time::sleep;
use widestring::u16cstr;

use crate::endpoint::Endpoint;

/// Prefix of all pipe names.
const PIPE_PREFIX: &str = r"\\.\pipe\";
/// Longest stored name in bytes: two words and two numbers.
const MAX_NAME_BYTES: usize = 64;
/// Time to retry while all instances of a pipe are in use. A stopped leader has none at all.
const BUSY_TIMEOUT: Duration = Duration::from_secs(1);
/// Windows error code for a pipe without a free instance.
const ERROR_PIPE_BUSY: i32 = 231;
/// Buffer of a pipe in bytes; most answers are shorter.
const BUFFER_BYTES: u32 = 64 << 10;

/// A pipe that this process listens at.
#[derive(Debug)]
pub(crate) struct NamedPipeListener {
    listener: PipeListener<Bytes, Bytes>,
    path: PathBuf,
    name: String,
}

impl NamedPipeListener {
    /// Creates a pipe and replaces the one that the file names. Must be called within a runtime.
    pub(super) fn bind(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other("another kind of file has its name"));
        }
        let name = format!("pathfinder-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let listener = PipeListenerOptions::new()
            .path(PathBuf::from(format!("{PIPE_PREFIX}{name}")))
            // All rights for the owner, none for others, none inherited.
            .security_descriptor(Some(SecurityDescriptor::deserialize(u16cstr!("D:P(A;;GA;;;OW)"))?))
            .input_buffer_size_hint(BUFFER_BYTES)
            .output_buffer_size_hint(BUFFER_BYTES)
            .create_tokio_duplex::<Bytes>()?;
        let new = path.with_extension("sock.new");
        fs::write(&new, &name)?;
        fs::rename(&new, path)?;
        Ok(Self { listener, path: path.to_owned(), name })
    }

    /// Returns whether new connections still reach this process.
    pub(crate) fn is_current(&self) -> bool {
        read_pipe_name(&self.path).is_ok_and(|name| name.as_ref() == Some(&self.name))
    }

    /// Removes the file, unless it is another listener's: new clients no longer find this process.
    pub(crate) fn withdraw(&self) {
        if self.is_current() {
            _ = fs::remove_file(&self.path);
        }
    }

    /// Waits for the next connection. Other users cannot connect.
    pub(crate) async fn accept(&self) -> io::Result<DuplexPipeStream<Bytes>> {
        self.listener.accept().await
    }
}

impl Drop for NamedPipeListener {
    fn drop(&mut self) {
        self.withdraw();
    }
}

/// Connects to the listener; `None` if there is none.
pub(crate) async fn connect(endpoint: &Endpoint) -> io::Result<Option<NamedPipeClient>> {
    let Some(name) = read_pipe_name(&endpoint.socket_path())? else { return Ok(None) };
    let start = Instant::now();
    loop {
        match open(&name) {
            Ok(stream) => return Ok(Some(stream)),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.raw_os_error() == Some(ERROR_PIPE_BUSY) && start.elapsed() < BUSY_TIMEOUT => {
                sleep(Duration::from_millis(10)).await;
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(io::Error::new(error.kind(), "its pipe is another user's, or an administrator's"));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Returns whether no process listens at the pipe that a file names.
#[expect(clippy::unused_async, reason = "a socket's is asked without blocking")]
pub(super) async fn is_stale(path: &Path) -> bool {
    let is_gone = |name: String| open(&name).is_err_and(|error| error.kind() == ErrorKind::NotFound);
    read_pipe_name(path).is_ok_and(|name| name.is_some_and(is_gone))
}

/// Opens a pipe without waiting. Fails if there is none, when it belongs to another user, or when all its instances are in use.
fn open(name: &str) -> io::Result<NamedPipeClient> {
    // Tokio's defaults do not let the server impersonate this user.
    ClientOptions::new().open(format!("{PIPE_PREFIX}{name}"))
}

/// Creates the directory if necessary. Its parent directory is private, and so it is too.
pub(super) fn create_private_dir(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// Reads the name of a pipe from a file; `None` without a file.
fn read_pipe_name(path: &Path) -> io::Result<Option<String>> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_own_name = |name: &String| {
        name.strip_prefix("pathfinder-")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-'))
    };
    let name = (metadata.is_file() && metadata.len() <= MAX_NAME_BYTES as u64)
        .then(|| fs::read_to_string(path))
        .transpose()?;
    match name.filter(is_own_name) {
        Some(name) => Ok(Some(name)),
        None => Err(io::Error::other("it does not name a pipe of pathfinder")),
    }
}
