//! `Watch`: reports changes below directories, collected into batches. Called by `workspace::watch`.
//!
//! On Linux only the directories of the index are watched, one by one. A recursive watch of a root would include what
//! the project ignores, where builds write thousands of files.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod recursive;
#[cfg(target_os = "linux")]
mod watchman;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::mpsc::Sender;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use parking_lot::Mutex;

#[cfg(target_os = "linux")]
use linux::InotifyBackend as Backend;
#[cfg(not(target_os = "linux"))]
use recursive::NotifyBackend as Backend;

/// Quiet time after which a batch is delivered. A change should be visible within 50 ms, part of which the update
/// takes. The events of one command come within a fraction of this time.
const DEBOUNCE: Duration = Duration::from_millis(5);
/// Maximum delay of a batch while events keep coming.
const MAX_DELAY: Duration = Duration::from_millis(20);
/// With more paths than this a batch counts as a burst (a checkout or an installation). It is delivered when the events
/// pause, so that one rescan covers most of it.
const BURST_PATHS: usize = 1000;
/// Quiet time after which a burst is delivered.
const BURST_DEBOUNCE: Duration = Duration::from_millis(50);
/// Maximum delay of a burst while events keep coming.
const MAX_BURST_DELAY: Duration = Duration::from_secs(1);

/// A batch of changes, without more detail than a rescan needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PendingChanges {
    /// Paths (absolute) at which an entry was created or removed, or its permissions changed.
    pub entries: BTreeSet<PathBuf>,
    /// Files whose contents changed.
    pub written: BTreeSet<PathBuf>,
    /// Renames as (from, to), in their order.
    pub moves: Vec<(PathBuf, PathBuf)>,
    /// True if the system dropped events.
    pub lost: bool,
    /// True if a root was removed or moved, so that its watches report nothing any more.
    pub ended: bool,
}

/// One event of a backend.
#[derive(Debug)]
enum RawEvent {
    /// An entry was created or removed, or its permissions changed.
    Entry(PathBuf),
    /// The contents of a file changed.
    Written(PathBuf),
    /// A rename; both paths count as entries too.
    Moved(PathBuf, PathBuf),
    /// The system dropped events.
    Lost,
    /// A root was removed or moved.
    Ended,
}

/// Result of adding watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddedWatches {
    /// Number of directories that were not watched before, or under another path.
    pub new: usize,
    /// True if the system allows no more watches.
    pub refused: bool,
}

/// Watches directories until it is dropped.
pub struct Watch {
    backend: Backend,
    #[cfg(target_os = "linux")]
    sender: Sender<RawEvent>,
    #[cfg(target_os = "linux")]
    watchman: Mutex<Option<watchman::Watchman>>,
}

impl Watch {
    /// Starts without watches. A thread calls `on_batch` with each batch of changes.
    ///
    /// # Errors
    /// The reason in words if the system cannot watch.
    pub fn start(on_batch: impl Fn(PendingChanges) + Send + 'static) -> Result<Self, String> {
        let (sender, events) = channel();
        let backend = Backend::start(sender.clone())?;
        let thread = thread::Builder::new().name("watch-debounce".to_owned());
        thread.spawn(move || collect_events(&events, &on_batch)).map_err(|error| error.to_string())?;
        #[cfg(target_os = "linux")]
        return Ok(Self { backend, sender, watchman: Mutex::default() });
        #[cfg(not(target_os = "linux"))]
        Ok(Self { backend })
    }

    /// Subscribes to watchman for these roots (canonical) if it runs and watches them already. Returns its name and
    /// version.
    ///
    /// # Errors
    /// The reason in words if watchman cannot be used.
    #[cfg(target_os = "linux")]
    pub fn ask_watchman(&self, roots: &[&Path]) -> Result<String, String> {
        let (watchman, name) = watchman::Watchman::start(roots, self.sender.clone())?;
        *self.watchman.lock() = Some(watchman);
        Ok(name)
    }

