//! Finds out which keywords of a script are only words in its strings, templates and comments, without a syntax tree.
//!
//! Bundles of documentation hold pages of sample code in strings: each sample imports modules, and none of them is one of the bundle.
//! The grammar decides about text with two readings: a slash, markup. The lexer of `swc` was considered and not tried. Its parser drives
//! it to separate a division from a regular expression, so it would add a second grammar of the language.

use std::ops::Range;

use memchr::{memchr, memchr3, memmem};

/// Returns those of the hits, which are in order, that are code; `None` if the text may be read in another way. `has_markup` is true
/// for syntaxes with JSX.
pub(super) fn find_code_hits(text: &str, hits: &[Range<usize>], has_markup: bool) -> Option<Vec<Range<usize>>> {
    let last = hits.last()?.start;
    let mut reader = CodeReader {
        bytes: text.as_bytes(),
        at: 0,
        before: Before::Operator,
        braces: Vec::new(),
        has_markup,
        hits,
        code: Vec::new(),
    };
    if text.starts_with("#!") {
        reader.hide(memchr(b'\n', text.as_bytes())?);
    }
    while reader.at <= last {
        reader.skip_token()?;
    }
    reader.code.extend_from_slice(reader.hits);
    Some(reader.code)
}

/// The kind of the token before the next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An expression follows.
    Operator,
    /// A name, a value, or the end of one.
    Operand,
    /// `)`, which ends an expression or the condition of a statement.
    Parenthesis,
    /// The token can be either.
    Uncertain,
}

/// Reads tokens up to the last hit.
struct CodeReader<'t> {
    bytes: &'t [u8],
    at: usize,
    before: Before,
    /// The open braces in each open `${…}` of a template.
    braces: Vec<usize>,
    has_markup: bool,
    /// The hits that the reader has not passed.
    hits: &'t [Range<usize>],
    code: Vec<Range<usize>>,
}

impl<'t> CodeReader<'t> {
    fn rest(&self) -> &'t [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Skips what is no code, and drops the hits there.
    fn hide(&mut self, end: usize) {
        let (code, rest) = self.hits.split_at(self.hits.partition_point(|hit| hit.start < self.at));
        self.code.extend_from_slice(code);
        self.hits = &rest[rest.partition_point(|hit| hit.start < end)..];
        self.at = end;
    }

    /// Skips a token; `None` if it may be another one.
    fn skip_token(&mut self) -> Option<()> {
        let first = *self.rest().first()?;
        match first {
            b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80.. => self.skip_word(),
            b'"' | b'\'' => self.skip_string(first)?,
            b'`' => self.skip_template(1)?,
            b'}' if self.braces.last() == Some(&0) => {
                self.braces.pop();
                self.skip_template(1)?;
            }
            b'/' => self.skip_slash()?,
            b'\\' => return None,
            b'<' => {
                let is_expression = matches!(self.before, Before::Operator | Before::Uncertain);
                let next = self.rest().get(1).copied().unwrap_or_default();
                let is_name = next.is_ascii_alphabetic() || matches!(next, b'_' | b'$' | b'>' | 0x80..);
                if next == b'!' || self.has_markup && is_expression && is_name {
                    return None;
                }
                self.skip_mark(Before::Operator);
            }
            b'{' | b'}' => {
                if let Some(open) = self.braces.last_mut() {
                    *open = if first == b'{' { *open + 1 } else { *open - 1 };
                }
                self.skip_mark(if first == b'{' { Before::Operator } else { Before::Uncertain });
            }
            b')' => self.skip_mark(Before::Parenthesis),
            b']' => self.skip_mark(Before::Operand),
            // `a++ / b`, and `a! / b` in TypeScript.
            b'+' | b'-' if self.rest().get(1) == Some(&first) => {
                self.at += 1;
                self.skip_mark(Before::Uncertain);
            }
            b'!' if self.before != Before::Operator => self.skip_mark(Before::Uncertain),
            // The end of types: `f<T> / b`.
            b'>' if !self.bytes[..self.at].ends_with(b"=") => self.skip_mark(Before::Uncertain),
            _ => self.skip_mark(Before::Operator),
        }
        Some(())
    }

