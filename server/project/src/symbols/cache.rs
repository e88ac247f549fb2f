//! Loads and saves declarations in the cache directory, for the next process.

use pathfinder_core::symbols::{SymbolChange, Symbols};

use super::UNSURE;
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};
use pathfinder_vfs::file_index::DECLARATIONS;

/// Loads the cached symbols of a root. Files may have changed since they were saved.
pub(super) fn load(opened: &LoadedRoot) -> Option<Symbols> {
    DECLARATIONS.load(opened.settings.cache_dir.as_deref()?, &opened.root.canonical, Symbols::from_image)
}

/// Saves the symbols of a root, without files that will be read again anyway.
pub(super) fn save(opened: &LoadedRoot, known: &Symbols) {
    let Some(directory) = &opened.settings.cache_dir else { return };
    let unsure = known.stamps().filter(|(_, stamp)| *stamp == UNSURE);
    let unsure: Vec<SymbolChange> = unsure.map(|(file, _)| SymbolChange::Removed(file.into())).collect();
    if unsure.is_empty() {
        DECLARATIONS.save(directory, &opened.root.canonical, &known.to_image());
    } else {
        DECLARATIONS.save(directory, &opened.root.canonical, &known.apply(&unsure).to_image());
    }
}

/// Saves the symbols of all roots for which `workspace` knows more than `before` did.
pub fn save_changed(workspace: &WorkspaceSnapshot, before: &WorkspaceSnapshot) {
    let roots = workspace.engine().roots().iter().zip(before.engine().roots());
    for (opened, (now, then)) in workspace.opened().iter().zip(roots) {
        let sure = |symbols: &Symbols| {
            let mut stamps: Vec<(String, u64)> = symbols
                .stamps()
                .filter(|(_, stamp)| *stamp != UNSURE)
                .map(|(file, stamp)| (file.to_owned(), stamp))
                .collect();
            stamps.sort_unstable();
            stamps
        };
        // Mostly nothing changed, and the layers are the same ones.
        if !now.symbols.stamps().eq(then.symbols.stamps()) && sure(&now.symbols) != sure(&then.symbols) {
            save(opened, &now.symbols);
        }
    }
}

/// Returns the snapshot with cached symbols for the roots that have none.
pub fn with_cached(workspace: &WorkspaceSnapshot) -> WorkspaceSnapshot {
    let roots = workspace.opened().iter().zip(workspace.engine().roots());
    let known = roots.map(|(opened, root)| {
        let nothing = root.symbols.progress() == (0, 0);
        nothing.then(|| load(opened)).flatten().unwrap_or_else(|| root.symbols.clone())
    });
    workspace.with_symbols(known.collect())
}
