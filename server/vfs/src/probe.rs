//! `DiskProbe`: answers the engine's questions about single paths and never looks outside of the roots.
//!
//! Each root is held open as a `cap-std` directory, through which the kernel itself refuses paths that leave it. It
//! also refuses absolute symbolic links and links into another root, which are allowed here. So after a refusal (and
//! only then) the path is canonicalised and compared with the roots.

pub mod contents;
mod raw;
mod root_handle;
mod search;
pub mod withheld;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use cap_std::fs::{Dir, Metadata};
use pathfinder_core::{Kind, Presence, Probe, RelPath};

use super::bytes;
use super::dependencies::{DependencyLog, Observed, Query};
use super::roots::{RootDir, RootError};
use super::sparse::SparseCheckout;
use super::stamp::stamp_of_entry;
use super::walk::{IgnoreRules, WalkOptions};
pub(super) use raw::NO_CONTENTS;
pub use raw::UNSURE;
use root_handle::RootHandle;

/// Read access to the disk below some roots. Cheap to use from several threads at once.
#[derive(Debug)]
pub struct DiskProbe {
    roots: Vec<RootHandle>,
    /// Options with which each root was walked; default ones unless set.
    options: Vec<WalkOptions>,
    sparse: Vec<SparseCheckout>,
    /// Records what is learned from the disk, once a run asks for that.
    log: OnceLock<Arc<DependencyLog>>,
}

/// Real location of a path.
#[derive(Debug)]
enum ResolvedPath<'a> {
    /// Inside of this root. The path leads through no link that leaves the root.
    Inside(usize, Cow<'a, Path>),
    Absent,
    Outside,
}

impl DiskProbe {
    /// Opens all roots, in this order.
    ///
    /// # Errors
    /// If one of them cannot be opened.
    pub fn open(roots: &[RootDir]) -> Result<Self, RootError> {
        let held = roots.iter().map(RootHandle::open).collect::<Result<_, _>>()?;
        let sparse = roots.iter().map(SparseCheckout::new).collect();
        Ok(Self { roots: held, options: vec![WalkOptions::default(); roots.len()], sparse, log: OnceLock::new() })
    }

    /// Sets the options with which the roots were walked, in the order of the roots.
    #[must_use]
    pub fn with_options(self, options: Vec<WalkOptions>) -> Self {
        Self { options, ..self }
    }

    /// Records from now on what is learned from the disk about the first root. Returns the log, which is the same for
    /// every call.
    pub fn start_log(&self) -> Arc<DependencyLog> {
        Arc::clone(self.log.get_or_init(Arc::default))
    }

    /// Starts the log as of this time.
    #[cfg(test)]
    pub(crate) fn start_log_at(&self, start: std::time::SystemTime) -> Arc<DependencyLog> {
        Arc::clone(self.log.get_or_init(|| Arc::new(DependencyLog::from_start(start))))
    }

    /// Returns the log, if one was started.
    pub fn log(&self) -> Option<&Arc<DependencyLog>> {
        self.log.get()
    }

    /// Records an answer about a root, if there is a log.
    fn record(&self, root: usize, query: Query, path: &[u8], stamp: u64, digest: impl FnOnce() -> u128) {
        if let Some(log) = self.log.get() {
            if root == 0 {
                log.record(query, path, Observed { stamp, digest: digest() });
            } else {
                log.reject();
            }
        }
    }

    /// Records that a directory of the first root lacks a name, as its other names told.
    pub fn take_as_absent(&self, directory: &[u8], name: &[u8]) {
        if let Some(log) = self.log.get() {
            log.record_absent(directory, name);
        }
    }

    /// Marks a log as unusable, because something was read that it does not record.
    fn reject_log(&self) {
        if let Some(log) = self.log.get() {
            log.reject();
        }
    }

    /// Returns the presence of a path in the first root that the log has, if there is a log. A later run compares the disk with it, so
    /// that it need not be looked up a second time in this one.
    fn logged_presence(&self, root: usize, path: &[u8]) -> Option<Presence> {
        let log = self.log.get().filter(|_| root == 0)?;
        Some(presence_of(log.get(Query::Presence, path)?.digest))
    }

    /// Returns the stamp of an entry for the log.
    fn log_stamp(&self, entry: &Metadata) -> u64 {
        self.log.get().map_or(UNSURE, |log| stamp_of_entry(entry, log.start()))
    }

    /// Returns whether a root was removed or replaced since it was opened.
    pub fn is_replaced(&self) -> bool {
        self.roots.iter().any(RootHandle::is_replaced)
    }

