//! `MdxBody`: the Markdown of an MDX document, without its tags, its exports, its comments and the blanks before its lines.
//!
//! Tags do not end Markdown in MDX, and no text is code by indentation. A parser of `CommonMark` reads neither so, least of all a
//! fence with blank lines between tags: it ends with the first of them, and everything below is taken for its opposite.
//!
//! Not the crate `markdown`: its MDX mode gives nothing for a document with an error.

use std::ops::Range;

use memchr::memmem;
use pathfinder_literals::path::head;

use super::links::body_start;
use super::prose_blocks::BlockBody;

/// Longest tag, export or comment that is read. Templates of whole pages stand in exports.
const MAX_SPAN_BYTES: usize = 65_536;
/// Tags and exports without an end in one document; each is read up to the longest. One with more is no MDX.
const MAX_UNENDED: usize = 32;
/// Elements whose content a parser of `CommonMark` leaves alone up to the end tag.
const OPAQUE: [&str; 4] = ["script", "style", "pre", "textarea"];

/// The parts of an MDX document.
#[derive(Debug, Default)]
pub(super) struct MdxBody {
    /// The Markdown.
    pub(super) markdown: BlockBody,
    /// The byte ranges of tags that begin a line and of exports, in order. Both have properties of HTML.
    pub(super) tags: Vec<Range<usize>>,
    /// The byte ranges of texts in backticks within them, in order: samples.
    pub(super) quoted: Vec<Range<usize>>,
    /// Tags and exports that do not end.
    unended: usize,
}

impl MdxBody {
    /// Reads a document.
    pub(super) fn new(text: &str) -> Self {
        let mut body = Self::default();
        let mut fence: Option<&str> = None;
        let mut at = body_start(text);
        while at < text.len() {
            let mut from = skip_blanks(text, at);
            let line_end = line_end(text, from);
            if fence.is_none() && !fence_marks(&text[from + item_mark(&text[from..line_end])..line_end]).is_empty() {
                // Without the blanks before its lines a fence in an item of a list would end with the item.
                from += item_mark(&text[from..line_end]);
            }
            let line = text[from..line_end].trim_end();
            if let Some(open) = fence {
                let marks = fence_marks(line);
                if marks.starts_with(open) && line.len() == marks.len() {
                    fence = None;
                }
            } else if !fence_marks(line).is_empty() {
                fence = Some(fence_marks(line));
            } else if let Some(end) = body.read_span(text, from, from == at) {
                // The rest of the line is read as one of its own.
                at = end;
                if text[end..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r']) || end == text.len() {
                    at = self::line_end(text, end);
                    body.markdown.text.push('\n');
                }
                continue;
            }
            // A comment later in the line is read as one at the start of a line.
            let later = memmem::find(&text.as_bytes()[from..line_end], b"{/*").filter(|at| fence.is_none() && *at > 0);
            let is_closed = |at: &usize| find_comments(head(&text[from + at..], MAX_SPAN_BYTES)).next().is_some();
            at = later.filter(is_closed).map_or(line_end, |later| from + later);
            body.markdown.push(text, from..at);
        }
        body
    }

    /// Reads a tag, an export or a comment at a place and returns its end; `None` if none is there or it does not end.
    fn read_span(&mut self, text: &str, from: usize, is_at_margin: bool) -> Option<usize> {
        let rest = head(&text[from..], MAX_SPAN_BYTES);
        if rest.starts_with("{/*") {
            return find_comments(rest).next().map(|comment| from + comment.end);
        }
        let end = if is_at_margin && rest.starts_with("export ") {
            self.skip_code(rest, from, |before, after| {
                before.ends_with('\n') && after.lines().next().is_none_or(|line| line.trim().is_empty())
            })?
        } else if is_tag(rest) {
            self.skip_code(rest, from, |before, _| before.ends_with('>'))?
        } else {
            return None;
        };
        self.tags.push(from..from + end);
        Some(from + end)
    }

