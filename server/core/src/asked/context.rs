//! Where the question comes from: what was used before, the file it stands in, the hint.

use crate::request::Request;

/// Directories, as segments, that the meant file is likely to be near.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// The recently used paths, newest first.
    pub(crate) history: Vec<Used>,
    /// Directory of the file in which the path was written.
    pub(crate) from: Option<Vec<String>>,
    /// The directory that the caller believes it to be under.
    pub(crate) hint: Option<Vec<String>>,
}

/// A path that was used before.
#[derive(Debug)]
pub(crate) struct Used {
    pub(crate) parent: Vec<String>,
    pub(crate) name: String,
    /// 1 for the newest, fading.
    pub(crate) weight: f32,
}

/// History entries that are looked at: the original keeps a ring of 5, a longer list fades out anyway.
const HISTORY_MAX: usize = 16;

/// What an entry weighs against the one after it: the fifth still has an eighth of the newest's say.
const HISTORY_DECAY: f32 = 0.6;

impl Context {
    /// `localise` turns a path, relative or absolute, into segments relative to a root.
    pub(crate) fn new(request: &Request, localise: impl Fn(&str) -> Vec<String>) -> Self {
        let mut weight = 1.0;
        let mut history: Vec<Used> = Vec::new();
        for path in request.history.iter().rev().take(HISTORY_MAX) {
            let mut parent = localise(path);
            let Some(name) = parent.pop() else { continue };
            history.push(Used { parent, name, weight });
            weight *= HISTORY_DECAY;
        }
        let from = request.from_file.as_deref().map(|path| {
            let mut segments = localise(path);
            segments.pop();
            segments
        });
        let hint = request.root_hint.as_deref().map(&localise).filter(|segments| !segments.is_empty());
        Self { history, from, hint }
    }
}
