//! Finds the URLs in the attributes of a page.

use crate::documents::html::kinds;
use pathfinder_literals::LiteralKind;
use std::ops::Range;

use super::tags::{HtmlTag, parse_tags};

/// One URL in an attribute.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HtmlReference {
    pub(super) kind: LiteralKind,
    /// The byte range in the text, as written.
    pub(super) at: usize,
    pub(super) end: usize,
    /// True if the page needs the file to render.
    pub(super) is_needed: bool,
}

/// The URLs of a page, and the byte range of its `<base href>`.
#[derive(Debug, Default)]
pub(super) struct PageReferences {
    pub(super) references: Vec<HtmlReference>,
    pub(super) base: Option<(usize, usize)>,
}

impl PageReferences {
    /// Finds the URLs of a whole page.
    pub(super) fn parse(text: &str, is_svg: bool) -> Self {
        let mut references = Self::default();
        references.scan(text, 0, is_svg, true);
        references
    }

    /// Adds the URLs of a text at byte `offset` of the page.
    fn scan(&mut self, text: &str, offset: usize, is_svg: bool, with_comments: bool) {
        for tag in parse_tags(text) {
            match tag {
                HtmlTag::Start { name, range } => self.add_tag(text, offset, is_svg, name, range),
                // Old browsers read conditional comments, and so do people.
                HtmlTag::Comment { is_conditional: true, range } if with_comments => {
                    let Some(inside) = text.get(range.clone()) else { continue };
                    let Some(open) = inside.find("]>") else { continue };
                    self.scan(&inside[open + 2..], offset + range.start + open + 2, is_svg, false);
                }
                HtmlTag::Comment { .. } => {}
            }
        }
    }

    /// Adds the URLs of one start tag.
    fn add_tag(&mut self, text: &str, offset: usize, is_svg: bool, name: &str, range: Range<usize>) {
        // The tokenizer's spans of values depend on their quotes; the span of the tag contains them all.
        let Some(written) = text.get(range.start..range.end.min(text.len())) else { return };
        let attributes: Vec<(&str, usize, usize)> = parse_attributes(written).collect();
        let rel = attributes.iter().find(|(name, ..)| name.eq_ignore_ascii_case("rel"));
        let rel = rel.map(|&(_, at, end)| written[at..end].to_ascii_lowercase()).unwrap_or_default();
        for (attribute, at, end) in attributes {
            let attribute = attribute.to_ascii_lowercase();
            let start = offset + range.start;
            if name == "base" && attribute == "href" {
                self.base = self.base.or(Some((start + at, start + end)));
                continue;
            }
            let Some(kind) = reference_kind(name, &attribute, is_svg) else { continue };
            if name == "link" && !is_asset(&rel) {
                continue;
            }
            let is_needed = !matches!(name, "a" | "area" | "link");
            let mut push = |at: usize, end: usize| {
                self.references.push(HtmlReference { kind, at: start + at, end: start + end, is_needed });
            };
            let value = &written[at..end];
            if attribute.ends_with("srcset") {
                srcset_urls(value).for_each(|(from, to)| push(at + from, at + to));
            } else {
                let from = at + value.len() - value.trim_start().len();
                push(from, from + value.trim().len());
            }
        }
    }
}

/// The attributes of a tag with values, each with the byte range of its value.
fn parse_attributes(tag: &str) -> impl Iterator<Item = (&str, usize, usize)> {
    let bytes = tag.as_bytes();
    let skip = move |mut at: usize, is: fn(u8) -> bool| {
        while bytes.get(at).is_some_and(|byte| is(*byte)) {
            at += 1;
        }
        at
    };
    // A space or a slash ends the name of the tag.
    let mut at = skip(0, |byte| !byte.is_ascii_whitespace() && byte != b'/');
    std::iter::from_fn(move || {
        loop {
            at = skip(at, |byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
            let from = at;
            // A name can begin with `=`, and ends at the next one.
            at = skip((at + 1).min(bytes.len()), |byte| {
                !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'/' | b'>')
            });
            if from >= bytes.len() {
                return None;
            }
            let name = tag.get(from..at);
            let sign = skip(at, |byte| byte.is_ascii_whitespace());
            if bytes.get(sign) != Some(&b'=') {
                continue;
            }
            let mut start = skip(sign + 1, |byte| byte.is_ascii_whitespace());
            let end = if let Some(&mark @ (b'"' | b'\'')) = bytes.get(start) {
                start += 1;
                let end = memchr::memchr(mark, &bytes[start..]).map_or(bytes.len(), |length| start + length);
                at = end + 1;
                end
            } else {
                at = skip(start, |byte| !byte.is_ascii_whitespace() && byte != b'>');
                at
            };
            let value = tag.get(start..end);
            if let (Some(name), Some(_)) = (name, value) {
                return Some((name, start, end));
            }
        }
    })
}

