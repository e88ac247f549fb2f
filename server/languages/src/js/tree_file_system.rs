//! `TreeFileSystem`: lets the module resolver read a tree. The tree's root has an absolute path, above which nothing
//! exists.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use oxc_resolver::{FileMetadata, FileSystem, ResolveError};

use pathfinder_literals::{Kind, Tree};

/// The root of the tree as an absolute path, which the resolver requires.
const ROOT: &str = if cfg!(windows) { "C:/repository" } else { "/repository" };

/// Adapts a tree to the file system interface of `oxc_resolver`.
pub(super) struct TreeFileSystem {
    tree: Option<Arc<dyn Tree>>,
}

impl TreeFileSystem {
    /// Creates a file system that reads `tree`.
    pub(super) fn new(tree: Arc<dyn Tree>) -> Self {
        Self { tree: Some(tree) }
    }

    /// The metadata of a path; `NotFound` outside of the tree.
    fn metadata_of(&self, path: &Path) -> io::Result<FileMetadata> {
        let kind = to_tree_path(path).and_then(|path| self.tree.as_ref()?.kind(&path));
        let kind = kind.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(FileMetadata::new(kind == Kind::File, kind == Kind::Directory, false))
    }
}

/// Converts a path of the tree to one of the resolver.
pub(super) fn to_resolver_path(path: &str) -> PathBuf {
    Path::new(ROOT).join(path)
}

/// Converts a path of the resolver to one of the tree; `None` outside of the tree.
pub(super) fn to_tree_path(path: &Path) -> Option<String> {
    let path = path.strip_prefix(ROOT).ok()?.to_str()?;
    Some(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
}

impl FileSystem for TreeFileSystem {
    /// Creates an empty file system; the resolver is always given one.
    fn new() -> Self {
        Self { tree: None }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_to_string(path).map(String::into_bytes)
    }

    fn read_to_string(&self, path: &Path) -> io::Result<String> {
        let text = to_tree_path(path).and_then(|path| self.tree.as_ref()?.read(&path));
        text.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))
    }

    fn metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.metadata_of(path)
    }

    /// The tree has resolved all links.
    fn symlink_metadata(&self, path: &Path) -> io::Result<FileMetadata> {
        self.metadata_of(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf, ResolveError> {
        Ok(path.to_owned())
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.to_owned())
    }
}
