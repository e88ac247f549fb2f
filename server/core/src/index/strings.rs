//! `Strings`: many short byte strings in one buffer, sorted, numbered by their order.

/// A sorted set of byte strings; a string's number is its rank. Costs its bytes and 4 more for each.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    bytes: Vec<u8>,
    /// `ends[i]` is where string `i` ends; it begins where the one before ends.
    ends: Vec<u32>,
}

impl Strings {
    /// Takes strings that are sorted and differ.
    pub(crate) fn from_sorted<'a>(sorted: impl ExactSizeIterator<Item = &'a [u8]> + Clone) -> Self {
        let mut strings = Self {
            bytes: Vec::with_capacity(sorted.clone().map(<[u8]>::len).sum()),
            ends: Vec::with_capacity(sorted.len()),
        };
        for string in sorted {
            strings.bytes.extend_from_slice(string);
            strings.ends.push(strings.bytes.len() as u32);
        }
        strings
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, rank: u32) -> &[u8] {
        let rank = rank as usize;
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] as usize };
        &self.bytes[start..self.ends[rank] as usize]
    }

    /// The rank of `string`, if it is there.
    pub(crate) fn find(&self, string: &[u8]) -> Option<u32> {
        let rank = self.lower_bound(string);
        (rank < self.len() as u32 && self.get(rank) == string).then_some(rank)
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
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>()
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

/// For each key 0..n a run of values: `values[starts[k]..starts[k + 1]]` (compressed sparse rows).
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
    fn groups_in_order() {
        let pairs = [(2, 7), (0, 1), (2, 3)];
        let postings = Postings::group(3, pairs.iter().copied());
        assert_eq!((postings.get(0), postings.get(1), postings.get(2)), (&[1][..], &[][..], &[7, 3][..]));
    }
}
