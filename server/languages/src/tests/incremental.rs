//! Properties of incremental checks: an edited document has the literals of a check from scratch, and text that is skipped
//! because no keyword is near has no literal.

use proptest::prelude::*;

use super::{SAMPLES, project};
use crate::keyword_hits::everywhere;
use pathfinder_literals::{Checked, Document, Source};
use pathfinder_syntax::grammars::{ELIXIR, JAVASCRIPT, PHP, PYTHON, RUBY, RUST, TSX, TYPESCRIPT};

/// A regular expression for inserted text: delimiters of all languages, indentation, keywords of literals, and characters of two,
/// three and four bytes.
const INSERTED: &str = "([(){}<>\\[\\]\"'`/\\\\#*@$%:;,.= \n\tа-в]|\\.\\./|/\\*|<!--|\u{1f600}|'''|\"\"\"|\n    |def f\\(a\\):\n|class A:|@a\n|try:|except|else:|import |from |require\\(|include |mod |b\\.txt|\\./b){0,3}";

/// Returns a byte offset for an edit: the edge of a literal, or any.
fn edit_offset(at: prop::sample::Index, is_edge: bool, text: &str, literals: &[Checked]) -> usize {
    let edges: Vec<usize> = literals.iter().flat_map(|literal| [literal.range.start, literal.range.end]).collect();
    let at = if is_edge && !edges.is_empty() { edges[at.index(edges.len())] } else { at.index(text.len() + 1) };
    text.floor_char_boundary(at.min(text.len()))
}

/// Checks a text from scratch.
fn check_from_scratch(path: &str, text: &str) -> Vec<Checked> {
    Source::new(path, text.as_bytes()).map(|source| pathfinder_literals::check(&source, project())).unwrap_or_default()
}

/// Returns whether a text in a language of which only parts are parsed has a syntax error, or may have one.
fn is_broken(path: &str, text: &str) -> bool {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let grammar = match extension {
        "exs" => &ELIXIR,
        "js" => &JAVASCRIPT,
        "php" => &PHP,
        "py" => &PYTHON,
        "rb" => &RUBY,
        "rs" => &RUST,
        "ts" => &TYPESCRIPT,
        "tsx" => &TSX,
        _ => return matches!(extension, "astro" | "svelte" | "vue"),
    };
    grammar.parse(text).is_none_or(|tree| tree.root_node().has_error())
}

/// Edits: offset, whether at the edge of a literal, deleted bytes, inserted text, whether the document is checked after it.
type Edits = Vec<(prop::sample::Index, bool, usize, String, bool)>;

/// Applies edits in order and compares the document with a check from scratch.
fn compare_after_edits(path: &str, text: String, edits: Edits) -> Result<(), TestCaseError> {
    let mut document = Document::new(path, text);
    let mut literals = document.check(project());
    let last = edits.len() - 1;
    for (index, (at, is_edge, length, with, is_checked)) in edits.into_iter().enumerate() {
        let start = edit_offset(at, is_edge, document.text(), &literals);
        let end = document.text().ceil_char_boundary((start + length).min(document.text().len()));
        prop_assert!(document.edit(start..end, &with));
        // Several edits can precede one check.
        if is_checked || index == last {
            literals = document.check(project());
            if document.drop_inexact_trees() {
                literals = document.check(project());
            }
            let text = document.text();
            prop_assert!(
                *literals == *check_from_scratch(path, text),
                "{}: {:?}",
                path,
                pathfinder_literals::path::head(text, 2_000)
            );
        }
    }
    Ok(())
}

fn edits(max_count: usize) -> impl Strategy<Value = Edits> {
    prop::collection::vec(
        (any::<prop::sample::Index>(), any::<bool>(), 0..9usize, INSERTED, any::<bool>()),
        1..max_count,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    /// Texts that are too long to be reparsed from scratch after each edit.
    #[test]
    fn long_texts_match_a_check_from_scratch(which in 0..SAMPLES.len(), edits in edits(3)) {
        let (path, text) = SAMPLES[which];
        compare_after_edits(path, text.repeat((1 << 16) / text.len() + 2), edits)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Repeats each sample, so that there are blocks that an edit does not touch.
    #[test]
    fn repeated_samples_match_a_check_from_scratch(which in 0..SAMPLES.len(), times in 1..12usize, edits in edits(8)) {
        let (path, text) = SAMPLES[which];
        compare_after_edits(path, text.repeat(times), edits)?;
    }

    #[test]
    fn skipped_text_has_no_literals(
        which in 0..SAMPLES.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), 0..9usize, INSERTED), 0..6),
    ) {
        let (path, text) = SAMPLES[which];
        let mut text = text.repeat(2);
        for (at, is_edge, length, with) in edits {
            let start = edit_offset(at, is_edge, &text, &check_from_scratch(path, &text));
            let end = text.ceil_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end, &with);
        }
        let whole = everywhere(|| check_from_scratch(path, &text));
        let near = check_from_scratch(path, &text);
        if is_broken(path, &text) {
            // Words that can begin no literal in a whole text begin none in a broken one.
            const SKIPPING: [&str; 9] = [".astro", ".exs", ".js", ".py", ".rs", ".svelte", ".ts", ".tsx", ".vue"];
            if SKIPPING.iter().any(|end| path.ends_with(end)) {
                return Ok(());
            }
            // The beginning of a broken text can be whole, and then has literals that the tree of the text loses.
            let lost: Vec<&Checked> = whole.iter().filter(|literal| !near.contains(literal)).collect();
            prop_assert!(lost.is_empty(), "{}: {:?}: {:?}", path, text, lost);
        } else {
            prop_assert_eq!(near, whole, "{}: {:?}", path, text);
        }
    }
}
