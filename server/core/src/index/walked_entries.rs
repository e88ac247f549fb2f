//! `WalkedEntries`: the entries that one thread of a walk collects, packed into a buffer; input of `Snapshot::build`.

use crate::probe::Kind;

/// Entries of a walk. Lists of several threads make one [`Snapshot`](super::Snapshot); the order within and between them
/// does not matter.
///
/// Packed into one buffer because a walk of a million files would otherwise leave a million freed
/// blocks behind in the allocator.
#[derive(Debug, Default)]
pub struct WalkedEntries {
    bytes: Vec<u8>,
    directories: Vec<ByteRange>,
    entries: Vec<WalkedEntry>,
}

#[derive(Clone, Copy, Debug, Default)]
struct ByteRange {
    start: u32,
    length: u32,
}

#[derive(Clone, Copy, Debug)]
struct WalkedEntry {
    directory: u32,
    name: ByteRange,
    kind: Kind,
}

impl WalkedEntries {
    /// Adds the entry `name` of `directory` (relative to the root, `/` separated, empty for the root).
    /// Takes least memory if entries of one directory are added one after the other.
    pub fn push(&mut self, directory: &[u8], name: &[u8], kind: Kind) {
        let same = self.directories.last().is_some_and(|&last| self.slice(last) == directory);
        if !same {
            let span = self.store(directory);
            self.directories.push(span);
        }
        let name = self.store(name);
        self.entries.push(WalkedEntry { directory: self.directories.len() as u32 - 1, name, kind });
    }

    /// Adds an entry by its whole path relative to the root.
    pub fn push_path(&mut self, path: &[u8], kind: Kind) {
        match path.iter().rposition(|&byte| byte == b'/') {
            Some(slash) => self.push(&path[..slash], &path[slash + 1..], kind),
            None => self.push(b"", path, kind),
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The directories of the entries, each at least once.
    pub(super) fn directories(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.directories.iter().map(|&span| self.slice(span))
    }

    /// (position in [`directories`](Self::directories), name, kind) of each entry.
    pub(super) fn entries(&self) -> impl ExactSizeIterator<Item = (usize, &[u8], Kind)> {
        self.entries.iter().map(|entry| (entry.directory as usize, self.slice(entry.name), entry.kind))
    }

    fn store(&mut self, bytes: &[u8]) -> ByteRange {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        ByteRange { start, length: bytes.len() as u32 }
    }

    fn slice(&self, span: ByteRange) -> &[u8] {
        &self.bytes[span.start as usize..][..span.length as usize]
    }
}
