//! The façade: one call per question.

use crate::answer::Answer;
use crate::error::RequestError;
use crate::index::Snapshot;
use crate::probe::Probe;
use crate::query::RootPlace;
use crate::request::Request;

/// One root: how it is called, where it is, what is in it.
#[derive(Debug)]
pub struct Root {
    /// As the user gave it; answers name it so.
    pub given: String,
    /// Absolute forms, for recognising absolute paths.
    pub place: RootPlace,
    /// What is in it.
    pub snapshot: Snapshot,
}

/// Answers requests over immutable snapshots of all roots.
#[derive(Debug)]
pub struct Engine {
    roots: Vec<Root>,
}

impl Engine {
    /// An engine over these roots, none of which may contain another.
    /// `cwd` is (root, path relative to it) when the current directory lies inside one; `home` is the user's home.
    pub fn new(roots: Vec<Root>, _cwd: Option<(usize, String)>, _home: Option<String>) -> Self {
        Self { roots }
    }

    /// The roots, in the order in which answers number them.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Resolves one failed path.
    ///
    /// # Errors
    /// When the request itself is unusable, or a root has become unreadable.
    pub fn resolve(&self, _request: &Request, _probe: &dyn Probe) -> Result<Answer, RequestError> {
        Err(RequestError::EmptyPath)
    }
}
