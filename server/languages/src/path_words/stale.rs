//! Finds the words of texts for people that a recent move made stale.

use std::ops::Range;

use pathfinder_literals::{Checked, LiteralKind, Project, Source};

use super::records::{has_new_name, lines_around, tells_of_moves};
use super::{MAX_WORD_BYTES, MAX_WORDS, has_ending, resolve_moved, words_of};
use crate::file_moves::FileMoves;
use crate::install_directories::InstallDirectories;

/// Words of one text for people that are reported. Each is ranked, and a text that has more was not meant to stay right.
const MAX_STALE_WORDS: usize = 200;

/// Adds the words of a text for people that a recent move made stale. Of others nothing is known: they can be paths of the reader's project.
pub(crate) fn check_moved(source: &Source<'_>, project: &Project, kind: LiteralKind, found: &mut Vec<Checked>) {
    check_moved_in(source, project, kind, std::iter::once(0..source.text().len()), found);
}

/// Adds what [`check_moved`] does in these byte ranges.
pub(crate) fn check_moved_in(
    source: &Source<'_>,
    project: &Project,
    kind: LiteralKind,
    ranges: impl IntoIterator<Item = Range<usize>>,
    found: &mut Vec<Checked>,
) {
    let moves = project.index::<FileMoves>();
    let mut ranges = ranges.into_iter().peekable();
    if moves.is_empty() || ranges.peek().is_none() {
        return;
    }
    // Code in a line of text begins and ends with marks, and agents read what follows an `@`.
    let text = source.text().replace(['`', '@'], " ");
    let offset = source.offset();
    let known: Vec<Range<usize>> = found.iter().map(|literal| literal.range.clone()).collect();
    let mut count = 0;
    // Text after a variable can be an address, and programs fill in what is in braces.
    let is_whole = |word: &Range<usize>| {
        let start = text.floor_char_boundary(word.start.saturating_sub(MAX_WORD_BYTES));
        let line = text[start..word.start].rsplit('\n').next().unwrap_or_default();
        let is_between = |c: char| c.is_whitespace() || "(\"'".contains(c);
        line.chars().next_back().is_none_or(is_between) && line.rfind('{') <= line.rfind('}')
    };
    let installs = project.index::<InstallDirectories>();
    let words = ranges.flat_map(|range| words_of(&text, range, installs, |_| None));
    let words = words.filter(|word| has_ending(&text[word.clone()]) && is_whole(word));
    for word in words.take(MAX_WORDS) {
        let range = word.start + offset..word.end + offset;
        if !known.iter().any(|other| other.start < range.end && range.start < other.end)
            && let Some((verdict, tried)) = resolve_moved(source, project, moves, &word)
            && !has_new_name(&text, &word, &verdict)
            && !tells_of_moves(lines_around(&text, word.start))
        {
            found.push(Checked { kind, range, verdict, tried });
            count += 1;
            if count == MAX_STALE_WORDS {
                return;
            }
        }
    }
}
