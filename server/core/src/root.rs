//! `Root`: a directory that the engine searches, with its snapshot, history and symbols.

use std::sync::Arc;

use crate::frecency::Frecency;
use crate::history::Renames;
use crate::index::Snapshot;
use crate::query::RootPaths;
use crate::symbols::Symbols;

/// One root. Cloning shares the large parts.
#[derive(Clone, Debug)]
pub struct Root {
    /// Its path as the user gave it; answers use this form.
    pub given: String,
    /// Absolute forms, for recognising absolute paths.
    pub place: RootPaths,
    /// Its indexed entries.
    pub snapshot: Snapshot,
    /// The moves and deletions of its history; empty without history.
    pub renames: Arc<Renames>,
    /// Recently used or changed paths; empty if none are known.
    pub frecency: Arc<Frecency>,
    /// The symbols that its files declare, as far as they are read.
    pub symbols: Symbols,
}
