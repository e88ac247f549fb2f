//! Reading ahead: what the first question about a tree would have to wait for is read when an agent's session begins.
//!
//! A process of its own does it, for which nobody waits: it keeps what it read and ends. The hooks of the session then only look at
//! what is different by now. It is no daemon, and nothing goes wrong without it: a hook reads by itself what is not there.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, SystemTime};

use crate::os::bytes;
use crate::os::cache_file;
use crate::os::roots::{self, Roots};
use crate::settings::Overrides;
use crate::share;
use crate::snapshot::{self, SnapshotError, WorkspaceSnapshot};

/// How long git's history is read: what it says of paths that were right once is worth that much, once.
const HISTORY: Duration = Duration::from_mins(1);

/// A file in the cache directory that is locked while its roots are read ahead. It was written last when that was done.
const LOCK: &str = "ahead";

/// What was read so lately is not read again, however many sessions begin, and however often a hook is late.
const LATELY: Duration = Duration::from_mins(1);

/// Has the roots of a session that begins read ahead.
///
/// # Errors
/// When the roots or a setting cannot be used, or a process cannot be started.
pub(crate) fn begin(given: &[PathBuf], flags: &Overrides) -> Result<(), AheadError> {
    snapshot::check(given, flags)?;
    start(given, flags)
}

/// Starts a process of its own, and looks at nothing: a disk that does not answer is that one's concern. What the agent does to a
/// hook and all that it has started is not meant for it.
///
/// # Errors
/// When it cannot be started.
#[cfg(unix)]
pub(crate) fn start(given: &[PathBuf], flags: &Overrides) -> Result<(), AheadError> {
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
fn start(given: &[PathBuf], flags: &Overrides) -> Result<(), AheadError> {
    Ok(read(given, flags, true)?)
}

/// Reads git's history in the background for the next command, unless another process is reading it or read it lately. Does
/// nothing for a home directory or the whole disk, nor without a cache directory.
pub(crate) fn read_later(given: &[PathBuf], flags: &Overrides) {
    // Windows hands pipes on to what is started: the caller would wait for it.
    let is_wanted = cfg!(unix) && snapshot::check_narrow(given).is_ok() && is_due(given, flags).unwrap_or(false);
    if is_wanted && let Err(error) = start(given, flags) {
        tracing::info!(%error, "history is not read on");
    }
}

/// Whether roots can be read ahead now.
fn is_due(given: &[PathBuf], flags: &Overrides) -> Result<bool, SnapshotError> {
    let Some((directory, subject)) = place_of(given, flags)? else { return Ok(false) };
    Ok(matches!(cache_file::lock(&directory, &subject, LOCK), Ok(Some(lock)) if !was_read_lately(&lock)))
}

/// The cache directory and the key of the lock that is held while roots are read; `None` without a cache directory.
fn place_of(given: &[PathBuf], flags: &Overrides) -> Result<Option<(PathBuf, Vec<u8>)>, SnapshotError> {
    let Roots { dirs, .. } = roots::find(given, &roots::current_dir_for(given)?)?;
    let settings = dirs.iter().map(|root| snapshot::load(flags, root)).collect::<Result<Vec<_>, _>>()?;
    let directory = settings.into_iter().find_map(|settings| settings.cache_dir);
    let subject = dirs.iter().map(|root| bytes::of(root.canonical.as_os_str())).collect::<Vec<_>>().join(&0);
    Ok(directory.map(|directory| (directory, subject)))
}

fn was_read_lately(lock: &File) -> bool {
    lock.metadata().is_ok_and(|last| last.len() > 0 && last.modified().is_ok_and(is_lately))
}

/// Why nothing is read ahead. It is only logged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AheadError {
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    #[cfg(unix)]
    #[error("nothing is read ahead: this program cannot be started again: {0}")]
    Start(std::io::Error),
}

/// Reads the roots and keeps what it read; their history as well, unless somebody waits. Nothing is done where there is no project,
/// where a process has the roots in memory, reads them at this moment or has done so lately, or where there is no place to keep it.
///
/// # Errors
/// When the roots or a setting cannot be used.
pub(crate) fn read(given: &[PathBuf], flags: &Overrides, is_waited_for: bool) -> Result<(), SnapshotError> {
    if given.is_empty() {
        match snapshot::check_narrow(&[]) {
            // A session may begin anywhere.
            Err(SnapshotError::Wide(_)) => return Ok(()),
            checked => checked?,
        }
    }
    let Some((directory, subject)) = place_of(given, flags)? else { return Ok(()) };
    if share::join_once(given, flags).is_some() {
        return Ok(());
    }
    let lock = cache_file::lock(&directory, &subject, LOCK);
    let lock =
        lock.inspect_err(|error| tracing::warn!(?directory, %error, "nothing can be kept, and nothing is read ahead"));
    let Ok(Some(mut lock)) = lock else { return Ok(()) };
    if was_read_lately(&lock) {
        return Ok(());
    }
    let workspace = WorkspaceSnapshot::open(given, flags, Duration::ZERO, None)?;
    workspace.keep();
    if !is_waited_for {
        workspace.with_history(HISTORY);
        // What was just made, such as a clone, would have to be walked again by each hook.
        if let Some(time) = workspace.opened().iter().filter_map(|opened| opened.listing.settles(&opened.root)).max() {
            thread::sleep(time);
            WorkspaceSnapshot::open(given, flags, Duration::ZERO, None)?.keep();
        }
    }
    // Who cannot note it reads again.
    _ = lock.rewind().and_then(|()| lock.write_all(b"."));
    Ok(())
}

fn is_lately(moment: SystemTime) -> bool {
    moment.elapsed().is_ok_and(|since| since < LATELY)
}
