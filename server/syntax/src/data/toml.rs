//! Parses TOML into `Node`s from the events of `toml_parser`.
//!
//! `toml_edit`, which brings `toml_parser`, has a tree with spans, but limits the nesting of values and the length of dotted keys
//! apart: 79 inline tables with keys of 79 segments, 13 KB of text, are 6,000 levels, and dropping them overflows the stack of a
//! thread in a debug build. Here `MAX_DEPTH` counts both, and no tree beside the nodes is built.

mod tables;

use std::borrow::Cow;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, parse_document};
use toml_parser::{ErrorSink, ParseError, Source, Span};

use self::tables::{TableKind, Tables};
use super::{Node, Text};

/// Maximum nesting, deeper than any configuration. Deeper texts are rejected, so that recursion cannot exhaust the stack.
const MAX_DEPTH: usize = 96;

/// Parses a text; `None` if it is no TOML.
pub fn read(text: &str) -> Option<Node<'_>> {
    let source = Source::new(text);
    let mut reader =
        TomlReader { source, tables: Tables::new(), keys: Vec::new(), header: 0, open: Vec::new(), is_broken: false };
    let mut error: Option<ParseError> = None;
    parse_document(&source.lex().into_vec(), &mut reader, &mut error);
    (error.is_none() && !reader.is_broken).then(|| reader.tables.take(0))
}

/// A list or table that is not closed yet.
enum OpenValue<'t> {
    List {
        items: Vec<Node<'t>>,
        depth: usize,
    },
    /// An inline table, with the keys that it is the value of.
    Table {
        table: usize,
        keys: Vec<Text<'t>>,
        depth: usize,
    },
}

/// Builds the tables of a document from parser events.
struct TomlReader<'t> {
    source: Source<'t>,
    tables: Tables<'t>,
    /// Dotted keys that were read before their value or the end of their header.
    keys: Vec<Text<'t>>,
    /// The table of the last header; 0 is the document.
    header: usize,
    open: Vec<OpenValue<'t>>,
    is_broken: bool,
}

impl<'t> TomlReader<'t> {
    /// Decodes a span and returns its text and the kind of its value.
    fn decode(&mut self, span: Span, encoding: Option<Encoding>, is_key: bool) -> (Text<'t>, ScalarKind) {
        let quotes = match encoding {
            None => 0,
            Some(Encoding::BasicString | Encoding::LiteralString) => 1,
            Some(Encoding::MlBasicString | Encoding::MlLiteralString) => 3,
        };
        let range = span.start() + quotes..(span.end().saturating_sub(quotes)).max(span.start() + quotes);
        let (mut text, mut error, mut kind) = (Cow::Borrowed(""), None, ScalarKind::String);
        if let Some(raw) = self.source.get(span) {
            // Only the event has the encoding of a value.
            let raw = toml_parser::Raw::new_unchecked(raw.as_str(), encoding, span);
            if is_key {
                raw.decode_key(&mut text, &mut error);
            } else {
                kind = raw.decode_scalar(&mut text, &mut error);
            }
        }
        self.is_broken |= error.is_some();
        (Text { text, range }, kind)
    }

    /// Returns the depth of a value that would be opened next.
    fn depth(&self) -> usize {
        match self.open.last() {
            // The pending keys are those of the list.
            Some(OpenValue::List { depth, .. }) => depth + 1,
            Some(OpenValue::Table { depth, .. }) => depth + self.keys.len(),
            None => self.tables.depth(self.header) + self.keys.len(),
        }
    }

    /// Returns whether one more list or table may be opened. Otherwise marks the document as broken.
    fn may_open(&mut self) -> bool {
        self.is_broken |= self.depth() >= MAX_DEPTH;
        !self.is_broken
    }

    /// Inserts a value into the open list or table.
    fn insert_value(&mut self, node: Node<'t>) {
        let table = match self.open.last_mut() {
            Some(OpenValue::List { items, .. }) => return items.push(node),
            Some(OpenValue::Table { table, .. }) => *table,
            None => self.header,
        };
        let keys = self.keys.drain(..);
        self.is_broken |= self.tables.insert(table, keys, node).is_none();
    }

    fn close_header(&mut self, kind: TableKind) {
        match self.tables.open(self.keys.drain(..), kind) {
            Some(table) => self.header = table,
            None => self.is_broken = true,
        }
    }
}

impl EventReceiver for TomlReader<'_> {
    fn std_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.keys.clear();
    }

    fn std_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.close_header(TableKind::Header);
    }

    fn array_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.keys.clear();
    }

    fn array_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.close_header(TableKind::ArrayElement);
    }

    fn inline_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        let is_allowed = self.may_open();
        if is_allowed {
            let depth = self.depth();
            let table = self.tables.add_inline(depth);
            self.open.push(OpenValue::Table { table, keys: std::mem::take(&mut self.keys), depth });
        }
        is_allowed
    }

    fn inline_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if let Some(OpenValue::Table { table, keys, .. }) = self.open.pop() {
            let node = self.tables.take(table);
            self.keys = keys;
            self.insert_value(node);
        }
    }

    fn array_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        let is_allowed = self.may_open();
        if is_allowed {
            let depth = self.depth();
            self.open.push(OpenValue::List { items: Vec::new(), depth });
        }
        is_allowed
    }

    fn array_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if let Some(OpenValue::List { items, .. }) = self.open.pop() {
            self.insert_value(Node::List(items));
        }
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        let (key, _) = self.decode(span, encoding, true);
        self.keys.push(key);
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        let (text, kind) = self.decode(span, encoding, false);
        self.insert_value(match kind {
            ScalarKind::String => Node::Text(text),
            ScalarKind::Boolean(value) => Node::Other(value),
            _ => Node::Other(false),
        });
    }

    fn newline(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if let Some(raw) = self.source.get(span) {
            raw.decode_newline(error);
        }
    }

    fn comment(&mut self, span: Span, error: &mut dyn ErrorSink) {
        if let Some(raw) = self.source.get(span) {
            raw.decode_comment(error);
        }
    }

    fn error(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.is_broken = true;
    }
}

#[cfg(test)]
mod tests;
