//! Computes vectors ahead of questions in the background, and loads and saves them in the cache.

use std::sync::atomic::{AtomicBool, Ordering};

use pathfinder_core::probe::Kind;
use pathfinder_core::{RelPath, Root, path};
use rustc_hash::FxHashMap;

use super::{LazyModel, LoadedModel};
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::vectors;

/// Most paths whose vectors are computed ahead: at 0.2 ms each, four seconds of one thread. Other vectors are computed when
/// needed.
const MAX_PREFETCHED_PATHS: usize = 20_000;

impl LazyModel {
    /// Loads the model, and computes vectors of paths that share their name, most recently used first, until `stop` returns
    /// true. `stop` may block. Returns at once if another thread does so already.
    pub(crate) fn prefetch(&self, roots: &[Root], stop: &dyn Fn() -> bool) {
        let Some(LoadedModel { model, cache }) = self.loaded() else { return };
        if self.is_prefetching.swap(true, Ordering::Relaxed) {
            return;
        }
        let locked = || cache.lock();
        let directory = self.choice.cache_dir.as_deref().filter(|_| self.choice.cache_bytes > 0);
        let kept =
            directory.filter(|_| locked().is_empty()).and_then(|directory| vectors::load(directory, &model.key()));
        if let Some(kept) = kept {
            locked().load_bytes(&kept);
        }
        let start = Stopwatch::start();
        let before = locked().len();
        model.prepare(ambiguous_names(roots).into_iter().take_while(|_| !stop()), cache, &AtomicBool::new(false));
        let known = locked().len();
        tracing::info!(new = known - before.min(known), known, took = ?start.elapsed(), "vectors");
        self.save();
        self.is_prefetching.store(false, Ordering::Relaxed);
    }

    /// Saves the vectors if there are new ones.
    pub fn save(&self) {
        // Nothing to save if the model was never loaded.
        let Some(Some(LoadedModel { model, cache })) = self.loaded.get() else { return };
        let Some(directory) = self.choice.cache_dir.as_deref().filter(|_| self.choice.cache_bytes > 0) else { return };
        let bytes = {
            let mut cache = cache.lock();
            if !cache.is_changed() {
                return;
            }
            cache.to_bytes()
        };
        vectors::save(directory, &model.key(), &bytes);
    }
}

/// Frecency as an integer, which has a total order.
type Familiarity = u64;

/// Returns the paths of files that share their name: the choices that a question can leave. Recently used or changed ones
/// come first, then names of few files, so that as many choices as possible are complete.
fn ambiguous_names(roots: &[Root]) -> Vec<String> {
    let mut names: FxHashMap<Vec<u8>, (Familiarity, Vec<Vec<u8>>)> = FxHashMap::default();
    for root in roots {
        for (path, kind) in root.snapshot.entries() {
            if kind != Kind::Directory {
                let name = path::name(&path).to_vec();
                let frecency = root.frecency.score(&RelPath::new(path.as_slice()));
                let group = names.entry(name).or_default();
                group.0 = group.0.max((frecency * 1e6) as u64);
                group.1.push(path);
            }
        }
    }
    let mut groups: Vec<_> = names.into_values().filter(|(_, paths)| paths.len() > 1).collect();
    groups.sort_unstable_by(|(known, left), (other, right)| {
        other.cmp(known).then_with(|| left.len().cmp(&right.len())).then_with(|| left.cmp(right))
    });
    let paths = groups.into_iter().flat_map(|(_, paths)| paths).take(MAX_PREFETCHED_PATHS);
    paths.map(|path| RelPath::new(path).text().into_owned()).collect()
}
