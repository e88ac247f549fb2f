//! `DiskProbe`: answers core's questions about single paths, and never looks outside the roots.
//!
//! Each root is held open as a `cap-std` directory, through which the kernel itself refuses to resolve a path
//! that leaves it. That refusal also covers absolute symbolic links, and links into another root; both are
//! fine for us, so that after a refusal (and only then) the path is canonicalised and compared with the roots.

pub(crate) mod contents;
mod held;
mod search;
mod whole;
pub(crate) mod withheld;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use cap_std::fs::{Dir, Metadata};
use pathfinder_core::{Kind, Presence, Probe, RelPath};

use super::bytes;
use super::roots::{RootDir, RootError};
use super::sparse::Sparse;
use super::walk::{self, WalkOptions};
use held::HeldRoot;
pub(crate) use whole::UNSURE;

/// The disk below some roots. Cheap to ask from several threads at once.
#[derive(Debug)]
pub(crate) struct DiskProbe {
    roots: Vec<HeldRoot>,
    /// How each root was walked; by default without options.
    options: Vec<WalkOptions>,
    sparse: Vec<Sparse>,
}

/// Where a path really is.
#[derive(Debug)]
enum Place<'a> {
    /// In this root, under this path, which leads through no link that leaves the root.
    Inside(usize, Cow<'a, Path>),
    Absent,
    Outside,
}

impl DiskProbe {
    /// Opens all roots, in this order.
    ///
    /// # Errors
    /// When one of them cannot be opened.
    pub(crate) fn open(roots: &[RootDir]) -> Result<Self, RootError> {
        let held = roots.iter().map(HeldRoot::open).collect::<Result<_, _>>()?;
        let sparse = roots.iter().map(Sparse::of).collect();
        Ok(Self { roots: held, options: vec![WalkOptions::default(); roots.len()], sparse })
    }

    /// The same, for roots that were walked with these options, in the order of the roots.
    pub(crate) fn with_options(self, options: Vec<WalkOptions>) -> Self {
        Self { options, ..self }
    }

    /// Whether another directory, or none, is where a root was when it was opened.
    pub(crate) fn is_replaced(&self) -> bool {
        self.roots.iter().any(HeldRoot::is_replaced)
    }

    /// Runs `look` on the open directory of a root; a root that does not exist has nothing in it.
    fn within<T>(&self, root: usize, look: impl FnOnce(&Dir) -> io::Result<T>) -> io::Result<T> {
        self.roots.get(root).map_or_else(|| Err(io::ErrorKind::NotFound.into()), |held| held.with(look))
    }

