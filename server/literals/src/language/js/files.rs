//! `Files`: a tree as the module resolver sees a disk. It is given a root with a name of its own, above which nothing is.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_resolver::{FileMetadata, FileSystem, ResolveError};

use crate::tree::{Kind, Tree};

/// Where the root of the tree is, for the resolver: it wants absolute paths.
const ROOT: &str = if cfg!(windows) { "C:/repository" } else { "/repository" };

/// See the module's text.
pub(super) struct Files {
    tree: Option<Arc<dyn Tree>>,
}

impl Files {
    pub(super) fn new(tree: Arc<dyn Tree>) -> Self {
        Self { tree: Some(tree) }
    }

    fn kind(&self, path: &Path) -> io::Result<FileMetadata> {
        let kind = inside(path).and_then(|path| self.tree.as_ref()?.kind(&path));
        let kind = kind.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(FileMetadata::new(kind == Kind::File, kind == Kind::Directory, false))
    }
}

/// A path of the tree, as the resolver knows it.
pub(super) fn outside(path: &str) -> PathBuf {
    Path::new(ROOT).join(path)
}

/// A path of the resolver, as the tree knows it; `None` for what is not in the tree.
pub(super) fn inside(path: &Path) -> Option<String> {
    let path = path.strip_prefix(ROOT).ok()?.to_str()?;
    Some(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
}

impl FileSystem for Files {
    /// An empty one: the resolver makes none of its own.
    fn new() -> Self {
        Self { tree: None }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_to_string(path).map(String::into_bytes)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let text = inside(path).and_then(|path| self.tree.as_ref()?.read(&path));
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.kind(path)
    }

    /// The tree has followed all links.
    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.kind(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        Ok(path.to_owned())
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }
}
