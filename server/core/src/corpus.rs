//! `Corpus`: word statistics of all roots. Rare words distinguish candidates, common ones do not. Used by the request's
//! preparation, `decide` and `find`.

use crate::index::Snapshot;
use crate::probe::Kind;

/// Word statistics over all roots of an engine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corpus<'a> {
    snapshots: &'a [&'a Snapshot],
    entries: f32,
}

impl<'a> Corpus<'a> {
    pub(crate) fn new(snapshots: &'a [&'a Snapshot]) -> Self {
        Self { snapshots, entries: snapshots.iter().map(|snapshot| snapshot.len()).sum::<usize>() as f32 }
    }

    /// Inverse document frequency (Spärck Jones, 1972), scaled to 0 (in every entry's name) … 1 (in one or none).
    pub(crate) fn rarity(&self, word: &str) -> f32 {
        let with = self.entries_with(word).max(1) as f32;
        // Two is added so that the logarithm is positive in an empty tree too.
        let total = self.entries + 2.0;
        ((total / with).ln() / total.ln()).clamp(0.0, 1.0)
    }

    /// Counts the entries that have this word (lower case) in their name.
    pub(crate) fn entries_with(&self, word: &str) -> u32 {
        self.snapshots.iter().map(|snapshot| snapshot.entries_with_word(word)).sum()
    }

    /// Returns whether any entry has this word (lower case) in its name.
    pub(crate) fn is_known(&self, word: &str) -> bool {
        self.entries_with(word) > 0
    }

    /// Share of entries with this name on a logarithmic scale: 0 for at most one entry, 1 for all.
    pub(crate) fn commonness(&self, name: &str) -> f32 {
        let with = self.snapshots.iter().map(|snapshot| snapshot.entries_named(name.as_bytes())).sum::<usize>();
        (with.max(1) as f32).ln() / (self.entries + 2.0).ln()
    }

    /// Share of this extension (lower case) in the root that uses it most; see [`Snapshot::extension_share`].
    pub(crate) fn extension_share(&self, extension: &str) -> f32 {
        let shares = self.snapshots.iter().map(|snapshot| snapshot.extension_share(extension.as_bytes()));
        shares.fold(0.0, f32::max)
    }

    /// The snapshot of a root.
    pub(crate) fn snapshot(&self, root: usize) -> &'a Snapshot {
        self.snapshots[root]
    }

    /// Returns whether there is a directory at this path.
    pub(crate) fn has_directory(&self, path: &str) -> bool {
        self.snapshots.iter().any(|snapshot| snapshot.get(path.as_bytes()) == Some(Kind::Directory))
    }
}