    /// Fails, because other systems watch whole trees themselves.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(target_os = "linux"))]
    pub fn ask_watchman(&self, _: &[&Path]) -> Result<String, String> {
        Err("watchman is not supported on this system".to_owned())
    }

    /// Watches these directories too.
    pub fn add<'p>(&self, directories: impl IntoIterator<Item = &'p Path>) -> AddedWatches {
        self.backend.add(directories, false)
    }

    /// Watches roots, which also reports that a root itself was removed or moved.
    pub fn add_roots<'p>(&self, roots: impl IntoIterator<Item = &'p Path>) -> AddedWatches {
        self.backend.add(roots, true)
    }

    /// Stops watching these directories and everything below.
    pub fn forget(&self, below: &[PathBuf]) {
        if !below.is_empty() {
            self.backend.forget(below);
        }
    }

    /// Returns the number of watches.
    pub fn count(&self) -> usize {
        self.backend.count()
    }
}

/// From this number of directories on watchman is preferred: each watch takes a kilobyte of memory that is never
/// swapped out. Below it, own watches are better, because they report renames.
const WATCHMAN_MIN_DIRECTORIES: usize = 10_000;

/// Returns whether this number of directories is better left to watchman, if it watches them already.
pub fn prefers_watchman(directories: usize) -> bool {
    directories > WATCHMAN_MIN_DIRECTORIES || check_limit(directories).is_err()
}

/// Largest share of the user's watches to use: other programs need watches too and fail without them.
const MAX_SHARE: (usize, usize) = (3, 4);

/// Checks whether this number of directories may be watched.
///
/// # Errors
/// The reason in words if there are too many.
pub fn check_limit(directories: usize) -> Result<(), String> {
    limit().map_or(Ok(()), |limit| check_limit_of(directories, limit))
}

fn check_limit_of(directories: usize, limit: usize) -> Result<(), String> {
    if directories <= limit / MAX_SHARE.1 * MAX_SHARE.0 {
        return Ok(());
    }
    Err(format!("{directories} directories are too many to watch (fs.inotify.max_user_watches is {limit})"))
}

/// Returns the number of directories that one user may watch, if the system has a limit.
pub fn limit() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    text.trim().parse().ok()
}

