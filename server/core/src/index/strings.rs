//! `Strings`: sorted byte strings in one buffer, numbered by their rank; and `Postings`: lists of numbers per key.

use std::hash::Hasher as _;
use std::sync::OnceLock;

use rustc_hash::FxHasher;

/// A sorted set of byte strings; a string's number is its rank. Costs its bytes and 4 more for each.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
    /// `ends[i]` is the end of string `i`, and the start of the next.
    ends: Vec<u32>,
    /// Ranks by hash, plus one; 0 is a free slot. Made on request, because a question looks up few strings.
    ranks_by_hash: OnceLock<Box<[u32]>>,
}

impl Strings {
    /// Packs strings that are sorted and unique.
    pub(crate) fn from_sorted<'a>(sorted: impl ExactSizeIterator<Item = &'a [u8]> + Clone) -> Self {
        let mut strings = Self {
            bytes: Vec::with_capacity(sorted.clone().map(<[u8]>::len).sum()),
            ends: Vec::with_capacity(sorted.len()),
            ranks_by_hash: OnceLock::new(),
        };
        for string in sorted {
            strings.bytes.extend_from_slice(string);
            strings.ends.push(strings.bytes.len() as u32);
        }
        strings
    }

    /// Builds it from its [`parts`](Self::parts); `None` if the strings are not sorted and unique.
    pub(crate) fn from_parts(bytes: Vec<u8>, ends: Vec<u32>) -> Option<Self> {
        let strings = Self::from_unsorted_parts(bytes, ends)?;
        let differ = (1..strings.len() as u32).all(|rank| strings.get(rank - 1) < strings.get(rank));
        differ.then_some(strings)
    }

    /// Builds it from parts whose strings are not sorted by their bytes: `find` and `with_prefix` do not work on it.
    pub(crate) fn from_unsorted_parts(bytes: Vec<u8>, ends: Vec<u32>) -> Option<Self> {
        let is_sorted = ends.is_sorted() && ends.last().map_or(0, |&end| end as usize) == bytes.len();
        is_sorted.then_some(Self { bytes, ends, ranks_by_hash: OnceLock::new() })
    }

    /// All bytes, and the end of each string in them.
    pub(crate) fn parts(&self) -> (&[u8], &[u32]) {
        (&self.bytes, &self.ends)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, rank: u32) -> &[u8] {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] as usize };
        &self.bytes[start..self.ends[rank] as usize]
    }

    /// The rank of `string`, if it is in the set.
    pub(crate) fn find(&self, string: &[u8]) -> Option<u32> {
        if let Some(ranks) = self.ranks_by_hash.get() {
            let mut slot = slot_of(string, ranks.len());
            while let Some(rank) = ranks[slot].checked_sub(1) {
                if self.get(rank) == string {
                    return Some(rank);
                }
                slot = (slot + 1) & (ranks.len() - 1);
            }
            return None;
        }
        let rank = self.lower_bound(string);
        (rank < self.len() as u32 && self.get(rank) == string).then_some(rank)
    }

    /// Makes `find` look at one or two strings instead of a dozen. Costs 8 to 16 bytes for each, and pays off from thousands of
    /// look-ups on.
    pub(crate) fn prepare_lookups(&self) {
        self.ranks_by_hash.get_or_init(|| {
            // At least half of the slots are free, so that each search ends soon.
            let mut ranks = vec![0; (self.len() * 2).next_power_of_two().max(2)].into_boxed_slice();
            for rank in 0..self.len() as u32 {
                let mut slot = slot_of(self.get(rank), ranks.len());
                while ranks[slot] != 0 {
                    slot = (slot + 1) & (ranks.len() - 1);
                }
                ranks[slot] = rank + 1;
            }
            ranks
        });
    }

    /// Ranks of all strings that begin with `prefix`.
    pub(crate) fn with_prefix(&self, prefix: &[u8]) -> std::ops::Range<u32> {
        let start = self.lower_bound(prefix);
        let (mut low, mut high) = (start, self.len() as u32);
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.get(middle).starts_with(prefix) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        start..low
    }

    /// Memory held, in bytes.
    pub(crate) fn memory(&self) -> usize {
        let hashed = self.ranks_by_hash.get().map_or(0, |ranks| ranks.len());
        self.bytes.capacity() + (self.ends.capacity() + hashed) * size_of::<u32>()
    }

    fn lower_bound(&self, string: &[u8]) -> u32 {
        let (mut low, mut high) = (0, self.len() as u32);
        while low < high {
            let middle = u32::midpoint(low, high);
            if self.get(middle) < string {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The slot at which the search for a string begins; `slots` is a power of two.
fn slot_of(string: &[u8], slots: usize) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(string);
    hasher.finish() as usize & (slots - 1)
}

/// A run of values for each key 0..n: `values[starts[k]..starts[k + 1]]` (compressed sparse rows).
#[derive(Debug, Default)]
pub(crate) struct Postings {
    starts: Vec<u32>,
    values: Vec<u32>,
}

impl Postings {
    /// Groups `(key, value)` pairs by key; within a key the values keep the order of the pairs.
    pub(crate) fn group(keys: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0_u32; keys + 1];
        for (key, _) in pairs.clone() {
            starts[key as usize + 1] += 1;
        }
        for at in 0..keys {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut values = vec![0_u32; starts[keys] as usize];
        for (key, value) in pairs {
            let slot = &mut next[key as usize];
            values[*slot as usize] = value;
            *slot += 1;
        }
        Self { starts, values }
    }

    pub(crate) fn get(&self, key: u32) -> &[u32] {
        &self.values[self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize]
    }

    /// Memory held, in bytes.
    pub(crate) fn memory(&self) -> usize {
        (self.starts.capacity() + self.values.capacity()) * size_of::<u32>()
    }
}

/// Postings with ascending values per key, stored as differences of few bytes. Long lists take a quarter of the memory, and
/// are read only in order.
#[derive(Debug, Default)]
pub(crate) struct PackedPostings {
    starts: Vec<u32>,
    /// Each difference in groups of seven bits, lowest first; the top bit says that another group follows (LEB128).
    bytes: Vec<u8>,
}

impl PackedPostings {
    /// Packs postings whose values ascend within each key.
    pub(crate) fn pack(postings: &Postings) -> Self {
        let mut packed = Self { starts: Vec::with_capacity(postings.starts.len()), bytes: Vec::new() };
        for key in 0..postings.starts.len().saturating_sub(1) as u32 {
            packed.starts.push(packed.bytes.len() as u32);
            let mut before = 0;
            for &value in postings.get(key) {
                let mut rest = value - before;
                before = value;
                while rest >= 0x80 {
                    packed.bytes.push(rest as u8 | 0x80);
                    rest >>= 7;
                }
                packed.bytes.push(rest as u8);
            }
        }
        packed.starts.push(packed.bytes.len() as u32);
        packed.bytes.shrink_to_fit();
        packed
    }

    /// Builds it from its [`parts`](Self::parts); `None` if they are not `keys` lists of ascending values less than `most`.
    pub(crate) fn from_parts(starts: Vec<u32>, bytes: Vec<u8>, keys: usize, most: u32) -> Option<Self> {
        let fit = starts.len() == keys + 1 && starts.is_sorted() && starts[0] == 0;
        if !fit || starts[keys] as usize != bytes.len() {
            return None;
        }
        let is_valid = |list: &[u8]| {
            let (mut value, mut group, mut shift) = (0_u64, 0_u64, 0);
            for &byte in list {
                group |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                // Five groups hold any value.
                if byte & 0x80 != 0 && shift < 35 {
                    continue;
                }
                value += group;
                if byte & 0x80 != 0 || value >= u64::from(most) {
                    return false;
                }
                (group, shift) = (0, 0);
            }
            shift == 0
        };
        let all = starts.windows(2).all(|ends| is_valid(&bytes[ends[0] as usize..ends[1] as usize]));
        all.then_some(Self { starts, bytes })
    }

    /// The start of each list, and all bytes.
    pub(crate) fn parts(&self) -> (&[u32], &[u8]) {
        (&self.starts, &self.bytes)
    }

    /// The values of a key, in order.
    pub(crate) fn get(&self, key: u32) -> PostingsIter<'_> {
        PostingsIter(&self.bytes[self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize], 0)
    }

    /// Memory held, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.bytes.capacity()
    }
}

