//! TOML as nodes, from the events of its parser: a tree of the parser's own would be made only to be taken apart, which
//! takes three times as long.

mod tables;

use std::borrow::Cow;

use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::{EventReceiver, parse_document};
use toml_parser::{ErrorSink, ParseError, Source, Span};

use self::tables::{Tables, Way};
use super::{Node, Text};

/// Deeper than any configuration: a deeper text is none, so that no walk can exhaust the stack.
const DEPTH: usize = 96;

/// The document in a text; `None` if it is no TOML.
pub(crate) fn read(text: &str) -> Option<Node<'_>> {
    let source = Source::new(text);
    let mut reader =
        Reader { source, tables: Tables::new(), keys: Vec::new(), header: 0, open: Vec::new(), is_broken: false };
    let mut error: Option<ParseError> = None;
    parse_document(&source.lex().into_vec(), &mut reader, &mut error);
    (error.is_none() && !reader.is_broken).then(|| reader.tables.take(0))
}

/// A value whose end has not come.
enum Open<'t> {
    List {
        items: Vec<Node<'t>>,
        depth: usize,
    },
    /// With the keys that the table is the value of.
    Table {
        table: usize,
        keys: Vec<Text<'t>>,
        depth: usize,
    },
}

struct Reader<'t> {
    source: Source<'t>,
    tables: Tables<'t>,
    /// Keys with dots between them that wait for what they are keys of.
    keys: Vec<Text<'t>>,
    /// The table of the last header; the first one is the document.
    header: usize,
    open: Vec<Open<'t>>,
    is_broken: bool,
}

impl<'t> Reader<'t> {
    /// The text of a span, what it says put into `into`; the kind of value that it is.
    fn text(&mut self, span: Span, encoding: Option<Encoding>, is_key: bool) -> (Text<'t>, ScalarKind) {
        let quotes = match encoding {
            None => 0,
            Some(Encoding::BasicString | Encoding::LiteralString) => 1,
            Some(Encoding::MlBasicString | Encoding::MlLiteralString) => 3,
        };
        let range = span.start() + quotes..(span.end().saturating_sub(quotes)).max(span.start() + quotes);
        let (mut text, mut error, mut kind) = (Cow::Borrowed(""), None, ScalarKind::String);
        if let Some(raw) = self.source.get(span) {
            // A value's encoding is told by the event only.
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

    /// How many tables and lists the next one would lie in.
    fn depth(&self) -> usize {
        match self.open.last() {
            // The keys that wait are those of the list.
            Some(Open::List { depth, .. }) => depth + 1,
            Some(Open::Table { depth, .. }) => depth + self.keys.len(),
            None => self.tables.depth(self.header) + self.keys.len(),
        }
    }

    /// Whether one more list or table may be opened.
    fn may_open(&mut self) -> bool {
        self.is_broken |= self.depth() >= DEPTH;
        !self.is_broken
    }

    fn value(&mut self, node: Node<'t>) {
        let table = match self.open.last_mut() {
            Some(Open::List { items, .. }) => return items.push(node),
            Some(Open::Table { table, .. }) => *table,
            None => self.header,
        };
        let keys = self.keys.drain(..);
        self.is_broken |= self.tables.insert(table, keys, node).is_none();
    }

    fn close_header(&mut self, way: Way) {
        match self.tables.open(self.keys.drain(..), way) {
            Some(table) => self.header = table,
            None => self.is_broken = true,
        }
    }
}

impl EventReceiver for Reader<'_> {
    fn std_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.keys.clear();
    }

    fn std_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.close_header(Way::Header);
    }

    fn array_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.keys.clear();
    }

    fn array_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        self.close_header(Way::Element);
    }

    fn inline_table_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        let is_allowed = self.may_open();
        if is_allowed {
            let depth = self.depth();
            let table = self.tables.inline(depth);
            self.open.push(Open::Table { table, keys: std::mem::take(&mut self.keys), depth });
        }
        is_allowed
    }

    fn inline_table_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if let Some(Open::Table { table, keys, .. }) = self.open.pop() {
            let node = self.tables.take(table);
            self.keys = keys;
            self.value(node);
        }
    }

    fn array_open(&mut self, _: Span, _: &mut dyn ErrorSink) -> bool {
        let is_allowed = self.may_open();
        if is_allowed {
            let depth = self.depth();
            self.open.push(Open::List { items: Vec::new(), depth });
        }
        is_allowed
    }

    fn array_close(&mut self, _: Span, _: &mut dyn ErrorSink) {
        if let Some(Open::List { items, .. }) = self.open.pop() {
            self.value(Node::List(items));
        }
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        let (key, _) = self.text(span, encoding, true);
        self.keys.push(key);
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, _: &mut dyn ErrorSink) {
        let (text, kind) = self.text(span, encoding, false);
        self.value(match kind {
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
