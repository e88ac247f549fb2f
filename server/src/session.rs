//! `Session`: what every edge needs to answer: roots that were walked, an engine over them, a probe.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use pathfinder_core::index::Snapshot;
use pathfinder_core::{Answer, Engine, Request, RequestError, Root};
use thiserror::Error;

use crate::os::history::{self, History};
use crate::os::memory;
use crate::os::packages;
use crate::os::probe::DiskProbe;
use crate::os::roots::{self, RootDir, RootError, Roots};
use crate::os::walk::{self, Unreadable, WalkOptions};
use crate::settings::{Given, SettingError, Settings};

/// Why no session could be opened.
#[derive(Debug, Error)]
pub(crate) enum SessionError {
    /// A root that cannot be used.
    #[error(transparent)]
    Root(#[from] RootError),
    /// A setting that means nothing.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

/// Why one request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum AskError {
    /// The request is unusable, or a root has gone.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A defect of this program. The session goes on: a snapshot is never changed by a request.
    #[error("internal error ({0}): this is a defect of pathfinder, please report it with the request")]
    Panicked(String),
}

/// What opening a root found out, beside its snapshot.
#[derive(Debug)]
pub(crate) struct Opened {
    /// The root as the user gave it.
    pub(crate) given: String,
    /// Where it is, without symbolic links.
    pub(crate) canonical: PathBuf,
    /// The settings that hold for it.
    pub(crate) settings: Settings,
    /// Packages that its metadata files name.
    pub(crate) packages: usize,
    /// Directories that could not be listed.
    pub(crate) unreadable: Unreadable,
    /// Time for reading the disk.
    pub(crate) walk: Duration,
    /// Time for building the snapshot.
    pub(crate) build: Duration,
}

/// Roots, engine and probe, for as many requests as come.
pub(crate) struct Session {
    engine: Engine,
    probe: DiskProbe,
    opened: Vec<Opened>,
}

impl Session {
    /// Finds, walks and indexes the roots; with none given the enclosing git worktree, else the current directory.
    ///
    /// # Errors
    /// When a root or a setting cannot be used.
    pub(crate) fn open(given: &[PathBuf], flags: &Given) -> Result<Self, SessionError> {
        let Roots { dirs, cwd } = roots::find(given, &roots::current_dir()?)?;
        // Before anything is walked: a wrong setting should not take a long walk to be told.
        let settings = dirs.iter().map(|root| load(flags, root)).collect::<Result<Vec<_>, _>>()?;
        let mut opened = Vec::with_capacity(dirs.len());
        let mut indexed = Vec::with_capacity(dirs.len());
        for (root, settings) in dirs.iter().zip(settings) {
            let (report, root) = index(root, settings)?;
            tracing::info!(root = %report.given, walk = ?report.walk, build = ?report.build, "indexed");
            opened.push(report);
            indexed.push(root);
        }
        memory::give_back();
        let options = opened.iter().map(|report| options(&report.settings)).collect();
        let probe = DiskProbe::open(&dirs)?.with_options(options);
        Ok(Self { engine: Engine::new(indexed, cwd, home()), probe, opened })
    }

    /// The engine, for what it knows about its roots.
    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The roots in the engine's order.
    pub(crate) fn opened(&self) -> &[Opened] {
        &self.opened
    }

    /// Answers one request, and says how long that took. A panic inside is an error of this request only.
    pub(crate) fn ask(&self, request: &Request) -> (Result<Answer, AskError>, Duration) {
        let start = Instant::now();
        let result = caught(|| self.engine.resolve(request, &self.probe));
        let elapsed = start.elapsed();
        tracing::debug!(failed_path = %request.failed_path, ?elapsed, failed = result.is_err(), "asked");
        (result, elapsed)
    }
}

/// Looks at roots and settings as [`Session::open`] does, without walking anything.
///
/// # Errors
/// As [`Session::open`].
pub(crate) fn check(given: &[PathBuf], flags: &Given) -> Result<(), SessionError> {
    let Roots { dirs, .. } = roots::find(given, &roots::current_dir()?)?;
    dirs.iter().try_for_each(|root| load(flags, root).map(drop))
}

fn load(flags: &Given, root: &RootDir) -> Result<Settings, SessionError> {
    Ok(Settings::load(flags, &|name| std::env::var_os(name), &root.canonical)?)
}

fn index(root: &RootDir, settings: Settings) -> Result<(Opened, Root), SessionError> {
    let start = Instant::now();
    let (walked, history) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| read_history(root, &settings));
        let walked = walk::walk(root, &options(&settings));
        // A reader that panicked has found nothing; the panic was printed.
        (walked, reader.join().unwrap_or_default())
    });
    let walked = walked?;
    let History { renames, head, complete, commits, inexact, from_cache } = history;
    let moves = renames.len();
    tracing::info!(head, commits, moves, complete, inexact, from_cache, memory = renames.memory(), "history");
    let packages = packages::read(root, &walked.package_files);
    let walk = start.elapsed();
    let start = Instant::now();
    let count = packages.len();
    let snapshot = Snapshot::build(&walked.found, packages);
    let build = start.elapsed();
    let (given, canonical, unreadable) = (root.given.clone(), root.canonical.clone(), walked.unreadable);
    let report = Opened { given, canonical, settings, packages: count, unreadable, walk, build };
    Ok((
        report,
        Root {
            given: root.given.clone(),
            place: root.place(),
            snapshot,
            renames: Arc::new(renames),
            familiar: Arc::default(),
        },
    ))
}

fn read_history(root: &RootDir, settings: &Settings) -> History {
    if settings.history.is_zero() {
        return History::default();
    }
    // Nothing stops it but its budget: the walk beside it takes its time too, and then it is done or cut off.
    let never = AtomicBool::new(false);
    history::load_or_read(root, settings.cache_dir.as_deref(), settings.history, &never)
}

fn options(settings: &Settings) -> WalkOptions {
    WalkOptions { include_dirs: settings.include_dirs.clone() }
}

fn caught(answer: impl FnOnce() -> Result<Answer, RequestError>) -> Result<Answer, AskError> {
    // Nothing that a request could leave half done outlives it: engine and probe are only read.
    match catch_unwind(AssertUnwindSafe(answer)) {
        Ok(result) => Ok(result?),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Err(AskError::Panicked(text.unwrap_or("no message").to_owned()))
        }
    }
}

fn home() -> Option<String> {
    let home = std::env::var_os(if cfg!(windows) { "USERPROFILE" } else { "HOME" })?;
    home.into_string().ok().filter(|home| Path::new(home).is_absolute())
}

#[cfg(test)]
mod tests {
    use super::{AskError, caught};
    use pathfinder_core::RequestError;

    #[test]
    fn a_panic_is_an_error_of_one_request() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let plain = caught(|| panic!("index out of bounds"));
        let formatted = caught(|| panic!("{} is too many", 7));
        std::panic::set_hook(quiet);
        assert_eq!(plain, Err(AskError::Panicked("index out of bounds".to_owned())));
        assert_eq!(formatted, Err(AskError::Panicked("7 is too many".to_owned())));
        assert_eq!(caught(|| Err(RequestError::EmptyPath)), Err(AskError::Request(RequestError::EmptyPath)));
    }
}
