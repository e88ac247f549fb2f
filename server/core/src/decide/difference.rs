//! Measures how the requested path differs from the first candidate: by slips of the keyboard, or as another name. Used
//! by `confidence`.

use std::borrow::Cow;

use super::input::DecisionInput;
use crate::distance::edits_within;
use crate::features::Feature;
use crate::features::alignment::slip_similarity;
use crate::path;
use crate::prepared_query::{SearchTarget, Segment};
use crate::rank::Ranked;
use crate::words::{key_of, split_extension};

/// Names of [`values`], in order.
pub(super) const NAMES: [&str; 16] = [
    // Edits between the stems, in quarters, at most 1; and as a share of the longer stem.
    "edits",
    "edits_share",
    // The stems differ by one slip: swapped neighbours, a letter doubled, left out or added inside, or a neighbouring key.
    "slip",
    // The stems differ by one letter at the beginning or end.
    "slip_at_end",
    // One stem is the plural of the other.
    "plural",
    // The stems begin with the same letter.
    "same_initial",
    // Letters of the requested stem, in twentieths, at most 1.
    "stem_length",
    // Requested directories: share that the candidate has in order, share that it has but for a slip, and number that
    // it lacks, in quarters.
    "directories_kept",
    "directories_slipped",
    "directories_missed",
    // Directories of the candidate before, between and behind the matched ones, in quarters.
    "directories_before",
    "directories_between",
    "directories_behind",
    // Only one of the names begins with a dot.
    "dot_differs",
    // Only one of the stems is in capitals.
    "capitals_differ",
    // The extension differs by a slip.
    "extension_slip",
];

/// Values of the signals in [`NAMES`].
pub(super) fn values(input: &DecisionInput<'_>, first: &Ranked) -> [f32; NAMES.len()] {
    let target = &input.query.targets[first.target];
    let query = &input.query.names[target.name];
    let path = first.path.as_bytes();
    let name = path::name(path);
    let (stem, extension) = split_extension(name);
    let key = key_of(stem);
    let longer = query.key.len().max(key.len()).max(1);
    let edits = query.pattern.distance(&key);
    let change = NameChange::between(&query.key, &key);
    let directories = DirectoryAlignment::align(target, path);
    let count = directories.query.max(1) as f32;
    let quarters = |number: usize| (number.min(4) as f32) / 4.0;
    let flag = |yes: bool| f32::from(u8::from(yes));
    let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
    let extension_slip = query.extension != extension
        && query.extension.len().min(extension.len()) >= 2
        && first.get(Feature::ExtensionNear) == 0.0
        && edits_within(query.extension.as_bytes(), extension.as_bytes(), 1).is_some();
    [
        quarters(edits),
        edits as f32 / longer as f32,
        flag(change == NameChange::Slip),
        flag(change == NameChange::End),
        flag(change == NameChange::Plural),
        flag(query.key.first() == key.first()),
        (query.key.len().min(20) as f32) / 20.0,
        directories.kept as f32 / count,
        directories.slipped as f32 / count,
        quarters(directories.query - directories.kept - directories.slipped),
        quarters(directories.before),
        quarters(directories.between),
        quarters(directories.behind),
        flag(query.text.starts_with('.') != name.starts_with(b".")),
        flag(is_capitals(query.stem.as_bytes()) != is_capitals(stem)),
        flag(extension_slip),
    ]
}

/// Returns whether a stem is written in capitals: at least two capitals, and no lower-case letter.
pub(super) fn is_capitals(stem: &[u8]) -> bool {
    stem.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 2 && !stem.iter().any(u8::is_ascii_lowercase)
}

/// The kind of difference between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameChange {
    /// No difference, or more than one slip.
    Other,
    /// A slip of the keyboard inside the key.
    Slip,
    /// One letter more or less at the beginning or end.
    End,
    /// One key is the plural of the other.
    Plural,
}

impl NameChange {
    fn between(left: &[u8], right: &[u8]) -> Self {
        let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
        let plural = [&b"s"[..], b"es"].iter().any(|ending| long.strip_suffix(*ending) == Some(short))
            || long.strip_suffix(b"ies").is_some_and(|root| short.strip_suffix(b"y") == Some(root));
        if plural && !short.is_empty() {
            return Self::Plural;
        }
        let front = short.iter().zip(long).take_while(|(a, b)| a == b).count();
        let back = short.iter().rev().zip(long.iter().rev()).take_while(|(a, b)| a == b).count();
        match long.len() - short.len() {
            1 if front + back >= short.len() => {
                let doubled = long.get(front).is_some_and(|letter| front > 0 && long[front - 1] == *letter);
                if doubled || front > 0 && back > 0 { Self::Slip } else { Self::End }
            }
            0 if front + back + 2 == short.len() => {
                let swapped = short[front] == long[front + 1] && short[front + 1] == long[front];
                if swapped { Self::Slip } else { Self::Other }
            }
            0 if front + back + 1 == short.len() && are_neighbours(short[front], long[front]) => Self::Slip,
            _ => Self::Other,
        }
    }
}

