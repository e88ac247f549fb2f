//! `Cache`: vectors of paths, by the path's text. Used by `Model`; the `server` package keeps it on disk.
//!
//! Vectors depend on the model and the path's text alone, so an entry may become useless but never wrong. One cache
//! serves all roots, only another model invalidates it, and the least recently used entries go first.

use std::hash::Hasher as _;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::vectors::Vectors;

/// Bytes of an entry besides its vectors: key, slot in the table, two allocations.
const ENTRY_OVERHEAD_BYTES: usize = 96;

/// Two hashes of 64 bits of a text: among a million paths no two share both.
type CacheKey = (u64, u64);

/// Vectors by text, limited in bytes.
#[derive(Debug)]
pub struct Cache {
    entries: FxHashMap<CacheKey, CacheEntry>,
    bytes: usize,
    bytes_max: usize,
    /// Counts uses; the order of entries by last use.
    now: u64,
    /// True if an entry was added since the cache was last serialised.
    changed: bool,
}

#[derive(Debug)]
struct CacheEntry {
    vectors: Arc<Vectors>,
    used: u64,
}

impl Cache {
    /// Creates an empty cache that holds at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self { entries: FxHashMap::default(), bytes: 0, bytes_max, now: 0, changed: false }
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the cache has no texts.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether further entries would soon evict others.
    pub fn is_full(&self) -> bool {
        // A quarter is reserved for vectors that requests compute.
        self.bytes >= self.bytes_max / 4 * 3
    }

    /// Returns whether an entry was added since the cache was last serialised.
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Returns whether a text is cached, without counting as a use.
    pub fn has(&self, text: &str) -> bool {
        self.entries.contains_key(&key(text))
    }

    /// Returns the vectors of a text, and counts as a use.
    pub(crate) fn get(&mut self, text: &str) -> Option<Arc<Vectors>> {
        let entry = self.entries.get_mut(&key(text))?;
        self.now += 1;
        entry.used = self.now;
        Some(Arc::clone(&entry.vectors))
    }

    /// Adds the vectors of a text, and evicts others if the cache is full.
    pub(crate) fn put(&mut self, text: &str, vectors: Arc<Vectors>) {
        self.insert(key(text), vectors);
        self.changed = true;
        if self.bytes > self.bytes_max {
            self.evict();
        }
    }

    fn insert(&mut self, key: CacheKey, vectors: Arc<Vectors>) {
        self.now += 1;
        self.bytes += vectors.bytes() + ENTRY_OVERHEAD_BYTES;
        if let Some(before) = self.entries.insert(key, CacheEntry { vectors, used: self.now }) {
            self.bytes -= before.vectors.bytes() + ENTRY_OVERHEAD_BYTES;
        }
    }

    /// Evicts the least recently used quarter, so that evictions are rare.
    fn evict(&mut self) {
        for (key, entry) in self.oldest() {
            if self.bytes <= self.bytes_max / 4 * 3 {
                break;
            }
            self.bytes -= entry + ENTRY_OVERHEAD_BYTES;
            self.entries.remove(&key);
        }
    }

    /// Returns keys and sizes in bytes, least recently used first.
    fn oldest(&self) -> Vec<(CacheKey, usize)> {
        let mut list: Vec<_> =
            self.entries.iter().map(|(key, entry)| (entry.used, *key, entry.vectors.bytes())).collect();
        list.sort_unstable();
        list.into_iter().map(|(_, key, bytes)| (key, bytes)).collect()
    }

    /// Serialises the cache and marks it as unchanged.
    pub fn to_bytes(&mut self) -> Vec<u8> {
        let width = self.entries.values().next().map_or(0, |entry| entry.vectors.width());
        let mut out = Vec::with_capacity(self.bytes);
        out.extend_from_slice(&(width as u32).to_le_bytes());
        for (key, _) in self.oldest() {
            let Some(entry) = self.entries.get(&key) else { continue };
            out.extend_from_slice(&key.0.to_le_bytes());
            out.extend_from_slice(&key.1.to_le_bytes());
            entry.vectors.write(&mut out);
        }
        self.changed = false;
        out
    }