/// The literal kind of an attribute; `None` if it names no file.
fn reference_kind(tag: &str, attribute: &str, is_svg: bool) -> Option<LiteralKind> {
    Some(match (tag, attribute) {
        ("image" | "use" | "feimage" | "a", "href" | "xlink:href") if is_svg => kinds::SVG_HREF,
        ("image" | "use" | "feimage", "href" | "xlink:href") => kinds::SVG_HREF,
        _ if is_svg => return None,
        ("a" | "area" | "link", "href") => kinds::HTML_HREF,
        ("img" | "script" | "source" | "video" | "audio" | "track" | "embed" | "iframe" | "frame" | "input", "src") => {
            kinds::HTML_SRC
        }
        ("img" | "source", "srcset") | ("link", "imagesrcset") => kinds::HTML_SRCSET,
        ("video", "poster") => kinds::HTML_POSTER,
        ("object", "data") => kinds::HTML_DATA,
        _ => return None,
    })
}

/// Returns whether `<link rel>` names a file that the page loads. The others are addresses of the site (`canonical`, `next`).
fn is_asset(rel: &str) -> bool {
    const ASSETS: [&str; 5] = ["stylesheet", "icon", "manifest", "modulepreload", "preload"];
    // `apple-touch-icon-precomposed`, `mask-icon`.
    rel.split_ascii_whitespace().any(|word| ASSETS.contains(&word) || word.contains("-icon") || word.contains("-image"))
}

/// The byte ranges of the URLs in `a.png 1x, b.png 2x`.
fn srcset_urls(text: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..)?;
        let from = at + rest.find(|c: char| !c.is_whitespace() && c != ',')?;
        let url = &text[from..];
        let url = &url[..url.find(char::is_whitespace).unwrap_or(url.len())];
        let end = from + url.trim_end_matches(',').len();
        // A trailing comma ends the candidate; otherwise its descriptors extend to the next comma.
        at = if url.ends_with(',') {
            from + url.len()
        } else {
            text[end..].find(',').map_or(text.len(), |comma| end + comma + 1)
        };
        Some((from, end))
    })
}

#[cfg(test)]
mod tests {
    use super::{PageReferences, srcset_urls};

    #[test]
    fn finds_urls() {
        let check = |text: &str, expect: &[&str]| {
            let all = PageReferences::parse(text, false).references;
            let written: Vec<&str> = all.iter().map(|reference| &text[reference.at..reference.end]).collect();
            assert_eq!(written, expect, "{text}");
        };
        check(r#"<img src="a.png">"#, &["a.png"]);
        check("<img src='a.png'/>", &["a.png"]);
        check("<img src=a.png>", &["a.png"]);
        check("<img src=a.png alt=x>", &["a.png"]);
        check("<img\r\n  src = \" é&amp;b.png \"\r\n>", &["é&amp;b.png"]);
        check("é\r\n\r\n<p>&amp;<img src=\"a.png\">", &["a.png"]);
        check("<img src=\"\"><img src>", &[""]);
        check("<!-- <img src=a.png> -->", &[]);
        check("<!--[if lt IE 9]><script src=\"b.js\"></script><![endif]-->", &["b.js"]);
        check("<script>var x = '<img src=\"a.png\">'</script>", &[]);
        check("<form action=a.php><div src=b>", &[]);
        check("<link rel=canonical href=a.html><link rel=stylesheet href=b.css>", &["b.css"]);
        check("<link rel=apple-touch-icon-precomposed href=a.png><link rel=next href=b.html>", &["a.png"]);
    }

    #[test]
    fn finds_srcset_urls() {
        let check = |text: &str, expect: &[&str]| {
            assert_eq!(srcset_urls(text).map(|(from, to)| &text[from..to]).collect::<Vec<_>>(), expect, "{text}");
        };
        check("a.png", &["a.png"]);
        check("a.png 1x, b.png 2x", &["a.png", "b.png"]);
        check(" a.png,\n b.png 100w", &["a.png", "b.png"]);
        check("data:x,y 1x, c.png", &["data:x,y", "c.png"]);
        check(" ,, ", &[]);
    }
}