fn collect_events(events: &Receiver<RawEvent>, on_batch: &dyn Fn(PendingChanges)) {
    while let Ok(first) = events.recv() {
        let start = Instant::now();
        let mut pending = PendingChanges::default();
        pending.add(first);
        loop {
            let is_burst = pending.entries.len() + pending.written.len() > BURST_PATHS;
            let (quiet, most) = if is_burst { (BURST_DEBOUNCE, MAX_BURST_DELAY) } else { (DEBOUNCE, MAX_DELAY) };
            let left = most.saturating_sub(start.elapsed());
            match events.recv_timeout(quiet.min(left)) {
                Ok(event) if !left.is_zero() => pending.add(event),
                Ok(event) => {
                    pending.add(event);
                    break;
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        on_batch(pending);
    }
}

impl PendingChanges {
    fn add(&mut self, raw: RawEvent) {
        match raw {
            RawEvent::Entry(path) => _ = self.entries.insert(path),
            RawEvent::Written(path) => _ = self.written.insert(path),
            RawEvent::Moved(from, to) => {
                self.entries.extend([from.clone(), to.clone()]);
                self.moves.push((from, to));
            }
            RawEvent::Lost => self.lost = true,
            RawEvent::Ended => self.ended = true,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::{AddedWatches, PendingChanges, RawEvent, Watch, check_limit_of, collect_events};
    use crate::testing::TestTree;

    /// Runs commands in a tree of which `a` is watched and checks the reported changes, as names below the tree.
    #[track_caller]
    fn check(commands: &str, entries: &str, written: &str, moves: &str) {
        let tree = TestTree::new("a/b.rs\na/d/x\nc/d.rs");
        let (sender, heard) = channel();
        let watch = Watch::start(move |it| _ = sender.send(it)).expect("a watch");
        let added = watch.add([tree.path("a").as_path(), tree.path("gone").as_path()]);
        assert_eq!(added, AddedWatches { new: 1, refused: false });
        tree.run(&format!("{commands}\ntouch a/end"));
        let mut all = PendingChanges::default();
        while !all.entries.contains(&tree.path("a/end")) {
            let changes: PendingChanges = heard.recv_timeout(Duration::from_mins(1)).expect("an event");
            all.entries.extend(changes.entries);
            all.written.extend(changes.written);
            all.moves.extend(changes.moves);
            assert!(!changes.lost && !changes.ended);
        }
        let name = |path: &PathBuf| path.strip_prefix(tree.path("")).expect("below").display().to_string();
        let names = |paths: Vec<&PathBuf>| {
            let names = paths.into_iter().map(name).filter(|name| name != "a/end");
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(all.entries.iter().collect()), entries, "{commands}");
        assert_eq!(names(all.written.iter().collect()), written, "{commands}");
        let pairs = all.moves.iter().map(|(from, to)| format!("{}>{}", name(from), name(to)));
        assert_eq!(pairs.collect::<Vec<_>>().join(" "), moves, "{commands}");
    }

    #[test]
    fn reports_changes() {
        check("cat a/b.rs; touch c/e.rs", "", "", "");
        check("touch a/f.rs", "a/f.rs", "a/f.rs", "");
        check("mv a/b.rs a/g.rs", "a/b.rs a/g.rs", "", "a/b.rs>a/g.rs");
        check("mv a/b.rs c; mv c/d.rs a", "a/b.rs a/d.rs", "", "");
        check("echo x >> a/b.rs", "", "a/b.rs", "");
        // The permissions of a directory decide what can be listed; those of a file do not.
        check("chmod 700 a/d; chmod 600 a/b.rs", "a/d", "", "");
        check("mv a/b.rs a/t; mv a/d a/b.rs; mv a/t a/d", "a/b.rs a/d a/t", "", "a/b.rs>a/t a/d>a/b.rs a/t>a/d");
    }

    /// Returns the number of batches in which changes of this many files are delivered.
    fn batches_for(files: usize) -> usize {
        let (sender, events) = channel();
        for file in 0..files {
            let path = PathBuf::from(format!("/root/package{}/module{file}.js", file / 20));
            sender.send(RawEvent::Entry(path.clone())).expect("heard");
            sender.send(RawEvent::Written(path)).expect("heard");
        }
        drop(sender);
        let sizes = std::cell::RefCell::new(Vec::new());
        collect_events(&events, &|it: PendingChanges| sizes.borrow_mut().push(it.entries.len()));
        let sizes = sizes.into_inner();
        assert_eq!(sizes.iter().sum::<usize>(), files);
        sizes.len()
    }

    #[test]
    fn batches_bursts() {
        // A slow machine may split them once or twice.
        assert!(batches_for(10) < 5);
        assert!(batches_for(20_000) < 5);
    }

    #[test]
    fn leaves_watches_to_other_programs() {
        assert_eq!(check_limit_of(75, 100), Ok(()));
        assert!(check_limit_of(76, 100).is_err_and(|reason| reason.contains("76") && reason.contains("100")));
        assert!(check_limit_of(1, 0).is_err());
    }

    #[test]
    fn reports_removed_roots() {
        let tree = TestTree::new("root/b.rs");
        let (sender, heard) = channel();
        let watch = Watch::start(move |it| _ = sender.send(it)).expect("a watch");
        watch.add_roots([tree.path("root").as_path()]);
        tree.run("mv root other");
        assert!(heard.recv_timeout(Duration::from_mins(1)).expect("an event").ended);
    }
}
