//! `DeletionOverlay`: a source tree without some files and directories; used by `pathfinder check --if-deleted` and
//! by the LSP server.

use std::sync::Arc;

use pathfinder_literals::{Kind, Moved, Tree};

use pathfinder_literals::path::is_within;

use super::SourceTree;

/// A source tree without the deleted paths.
pub(crate) struct DeletionOverlay {
    tree: Arc<dyn SourceTree>,
    /// Deleted paths, with everything below them.
    gone: Vec<String>,
    files: Vec<String>,
}

impl DeletionOverlay {
    /// Hides these files and directories of a tree.
    pub(crate) fn new(tree: Arc<dyn SourceTree>, gone: Vec<String>) -> Self {
        let files =
            tree.files().iter().filter(|path| !gone.iter().any(|gone| is_within(path, gone))).cloned().collect();
        Self { tree, gone, files }
    }

    fn is_gone(&self, path: &str) -> bool {
        self.gone.iter().any(|gone| is_within(path, gone))
    }
}

impl Tree for DeletionOverlay {
    fn kind(&self, path: &str) -> Option<Kind> {
        self.tree.kind(path).filter(|_| !self.is_gone(path))
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let names = self.tree.names(directory);
        let is_left = |name: &&String| {
            let path = if directory.is_empty() { (*name).clone() } else { format!("{directory}/{name}") };
            !self.is_gone(&path)
        };
        names.iter().filter(is_left).cloned().collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.tree.read(path).filter(|_| !self.is_gone(path))
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn is_ignored(&self, path: &str) -> bool {
        // An ignored path that is deleted counts as gone: nothing creates it again.
        !self.is_gone(path) && self.tree.is_ignored(path)
    }

    fn is_tracked(&self, path: &str) -> Option<bool> {
        self.tree.is_tracked(path)
    }

    fn moved(&self, path: &str) -> Option<Moved> {
        self.tree.moved(path)
    }

    fn was_there(&self, path: &str) -> bool {
        self.is_gone(path) && self.tree.kind(path).is_some()
    }

    fn origins(&self, path: &str) -> Vec<String> {
        self.tree.origins(path)
    }

    fn had_text_at_origin(&self, file: &str, origin: &str, text: &str) -> Option<bool> {
        self.tree.had_text_at_origin(file, origin, text)
    }

    fn was_left_at_move(&self, file: &str, origin: &str, text: &str) -> bool {
        self.tree.was_left_at_move(file, origin, text)
    }
}

impl SourceTree for DeletionOverlay {
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.tree.bytes(path).filter(|_| !self.is_gone(path))
    }
}
