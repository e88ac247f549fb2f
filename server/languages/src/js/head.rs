//! Reads the imports at the beginning of a script without a syntax tree. `scan::find_literals` asks first whether that is enough.
//!
//! Most scripts name modules only in their first statements. Where a notation is unusual, the grammar decides.

use std::ops::Range;

/// Words that are no plain names.
const RESERVED_WORDS: [&str; 41] = [
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
];

/// The statements at the beginning of a script that import or export from modules.
#[derive(Debug, Default)]
pub(super) struct ScriptHead {
    /// The names of the modules, without quotes.
    pub(super) modules: Vec<Range<usize>>,
    /// The end of these statements. The rest was not read.
    pub(super) end: usize,
}

impl ScriptHead {
    /// Reads the beginning of a text; `None` if a statement there may mean anything else. `is_typed` is true for the grammars of
    /// TypeScript.
    pub(super) fn read(text: &str, is_typed: bool) -> Option<Self> {
        let mut reader = HeadReader { text, at: 0, is_typed };
        let mut head = Self::default();
        loop {
            reader.skip_trivia()?;
            head.end = reader.at;
            let word = reader.peek_word();
            let module = match word {
                "import" => {
                    reader.at += word.len();
                    reader.import()?
                }
                "export" => {
                    reader.at += word.len();
                    match reader.export()? {
                        Export::From(module) => module,
                        Export::Other => return Some(head),
                    }
                }
                "" if matches!(reader.peek(), Some(b'"' | b'\'')) => {
                    // A directive, such as "use strict".
                    reader.string()?;
                    reader.end_statement()?;
                    continue;
                }
                _ => return Some(head),
            };
            reader.end_statement()?;
            head.modules.extend((!module.is_empty()).then_some(module));
        }
    }
}

/// An export at the beginning of a script.
enum Export {
    /// From this module.
    From(Range<usize>),
    /// One of a declaration or of names of the script. The head ends before it.
    Other,
}

/// Reads tokens from the beginning of a script.
struct HeadReader<'t> {
    text: &'t str,
    at: usize,
    is_typed: bool,
}

