//! Reads statements that only import, without a syntax tree. `Python::check` parses all others.
//!
//! Most statements with the word `import` are such ones, and parsing each took a third of the CPU of a check of pydata/xarray.

use std::ops::Range;

use super::imports::{PythonImport, is_suppressed};

/// Words that are no plain names for the grammar.
const RESERVED_WORDS: [&str; 40] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "case", "class", "continue", "def",
    "del", "elif", "else", "except", "exec", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "match", "nonlocal", "not", "or", "pass", "print", "raise", "return", "try", "type", "while", "with", "yield",
];

/// The imports of a statement in the usual notation; `None` if it may be anything else.
pub(super) fn parse(statement: &str) -> Option<Vec<PythonImport>> {
    let mut reader = ImportReader { text: statement, at: 0, is_in_brackets: false };
    reader.skip_space();
    let start = reader.at;
    let mut imports = Vec::new();
    let end = match reader.word()? {
        "import" => {
            reader.skip_some_space()?;
            loop {
                let module = reader.dotted_name()?;
                imports.push(PythonImport { module, names: Vec::new(), is_optional: false });
                let end = reader.skip_alias()?;
                if !reader.skip_comma() {
                    break end;
                }
            }
        }
        "from" => {
            reader.skip_some_space()?;
            let module = reader.module()?;
            reader.skip_some_space()?;
            if reader.word()? != "import" {
                return None;
            }
            let (names, end) = reader.imported_names()?;
            // The grammar has another node for these, which imports nothing.
            if &statement[module.clone()] != "__future__" {
                imports.push(PythonImport { module, names, is_optional: false });
            }
            end
        }
        _ => return None,
    };
    reader.skip_rest()?;
    if is_suppressed(&statement[start..], end - start) {
        for import in &mut imports {
            import.is_optional = true;
        }
    }
    Some(imports)
}

/// Reads tokens from the beginning of a statement.
struct ImportReader<'t> {
    text: &'t str,
    at: usize,
    /// True between brackets, where lines may end.
    is_in_brackets: bool,
}

