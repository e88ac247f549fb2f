//! `Watch`: is told by the system when something changes below directories.
//!
//! Directories are watched one by one, and only those of the index: a watch of all that is below a root would cover what the
//! project ignores, where builds write thousands of files.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod others;
#[cfg(target_os = "linux")]
mod watchman;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
#[cfg(target_os = "linux")]
use std::sync::mpsc::Sender;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
#[cfg(target_os = "linux")]
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use linux::InotifyBackend as Backend;
#[cfg(not(target_os = "linux"))]
use others::NotifyBackend as Backend;

/// How long nothing more may happen before what happened is told. A change is to be seen within 50 ms, of which taking it in
/// needs a part; what one command does comes within a fraction of this.
const DEBOUNCE: Duration = Duration::from_millis(5);
/// What is told waits so long at most, while more and more happens.
const MAX_DELAY: Duration = Duration::from_millis(20);
/// More paths than this at once are a checkout or an installation: that is told when it pauses, so that one look at the disk
/// does for most of it.
const BURST_PATHS: usize = 1000;
/// How long a is_burst pauses when it is over.
const BURST_DEBOUNCE: Duration = Duration::from_millis(50);
/// A is_burst is told of after so long, even if it goes on.
const MAX_BURST_DELAY: Duration = Duration::from_secs(1);

/// What happened, in no more detail than is needed to look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PendingChanges {
    /// Paths (absolute) at which something came, went, or may be listed or not any more.
    pub(crate) entries: BTreeSet<PathBuf>,
    /// Files whose contents are others.
    pub(crate) written: BTreeSet<PathBuf>,
    /// What was renamed: from, to. In their order.
    pub(crate) moves: Vec<(PathBuf, PathBuf)>,
    /// The system lost count.
    pub(crate) lost: bool,
    /// A root is gone, or was moved: watches of it tell nothing any more.
    pub(crate) ended: bool,
}

/// What one event says.
#[derive(Debug)]
enum RawEvent {
    Entry(PathBuf),
    Written(PathBuf),
    /// Both are entries too.
    Moved(PathBuf, PathBuf),
    Lost,
    Ended,
}

/// What became of directories that were to be watched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AddedWatches {
    /// How many are watched that were not, or not under this name.
    pub(crate) new: usize,
    /// Whether the system allows no more.
    pub(crate) refused: bool,
}

/// Watches until it is dropped.
pub(crate) struct Watch {
    backend: Backend,
    #[cfg(target_os = "linux")]
    tell: Sender<RawEvent>,
    #[cfg(target_os = "linux")]
    watchman: Mutex<Option<watchman::Watchman>>,
}

impl Watch {
    /// Has `tell` called, in a thread of its own, with what happens.
    ///
    /// # Errors
    /// In words, when the system cannot watch.
    pub(crate) fn begin(tell: impl Fn(PendingChanges) + Send + 'static) -> Result<Self, String> {
        let (sender, events) = channel();
        let backend = Backend::begin(sender.clone())?;
        let gathering = thread::Builder::new().name("watch-debounce".to_owned());
        gathering.spawn(move || collect_events(&events, &tell)).map_err(|error| error.to_string())?;
        #[cfg(target_os = "linux")]
        return Ok(Self { backend, tell: sender, watchman: Mutex::default() });
        #[cfg(not(target_os = "linux"))]
        Ok(Self { backend })
    }

    /// Has watchman tell what happens below these roots (canonical), where it runs and watches them already; its name and
    /// version.
    ///
    /// # Errors
    /// In words, why it does not.
    #[cfg(target_os = "linux")]
    pub(crate) fn ask_watchman(&self, roots: &[&Path]) -> Result<String, String> {
        let (watchman, name) = watchman::Watchman::start(roots, self.tell.clone())?;
        *self.watchman.lock().unwrap_or_else(PoisonError::into_inner) = Some(watchman);
        Ok(name)
    }

    /// Other systems watch whole trees themselves.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_self, reason = "Linux needs it")]
    pub(crate) fn ask_watchman(&self, _: &[&Path]) -> Result<String, String> {
        Err("watchman is not asked on this system".to_owned())
    }

    /// Watches these directories too.
    pub(crate) fn add<'p>(&self, directories: impl IntoIterator<Item = &'p Path>) -> AddedWatches {
        self.backend.add(directories, false)
    }

    /// Watches roots: what happens to them themselves is told too.
    pub(crate) fn add_roots<'p>(&self, roots: impl IntoIterator<Item = &'p Path>) -> AddedWatches {
        self.backend.add(roots, true)
    }

    /// Watches these directories and what is below them no more.
    pub(crate) fn forget(&self, below: &[PathBuf]) {
        if !below.is_empty() {
            self.backend.forget(below);
        }
    }

    /// How many directories are watched, where the system counts them.
    pub(crate) fn count(&self) -> usize {
        self.backend.count()
    }
}

