//! The tables of a document while it is read: a header can go back to any of them.

use std::borrow::Cow;
use std::mem::take;

use rustc_hash::FxHashMap;

use super::DEPTH;
use crate::language::data::{Node, Text};

/// Keys of a table that are looked through one by one; for more there is a map.
const FEW: usize = 16;

/// How a table is led to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// `[a]`.
    Header,
    /// `[[a]]`: an element of a list.
    Element,
    /// The `a` of `[a.b]`.
    Above,
    /// The `a` of `a.b = 1`.
    Dotted,
}

/// What of a table's values can have more put into it.
enum Child {
    Table(usize),
    /// The elements of a list.
    Elements(Vec<usize>),
}

struct Table<'t> {
    /// What has more put into it is `Other` until the end.
    entries: Vec<(Text<'t>, Node<'t>)>,
    /// By the entries' numbers, in order.
    children: Vec<(usize, Child)>,
    /// The entries' numbers by their keys, as far as it was made.
    by_key: FxHashMap<Cow<'t, str>, usize>,
    way: Way,
    depth: usize,
}

impl Table<'_> {
    fn new(way: Way, depth: usize) -> Self {
        Self { entries: Vec::with_capacity(2), children: Vec::new(), by_key: FxHashMap::default(), way, depth }
    }

    /// The number of an entry.
    fn find(&mut self, key: &str) -> Option<usize> {
        if self.entries.len() <= FEW {
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

/// All tables by their numbers: 0 is the document. What is given is `None` where a text contradicts itself.
pub(super) struct Tables<'t> {
    all: Vec<Table<'t>>,
}

impl<'t> Tables<'t> {
    /// An empty document.
    pub(super) fn new() -> Self {
        Self { all: vec![Table::new(Way::Header, 0)] }
    }

    /// How many tables and lists a table lies in.
    pub(super) fn depth(&self, table: usize) -> usize {
        self.all[table].depth
    }

    /// A new table in braces, which is in no other until it is [taken](Self::take).
    pub(super) fn inline(&mut self, depth: usize) -> usize {
        self.all.push(Table::new(Way::Header, depth));
        self.all.len() - 1
    }

    /// Puts a value into a table.
    pub(super) fn insert(
        &mut self,
        table: usize,
        keys: impl DoubleEndedIterator<Item = Text<'t>>,
        node: Node<'t>,
    ) -> Option<()> {
        let (mut keys, mut at) = (keys, table);
        let last = keys.next_back()?;
        for key in keys {
            at = self.below(at, key, Way::Dotted)?;
        }
        let table = &mut self.all[at];
        if table.find(&last.text).is_some() {
            return None;
        }
        table.entries.push((last, node));
        Some(())
    }

    /// The table of a header.
    pub(super) fn open(&mut self, keys: impl DoubleEndedIterator<Item = Text<'t>>, way: Way) -> Option<usize> {
        let (mut keys, mut at) = (keys, 0);
        let last = keys.next_back()?;
        for key in keys {
            at = self.below(at, key, Way::Above)?;
        }
        self.below(at, last, way)
    }

    /// The table that a key leads to from another; a new one, if there is none.
    fn below(&mut self, at: usize, key: Text<'t>, way: Way) -> Option<usize> {
        let new = self.all.len();
        // An element is in its list, too.
        let depth = self.all[at].depth + if way == Way::Element { 2 } else { 1 };
        if depth > DEPTH {
            return None;
        }
        match self.all[at].find(&key.text) {
            None => {
                let table = &mut self.all[at];
                let child = if way == Way::Element { Child::Elements(vec![new]) } else { Child::Table(new) };
                table.children.push((table.entries.len(), child));
                table.entries.push((key, Node::Other(false)));
            }
            Some(entry) => match (self.all[at].child(entry)?, way) {
                (Child::Table(_), Way::Element) | (Child::Elements(_), Way::Header | Way::Dotted) => return None,
                (Child::Elements(all), Way::Element) => all.push(new),
                (Child::Elements(all), Way::Above) => return all.last().copied(),
                (&mut Child::Table(table), way) => {
                    let was = self.all[table].way;
                    return match way {
                        Way::Above => Some(table),
                        Way::Dotted => matches!(was, Way::Dotted | Way::Above).then_some(table),
                        // A header can come after those of the tables in it, but only once.
                        _ => (was == Way::Above).then(|| {
                            self.all[table].way = Way::Header;
                            table
                        }),
                    };
                }
            },
        }
        self.all.push(Table::new(way, depth));
        Some(new)
    }

    /// A table with all that is in it; those made after it are no more.
    pub(super) fn take(&mut self, table: usize) -> Node<'t> {
        let node = self.node(table);
        self.all.truncate(table);
        node
    }

    /// Recursion is bounded by the depth.
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
