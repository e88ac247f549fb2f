//! Splits a Python module into statements without a grammar. `Python::check` then parses only those that contain a
//! relevant word.
//!
//! After an edit that breaks the indentation, a parser of whole modules misreads all that follows. Here only one
//! statement is affected, and its tree does not depend on the rest.

use std::ops::Range;

use super::imports::decorators_can_skip;

/// Keywords that begin no line within brackets. If one does, a bracket before it was not closed.
const STATEMENT_KEYWORDS: [&str; 15] = [
    "assert", "break", "class", "continue", "def", "del", "global", "import", "nonlocal", "pass", "raise", "return",
    "try", "while", "with",
];

/// Keywords that continue the previous statement.
const CLAUSE_KEYWORDS: [&str; 4] = ["elif", "else", "except", "finally"];

/// Columns of a tab, as in the grammar.
const TAB_COLUMNS: usize = 8;

/// The statements of a text that begin at or before the offset `last`, in order, each of whole lines.
///
/// The head of a class or function is a statement, and so is each statement in its body, unless its decorators decide whether it runs.
/// All other statements include their blocks. Comments and empty lines between statements belong to none.
pub(super) fn statements(text: &str, last: usize) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let (mut indent, mut is_closed, mut is_decorated) = (0, true, false);
    for line in (LogicalLines { bytes: text.as_bytes(), at: 0 }) {
        let word = line.word(text);
        let continues =
            line.indent > indent || line.indent == indent && (is_decorated || CLAUSE_KEYWORDS.contains(&word));
        if let Some(last) = all.last_mut().filter(|_| !is_closed && continues) {
            let is_head = is_decorated && line.indent == indent && is_definition(word);
            is_closed = is_head && line.ends_in_colon && !decorators_can_skip(&text[last.start..line.start]);
            last.end = line.end;
            is_decorated &= line.indent > indent || word == "@";
        } else if line.start > last {
            break;
        } else {
            indent = line.indent;
            is_closed = line.ends_in_colon && is_definition(word);
            is_decorated = word == "@";
            all.push(line.start..line.end);
        }
    }
    all
}

/// A logical line: brackets, strings and backslashes can extend it over several lines.
struct LogicalLine {
    start: usize,
    /// The offset of its first word.
    first: usize,
    end: usize,
    indent: usize,
    ends_in_colon: bool,
}

impl LogicalLine {
    /// The first word other than `async`, or `@` of a decorator.
    fn word<'t>(&self, text: &'t str) -> &'t str {
        let line = &text[self.first..self.end];
        match first_word(line) {
            _ if line.starts_with('@') => "@",
            "async" => first_word(line["async".len()..].trim_start()),
            word => word,
        }
    }
}

/// Returns whether a class or a function begins with a word.
fn is_definition(word: &str) -> bool {
    matches!(word, "class" | "def")
}

fn first_word(text: &str) -> &str {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    &text[..text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len())]
}

/// Iterates over logical lines that contain code.
struct LogicalLines<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Iterator for LogicalLines<'_> {
    type Item = LogicalLine;

    fn next(&mut self) -> Option<LogicalLine> {
        loop {
            let start = self.at;
            let (first, indent) = self.indentation();
            match *self.bytes.get(first)? {
                b'\n' => self.at = first + 1,
                b'#' => self.at = self.line_end(first),
                _ => {
                    let ends_in_colon = self.skip_line(first);
                    return Some(LogicalLine { start, first, end: self.at, indent, ends_in_colon });
                }
            }
        }
    }
}