impl<'t> HeadReader<'t> {
    fn rest(&self) -> &'t [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    /// Skips space and comments; `None` if a comment has no end.
    fn skip_trivia(&mut self) -> Option<()> {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\n' | b'\r', ..] => self.at += 1,
                [b'/', b'/', rest @ ..] => self.at += 2 + memchr::memchr(b'\n', rest).unwrap_or(rest.len()),
                [b'/', b'*', rest @ ..] => self.at += 4 + memchr::memmem::find(rest, b"*/")?,
                _ => return Some(()),
            }
        }
    }

    /// The word at this place; empty if there is none.
    fn peek_word(&self) -> &'t str {
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        let length = self.rest().iter().position(|byte| !is_part(byte)).unwrap_or(self.rest().len());
        &self.text[self.at..self.at + length]
    }

    /// Skips a word and what is between it and the next token.
    fn skip_word(&mut self, word: &str) -> Option<bool> {
        let is = self.peek_word() == word;
        if is {
            self.at += word.len();
            self.skip_trivia()?;
        }
        Some(is)
    }

    /// Skips a name and what is between it and the next token.
    fn name(&mut self) -> Option<()> {
        let word = self.peek_word();
        self.at += word.len();
        let begins = word.starts_with(|first: char| !first.is_ascii_digit());
        let is_ascii = self.peek().is_none_or(|byte| byte.is_ascii() && byte != b'\\');
        (begins && is_ascii && !RESERVED_WORDS.contains(&word)).then_some(())?;
        self.skip_trivia()
    }

    /// The contents of a string without escapes.
    fn string(&mut self) -> Option<Range<usize>> {
        let quote = self.peek().filter(|byte| matches!(byte, b'"' | b'\''))?;
        let start = self.at + 1;
        let length = self.text.as_bytes()[start..]
            .iter()
            .position(|byte| matches!(byte, b'\\' | b'\n' | b'\r') || *byte == quote)?;
        self.at = start + length;
        self.skip(quote).then_some(start..start + length)
    }

    /// The module behind `from`.
    fn from(&mut self) -> Option<Range<usize>> {
        if !self.skip_word("from")? {
            return None;
        }
        self.string()
    }

    /// Skips `type` before the names of types. Its other meanings are left to the grammar.
    fn skip_type(&mut self) -> Option<()> {
        if self.peek_word() == "type" {
            self.at += "type".len();
            self.skip_trivia()?;
            let is_kind =
                self.is_typed && (self.peek() == Some(b'{') || !matches!(self.peek_word(), "" | "from" | "as"));
            return is_kind.then_some(());
        }
        Some(())
    }

    /// Skips names in braces.
    fn names(&mut self) -> Option<()> {
        self.skip_trivia()?;
        while !self.skip(b'}') {
            self.skip_type()?;
            if self.peek_word() == "default" {
                self.at += "default".len();
                self.skip_trivia()?;
                if self.peek_word() != "as" {
                    return None;
                }
            } else {
                self.name()?;
            }
            if self.skip_word("as")? {
                self.name()?;
            }
            if !self.skip(b',') && self.peek() != Some(b'}') {
                return None;
            }
            self.skip_trivia()?;
        }
        self.skip_trivia()
    }

    /// Skips `* as name`.
    fn namespace(&mut self) -> Option<()> {
        self.skip_trivia()?;
        if !self.skip_word("as")? {
            return None;
        }
        self.name()
    }

    /// The module of an import, behind that word.
    fn import(&mut self) -> Option<Range<usize>> {
        self.skip_trivia()?;
        if matches!(self.peek(), Some(b'"' | b'\'')) {
            return self.string();
        }
        self.skip_type()?;
        let is_alone = match self.peek()? {
            b'{' | b'*' => true,
            _ => {
                self.name()?;
                let is_alone = self.skip(b',');
                self.skip_trivia()?;
                is_alone
            }
        };
        if is_alone {
            if self.skip(b'{') {
                self.names()?;
            } else if self.skip(b'*') {
                self.namespace()?;
            } else {
                return None;
            }
        }
        self.from()
    }

    /// The rest of an export, behind that word.
    fn export(&mut self) -> Option<Export> {
        self.skip_trivia()?;
        if self.peek_word() == "type" {
            self.at += "type".len();
            self.skip_trivia()?;
            if !self.is_typed || self.peek() != Some(b'{') {
                return Some(Export::Other);
            }
        }
        if self.skip(b'{') {
            self.names()?;
            if self.peek_word() != "from" {
                return Some(Export::Other);
            }
        } else if self.skip(b'*') {
            self.skip_trivia()?;
            if self.skip_word("as")? {
                self.name()?;
            }
        } else {
            return Some(Export::Other);
        }
        self.from().map(Export::From)
    }

    /// Skips the end of a statement: a semicolon, or a line end before something that cannot continue it.
    fn end_statement(&mut self) -> Option<()> {
        let end = self.at;
        self.skip_trivia()?;
        if self.skip(b';') {
            return Some(());
        }
        let has_line_end = self.text.as_bytes()[end..self.at].contains(&b'\n');
        let ends = match self.peek() {
            None => true,
            Some(b'"' | b'\'') => has_line_end,
            Some(_) => has_line_end && !matches!(self.peek_word(), "" | "in" | "instanceof" | "with" | "assert"),
        };
        ends.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use pathfinder_syntax::grammars::{JAVASCRIPT, NodeKinds, TYPESCRIPT};
    use pathfinder_syntax::string_ranges::string_content;
    use proptest::prelude::*;

    use super::ScriptHead;

    static PLAIN: NodeKinds = NodeKinds::new(&JAVASCRIPT, &["import_statement", "export_statement"]);
    static TYPED: NodeKinds = NodeKinds::new(&TYPESCRIPT, &["import_statement", "export_statement"]);

    #[test]
    fn reads_imports_and_exports() {
        let check = |text: &str, expect: &[&str], rest: &str| {
            let head = ScriptHead::read(text, true).unwrap();
            let found: Vec<&str> = head.modules.iter().map(|range| &text[range.clone()]).collect();
            assert_eq!((&found[..], &text[head.end..]), (expect, rest), "{text}");
        };
        check("'use strict';\nimport 'a'\nimport b from \"./b\";\nf()", &["a", "./b"], "f()");
        check("/* x */ import b, { c as d, type E, default as f, } from './b' // y\n\n", &["./b"], "");
        check("import type { A } from 'a';\nimport type B from 'b';\nimport * as c from 'c';x", &["a", "b", "c"], "x");
        check(
            "export * from './a'\nexport { b, c as d } from './b'\nexport const e = 1",
            &["./a", "./b"],
            "export const e = 1",
        );
        check("export * as a from 'a';\nexport type { B } from 'b';\nexport { c };", &["a", "b"], "export { c };");
        check("const a = require('a')", &[], "const a = require('a')");
        check("import a from ''", &[], "");
    }

    #[test]
    fn leaves_unusual_notations_to_the_grammar() {
        for text in [
            "import a from 'a' with { type: 'json' }",
            "import a from 'a'\nwith {}",
            "import a from 'a'\n(f)()",
            "import(a)",
            "import.meta.url",
            "import a = require('a')",
            "import type from 'a'",
            "import a from `a`",
            "import a from 'a\\n'",
            "import { 'a' as b } from 'c'",
            "import é from 'e'",
            "import a b from 'c'",
            "import { class } from 'a'",
            "/* import a from 'a'",
            "import a from 'a' f()",
            "import typeof A from 'a'",
            "import a, from 'a'",
            "'a' + b",
            "'a'\n.b",
            "import { a b } from 'c'",
            "import { type } from 'a'",
        ] {
            assert!(ScriptHead::read(text, true).is_none(), "{text}");
        }
        assert!(ScriptHead::read("import type { A } from 'a'", false).is_none());
    }

    proptest! {
        /// Statements that are read here have the same modules as their trees. The grammar takes `in$l` for `in $l`, so that no part begins with `$`.
        #[test]
        fn reads_like_the_grammar(
            parts in prop::collection::vec(prop::sample::select(vec![
                "import ", "export ", "from ", " from ", "'./a'", "\"b\"", "{", "}", " ", "\n", ";", ";\n", ",", "* as c", "*", "d",
                "type ", "default as e", "f as g", "// x\n", "/* y */", "'use strict';\n", "import h from './h'\n",
                "import { i, j } from 'i';\n", "export * from './k'\n", "with ", "(", "=", "as ", "type", " $l", "default", "in",
                "import type { M } from './m'\n", "export { n } from './n'\n", "import 'o'\n",
            ]), 0..10),
            tail in prop::sample::select(vec!["", "const p = 1;\n", "function q() {}\n", "in r\n", "`s`\n", "+t\n", "with (u) v\n"]),
            is_typed: bool,
        ) {
            let text = parts.concat() + tail;
            if let Some(head) = ScriptHead::read(&text, is_typed) {
                let (grammar, kinds) = if is_typed { (&TYPESCRIPT, &TYPED) } else { (&JAVASCRIPT, &PLAIN) };
                let tree = grammar.parse(&text).expect("a short text");
                let nodes = kinds.nodes(tree.root_node(), std::slice::from_ref(&(0..text.len())));
                let sources = nodes.into_iter().filter(|node| node.start_byte() < head.end);
                let sources = sources.filter_map(|node| node.child_by_field_name("source"));
                let modules: Vec<_> = sources.filter_map(|node| string_content(&text, node.byte_range())).collect();
                prop_assert_eq!(head.modules, modules, "{:?}", text);
            }
        }
    }
}
