//! What was used below a root, on disk: shared by all sessions, so that each adds its own to what is there.

#[cfg(test)]
mod fuzz;

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use pathfinder_core::RelPath;
use pathfinder_core::frecency::Visits;
use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::CacheFormat;

/// The files. A thousand paths of the longest that systems take are 4 MB.
const FORMAT: CacheFormat = CacheFormat { extension: "visits", magic: *b"pathvsit", version: 1, max_bytes: 8 << 20 };

#[derive(Serialize, Deserialize)]
struct VisitsBody<'a> {
    root: &'a [u8],
    /// Path, uses, and the moment at which they counted so much.
    #[serde(borrow)]
    visits: Vec<(&'a [u8], f32, i64)>,
}

/// What was used below this root (canonical); nothing where nothing was kept.
pub(crate) fn load(directory: &Path, root: &Path) -> Visits {
    let root = bytes::from_os_str(root.as_os_str());
    let body = FORMAT.path_for(directory, &root).and_then(|path| FORMAT.load(&path));
    body.and_then(|body| decode(&body, &root)).unwrap_or_default()
}

/// Adds these uses (path, seconds since 1970) to what was used below the root, and gives all of it.
///
/// Two sessions that do so in the same millisecond can lose the uses of one: a tie that is broken otherwise later.
pub(crate) fn add(directory: &Path, root: &Path, uses: Vec<(RelPath, i64)>, now: i64) -> Visits {
    let mut visits = load(directory, root);
    for (path, at) in uses {
        visits.note(path, at);
    }
    visits.forget(now);
    let root = bytes::from_os_str(root.as_os_str());
    let entries = visits.entries().map(|(path, uses, at)| (path.as_bytes(), uses, at)).collect();
    let body = postcard::to_stdvec(&VisitsBody { root: &root, visits: entries });
    if let (Some(path), Ok(body)) = (FORMAT.path_for(directory, &root), body) {
        FORMAT.save(&path, &body);
    }
    visits
}

fn decode(body: &[u8], root: &[u8]) -> Option<Visits> {
    let body: VisitsBody<'_> = postcard::from_bytes(body).ok().filter(|body: &VisitsBody<'_>| body.root == root)?;
    let entries = body.visits.into_iter().filter_map(|(path, uses, at)| Some((RelPath::plain(path)?, uses, at)));
    Some(Visits::from_entries(entries))
}

/// This moment, in seconds since 1970.
pub(crate) fn now() -> i64 {
    // Before 1970 there was nothing to use.
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}
