//! Finds names after words such as `import` or `include`, without knowledge of the language.

use std::ops::Range;

use memchr::memmem;

/// Parts of the words after which languages name what they read: `import`, `includeFile`, `dofile`.
const PARTS: [&str; 6] = ["dofile", "extends", "import", "include", "load", "require"];
/// Such words that are parts of many others, so that only the whole counts.
const WHOLE: [&str; 9] = ["embed", "export", "from", "library", "needs", "open", "source", "use", "uses"];
/// Beginnings of lines that are comments in one language or another. A directive such as `#include` is none.
const COMMENTS: [&str; 8] = ["//", "/*", "* ", "--", ";", "%%", "# ", "##"];
/// Longest line that is read; longer ones are data.
const MAX_LINE_BYTES: usize = 1 << 10;

/// A name after a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reference<'t> {
    /// The word, in lower case letters or not.
    pub(super) word: &'t str,
    /// True if the name is quoted.
    pub(super) is_quoted: bool,
    /// The text before the name up to a colon, such as `std:`; often empty.
    pub(super) scheme: &'t str,
    /// The name without the scheme.
    pub(super) name: &'t str,
    /// The byte range of the name.
    pub(super) range: Range<usize>,
}

/// Returns whether a text has any of the words.
pub(super) fn can_have_references(text: &str) -> bool {
    PARTS.iter().chain(&WHOLE).any(|word| memmem::find(text.as_bytes(), word.as_bytes()).is_some())
}

/// Returns the references of a text, in order.
pub(super) fn find_references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    let is_comment = |line: &str| COMMENTS.iter().any(|start| line.starts_with(start));
    let mut list: Option<List<'_>> = None;
    text.lines().filter(|line| line.len() <= MAX_LINE_BYTES).flat_map(move |whole| {
        let line = whole.trim();
        if line.is_empty() || is_comment(line) {
            return Vec::new();
        }
        let indent = whole.len() - whole.trim_start().len();
        let open = list.take().filter(|list| indent > list.indent);
        let is_quoted = |text: &str| text.starts_with(['"', '\'']);
        let mut all = Vec::new();
        let mut word = None;
        if let Some(open) = open {
            all = names_of(line).filter_map(|name| reference(text, open.word, name, false)).collect();
            list = (is_continued(line) || is_quoted(line)).then_some(open);
            word = Some(open.word);
        } else if let Some((first, rest)) = first_word(line) {
            if rest.is_empty() || is_continued(rest) || rest.ends_with('"') {
                list = Some(List { word: first, indent });
            }
            all = names_of(rest).filter_map(|name| reference(text, first, name, false)).collect();
            word = Some(first);
        }
        if word.is_some() || can_have_references(line) {
            all.extend(find_quoted(text, line, word));
        }
        all
    })
}

/// Names that follow a word in further lines: `import` and, indented, `./a,` and `./b`.
#[derive(Clone, Copy)]
struct List<'t> {
    word: &'t str,
    indent: usize,
}

/// The first word of a line, if languages name files after it, and the rest of the line.
fn first_word(line: &str) -> Option<(&str, &str)> {
    let start = line.find(|c: char| c.is_ascii_alphabetic()).filter(|start| *start <= 1)?;
    let word = &line[start..];
    let word = &word[..word.find(|c: char| !is_word_part(c)).unwrap_or(word.len())];
    let rest = &line[start + word.len()..];
    let is_apart = rest.is_empty() || rest.starts_with(char::is_whitespace);
    (is_apart && is_for_files(word)).then_some((word, rest.trim()))
}

/// The names of a list with commas, each up to a space. Names in brackets are parts of others.
fn names_of(list: &str) -> impl Iterator<Item = &str> {
    let list = &list[..list.find('[').unwrap_or(list.len())];
    let parts = list.split(',').map(str::trim);
    parts.filter_map(|part| {
        let end = part.find(|c: char| !is_name_part(c)).unwrap_or(part.len());
        let is_ended = part[end..].is_empty() || part[end..].starts_with([' ', '\t', ';', '(', '{']);
        (end > 0 && is_ended && !part[..end].ends_with('/')).then(|| &part[..end])
    })
}

