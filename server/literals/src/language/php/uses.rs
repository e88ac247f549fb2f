//! What a file says of names at its beginning: `use A\B;`, `use A\B as C, D\E;`, `use A\{B, C\D as E};`.

use std::iter::Peekable;
use std::ops::Range;

use crate::language::lexer::{Backquote, Lexer, LexerOptions, LexerToken, TokenKind};

/// PHP as far as the beginning of a file needs it.
const SYNTAX: LexerOptions =
    LexerOptions { nested_comments: false, backquote: Backquote::String, single_quote: true, triple_quotes: false };

/// Words that begin a declaration. A `use` behind them is something else.
const DECLARATIONS: [&str; 9] =
    ["abstract", "class", "enum", "final", "function", "interface", "readonly", "trait", "const"];

/// One name of a class or a name space that is taken in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Use {
    /// Where it stands: in a group without what stands before the group.
    pub(super) range: Range<usize>,
    /// All of it, without a `\` before it.
    pub(super) name: String,
    /// What it is called in the file.
    pub(super) alias: String,
}

/// All of a file. Functions and constants are left out.
pub(super) fn of(text: &str) -> Vec<Use> {
    let Some(start) = text.find("<?php").map(|at| at + 5) else { return Vec::new() };
    let tokens = Lexer::new(&text[start..], SYNTAX).filter(|token| token.kind != TokenKind::Comment);
    let mut reader = Reader { text: &text[start..], start, tokens: tokens.peekable() };
    let mut uses = Vec::new();
    while let Some(token) = reader.tokens.next() {
        match &reader.text[token.range.clone()] {
            "use" => reader.statement(&mut uses),
            // `namespace A {`
            "namespace" => {
                reader.name();
            }
            "{" | "}" | ";" => {}
            "#" => reader.hash(token.range.end),
            "?" | "<" => break,
            word if token.kind == TokenKind::Word && DECLARATIONS.contains(&word) => break,
            _ => reader.skip(),
        }
    }
    uses
}

struct Reader<'a, I: Iterator<Item = LexerToken>> {
    text: &'a str,
    /// Where the text begins in the file.
    start: usize,
    tokens: Peekable<I>,
}

impl<I: Iterator<Item = LexerToken>> Reader<'_, I> {
    fn peek(&mut self) -> &str {
        self.tokens.peek().map_or("", |token| &self.text[token.range.clone()])
    }

    fn take(&mut self, what: &str) -> bool {
        let is_there = self.peek() == what;
        if is_there {
            self.tokens.next();
        }
        is_there
    }

    /// `A\B\`, as far as it goes, and where it stands.
    fn name(&mut self) -> (String, Range<usize>) {
        let mut name = String::new();
        let mut range: Option<Range<usize>> = None;
        let is_part =
            |token: &LexerToken, text: &str| token.kind == TokenKind::Word || &text[token.range.clone()] == "\\";
        let text = self.text;
        // What is not next to it is another word: `A as B`.
        while let Some(token) = self
            .tokens
            .next_if(|token| is_part(token, text) && range.as_ref().is_none_or(|range| range.end == token.range.start))
        {
            name.push_str(&text[token.range.clone()]);
            range = Some(range.map_or(token.range.clone(), |range| range.start..token.range.end));
        }
        let range = range.unwrap_or_default();
        (name, range.start + self.start..range.end + self.start)
    }

    /// What stands behind `use`, to its semicolon.
    fn statement(&mut self, uses: &mut Vec<Use>) {
        if matches!(self.peek(), "function" | "const") {
            return self.skip();
        }
        loop {
            let (name, range) = self.name();
            if name.is_empty() {
                return;
            }
            if name.ends_with('\\') && self.take("{") {
                self.group(&name, uses);
            } else {
                self.one(&name, range, uses);
            }
            if !self.take(",") {
                return;
            }
        }
    }

    /// The names between the braces.
    fn group(&mut self, before: &str, uses: &mut Vec<Use>) {
        loop {
            let is_class = !(self.take("function") || self.take("const"));
            let (name, range) = self.name();
            if name.is_empty() {
                self.take("}");
                return;
            }
            let count = uses.len();
            self.one(&format!("{before}{name}"), range, uses);
            if !is_class {
                uses.truncate(count);
            }
            self.take(",");
        }
    }

    fn one(&mut self, name: &str, range: Range<usize>, uses: &mut Vec<Use>) {
        let name = name.trim_start_matches('\\').to_owned();
        let last = name.rsplit('\\').next().unwrap_or_default().to_owned();
        let alias = if self.take("as") { self.name().0 } else { last };
        if !name.is_empty() && !name.ends_with('\\') {
            uses.push(Use { range, name, alias });
        }
    }

    /// Over a comment, or an attribute.
    fn hash(&mut self, after: usize) {
        if self.peek() != "[" {
            let end = self.text[after..].find('\n').map_or(self.text.len(), |at| after + at);
            while self.tokens.next_if(|token| token.range.start < end).is_some() {}
            return;
        }
        let mut depth = 0_usize;
        for token in self.tokens.by_ref() {
            match &self.text[token.range] {
                "[" => depth += 1,
                "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Over a statement, with the blocks in it.
    fn skip(&mut self) {
        let mut depth = 0_usize;
        for token in self.tokens.by_ref() {
            match &self.text[token.range] {
                "{" | "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return;
                    }
                }
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, &str, &str)]) {
        let uses = of(text);
        let rows: Vec<(&str, &str, &str)> =
            uses.iter().map(|one| (&text[one.range.clone()], one.name.as_str(), one.alias.as_str())).collect();
        assert_eq!(rows, expect, "{text}");
    }

    #[test]
    fn names() {
        check(
            "<?php declare(strict_types=1);\nnamespace A;\nuse B\\C; // use no\\No;\nuse \\D\\E as F, G\\H;\n# it's\nuse I\\{J, K\\L as M};\n",
            &[
                ("B\\C", "B\\C", "C"),
                ("\\D\\E", "D\\E", "F"),
                ("G\\H", "G\\H", "H"),
                ("J", "I\\J", "J"),
                ("K\\L", "I\\K\\L", "M"),
            ],
        );
        check(
            "<?php\nuse function A\\b;\nuse const A\\C;\nuse A\\{function d, const E, F,};\nuse G;",
            &[("F", "A\\F", "F"), ("G", "G", "G")],
        );
        check(
            "<html><?php\nnamespace A { use B\\C; }\nnamespace D { use E\\F; }",
            &[("B\\C", "B\\C", "C"), ("E\\F", "E\\F", "F")],
        );
        check(
            "<?php\nrequire __DIR__ . '/x.php';\nif (true) { $a = 1; }\nuse A\\B;\n#[C(['x'])]\nfinal class D { use E\\F; }",
            &[("A\\B", "A\\B", "B")],
        );
        check("<?php\nfunction a() use ($b) {}\nuse C\\D;", &[]);
    }

    #[test]
    fn broken_text() {
        for text in
            ["<?php use", "<?php use A\\{", "<?php use A\\{,", "<?php #[", "<?php # ", "<?php use \\;", "use A;"]
        {
            check(text, &[]);
        }
    }
}
