//! Snapshots with newer indexes of their files, or without: declarations, words, subjects of commits.

use std::sync::Arc;

use pathfinder_content::{CommitSubjects, ContentIndex};
use pathfinder_core::symbols::Symbols;
use pathfinder_core::{Engine, Root};
use pathfinder_vfs::environment::home_variable;
use pathfinder_vfs::probe::DiskProbe;

use super::{LoadedRoot, SnapshotError, WorkspaceSnapshot, options};

impl WorkspaceSnapshot {
    /// Returns a snapshot of one of the roots for checks, without declarations, words and subjects. Only searches read these, and
    /// a snapshot that stays would keep layers that newer ones have merged.
    ///
    /// # Errors
    /// If the root can no longer be opened.
    pub fn single_root(&self, root: usize) -> Result<Self, SnapshotError> {
        let opened = LoadedRoot { contents: ContentIndex::default(), subjects: None, ..self.opened[root].clone() };
        let probe = DiskProbe::open(std::slice::from_ref(&opened.root))?.with_options(vec![options(&opened.settings)]);
        let root = Root { symbols: Symbols::default(), ..self.engine.roots()[root].clone() };
        let engine = Engine::new(vec![root], None, home_variable());
        Ok(Self { engine, probe: Arc::new(probe), opened: Arc::new([opened]) })
    }

    /// Returns a snapshot with these symbols, one value per root.
    pub(crate) fn with_symbols(&self, symbols: Vec<Symbols>) -> Self {
        let mut roots = self.engine.roots().to_vec();
        for (root, symbols) in roots.iter_mut().zip(symbols) {
            root.symbols = symbols;
        }
        let (probe, opened) = (Arc::clone(&self.probe), Arc::clone(&self.opened));
        Self { engine: self.engine.with_roots(roots), probe, opened }
    }

    /// Returns a snapshot with these words of files, and these subjects of commits unless they are unchanged, one value
    /// per root.
    pub(crate) fn with_contents(
        &self,
        contents: Vec<ContentIndex>,
        subjects: Option<Vec<Option<Arc<CommitSubjects>>>>,
    ) -> Self {
        let mut opened = self.opened.to_vec();
        for (loaded, contents) in opened.iter_mut().zip(contents) {
            loaded.contents = contents;
        }
        for (loaded, subjects) in opened.iter_mut().zip(subjects.into_iter().flatten()) {
            loaded.subjects = subjects;
        }
        let engine = self.engine.with_roots(self.engine.roots().to_vec());
        Self { engine, probe: Arc::clone(&self.probe), opened: opened.into() }
    }

    /// Returns a snapshot with the symbols and words of files that `other` has of the same roots.
    pub(crate) fn with_symbols_of(&self, other: &Self) -> Self {
        let place =
            |opened: &LoadedRoot| other.opened.iter().position(|known| known.root.canonical == opened.root.canonical);
        let symbols =
            |opened: &LoadedRoot| place(opened).map(|at| other.engine.roots()[at].symbols.clone()).unwrap_or_default();
        let contents =
            |opened: &LoadedRoot| place(opened).map(|at| other.opened[at].contents.clone()).unwrap_or_default();
        let subjects = |opened: &LoadedRoot| place(opened).and_then(|at| other.opened[at].subjects.clone());
        let mut all = self.with_symbols(self.opened.iter().map(symbols).collect()).with_contents(
            self.opened.iter().map(contents).collect(),
            Some(self.opened.iter().map(subjects).collect()),
        );
        let mut opened = all.opened.to_vec();
        for loaded in &mut opened {
            if let Some(at) = place(loaded) {
                loaded.asked = Arc::clone(&other.opened[at].asked);
            }
        }
        all.opened = opened.into();
        all
    }
}
