//! The backend of `Watch` on macOS and Windows: watches whole trees with `notify`. Events in ignored directories are
//! dropped later, when they are matched against the rules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};
use parking_lot::Mutex;

use super::{AddedWatches, RawEvent};

/// Watches until it is dropped.
pub(super) struct NotifyBackend {
    watcher: Mutex<RecommendedWatcher>,
    roots: WatchedRoots,
}

/// Watched roots. Removing a root also removes its watch.
type WatchedRoots = Arc<Mutex<BTreeSet<PathBuf>>>;

impl NotifyBackend {
    /// Starts without watches.
    ///
    /// # Errors
    /// The reason in words if the system cannot watch.
    pub(super) fn start(sender: Sender<RawEvent>) -> Result<Self, String> {
        let roots = WatchedRoots::default();
        let watched_roots = Arc::clone(&roots);
        let on_event = move |event: notify::Result<Event>| match event {
            Ok(event) if event.need_rescan() => _ = sender.send(RawEvent::Lost),
            Ok(event) => handle_event(event, &sender, &watched_roots),
            Err(error) => {
                tracing::info!(%error, "watching failed; rescanning");
                _ = sender.send(RawEvent::Lost);
            }
        };
        let watcher = RecommendedWatcher::new(on_event, Config::default()).map_err(|error| error.to_string())?;
        Ok(Self { watcher: Mutex::new(watcher), roots })
    }

    /// Watches everything below roots. Other directories need no watch of their own.
    pub(super) fn add<'p>(&self, directories: impl IntoIterator<Item = &'p Path>, roots: bool) -> AddedWatches {
        let mut added = AddedWatches::default();
        if roots {
            let mut watcher = self.watcher.lock();
            for directory in directories {
                match watcher.watch(directory, RecursiveMode::Recursive) {
                    Ok(()) => added.new += usize::from(self.roots.lock().insert(directory.to_owned())),
                    Err(error) => {
                        tracing::warn!(?directory, %error, "cannot watch a directory");
                        added.refused = true;
                    }
                }
            }
        }
        added
    }

    /// Forgets roots that are gone. Other directories have no watch of their own.
    pub(super) fn forget(&self, below: &[PathBuf]) {
        self.roots.lock().retain(|root| !below.iter().any(|gone| root.starts_with(gone)));
    }

    /// Returns the number of watched roots.
    pub(super) fn count(&self) -> usize {
        self.roots.lock().len()
    }
}

fn handle_event(event: Event, sender: &Sender<RawEvent>, roots: &WatchedRoots) {
    let is_removal = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)));
    if is_removal && event.paths.iter().any(|path| roots.lock().remove(path)) {
        _ = sender.send(RawEvent::Ended);
    }
    let both = matches!(event.kind, EventKind::Modify(ModifyKind::Name(RenameMode::Both)));
    if let (true, [from, to]) = (both, event.paths.as_slice()) {
        _ = sender.send(RawEvent::Moved(from.clone(), to.clone()));
    }
    let written = matches!(event.kind, EventKind::Modify(ModifyKind::Data(_)));
    for path in event.paths {
        match event.kind {
            EventKind::Access(_) => {}
            EventKind::Modify(ModifyKind::Metadata(_)) if !path.is_dir() => {}
            // Not all systems distinguish written contents from changed entries.
            EventKind::Modify(ModifyKind::Any) => {
                _ = sender.send(RawEvent::Written(path.clone()));
                _ = sender.send(RawEvent::Entry(path));
            }
            _ if written => _ = sender.send(RawEvent::Written(path)),
            _ => _ = sender.send(RawEvent::Entry(path)),
        }
    }
}
