//! Finds the destinations of a Markdown text: links, images, reference definitions, and HTML attributes.

use crate::documents::doc_sites::{DocSites, Generator};
use crate::documents::markdown::kinds;
use pathfinder_literals::{LiteralKind, Project};
use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};
use rustc_hash::FxHashSet;

use super::gitbook::block_link;
use super::html_tags::{parse_attributes, srcset_urls};
use super::mdx_body::{self, MdxBody};
use super::prose_blocks::{BlockBody, is_prose};
use super::site_prefix::without_spaces;
use pathfinder_literals::path::{extension, head};

/// The syntax of GitHub and the usual generators. Math is parsed so that its content is not read as links.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_FOOTNOTES)
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_HEADING_ATTRIBUTES)
    .union(Options::ENABLE_MATH)
    .union(Options::ENABLE_GFM);

/// One destination in the text.
#[derive(Debug)]
pub(crate) struct MarkdownLink {
    pub(crate) kind: LiteralKind,
    /// The byte range of the destination as written.
    pub(crate) range: Range<usize>,
    /// The destination without escapes and entities.
    pub(crate) destination: String,
    /// False for a definition that no link of the text uses.
    pub(crate) is_followed: bool,
}

/// The byte at which a document begins after its front matter. The parser's own option treats text between any two
/// lines of dashes as front matter, with its headings and links. A page can also begin with a rule: front matter has keys.
pub(super) fn body_start(text: &str) -> usize {
    let is_line = |mark: &&str| text.lines().next().map(str::trim_end) == Some(mark);
    let Some(mark) = ["---", "+++"].into_iter().find(is_line) else { return 0 };
    let mut at = 0;
    let mut has_keys = None;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        at += line.len();
        let line = line.trim_end();
        if index > 0 && line == mark {
            return if has_keys == Some(false) { 0 } else { at };
        }
        if index > 0 && !line.is_empty() && !line.starts_with('#') {
            has_keys.get_or_insert_with(|| is_key(line));
        }
    }
    0
}

/// Returns whether a line begins with a key of YAML or TOML, or with a table of TOML.
fn is_key(line: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ' ' | '"' | '\'' | '$' | '/');
    let end = line.find(|c| !is_name(c)).unwrap_or(line.len());
    let rest = &line[end..];
    let has_separator = rest == ":" || rest.starts_with(": ") || rest.starts_with('=');
    end > 0 && has_separator || line.starts_with('[') && line.ends_with(']')
}

/// Blocks within blocks that are read; documents have two or three.
const MAX_BLOCK_DEPTH: usize = 8;

/// The languages of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `CommonMark` with what the usual generators add.
    Markdown,
    /// Markdown with comments in braces, as Docusaurus reads it.
    Commented,
    /// Markdown with components: no code by indentation, and Markdown between tags.
    Mdx,
}

impl Dialect {
    /// The dialect of a document, by its ending and the site it is in.
    pub(crate) fn find(project: &Project, path: &str) -> Self {
        let is_in_site = || {
            let sites = project.index::<DocSites>().containing(project.tree(), path);
            sites.iter().any(|site| site.generator == Generator::Docusaurus)
        };
        match extension(path).as_str() {
            "mdx" => Self::Mdx,
            _ if is_in_site() => Self::Commented,
            _ => Self::Markdown,
        }
    }
}

/// Returns all destinations, and the byte ranges of inline code, in order.
pub(crate) fn parse_links(text: &str, dialect: Dialect) -> (Vec<MarkdownLink>, Vec<Range<usize>>) {
    match dialect {
        Dialect::Markdown => parse_body(text, body_start(text), MAX_BLOCK_DEPTH),
        Dialect::Commented => parse_links(&without_comments(text), Dialect::Markdown),
        Dialect::Mdx => parse_mdx(text),
    }
}

