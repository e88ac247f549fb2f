//! `LocationContext`: the directories near which the wanted file probably lies; `Engine` builds it for a `PreparedQuery`.

use crate::request::Request;

/// A directory as segments relative to a root. The root is known if the path was absolute.
#[derive(Clone, Debug, Default)]
pub(crate) struct NearbyDirectory {
    pub(crate) root: Option<usize>,
    pub(crate) segments: Vec<String>,
}

/// A path that was used before.
#[derive(Debug)]
pub(crate) struct RecentPath {
    pub(crate) parent: NearbyDirectory,
    pub(crate) name: String,
    /// 1 for the newest, less for older ones.
    pub(crate) weight: f32,
}

/// Directories near which the wanted file probably lies.
#[derive(Debug, Default)]
pub(crate) struct LocationContext {
    /// The recently used paths, newest first.
    pub(crate) history: Vec<RecentPath>,
    /// Directory of the file in which the path was written.
    pub(crate) from: Option<NearbyDirectory>,
    /// The directory under which the caller expects the file.
    pub(crate) hint: Option<NearbyDirectory>,
}

/// History entries that count: the original keeps a ring of 5, and weights of later entries fade out anyway.
const MAX_HISTORY: usize = 16;

/// Weight of an entry relative to the next newer one: the fifth still has an eighth of the newest's weight.
const HISTORY_DECAY: f32 = 0.6;

impl LocationContext {
    /// Reads the context of a request. `localise` splits a relative or absolute path into segments relative to a root,
    /// and returns that root if the path names it.
    pub(crate) fn new(request: &Request, localise: impl Fn(&str) -> (Option<usize>, Vec<String>)) -> Self {
        let to_directory = |path: &str| {
            let (root, segments) = localise(path);
            NearbyDirectory { root, segments }
        };
        let mut weight = 1.0;
        let mut history: Vec<RecentPath> = Vec::new();
        for path in request.history.iter().rev().take(MAX_HISTORY) {
            let mut parent = to_directory(path);
            let Some(name) = parent.segments.pop() else { continue };
            history.push(RecentPath { parent, name, weight });
            weight *= HISTORY_DECAY;
        }
        let from = request.from_file.as_deref().map(|path| {
            let mut from = to_directory(path);
            from.segments.pop();
            from
        });
        let hint = request.root_hint.as_deref().map(to_directory).filter(|hint| !hint.segments.is_empty());
        Self { history, from, hint }
    }
}
