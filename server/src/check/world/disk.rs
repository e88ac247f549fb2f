//! `Disk`: a session's first root as it is.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use pathfinder_core::history::{Fate, day, short_id};
use pathfinder_core::{Kind as Entry, Presence, Probe as _, RelPath, Root};
use pathfinder_literals::{Kind, Moved, Tree};

use super::{FILE_MAX, World, text};
use crate::os::ignores::Ignores;
use crate::os::tracked::tracked;
use crate::session::{Opened, Session};

/// See the module's text.
pub(in crate::check) struct Disk {
    session: Arc<Session>,
    ignores: Ignores,
    files: OnceLock<Vec<String>>,
    tracked: OnceLock<HashSet<Vec<u8>>>,
    /// Of directories that were asked for: thousands of missing literals of one file ask for the same few.
    names: Mutex<HashMap<String, Arc<[String]>>>,
    /// What the disk was asked for: most literals of a file are looked up again with each fix that is put to the proof.
    kinds: RwLock<HashMap<String, Option<Kind>>>,
    /// Whether a directory is deserted, for those that were asked for: every literal below one asks.
    deserted: RwLock<HashMap<String, bool>>,
}

impl Disk {
    pub(in crate::check) fn new(session: Arc<Session>) -> Self {
        let ignores = Ignores::new(&session.opened()[0].root.canonical);
        Self {
            session,
            ignores,
            files: OnceLock::new(),
            tracked: OnceLock::new(),
            names: Mutex::default(),
            kinds: RwLock::default(),
            deserted: RwLock::default(),
        }
    }

    fn root(&self) -> &Root {
        &self.session.engine().roots()[0]
    }

    /// Whether a directory is only what a move has left: git's history says where its files went, and none is in it or below.
    /// Nobody else gets it: git has no empty directories.
    fn is_deserted(&self, path: &str) -> bool {
        if self.root().renames.is_empty() {
            return false;
        }
        let known = self.deserted.read().unwrap_or_else(PoisonError::into_inner).get(path).copied();
        known.unwrap_or_else(|| {
            let is = self.has_no_file(path.as_bytes()) && self.went(path).is_some();
            self.deserted.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), is);
            is
        })
    }

    /// Where git's history says that a path went, whatever is there now.
    fn went(&self, path: &str) -> Option<Moved> {
        // Who asks of a directory that is there asks what has become of its files.
        let there =
            |it: &RelPath| it.as_bytes() != path.as_bytes() && self.root().snapshot.get(it.as_bytes()).is_some();
        match self.root().renames.fate(&RelPath::from(path), there)? {
            Fate::Moved { to, commit, seconds, .. } if there(&to) => {
                let known = || format!("{} ({})", short_id(&commit), day(seconds));
                let commit = if commit.is_empty() { "the working tree".to_owned() } else { known() };
                Some(Moved { to: to.text().into_owned(), commit })
            }
            _ => None,
        }
    }

    /// Whether only directories are in a directory, and so on below.
    fn has_no_file(&self, directory: &[u8]) -> bool {
        let children = self.root().snapshot.children(directory);
        children.values().all(|kind| *kind == Entry::Directory)
            && children.keys().all(|name| self.has_no_file(&[directory, b"/", name].concat()))
    }

    /// What the disk has at a path that the index does not know, or knows as a link.
    fn look(&self, path: &str) -> Option<Kind> {
        match self.session.probe().presence(0, path.as_bytes()) {
            Presence::Absent => None,
            Presence::Present(Entry::Directory) => Some(Kind::Directory),
            Presence::Present(Entry::File) => Some(Kind::File),
            Presence::Present(Entry::Symlink) => match self.session.probe().stat(0, &RelPath::from(path)) {
                Ok(details) if details.kind == "directory" => Some(Kind::Directory),
                _ => Some(Kind::File),
            },
            Presence::Outside => Some(Kind::Elsewhere),
        }
    }

    fn opened(&self) -> &Opened {
        &self.session.opened()[0]
    }
}

impl Tree for Disk {
    fn kind(&self, path: &str) -> Option<Kind> {
        if path.is_empty() {
            return Some(Kind::Directory);
        }
        match self.root().snapshot.get(path.as_bytes()) {
            Some(Entry::File) => return Some(Kind::File),
            Some(Entry::Directory) => return (!self.is_deserted(path)).then_some(Kind::Directory),
            // A link, or something that the index does not have: the disk knows.
            Some(Entry::Symlink) | None => {}
        }
        let known = self.kinds.read().unwrap_or_else(PoisonError::into_inner).get(path).copied();
        known.unwrap_or_else(|| {
            let kind = self.look(path);
            self.kinds.write().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), kind);
            kind
        })
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = known.get(directory) {
            return Arc::clone(names);
        }
        let names: Arc<[String]> = self.session.probe().names(0, &RelPath::from(directory)).into();
        known.insert(directory.to_owned(), Arc::clone(&names));
        names
    }

    fn read(&self, path: &str) -> Option<String> {
        text(self.bytes(path)?)
    }

    fn files(&self) -> &[String] {
        self.files.get_or_init(|| files(&self.session))
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.ignores.cover(path)
    }

    fn is_tracked(&self, path: &str) -> Option<bool> {
        let tracked = self.tracked.get_or_init(|| tracked(&self.opened().root.canonical));
        (!tracked.is_empty()).then(|| tracked.contains(path.as_bytes()))
    }

    fn moved(&self, path: &str) -> Option<Moved> {
        let is_gone = self.root().snapshot.get(path.as_bytes()).is_none() || self.is_deserted(path);
        if is_gone { self.went(path) } else { None }
    }

    fn origins(&self, path: &str) -> Vec<String> {
        let origins = self.root().renames.origins(&RelPath::from(path));
        origins.iter().map(|path| path.text().into_owned()).collect()
    }
}

impl World for Disk {
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.session.probe().whole(0, &RelPath::from(path), FILE_MAX)
    }
}

/// Every file of the session's first root that the project does not ignore, sorted; names that are not UTF-8 are left
/// out, since no literal can name them.
fn files(session: &Session) -> Vec<String> {
    listed(session, |kind| kind != Entry::Directory)
}

/// The same without links: what a link leads to is checked in its own place, from which its paths are seen.
pub(crate) fn own_files(session: &Session) -> Vec<String> {
    listed(session, |kind| kind == Entry::File)
}

fn listed(session: &Session, wanted: impl Fn(Entry) -> bool) -> Vec<String> {
    let entries = session.engine().roots()[0].snapshot.entries().into_iter();
    let files = entries.filter(|(_, kind)| wanted(*kind));
    let mut files: Vec<String> = files.filter_map(|(path, _)| String::from_utf8(path).ok()).collect();
    files.sort_unstable();
    files
}