impl LogicalLines<'_> {
    /// The offset and the column of the first character of the line at `self.at`.
    fn indentation(&self) -> (usize, usize) {
        let mut indent = 0;
        let mut at = self.at;
        loop {
            match self.bytes.get(at) {
                Some(b' ') => indent += 1,
                Some(b'\t') => indent += TAB_COLUMNS,
                Some(b'\r' | b'\x0c') => indent = 0,
                _ => return (at, indent),
            }
            at += 1;
        }
    }

    /// The offset after the end of the physical line.
    fn line_end(&self, from: usize) -> usize {
        memchr::memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |at| from + at + 1)
    }

    /// Skips the logical line. Returns whether its last character outside of comments is a colon.
    fn skip_line(&mut self, from: usize) -> bool {
        let (mut depth, mut last) = (0_usize, 0);
        self.at = from;
        while let Some(&byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'\n' if depth == 0 || self.starts_statement() => return last == b':',
                b' ' | b'\t' | b'\r' | b'\x0c' | b'\n' => continue,
                b'#' => {
                    self.at = memchr::memchr(b'\n', &self.bytes[self.at..]).map_or(self.bytes.len(), |at| self.at + at);
                    continue;
                }
                b'\\' => {
                    let is_windows = self.bytes[self.at..].starts_with(b"\r\n");
                    self.at = (self.at + if is_windows { 2 } else { 1 }).min(self.bytes.len());
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' | b'\'' => self.skip_string(byte),
                _ => {}
            }
            last = byte;
        }
        last == b':'
    }

    /// Returns whether the physical line at `self.at` begins a statement.
    fn starts_statement(&self) -> bool {
        let (first, _) = self.indentation();
        let line = &self.bytes[first..self.line_end(first)];
        let length = line.iter().position(|byte| !byte.is_ascii_lowercase()).unwrap_or(line.len());
        let ends = !line.get(length).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let word = std::str::from_utf8(&line[..length]).unwrap_or_default();
        ends && (STATEMENT_KEYWORDS.contains(&word)
            || word == "from" && memchr::memmem::find(line, b" import").is_some())
    }

    /// Skips the string that begins with this quote. An unterminated string with one quote ends with its line.
    ///
    /// Prefixes do not matter: a backslash before a quote continues a raw string too.
    fn skip_string(&mut self, quote: u8) {
        let is_long = self.bytes[self.at..].starts_with(&[quote; 2]);
        if is_long {
            self.at += 2;
        }
        while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', &self.bytes[self.at.min(self.bytes.len())..]) {
            self.at += found + 1;
            match self.bytes[self.at - 1] {
                b'\\' => self.at += if self.bytes[self.at..].starts_with(b"\r\n") { 2 } else { 1 },
                b'\n' if is_long => {}
                b'\n' => return self.at -= 1,
                _ if !is_long => return,
                _ if self.bytes[self.at..].starts_with(&[quote; 2]) => return self.at += 2,
                _ => {}
            }
        }
        self.at = self.bytes.len();
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use pathfinder_syntax::grammars::PYTHON;
    use proptest::prelude::*;

    use super::statements;
    use crate::python::imports;

    /// Simple statements, and the heads of compound ones.
    const SIMPLE: [&str; 9] = [
        "import a.b",
        "import a, b as c  # type: ignore",
        "from .c import (\n d,\ne)",
        "x = '''\nimport no\n  \\'''\n'''",
        "y = f(\n  1, # (\n[2])",
        "z = \\\n  'import' \"it's\"",
        "# import no\n\npass",
        "if x: import g",
        "class A: from . import g; import h",
    ];
    const BLOCKS: [&[&str]; 11] = [
        &["if sys.version > x:", "elif y:", "else:"],
        &["try:", "except ImportError:", "finally:"],
        &["def f(a=(\n1)) -> b:  # :"],
        &["async def f():"],
        &["class A(B):"],
        &["@skip\ndef f():"],
        &["@a(\n1)\n# x\n@b\nclass A:"],
        &["with suppress(x):"],
        &["async with a:"],
        &["for a in b:", "else:"],
        &["while a:"],
    ];

    /// The text of a module, unindented.
    fn blocks() -> impl Strategy<Value = String> {
        let simple = prop::sample::select(SIMPLE.to_vec()).prop_map(str::to_owned);
        simple.prop_recursive(4, 24, 4, |inner| {
            let body = prop::collection::vec(inner, 1..4);
            let block = (prop::sample::select(BLOCKS.to_vec()), prop::collection::vec(body, 3), "  |    |\t");
            block.prop_map(|(heads, bodies, indent)| {
                let part = |(head, body): (&&str, &Vec<String>)| {
                    let body = body.join("\n").replace('\n', &format!("\n{indent}"));
                    format!("{head}\n{indent}{body}\n")
                };
                heads.iter().zip(&bodies).map(part).collect::<String>().trim_end().to_owned()
            })
        })
    }

    proptest! {
        /// In valid code, the statements yield the same imports as the whole module.
        #[test]
        fn statements_parse_like_the_whole_module(all in prop::collection::vec(blocks(), 1..5)) {
            let text = all.join("\n") + "\n";
            let read = |part: Range<usize>| {
                let tree = PYTHON.parse(&text[part.clone()]).expect("a short text");
                let all = imports::find_imports(tree.root_node(), &text[part.clone()]).into_iter();
                let row = |import: imports::PythonImport| (import.module, import.names, import.is_optional);
                all.map(|import| row(import.shifted(part.start))).collect::<Vec<_>>()
            };
            let parts = statements(&text, text.len());
            prop_assert!(parts.is_sorted_by(|one, other| one.end <= other.start), "{:?}", parts);
            prop_assert_eq!(parts.into_iter().flat_map(read).collect::<Vec<_>>(), read(0..text.len()), "{}", text);
        }
    }

    #[test]
    fn splits_statements() {
        let check = |text: &str, expect: &[&str]| {
            let found: Vec<&str> = statements(text, text.len()).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("a = 1\n\n# x\nb = (\n2)\nc", &["a = 1\n", "b = (\n2)\n", "c"]);
        check("if a:\n  b\n\nelse:\n  c\nd\n", &["if a:\n  b\n\nelse:\n  c\n", "d\n"]);
        check("def f():\n  a\n  # x\n  if b:\n    c\nd\n", &["def f():\n", "  a\n", "  if b:\n    c\n", "d\n"]);
        check("class A(\n  B,\n): # x\n  def f(): pass\n", &["class A(\n  B,\n): # x\n", "  def f(): pass\n"]);
        check("async def f():\n\ta\n\tb\n", &["async def f():\n", "\ta\n", "\tb\n"]);
        check("async with a:\n  b\n", &["async with a:\n  b\n"]);
        check("@a\n@b(\n1)\ndef f():\n  a\nc\n", &["@a\n@b(\n1)\ndef f():\n", "  a\n", "c\n"]);
        check("@a\n@skip(\n1)\ndef f():\n  a\nc\n", &["@a\n@skip(\n1)\ndef f():\n  a\n", "c\n"]);
        check("@a\nclass A:\n  @b\n  def f(): c\n  d\n", &["@a\nclass A:\n", "  @b\n  def f(): c\n", "  d\n"]);
        check("class A: a\nb\n", &["class A: a\n", "b\n"]);
        check("a = \"\"\"x\ny\"z\\\"\"\"\n\"\"\"\nb\n", &["a = \"\"\"x\ny\"z\\\"\"\"\n\"\"\"\n", "b\n"]);
        check("a = 'x\nb = r'\\'' + ''\nc\n", &["a = 'x\n", "b = r'\\'' + ''\n", "c\n"]);
        check("a = \\\r\n  b\r\nc = 'x\\\r\ny'\r\nd", &["a = \\\r\n  b\r\n", "c = 'x\\\r\ny'\r\n", "d"]);
        // A bracket without its end.
        check("a = f(\ndef g():\n  b(\n  return\n", &["a = f(\n", "def g():\n", "  b(\n", "  return\n"]);
        check("a = [\nfrom b import c\n", &["a = [\n", "from b import c\n"]);
        check("a = [\nimport_b,\nfor x in y]\nc)\nd\n", &["a = [\nimport_b,\nfor x in y]\n", "c)\n", "d\n"]);
        // A broken statement does not affect others.
        check("a\n  b\nc\n", &["a\n  b\n", "c\n"]);
        check("    a\n  b\n c\n", &["    a\n", "  b\n", " c\n"]);
        check("", &[]);
        check("'''", &["'''"]);
        check("\"\\", &["\"\\"]);
    }
}
