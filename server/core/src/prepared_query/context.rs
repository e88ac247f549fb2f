//! Where the question comes from: what was used before, the file it stands in, the hint.

use crate::request::Request;

/// A directory, as segments relative to a root: of the one root, where it was given as an absolute path.
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
    /// 1 for the newest, fading.
    pub(crate) weight: f32,
}

/// Directories that the meant file is likely to be near.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// The recently used paths, newest first.
    pub(crate) history: Vec<RecentPath>,
    /// Directory of the file in which the path was written.
    pub(crate) from: Option<NearbyDirectory>,
    /// The directory that the caller believes it to be under.
    pub(crate) hint: Option<NearbyDirectory>,
}

/// History entries that are looked at: the original keeps a ring of 5, a longer list fades out anyway.
const HISTORY_MAX: usize = 16;

/// What an entry weighs against the one after it: the fifth still has an eighth of the newest's say.
const HISTORY_DECAY: f32 = 0.6;

impl Context {
    /// `localise` turns a path, relative or absolute, into segments relative to a root, and names that root if it can.
    pub(crate) fn new(request: &Request, localise: impl Fn(&str) -> (Option<usize>, Vec<String>)) -> Self {
        let place = |path: &str| {
            let (root, segments) = localise(path);
            NearbyDirectory { root, segments }
        };
        let mut weight = 1.0;
        let mut history: Vec<RecentPath> = Vec::new();
        for path in request.history.iter().rev().take(HISTORY_MAX) {
            let mut parent = place(path);
            let Some(name) = parent.segments.pop() else { continue };
            history.push(RecentPath { parent, name, weight });
            weight *= HISTORY_DECAY;
        }
        let from = request.from_file.as_deref().map(|path| {
            let mut from = place(path);
            from.segments.pop();
            from
        });
        let hint = request.root_hint.as_deref().map(place).filter(|hint| !hint.segments.is_empty());
        Self { history, from, hint }
    }
}