    /// The root that holds a canonical path, and the path below it.
    fn owner<'p>(&self, path: &'p Path) -> Option<(usize, &'p Path)> {
        let below = |(index, root): (usize, &HeldRoot)| Some((index, path.strip_prefix(root.path()).ok()?));
        self.roots.iter().enumerate().find_map(below)
    }

    /// Where `path` really is after the kernel refused it. `follow`: through a link at its end too.
    fn place_by_name(&self, root: usize, path: &Path, follow: bool) -> Place<'static> {
        let Some(held) = self.roots.get(root) else { return Place::Absent };
        let full = held.path().join(path);
        // The last segment stays as it is if a link there is itself what was asked for.
        let (leading, last) = match (full.parent(), full.file_name()) {
            (Some(parent), Some(name)) if !follow => (parent, Some(name)),
            _ => (full.as_path(), None),
        };
        let Ok(real) = dunce::canonicalize(leading) else {
            // What exists of it decides: if that is outside already, the rest is none of our business.
            let existing = leading.ancestors().skip(1).find_map(|ancestor| dunce::canonicalize(ancestor).ok());
            let inside = existing.is_none_or(|real| self.owner(&real).is_some());
            return if inside { Place::Absent } else { Place::Outside };
        };
        match self.owner(&real) {
            Some((root, below)) => {
                Place::Inside(root, Cow::Owned(last.map_or_else(|| below.to_path_buf(), |name| below.join(name))))
            }
            None => Place::Outside,
        }
    }

    /// Metadata of `path` itself (not of what a link there points to), and where it is.
    fn entry<'p>(&self, root: usize, path: &'p Path) -> Result<(usize, Cow<'p, Path>, Metadata), Presence> {
        match self.within(root, |dir| stat(dir, path, false)) {
            Ok(entry) => Ok((root, Cow::Borrowed(path), entry)),
            Err(error) if is_escape(&error) => match self.place_by_name(root, path, false) {
                Place::Inside(root, real) => match self.within(root, |dir| stat(dir, &real, false)) {
                    Ok(entry) => Ok((root, real, entry)),
                    Err(_) => Err(Presence::Absent),
                },
                Place::Absent => Err(Presence::Absent),
                Place::Outside => Err(Presence::Outside),
            },
            Err(_) => Err(Presence::Absent),
        }
    }

    /// The names in a directory (by its real path) that the project does not ignore; `None` if it ignores nothing there.
    fn listed(&self, root: usize, path: &[u8]) -> Option<BTreeSet<Vec<u8>>> {
        let none = WalkOptions::default();
        let options = self.options.get(root).unwrap_or(&none);
        self.roots.get(root).and_then(|held| walk::listed(held.path(), options, path))
    }

    /// Whether a file has a text, also one whose contents are shown only if the user allows it.
    pub(crate) fn search(&self, root: usize, path: &[u8], text: &str) -> Option<bool> {
        if leaves_by_name(path) {
            return None;
        }
        match self.target(root, bytes::to_path(path)?) {
            Place::Inside(root, path) => self.within(root, |dir| search::contains(dir, &path, text)).ok()?,
            Place::Absent | Place::Outside => None,
        }
    }

    /// Where `path` leads when every link is followed.
    fn target<'p>(&self, root: usize, path: &'p Path) -> Place<'p> {
        match self.within(root, |dir| stat(dir, path, true)) {
            Ok(_) => Place::Inside(root, Cow::Borrowed(path)),
            Err(error) if is_escape(&error) => self.place_by_name(root, path, true),
            Err(_) => Place::Absent,
        }
    }
}

impl Probe for DiskProbe {
    /// At most two system calls. A root that was removed and made again under the same path goes on being
    /// used: it is opened anew here, so that this is asked first in every request.
    fn root_gone(&self, root: usize) -> Option<String> {
        match self.roots.get(root) {
            Some(held) => held.check(),
            None => Some(format!("there is no root {root}")),
        }
    }

    fn presence(&self, root: usize, path: &[u8]) -> Presence {
        if leaves_by_name(path) {
            return Presence::Outside;
        }
        let Some(path) = bytes::to_path(path) else { return Presence::Absent };
        let (root, path, entry) = match self.entry(root, path) {
            Ok(found) => found,
            Err(presence) => return presence,
        };
        if !entry.is_symlink() {
            return Presence::Present(if entry.is_dir() { Kind::Directory } else { Kind::File });
        }
        match self.target(root, &path) {
            Place::Inside(..) => Presence::Present(Kind::Symlink),
            Place::Absent => Presence::Absent,
            Place::Outside => Presence::Outside,
        }
    }

    fn is_ignored(&self, root: usize, path: &[u8]) -> bool {
        let none = WalkOptions::default();
        let options = self.options.get(root).unwrap_or(&none);
        self.roots.get(root).is_none_or(|held| walk::hides(held.path(), options, path))
    }

    fn is_left_out(&self, root: usize, path: &[u8]) -> bool {
        self.sparse.get(root).is_some_and(|sparse| sparse.leaves_out(path))
    }

    fn contains(&self, root: usize, path: &[u8], text: &str) -> Option<bool> {
        // Whether a text is in a file says what is in it.
        if self.find_withheld(root, &RelPath::new(path)).is_some() { None } else { self.search(root, path, text) }
    }
}

/// Metadata of an entry of `dir`; the empty path is `dir` itself.
fn stat(dir: &Dir, path: &Path, follow: bool) -> io::Result<Metadata> {
    match (path.as_os_str().is_empty(), follow) {
        (true, _) => dir.dir_metadata(),
        (false, true) => dir.metadata(path),
        (false, false) => dir.symlink_metadata(path),
    }
}

/// Whether the path starts elsewhere, or has more `..` than it has names before them.
fn leaves_by_name(path: &[u8]) -> bool {
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

/// `cap-std` reports a path that leads out as a refusal of its own, without an error number of the system.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}
