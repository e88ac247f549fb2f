//! Edit distance and word similarity. Used by `candidates`, `features`, `decide`, `find` and the other packages.

use crate::words::{letter_set, may_be_within};

/// Longest pattern, in bytes, that fits the machine word.
const WORD_BITS: usize = 64;

/// A key prepared for comparison with many others.
///
/// Optimal string alignment distance (insertion, deletion, substitution, transposition of neighbours) by the
/// bit-parallel method of Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances" (2003):
/// one machine word holds a column of the matrix. It works on bytes, so a wrong non-ASCII letter counts as one to three
/// edits.
#[derive(Clone, Debug)]
pub struct Pattern {
    positions: Box<[u64; 256]>,
    length: usize,
    /// The rest of the key, behind the machine word.
    tail: Vec<u8>,
}

impl Pattern {
    /// Prepares `key`; its first 64 bytes are aligned, the rest is only compared for equality.
    pub fn new(key: &[u8]) -> Self {
        let (key, tail) = key.split_at(key.len().min(WORD_BITS));
        let mut positions = Box::new([0_u64; 256]);
        for (at, &byte) in key.iter().enumerate() {
            positions[usize::from(byte)] |= 1 << at;
        }
        Self { positions, length: key.len(), tail: tail.to_vec() }
    }

    /// Returns the number of edits between the pattern and `other`.
    pub fn distance(&self, other: &[u8]) -> usize {
        let (other, beyond) = other.split_at(other.len().min(WORD_BITS));
        if self.length == 0 {
            return other.len() + beyond.len();
        }
        let last = 1_u64 << (self.length - 1);
        let (mut plus, mut minus) = (u64::MAX, 0_u64);
        let (mut diagonal, mut before) = (0_u64, 0_u64);
        let mut distance = self.length;
        for &byte in other {
            let equal = self.positions[usize::from(byte)];
            let swapped = ((!diagonal & equal) << 1) & before;
            diagonal = ((equal & plus).wrapping_add(plus) ^ plus) | equal | minus | swapped;
            let up = minus | !(diagonal | plus);
            let down = diagonal & plus;
            distance += usize::from(up & last != 0);
            distance -= usize::from(down & last != 0);
            let up = (up << 1) | 1;
            plus = (down << 1) | !(diagonal | up);
            minus = up & diagonal;
            before = equal;
        }
        // The tails behind the machine word are not aligned: if they differ, each byte counts as an edit.
        let tails = self.tail.len().max(beyond.len());
        distance + if self.tail == beyond { 0 } else { tails.max(1) }
    }
}

/// Returns the number of edits between two short words, or `None` if there are more than `most` (at most 3). Computes
/// the band of the textbook matrix that can stay below `most`, and stops as soon as a row exceeds it.
pub fn edits_within(left: &[u8], right: &[u8], most: usize) -> Option<usize> {
    /// Longer words use [`Pattern`], which repays its set-up.
    const SHORT_BYTES: usize = 32;
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    // Equal ends need no edits, and a typo leaves little between them.
    let front = common_prefix(left, right);
    let (left, right) = (&left[front..], &right[front..]);
    let back = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[..left.len() - back], &right[..right.len() - back]);
    if most == 0 || left.is_empty() || right.is_empty() {
        let distance = left.len().max(right.len());
        return (distance <= most).then_some(distance);
    }
    if most == 1 {
        // One letter for another, or two neighbours swapped.
        let is_one = match (left, right) {
            ([_], [_]) => true,
            ([a, b], [c, d]) => a == d && b == c,
            _ => false,
        };
        return is_one.then_some(1);
    }
    if !may_be_within(letter_set(left), letter_set(right), most as u32) {
        return None;
    }
    if left.len() > SHORT_BYTES || right.len() > SHORT_BYTES {
        let distance = Pattern::new(left).distance(right);
        return (distance <= most).then_some(distance);
    }
    let beyond = most as u8 + 1;
    let mut rows = [[beyond; SHORT_BYTES + 1]; 3];
    for (column, cell) in rows[0].iter_mut().enumerate().take(most + 1) {
        *cell = column as u8;
    }
    for i in 1..=left.len() {
        let (now, before, twice) = (i % 3, (i + 2) % 3, (i + 1) % 3);
        rows[now] = [beyond; SHORT_BYTES + 1];
        if i <= most {
            rows[now][0] = i as u8;
        }
        let mut least = rows[now][0];
        for j in i.saturating_sub(most).max(1)..=(i + most).min(right.len()) {
            let substitution = rows[before][j - 1] + u8::from(left[i - 1] != right[j - 1]);
            let mut best = substitution.min(rows[before][j] + 1).min(rows[now][j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[twice][j - 2] + 1);
            }
            rows[now][j] = best.min(beyond);
            least = least.min(best);
        }
        if least > most as u8 && i > 1 && rows[before].iter().all(|&cell| usize::from(cell) > most) {
            return None;
        }
    }
    let distance = usize::from(rows[left.len() % 3][right.len()]);
    (distance <= most).then_some(distance)
}

/// Returns how many edits count as a typo for a key of this length: one in a short word, at most three in a long one.
/// More edits would make another word.
pub fn edits_allowed(length: usize) -> usize {
    match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=10 => 2,
        _ => 3,
    }
}