/// Returns whether two keys are next to each other on a QWERTY keyboard.
fn are_neighbours(left: u8, right: u8) -> bool {
    const ROWS: [&[u8]; 4] = [b"1234567890", b"qwertyuiop", b"asdfghjkl", b"zxcvbnm"];
    let place = |letter: u8| {
        let row = ROWS.iter().position(|row| row.contains(&letter))?;
        Some((row, ROWS[row].iter().position(|&key| key == letter)?))
    };
    let (Some(left), Some(right)) = (place(left), place(right)) else { return false };
    // Each row is half a key further to the right than the one above it.
    match left.0.abs_diff(right.0) {
        0 => left.1.abs_diff(right.1) == 1,
        1 => {
            let (upper, lower) = if left.0 < right.0 { (left, right) } else { (right, left) };
            lower.1 == upper.1 || lower.1 + 1 == upper.1
        }
        _ => false,
    }
}

/// Alignment of the requested directories with the candidate's, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DirectoryAlignment {
    pub(super) query: usize,
    /// Requested directories that the candidate has, up to case and separators.
    pub(super) kept: usize,
    /// Requested directories that the candidate has but for a slip.
    pub(super) slipped: usize,
    before: usize,
    between: usize,
    behind: usize,
}

impl DirectoryAlignment {
    /// Returns whether the directories are equal but for a slip in one of them.
    pub(super) fn has_one_slip(&self) -> bool {
        self.slipped == 1 && self.kept + 1 == self.query && self.before + self.between + self.behind == 0
    }

    /// Finds the alignment with the most kept directories, and then the most slipped ones: longest common subsequence,
    /// in which a slip scores less than a match.
    pub(super) fn align(target: &SearchTarget, path: &[u8]) -> Self {
        const KEPT: usize = 100;
        const SLIPPED: usize = 60;
        let mut own: Vec<(&[u8], Cow<'_, [u8]>)> =
            path.split(|&byte| byte == b'/').map(|name| (name, key_of(split_extension(name).0))).collect();
        own.pop();
        let query = &target.directories;
        let mut worths = vec![0; own.len() * query.len()];
        let mut best = vec![vec![0; own.len() + 1]; query.len() + 1];
        for i in (0..query.len()).rev() {
            for j in (0..own.len()).rev() {
                let worth = match directory_match(&query[i], own[j].0, &own[j].1) {
                    Some(true) => KEPT,
                    Some(false) => SLIPPED,
                    None => 0,
                };
                worths[i * own.len() + j] = worth;
                let here = if worth == 0 { 0 } else { worth + best[i + 1][j + 1] };
                best[i][j] = here.max(best[i + 1][j]).max(best[i][j + 1]);
            }
        }
        let mut found = Self { query: query.len(), ..Self::default() };
        let (mut i, mut j) = (0, 0);
        let mut last = None;
        while i < query.len() && j < own.len() {
            let worth = worths[i * own.len() + j];
            if worth > 0 && best[i][j] == worth + best[i + 1][j + 1] {
                found.kept += usize::from(worth == KEPT);
                found.slipped += usize::from(worth == SLIPPED);
                match last {
                    None => found.before = j,
                    Some(last) => found.between += j - last - 1,
                }
                last = Some(j);
                (i, j) = (i + 1, j + 1);
            } else if best[i][j] == best[i][j + 1] {
                j += 1;
            } else {
                i += 1;
            }
        }
        match last {
            None => found.before = own.len(),
            Some(last) => found.behind = own.len() - last - 1,
        }
        found
    }
}

/// Returns `Some(true)` for the requested directory, `Some(false)` for one that differs by a slip, `None` for another
/// one. `key` is that of the name's stem.
fn directory_match(query: &Segment, name: &[u8], key: &[u8]) -> Option<bool> {
    if query.text.as_bytes() == name || !key.is_empty() && query.key == key {
        return Some(true);
    }
    (slip_similarity(query, key) > 0.0).then_some(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_slips_from_other_names() {
        for (left, right, expected) in [
            ("client", "clinet", NameChange::Slip),
            ("client", "clent", NameChange::Slip),
            ("client", "clientt", NameChange::Slip),
            ("client", "cloent", NameChange::Slip),
            ("client", "clxent", NameChange::Other),
            ("client", "clientx", NameChange::End),
            ("client", "lient", NameChange::End),
            ("package", "packages", NameChange::Plural),
            ("query", "queries", NameChange::Plural),
            ("batch", "batches", NameChange::Plural),
            ("client", "server", NameChange::Other),
            ("", "a", NameChange::End),
        ] {
            assert_eq!(NameChange::between(left.as_bytes(), right.as_bytes()), expected, "{left} {right}");
            assert_eq!(NameChange::between(right.as_bytes(), left.as_bytes()), expected, "{right} {left}");
        }
    }
}