/// Returns whether a list goes on in the next line: it ends with a comma, maybe before a comment.
fn is_continued(list: &str) -> bool {
    let comment = [" #", " //", " --"].iter().filter_map(|mark| list.find(mark)).min();
    list[..comment.unwrap_or(list.len())].trim_end().ends_with(',')
}

/// The quoted names that follow a word, maybe in parentheses.
/// Those that follow no other word belong to the one of the line or of the list.
fn find_quoted<'t>(text: &'t str, line: &'t str, of_line: Option<&'t str>) -> Vec<Reference<'t>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(open) = line[at..].find(['"', '\'']).map(|open| at + open) {
        let quote = char::from(line.as_bytes()[open]);
        let Some(length) = line[open + 1..].find(quote) else { break };
        let name = &line[open + 1..open + 1 + length];
        let before = line[..open].trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let word = &before[before.trim_end_matches(is_word_part).len()..];
        let word = if is_for_files(word) { Some(word) } else { of_line };
        if let Some(word) = word.filter(|_| name.chars().all(is_name_part)) {
            all.extend(reference(text, word, name, true));
        }
        at = open + length + 2;
    }
    all
}

/// The reference of a written name; `None` if it has not the form of one.
fn reference<'t>(text: &'t str, word: &'t str, written: &'t str, is_quoted: bool) -> Option<Reference<'t>> {
    let cut = written.find(':').filter(|at| !written[*at..].starts_with("::")).map_or(0, |at| at + 1);
    let (scheme, name) = written.split_at(cut);
    let name = if is_quoted { name } else { name.trim_end_matches(['.', ':']) };
    let first = name.trim_start_matches(['.', '/']).chars().next()?;
    let is_name = (first.is_ascii_alphabetic() || first == '_') && !name.contains(':') | name.contains("::");
    let start = name.as_ptr() as usize - text.as_ptr() as usize;
    // An address is no name.
    let is_address = scheme.len() > 1 && name.starts_with("//");
    (is_name && !is_address).then(|| Reference { word, is_quoted, scheme, name, range: start..start + name.len() })
}

/// Returns whether a word is one after which languages name what they read.
fn is_for_files(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    WHOLE.contains(&lower.as_str()) || PARTS.iter().any(|part| lower.contains(part))
}

fn is_word_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_name_part(c: char) -> bool {
    is_word_part(c) || matches!(c, '.' | '/' | ':' | '-' | '\\' | '+')
}

#[cfg(test)]
mod tests {
    use super::find_references;

    #[test]
    fn finds_names_after_words() {
        let check = |line: &str, expect: &str| {
            let found: Vec<String> = find_references(line)
                .map(|one| {
                    assert_eq!(&line[one.range.clone()], one.name);
                    format!("{} {}{}", one.word, one.scheme, one.name)
                })
                .collect();
            assert_eq!(found.join(", "), expect, "{line}");
        };
        check("  import a.b.C;", "import a.b.C");
        check("import /a/b", "import /a/b");
        check("@import a", "import a");
        check("x = include(\"a/b\")", "include a/b");
        check("import {a} from 'std:b/c'", "from std:b/c");
        check("require a::b::c", "require a::b::c");
        check("import a, ./b/c, d # e", "import a, import ./b/c, import d");
        check("import\n  # x\n  std/[a, b],\n  ../c/d, # e\n  ./f\nlet g = 1", "import ../c/d, import ./f");
        check(
            "imports Main \"../a\" \"b\"\n  \"c/d\"\nbegin \"e\"",
            "imports Main, imports ../a, imports b, imports c/d",
        );
        check("import a.b.*", "");
        check("// import a", "");
        check("x = \"import a\"", "");
        check("from \"https://a.b/c\"", "");
        check("user a", "");
    }
}
