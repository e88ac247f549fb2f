//! Reads headings of documents: Markdown, reStructuredText, `AsciiDoc`, Org.
//!
//! Not `pulldown-cmark`: lines that can be headings are enough, and the formats share the code for them.

use crate::{Symbol, SymbolKind};

fn to_heading(name: &str, line: usize) -> Option<Symbol> {
    let name = name.trim();
    let has_words = name.chars().any(char::is_alphanumeric);
    has_words.then(|| Symbol { name: name.into(), kind: SymbolKind::Heading, line: line as u32 + 1 })
}

/// Reads headings of Markdown: `# …`, and underlined lines.
pub(crate) fn read_markdown(text: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let mut before = "";
    // Front matter between `---` has no headings.
    let mut in_front = text.starts_with("---");
    for (number, line) in text.lines().enumerate() {
        let trimmed = line.trim();
        if in_front {
            in_front = number == 0 || trimmed != "---";
            continue;
        }
        match (fence, parse_fence(trimmed)) {
            // A closing fence is no shorter than the opening one, and has no other text.
            (Some((open, least)), Some((mark, count, ""))) if open == mark && count >= least => fence = None,
            // A code span in a line may begin with as many backticks.
            (None, Some((mark, count, language))) if !language.contains('`') => fence = Some((mark, count)),
            (None, _) if !line.starts_with("    ") && !line.starts_with('\t') => {
                let title = trimmed.trim_start_matches('#');
                let level = trimmed.len() - title.len();
                let is_text = |text: &str| !text.is_empty() && !text.starts_with(['|', '>', '-', '*', '#', '<']);
                if (1..=6).contains(&level) && title.starts_with([' ', '\t']) {
                    symbols.extend(to_heading(&strip_inline_marks(title.trim_end_matches([' ', '#'])), number));
                } else if is_underline(trimmed, &['=', '-']) && is_text(before) {
                    symbols.extend(to_heading(&strip_inline_marks(before), number - 1));
                }
            }
            _ => {}
        }
        before = if fence.is_none() { trimmed } else { "" };
    }
    symbols
}

/// Parses a code fence: its mark, the number of marks, and the text behind them.
fn parse_fence(line: &str) -> Option<(char, usize, &str)> {
    let mark = line.chars().next().filter(|mark| ['`', '~'].contains(mark))?;
    let rest = line.trim_start_matches(mark);
    let count = line.len() - rest.len();
    (count >= 3).then(|| (mark, count, rest.trim()))
}

/// Reads headings of reStructuredText: underlined lines.
pub(crate) fn read_underlined(text: &str) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    let mut before = "";
    for (number, line) in text.lines().enumerate() {
        let marks = ['=', '-', '~', '^', '"', '*', '+', '#', '`'];
        let words = before.chars().any(char::is_alphanumeric) && !before.starts_with([' ', '\t']);
        // An underline is about as long as its title, or longer.
        if words && is_underline(line.trim_end(), &marks) && line.trim_end().len() + 2 >= before.trim_end().len() {
            symbols.extend(to_heading(before, number - 1));
        }
        before = line;
    }
    symbols
}

/// Reads headings that begin with repeated marks: `== …` of `AsciiDoc`, `** …` of Org.
pub(crate) fn read_marked(text: &str, mark: char) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let title = line.trim_start_matches(mark);
        if title.len() < line.len() && title.starts_with(' ') {
            symbols.extend(to_heading(title, number));
        }
    }
    symbols
}

/// Returns whether a line is three or more of one sign.
fn is_underline(line: &str, marks: &[char]) -> bool {
    let first = line.chars().next();
    first.is_some_and(|first| marks.contains(&first) && line.chars().all(|other| other == first)) && line.len() >= 3
}

/// A title without emphasis, code marks and the targets of links.
fn strip_inline_marks(title: &str) -> String {
    let mut plain = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(at) = rest.find(['`', '*', '[', ']', '<']) {
        plain.push_str(&rest[..at]);
        let mark = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match mark {
            b']' if rest.starts_with(['(', '[']) => {
                let close = if rest.starts_with('(') { ')' } else { ']' };
                rest = rest.split_once(close).map_or("", |(_, rest)| rest);
            }
            // A tag; `a < b` is not one.
            b'<' if rest.starts_with(|next: char| next.is_ascii_alphabetic() || next == '/' || next == '!') => {
                rest = rest.split_once('>').map_or("", |(_, rest)| rest);
            }
            b'<' => plain.push('<'),
            _ => {}
        }
    }
    plain.push_str(rest);
    plain
}
