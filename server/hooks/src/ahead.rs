//! Reads a project ahead when an agent's session begins, so that the first question does not wait for it.
//!
//! A separate process does the reading: it fills the cache and ends. Later hooks only read what has changed since. It is not a
//! daemon, and hooks work without it: a hook reads by itself what the cache lacks. Called by `hook` and `cli/resolve.rs`.
//!
//! A hook that ran into its time limit starts the process too, or the next hook would begin anew. On Windows the hook itself reads
//! when a session begins, without the minute of history; what exceeds its time limit is not cached there.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{self, SnapshotError, WorkspaceSnapshot};
use pathfinder_vfs::bytes;
use pathfinder_vfs::cache_file;
use pathfinder_vfs::roots::{self, RootSet};

/// Time limit for reading git's history. History of renamed paths is worth one minute, once per cache.
const HISTORY_TIMEOUT: Duration = Duration::from_mins(1);

/// Name of the lock file in the cache directory. It is held while roots are read ahead, and written when that is done.
const LOCK_NAME: &str = "ahead";

/// Time between two runs for the same roots, however many sessions begin and however often a hook times out.
const MIN_INTERVAL: Duration = Duration::from_mins(1);

/// Starts reading ahead for a session that begins.
///
/// # Errors
/// If the roots or a setting cannot be used, or the process cannot be started.
pub fn begin(given: &[PathBuf], flags: &Overrides) -> Result<(), AheadError> {
    snapshot::check_roots_and_settings(given, flags)?;
    start(given, flags)
}

/// Starts the process that reads ahead, without touching the disk: a file system that hangs must not block the hook.
///
/// The process has a group of its own, so that the agent does not stop it together with the hook.
///
/// # Errors
/// If the process cannot be started.
#[cfg(unix)]
pub fn start(given: &[PathBuf], flags: &Overrides) -> Result<(), AheadError> {
    use std::ffi::OsString;

    let roots = given.iter().map(|root| ("root", root.as_os_str()));
    let flags = roots.chain(flags.flags()).map(|(flag, value)| {
        // One word per flag, because a value may begin with a dash.
        let mut argument = OsString::from(format!("--{flag}="));
        argument.push(value);
        argument
    });
    pathfinder_vfs::process::start_detached(flags.chain(["hook".into(), "ahead".into()])).map_err(AheadError::Start)
}

/// Reads ahead in this process. A child would inherit the hook's pipes on Windows, and the agent would wait for the child too.
#[cfg(windows)]
fn start(given: &[PathBuf], flags: &Overrides) -> Result<(), AheadError> {
    Ok(read(given, flags, true)?)
}

/// Starts reading git's history for the next command, unless another process does so or has just done so.
///
/// Does nothing for a home directory or a whole disk, or without a cache directory.
pub fn read_later(given: &[PathBuf], flags: &Overrides) {
    // A child inherits the pipes on Windows, and the caller would wait for it.
    let is_wanted = cfg!(unix) && snapshot::refuse_too_wide(given).is_ok() && is_due(given, flags).unwrap_or(false);
    if is_wanted && let Err(error) = start(given, flags) {
        tracing::info!(%error, "cannot start reading git history for the next command");
    }
}

/// Returns whether the roots can be read ahead now.
fn is_due(given: &[PathBuf], flags: &Overrides) -> Result<bool, SnapshotError> {
    let Some((directory, key)) = find_lock(given, flags)? else { return Ok(false) };
    Ok(
        matches!(cache_file::lock(&directory, &key, LOCK_NAME), Ok(Some(lock)) if !cache_file::was_marked_within(&lock, MIN_INTERVAL)),
    )
}

/// Returns the cache directory and the key of the lock of these roots; `None` without a cache directory.
fn find_lock(given: &[PathBuf], flags: &Overrides) -> Result<Option<(PathBuf, Vec<u8>)>, SnapshotError> {
    let RootSet { dirs, .. } = roots::find(given, &roots::current_dir_for(given)?)?;
    let settings = dirs.iter().map(|root| snapshot::load_settings(flags, root)).collect::<Result<Vec<_>, _>>()?;
    let directory = settings.into_iter().find_map(|settings| settings.cache_dir);
    let key = dirs.iter().map(|root| bytes::from_os_str(root.canonical.as_os_str())).collect::<Vec<_>>().join(&0);
    Ok(directory.map(|directory| (directory, key)))
}

/// Reason for not reading ahead. It is only logged.
#[derive(Debug, thiserror::Error)]
pub enum AheadError {
    /// The roots cannot be opened.
    #[error(transparent)]
    WorkspaceSnapshot(#[from] SnapshotError),
    /// The process that reads history cannot be started.
    #[cfg(unix)]
    #[error("nothing is read ahead: cannot start this program again: {0}")]
    Start(std::io::Error),
}

/// Reads the roots into the cache, and their git history unless the caller waits (`is_waited_for`).
///
/// Does nothing without a project or a cache directory, while another process serves or reads the roots, or shortly after a run.
///
/// # Errors
/// If the roots or a setting cannot be used.
pub fn read(given: &[PathBuf], flags: &Overrides, is_waited_for: bool) -> Result<(), SnapshotError> {
    if given.is_empty() {
        match snapshot::refuse_too_wide(&[]) {
            // A session may begin outside any project.
            Err(SnapshotError::TooWide(_)) => return Ok(()),
            checked => checked?,
        }
    }
    let Some((directory, key)) = find_lock(given, flags)? else { return Ok(()) };
    if pathfinder_ipc::is_shared(given, flags) {
        return Ok(());
    }
    let lock = cache_file::lock(&directory, &key, LOCK_NAME);
    let lock = lock.inspect_err(
        |error| tracing::warn!(?directory, %error, "nothing is read ahead: cannot lock the cache directory"),
    );
    let Ok(Some(mut lock)) = lock else { return Ok(()) };
    if cache_file::was_marked_within(&lock, MIN_INTERVAL) {
        return Ok(());
    }
    let workspace = WorkspaceSnapshot::open(given, flags, Duration::ZERO, None)?;
    workspace.keep();
    if !is_waited_for {
        _ = workspace.with_history(HISTORY_TIMEOUT);
        // Each hook would walk freshly written files again, such as a new clone, so wait until their times are settled.
        if let Some(time) =
            workspace.opened().iter().filter_map(|opened| opened.listing.settle_time(&opened.root)).max()
        {
            thread::sleep(time);
            WorkspaceSnapshot::open(given, flags, Duration::ZERO, None)?.keep();
        }
    }
    // Without this mark, the next session reads again.
    _ = cache_file::mark(&mut lock);
    Ok(())
}
