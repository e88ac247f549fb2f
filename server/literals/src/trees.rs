//! `Trees`: the syntax trees of one text, by grammar, taken over from text to text while it is edited.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use pathfinder_grammars::{Grammar, InputEdit, Point, Tree};

/// See the module's text. Clones share what is parsed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees {
    known: Arc<Mutex<BTreeMap<&'static str, Known>>>,
}

#[derive(Clone, Debug)]
struct Known {
    tree: Tree,
    /// The text has changed since, and the tree was told where.
    is_old: bool,
}

impl Trees {
    /// The tree of a text; that of an earlier text helps.
    pub(crate) fn of(&self, grammar: &Grammar, text: &str) -> Option<Tree> {
        let known = self.lock().get(grammar.name()).cloned();
        let old = match known {
            Some(Known { tree, is_old: false }) => return Some(tree),
            Some(Known { tree, .. }) => Some(tree),
            None => None,
        };
        let tree = grammar.parse_again(text, old.as_ref())?;
        self.lock().insert(grammar.name(), Known { tree: tree.clone(), is_old: false });
        Some(tree)
    }

    /// The trees for a text in which `range` of `before` became `after` bytes that end at `end`.
    pub(crate) fn edited(&self, before: &str, range: &Range<usize>, with: &str) -> Self {
        let start_position = point(Point { row: 0, column: 0 }, &before[..range.start]);
        let edit = InputEdit {
            start_byte: range.start,
            old_end_byte: range.end,
            new_end_byte: range.start + with.len(),
            start_position,
            old_end_position: point(start_position, &before[range.clone()]),
            new_end_position: point(start_position, with),
        };
        let mut known = self.lock().clone();
        for entry in known.values_mut() {
            entry.tree.edit(&edit);
            entry.is_old = true;
        }
        Self { known: Arc::new(Mutex::new(known)) }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<&'static str, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where one is after a text that begins at a place.
fn point(from: Point, text: &str) -> Point {
    let rows = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let last = memchr::memrchr(b'\n', text.as_bytes()).map_or(text.len(), |at| text.len() - at - 1);
    Point { row: from.row + rows, column: if rows == 0 { from.column + last } else { last } }
}
