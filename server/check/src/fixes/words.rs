//! Extracts the words that a construct expects of its target: the imported names and the members used of them.
//!
//! No language is parsed. The statement around the literal has the names, and the rest of the file their members. A
//! target that declares all of them is the right one, whatever its name.

use std::collections::BTreeSet;
use std::ops::Range;

use pathfinder_literals::Source;

/// Longest distance to the ends of a statement: an import of forty names.
const MAX_STATEMENT_BYTES: usize = 2000;
/// Words beyond this add nothing.
const MAX_WORDS: usize = 24;
/// Keywords of all languages, and names that no file declares; sorted.
const KEYWORDS: [&str; 58] = [
    "and",
    "as",
    "async",
    "autoload",
    "await",
    "begin",
    "class",
    "const",
    "crate",
    "def",
    "default",
    "else",
    "end",
    "export",
    "extern",
    "false",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "if",
    "import",
    "in",
    "include",
    "include_once",
    "interface",
    "let",
    "local",
    "mod",
    "module",
    "new",
    "not",
    "null",
    "or",
    "package",
    "part",
    "private",
    "protected",
    "pub",
    "public",
    "require",
    "require_once",
    "require_relative",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "then",
    "this",
    "true",
    "type",
    "typeof",
    "undefined",
    "use",
    "using",
    "var",
];

/// Returns whether a word is a keyword of some language.
pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// The words that a literal's construct expects of its target, without those of the literal itself.
pub(crate) fn expected_words(text: &str, literal: &Range<usize>) -> Vec<String> {
    let statement = statement(text, literal);
    let before = &text[statement.start..literal.start];
    let after = &text[literal.end..statement.end];
    let mut words: BTreeSet<&str> = identifiers(before).chain(identifiers(after)).map(|(_, word)| word).collect();
    words.retain(|word| !is_keyword(word) && word.len() > 1);
    // A name is bound to the whole target: its members are expected.
    let written = &text[literal.clone()];
    let last = written.rsplit(['/', '.', '\\', ':']).find(|segment| !segment.is_empty()).unwrap_or(written);
    let stem = written.rsplit('/').next().and_then(|name| name.split('.').next()).filter(|stem| !stem.is_empty());
    let bound: Vec<&str> = match words.len() {
        1 => words.iter().copied().collect(),
        0 => [Some(last), stem].into_iter().flatten().collect(),
        _ => Vec::new(),
    };
    let mut members = BTreeSet::new();
    for name in bound {
        members.extend(members_of(text, name, literal));
    }
    if !members.is_empty() {
        return members.into_iter().take(MAX_WORDS).map(str::to_owned).collect();
    }
    words.into_iter().take(MAX_WORDS).map(str::to_owned).collect()
}

/// The statement around a literal: from the end of the one before to its own end.
pub(super) fn statement(text: &str, literal: &Range<usize>) -> Range<usize> {
    let floor = text.floor_char_boundary(literal.start.saturating_sub(MAX_STATEMENT_BYTES));
    let ceiling = text.ceil_char_boundary((literal.end + MAX_STATEMENT_BYTES).min(text.len()));
    let line = text[floor..literal.start].rfind('\n').map_or(floor, |at| floor + at + 1);
    let mut start = line;
    // `} from "./x"`: the names are in the lines above.
    if text[line..literal.start].trim_start().starts_with('}') {
        let above = &text[floor..line];
        start =
            above.rfind("import").max(above.rfind("export")).max(above.rfind("const")).map_or(line, |at| floor + at);
    }
    let rest = &text[literal.end..ceiling];
    let line_end = rest.find('\n').unwrap_or(rest.len());
    let open = rest[..line_end].find(['(', '{']).filter(|at| !rest[*at..line_end].contains([')', '}']));
    let end = open.and_then(|at| rest[at..].find([')', '}']).map(|close| at + close)).unwrap_or(line_end);
    start..literal.end + end
}

/// The names that follow `name.`, `name::` or `name->` outside of the literal.
fn members_of<'t>(text: &'t str, name: &str, literal: &Range<usize>) -> Vec<&'t str> {
    let mut members = Vec::new();
    if name.len() < 2 {
        return members;
    }
    for (at, _) in text.match_indices(name) {
        let end = at + name.len();
        let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/'));
        if !is_whole || literal.contains(&at) {
            continue;
        }
        let rest = &text[end..];
        let Some(rest) = ["::", "->", "."].iter().find_map(|mark| rest.strip_prefix(mark)) else { continue };
        if let Some((0, word)) = identifiers(rest).next() {
            members.push(word);
        }
    }
    members
}

/// Every identifier with its byte offset.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = skip_while(text, at, false);
            if start == text.len() {
                return None;
            }
            at = skip_while(text, start, true);
            if !text.as_bytes()[start].is_ascii_digit() {
                return Some((start, &text[start..at]));
            }
        }
    })
}

/// The offset of the first character from `at` that is no part of an identifier, or that is one, unlike those before it. Nearly all
/// characters are ASCII, and whole files are read.
fn skip_while(text: &str, mut at: usize, is_part: bool) -> usize {
    const PARTS: [bool; 128] = {
        let mut parts = [false; 128];
        let mut byte = 0;
        while byte < 128 {
            parts[byte as usize] = byte == b'_' || byte.is_ascii_alphanumeric();
            byte += 1;
        }
        parts
    };
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let length = match PARTS.get(usize::from(bytes[at])) {
            Some(part) if *part == is_part => 1,
            None => match text[at..].chars().next().filter(|c| c.is_alphanumeric() == is_part) {
                Some(c) => c.len_utf8(),
                None => break,
            },
            Some(_) => break,
        };
        at += length;
    }
    at
}

