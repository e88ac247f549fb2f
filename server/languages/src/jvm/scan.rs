//! Scans a JVM source file: its package, its imports and its declarations.

use std::ops::Range;

use pathfinder_syntax::lexer::{Backquote, Lexer, LexerOptions, LexerToken, TokenKind, TripleQuotes};

/// The lexical rules of a language.
fn syntax(extension: &str) -> LexerOptions {
    LexerOptions {
        nested_comments: matches!(extension, "kt" | "kts" | "scala" | "sc"),
        backquote: Backquote::Name,
        single_quote: extension == "groovy",
        triple_quotes: TripleQuotes::Three,
        ..LexerOptions::C_LIKE
    }
}

/// One import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct JvmImport {
    /// The range of the name up to its type: only `C` in `a.b.{C, D}`, and `a.b.C` in `a.b.C.d`.
    pub(super) range: Range<usize>,
    /// The full name: `a.b.C`.
    pub(super) name: String,
    /// True for `a.b.*`; the name is then a package or a type.
    pub(super) is_wildcard: bool,
}

/// The package and the imports of a file.
#[derive(Debug, Default)]
pub(super) struct FileHeader {
    /// Empty without a package.
    pub(super) package: String,
    /// The ranges of the package's names, one for each clause.
    pub(super) package_names: Vec<Range<usize>>,
    pub(super) imports: Vec<JvmImport>,
}

impl FileHeader {
    /// Parses a text up to its first declaration.
    pub(super) fn parse(text: &str, extension: &str) -> Self {
        let tokens = Lexer::new(text, syntax(extension)).filter(|token| token.kind != TokenKind::Comment);
        let mut reader = HeaderReader { text, tokens: tokens.peekable() };
        let is_scala = matches!(extension, "scala" | "sc");
        let mut header = Self::default();
        while let Some(token) = reader.tokens.next() {
            match (token.kind, &text[token.range]) {
                (TokenKind::Word, "package") => {
                    let (name, range, _) = reader.read_dotted_name();
                    // `package a; package b` in Scala is `a.b`; `package object x` is a declaration.
                    if is_scala && name == "object" {
                        break;
                    }
                    if !name.is_empty() {
                        header.package_names.push(range);
                    }
                    if !header.package.is_empty() && !name.is_empty() {
                        header.package.push('.');
                    }
                    header.package.push_str(&name);
                }
                (TokenKind::Word, "import") => reader.read_imports(is_scala, &mut header.imports),
                // Annotations of the file or the package.
                (TokenKind::Punct, "@") => reader.skip_annotation(),
                (TokenKind::Punct, ";") => {}
                _ => break,
            }
        }
        header
    }
}

/// The end of the first capitalized segment of a dotted name, or of the whole name. Members of the type are no part of its path.
fn end_of_type(text: &str, range: &Range<usize>) -> usize {
    let mut at = range.start;
    for segment in text[range.clone()].split('.') {
        at += segment.len() + 1;
        if segment.trim().trim_start_matches('`').starts_with(char::is_uppercase) {
            return at - 1;
        }
    }
    range.end
}

/// Reads the tokens of a file header.
struct HeaderReader<'a, I: Iterator<Item = LexerToken>> {
    text: &'a str,
    tokens: std::iter::Peekable<I>,
}

