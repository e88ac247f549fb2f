//! Scans the start tags of HTML inside Markdown, with their attributes. Such HTML comes in fragments, so a full parser
//! (`html5ever`) would misjudge which elements are open.

use std::ops::Range;

use pathfinder_literals::path::head;

/// One attribute with a value.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HtmlAttribute<'t> {
    /// The tag name as written, such as `img`.
    pub(crate) tag: &'t str,
    /// The attribute name as written, such as `src`.
    pub(crate) name: &'t str,
    /// The value, without quotes.
    pub(crate) value: &'t str,
    /// The byte range of the value.
    pub(crate) range: Range<usize>,
}

/// Returns all attributes with values, in order, outside of comments, scripts and styles.
pub(crate) fn parse_attributes(text: &str) -> Vec<HtmlAttribute<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &bytes[at..]).map(|open| at + open) {
        at = open + 1;
        if bytes[at..].starts_with(b"!--") {
            // An unclosed comment hides the rest of the text.
            at = memchr::memmem::find(&bytes[at..], b"-->").map_or(bytes.len(), |end| at + end + 3);
        } else if bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            let end = at
                + run_length(&bytes[at..], |byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b':' | b'.'));
            let tag = &text[at..end];
            at = parse_tag_attributes(text, tag, end, &mut found);
            if matches!(tag, "script" | "style") {
                let close = format!("</{tag}");
                at = memchr::memmem::find(&bytes[at..], close.as_bytes()).map_or(bytes.len(), |end| at + end);
            }
        }
    }
    found
}

/// Adds the attributes of one tag from the end of its name; returns the end of the tag.
fn parse_tag_attributes<'t>(text: &'t str, tag: &'t str, mut at: usize, found: &mut Vec<HtmlAttribute<'t>>) -> usize {
    let bytes = text.as_bytes();
    loop {
        at += run_length(&bytes[at..], |byte| byte.is_ascii_whitespace() || byte == b'/');
        match bytes.get(at) {
            // Another tag begins, so this one is unclosed.
            None | Some(b'<') => return at,
            Some(b'>') => return at + 1,
            Some(_) => {}
        }
        let start = at;
        at +=
            run_length(&bytes[at..], |byte| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>' | b'/' | b'<'));
        let name = start..at;
        let spaces = run_length(&bytes[at..], |byte| byte.is_ascii_whitespace());
        if bytes.get(at + spaces) != Some(&b'=') {
            continue;
        }
        at += spaces + 1;
        at += run_length(&bytes[at..], |byte| byte.is_ascii_whitespace());
        let value = if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
            let Some(end) = memchr::memchr(*quote, &bytes[at + 1..]) else { return bytes.len() };
            let value = at + 1..at + 1 + end;
            at = value.end + 1;
            value
        } else {
            let start = at;
            at += run_length(&bytes[at..], |byte| !byte.is_ascii_whitespace() && byte != b'>');
            start..at
        };
        if name.is_empty() || value.is_empty() {
            continue;
        }
        found.push(HtmlAttribute { tag, name: &text[name], value: &text[value.clone()], range: value });
    }
}

/// Longer text between the tags of a heading is none: its end tag is missing.
const MAX_HEADING_BYTES: usize = 400;

/// Returns the texts of the headings that are written as tags, without the tags and entities inside: `<h2>&nbsp;<i>In</i>stall</h2>`.
pub(crate) fn heading_texts(html: &str) -> Vec<String> {
    let starts = memchr::memchr_iter(b'<', html.as_bytes()).filter(|at| {
        let name = head(&html[at + 1..], 3).as_bytes();
        matches!(name, [b'h' | b'H', b'1'..=b'6', b'>' | b' ' | b'\n'])
    });
    let text = |start: usize| {
        let (_, inside) = head(&html[start..], MAX_HEADING_BYTES).split_once('>')?;
        let end = inside.to_ascii_lowercase().find("</h")?;
        Some(without_markup(&inside[..end]))
    };
    starts.filter_map(text).collect()
}

/// The text without tags and entities.
fn without_markup(html: &str) -> String {
    let mut parts = html.split(['<', '&']);
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut marks = html.matches(['<', '&']);
    for part in parts {
        let end = if marks.next() == Some("<") { '>' } else { ';' };
        text.push_str(part.split_once(end).map_or(part, |(_, after)| after));
    }
    text
}

/// The length of the leading bytes that satisfy a predicate.
fn run_length(bytes: &[u8], fits: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !fits(*byte)).unwrap_or(bytes.len())
}

/// The byte ranges of the URLs in a `srcset_urls`, without widths and densities.
pub(crate) fn srcset_urls(value: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for part in value.split_inclusive(',') {
        let start = at + (part.len() - part.trim_start().len());
        at += part.len();
        let address = part.trim().trim_end_matches(',').split_ascii_whitespace().next().unwrap_or("");
        if !address.is_empty() {
            found.push(start..start + address.len());
        }
    }
    // A `data:` URL contains commas, so the parts are not URLs.
    if value.contains("data:") { Vec::new() } else { found }
}

#[cfg(test)]
mod tests {
    use super::{heading_texts, parse_attributes, srcset_urls};

    #[test]
    fn finds_headings() {
        let check = |html: &str, expect: &[&str]| assert_eq!(heading_texts(html), expect, "{html}");
        check("<h2 align=x><img src=a.svg>&nbsp;&nbsp;A &amp; <b>B</b></h2>", &["A  B"]);
        check("<H1>One</H1><h3>\nTwo\n</h3>", &["One", "\nTwo\n"]);
        check("<h7>A</h7><hr><header>B</header><h2>C<h2", &[]);
        check("<h1>AT&T é</h1><h1>a < b</h1>", &["ATT é", "a  b"]);
    }

    #[test]
    fn finds_attributes() {
        let check = |text: &str, expect: &[&str]| {
            let found = parse_attributes(text);
            for attribute in &found {
                assert_eq!(&text[attribute.range.clone()], attribute.value);
            }
            let found: Vec<String> = found.iter().map(|at| format!("{} {} {}", at.tag, at.name, at.value)).collect();
            assert_eq!(found, expect, "{text}");
        };
        check("<img src=\"a b.png\" alt='x' width=3>", &["img src a b.png", "img alt x", "img width 3"]);
        check("<a\n  href = x/y.md/>z</a>", &["a href x/y.md/"]);
        check("<!-- <img src=a> --><br/><img src=b />", &["img src b"]);
        check("<script src=a.js>'<img src=b>'</script><img src=c>", &["script src a.js", "img src c"]);
        check("a < b <img src=\"never closed", &[]);
        check("<img <img src=a", &["img src a"]);
        check("<p hidden src=''>", &[]);
        check("<é src=a><img é=ü>", &["img é ü"]);
        check("<!-- <img src=a>", &[]);
    }

    #[test]
    fn finds_srcset_urls() {
        let check = |value: &str, expect: &[&str]| {
            let found: Vec<&str> = srcset_urls(value).into_iter().map(|range| &value[range]).collect();
            assert_eq!(found, expect, "{value}");
        };
        check("a.png 1x, b.png 2x", &["a.png", "b.png"]);
        check("a.png", &["a.png"]);
        check(" a.png,\n  b.png 2x,", &["a.png", "b.png"]);
        check("data:image/png;base64,AAAA 1x", &[]);
    }
}