    /// Runs `look` on the open directory of a root; a root that does not exist gives `NotFound`.
    fn with_root<T>(&self, root: usize, look: impl FnOnce(&Dir) -> io::Result<T>) -> io::Result<T> {
        self.roots.get(root).map_or_else(|| Err(io::ErrorKind::NotFound.into()), |held| held.with(look))
    }

    /// Returns the root that contains a canonical path, and the path relative to it.
    fn owning_root<'p>(&self, path: &'p Path) -> Option<(usize, &'p Path)> {
        let below = |(index, root): (usize, &RootHandle)| Some((index, path.strip_prefix(root.path()).ok()?));
        self.roots.iter().enumerate().find_map(below)
    }

    /// Resolves a path that the kernel refused. `follow` also follows a link at its end.
    fn resolve_by_name(&self, root: usize, path: &Path, follow: bool) -> ResolvedPath<'static> {
        let Some(held) = self.roots.get(root) else { return ResolvedPath::Absent };
        let full = held.path().join(path);
        // Without `follow`, a link in the last segment is the entry itself.
        let (leading, last) = match (full.parent(), full.file_name()) {
            (Some(parent), Some(name)) if !follow => (parent, Some(name)),
            _ => (full.as_path(), None),
        };
        let Ok(real) = dunce::canonicalize(leading) else {
            // The longest existing prefix decides whether the path is outside of the roots.
            let existing = leading.ancestors().skip(1).find_map(|ancestor| dunce::canonicalize(ancestor).ok());
            let inside = existing.is_none_or(|real| self.owning_root(&real).is_some());
            return if inside { ResolvedPath::Absent } else { ResolvedPath::Outside };
        };
        match self.owning_root(&real) {
            Some((root, below)) => ResolvedPath::Inside(
                root,
                Cow::Owned(last.map_or_else(|| below.to_path_buf(), |name| below.join(name))),
            ),
            None => ResolvedPath::Outside,
        }
    }

    /// Finds the real location of `path` and its metadata, without following a link at its end.
    fn find_entry<'p>(&self, root: usize, path: &'p Path) -> Result<(usize, Cow<'p, Path>, Metadata), Presence> {
        match self.with_root(root, |dir| stat(dir, path, false)) {
            Ok(entry) => Ok((root, Cow::Borrowed(path), entry)),
            Err(error) if is_escape_error(&error) => match self.resolve_by_name(root, path, false) {
                ResolvedPath::Inside(root, real) => match self.with_root(root, |dir| stat(dir, &real, false)) {
                    Ok(entry) => Ok((root, real, entry)),
                    Err(_) => Err(Presence::Absent),
                },
                ResolvedPath::Absent => Err(Presence::Absent),
                ResolvedPath::Outside => Err(Presence::Outside),
            },
            Err(_) => Err(Presence::Absent),
        }
    }

    /// Returns the rules that decide which entries of a root a walk lists.
    fn ignore_rules(&self, root: usize) -> Option<IgnoreRules> {
        let none = WalkOptions::default();
        let options = self.options.get(root).unwrap_or(&none);
        self.roots.get(root).map(|held| IgnoreRules::new(held.path(), options))
    }

    /// Returns the names in a directory (given by its real path) that the project does not ignore; `None` if it ignores
    /// nothing there.
    fn listed_names(&self, root: usize, path: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
        self.ignore_rules(root)?.listed_names(path)
    }

    /// Returns whether a file contains a text. Also searches files whose contents are shown only with the user's
    /// consent.
    pub fn search(&self, root: usize, path: &[u8], text: &str) -> Option<bool> {
        self.reject_log();
        if escapes_root(path) {
            return None;
        }
        match self.resolve_target(root, bytes::to_path(path)?) {
            ResolvedPath::Inside(root, path) => self.with_root(root, |dir| search::contains(dir, &path, text)).ok()?,
            ResolvedPath::Absent | ResolvedPath::Outside => None,
        }
    }

    /// Resolves a path, following all links.
    fn resolve_target<'p>(&self, root: usize, path: &'p Path) -> ResolvedPath<'p> {
        match self.with_root(root, |dir| stat(dir, path, true)) {
            Ok(_) => ResolvedPath::Inside(root, Cow::Borrowed(path)),
            Err(error) if is_escape_error(&error) => self.resolve_by_name(root, path, true),
            Err(_) => ResolvedPath::Absent,
        }
    }
}

impl Probe for DiskProbe {
    /// Takes at most two system calls. If a root was removed and created again under the same path, this opens the new
    /// directory. The engine asks this first in every request.
    fn root_gone(&self, root: usize) -> Option<String> {
        match self.roots.get(root) {
            Some(held) => held.check(),
            None => Some(format!("there is no root {root}")),
        }
    }

