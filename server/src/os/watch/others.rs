//! Other systems watch whole trees; what happens in ignored ones is dropped when it is held against the rules.

use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use notify::event::{EventKind, ModifyKind, RenameMode};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{Added, Raw};

/// Ends with its value.
pub(super) struct Backend(Mutex<RecommendedWatcher>);

impl Backend {
    /// Begins with nothing.
    ///
    /// # Errors
    /// In words, when the system cannot watch.
    pub(super) fn begin(tell: Sender<Raw>) -> Result<Self, String> {
        let heard = move |event: notify::Result<Event>| match event {
            Ok(event) if event.need_rescan() => _ = tell.send(Raw::Lost),
            Ok(event) => event_told(event, &tell),
            Err(error) => {
                tracing::info!(%error, "watching");
                _ = tell.send(Raw::Lost);
            }
        };
        let watcher = RecommendedWatcher::new(heard, Config::default()).map_err(|error| error.to_string())?;
        Ok(Self(Mutex::new(watcher)))
    }

    /// Watches all below roots; other directories are among that.
    pub(super) fn add<'p>(&self, directories: impl IntoIterator<Item = &'p Path>, roots: bool) -> Added {
        let mut added = Added::default();
        if roots {
            let mut watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            for directory in directories {
                match watcher.watch(directory, RecursiveMode::Recursive) {
                    Ok(()) => added.new += 1,
                    Err(error) => {
                        tracing::warn!(?directory, %error, "not watched");
                        added.refused = true;
                    }
                }
            }
        }
        added
    }

    /// There are no watches of single directories.
    pub(super) fn forget(&self, _: &[PathBuf]) {}

    /// Nobody counts them here.
    pub(super) fn count(&self) -> usize {
        0
    }
}

fn event_told(event: Event, tell: &Sender<Raw>) {
    let both = matches!(event.kind, EventKind::Modify(ModifyKind::Name(RenameMode::Both)));
    if let (true, [from, to]) = (both, event.paths.as_slice()) {
        _ = tell.send(Raw::Moved(from.clone(), to.clone()));
    }
    let written = matches!(event.kind, EventKind::Modify(ModifyKind::Data(_)));
    for path in event.paths {
        match event.kind {
            EventKind::Access(_) => {}
            EventKind::Modify(ModifyKind::Metadata(_)) if !path.is_dir() => {}
            // Not all systems say which of the two it is.
            EventKind::Modify(ModifyKind::Any) => {
                _ = tell.send(Raw::Written(path.clone()));
                _ = tell.send(Raw::Entry(path));
            }
            _ if written => _ = tell.send(Raw::Written(path)),
            _ => _ = tell.send(Raw::Entry(path)),
        }
    }
}