/// The values of one key, decoded in order: the remaining bytes, and the last value.
#[derive(Clone, Debug)]
pub(crate) struct PostingsIter<'a>(&'a [u8], u32);

impl PostingsIter<'_> {
    /// An upper bound of the remaining values; at most a few times their number.
    pub(crate) fn at_most(&self) -> usize {
        self.0.len()
    }
}

impl Iterator for PostingsIter<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let length = self.0.iter().position(|byte| byte & 0x80 == 0)? + 1;
        let (groups, rest) = self.0.split_at(length);
        self.0 = rest;
        self.1 += groups.iter().rev().fold(0, |value, group| value << 7 | u32::from(group & 0x7f));
        Some(self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_strings_and_prefixes() {
        let sorted: [&[u8]; 5] = [b"", b"car", b"cargo", b"cart", b"dog"];
        let strings = Strings::from_sorted(sorted.iter().copied());
        assert_eq!(strings.find(b"cargo"), Some(2));
        assert_eq!(strings.find(b"carg"), None);
        assert_eq!(strings.with_prefix(b"car"), 1..4);
        assert_eq!(strings.with_prefix(b"e"), 5..5);
        assert_eq!(strings.with_prefix(b""), 0..5);
    }

    #[test]
    fn finds_the_same_strings_by_hash() {
        let sorted: Vec<String> = (0..1000).map(|number| format!("{number:04}.txt")).collect();
        for count in [0, 1, 2, 3, 1000] {
            let strings = Strings::from_sorted(sorted[..count].iter().map(String::as_bytes));
            strings.prepare_lookups();
            for (rank, string) in sorted.iter().enumerate() {
                let expect = (rank < count).then_some(rank as u32);
                assert_eq!(strings.find(string.as_bytes()), expect, "{string} of {count}");
            }
            assert_eq!(strings.find(b""), None, "{count}");
        }
    }

    #[test]
    fn packs_every_value() {
        let values = [0, 1, 127, 128, 129, 16_384, 20_000, 2_097_152, u32::MAX];
        let pairs = values.iter().map(|&value| (1, value)).chain([(3, 7)]);
        let postings = Postings::group(4, pairs);
        let packed = PackedPostings::pack(&postings);
        for key in 0..4 {
            assert_eq!(packed.get(key).collect::<Vec<_>>(), postings.get(key), "{key}");
            assert!(packed.get(key).at_most() >= postings.get(key).len());
        }
    }

    #[test]
    fn groups_in_order() {
        let pairs = [(2, 7), (0, 1), (2, 3)];
        let postings = Postings::group(3, pairs.iter().copied());
        assert_eq!((postings.get(0), postings.get(1), postings.get(2)), (&[1][..], &[][..], &[7, 3][..]));
    }
}