/// From so many directories on watchman is asked before they are watched one by one: a watch takes the system a kilobyte that is
/// never swapped out. SubtreeFilter that watches of our own are better, which know what was renamed.
const WATCHMAN_MIN_DIRECTORIES: usize = 10_000;

/// Whether so many directories are better left to watchman, if that watches them already.
pub(crate) fn prefers_watchman(directories: usize) -> bool {
    directories > WATCHMAN_MIN_DIRECTORIES || check_limit(directories).is_err()
}

/// The share of the watches of a user that one program takes at most: others watch too, and fail without.
const MAX_SHARE: (usize, usize) = (3, 4);

/// Whether so many directories may be watched, by what the system allows one user.
///
/// # Errors
/// In words, when they are too many.
pub(crate) fn check_limit(directories: usize) -> Result<(), String> {
    limit().map_or(Ok(()), |limit| check_limit_of(directories, limit))
}

fn check_limit_of(directories: usize, limit: usize) -> Result<(), String> {
    if directories <= limit / MAX_SHARE.1 * MAX_SHARE.0 {
        return Ok(());
    }
    Err(format!("{directories} directories are too many to be watched (fs.inotify.max_user_watches is {limit})"))
}

/// How many directories one user may watch, where the system has a limit.
pub(crate) fn limit() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").ok()?;
    text.trim().parse().ok()
}

pub(crate) use {PendingChanges as Told, check_limit as room, prefers_watchman as are_many};

fn collect_events(events: &Receiver<RawEvent>, tell: &dyn Fn(PendingChanges)) {
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
        tell(pending);
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
    use crate::os::tests::tree::TestTree;

    /// What is told after these commands in a tree of which `a` is watched, as names below the tree.
    #[track_caller]
    fn check(commands: &str, entries: &str, written: &str, moves: &str) {
        let tree = TestTree::new("a/b.rs\na/d/x\nc/d.rs");
        let (sender, heard) = channel();
        let watch = Watch::begin(move |it| _ = sender.send(it)).expect("a watch");
        let added = watch.add([tree.path("a").as_path(), tree.path("gone").as_path()]);
        assert_eq!(added, AddedWatches { new: 1, refused: false });
        tree.run(&format!("{commands}\ntouch a/end"));
        let mut all = PendingChanges::default();
        while !all.entries.contains(&tree.path("a/end")) {
            let told: PendingChanges = heard.recv_timeout(Duration::from_mins(1)).expect("an event");
            all.entries.extend(told.entries);
            all.written.extend(told.written);
            all.moves.extend(told.moves);
            assert!(!told.lost && !told.ended);
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
    fn tells() {
        check("cat a/b.rs; touch c/e.rs", "", "", "");
        check("touch a/f.rs", "a/f.rs", "a/f.rs", "");
        check("mv a/b.rs a/g.rs", "a/b.rs a/g.rs", "", "a/b.rs>a/g.rs");
        check("mv a/b.rs c; mv c/d.rs a", "a/b.rs a/d.rs", "", "");
        check("echo x >> a/b.rs", "", "a/b.rs", "");
        // Who may list a directory may be another; whose file it is says nothing.
        check("chmod 700 a/d; chmod 600 a/b.rs", "a/d", "", "");
        check("mv a/b.rs a/t; mv a/d a/b.rs; mv a/t a/d", "a/b.rs a/d a/t", "", "a/b.rs>a/t a/d>a/b.rs a/t>a/d");
    }

    /// How often it is told of so many files that have come by then.
    fn told_of(files: usize) -> usize {
        let (sender, events) = channel();
        for file in 0..files {
            let path = PathBuf::from(format!("/root/package{}/module{file}.js", file / 20));
            sender.send(RawEvent::Entry(path.clone())).expect("heard");
            sender.send(RawEvent::Written(path)).expect("heard");
        }
        drop(sender);
        let told = std::cell::RefCell::new(Vec::new());
        collect_events(&events, &|it: PendingChanges| told.borrow_mut().push(it.entries.len()));
        let told = told.into_inner();
        assert_eq!(told.iter().sum::<usize>(), files);
        told.len()
    }

    #[test]
    fn a_storm_is_told_as_one() {
        // A machine that stands still may cut them once or twice.
        assert!(told_of(10) < 5);
        assert!(told_of(20_000) < 5);
    }

    #[test]
    fn some_are_left_to_others() {
        assert_eq!(check_limit_of(75, 100), Ok(()));
        assert!(check_limit_of(76, 100).is_err_and(|reason| reason.contains("76") && reason.contains("100")));
        assert!(check_limit_of(1, 0).is_err());
    }

    #[test]
    fn a_root_that_goes_is_told() {
        let tree = TestTree::new("root/b.rs");
        let (sender, heard) = channel();
        let watch = Watch::begin(move |it| _ = sender.send(it)).expect("a watch");
        watch.add_roots([tree.path("root").as_path()]);
        tree.run("mv root other");
        assert!(heard.recv_timeout(Duration::from_mins(1)).expect("an event").ended);
    }
}