    /// The length of code up to the first place outside of strings and brackets at which it ends.
    fn skip_code(&mut self, code: &str, from: usize, is_end: impl Fn(&str, &str) -> bool) -> Option<usize> {
        if self.unended >= MAX_UNENDED {
            return None;
        }
        let mut depth = 0_usize;
        let mut quote: Option<(char, usize)> = None;
        let mut is_escaped = false;
        let quoted = self.quoted.len();
        for (at, c) in code.char_indices() {
            let end = at + c.len_utf8();
            match (c, quote) {
                _ if is_escaped => is_escaped = false,
                ('\\', Some(_)) => is_escaped = true,
                (_, Some((open, start))) if c == open => {
                    quote = None;
                    if c == '`' {
                        self.quoted.push(from + start..from + end);
                    }
                }
                ('"' | '`', None) => quote = Some((c, at)),
                // An apostrophe in the text of an element opens nothing.
                ('\'', None) if code[..at].ends_with(['=', '(', '[', ',', ':', ' ', '{']) => quote = Some((c, at)),
                ('(' | '[' | '{', None) => depth += 1,
                (')' | ']' | '}', None) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if quote.is_none() && depth == 0 && is_end(&code[..end], &code[end..]) {
                return Some(end);
            }
        }
        self.quoted.truncate(quoted);
        self.unended += 1;
        None
    }
}

/// The byte ranges of the comments in braces of a text.
pub(super) fn find_comments(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + memmem::find(&text.as_bytes()[from..], b"{/*")?;
        // If this one does not end, no later one does.
        from = start + memmem::find(&text.as_bytes()[start..], b"*/}")? + "*/}".len();
        Some(start..from)
    })
}

/// The place behind spaces and tabs.
fn skip_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches([' ', '\t']).len()
}

/// The place behind the end of the line.
fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end + 1)
}

/// The length of the mark of a list at the start of a line: `- `, `2. `.
fn item_mark(line: &str) -> usize {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mark = line[digits..]
        .chars()
        .next()
        .is_some_and(|mark| if digits > 0 { matches!(mark, '.' | ')') } else { matches!(mark, '-' | '*' | '+') });
    let rest = line[digits..].get(1..).unwrap_or_default();
    if mark && rest.starts_with(' ') { line.len() - rest.trim_start_matches(' ').len() } else { 0 }
}

/// The marks that open or close a fence at the start of a line, or nothing.
fn fence_marks(line: &str) -> &str {
    let length = |mark: char| line.len() - line.trim_start_matches(mark).len();
    let marks = &line[..length('`').max(length('~'))];
    let is_inline = marks.starts_with('`') && line[marks.len()..].contains('`');
    if marks.len() < 3 || is_inline { "" } else { marks }
}

/// Returns whether a text begins with a tag whose content is Markdown. An address in angle brackets is none.
fn is_tag(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('<') else { return false };
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))).unwrap_or(name.len());
    let (name, rest) = name.split_at(end);
    let is_over = rest.starts_with(|c: char| c == '>' || c.is_ascii_whitespace()) || rest.starts_with("/>");
    // A fragment has no name.
    let is_name = if name.is_empty() { rest.starts_with('>') } else { name.as_bytes()[0].is_ascii_alphabetic() };
    is_name && is_over && !OPAQUE.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::MdxBody;

    #[track_caller]
    fn check(text: &str, markdown: &str, tags: &[&str]) {
        let body = MdxBody::new(text);
        assert_eq!(body.markdown.text, markdown, "{text:?}");
        let found: Vec<&str> = body.tags.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!(found, tags, "{text:?}");
    }

    #[test]
    fn separates_tags_from_markdown() {
        check(
            "---\na: b\n---\n<Tabs>\n    <Tab\n      title={x > 1 ? '>' : \"}\"}\n    >\n      ## A\n\n      [b](c.md)</Tab>\n</Tabs>\n",
            "\n\n## A\n\n[b](c.md)</Tab>\n\n",
            &["<Tabs>", "<Tab\n      title={x > 1 ? '>' : \"}\"}\n    >", "</Tabs>"],
        );
        check("<Note>a</Note>\n<https://a.b>\n<a@b.c>\n< 3\n", "a</Note>\n<https://a.b>\n<a@b.c>\n< 3\n", &["<Note>"]);
        // A fence is left as it is, with its blank lines and tags.
        let fence = "```html a.html\n<a>\n\n<b>\n```\n";
        check(
            &format!("<Tab>\n  {}</Tab>\nc", fence.replace('\n', "\n  ")),
            &format!("\n{fence}\nc"),
            &["<Tab>", "</Tab>"],
        );
        check("- ```js\n  a\n  ```\n1. ```\n   <a>\n   ```\n<b>\n", "```js\na\n```\n```\n<a>\n```\n\n", &["<b>"]);
        // Exports and comments are no Markdown.
        check(
            "export const a = `\n\n[b](c.md)\n`\n\n{/* [d](e.md)\n\n*/}\nf",
            "\n\nf",
            &["export const a = `\n\n[b](c.md)\n`\n"],
        );
        check("a {/* [b](c.md) */} d\n", "a d\n", &[]);
        check("a {/* b\n", "a {/* b\n", &[]);
        // A tag without an end is text.
        check("<a b={\n\nc\n", "<a b={\n\nc\n", &[]);
        check("<script>\n\n<a>\n", "<script>\n\n\n", &["<a>"]);
    }
}
