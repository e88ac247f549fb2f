//! What holds while a text is edited: a document has what its text has from scratch, and what is passed over for being far
//! from every word that matters has no literal.

use proptest::prelude::*;

use super::{SAMPLES, project};
use crate::checked::Checked;
use crate::document::Document;
use crate::language::hits::everywhere;
use crate::source::Source;

/// What is typed: what opens and closes something in one of the languages, what indents, words that literals begin with, and characters
/// of two, three and four bytes.
const TYPED: &str = "([(){}<>\\[\\]\"'`/\\\\#*@$%:;,.= \n\tа-в]|\\.\\./|/\\*|<!--|\u{1f600}|'''|\"\"\"|\n    |def f\\(a\\):\n|class A:|@a\n|try:|except|else:|import |from |require\\(|include |mod |b\\.txt|\\./b){0,3}";

/// A place in a text that an edit likes to be at: the edges of literals, and anywhere.
fn place(at: prop::sample::Index, is_edge: bool, text: &str, literals: &[Checked]) -> usize {
    let edges: Vec<usize> = literals.iter().flat_map(|literal| [literal.range.start, literal.range.end]).collect();
    let at = if is_edge && !edges.is_empty() { edges[at.index(edges.len())] } else { at.index(text.len() + 1) };
    text.floor_char_boundary(at.min(text.len()))
}

fn scratch(path: &str, text: &str) -> Vec<Checked> {
    Source::new(path, text.as_bytes()).map(|source| crate::check(&source, project())).unwrap_or_default()
}

/// Where, whether at an edge, how many bytes go, what comes, whether it is looked at.
type Edits = Vec<(prop::sample::Index, bool, usize, String, bool)>;

/// Edits one after another; after each that is looked at, the document has what its text has from scratch.
fn follow(path: &str, text: String, edits: Edits) -> Result<(), TestCaseError> {
    let mut document = Document::new(path, text);
    let mut literals = document.check(project());
    let last = edits.len() - 1;
    for (index, (at, is_edge, length, with, is_checked)) in edits.into_iter().enumerate() {
        let start = place(at, is_edge, document.text(), &literals);
        let end = document.text().ceil_char_boundary((start + length).min(document.text().len()));
        prop_assert!(document.edit(start..end, &with));
        // Several edits can come at once.
        if is_checked || index == last {
            literals = document.check(project());
            if document.settle() {
                literals = document.check(project());
            }
            let text = document.text();
            prop_assert!(*literals == *scratch(path, text), "{}: {:?}", path, crate::path::head(text, 2_000));
        }
    }
    Ok(())
}

fn edits(most: usize) -> impl Strategy<Value = Edits> {
    prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), 0..9usize, TYPED, any::<bool>()), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Texts that are too long to be read from scratch after each edit.
    #[test]
    fn incremental_is_from_scratch_in_long_texts(which in 0..SAMPLES.len(), edits in edits(3)) {
        let (path, text) = SAMPLES[which];
        follow(path, text.repeat((1 << 16) / text.len() + 2), edits)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Several of each sample make blocks that an edit leaves alone.
    #[test]
    fn incremental_is_from_scratch(which in 0..SAMPLES.len(), times in 1..12usize, edits in edits(8)) {
        let (path, text) = SAMPLES[which];
        follow(path, text.repeat(times), edits)?;
    }

    #[test]
    fn nothing_is_passed_over(
        which in 0..SAMPLES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), 0..9usize, TYPED), 0..6),
    ) {
        let (path, text) = SAMPLES[which];
        let mut text = text.repeat(2);
        for (at, is_edge, length, with) in edits {
            let start = place(at, is_edge, &text, &scratch(path, &text));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &with);
        }
        let whole = everywhere(|| scratch(path, &text));
        prop_assert_eq!(scratch(path, &text), whole, "{}: {:?}", path, text);
    }
}