/// The text of a line before and after a literal at a range of the file.
pub(super) fn text_beside(source: &Source<'_>, range: &Range<usize>) -> String {
    /// A line can be megabytes long, and a label is beside its link.
    const MAX_BYTES: usize = 200;
    let (text, skipped) = (source.text(), source.offset());
    let (Some(before), Some(after)) = (text.get(..range.start - skipped), text.get(range.end - skipped..)) else {
        return String::new();
    };
    let before = &before[before.ceil_char_boundary(before.len().saturating_sub(MAX_BYTES))..];
    let after = &after[..after.floor_char_boundary(MAX_BYTES)];
    let line = [before.rsplit('\n').next().unwrap_or_default(), after.split('\n').next().unwrap_or_default()];
    line.join(" ")
}

/// An identifier with the text around it.
pub(super) struct Occurrence<'t> {
    pub(super) word: &'t str,
    /// The nearest part of its line before it.
    before: &'t str,
    /// The last identifier of `before`, with its offset there.
    last_word: Option<(usize, &'t str)>,
    after: &'t str,
}

/// Every identifier of a text, with the text around it.
pub(super) fn occurrences(text: &str) -> impl Iterator<Item = Occurrence<'_>> {
    /// Lines can be megabytes long; the end of a line's beginning is enough.
    const MAX_LINE_BYTES: usize = 80;
    let mut last: Option<(usize, &str)> = None;
    let mut line = 0;
    identifiers(text).map(move |(at, word)| {
        let from = last.map_or(0, |(from, word)| from + word.len());
        line = memchr::memrchr(b'\n', &text.as_bytes()[from..at]).map_or(line, |end| from + end + 1);
        let start = text.ceil_char_boundary(at.saturating_sub(MAX_LINE_BYTES)).max(line);
        let before = &text[start..at];
        let last_word = match last.replace((at, word)) {
            Some((from, word)) if from >= start => Some((from - start, word)),
            // The line begins here, or a cut one begins with a whole word or none.
            _ if start == 0 || text.as_bytes()[start - 1] == b'\n' => None,
            _ => identifiers(before).last(),
        };
        Occurrence { word, before, last_word, after: &text[at + word.len()..] }
    })
}

impl Occurrence<'_> {
    /// Returns whether the word is declared here.
    pub(super) fn is_declared(&self) -> bool {
        let Self { before, last_word, after, .. } = self;
        let declares = last_word.is_some_and(|(from, word)| {
            is_declaring(word)
                && before[from + word.len()..].chars().all(|c| c.is_whitespace() || matches!(c, '*' | '&' | '(' | '<'))
        });
        // `func (receiver) name`, `name = …` and `name: …` at the beginning of a line, `exports.name =`.
        let rest = after.trim_start_matches(' ');
        let is_assigned = rest.starts_with('=') && !rest.starts_with("==");
        declares
            || before.trim_start().starts_with("func (")
            || before.trim_start().starts_with('#') && before.trim_end().ends_with("define")
            || rest.starts_with('(') && is_type(before)
            || is_assigned && (before.trim().is_empty() || before.trim_end().ends_with("exports."))
    }
}

/// Returns whether a keyword stands before a declared name.
fn is_declaring(word: &str) -> bool {
    matches!(
        word,
        "class"
            | "const"
            | "def"
            | "defmodule"
            | "defp"
            | "enum"
            | "fn"
            | "fun"
            | "func"
            | "function"
            | "interface"
            | "let"
            | "macro"
            | "module"
            | "namespace"
            | "object"
            | "record"
            | "static"
            | "struct"
            | "trait"
            | "type"
            | "union"
            | "val"
            | "var"
    )
}

/// Returns whether the text before a name in its line is a type, as before a function's name in C.
fn is_type(before: &str) -> bool {
    before.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && before.ends_with([' ', '*', '&'])
        && before.chars().all(|c| c.is_alphanumeric() || "_*&:<> ".contains(c))
        && identifiers(before).all(|(_, word)| !is_keyword(word) || word == "static" || word == "struct")
}

#[cfg(test)]
mod tests {
    use super::{KEYWORDS, expected_words};

    /// One out of order would not be found.
    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }

    #[track_caller]
    fn check(text: &str, literal: &str, expect: &str) {
        let start = text.find(literal).expect("the literal");
        assert_eq!(expected_words(text, &(start..start + literal.len())).join(" "), expect, "{text}");
    }

    #[test]
    fn extracts_expected_words() {
        check("import { a1, Bee as C } from './x';\nimport d2 from 'y'", "./x", "Bee a1");
        check("import {\n  Foo,\n  bar,\n} from './x'", "./x", "Foo bar");
        check("from .job import Request, (\n", ".job", "Request");
        check("from .job import (\n  Request,\n  state,\n)\nx = 1", ".job", "Request state");
        check("const utils = require('./u')\nutils.map(x); utils.each(y)", "./u", "each map");
        check("mod parse;\nfn f() { parse::tree(); parse::Lex::new() }", "parse", "Lex tree");
        check("import (\n\t\"a/b/scrape\"\n)\nfunc f() { scrape.NewManager() }", "a/b/scrape", "NewManager");
        check("#include \"a.h\"\nint x;", "a.h", "");
        check("", "", "");
    }
}
