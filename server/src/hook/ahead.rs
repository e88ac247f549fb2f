//! Reading ahead: what the first question about a tree would have to wait for is read when an agent's session begins.
//!
//! A process of its own does it, for which nobody waits: it keeps what it read and ends. The hooks of the session then only look at
//! what is different by now. It is no daemon, and nothing goes wrong without it: a hook reads by itself what is not there.

use std::path::PathBuf;
use std::time::Duration;

use crate::os::bytes;
use crate::os::kept;
use crate::os::roots::{self, Roots};
use crate::session::{self, Session, SessionError};
use crate::settings::Given;
use crate::share;

/// How long git's history is read by who has the time: what it says of paths that were right once is worth that much, once.
pub(crate) const HISTORY: Duration = Duration::from_mins(1);

/// A file in the cache directory that is locked while its roots are read ahead. Nothing is in it.
const LOCK: &str = "ahead";

/// Has the roots read ahead where no process has them in memory, and where there are some: a session may begin anywhere.
///
/// # Errors
/// When the roots cannot be used, or a process cannot be started.
pub(crate) fn begin(given: &[PathBuf], flags: &Given) -> Result<(), AheadError> {
    if given.is_empty() {
        match session::check_narrow(&[]) {
            Err(SessionError::Wide(_)) => return Ok(()),
            checked => checked?,
        }
    }
    session::check(given, flags)?;
    if share::join_once(given, flags).is_some() {
        return Ok(());
    }
    start(given, flags)
}

/// Starts a process of its own. What the agent does to a hook and all that it has started is not meant for that one.
#[cfg(unix)]
fn start(given: &[PathBuf], flags: &Given) -> Result<(), AheadError> {
    use std::ffi::OsString;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};

    let mut command = Command::new(std::env::current_exe().map_err(AheadError::Start)?);
    let roots = given.iter().map(|root| ("root", root.as_os_str()));
    for (flag, value) in roots.chain(flags.flags()) {
        // In one word, as a value may begin with a dash.
        let mut argument = OsString::from(format!("--{flag}="));
        argument.push(value);
        command.arg(argument);
    }
    command.args(["hook", "ahead"]).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop).map_err(AheadError::Start)
}

/// Windows hands the hook's pipes on to all that it starts, and the agent would wait for that one as well: the hook reads by itself,
/// which takes as long as one reading, once.
#[cfg(windows)]
fn start(given: &[PathBuf], flags: &Given) -> Result<(), AheadError> {
    Ok(read(given, flags, Duration::ZERO)?)
}

/// Why nothing is read ahead. It is only logged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AheadError {
    #[error(transparent)]
    Session(#[from] SessionError),
    #[cfg(unix)]
    #[error("nothing is read ahead: this program cannot be started again: {0}")]
    Start(std::io::Error),
}

/// Reads the roots, and their history for so long, and keeps both. Nothing is done where another process does so at
/// this moment, or there is no place to keep it.
///
/// # Errors
/// When the roots or a setting cannot be used.
pub(crate) fn read(given: &[PathBuf], flags: &Given, history: Duration) -> Result<(), SessionError> {
    let Roots { dirs, .. } = roots::find(given, &roots::current_dir_for(given)?)?;
    let settings = dirs.iter().map(|root| session::load(flags, root)).collect::<Result<Vec<_>, _>>()?;
    let Some(directory) = settings.into_iter().find_map(|settings| settings.cache_dir) else { return Ok(()) };
    let subject = dirs.iter().map(|root| bytes::of(root.canonical.as_os_str())).collect::<Vec<_>>().join(&0);
    let lock = kept::lock(&directory, &subject, LOCK);
    let lock =
        lock.inspect_err(|error| tracing::warn!(?directory, %error, "nothing can be kept, and nothing is read ahead"));
    let Ok(Some(lock)) = lock else { return Ok(()) };
    let session = Session::open(given, flags, Duration::ZERO, None)?;
    session.keep();
    session.with_history(history);
    drop(lock);
    Ok(())
}
