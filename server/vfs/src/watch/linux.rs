//! The Linux backend of `Watch`: one inotify watch for each directory.
//!
//! `notify` is not used, because it searches all of its watches for each watched directory that is removed. That takes
//! minutes if a branch switch removes some thousand of a hundred thousand directories (read in 9.0.0-rc.7,
//! `remove_watch`).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use inotify::{Event, EventMask, Inotify, WatchDescriptor, WatchMask, Watches};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::{AddedWatches, RawEvent};

/// Events of a directory: names that come and go; contents when the writer closes the file, because every single write
/// would be a flood; and attributes, because permissions decide what can be listed.
const EVENTS: WatchMask = WatchMask::CREATE
    .union(WatchMask::DELETE)
    .union(WatchMask::MOVED_FROM)
    .union(WatchMask::MOVED_TO)
    .union(WatchMask::CLOSE_WRITE)
    .union(WatchMask::ATTRIB)
    .union(WatchMask::ONLYDIR)
    .union(WatchMask::DONT_FOLLOW)
    .union(WatchMask::EXCL_UNLINK);

/// Bytes of events that are read at once: about a hundred events with names of maximum length.
const BUFFER_BYTES: usize = 64 << 10;

/// Directories that are added before the table is unlocked for the listener.
const BATCH_SIZE: usize = 64;

/// Time between two polls for the second half of a rename, which mostly comes at once if at all.
const RENAME_POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Polls for the second half of a rename while no other event comes. Scheduling can delay the renaming process between
/// the two halves by some tens of milliseconds. Only moves out of all watched directories are reported later because of
/// it.
const MAX_RENAME_POLLS: u32 = 50;

/// Error number: no more watches.
const ENOSPC: i32 = 28;
/// Error number: no more inotify instances.
const EMFILE: i32 = 24;

/// The watches and the thread that reads their events. Dropping it ends both.
pub(super) struct InotifyBackend {
    watches: Watches,
    table: Arc<Mutex<WatchTable>>,
    stop: Arc<AtomicBool>,
    /// A watch on `/` that never reports anything. Removing it wakes the thread that waits for events.
    waker: WatchDescriptor,
}

type WatchTable = FxHashMap<i32, WatchEntry>;

struct WatchEntry {
    descriptor: WatchDescriptor,
    path: Box<Path>,
    /// True for a root: events of the directory itself are reported too.
    is_root: bool,
}

impl InotifyBackend {
    /// Starts without watches.
    ///
    /// # Errors
    /// The reason in words if the system refuses.
    pub(super) fn start(sender: Sender<RawEvent>) -> Result<Self, String> {
        let refused = |error: io::Error| match error.raw_os_error() {
            Some(ENOSPC) => "no watches are left (fs.inotify.max_user_watches)".to_owned(),
            Some(EMFILE) => "no more programs may watch (fs.inotify.max_user_instances)".to_owned(),
            _ => error.to_string(),
        };
        let inotify = Inotify::init().map_err(refused)?;
        let mut watches = inotify.watches();
        let waker = watches.add("/", WatchMask::DELETE_SELF).map_err(refused)?;
        let table = Arc::<Mutex<WatchTable>>::default();
        let stop = Arc::new(AtomicBool::new(false));
        let listener = Listener { table: Arc::clone(&table), stop: Arc::clone(&stop), sender, pending_move: None };
        thread::Builder::new()
            .name("watch".to_owned())
            .spawn(move || listener.listen(inotify))
            .map_err(|error| error.to_string())?;
        Ok(Self { watches, table, stop, waker })
    }

    /// Watches directories until the system allows no more.
    pub(super) fn add<'p>(&self, directories: impl IntoIterator<Item = &'p Path>, roots: bool) -> AddedWatches {
        let mut watches = self.watches.clone();
        let mask = if roots { EVENTS | WatchMask::DELETE_SELF | WatchMask::MOVE_SELF } else { EVENTS };
        let mut added = AddedWatches::default();
        let mut directories = directories.into_iter();
        loop {
            // The listener needs the table entry of a new watch to interpret its events.
            let mut table = self.table.lock();
            let mut batch = 0;
            for directory in directories.by_ref().take(BATCH_SIZE) {
                batch += 1;
                match watches.add(directory, mask) {
                    Ok(descriptor) => {
                        let id = descriptor.get_watch_descriptor_id();
                        // A moved directory keeps its watch, which was registered under another path.
                        added.new += usize::from(table.get(&id).is_none_or(|known| *known.path != *directory));
                        let is_root = roots || table.get(&id).is_some_and(|known| known.is_root);
                        table.insert(id, WatchEntry { descriptor, path: directory.into(), is_root });
                    }
                    Err(error) if error.raw_os_error() == Some(ENOSPC) => {
                        added.refused = true;
                        return added;
                    }
                    // The directory is gone or not readable. Its parent reports changes of its attributes.
                    Err(error) => tracing::debug!(?directory, %error, "cannot watch a directory"),
                }
            }
            if batch < BATCH_SIZE {
                return added;
            }
        }
    }

    /// Stops watching these directories and everything below.
    pub(super) fn forget(&self, below: &[PathBuf]) {
        let mut watches = self.watches.clone();
        self.table.lock().retain(|_, watched| {
            let gone = !watched.is_root && below.iter().any(|directory| watched.path.starts_with(directory));
            if gone {
                // The system has removed the watch already if the directory is gone.
                _ = watches.remove(watched.descriptor.clone());
            }
            !gone
        });
    }

    /// Returns the number of watches.
    pub(super) fn count(&self) -> usize {
        self.table.lock().len()
    }
}

