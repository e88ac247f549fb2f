//! Other systems watch whole trees; what happens in ignored ones is dropped when it is held against the rules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{AddedWatches, RawEvent};

/// Ends with its value.
pub(super) struct NotifyBackend {
    watcher: Mutex<RecommendedWatcher>,
    roots: WatchedRoots,
}

/// What is watched. With a root its watch is gone too.
type WatchedRoots = Arc<Mutex<BTreeSet<PathBuf>>>;

impl NotifyBackend {
    /// Begins with nothing.
    ///
    /// # Errors
    /// In words, when the system cannot watch.
    pub(super) fn begin(tell: Sender<RawEvent>) -> Result<Self, String> {
        let roots = WatchedRoots::default();
        let watched_roots = Arc::clone(&roots);
        let on_event = move |event: notify::Result<Event>| match event {
            Ok(event) if event.need_rescan() => _ = tell.send(RawEvent::Lost),
            Ok(event) => handle_event(event, &tell, &watched_roots),
            Err(error) => {
                tracing::info!(%error, "watching");
                _ = tell.send(RawEvent::Lost);
            }
        };
        let watcher = RecommendedWatcher::new(on_event, Config::default()).map_err(|error| error.to_string())?;
        Ok(Self { watcher: Mutex::new(watcher), roots })
    }

    /// Watches all below roots; other directories are among that.
    pub(super) fn add<'p>(&self, directories: impl IntoIterator<Item = &'p Path>, roots: bool) -> AddedWatches {
        let mut added = AddedWatches::default();
        if roots {
            let mut watcher = lock(&self.watcher);
            for directory in directories {
                match watcher.watch(directory, RecursiveMode::Recursive) {
                    Ok(()) => added.new += usize::from(lock(&self.roots).insert(directory.to_owned())),
                    Err(error) => {
                        tracing::warn!(?directory, %error, "not watched");
                        added.refused = true;
                    }
                }
            }
        }
        added
    }

    /// Single directories have no watches, but roots.
    pub(super) fn forget(&self, below: &[PathBuf]) {
        lock(&self.roots).retain(|root| !below.iter().any(|gone| root.starts_with(gone)));
    }

    /// How many roots.
    pub(super) fn count(&self) -> usize {
        lock(&self.roots).len()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn handle_event(event: Event, tell: &Sender<RawEvent>, roots: &WatchedRoots) {
    let is_removal = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)));
    if is_removal && event.paths.iter().any(|path| lock(roots).remove(path)) {
        _ = tell.send(RawEvent::Ended);
    }
    let both = matches!(event.kind, EventKind::Modify(ModifyKind::Name(RenameMode::Both)));
    if let (true, [from, to]) = (both, event.paths.as_slice()) {
        _ = tell.send(RawEvent::Moved(from.clone(), to.clone()));
    }
    let written = matches!(event.kind, EventKind::Modify(ModifyKind::Data(_)));
    for path in event.paths {
        match event.kind {
            EventKind::Access(_) => {}
            EventKind::Modify(ModifyKind::Metadata(_)) if !path.is_dir() => {}
            // Not all systems say which of the two it is.
            EventKind::Modify(ModifyKind::Any) => {
                _ = tell.send(RawEvent::Written(path.clone()));
                _ = tell.send(RawEvent::Entry(path));
            }
            _ if written => _ = tell.send(RawEvent::Written(path)),
            _ => _ = tell.send(RawEvent::Entry(path)),
        }
    }
}