/// A text with blanks in the place of its comments in braces.
fn without_comments(text: &str) -> Cow<'_, str> {
    let mut comments = mdx_body::find_comments(text).peekable();
    if comments.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut blanked = String::with_capacity(text.len());
    for comment in comments {
        blanked.push_str(&text[blanked.len()..comment.start]);
        blanked.extend(text[comment].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    blanked.push_str(&text[blanked.len()..]);
    Cow::Owned(blanked)
}

/// Reads an MDX document.
fn parse_mdx(text: &str) -> (Vec<MarkdownLink>, Vec<Range<usize>>) {
    let body = MdxBody::new(text);
    let (links, code) = parse_body(&body.markdown.text, 0, MAX_BLOCK_DEPTH);
    let moved = |link: MarkdownLink| MarkdownLink { range: body.markdown.to_document(&link.range), ..link };
    let mut found: Vec<MarkdownLink> = links.into_iter().map(moved).collect();
    let mut in_tags = Vec::new();
    for tag in body.tags {
        add_html_links(text, tag, &mut in_tags);
    }
    // An imported file is read as an import.
    found.extend(in_tags.into_iter().filter(|link| !link.destination.starts_with("{require(")).filter(|link| {
        let at = body.quoted.partition_point(|quoted| quoted.end <= link.range.start);
        body.quoted.get(at).is_none_or(|quoted| !quoted.contains(&link.range.start))
    }));
    found.sort_by_key(|link| (link.range.start, link.range.end));
    (found, code.iter().map(|range| body.markdown.to_document(range)).collect())
}

/// Reads a text from `body_start` on.
fn parse_body(text: &str, body_start: usize, depth: usize) -> (Vec<MarkdownLink>, Vec<Range<usize>>) {
    let mut found = Vec::new();
    let mut code = Vec::new();
    let mut html: Option<Range<usize>> = None;
    let mut body: Option<BlockBody> = None;
    let mut is_code = false;
    let mut followed: FxHashSet<String> = FxHashSet::default();
    let text = &*without_spaces(text);
    let parser = Parser::new_ext(&text[body_start..], OPTIONS).into_offset_iter();
    // The definitions are known before the first event.
    for (_, definition) in parser.reference_definitions().iter() {
        let span = definition.span.start + body_start..definition.span.end + body_start;
        if let Some(range) = find_destination(text, &definition.dest, span, "]:") {
            found.push(MarkdownLink {
                kind: kinds::DEFINITION,
                range,
                destination: definition.dest.to_string(),
                is_followed: false,
            });
        }
    }
    for (event, range) in parser {
        let range = range.start + body_start..range.end + body_start;
        let (kind, link_type, destination) = match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => (kinds::LINK, link_type, dest_url),
            Event::Start(Tag::Image { link_type, dest_url, .. }) => (kinds::IMAGE, link_type, dest_url),
            Event::Start(Tag::HtmlBlock) => {
                html = Some(range);
                continue;
            }
            Event::End(TagEnd::HtmlBlock) => {
                let Some(range) = html.take() else { continue };
                add_html_links(text, range.clone(), &mut found);
                continue;
            }
            Event::InlineHtml(_) => {
                add_html_links(text, range, &mut found);
                continue;
            }
            Event::Code(_) => {
                code.push(range);
                continue;
            }
            Event::Start(Tag::CodeBlock(kind)) if depth > 0 && is_prose(text, range.start, &kind) => {
                body = Some(BlockBody::default());
                continue;
            }
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = true;
                continue;
            }
            Event::Text(_) if let Some(body) = &mut body => {
                body.push(text, range);
                continue;
            }
            Event::Text(part) if !is_code && part.contains("{%") => {
                found.extend(block_link(text, range));
                continue;
            }
            Event::End(TagEnd::CodeBlock) => {
                is_code = false;
                let Some(body) = body.take() else { continue };
                let (links, inline_code) = parse_body(&body.text, 0, depth - 1);
                let moved = |link: MarkdownLink| MarkdownLink { range: body.to_document(&link.range), ..link };
                found.extend(links.into_iter().map(moved));
                code.extend(inline_code.iter().map(|range| body.to_document(range)));
                continue;
            }
            _ => continue,
        };
        if link_type != LinkType::Inline {
            followed.insert(destination.to_string());
            continue;
        }
        if let Some(range) = find_destination(text, &destination, range, "](") {
            found.push(MarkdownLink { kind, range, destination: destination.to_string(), is_followed: true });
        }
    }
    let captured = captured_ranges(text);
    // A template's `[motivation]: #motivation` below each heading is no link unless a text refers to it.
    let is_idle =
        |link: &MarkdownLink| link.kind == kinds::DEFINITION && link.destination.starts_with('#') && !link.is_followed;
    for link in &mut found {
        link.is_followed |= followed.contains(&link.destination);
    }
    found.retain(|link| {
        if is_idle(link) {
            return false;
        }
        let at = captured.partition_point(|range| range.end <= link.range.start);
        captured.get(at).is_none_or(|range| !range.contains(&link.range.start))
    });
    found.sort_by_key(|link| (link.range.start, link.range.end));
    (found, code)
}