impl<I: Iterator<Item = LexerToken>> HeaderReader<'_, I> {
    fn peek(&mut self) -> &str {
        self.tokens.peek().map_or("", |token| &self.text[token.range.clone()])
    }

    /// Skips the next token if it is `mark`. Returns whether it was.
    fn take(&mut self, mark: &str) -> bool {
        let is_there = self.peek() == mark;
        if is_there {
            self.tokens.next();
        }
        is_there
    }

    /// Reads `a.b.c`. Returns the name without quotes, its range, and whether a dot is left over.
    fn read_dotted_name(&mut self) -> (String, Range<usize>, bool) {
        let mut name = String::new();
        let mut range = 0..0;
        loop {
            let Some(token) = self.tokens.next_if(|token| token.kind == TokenKind::Word) else {
                return (name, range, true);
            };
            if name.is_empty() {
                range = token.range.clone();
            } else {
                name.push('.');
            }
            name.push_str(self.text[token.range.clone()].trim_matches('`'));
            range.end = token.range.end;
            if !self.take(".") {
                return (name, range, false);
            }
        }
    }

    fn read_imports(&mut self, is_scala: bool, imports: &mut Vec<JvmImport>) {
        loop {
            self.read_import(is_scala, imports);
            if !(is_scala && self.take(",")) {
                return;
            }
        }
    }

    fn read_import(&mut self, is_scala: bool, imports: &mut Vec<JvmImport>) {
        if self.peek() == "static" {
            self.tokens.next();
        }
        let (name, range, is_open) = self.read_dotted_name();
        if name.is_empty() {
            return;
        }
        if is_open {
            if self.take("*") {
                imports.push(JvmImport { range, name, is_wildcard: true });
            } else if is_scala && self.take("{") {
                let of_type = name.split('.').any(|segment| segment.starts_with(char::is_uppercase));
                let end = end_of_type(self.text, &range);
                if of_type {
                    // The names between the braces are members of the type.
                    self.read_selectors(&name, &mut Vec::new());
                    imports.push(JvmImport { range: range.start..end, name, is_wildcard: false });
                } else {
                    self.read_selectors(&name, imports);
                }
            }
        } else if let Some(package) = name.strip_suffix("._").filter(|_| is_scala) {
            let range = range.start..range.end - 2;
            imports.push(JvmImport { range, name: package.to_owned(), is_wildcard: true });
        } else {
            let range = range.start..end_of_type(self.text, &range);
            imports.push(JvmImport { range, name, is_wildcard: false });
        }
        // The alias.
        if self.peek() == "as" || is_scala && self.peek() == "=" {
            self.tokens.next();
            self.take(">");
            self.tokens.next_if(|token| token.kind == TokenKind::Word);
        }
    }

    /// `C, D => E, _}`
    fn read_selectors(&mut self, package: &str, imports: &mut Vec<JvmImport>) {
        let mut is_new = true;
        for token in self.tokens.by_ref() {
            match (token.kind, &self.text[token.range.clone()]) {
                (_, "}") => return,
                (_, ",") => is_new = true,
                (TokenKind::Word, "_" | "given") => is_new = false,
                (TokenKind::Word, name) if is_new => {
                    let name = format!("{package}.{}", name.trim_matches('`'));
                    imports.push(JvmImport { range: token.range, name, is_wildcard: false });
                    is_new = false;
                }
                _ => {}
            }
        }
    }

    /// `@file:A("x")`, `@a.B`
    fn skip_annotation(&mut self) {
        if self.peek() == "file" {
            self.tokens.next();
            self.take(":");
        }
        self.read_dotted_name();
        let mut depth = 0_usize;
        while matches!(self.peek(), "(" | "[") || depth > 0 {
            let Some(token) = self.tokens.next() else { return };
            match &self.text[token.range] {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
    }
}

/// Returns the range of the package before the braces of `import a.b.{C, D}`, given the range of one of the names between them.
pub(super) fn package_of_selector(text: &str, name: &Range<usize>) -> Option<Range<usize>> {
    let before = text.get(..name.start)?;
    let open = before.rfind('{')?;
    // Between braces of code there is more than names, commas and aliases.
    let is_list = before[open + 1..].chars().all(|c| c.is_alphanumeric() || c.is_whitespace() || "_,=>`$".contains(c));
    let package = before[..open].trim_end().strip_suffix('.').filter(|_| is_list)?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '`' | '$');
    let start = package
        .rfind(|c: char| !is_part(c))
        .map_or(0, |at| at + package[at..].chars().next().map_or(1, char::len_utf8));
    (start < package.len()).then_some(start..package.len())
}

