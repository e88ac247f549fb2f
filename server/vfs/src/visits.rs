//! Stores the uses of paths below a root in the cache directory. All processes share the file and add their own uses.
//! Called by `workspace::used` for the frecency prior.

#[cfg(test)]
mod fuzz;

use std::path::Path;

use pathfinder_core::RelPath;
use pathfinder_core::frecency::Visits;
use serde::{Deserialize, Serialize};

use super::bytes;
use super::cache_file::CacheFormat;
pub use super::clock::unix_time as now;

/// A thousand paths of maximum length take 4 MB.
const FORMAT: CacheFormat = CacheFormat { extension: "visits", magic: *b"pathvsit", version: 1, max_bytes: 8 << 20 };

#[derive(Serialize, Deserialize)]
struct VisitsBody<'a> {
    root: &'a [u8],
    /// Path, weight of its uses, and the time in seconds since 1970 at which they had that weight.
    #[serde(borrow)]
    visits: Vec<(&'a [u8], f32, i64)>,
}

/// Loads the uses below a root (canonical); empty if nothing is stored.
pub fn load(directory: &Path, root: &Path) -> Visits {
    let root = bytes::from_os_str(root.as_os_str());
    let body = FORMAT.path_for(directory, &root).and_then(|path| FORMAT.load(&path));
    body.and_then(|body| decode(&body, &root)).unwrap_or_default()
}

/// Adds these uses (path, seconds since 1970) to the stored ones and returns all of them.
///
/// If two processes do so in the same millisecond, the uses of one can be lost. That only changes how a tie is broken
/// later.
pub fn add(directory: &Path, root: &Path, uses: Vec<(RelPath, i64)>, now: i64) -> Visits {
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