/// Returns the length of the common prefix, in bytes.
pub fn common_prefix(left: &[u8], right: &[u8]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

/// Similarity of two words (lower case): 1 equal, 0 unrelated. Inflections (`parse`/`parser`,
/// `capability`/`capabilities`, `test`/`tests`) and abbreviations by prefix (`config`/`configuration`) count for more
/// than their edit distance suggests.
pub fn word_similarity(left: &str, right: &str) -> f32 {
    if left.as_bytes().first() == right.as_bytes().first() {
        // Forms of a word share its initial.
        let similar_form = word_form_similarity(left, right);
        if similar_form > 0.0 {
            return similar_form;
        }
    } else if left.as_bytes().last() != right.as_bytes().last() {
        // A typo in the first letter leaves the last one alone.
        return 0.0;
    }
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    let allowed = edits_allowed(short.len());
    if short.len() < 4 || long.len() - short.len() > allowed {
        return 0.0;
    }
    if short.iter().any(u8::is_ascii_digit) || long.iter().any(u8::is_ascii_digit) {
        return 0.0;
    }
    let distance = edits_within(short, long, allowed);
    distance.map_or(0.0, |distance| 1.0 - 1.3 * distance as f32 / long.len() as f32)
}

/// Similarity of two correctly spelled words: like [`word_similarity`], but typos count for nothing.
pub fn word_form_similarity(left: &str, right: &str) -> f32 {
    if left == right {
        return 1.0;
    }
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    // Different numbers are different names: 2026 is no typo of 2011.
    if short.len() < 2 || short.iter().any(u8::is_ascii_digit) || long.iter().any(u8::is_ascii_digit) {
        return 0.0;
    }
    let shared = common_prefix(short, long);
    let ratio = shared as f32 / long.len() as f32;
    if shared == short.len() {
        return match long.len() - short.len() {
            1 if long.ends_with(b"s") && short.len() >= 3 => 0.95,
            1 | 2 if shared >= 3 => 0.85,
            _ if shared >= 3 => 0.45 + 0.4 * ratio,
            _ => 0.0,
        };
    }
    // A shared beginning with different inflections: `capability`, `capabilities`; `modify`, `modification`.
    if shared >= 4 && long.len() - shared <= 5 && short.len() - shared <= 3 && ratio >= 0.5 {
        return 0.45 + 0.45 * ratio;
    }
    if is_abbreviation(short, long) { 0.6 } else { 0.0 }
}

/// Returns whether a word abbreviates another: `cmd`/`command`, `msg`/`message`, `pkg`/`package`. Both have one
/// initial, and the rest is a subsequence without vowels.
fn is_abbreviation(short: &[u8], long: &[u8]) -> bool {
    if !(2..=4).contains(&short.len()) || long.len() < short.len() + 2 || short[0] != long[0] {
        return false;
    }
    let mut rest = long[1..].iter();
    short[1..].iter().all(|letter| rest.any(|other| other == letter))
        && short[1..].iter().all(|letter| !b"aeiou".contains(letter))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The textbook matrix, which the fast methods must equal.
    fn edit_matrix(left: &[u8], right: &[u8]) -> usize {
        let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
        for (i, row) in rows.iter_mut().enumerate() {
            row[0] = i;
        }
        rows[0] = (0..=right.len()).collect();
        for i in 1..=left.len() {
            for j in 1..=right.len() {
                let substitution = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
                let mut best = substitution.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                rows[i][j] = best;
            }
        }
        rows[left.len()][right.len()]
    }

    proptest! {
        #[test]
        fn distance_equals_the_matrix(left in "[abc]{0,64}", right in "[abc]{0,64}") {
            let pattern = Pattern::new(left.as_bytes());
            prop_assert_eq!(pattern.distance(right.as_bytes()), edit_matrix(left.as_bytes(), right.as_bytes()));
        }

        #[test]
        fn edits_within_equals_the_matrix(left in "[abc]{0,36}", right in "[abc]{0,36}", most in 0_usize..=3) {
            let distance = edit_matrix(left.as_bytes(), right.as_bytes());
            let expected = (distance <= most).then_some(distance);
            prop_assert_eq!(edits_within(left.as_bytes(), right.as_bytes(), most), expected);
        }

        #[test]
        fn finds_small_edits(word in "[a-e]{1,20}", at in 0_usize..20, other in "[a-e]{0,2}") {
            let at = at.min(word.len() - 1);
            let changed = format!("{}{other}{}", &word[..at], &word[at + 1..]);
            let distance = edit_matrix(word.as_bytes(), changed.as_bytes());
            prop_assert_eq!(edits_within(word.as_bytes(), changed.as_bytes(), 3), (distance <= 3).then_some(distance));
        }

        #[test]
        fn similarity_is_symmetric_and_bounded(left in "[a-d0-1]{1,9}", right in "[a-d0-1]{1,9}") {
            let similarity = word_similarity(&left, &right);
            prop_assert!((0.0..=1.0).contains(&similarity));
            prop_assert!((similarity - word_similarity(&right, &left)).abs() < 1e-6);
        }
    }

    #[test]
    fn scores_related_words() {
        let check = |left: &str, right: &str, least: f32, most: f32| {
            let similarity = word_similarity(left, right);
            assert!((least..=most).contains(&similarity), "{left} {right}: {similarity}");
        };
        check("test", "tests", 0.9, 0.99);
        check("parse", "parser", 0.8, 0.9);
        check("capability", "capabilities", 0.75, 0.9);
        check("config", "configuration", 0.6, 0.8);
        check("cmd", "command", 0.5, 0.7);
        check("clinet", "client", 0.7, 0.9);
        check("2026", "2011", 0.0, 0.0);
        check("web", "app", 0.0, 0.0);
        check("src", "lib", 0.0, 0.0);
    }
}