    /// Adds serialised entries; existing ones stay. Returns false, and adds nothing, if the bytes are invalid.
    pub fn load_bytes(&mut self, bytes: &[u8]) -> bool {
        let Some(list) = parse_entries(bytes) else { return false };
        for (key, vectors) in list {
            if self.bytes >= self.bytes_max {
                break;
            }
            if !self.entries.contains_key(&key) {
                self.insert(key, Arc::new(vectors));
            }
        }
        true
    }
}

fn parse_entries(bytes: &[u8]) -> Option<Vec<(CacheKey, Vectors)>> {
    let (width, mut rest) = bytes.split_first_chunk::<4>()?;
    let width = u32::from_le_bytes(*width) as usize;
    let mut list = Vec::new();
    while !rest.is_empty() {
        let (first, after) = rest.split_first_chunk::<8>()?;
        let (second, after) = after.split_first_chunk::<8>()?;
        rest = after;
        list.push(((u64::from_le_bytes(*first), u64::from_le_bytes(*second)), Vectors::read(&mut rest, width)?));
    }
    Some(list)
}

fn key(text: &str) -> CacheKey {
    (hash(0, text.as_bytes()), hash(1, text.as_bytes()))
}

/// A hash of bytes, different for each seed. Users do not attack a cache of their own paths, so speed counts.
pub(crate) fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    hasher.write(bytes);
    hasher.write_usize(bytes.len());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{Cache, ENTRY_OVERHEAD_BYTES};
    use crate::vectors::Vectors;
    use std::sync::Arc;

    fn vectors(seed: usize) -> Arc<Vectors> {
        let output: Vec<f32> = (0..32).map(|at| ((at * 7 + seed * 13) % 17) as f32 - 8.0).collect();
        Arc::new(Vectors::new(&output, 16, &[0, 1]).unwrap())
    }

    #[test]
    fn round_trips_through_bytes() {
        let mut cache = Cache::new(1 << 20);
        for at in 0..50 {
            cache.put(&format!("a/{at}.rs"), vectors(at));
        }
        assert!(cache.is_changed());
        let bytes = cache.to_bytes();
        assert!(!cache.is_changed());
        let mut other = Cache::new(1 << 20);
        assert!(other.load_bytes(&bytes));
        assert_eq!((other.len(), other.bytes()), (50, cache.bytes()));
        for at in 0..50 {
            assert_eq!(other.get(&format!("a/{at}.rs")), Some(vectors(at)));
        }
        assert_eq!(other.get("a/50.rs"), None);
        for end in 0..bytes.len() {
            // Bytes cut between two entries are a shorter list; no cut panics or adds half an entry.
            Cache::new(1 << 20).load_bytes(&bytes[..end]);
        }
        assert!(!Cache::new(1).load_bytes(&bytes[..bytes.len() - 1]));
    }

    #[test]
    fn evicts_least_recently_used() {
        let each = vectors(0).bytes() + ENTRY_OVERHEAD_BYTES;
        let mut cache = Cache::new(each * 8);
        for at in 0..8 {
            cache.put(&at.to_string(), vectors(at));
        }
        assert!(cache.get("0").is_some());
        cache.put("8", vectors(8));
        assert!(cache.bytes() <= each * 8);
        assert!(cache.has("0") && cache.has("8") && !cache.has("1"));
        for at in 0..1000 {
            cache.put(&at.to_string(), vectors(at));
            assert!(cache.bytes() <= each * 8);
        }
        assert!(cache.has("999"));
        let mut small = Cache::new(each * 3);
        small.load_bytes(&cache.to_bytes());
        assert!(small.bytes() <= each * 4);
    }

    #[test]
    fn counts_a_text_once() {
        let mut cache = Cache::new(1 << 20);
        cache.put("a", vectors(1));
        let bytes = cache.bytes();
        cache.put("a", vectors(1));
        assert_eq!((cache.len(), cache.bytes()), (1, bytes));
    }
}
