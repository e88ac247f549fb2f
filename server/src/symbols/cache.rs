//! What files declare, from one process to the next.

use pathfinder_core::symbols::{Change, Symbols};

use super::UNSURE;
use crate::os::symbols;
use crate::snapshot::{LoadedRoot, WorkspaceSnapshot};

/// What was kept of a root, if anything was. It is as it was then: each file may have changed since.
pub(super) fn load(opened: &LoadedRoot) -> Option<Symbols> {
    symbols::load(opened.settings.cache_dir.as_deref()?, &opened.root.canonical)
}

/// Keeps what is known of a root, without what will be read again anyway.
pub(super) fn save(opened: &LoadedRoot, known: &Symbols) {
    let Some(directory) = &opened.settings.cache_dir else { return };
    let unsure = known.stamps().filter(|(_, stamp)| *stamp == UNSURE);
    let unsure: Vec<Change> = unsure.map(|(file, _)| Change::Removed(file.into())).collect();
    if unsure.is_empty() {
        symbols::save(directory, &opened.root.canonical, known);
    } else {
        symbols::save(directory, &opened.root.canonical, &known.apply(&unsure));
    }
}

/// Keeps what a session knows beyond what `before` did, for the next process.
pub(crate) fn save_changed(workspace: &WorkspaceSnapshot, before: &WorkspaceSnapshot) {
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
        if sure(&now.symbols) != sure(&then.symbols) {
            save(opened, &now.symbols);
        }
    }
}

/// The session with what was kept of the roots of which it knows nothing.
pub(crate) fn with_cached(workspace: &WorkspaceSnapshot) -> WorkspaceSnapshot {
    let roots = workspace.opened().iter().zip(workspace.engine().roots());
    let known = roots.map(|(opened, root)| {
        let nothing = root.symbols.progress() == (0, 0);
        nothing.then(|| load(opened)).flatten().unwrap_or_else(|| root.symbols.clone())
    });
    workspace.with_symbols(known.collect())
}