/// The byte range of a destination within its construct.
fn find_destination(text: &str, destination: &CowStr<'_>, within: Range<usize>, before: &str) -> Option<Range<usize>> {
    if destination.is_empty() {
        return None;
    }
    // A destination without escapes is a slice of the text itself.
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

/// Returns the byte ranges of a template that capture text to show it, as code or otherwise: `{% set x %}…{% endset %}`.
fn captured_ranges(text: &str) -> Vec<Range<usize>> {
    /// Tags of Liquid, Nunjucks, Jinja and Hugo whose content is not rendered where it stands.
    const TAGS: [&str; 7] = ["capture", "code", "codeblock", "highlight", "raw", "set", "verbatim"];
    /// Longest tag that is read; those with arguments are shorter.
    const MAX_TAG_BYTES: usize = 200;
    let mut ranges = Vec::new();
    let mut opened: Option<usize> = None;
    // Hugo's are `{{< highlight >}}` or `{{% highlight %}}`, and end with a slash.
    for (at, _) in text.match_indices('{') {
        let rest = head(&text[at..], MAX_TAG_BYTES);
        let inside = match rest.strip_prefix("{%") {
            Some(inside) => inside.split_once("%}"),
            None => rest.strip_prefix("{{<").and_then(|inside| inside.split_once(">}}")),
        };
        let Some((inside, _)) = inside else { continue };
        let inside = inside.trim_start_matches('-').trim();
        let end = inside.strip_prefix("end").or_else(|| inside.strip_prefix('/').map(str::trim_start));
        let tag = end.unwrap_or(inside).split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        if end.is_none() && TAGS.contains(&tag) && !inside.contains('=') {
            opened = opened.or(Some(at));
        } else if let Some(start) = opened.filter(|_| end.is_some() && TAGS.contains(&tag)) {
            ranges.push(start..at);
            opened = None;
        }
    }
    ranges
}

/// Adds the destinations in a piece of HTML. The properties of components have unknown meanings: `href` counts, and files below the root of
/// the site.
fn add_html_links(text: &str, within: Range<usize>, found: &mut Vec<MarkdownLink>) {
    let Some(inside) = text.get(within.clone()) else { return };
    for attribute in parse_attributes(inside) {
        let kind = match (attribute.tag, attribute.name) {
            ("img" | "source" | "video" | "audio" | "iframe" | "embed" | "track" | "script", "src") => kinds::HTML_SRC,
            ("a" | "area" | "link", "href") => kinds::HTML_HREF,
            (component, "href") if component.starts_with(|first: char| first.is_ascii_uppercase()) => kinds::HTML_HREF,
            (component, _)
                if component.starts_with(|first: char| first.is_ascii_uppercase())
                    && is_site_file(attribute.value.trim()) =>
            {
                kinds::COMPONENT
            }
            ("video", "poster") => kinds::HTML_POSTER,
            ("img" | "source", "srcset") => {
                for part in srcset_urls(attribute.value) {
                    let destination = unescape(&attribute.value[part.clone()]);
                    let from = within.start + attribute.range.start;
                    found.push(MarkdownLink {
                        kind: kinds::HTML_SRCSET,
                        range: from + part.start..from + part.end,
                        destination,
                        is_followed: true,
                    });
                }
                continue;
            }
            _ => continue,
        };
        let value = attribute.value.trim();
        let start = within.start + attribute.range.start + (attribute.value.len() - attribute.value.trim_start().len());
        if !value.is_empty() {
            found.push(MarkdownLink {
                kind,
                range: start..start + value.len(),
                destination: unescape(value),
                is_followed: true,
            });
        }
    }
}

/// Returns whether the value of a property is the path of a picture, film or document from the root of the site.
fn is_site_file(value: &str) -> bool {
    const ENDINGS: [&str; 15] =
        ["png", "jpg", "jpeg", "gif", "svg", "webp", "avif", "ico", "mp4", "webm", "mov", "mp3", "pdf", "zip", "gltf"];
    value.starts_with('/') && !value.starts_with("//") && ENDINGS.contains(&extension(value).as_str())
}

/// Replaces `&amp;`, the only entity in paths.
fn unescape(value: &str) -> String {
    value.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::{Dialect, parse_links};

    #[track_caller]
    fn check_in(dialect: Dialect, text: &str, expect: &[&str]) {
        let found = parse_links(text, dialect).0;
        let describe = |link: &super::MarkdownLink| {
            let raw = &text[link.range.clone()];
            let other = if raw == link.destination { String::new() } else { format!(" = {}", link.destination) };
            format!("{} {raw}{other}", link.kind)
        };
        assert_eq!(found.iter().map(describe).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn finds_destinations() {
        let check = |text: &str, expect: &[&str]| check_in(Dialect::Markdown, text, expect);
        check("[a](b.md) ![c](d.png \"e\")", &["md.link b.md", "md.image d.png"]);
        check("---\ntitle: [a](b.md)\n---\n[c](d.md)", &["md.link d.md"]);
        check("---\n\n<p>\n<a href=\"b.md\">c</a>\n</p>\n\n---\n[c](d.md)", &["md.html.href b.md", "md.link d.md"]);
        check("---\n# x\n---\n", &[]);
        check("[a]( <b c.md> )", &["md.link b c.md"]);
        check("[a](b\\_c.md) [a](d&amp;e.md)", &["md.link b\\_c.md = b_c.md", "md.link d&amp;e.md = d&e.md"]);
        check("[![a](b.png)](c.md)", &["md.image b.png", "md.link c.md"]);
        check("[a][b]\n\n[b]: c.md 'd'\n", &["md.definition c.md"]);
        check("[a][b] [C]\n\n[b]: #d\n[c]: #e\n[d]: #f\n", &["md.definition #d", "md.definition #e"]);
        check("{%- set code %}\n<a href=\"b.md\">c</a>\n{%- endset %}\n\n[d](e.md)\n", &["md.link e.md"]);
        let hugo = "{{<highlight html>}}\n<a href=\"b.md\">c</a>\n{{</ highlight >}}\n\n[d](e.md)\n";
        check(hugo, &["md.link e.md"]);
        check(&hugo.replace("{{<", "{{%").replace(">}}", "%}}"), &["md.link e.md"]);
        check("{% set x = 1 %}\n\n[d](e.md)\n\n{% endset %}", &["md.link e.md"]);
        check("> [a](b.md)\n> <img src=\"c.png\">\n", &["md.link b.md", "md.html.src c.png"]);
        check("`[a](b.md)` <https://x> <a@b.c>\n\n    [a](b.md)\n\n```\n[a](b.md)\n```\n", &[]);
        check("$[a](b.md)$", &[]);
        check("- [x] (a) [^1]\n\n[^1]: b.md\n", &[]);
        check("| a |\n|---|\n| [b](c\\|d.md) [e](f.md) |\n", &["md.link c\\|d.md = c|d.md", "md.link f.md"]);
        check(
            "<picture>\n<source srcset=\"a.png 1x, b.png 2x\">\n<img alt='x' src='c.png'>\n</picture>\n",
            &["md.html.srcset a.png", "md.html.srcset b.png", "md.html.src c.png"],
        );
        check("<Card src=\"/x\" href=\"/x\" /> <a href=\"y\">z</a>", &["md.html.href /x", "md.html.href y"]);
        check("---\na: '[b](c.md)'\n---\n[d](e.md)", &["md.link e.md"]);
        check("[a](b(c).md)", &["md.link b(c).md"]);
        check("!!! note\n\n    [a](b.md)\n\n    `x` [c](d.md)\n", &["md.link b.md", "md.link d.md"]);
        check("- a\n\n    ??? tip \"x\"\n\n        [a](b.md)\n\n            [c](d.md)\n", &["md.link b.md"]);
        check("=== \"A\"\n\n    !!! note\n        text\n\n        ![a](b.png)\n", &["md.image b.png"]);
        check("!!! note\n\n    ```\n    [a](b.md)\n    ```\n\ntext\n\n    [a](b.md)\n", &[]);
        check(
            "```{note} N\n[a](b.md)\n\n`[x](y.md)` [c](d.md)\n```\n```{r}\n[a](e.md)\n```\n",
            &["md.link b.md", "md.link d.md"],
        );
        check("> ````{tip}\n> ```{code}\n> [a](b.md)\n> ```\n> [c](d.md)\n> ````\n", &["md.link d.md"]);
    }

    #[test]
    fn reads_components() {
        let check = |text: &str, expect: &[&str]| check_in(Dialect::Mdx, text, expect);
        check(
            "<Tabs>\n  <Tab>\n    ![a](b.png) `x`\n    [c](d.md)\n  </Tab>\n</Tabs>\n",
            &["md.image b.png", "md.link d.md"],
        );
        check(
            "<p>[a](b.md)</p>\n<td><a href=\"c.md\">[d](e.md)</a></td>\n",
            &["md.link b.md", "md.html.href c.md", "md.link e.md"],
        );
        check(
            "- a\n\n    <div>\n        [a](b.md)\n    </div>\n\nx\n\n        [a](c.md)\n",
            &["md.link b.md", "md.link c.md"],
        );
        check("<Tab>\n```md\n[a](b.md)\n```\n</Tab>\n", &[]);
        check("<Tab>\n{/* [a](b.md) */}\n</Tab>\n<!-- [a](b.md) -->\n", &[]);
        check("<script>\nlet x = '[a](b.md)';\n</script>\n", &[]);
        check("<Image\n  src=\"/a/b.png\"\n  alt=\"/x\"\n  dark='c.png'\n/>\n", &["md.component /a/b.png"]);
        check("<Card icon=\"/a/b.svg\" url=\"//a/b.svg\"/>\n", &["md.component /a/b.svg"]);
    }
}
