//! `DirectoryStamps`: the directories of a listing with their stamps, compact on disk and in memory. Checks all of them
//! in parallel.

use std::time::SystemTime;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::super::stamp::{DirStat, UNSURE, is_unchanged};

/// Paths in one block, which starts with a whole path. Small enough that two threads share 3,000 paths evenly.
const BLOCK_SIZE: usize = 64;

/// Directories sorted by path with their stamps. Each path omits the prefix that it shares with the one before (front
/// coding).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct DirectoryStamps {
    /// For each path: length of the shared prefix, length of the rest, and the rest.
    #[serde(with = "serde_bytes")]
    paths: Vec<u8>,
    /// Offsets of the blocks in `paths`.
    blocks: Vec<u64>,
    stamps: Vec<u64>,
}

/// A directory that changed: its number and its path.
pub(super) type StaleDirectory = (usize, Vec<u8>);

impl DirectoryStamps {
    /// Creates it from (path, stamp) pairs in any order.
    pub(super) fn new(mut all: Vec<(Vec<u8>, u64)>) -> Self {
        // A snapshot has them nearly in this order, of which only this sort takes advantage.
        all.sort();
        let mut stamps = Self { stamps: all.iter().map(|(_, stamp)| *stamp).collect(), ..Self::default() };
        for block in all.chunks(BLOCK_SIZE) {
            stamps.blocks.push(stamps.paths.len() as u64);
            let mut before: &[u8] = b"";
            for (path, _) in block {
                let shared = path.iter().zip(before).take_while(|(one, other)| one == other).count();
                for number in [shared, path.len() - shared] {
                    stamps.paths.extend_from_slice(&(number as u32).to_le_bytes());
                }
                stamps.paths.extend_from_slice(&path[shared..]);
                before = path;
            }
        }
        stamps
    }

    /// Sets the stamp of the directory with this number.
    pub(super) fn set_stamp(&mut self, number: usize, stamp: u64) {
        self.stamps[number] = stamp;
    }

    /// Returns the stamps by path.
    pub(super) fn stamps(&self) -> FxHashMap<Vec<u8>, u64> {
        let mut all = FxHashMap::default();
        for block in 0..self.blocks.len() {
            _ = self.for_each_in_block(block, |number, path| {
                all.insert(path.to_vec(), self.stamps[number]);
            });
        }
        all
    }

    /// Counts the directories that may have changed after they were read.
    pub(super) fn count_unsure(&self) -> usize {
        self.stamps.iter().filter(|stamp| **stamp == UNSURE).count()
    }

    /// Returns the directories whose stamp changed; `None` if the data is corrupt.
    pub(super) fn find_stale(&self, dir_stat: &DirStat, now: SystemTime) -> Option<Vec<StaleDirectory>> {
        let of_block = |block: usize| {
            let mut stale = Vec::new();
            let common = self.common_directory(block)?;
            let block_stat = dir_stat.open_below(&common);
            let (dir_stat, known) =
                block_stat.as_ref().map_or((dir_stat, 0), |block_stat| (block_stat, common.len() + 1));
            self.for_each_in_block(block, |number, path| {
                if !is_unchanged(self.stamps[number], dir_stat.stamp(&path[known..], now)) {
                    stale.push((number, path.to_vec()));
                }
            })?;
            Some(stale)
        };
        let found: Option<Vec<Vec<StaleDirectory>>> = (0..self.blocks.len()).into_par_iter().map(of_block).collect();
        Some(found?.concat())
    }

    /// Returns the deepest directory above all paths of a block; empty for the root.
    fn common_directory(&self, block: usize) -> Option<Vec<u8>> {
        let mut common: Option<Vec<u8>> = None;
        self.for_each_in_block(block, |_, path| match &mut common {
            None => common = Some(path.to_vec()),
            Some(common) => common.truncate(common.iter().zip(path).take_while(|(one, other)| one == other).count()),
        })?;
        let mut common = common.unwrap_or_default();
        common.truncate(common.iter().rposition(|&byte| byte == b'/').unwrap_or(0));
        Some(common)
    }

    /// Calls `call` with number and path of each directory in a block; `None` if the data is corrupt.
    fn for_each_in_block(&self, block: usize, mut call: impl FnMut(usize, &[u8])) -> Option<()> {
        let mut rest = self.paths.get(usize::try_from(*self.blocks.get(block)?).ok()?..)?;
        let mut path = Vec::new();
        for number in (block * BLOCK_SIZE..self.stamps.len()).take(BLOCK_SIZE) {
            let (shared, after) = rest.split_first_chunk::<4>()?;
            let (more, after) = after.split_first_chunk::<4>()?;
            let (shared, more) = (u32::from_le_bytes(*shared) as usize, u32::from_le_bytes(*more) as usize);
            let (own, after) = after.split_at_checked(more)?;
            (shared <= path.len()).then(|| path.truncate(shared))?;
            path.extend_from_slice(own);
            call(number, &path);
            rest = after;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::DirectoryStamps;

    proptest! {
        #[test]
        fn round_trips(all in prop::collection::btree_map("[ab/é]{0,9}", any::<u64>(), 0..200)) {
            let of = all.iter().rev().map(|(path, stamp)| (path.as_bytes().to_vec(), *stamp)).collect();
            let back: BTreeMap<_, _> = DirectoryStamps::new(of).stamps().into_iter().collect();
            prop_assert_eq!(back, all.into_iter().map(|(path, stamp)| (path.into_bytes(), stamp)).collect());
        }

        #[test]
        fn blocks_share_their_common_directory(all in prop::collection::btree_set("(a|b|é)(/(a|b|é|ab)){0,6}", 1..400)) {
            let stamps = DirectoryStamps::new(all.iter().map(|path| (path.as_bytes().to_vec(), 1)).collect());
            for block in 0..stamps.blocks.len() {
                let common = stamps.common_directory(block).expect("a block");
                _ = stamps.for_each_in_block(block, |_, path| {
                    let rest = path.strip_prefix(&*common).expect("it is shared");
                    assert!(common.is_empty() || rest.len() > 1 && rest[0] == b'/', "{common:?} {path:?}");
                });
            }
        }

        /// Corrupt bytes give an error and never a panic.
        #[test]
        fn survives_corrupt_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(read) = postcard::from_bytes::<DirectoryStamps>(&bytes) {
                for block in 0..read.blocks.len().min(9) {
                    _ = read.common_directory(block);
                    _ = read.for_each_in_block(block, |_, _| ());
                }
            }
        }
    }
}