impl Drop for InotifyBackend {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        _ = self.watches.remove(self.waker.clone());
    }
}

struct Listener {
    table: Arc<Mutex<WatchTable>>,
    stop: Arc<AtomicBool>,
    sender: Sender<RawEvent>,
    /// First half of a rename, with the cookie that its second half would have.
    pending_move: Option<(u32, PathBuf)>,
}

impl Listener {
    fn listen(mut self, mut inotify: Inotify) {
        let mut buffer = vec![0; BUFFER_BYTES];
        let mut waited = 0;
        while !self.stop.load(Ordering::Relaxed) {
            let events = if self.pending_move.is_none() {
                inotify.read_events_blocking(&mut buffer)
            } else {
                // The system reports both halves one after the other, and a read may fall between them.
                thread::sleep(RENAME_POLL_INTERVAL);
                inotify.read_events(&mut buffer)
            };
            let sent = match events {
                Ok(events) => {
                    waited = 0;
                    events.into_iter().try_for_each(|event| self.handle_event(&event))
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && waited < MAX_RENAME_POLLS => {
                    waited += 1;
                    Some(())
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.flush_move(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => Some(()),
                Err(error) => {
                    tracing::warn!(%error, "cannot read watch events; changes are no longer reported");
                    _ = self.sender.send(RawEvent::Ended);
                    None
                }
            };
            if sent.is_none() {
                return;
            }
        }
    }

    /// Reports the first half of a rename as a removal, because no second half came.
    fn flush_move(&mut self) -> Option<()> {
        self.pending_move.take().map_or(Some(()), |(_, from)| self.sender.send(RawEvent::Entry(from)).ok())
    }

    /// Handles one event; `None` if the receiver is gone.
    fn handle_event(&mut self, event: &Event<&std::ffi::OsStr>) -> Option<()> {
        let mask = event.mask;
        let arrives = self.pending_move.as_ref().is_some_and(|(cookie, _)| *cookie == event.cookie);
        if !arrives {
            self.flush_move()?;
        }
        if mask.contains(EventMask::Q_OVERFLOW) {
            return self.sender.send(RawEvent::Lost).ok();
        }
        let id = event.wd.get_watch_descriptor_id();
        let mut table = self.table.lock();
        if mask.contains(EventMask::IGNORED) {
            table.remove(&id);
            return Some(());
        }
        let Some(watched) = table.get(&id) else { return Some(()) };
        let ended = EventMask::DELETE_SELF | EventMask::MOVE_SELF | EventMask::UNMOUNT;
        if mask.intersects(ended) {
            let is_reported = watched.is_root || mask.contains(EventMask::UNMOUNT);
            drop(table);
            return if is_reported { self.sender.send(RawEvent::Ended).ok() } else { Some(()) };
        }
        let is_directory = mask.contains(EventMask::ISDIR);
        let Some(name) = event.name else { return Some(()) };
        let path = watched.path.join(name);
        drop(table);
        if mask.contains(EventMask::ATTRIB) && !is_directory {
            return Some(());
        }
        if mask.contains(EventMask::CLOSE_WRITE) {
            return self.sender.send(RawEvent::Written(path)).ok();
        }
        if mask.contains(EventMask::MOVED_FROM) {
            self.pending_move = Some((event.cookie, path));
            return Some(());
        }
        let sent = match self.pending_move.take() {
            // Sent as one event, so that no batch contains only one half.
            Some((_, from)) => RawEvent::Moved(from, path),
            None => RawEvent::Entry(path),
        };
        self.sender.send(sent).ok()
    }
}
