//! `SyntaxTrees`: the tree-sitter trees of one text and of its parts, kept and updated while the text is edited.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::grammars::{Grammar, InputEdit, Point, Tree};
use parking_lot::Mutex;

/// A cache of syntax trees. Clones share it. `Source` and `Document` hold one.
#[derive(Clone, Debug, Default)]
pub struct SyntaxTrees {
    cached: Arc<Mutex<TreesByPart>>,
}

/// Trees by the name of their grammar and the start of their part. Parts of one grammar do not overlap. A long module has
/// thousands.
type TreesByPart = BTreeMap<(&'static str, usize), CachedTree>;

#[derive(Clone, Debug)]
struct CachedTree {
    /// The end of the part of the text.
    end: usize,
    tree: Tree,
    /// The text has changed since the parse, and the edit was applied to the tree.
    is_stale: bool,
    /// The text has syntax errors and was reparsed incrementally: a parse from scratch can give another tree.
    is_inexact: bool,
}

/// Maximum size of a part with syntax errors that is parsed from scratch after each edit.
///
/// The parser's error recovery depends on the reused tree, and so on earlier edits. Parsing this much takes less than 10 ms.
/// Longer parts are parsed from scratch when the document is idle ([`SyntaxTrees::without_inexact`]).
const MAX_FULL_REPARSE_BYTES: usize = 1 << 16;

impl SyntaxTrees {
    /// Returns the tree of a part of a text, from the cache or by parsing. The tree of an earlier text is reused.
    pub fn parse(&self, grammar: &Grammar, text: &str, part: &Range<usize>) -> Option<Tree> {
        let place = (grammar.name(), part.start);
        let old = match self.lock().get(&place).filter(|cached| cached.end == part.end) {
            Some(CachedTree { tree, is_stale: false, .. }) => return Some(tree.clone()),
            Some(CachedTree { tree, .. }) => Some(tree.clone()),
            None => None,
        };
        let mut tree = grammar.reparse(&text[part.clone()], old.as_ref())?;
        let mut is_inexact = old.is_some() && tree.root_node().has_error();
        if is_inexact && part.len() <= MAX_FULL_REPARSE_BYTES {
            tree = grammar.parse(&text[part.clone()])?;
            is_inexact = false;
        }
        let mut cached = self.lock();
        // Removes overlapping parts, which no longer exist in the text, so that the cache does not grow without bound.
        while let Some((&other, before)) = cached.range(..(grammar.name(), part.end)).next_back() {
            if other.0 != grammar.name() || before.end <= part.start && other.1 != part.start {
                break;
            }
            cached.remove(&other);
        }
        cached.insert(place, CachedTree { end: part.end, tree: tree.clone(), is_stale: false, is_inexact });
        Some(tree)
    }

    /// Returns the trees without inexact ones; `None` if no tree is inexact.
    pub fn without_inexact(&self) -> Option<Self> {
        let mut cached = self.lock().clone();
        let all = cached.len();
        cached.retain(|_, tree| !tree.is_inexact);
        (cached.len() < all).then(|| Self { cached: Arc::new(Mutex::new(cached)) })
    }

    /// Returns the trees of the text in which `range` of `before` was replaced by `with`. Drops trees that contain the edit only
    /// partly.
    #[must_use]
    pub fn with_edit(&self, before: &str, range: &Range<usize>, with: &str) -> Self {
        let shifted = |at: usize| at - range.len() + with.len();
        let moved = |((grammar, start), cached): (&(&'static str, usize), &CachedTree)| {
            let (start, end) = (*start, cached.end);
            let mut cached = cached.clone();
            if start <= range.start && range.end <= end {
                let edit = input_edit(&before[start..], &(range.start - start..range.end - start), with);
                cached.tree.edit(&edit);
                cached.is_stale = true;
                cached.end = shifted(end);
                return Some(((*grammar, start), cached));
            }
            if range.end <= start {
                cached.end = shifted(end);
                return Some(((*grammar, shifted(start)), cached));
            }
            (end <= range.start).then_some(((*grammar, start), cached))
        };
        let cached = self.lock().iter().filter_map(moved).collect();
        Self { cached: Arc::new(Mutex::new(cached)) }
    }

    /// Takes over the trees of an earlier or edited text, if this text was never parsed. Leaves out inexact ones.
    pub fn adopt(&self, other: &Self) {
        let mut cached = self.lock();
        if cached.is_empty() && !Arc::ptr_eq(&self.cached, &other.cached) {
            *cached = other
                .lock()
                .iter()
                .filter(|(_, tree)| !tree.is_inexact)
                .map(|(at, tree)| (*at, tree.clone()))
                .collect();
        }
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, TreesByPart> {
        self.cached.lock()
    }
}

/// Converts an edit to the form that tree-sitter takes.
fn input_edit(before: &str, range: &Range<usize>, with: &str) -> InputEdit {
    let start_position = position_after(Point { row: 0, column: 0 }, &before[..range.start]);
    InputEdit {
        start_byte: range.start,
        old_end_byte: range.end,
        new_end_byte: range.start + with.len(),
        start_position,
        old_end_position: position_after(start_position, &before[range.clone()]),
        new_end_position: position_after(start_position, with),
    }
}

/// Returns the position after `text`, which starts at `from`.
fn position_after(from: Point, text: &str) -> Point {
    let rows = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let last = memchr::memrchr(b'\n', text.as_bytes()).map_or(text.len(), |at| text.len() - at - 1);
    Point { row: from.row + rows, column: if rows == 0 { from.column + last } else { last } }
}

#[cfg(test)]
mod tests {
    use super::SyntaxTrees;
    use crate::grammars::PYTHON;

    /// After an edit and back, only the edited part is parsed again.
    #[test]
    fn adopts_the_trees_of_an_edited_text() {
        let (before, after) = ("import a\nimport b\n", "import a.c\nimport b\n");
        let (base, edited) = (SyntaxTrees::default(), SyntaxTrees::default());
        for part in [0..11, 11..20] {
            edited.parse(&PYTHON, after, &part).expect("a tree");
        }
        let adopt = || base.adopt(&edited.with_edit(after, &(8..10), ""));
        adopt();
        let stale =
            |trees: &SyntaxTrees| trees.lock().iter().map(|((_, at), tree)| (*at, tree.is_stale)).collect::<Vec<_>>();
        assert_eq!(stale(&base), [(0, true), (9, false)]);
        let tree = base.parse(&PYTHON, before, &(0..9)).expect("a tree");
        assert_eq!(tree.root_node().to_sexp(), PYTHON.parse(&before[..9]).expect("a tree").root_node().to_sexp());
        // A text that was parsed keeps its trees.
        adopt();
        assert_eq!(stale(&base), [(0, false), (9, false)]);
    }
}
