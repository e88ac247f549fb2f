//! The contents of a snapshot's files, as `resolve` compares an intent with them.

use std::cell::Cell;

use pathfinder_content::{ContentIndex, compare};
use pathfinder_core::RelPath;
use pathfinder_core::intent_contents::IntentContents;

use super::WorkspaceSnapshot;
use crate::contents::is_complete;

/// The words of all files, if they are read.
pub(super) struct KnownContents<'s> {
    workspace: &'s WorkspaceSnapshot,
    /// True if contents were asked for before all were read.
    is_unread: Cell<bool>,
}

impl<'s> KnownContents<'s> {
    pub(super) fn new(workspace: &'s WorkspaceSnapshot) -> Self {
        Self { workspace, is_unread: Cell::new(false) }
    }

    /// Returns whether the answer may change once all contents are read.
    pub(super) fn are_missing(&self) -> bool {
        self.is_unread.get()
    }
}

impl IntentContents for KnownContents<'_> {
    /// Some files' contents would favour these over the others, so all have to be read.
    fn fits(&self, intent: &str, files: &[(usize, &RelPath)]) -> Option<Vec<f32>> {
        if !is_complete(self.workspace) {
            self.is_unread.set(true);
            return None;
        }
        let indexes: Vec<&ContentIndex> = self.workspace.opened().iter().map(|opened| &opened.contents).collect();
        let texts: Vec<_> = files.iter().map(|(root, path)| (*root, path.text())).collect();
        let files: Vec<(usize, &str)> = texts.iter().map(|(root, path)| (*root, &**path)).collect();
        Some(compare(intent, &indexes, &files))
    }
}