/// The names that a file declares at any level: types, and functions and values that can be imported.
pub(super) fn declared_names<'t>(text: &'t str, extension: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let is_java = extension == "java";
    let mut tokens = Lexer::new(text, syntax(extension)).filter(|token| token.kind != TokenKind::Comment).peekable();
    while let Some(token) = tokens.next() {
        if token.kind != TokenKind::Word {
            continue;
        }
        match &text[token.range] {
            "class" | "interface" | "enum" | "record" | "object" | "trait" | "typealias" | "type" => {
                // `enum class A`, `case class`, `package object a`
                let is_name =
                    |token: &LexerToken| token.kind == TokenKind::Word && &text[token.range.clone()] != "class";
                found.extend(tokens.next_if(is_name).map(|token| text[token.range].trim_matches('`')));
            }
            // Java knows the file by the name in `@file:JvmName("X")`.
            "JvmName" => {
                tokens.next_if(|token| &text[token.range.clone()] == "(");
                let name = tokens.next_if(|token| token.kind == TokenKind::String);
                found.extend(name.map(|token| text[token.range].trim_matches('"')));
            }
            "fun" | "val" | "var" | "def" | "given" if !is_java => {
                // `fun <T> List<T>.name(`: takes all words before the parameters or the type.
                let ends = |token: &LexerToken| matches!(&text[token.range.clone()], "(" | ":" | "=" | "{" | "}" | ";");
                while let Some(token) = tokens.next_if(|token| !ends(token)) {
                    if token.kind == TokenKind::Word {
                        found.push(text[token.range].trim_matches('`'));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The names in `package object a`.
pub(super) fn package_objects(text: &str) -> Vec<&str> {
    const START: &str = "package object ";
    let end = |c: char| !c.is_alphanumeric() && c != '_';
    let names = text.match_indices(START).map(|(at, _)| text[at + START.len()..].split(end).next().unwrap_or_default());
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::{FileHeader, declared_names};

    #[track_caller]
    fn check(extension: &str, text: &str, package: &str, expect: &[&str]) {
        let header = FileHeader::parse(text, extension);
        let named = |import: &super::JvmImport| {
            assert!(import.name.contains(&text[import.range.clone()].replace('`', "")), "{text}");
            format!("{}{}", import.name, if import.is_wildcard { ".*" } else { "" })
        };
        assert_eq!(header.package, package, "{text}");
        assert_eq!(header.imports.iter().map(named).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn parses_file_headers() {
        check(
            "java",
            "/* package x; */ @A(\"x\") package a.b;\nimport a.b.C; // import no.No;\nimport static a.D.*;\nimport static a.D.e;\nclass F { /* import */ }\nimport g.H;",
            "a.b",
            &["a.b.C", "a.D.*", "a.D.e"],
        );
        check(
            "kt",
            "@file:JvmName(\"X\")\n@file:[A B]\npackage a.b\n\nimport a.b.C\nimport a.b.D as E\nimport a.*\nimport a.`in`.F\nval x = \"import no\"",
            "a.b",
            &["a.b.C", "a.b.D", "a.*", "a.in.F"],
        );
        check(
            "scala",
            "package a\npackage b\nimport c.{D, E => F, _}\nimport g._\nimport h.I, j.K\nimport l.*\nimport m.N as O\nimport q.R.{S, t}\nobject P",
            "a.b",
            &["c.D", "c.E", "g.*", "h.I", "j.K", "l.*", "m.N", "q.R"],
        );
        check("groovy", "package a\nimport b.C\nimport d.E as F\ndef x = 'import g.H'", "a", &["b.C", "d.E"]);
        check("java", "import", "", &[]);
        check("java", "import a.", "", &[]);
        check("scala", "import a.{", "", &[]);
    }

    #[test]
    fn finds_declarations() {
        assert_eq!(
            declared_names(
                "class A { interface B {} enum C { X } record D(int e) {} } // class F\n@interface G {}",
                "java"
            ),
            ["A", "B", "C", "D", "G"]
        );
        assert_eq!(
            declared_names(
                "enum class A\nfun <T> List<T>.b(c: D) {}\nval E.f: Int get() = 1\ntypealias G = H\nobject `I J`",
                "kt"
            ),
            ["A", "T", "List", "T", "b", "E", "f", "G", "I J"]
        );
        assert_eq!(declared_names("@file:JvmName(\"A\")\nfun b() {}", "kt"), ["A", "b"]);
        assert_eq!(
            declared_names("case class A(b: C)\ntrait D\ndef e = 1\nimplicit val f: G = 1", "scala"),
            ["A", "D", "e", "f"]
        );
    }
}
