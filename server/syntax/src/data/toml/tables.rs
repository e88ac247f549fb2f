//! The tables of a TOML document while it is read. A later header can reopen any of them.

use std::borrow::Cow;
use std::mem::take;

use rustc_hash::FxHashMap;

use super::MAX_DEPTH;
use crate::data::{Node, Text};

/// Maximum number of keys of a table that are searched linearly. Larger tables use a map.
const MAX_LINEAR_KEYS: usize = 16;

/// The kind of a table's definition.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TableKind {
    /// `[a]`.
    Header,
    /// `[[a]]`: an element of an array of tables.
    ArrayElement,
    /// The `a` of `[a.b]`.
    Implicit,
    /// The `a` of `a.b = 1`.
    Dotted,
}

/// A value of a table that can get more entries.
enum Child {
    Table(usize),
    /// The elements of an array of tables.
    Elements(Vec<usize>),
}

struct Table<'t> {
    /// Values with children are `Other` until the end.
    entries: Vec<(Text<'t>, Node<'t>)>,
    /// Children by the index of their entry, in order.
    children: Vec<(usize, Child)>,
    /// Indexes of entries by key. It is extended when it is used.
    by_key: FxHashMap<Cow<'t, str>, usize>,
    kind: TableKind,
    depth: usize,
}

impl Table<'_> {
    fn new(kind: TableKind, depth: usize) -> Self {
        Self { entries: Vec::with_capacity(2), children: Vec::new(), by_key: FxHashMap::default(), kind, depth }
    }

    /// Returns the index of an entry.
    fn find(&mut self, key: &str) -> Option<usize> {
        if self.entries.len() <= MAX_LINEAR_KEYS {
            return self.entries.iter().position(|(name, _)| name.text == key);
        }
        for (number, (name, _)) in self.entries.iter().enumerate().skip(self.by_key.len()) {
            self.by_key.insert(name.text.clone(), number);
        }
        self.by_key.get(key).copied()
    }

    fn child(&mut self, entry: usize) -> Option<&mut Child> {
        let at = self.children.binary_search_by_key(&entry, |(entry, _)| *entry).ok()?;
        Some(&mut self.children[at].1)
    }
}

/// All tables by index; 0 is the document. Methods return `None` if the document defines something twice.
pub(super) struct Tables<'t> {
    all: Vec<Table<'t>>,
}

impl<'t> Tables<'t> {
    /// Creates an empty document.
    pub(super) fn new() -> Self {
        Self { all: vec![Table::new(TableKind::Header, 0)] }
    }

    /// Returns the nesting depth of a table.
    pub(super) fn depth(&self, table: usize) -> usize {
        self.all[table].depth
    }

    /// Creates an inline table. It is in no other table until it is [taken](Self::take).
    pub(super) fn add_inline(&mut self, depth: usize) -> usize {
        self.all.push(Table::new(TableKind::Header, depth));
        self.all.len() - 1
    }

    /// Inserts a value into a table.
    pub(super) fn insert(
        &mut self,
        table: usize,
        keys: impl DoubleEndedIterator<Item = Text<'t>>,
        node: Node<'t>,
    ) -> Option<()> {
        let (mut keys, mut at) = (keys, table);
        let last = keys.next_back()?;
        for key in keys {
            at = self.open_child(at, key, TableKind::Dotted)?;
        }
        let table = &mut self.all[at];
        if table.find(&last.text).is_some() {
            return None;
        }
        table.entries.push((last, node));
        Some(())
    }

    /// Returns the table of a header, and creates it if necessary.
    pub(super) fn open(&mut self, keys: impl DoubleEndedIterator<Item = Text<'t>>, kind: TableKind) -> Option<usize> {
        let (mut keys, mut at) = (keys, 0);
        let last = keys.next_back()?;
        for key in keys {
            at = self.open_child(at, key, TableKind::Implicit)?;
        }
        self.open_child(at, last, kind)
    }

    /// Returns the table at a key of another table, and creates it if necessary.
    fn open_child(&mut self, at: usize, key: Text<'t>, kind: TableKind) -> Option<usize> {
        let new = self.all.len();
        // An element lies in its array and in the table.
        let depth = self.all[at].depth + if kind == TableKind::ArrayElement { 2 } else { 1 };
        if depth > MAX_DEPTH {
            return None;
        }
        match self.all[at].find(&key.text) {
            None => {
                let table = &mut self.all[at];
                let child =
                    if kind == TableKind::ArrayElement { Child::Elements(vec![new]) } else { Child::Table(new) };
                table.children.push((table.entries.len(), child));
                table.entries.push((key, Node::Other(false)));
            }
            Some(entry) => match (self.all[at].child(entry)?, kind) {
                (Child::Table(_), TableKind::ArrayElement)
                | (Child::Elements(_), TableKind::Header | TableKind::Dotted) => return None,
                (Child::Elements(all), TableKind::ArrayElement) => all.push(new),
                (Child::Elements(all), TableKind::Implicit) => return all.last().copied(),
                (&mut Child::Table(table), kind) => {
                    let was = self.all[table].kind;
                    return match kind {
                        TableKind::Implicit => Some(table),
                        TableKind::Dotted => matches!(was, TableKind::Dotted | TableKind::Implicit).then_some(table),
                        // A header can follow those of its subtables, but only once.
                        _ => (was == TableKind::Implicit).then(|| {
                            self.all[table].kind = TableKind::Header;
                            table
                        }),
                    };
                }
            },
        }
        self.all.push(Table::new(kind, depth));
        Some(new)
    }

    /// Removes a table and returns its content. Tables that were created after it are removed too.
    pub(super) fn take(&mut self, table: usize) -> Node<'t> {
        let node = self.node(table);
        self.all.truncate(table);
        node
    }

    /// Converts a table. Recursion is bounded by [`MAX_DEPTH`].
    fn node(&mut self, table: usize) -> Node<'t> {
        let (mut entries, children) = (take(&mut self.all[table].entries), take(&mut self.all[table].children));
        for (entry, child) in children {
            entries[entry].1 = match child {
                Child::Table(table) => self.node(table),
                Child::Elements(all) => Node::List(all.into_iter().map(|table| self.node(table)).collect()),
            };
        }
        Node::Map(entries)
    }
}
