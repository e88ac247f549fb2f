//! `Watch`: is told by the system when something changes below directories.
//!
//! Directories are watched one by one, and only those of the index: a watch of all that is below a root would cover what the
//! project ignores, where builds write thousands of files.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use notify::event::{EventKind, EventKindMask, ModifyKind};
use notify::{Config, Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// How long nothing more may happen before what happened is told: a checkout or a build is told once.
const QUIET: Duration = Duration::from_millis(50);

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// Something at these paths (absolute), sorted, each once.
    Paths(Vec<PathBuf>),
    /// The system lost count.
    Everything,
}

/// Watches until it is dropped.
pub(crate) struct Watch {
    watcher: RecommendedWatcher,
}

impl Watch {
    /// Has `tell` called, in a thread of its own, with what happens.
    ///
    /// # Errors
    /// In words, when the system cannot watch.
    pub(crate) fn begin(tell: impl Fn(Told) + Send + 'static) -> Result<Self, String> {
        let (sender, events): (Sender<notify::Result<Event>>, _) = channel();
        // Without this every read of a file is an event.
        let config = Config::default().with_event_kinds(EventKindMask::CORE);
        let watcher = RecommendedWatcher::new(sender, config).map_err(|error| error.to_string())?;
        thread::spawn(move || gather(&events, &tell));
        Ok(Self { watcher })
    }

    /// Watches these directories too. Gives how many cannot be watched: systems allow only so many.
    pub(crate) fn add<'p>(&mut self, directories: impl IntoIterator<Item = &'p Path>) -> usize {
        let refused = directories.into_iter().filter(|directory| {
            self.watcher.watch(directory, RecursiveMode::NonRecursive).is_err() && directory.is_dir()
        });
        refused.count()
    }
}

fn gather(events: &Receiver<notify::Result<Event>>, tell: &dyn Fn(Told)) {
    while let Ok(first) = events.recv() {
        let (mut paths, mut lost) = (Vec::new(), false);
        let mut next = Some(first);
        while let Some(event) = next {
            match event {
                Ok(event) if event.need_rescan() => lost = true,
                Ok(Event { kind: EventKind::Modify(ModifyKind::Metadata(_)) | EventKind::Access(_), .. }) => {}
                Ok(event) => paths.extend(event.paths),
                Err(error) => {
                    tracing::info!(%error, "watching");
                    lost = true;
                }
            }
            next = events.recv_timeout(QUIET).ok();
        }
        paths.sort();
        paths.dedup();
        if lost {
            tell(Told::Everything);
        } else if !paths.is_empty() {
            tell(Told::Paths(paths));
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::{Told, Watch};
    use crate::os::tests::tree::Tree;

    #[test]
    fn tells() {
        let tree = Tree::new("a/b.rs\nc/d.rs");
        let (sender, told) = channel();
        let mut watch = Watch::begin(move |it| _ = sender.send(it)).expect("a watch");
        assert_eq!(watch.add([tree.path("a").as_path(), tree.path("gone").as_path()]), 0);
        tree.run("cat a/b.rs; touch c/e.rs; touch a/f.rs; mv a/b.rs a/g.rs");
        let expect = ["a/b.rs", "a/f.rs", "a/g.rs"].map(|path| tree.path(path));
        let mut seen = Vec::new();
        while seen.len() < expect.len() {
            match told.recv_timeout(Duration::from_mins(1)).expect("an event") {
                Told::Paths(paths) => seen.extend(paths),
                Told::Everything => panic!("nothing was lost"),
            }
        }
        seen.sort();
        seen.dedup();
        assert_eq!(seen, expect);
    }
}