    fn skip_mark(&mut self, before: Before) {
        self.at += 1;
        self.before = before;
    }

    fn skip_word(&mut self) {
        let length = self.rest().iter().position(|byte| !is_part_of_word(*byte)).unwrap_or(self.rest().len());
        let is_member = self.bytes[..self.at].ends_with(b".") && !self.bytes[..self.at].ends_with(b"..");
        self.before = match &self.rest()[..length] {
            _ if is_member => Before::Operand,
            // An expression follows, unless the grammar takes the word for a name: it does where it expects no keyword.
            word if KEYWORDS.contains(&word) => Before::Uncertain,
            _ => Before::Operand,
        };
        self.at += length;
    }

    fn skip_string(&mut self, quote: u8) -> Option<()> {
        let mut end = self.at + 1;
        loop {
            end += memchr3(quote, b'\\', b'\n', self.bytes.get(end..)?)?;
            match self.bytes[end] {
                b'\\' => end += 2,
                b'\n' => return None,
                _ => break,
            }
        }
        self.hide(end + 1);
        self.before = Before::Operand;
        Some(())
    }

    /// Skips the text of a template up to its end or to the next `${`, from behind a mark of this length.
    fn skip_template(&mut self, mark: usize) -> Option<()> {
        let mut end = self.at + mark;
        loop {
            end += memchr3(b'`', b'\\', b'$', self.bytes.get(end..)?)?;
            match (self.bytes[end], self.bytes.get(end + 1)) {
                (b'`', _) => {
                    self.hide(end + 1);
                    self.before = Before::Operand;
                    return Some(());
                }
                (b'$', Some(b'{')) => {
                    self.hide(end + 2);
                    self.braces.push(0);
                    self.before = Before::Operator;
                    return Some(());
                }
                (b'\\', _) => end += 2,
                _ => end += 1,
            }
        }
    }

    /// Skips a comment, a regular expression, or a division.
    fn skip_slash(&mut self) -> Option<()> {
        let rest = self.rest();
        match rest.get(1)? {
            b'/' => {
                self.hide(self.at + memchr(b'\n', rest).unwrap_or(rest.len()));
                return Some(());
            }
            b'*' => {
                self.hide(self.at + 4 + memmem::find(&rest[2..], b"*/")?);
                return Some(());
            }
            _ => {}
        }
        match (self.before, regex_end(rest)) {
            (Before::Operand, _) | (Before::Parenthesis | Before::Uncertain, None) => self.skip_mark(Before::Operator),
            (Before::Operator, end) => {
                self.hide(self.at + end?);
                self.skip_flags();
                self.before = Before::Operand;
            }
            // The rest is the same in both readings if nothing there begins anything, and what ends there is an operand: after an operator
            // the second slash begins a regular expression.
            (Before::Parenthesis | Before::Uncertain, Some(length)) => {
                let begins = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | b'{' | b'}' | b'<' | b'/' | b'\\');
                let inner = &rest[1..length - 1];
                if inner.iter().any(begins) || !ends_in_operand(inner) || matches!(rest.get(length), Some(b'/' | b'*'))
                {
                    return None;
                }
                self.at += length;
                self.skip_flags();
                self.before = Before::Uncertain;
            }
        }
        Some(())
    }

    /// Skips the flags of a regular expression. The grammar takes any word for them.
    fn skip_flags(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    }
}

/// Words after which an expression follows.
const KEYWORDS: [&[u8]; 17] = [
    b"await",
    b"case",
    b"default",
    b"delete",
    b"do",
    b"else",
    b"export",
    b"extends",
    b"in",
    b"instanceof",
    b"new",
    b"of",
    b"return",
    b"throw",
    b"typeof",
    b"void",
    b"yield",
];

fn is_part_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

/// Returns whether a text ends in a name, a number or an element of a list.
fn ends_in_operand(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let length = text.iter().rev().take_while(|byte| is_part_of_word(**byte)).count();
    let word = &text[text.len() - length..];
    text.ends_with(b"]") || length > 0 && !KEYWORDS.contains(&word)
}