    fn presence(&self, root: usize, path: &[u8]) -> Presence {
        if let Some(known) = self.logged_presence(root, path) {
            return known;
        }
        let presence = self.find_presence(root, path);
        self.record(root, Query::Presence, path, UNSURE, || presence_number(presence));
        presence
    }

    fn exists(&self, root: usize, path: &[u8]) -> bool {
        #[cfg(target_os = "linux")]
        if self.log.get().is_none()
            && let Some(exists) = self.exists_without_links(root, path)
        {
            return exists;
        }
        matches!(self.presence(root, path), Presence::Present(_))
    }

    fn is_ignored(&self, root: usize, path: &[u8]) -> bool {
        let is = self.ignore_rules(root).is_none_or(|mut rules| rules.leaves_out(path));
        self.record(root, Query::Ignored, path, UNSURE, || u128::from(is));
        is
    }

    fn is_left_out(&self, root: usize, path: &[u8]) -> bool {
        let is = self.sparse.get(root).is_some_and(|sparse| sparse.is_left_out(path));
        self.record(root, Query::LeftOut, path, UNSURE, || u128::from(is));
        is
    }

    fn contains(&self, root: usize, path: &[u8], text: &str) -> Option<bool> {
        // The answer reveals something about the file's contents.
        if self.find_withheld(root, &RelPath::new(path)).is_some() { None } else { self.search(root, path, text) }
    }
}

/// The number of an answer in a log.
pub(super) const ABSENT_NUMBER: u128 = 0;

/// Returns the number of a presence in a log.
pub(super) fn presence_number(presence: Presence) -> u128 {
    match presence {
        Presence::Absent => ABSENT_NUMBER,
        Presence::Present(Kind::File) => 1,
        Presence::Present(Kind::Directory) => 2,
        Presence::Present(Kind::Symlink) => 3,
        Presence::Outside => 4,
    }
}

/// Returns the presence with a number in a log.
fn presence_of(number: u128) -> Presence {
    let present = [Kind::File, Kind::Directory, Kind::Symlink].into_iter().map(Presence::Present);
    let all = [Presence::Absent, Presence::Outside].into_iter().chain(present);
    all.into_iter().find(|presence| presence_number(*presence) == number).unwrap_or(Presence::Absent)
}

impl DiskProbe {
    /// Returns whether there is an entry at a path through no link; `None` if there is a link, or the kernel cannot tell.
    /// Links and paths that leave the root cannot be opened this way, so what can be opened need not be stat-ed.
    #[cfg(target_os = "linux")]
    fn exists_without_links(&self, root: usize, path: &[u8]) -> Option<bool> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;
        if path.is_empty() || escapes_root(path) {
            return None;
        }
        let how = OFlags::PATH | OFlags::CLOEXEC;
        let within = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let found = self.with_root(root, |dir| Ok(openat2(dir, path, how, Mode::empty(), within)));
        match found.ok()? {
            Ok(_) => Some(true),
            Err(Errno::NOENT | Errno::NOTDIR) => Some(false),
            Err(_) => None,
        }
    }

    fn find_presence(&self, root: usize, path: &[u8]) -> Presence {
        if escapes_root(path) {
            return Presence::Outside;
        }
        let Some(path) = bytes::to_path(path) else { return Presence::Absent };
        let (root, path, entry) = match self.find_entry(root, path) {
            Ok(found) => found,
            Err(presence) => return presence,
        };
        if !entry.is_symlink() {
            return Presence::Present(if entry.is_dir() { Kind::Directory } else { Kind::File });
        }
        match self.resolve_target(root, &path) {
            ResolvedPath::Inside(..) => Presence::Present(Kind::Symlink),
            ResolvedPath::Absent => Presence::Absent,
            ResolvedPath::Outside => Presence::Outside,
        }
    }
}

/// Stats an entry of `dir`; the empty path is `dir` itself.
fn stat(dir: &Dir, path: &Path, follow: bool) -> io::Result<Metadata> {
    match (path.as_os_str().is_empty(), follow) {
        (true, _) => dir.dir_metadata(),
        (false, true) => dir.metadata(path),
        (false, false) => dir.symlink_metadata(path),
    }
}

/// Returns whether the path is absolute, or has a `..` that leaves the root.
fn escapes_root(path: &[u8]) -> bool {
    let mut depth = 0_usize;
    for segment in path.split(|&byte| byte == b'/') {
        match segment {
            b"" | b"." => {}
            b".." if depth == 0 => return true,
            b".." => depth -= 1,
            _ => depth += 1,
        }
    }
    path.starts_with(b"/") || bytes::to_path(path).is_some_and(|path: &Path| path.has_root())
}

/// `cap-std` reports a path that leads outside as `PermissionDenied` without an OS error number.
fn is_escape_error(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