impl<'t> ImportReader<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let is = self.peek() == Some(byte);
        self.at += usize::from(is);
        is
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' if self.is_in_brackets => self.at += 1,
                b'#' if self.is_in_brackets => self.skip_comment(),
                _ => return,
            }
        }
    }

    fn skip_some_space(&mut self) -> Option<()> {
        let from = self.at;
        self.skip_space();
        (self.at > from).then_some(())
    }

    fn skip_comment(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    fn skip_comma(&mut self) -> bool {
        let is = self.skip(b',');
        if is {
            self.skip_space();
        }
        is
    }

    /// The word at this place; empty if there is none. `None` if it has other letters than those of ASCII.
    fn word(&mut self) -> Option<&'t str> {
        let from = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.at += 1;
        }
        self.peek().is_none_or(|byte| byte.is_ascii()).then(|| &self.text[from..self.at])
    }

    fn name(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        let word = self.word()?;
        let is_name = word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        (is_name && !RESERVED_WORDS.contains(&word)).then_some(from..self.at)
    }

    fn dotted_name(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        self.name()?;
        while self.skip(b'.') {
            self.name()?;
        }
        Some(from..self.at)
    }

    /// The module of `from`: dots, names or both.
    fn module(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        while self.skip(b'.') {}
        if self.at == from || !matches!(self.peek(), Some(b' ' | b'\t')) {
            self.dotted_name()?;
        }
        Some(from..self.at)
    }

    /// Skips `as name` and space behind it. Returns the end of what comes before the space.
    fn skip_alias(&mut self) -> Option<usize> {
        let mut end = self.at;
        self.skip_space();
        if self.peek() == Some(b'a') {
            if self.at == end || self.word()? != "as" {
                return None;
            }
            self.skip_some_space()?;
            end = self.name()?.end;
            self.skip_space();
        }
        Some(end)
    }

    /// The names behind `import`, and the end of the statement.
    fn imported_names(&mut self) -> Option<(Vec<Range<usize>>, usize)> {
        let from = self.at;
        self.skip_space();
        if self.skip(b'*') {
            return Some((Vec::new(), self.at));
        }
        self.is_in_brackets = self.skip(b'(');
        if !self.is_in_brackets && self.at == from {
            return None;
        }
        self.skip_space();
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            let end = self.skip_alias()?;
            let goes_on = self.skip_comma();
            if self.is_in_brackets && self.skip(b')') {
                self.is_in_brackets = false;
                return Some((names, self.at));
            }
            if !goes_on {
                return (!self.is_in_brackets).then_some((names, end));
            }
        }
    }

    /// Skips space and a comment up to the end; `None` if anything else is there.
    fn skip_rest(&mut self) -> Option<()> {
        self.skip_space();
        if self.peek() == Some(b'#') {
            self.skip_comment();
        }
        self.text[self.at..].bytes().all(|byte| matches!(byte, b'\n' | b'\r')).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use pathfinder_syntax::grammars::PYTHON;
    use proptest::prelude::*;

    use super::parse;
    use crate::python::imports::{PythonImport, find_imports};

    fn row(text: &str, import: &PythonImport) -> (String, Vec<String>, bool) {
        let names = import.names.iter().map(|name| text[name.clone()].to_owned()).collect();
        (text[import.module.clone()].to_owned(), names, import.is_optional)
    }

    #[test]
    fn reads_usual_statements() {
        let check = |text: &str, expect: &[(&str, &[&str], bool)]| {
            let found: Vec<_> = parse(text).unwrap().iter().map(|import| row(text, import)).collect();
            let expect: Vec<_> = expect
                .iter()
                .map(|(module, names, is_optional)| {
                    let names = names.iter().map(|&name| name.to_owned()).collect();
                    ((*module).to_owned(), names, *is_optional)
                })
                .collect();
            assert_eq!(found, expect, "{text}");
        };
        check("import a\n", &[("a", &[], false)]);
        check("    import a.b as c, d  # x\r\n", &[("a.b", &[], false), ("d", &[], false)]);
        check("import a # type: ignore", &[("a", &[], true)]);
        check("from a.b import c", &[("a.b", &["c"], false)]);
        check("from . import c as d, e", &[(".", &["c", "e"], false)]);
        check("from ..a import *\n", &[("..a", &[], false)]);
        check("from a import (  # x\n    b,\n    c as d,\n)\n", &[("a", &["b", "c"], false)]);
        check("from __future__ import annotations\n", &[]);
    }

    #[test]
    fn leaves_other_statements_to_the_grammar() {
        for text in [
            "import a; import b",
            "import a\n  b\n",
            "import é",
            "import a as",
            "import a.",
            "from a import",
            "import",
            "from a import b,\n",
            "from a import (b",
            "from a import ()",
            "x = 'import a'",
            "import \\\n a",
            "import print",
            "from .import a",
            "from a import b c",
            "import (a)",
            "if a: import b",
            "from import a",
            "",
            "import aas b",
        ] {
            assert!(parse(text).is_none(), "{text}");
        }
    }

    proptest! {
        /// A statement that is read here has the same imports as its tree.
        #[test]
        fn reads_like_the_grammar(parts in prop::collection::vec(prop::sample::select(vec![
            "import", "from", " ", " ", " ", "  ", ".", "..", "a", "b_1", " as ", "(", ")", ", ", ",", "*", "\n", "# x\n",
            "# type: ignore", "  # noqa: E0401 ignore import", "\t", "class", "__future__", ";", "\\\n", "\r\n", "as", "9",
            "import ", "from ", " import ", "from a import ", "import a",
        ]), 0..14)) {
            let text = parts.concat();
            if let Some(imports) = parse(&text) {
                let tree = PYTHON.parse(&text).expect("a short text");
                let parsed = find_imports(tree.root_node(), &text);
                let rows = |all: &[PythonImport]| {
                    let row = |import: &PythonImport| (import.module.clone(), import.names.clone(), import.is_optional);
                    all.iter().map(row).collect::<Vec<_>>()
                };
                prop_assert_eq!(rows(&imports), rows(&parsed), "{:?}", text);
            }
        }
    }
}
