//! Aligns requested directories with a candidate's: missing, extra and replaced ones have a cost each.
//!
//! Needleman and Wunsch's recurrence over segments instead of letters. It is extended by one candidate directory at a
//! time, so directories with a common beginning share the work. Directories missing before the first requested one are
//! nearly free: people leave leading directories out.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::flags::PathFlags;
use crate::distance::{edits_allowed, edits_within, word_similarity};
use crate::prepared_query::{SearchTarget, Segment};
use crate::words::{WordList, initials, key_of, may_be_within, split_extension};

/// A requested directory that the candidate lacks. The unit of all costs here.
const ASKED_SKIPPED: f32 = 1.0;
/// A skipped directory at the front of a path from another machine: none of those is expected here.
const FOREIGN_SKIPPED: f32 = 0.08;
/// One requested directory replaced by another: dearer than either, cheaper than both.
const REPLACED: f32 = 1.25;
/// A candidate directory before all requested ones.
const LEADING: f32 = 0.08;
/// A candidate directory between requested ones.
const BETWEEN: f32 = 0.45;
/// A candidate directory after all requested ones, where the file would have been expected.
const TRAILING: f32 = 0.5;

/// A directory name of the tree, split once.
#[derive(Debug)]
pub(crate) struct DirectoryName<'a> {
    name: &'a [u8],
    letters: u64,
    key: OnceCell<Cow<'a, [u8]>>,
    /// First letters of the words.
    initials: u64,
    pub(crate) words: WordList<'a>,
    pub(crate) flags: PathFlags,
}

impl<'a> DirectoryName<'a> {
    /// `letters` is the letter set of the name's stem.
    pub(crate) fn new(name: &'a [u8], letters: u64) -> Self {
        let words = WordList::new(name);
        let (initials, flags) = (initials(words.iter()), PathFlags::from_words(words.iter()));
        Self { name, letters, key: OnceCell::new(), initials, words, flags }
    }

    fn key(&self) -> &[u8] {
        self.key.get_or_init(|| key_of(split_extension(self.name).0))
    }
}

/// Similarity of a requested directory and one of the tree: 1 equal, 0 unrelated.
pub(crate) fn similarity(asked: &Segment, parts: &DirectoryName<'_>) -> f32 {
    if asked.text.as_bytes() == parts.name {
        return 1.0;
    }
    let mut best = 0.0_f32;
    let allowed = edits_allowed(asked.key.len());
    if !asked.key.is_empty() && may_be_within(asked.letters, parts.letters, allowed as u32) {
        let key = parts.key();
        if asked.key == key {
            return 0.95;
        }
        best = slip_similarity(asked, key);
    }
    // Related words nearly always share their initial; most pairs of names end here.
    if asked.initials & parts.initials == 0 {
        return best;
    }
    if asked.words.len() == 1 && parts.words.len() == 1 {
        return parts.words.iter().fold(best, |best, word| best.max(0.9 * word_similarity(&asked.words[0].word, word)));
    }
    let mut shared = 0.0;
    for word in &asked.words {
        shared += parts.words.iter().map(|other| word_similarity(&word.word, other)).fold(0.0, f32::max);
    }
    let most = asked.words.len().max(parts.words.len()).max(1);
    // Part of a compound name is a weaker sign than a misspelt whole.
    best.max(0.85 * shared.min(most as f32) / most as f32)
}

/// Similarity of a requested directory and another key that differs by a slip; 0 if it differs by more.
pub(crate) fn slip_similarity(asked: &Segment, key: &[u8]) -> f32 {
    let allowed = edits_allowed(asked.key.len()).min(edits_allowed(key.len()));
    if allowed == 0 || key.iter().any(u8::is_ascii_digit) {
        return 0.0;
    }
    let distance = edits_within(&asked.key, key, allowed);
    distance.map_or(0.0, |distance| 1.0 - 1.3 * distance as f32 / asked.key.len().max(key.len()) as f32)
}

/// Appends the row before any candidate directory: only requested ones are skipped.
pub(crate) fn push_first_row(target: &SearchTarget, row: &mut Vec<f32>) {
    let skip = if target.foreign { FOREIGN_SKIPPED } else { ASKED_SKIPPED };
    let mut cost = 0.0;
    row.push(cost);
    for segment in &target.directories {
        cost += skip * segment.weight;
        row.push(cost);
    }
}

/// Appends to `rows` the row after one more candidate directory. `before` is the start of its parent's row, `alike[i]`
/// its similarity to requested directory `i`.
pub(crate) fn push_next_row(target: &SearchTarget, alike: &[f32], before: usize, rows: &mut Vec<f32>) {
    let last = target.directories.len();
    let start = rows.len();
    for at in 0..=last {
        let extra = match at {
            _ if at == last => {
                if last == 0 {
                    LEADING
                } else {
                    TRAILING
                }
            }
            0 => LEADING,
            _ => BETWEEN,
        };
        let mut best = rows[before + at] + extra;
        if at > 0 {
            let weight = target.directories[at - 1].weight;
            let difference = (1.0 - alike[at - 1]).min(1.0) * REPLACED;
            best = best.min(rows[before + at - 1] + weight * difference);
            best = best.min(rows[start + at - 1] + weight * ASKED_SKIPPED);
        }
        rows.push(best);
    }
}

/// Cost of matching none of the requested directories.
pub(crate) fn max_cost(target: &SearchTarget) -> f32 {
    target.directories.iter().map(|segment| segment.weight).sum::<f32>() * ASKED_SKIPPED
}
