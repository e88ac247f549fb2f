//! `Trees`: the syntax trees of one text and of its parts, taken over from text to text while it is edited.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use pathfinder_grammars::{Grammar, InputEdit, Point, Tree};

/// See the module's text. Clones share what is parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    known: Arc<Mutex<Vec<Known>>>,
}

#[derive(Clone, Debug)]
struct Known {
    grammar: &'static str,
    /// Which part of the text it is the tree of.
    part: Range<usize>,
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
        let is_it = |known: &Known| known.grammar == grammar.name() && known.part == *part;
        let known = self.lock().iter().find(|known| is_it(known)).cloned();
        let old = match known {
            Some(Known { tree, is_old: false, .. }) => return Some(tree),
            Some(Known { tree, .. }) => Some(tree),
            None => None,
        };
        let mut tree = grammar.parse_again(&text[part.clone()], old.as_ref())?;
        let mut is_rough = old.is_some() && tree.root_node().has_error();
        if is_rough && part.len() <= SHORT {
            tree = grammar.parse(&text[part.clone()])?;
            is_rough = false;
        }
        let mut known = self.lock();
        // Parts that are no longer asked for are not kept for ever.
        known.retain(|known| !is_it(known) && (known.grammar != grammar.name() || !overlap(&known.part, part)));
        known.push(Known { grammar: grammar.name(), part: part.clone(), tree: tree.clone(), is_old: false, is_rough });
        Some(tree)
    }

    /// The trees without those that can look different from scratch; `None` if there are none such.
    pub(crate) fn settled(&self) -> Option<Self> {
        let mut known = self.lock().clone();
        let all = known.len();
        known.retain(|known| !known.is_rough);
        (known.len() < all).then(|| Self { known: Arc::new(Mutex::new(known)) })
    }

    /// The trees for a text in which `range` of `before` became `with`. What the edit is only partly within is forgotten.
    pub(crate) fn edited(&self, before: &str, range: &Range<usize>, with: &str) -> Self {
        let mut known = self.lock().clone();
        let shifted = |at: usize| at - range.len() + with.len();
        known.retain_mut(|known| {
            let Range { start, end } = known.part;
            if start <= range.start && range.end <= end {
                let edit = edit(&before[start..], &(range.start - start..range.end - start), with);
                known.tree.edit(&edit);
                known.is_old = true;
                known.part = start..shifted(end);
            } else if range.end <= start {
                known.part = shifted(start)..shifted(end);
            } else {
                return end <= range.start;
            }
            true
        });
        Self { known: Arc::new(Mutex::new(known)) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether two ranges have a byte in common.
fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
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
