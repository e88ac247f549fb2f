//! Extracts the words that a construct expects of its target: the imported names and the members used of them.
//!
//! No language is parsed. The statement around the literal has the names, and the rest of the file their members. A
//! target that declares all of them is the right one, whatever its name.

use std::collections::BTreeSet;
use std::ops::Range;

/// Longest distance to the ends of a statement: an import of forty names.
const MAX_STATEMENT_BYTES: usize = 2000;
/// Words beyond this add nothing.
const MAX_WORDS: usize = 24;
/// Keywords of all languages, and names that no file declares.
pub(super) const KEYWORDS: [&str; 58] = [
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
/// Keywords before a declared name.
const DECLARING_KEYWORDS: [&str; 24] = [
    "class",
    "const",
    "def",
    "defmodule",
    "defp",
    "enum",
    "fn",
    "fun",
    "func",
    "function",
    "interface",
    "let",
    "macro",
    "module",
    "namespace",
    "object",
    "record",
    "static",
    "struct",
    "trait",
    "type",
    "union",
    "val",
    "var",
];

/// The words that a literal's construct expects of its target, without those of the literal itself.
pub(crate) fn expected_words(text: &str, literal: &Range<usize>) -> Vec<String> {
    let statement = statement(text, literal);
    let before = &text[statement.start..literal.start];
    let after = &text[literal.end..statement.end];
    let mut words: BTreeSet<&str> = identifiers(before).chain(identifiers(after)).map(|(_, word)| word).collect();
    words.retain(|word| !KEYWORDS.contains(word) && word.len() > 1);
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
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find(is_part)?;
            let end = text[start..].find(|c| !is_part(c)).map_or(text.len(), |length| start + length);
            at = end;
            if !text[start..].starts_with(|c: char| c.is_ascii_digit()) {
                return Some((start, &text[start..end]));
            }
        }
    })
}

/// Every identifier of a text, and whether it is declared there.
pub(super) fn identifiers_with_declared(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut last: Option<(usize, &str)> = None;
    identifiers(text).map(move |(at, word)| {
        let before = line_before(text, at);
        let start = at - before.len();
        let last_word = match last.replace((at, word)) {
            Some((from, word)) if from >= start => Some((from - start, word)),
            // The line begins here, or a cut one begins with a whole word or none.
            _ if start == 0 || text.as_bytes()[start - 1] == b'\n' => None,
            _ => identifiers(before).last(),
        };
        (word, is_declared(before, last_word, &text[at + word.len()..]))
    })
}

/// The part of a line before an offset. Lines can be megabytes long, so only the nearest bytes are returned.
fn line_before(text: &str, at: usize) -> &str {
    /// The beginning of a line is enough.
    const MAX_LINE_BYTES: usize = 80;
    let near = &text[text.ceil_char_boundary(at.saturating_sub(MAX_LINE_BYTES))..at];
    memchr::memrchr(b'\n', near.as_bytes()).map_or(near, |end| &near[end + 1..])
}

/// Returns whether a word is declared, given the text before it in its line, the last word of that, and the text after
/// it.
fn is_declared(before: &str, last_word: Option<(usize, &str)>, after: &str) -> bool {
    let declares = last_word.is_some_and(|(from, word)| {
        before[from + word.len()..].chars().all(|c| c.is_whitespace() || matches!(c, '*' | '&' | '(' | '<'))
            && DECLARING_KEYWORDS.contains(&word)
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

/// Returns whether the text before a name in its line is a type, as before a function's name in C.
fn is_type(before: &str) -> bool {
    before.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && before.ends_with([' ', '*', '&'])
        && before.chars().all(|c| c.is_alphanumeric() || "_*&:<> ".contains(c))
        && identifiers(before).all(|(_, word)| !KEYWORDS.contains(&word) || word == "static" || word == "struct")
}

#[cfg(test)]
mod tests {
    use super::expected_words;

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
