//! `Trees`: the syntax trees of one text and of its parts, taken over from text to text while it is edited.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use pathfinder_grammars::{Grammar, InputEdit, Point, Tree};

/// See the module's text. Clones share what is parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    known: Arc<Mutex<AllKnown>>,
}

/// By the name of the grammar and where in the text the part begins; no two of one grammar overlap. Of a long module there
/// are thousands.
type AllKnown = BTreeMap<(&'static str, usize), Known>;

#[derive(Clone, Debug)]
struct Known {
    /// Where the part of the text ends that it is the tree of.
    end: usize,
    tree: Tree,
    /// The text has changed since, and the tree was told where.
    is_old: bool,
    /// The text is broken, and the tree was made of that of an earlier text: from scratch it can look different.
    is_rough: bool,
}

/// Bytes up to which a text that is broken is parsed from scratch after each edit. How a parser mends what is broken
/// depends on where it was reused, and so on the edits before. This much takes less than 10 ms; what is longer is parsed
/// from scratch when there is time ([`Trees::settled`]).
const SHORT: usize = 1 << 16;

impl Trees {
    /// The tree of a part of a text; that of an earlier text helps.
    pub(crate) fn of(&self, grammar: &Grammar, text: &str, part: &Range<usize>) -> Option<Tree> {
        let place = (grammar.name(), part.start);
        let old = match self.lock().get(&place).filter(|known| known.end == part.end) {
            Some(Known { tree, is_old: false, .. }) => return Some(tree.clone()),
            Some(Known { tree, .. }) => Some(tree.clone()),
            None => None,
        };
        let mut tree = grammar.reparse(&text[part.clone()], old.as_ref())?;
        let mut is_rough = old.is_some() && tree.root_node().has_error();
        if is_rough && part.len() <= SHORT {
            tree = grammar.parse(&text[part.clone()])?;
            is_rough = false;
        }
        let mut known = self.lock();
        // What is in the way are parts that are no longer asked for: they are not kept for ever.
        while let Some((&other, before)) = known.range(..(grammar.name(), part.end)).next_back() {
            if other.0 != grammar.name() || before.end <= part.start && other.1 != part.start {
                break;
            }
            known.remove(&other);
        }
        known.insert(place, Known { end: part.end, tree: tree.clone(), is_old: false, is_rough });
        Some(tree)
    }

    /// The trees without those that can look different from scratch; `None` if there are none such.
    pub(crate) fn settled(&self) -> Option<Self> {
        let mut known = self.lock().clone();
        let all = known.len();
        known.retain(|_, known| !known.is_rough);
        (known.len() < all).then(|| Self { known: Arc::new(Mutex::new(known)) })
    }

    /// The trees for a text in which `range` of `before` became `with`. What the edit is only partly within is forgotten.
    pub(crate) fn edited(&self, before: &str, range: &Range<usize>, with: &str) -> Self {
        let shifted = |at: usize| at - range.len() + with.len();
        let moved = |((grammar, start), known): (&(&'static str, usize), &Known)| {
            let (start, end) = (*start, known.end);
            let mut known = known.clone();
            if start <= range.start && range.end <= end {
                let edit = edit(&before[start..], &(range.start - start..range.end - start), with);
                known.tree.edit(&edit);
                known.is_old = true;
                known.end = shifted(end);
                return Some(((*grammar, start), known));
            }
            if range.end <= start {
                known.end = shifted(end);
                return Some(((*grammar, shifted(start)), known));
            }
            (end <= range.start).then_some(((*grammar, start), known))
        };
        let known = self.lock().iter().filter_map(moved).collect();
        Self { known: Arc::new(Mutex::new(known)) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, AllKnown> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An edit of a text as a tree wants to be told of it.
fn edit(before: &str, range: &Range<usize>, with: &str) -> InputEdit {
    let start_position = point(Point { row: 0, column: 0 }, &before[..range.start]);
    InputEdit {
        start_byte: range.start,
        old_end_byte: range.end,
        new_end_byte: range.start + with.len(),
        start_position,
        old_end_position: point(start_position, &before[range.clone()]),
        new_end_position: point(start_position, with),
    }
}

/// Where one is after a text that begins at a place.
fn point(from: Point, text: &str) -> Point {
    let rows = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let last = memchr::memrchr(b'\n', text.as_bytes()).map_or(text.len(), |at| text.len() - at - 1);
    Point { row: from.row + rows, column: if rows == 0 { from.column + last } else { last } }
}