/// The length of a regular expression that begins a text, without its flags; `None` if none ends in its line.
fn regex_end(rest: &[u8]) -> Option<usize> {
    let (mut at, mut is_class) = (1, false);
    loop {
        match *rest.get(at)? {
            b'\n' => return None,
            b'\\' => at += 1,
            b'[' => is_class = true,
            b']' => is_class = false,
            b'/' if !is_class => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use pathfinder_syntax::grammars::{JAVASCRIPT, TYPESCRIPT};
    use proptest::prelude::*;
    use tree_sitter::Node;

    use super::find_code_hits;
    use crate::keyword_hits::KeywordHits;

    #[test]
    fn keeps_words_of_code() {
        let check = |text: &str, expect: Option<&[usize]>| {
            let hits = KeywordHits::find(text, &["import"]);
            let code = find_code_hits(text, hits.ranges(), true);
            let starts = code.map(|code| code.iter().map(|hit| hit.start).collect::<Vec<_>>());
            assert_eq!(starts.as_deref(), expect, "{text}");
        };
        check("import 'a'; b('import', \"\\\"import\", `import ${import('c')} import`)", Some(&[0, 46]));
        check("// import\n/* import */ import /* import */", Some(&[23]));
        check("#! import\nimport", Some(&[10]));
        check("a = /[/'\"]import/g; b = c / 2; 'import'", Some(&[]));
        check("`${{ a: '}' }} import`; import", Some(&[24]));
        check("f(a) / 2; g[0] / 3 + a++ / 4; 'import'", Some(&[]));
        check("a.return / 2 + 'import' / 3", Some(&[]));
        check("if (a) /'/.test(b); import", None);
        check("f(a)/ /<// import\n//", None);
        check("f(a)/ typeof /<// import\n//", None);
        check("a = <b>don't import</b>", None);
        check("a = 'b\nimport", None);
        check("\\u0061 import", None);
        check("`import", None);
    }

    /// Returns whether a node is text: in a string, a comment or a regular expression.
    fn is_text(node: Node<'_>) -> bool {
        let mut all = std::iter::successors(Some(node), Node::parent);
        let nearest = all.find_map(|node| match node.kind() {
            "string"
            | "template_string"
            | "template_literal_type"
            | "comment"
            | "html_comment"
            | "regex"
            | "hash_bang_line" => Some(true),
            "template_substitution" | "template_type" => Some(false),
            _ => None,
        });
        nearest.unwrap_or(false)
    }

    proptest! {
        /// In a text without syntax errors, the words of code are those that the grammar has outside of strings.
        #[test]
        fn reads_like_the_grammar(
            parts in prop::collection::vec(prop::sample::select(vec![
                "x", " ", "x", "=", "(", ")", "{", "}", "[", "]", "+", "'", "\"", "`", "${", "/", "/", "*", "//", "/*", "*/", "\n", ";", ",",
                "\\", "<", ">", "!", "++", "return ", "if (a) ", "a", "b.", "1", "'x'", "`x`", "/x/", "=> ", "typeof ", "in ", "?", ":", "#",
                "f(x)", "a = ", "() => ", "`${x}`", "// x\n", "/* x */", "$", "<b>", "</b>", "of ", "await ", "case ", "as T", "@",
            ]), 0..12),
            is_typed: bool,
        ) {
            let text = parts.concat();
            let hits = KeywordHits::find(&text, &["x"]);
            let grammar = if is_typed { &TYPESCRIPT } else { &JAVASCRIPT };
            let tree = grammar.parse(&text).expect("a short text");
            if let Some(code) = find_code_hits(&text, hits.ranges(), !is_typed)
                && !tree.root_node().has_error()
            {
                for hit in hits.ranges() {
                    let node = tree.root_node().descendant_for_byte_range(hit.start, hit.end).expect("a word");
                    // A word that cannot be told from code may be kept.
                    prop_assert!(code.contains(hit) || is_text(node), "{:?} at {}", text, hit.start);
                }
            }
        }
    }
}
