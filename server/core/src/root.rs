//! `Root`: a directory that the engine answers about.

use std::sync::Arc;

use crate::frecency::Frecency;
use crate::history::Renames;
use crate::index::Snapshot;
use crate::query::RootPlace;
use crate::symbols::Symbols;

/// One root: how it is called, where it is, what is in it. A copy shares what is large.
#[derive(Clone, Debug)]
pub struct Root {
    /// As the user gave it; answers name it so.
    pub given: String,
    /// Absolute forms, for recognising absolute paths.
    pub place: RootPlace,
    /// What is in it.
    pub snapshot: Snapshot,
    /// Where paths that are gone went; empty where there is no history.
    pub renames: Arc<Renames>,
    /// What was used or changed lately; empty where nothing is known.
    pub familiar: Arc<Frecency>,
    /// What its files declare, as far as that is known; empty where nobody reads them.
    pub symbols: Symbols,
}
