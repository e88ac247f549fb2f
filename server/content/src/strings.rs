//! `StringTable`: strings in one buffer; and variable-length numbers.

use std::ops::Range;

/// A list of byte strings, numbered in order. Costs its bytes and 4 more for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StringTable {
    pub(crate) bytes: Vec<u8>,
    /// `ends[i]` is the end of string `i`, and the start of the next.
    pub(crate) ends: Vec<u32>,
}

impl StringTable {
    /// Appends a string.
    pub(crate) fn push(&mut self, string: &[u8]) {
        self.bytes.extend_from_slice(string);
        self.ends.push(self.bytes.len() as u32);
    }

    /// Returns the memory that it reserved to grow.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// Returns the number of strings.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the string with this number.
    pub(crate) fn get(&self, number: usize) -> &[u8] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] as usize };
        &self.bytes[start..self.ends[number] as usize]
    }

    /// Returns the string with this number as text.
    pub(crate) fn text(&self, number: usize) -> &str {
        std::str::from_utf8(self.get(number)).unwrap_or_default()
    }

    /// Returns the number of a string, if the strings are sorted.
    pub(crate) fn find(&self, string: &[u8]) -> Option<usize> {
        self.find_within(0..self.len(), string)
    }

    /// Returns the number of a string, if the strings are sorted and it can only be at these places.
    fn find_within(&self, places: Range<usize>, string: &[u8]) -> Option<usize> {
        let Range { start: mut low, end: mut high } = places;
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.get(middle) < string {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low < self.len() && self.get(low) == string).then_some(low)
    }

    /// Returns whether the ends belong to the bytes.
    pub(crate) fn is_sound(&self) -> bool {
        self.ends.is_sorted() && self.ends.last().map_or(0, |&end| end as usize) == self.bytes.len()
    }
}

/// The beginnings of some sorted strings, close to each other in memory: a search of all strings reads a place in two lists for each
/// step, most of them far apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Beginnings(Vec<u64>);

impl Beginnings {
    /// Every so many strings have an entry: 0.25 bytes a string, and five steps remain.
    const STEP: usize = 32;

    /// Collects the beginnings of sorted strings.
    pub(crate) fn new(strings: &StringTable) -> Self {
        Self((0..strings.len()).step_by(Self::STEP).map(|at| beginning(strings.get(at))).collect())
    }

    /// Returns the number of a string.
    pub(crate) fn find(&self, strings: &StringTable, string: &[u8]) -> Option<usize> {
        let wanted = beginning(string);
        let low = self.0.partition_point(|&other| other < wanted).saturating_sub(1) * Self::STEP;
        let high = self.0.partition_point(|&other| other <= wanted) * Self::STEP;
        strings.find_within(low..high.min(strings.len()), string)
    }

    /// Returns the memory held, in bytes.
    pub(crate) fn memory(&self) -> usize {
        8 * self.0.capacity()
    }
}

/// Returns the first eight bytes as a number that is ordered as they are.
fn beginning(string: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = string.len().min(bytes.len());
    bytes[..length].copy_from_slice(&string[..length]);
    u64::from_be_bytes(bytes)
}

/// Appends a number, 7 bits a byte.
pub(crate) fn push_varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number from the front; `None` for broken bytes.
pub(crate) fn read_varint(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0_u32;
    for shift in (0..32).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        let numbers = [0, 1, 127, 128, 300, 1 << 20, u32::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            push_varint(&mut bytes, number);
        }
        let mut rest = bytes.as_slice();
        for number in numbers {
            assert_eq!(read_varint(&mut rest), Some(number));
        }
        assert_eq!(read_varint(&mut rest), None);
        assert_eq!(read_varint(&mut [0x80_u8; 9].as_slice()), None);
    }

    #[test]
    fn finds_strings() {
        let mut strings = StringTable::default();
        for string in ["a", "bb", "c"] {
            strings.push(string.as_bytes());
        }
        assert_eq!(strings.find(b"bb"), Some(1));
        assert_eq!(strings.find(b"b"), None);
        assert!(strings.is_sound());
    }

    /// Strings of one beginning fill more than one step.
    #[test]
    fn beginnings_find_every_string() {
        let names = (0..200).map(|number| format!("{}{number:03}", ["a", "beginning", "c"][number / 50 % 3]));
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        for count in [0, 1, 31, 32, 33, 200] {
            let mut strings = StringTable::default();
            names[..count].iter().for_each(|name| strings.push(name.as_bytes()));
            let beginnings = Beginnings::new(&strings);
            for (number, name) in names.iter().enumerate() {
                let expected = (number < count).then_some(number);
                assert_eq!(beginnings.find(&strings, name.as_bytes()), expected, "{name} of {count}");
                assert_eq!(beginnings.find(&strings, format!("{name}0").as_bytes()), None);
            }
            assert_eq!(beginnings.find(&strings, b""), None);
        }
    }
}
