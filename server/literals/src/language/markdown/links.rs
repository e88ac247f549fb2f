//! Where destinations stand in Markdown: of links, images, reference definitions, and in HTML.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::tags::{attributes, srcset};

/// What GitHub and the usual generators read. Math and metadata are read so as not to take what is in them for links.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_GFM);

/// One destination.
#[derive(Debug)]
pub(crate) struct Link {
    pub(crate) kind: &'static str,
    /// Where it stands, as written.
    pub(crate) range: Range<usize>,
    /// What it says, without escapes and entities.
    pub(crate) says: String,
}

/// Where a document begins behind its front matter. The parser's own option takes what stands between any two lines of dashes
/// for front matter, headings and links with it.
pub(super) fn body(text: &str) -> usize {
    let is_line = |mark: &&str| text.lines().next().map(str::trim_end) == Some(mark);
    let Some(mark) = ["---", "+++"].into_iter().find(is_line) else { return 0 };
    let mut at = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        if index > 0 && line.trim_end() == mark {
            return at;
        }
    }
    0
}

/// All destinations, and the places of code in running text, in order.
pub(crate) fn links(text: &str) -> (Vec<Link>, Vec<Range<usize>>) {
    let mut found = Vec::new();
    let mut code = Vec::new();
    let mut html: Option<Range<usize>> = None;
    let body = body(text);
    let parser = Parser::new_ext(&text[body..], OPTIONS).into_offset_iter();
    // The definitions are known before the first event.
    for (_, definition) in parser.reference_definitions().iter() {
        let span = definition.span.start + body..definition.span.end + body;
        if let Some(range) = place(text, &definition.dest, span, "]:") {
            found.push(Link { kind: "md.definition", range, says: definition.dest.to_string() });
        }
    }
    for (event, range) in parser {
        let range = range.start + body..range.end + body;
        let (kind, link_type, destination) = match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => ("md.link", link_type, dest_url),
            Event::Start(Tag::Image { link_type, dest_url, .. }) => ("md.image", link_type, dest_url),
            Event::Start(Tag::HtmlBlock) => {
                html = Some(range);
                continue;
            }
            Event::End(TagEnd::HtmlBlock) => {
                html.take().into_iter().for_each(|range| in_html(text, range, &mut found));
                continue;
            }
            Event::InlineHtml(_) => {
                in_html(text, range, &mut found);
                continue;
            }
            Event::Code(_) => {
                code.push(range);
                continue;
            }
            _ => continue,
        };
        if link_type != LinkType::Inline {
            continue;
        }
        if let Some(range) = place(text, &destination, range, "](") {
            found.push(Link { kind, range, says: destination.to_string() });
        }
    }
    found.sort_by_key(|link| (link.range.start, link.range.end));
    (found, code)
}

/// Where a destination stands in its construct.
fn place(text: &str, destination: &CowStr<'_>, within: Range<usize>, before: &str) -> Option<Range<usize>> {
    if destination.is_empty() {
        return None;
    }
    // What needed no unescaping is a piece of the text itself.
    let start = (destination.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
    let range = start..start.wrapping_add(destination.len());
    if range.start >= within.start && range.start < range.end && range.end <= within.end {
        return (text.get(range.clone()) == Some(destination)).then_some(range);
    }
    let inside = text.get(within.clone())?;
    let from = if before == "](" { inside.rfind(before)? } else { inside.find(before)? } + before.len();
    let rest = &inside[from..];
    let start = from + (rest.len() - rest.trim_start().len());
    let rest = &inside[start..];
    let (start, end) = match rest.strip_prefix('<') {
        Some(pointed) => (start + 1, pointed.find('>')?),
        None => (start, bare_end(rest)),
    };
    (end > 0).then(|| within.start + start..within.start + start + end)
}

/// The end of a destination that is not in angle brackets.
fn bare_end(text: &str) -> usize {
    let mut open = 0_usize;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '(' => open += 1,
            ')' if open == 0 => return at,
            ')' => open -= 1,
            c if c.is_ascii_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

/// Destinations in a piece of HTML. Only the tags of HTML itself: what a component does with its properties is unknown.
fn in_html(text: &str, within: Range<usize>, found: &mut Vec<Link>) {
    let Some(inside) = text.get(within.clone()) else { return };
    for attribute in attributes(inside) {
        let kind = match (attribute.tag, attribute.name) {
            ("img" | "source" | "video" | "audio" | "iframe" | "embed" | "track" | "script", "src") => "md.html.src",
            ("a" | "area" | "link", "href") => "md.html.href",
            ("video", "poster") => "md.html.poster",
            ("img" | "source", "srcset") => {
                for part in srcset(attribute.value) {
                    let says = unescaped(&attribute.value[part.clone()]);
                    let from = within.start + attribute.range.start;
                    found.push(Link { kind: "md.html.srcset", range: from + part.start..from + part.end, says });
                }
                continue;
            }
            _ => continue,
        };
        let value = attribute.value.trim();
        let start = within.start + attribute.range.start + (attribute.value.len() - attribute.value.trim_start().len());
        if !value.is_empty() {
            found.push(Link { kind, range: start..start + value.len(), says: unescaped(value) });
        }
    }
}

/// Paths have no other entity than this.
fn unescaped(value: &str) -> String {
    value.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::links;

    #[test]
    fn places() {
        let check = |text: &str, expect: &[&str]| {
            let found: Vec<String> = links(text)
                .0
                .iter()
                .map(|link| {
                    let raw = &text[link.range.clone()];
                    if raw == link.says {
                        format!("{} {raw}", link.kind)
                    } else {
                        format!("{} {raw} = {}", link.kind, link.says)
                    }
                })
                .collect();
            assert_eq!(found, expect, "{text}");
        };
        check("[a](b.md) ![c](d.png \"e\")", &["md.link b.md", "md.image d.png"]);
        check("[a]( <b c.md> )", &["md.link b c.md"]);
        check("[a](b\\_c.md) [a](d&amp;e.md)", &["md.link b\\_c.md = b_c.md", "md.link d&amp;e.md = d&e.md"]);
        check("[![a](b.png)](c.md)", &["md.image b.png", "md.link c.md"]);
        check("[a][b]\n\n[b]: c.md 'd'\n", &["md.definition c.md"]);
        check("> [a](b.md)\n> <img src=\"c.png\">\n", &["md.link b.md", "md.html.src c.png"]);
        check("`[a](b.md)` <https://x> <a@b.c>\n\n    [a](b.md)\n\n```\n[a](b.md)\n```\n", &[]);
        check("$[a](b.md)$", &[]);
        check("- [x] (a) [^1]\n\n[^1]: b.md\n", &[]);
        check("| a |\n|---|\n| [b](c\\|d.md) [e](f.md) |\n", &["md.link c\\|d.md = c|d.md", "md.link f.md"]);
        check(
            "<picture>\n<source srcset=\"a.png 1x, b.png 2x\">\n<img alt='x' src='c.png'>\n</picture>\n",
            &["md.html.srcset a.png", "md.html.srcset b.png", "md.html.src c.png"],
        );
        check("<Card href=\"/x\" /> <a href=\"y\">z</a>", &["md.html.href y"]);
        check("---\na: '[b](c.md)'\n---\n[d](e.md)", &["md.link e.md"]);
        check("[a](b(c).md)", &["md.link b(c).md"]);
    }
}
