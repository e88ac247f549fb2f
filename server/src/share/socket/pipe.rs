//! Named pipes of Windows. Where Unix has the socket there is a file with the name of the pipe.
//!
//! Names of pipes are the whole machine's: who knows one in advance could be there first. So each is made up anew, and told in a
//! directory that is the user's alone. The pipe itself lets in its owner only, and nobody from another machine. Of a process that was
//! started as administrator the owner is the administrators' group: it serves no process with fewer rights, on purpose.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use interprocess::os::windows::named_pipe::tokio::PipeListener;
use interprocess::os::windows::named_pipe::{PipeListenerOptions, pipe_mode::Bytes};
use interprocess::os::windows::security_descriptor::SecurityDescriptor;
use widestring::u16cstr;

use super::blocking::Blocking;
use crate::share::Place;

/// Where Windows has pipes.
const PIPES: &str = r"\\.\pipe\";
/// Longer names are none of ours: two words and two numbers.
const NAME_MAX: usize = 64;
/// All instances of a pipe may be taken for the moment that the next one needs; a host that is stopped has none at all.
const BUSY: Duration = Duration::from_secs(1);
/// `ERROR_PIPE_BUSY`.
const ALL_TAKEN: i32 = 231;
/// What a pipe keeps of what is not read yet; most answers are shorter.
const BUFFER: u32 = 64 << 10;

/// A pipe that this process listens at.
#[derive(Debug)]
pub(in crate::share) struct Listening {
    listener: Arc<PipeListener<Bytes, Bytes>>,
    path: PathBuf,
    name: String,
}

impl Listening {
    /// Takes the place of whatever pipe is told there.
    pub(super) fn begin(path: &Path) -> io::Result<Self> {
        if fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::Error::other("something that is no file has its place"));
        }
        let name = format!("pathfinder-{}-{:016x}", std::process::id(), fastrand::u64(..));
        let listener = PipeListenerOptions::new()
            .path(PathBuf::from(format!("{PIPES}{name}")))
            // All rights for the owner, none for anybody else, none inherited.
            .security_descriptor(Some(SecurityDescriptor::deserialize(u16cstr!("D:P(A;;GA;;;OW)"))?))
            .input_buffer_size_hint(BUFFER)
            .output_buffer_size_hint(BUFFER)
            .create_tokio_duplex::<Bytes>()?;
        let new = path.with_extension("sock.new");
        fs::write(&new, &name)?;
        fs::rename(&new, path)?;
        Ok(Self { listener: Arc::new(listener), path: path.to_owned(), name })
    }

    /// Whether who connects there now comes here.
    pub(in crate::share) fn is_current(&self) -> bool {
        told(&self.path).is_ok_and(|name| name.as_ref() == Some(&self.name))
    }

    /// Those who come, for a task of the runtime that this is called in.
    #[expect(clippy::unnecessary_wraps, reason = "a socket's handle may not be had twice")]
    pub(in crate::share) fn incoming(&self) -> io::Result<Incoming> {
        Ok(Incoming(Arc::clone(&self.listener)))
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if self.is_current() {
            _ = fs::remove_file(&self.path);
        }
    }
}

/// Who comes to a pipe.
#[derive(Debug)]
pub(in crate::share) struct Incoming(Arc<PipeListener<Bytes, Bytes>>);

impl Incoming {
    /// The next one. No other user's can come.
    pub(in crate::share) async fn next(&self) -> io::Result<Blocking> {
        Ok(Blocking::of_host(self.0.accept().await?))
    }
}

/// Connects to who listens; `None` if nobody does.
pub(in crate::share) fn connect(place: &Place) -> io::Result<Option<Blocking>> {
    let Some(name) = told(&place.socket())? else { return Ok(None) };
    let start = Instant::now();
    loop {
        match Blocking::connect(&format!("{PIPES}{name}")) {
            Ok(stream) => return Ok(Some(stream)),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.raw_os_error() == Some(ALL_TAKEN) && start.elapsed() < BUSY => {
                thread::sleep(Duration::from_millis(10));
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(io::Error::new(error.kind(), "its pipe is another user's, or an administrator's"));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Whether nobody listens at the pipe that a file names.
pub(super) fn is_left(path: &Path) -> bool {
    let is_gone = |name: String| {
        Blocking::connect(&format!("{PIPES}{name}")).is_err_and(|error| error.kind() == ErrorKind::NotFound)
    };
    told(path).is_ok_and(|name| name.is_some_and(is_gone))
}

/// The directory, made if it is not there. It is private as all is that lies there.
pub(super) fn make_private(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// The name of a pipe that a file tells, `None` without one.
fn told(path: &Path) -> io::Result<Option<String>> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_ours = |name: &String| {
        name.strip_prefix("pathfinder-")
            .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-'))
    };
    let name =
        (metadata.is_file() && metadata.len() <= NAME_MAX as u64).then(|| fs::read_to_string(path)).transpose()?;
    match name.filter(is_ours) {
        Some(name) => Ok(Some(name)),
        None => Err(io::Error::other("it names no pipe of ours")),
    }
}
