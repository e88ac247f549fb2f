//! Parses the `use` statements of a PHP file: `use A\B;`, `use A\B as C, D\E;`, `use A\{B, C\D as E};`.

use std::iter::Peekable;
use std::ops::Range;

use pathfinder_syntax::lexer::{Lexer, LexerOptions, LexerToken, TokenKind};

/// The lexical syntax at the beginning of a PHP file.
const LEXER_OPTIONS: LexerOptions = LexerOptions { single_quote: true, ..LexerOptions::C_LIKE };

/// Keywords that begin a declaration. A later `use` imports a trait or a variable.
const DECLARATIONS: [&str; 9] =
    ["abstract", "class", "enum", "final", "function", "interface", "readonly", "trait", "const"];

/// One imported class or namespace.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ClassUse {
    /// The byte range of the name; in a group, without the group's prefix.
    pub(super) range: Range<usize>,
    /// The full name, without a leading `\`.
    pub(super) name: String,
    /// The name in the file.
    pub(super) alias: String,
}

/// The namespaces and the imports of a file.
#[derive(Debug, Default)]
pub(super) struct PhpHeader {
    /// The byte ranges of the names of declared namespaces.
    pub(super) namespaces: Vec<Range<usize>>,
    /// All imports, except for functions and constants.
    pub(super) uses: Vec<ClassUse>,
}

/// Parses the namespaces and imports of a file up to its first declaration.
pub(super) fn parse_header(text: &str) -> PhpHeader {
    let mut header = PhpHeader::default();
    let Some(start) = text.find("<?php").map(|at| at + 5) else { return header };
    let tokens = Lexer::new(&text[start..], LEXER_OPTIONS).filter(|token| token.kind != TokenKind::Comment);
    let mut parser = UseParser { text: &text[start..], start, tokens: tokens.peekable() };
    while let Some(token) = parser.tokens.next() {
        match &parser.text[token.range.clone()] {
            "use" => parser.parse_statement(&mut header.uses),
            // A namespace with a block: `namespace A {`.
            "namespace" => {
                let (name, range) = parser.parse_name();
                header.namespaces.extend((!name.is_empty()).then_some(range));
            }
            "{" | "}" | ";" => {}
            "#" => parser.skip_hash(token.range.end),
            "?" | "<" => break,
            word if token.kind == TokenKind::Word && DECLARATIONS.contains(&word) => break,
            _ => parser.skip_statement(),
        }
    }
    header
}

/// Parses `use` statements from the tokens of a file.
struct UseParser<'a, I: Iterator<Item = LexerToken>> {
    text: &'a str,
    /// The byte at which `text` begins in the file.
    start: usize,
    tokens: Peekable<I>,
}

impl<I: Iterator<Item = LexerToken>> UseParser<'_, I> {
    fn peek(&mut self) -> &str {
        self.tokens.peek().map_or("", |token| &self.text[token.range.clone()])
    }

    /// Consumes the next token if its text is `expected`; returns whether it was.
    fn accept(&mut self, expected: &str) -> bool {
        let is_there = self.peek() == expected;
        if is_there {
            self.tokens.next();
        }
        is_there
    }

    /// Parses a name such as `A\B\`, with its byte range.
    fn parse_name(&mut self) -> (String, Range<usize>) {
        let mut name = String::new();
        let mut range: Option<Range<usize>> = None;
        let is_part =
            |token: &LexerToken, text: &str| token.kind == TokenKind::Word || &text[token.range.clone()] == "\\";
        let text = self.text;
        // A token after a space is another word: `A as B`.
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

    /// Parses a statement after `use`, up to its semicolon.
    fn parse_statement(&mut self, uses: &mut Vec<ClassUse>) {
        if matches!(self.peek(), "function" | "const") {
            return self.skip_statement();
        }
        loop {
            let (name, range) = self.parse_name();
            if name.is_empty() {
                return;
            }
            if name.ends_with('\\') && self.accept("{") {
                self.parse_group(&name, uses);
            } else {
                self.add_use(&name, range, uses);
            }
            if !self.accept(",") {
                return;
            }
        }
    }

    /// Parses the names in braces.
    fn parse_group(&mut self, prefix: &str, uses: &mut Vec<ClassUse>) {
        loop {
            let is_class = !(self.accept("function") || self.accept("const"));
            let (name, range) = self.parse_name();
            if name.is_empty() {
                self.accept("}");
                return;
            }
            let count = uses.len();
            self.add_use(&format!("{prefix}{name}"), range, uses);
            if !is_class {
                uses.truncate(count);
            }
            self.accept(",");
        }
    }

    /// Adds one name, with its alias.
    fn add_use(&mut self, name: &str, range: Range<usize>, uses: &mut Vec<ClassUse>) {
        let name = name.trim_start_matches('\\').to_owned();
        let last = name.rsplit('\\').next().unwrap_or_default().to_owned();
        let alias = if self.accept("as") { self.parse_name().0 } else { last };
        if !name.is_empty() && !name.ends_with('\\') {
            uses.push(ClassUse { range, name, alias });
        }
    }

    /// Skips a comment or an attribute.
    fn skip_hash(&mut self, after: usize) {
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

    /// Skips a statement with its blocks.
    fn skip_statement(&mut self) {
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
    use super::parse_header;

    #[track_caller]
    fn check(text: &str, expect: &[(&str, &str, &str)]) {
        let uses = parse_header(text).uses;
        let rows: Vec<(&str, &str, &str)> =
            uses.iter().map(|one| (&text[one.range.clone()], one.name.as_str(), one.alias.as_str())).collect();
        assert_eq!(rows, expect, "{text}");
    }

    #[test]
    fn parses_names() {
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
    fn accepts_broken_text() {
        for text in
            ["<?php use", "<?php use A\\{", "<?php use A\\{,", "<?php #[", "<?php # ", "<?php use \\;", "use A;"]
        {
            check(text, &[]);
        }
    }
}
