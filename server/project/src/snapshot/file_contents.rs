//! The contents of a snapshot's files, as `resolve` compares an intent with them.

use pathfinder_content::{ContentIndex, compare};
use pathfinder_core::RelPath;
use pathfinder_core::intent_contents::IntentContents;
use rayon::prelude::*;

use super::WorkspaceSnapshot;
use crate::contents;
use crate::symbols::FileIndex;

/// Total bytes of the files that are compared; larger sets keep the order of their paths. A core reads about 24 MB/s, so
/// this bounds the answer of a program that has no index to some 40 ms.
const MAX_COMPARED_BYTES: u64 = 1 << 20;

/// The words of files: from the index if all are read, else from the files that are compared.
pub(super) struct FileContents<'s> {
    pub(super) workspace: &'s WorkspaceSnapshot,
}

impl IntentContents for FileContents<'_> {
    /// Only the files that are compared count, so that the answer does not depend on what else is read. Their sizes limit
    /// the comparison with an index too: a first answer equals later ones. An empty file does not fit: the words of its path are
    /// compared elsewhere.
    fn fits(&self, intent: &str, files: &[(usize, &RelPath)]) -> Option<Vec<f32>> {
        let size = |&(root, path): &(usize, &RelPath)| self.workspace.probe().stat(root, path).ok()?.bytes;
        let sizes: Vec<u64> = files.iter().map(|file| size(file).unwrap_or_default()).collect();
        if sizes.iter().sum::<u64>() > MAX_COMPARED_BYTES {
            return None;
        }
        let texts: Vec<_> = files.iter().map(|(root, path)| (*root, path.text())).collect();
        let files: Vec<(usize, &str)> = texts.iter().map(|(root, path)| (*root, &**path)).collect();
        let read: Vec<ContentIndex>;
        let indexes: Vec<&ContentIndex> = if contents::is_complete(self.workspace) {
            self.workspace.opened().iter().map(|opened| &opened.contents).collect()
        } else {
            read = contents::read_files(self.workspace, &files);
            read.iter().collect()
        };
        let fits = compare(intent, &indexes, &files);
        Some(fits.into_iter().zip(sizes).map(|(fit, size)| if size == 0 { 0.0 } else { fit }).collect())
    }

    fn declared(&self, names: &[&str], files: &[(usize, &RelPath)]) -> Vec<u64> {
        let mut left = MAX_COMPARED_BYTES;
        let mut fits = |&(root, path): &(usize, &RelPath)| {
            let bytes = self.workspace.probe().stat(root, path).ok().and_then(|entry| entry.bytes).unwrap_or(u64::MAX);
            let is_read =
                bytes <= left && pathfinder_symbols::is_read(&path.text()) && ContentIndex::accepts(&path.text());
            left -= if is_read { bytes } else { 0 };
            is_read
        };
        let wanted: Vec<_> = files.iter().map(|file| fits(file).then_some(*file)).collect();
        wanted
            .into_par_iter()
            .map(|file| file.map_or(0, |file| contents::declared_in(self.workspace, file, names)))
            .collect()
    }
}
