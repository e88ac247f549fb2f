//! `BitSet`: a bit set of small numbers; marks dead entries.

/// A set of numbers; takes no memory while it is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitSet {
    words: Vec<u64>,
    /// Number of its elements.
    pub(crate) count: usize,
}

impl BitSet {
    /// Returns whether the number is in it.
    pub(crate) fn get(&self, at: u32) -> bool {
        self.words.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// Sets or clears a number; returns whether that changed the set. `size` is one past the largest number.
    pub(crate) fn set(&mut self, at: u32, value: bool, size: u32) -> bool {
        if self.get(at) == value {
            return false;
        }
        self.words.resize((size as usize).div_ceil(64), 0);
        self.words[at as usize / 64] ^= 1 << (at % 64);
        if value {
            self.count += 1;
        } else {
            self.count -= 1;
        }
        true
    }
}
