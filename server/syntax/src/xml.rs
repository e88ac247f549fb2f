//! A lenient XML tokenizer that keeps byte ranges. The checks of Maven and .NET project files use it.
//!
//! Broken XML gives fewer events. Entities are not decoded, so callers skip values with `&`.
//!
//! Not `roxmltree`, which gives nothing for broken text, nor `quick-xml`, whose attributes have no positions.

use std::ops::Range;

/// A tag or a text of an XML document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum XmlEvent {
    /// `<a b="c">`, or `<a b="c"/>`, which is empty.
    Open {
        /// The name of the element.
        name: Range<usize>,
        /// Names and values of the attributes; the value is without quotes.
        attributes: Vec<(Range<usize>, Range<usize>)>,
        /// True if the tag closes itself.
        is_empty: bool,
    },
    /// `</a>`
    Close,
    /// The text between tags, without surrounding white space.
    Text(Range<usize>),
}

/// Returns the events of a text, in order, without comments, declarations and CDATA. The text is read as far as events are asked for.
pub fn xml_events(text: &str) -> impl Iterator<Item = XmlEvent> {
    let mut at = 0;
    let steps = std::iter::from_fn(move || {
        let open = at + memchr::memchr(b'<', &text.as_bytes()[at..])?;
        let written = text[at..open].trim();
        let start = open - text[at..open].trim_start().len();
        let before = (!written.is_empty()).then(|| XmlEvent::Text(start..start + written.len()));
        let rest = &text[open..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        let past = |cut: Option<usize>, end: &str| cut.map_or(text.len(), |cut| open + cut + end.len());
        let (tag, end) = if let Some((_, end)) = skipped.iter().find(|(start, _)| rest.starts_with(start)) {
            (None, past(memchr::memmem::find(rest.as_bytes(), end.as_bytes()), end))
        } else if rest.starts_with("</") {
            (Some(XmlEvent::Close), past(memchr::memchr(b'>', rest.as_bytes()), ">"))
        } else {
            parse_tag(text, open).map_or((None, text.len()), |(event, end)| (Some(event), end))
        };
        at = end;
        Some([before, tag])
    });
    steps.flatten().flatten()
}

/// Returns the first text in the elements of these names, the outermost first.
pub fn first_text<'t>(text: &'t str, names: &[&str]) -> Option<&'t str> {
    let mut open: Vec<&str> = Vec::new();
    xml_events(text).find_map(|event| {
        match event {
            XmlEvent::Open { name, is_empty: false, .. } => open.push(&text[name]),
            XmlEvent::Open { .. } => {}
            XmlEvent::Close => _ = open.pop(),
            XmlEvent::Text(range) => return (open == names).then(|| &text[range]),
        }
        None
    })
}

/// Calls `each` with the names of the open elements and the range of the text in them, in the order of the document.
pub fn for_each_text<'t>(text: &'t str, mut each: impl FnMut(&[&'t str], Range<usize>)) {
    let mut open: Vec<&str> = Vec::new();
    for piece in xml_events(text) {
        match piece {
            XmlEvent::Open { name, is_empty: false, .. } => open.push(&text[name]),
            XmlEvent::Open { .. } => {}
            XmlEvent::Close => _ = open.pop(),
            XmlEvent::Text(range) => each(&open, range),
        }
    }
}

/// Parses the opening tag at `open` and returns it with its end.
fn parse_tag(text: &str, open: usize) -> Option<(XmlEvent, usize)> {
    let bytes = text.as_bytes();
    let is_blank = |byte: u8| byte.is_ascii_whitespace();
    let until = |from: usize, ends: &dyn Fn(u8) -> bool| {
        bytes[from..].iter().position(|byte| ends(*byte)).map(|cut| from + cut)
    };
    let end = until(open + 1, &|byte| is_blank(byte) || matches!(byte, b'>' | b'/'))?;
    let name = open + 1..end;
    let mut attributes = Vec::new();
    let mut at = end;
    loop {
        at = until(at, &|byte| !is_blank(byte))?;
        match bytes[at] {
            b'>' => return Some((XmlEvent::Open { name, attributes, is_empty: false }, at + 1)),
            b'/' if bytes.get(at + 1) == Some(&b'>') => {
                return Some((XmlEvent::Open { name, attributes, is_empty: true }, at + 2));
            }
            b'=' | b'/' => at += 1,
            quote @ (b'"' | b'\'') => {
                let end = until(at + 1, &|byte| byte == quote)?;
                // A quoted value belongs to the attribute before it.
                if let Some((_, value)) = attributes.last_mut() {
                    *value = at + 1..end;
                }
                at = end + 1;
            }
            _ => {
                let end = until(at, &|byte| is_blank(byte) || matches!(byte, b'>' | b'=' | b'/' | b'"' | b'\''))?;
                attributes.push((at..end, end..end));
                at = end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{XmlEvent, first_text, xml_events};

    #[test]
    fn recognises_events() {
        let text = "<?xml v=\"1\"?><!-- <no/> --><a b = 'c>' d=\"\">\n é e\n <f/><![CDATA[<no>]]></a>";
        let shown: Vec<String> = xml_events(text)
            .map(|event| match event {
                XmlEvent::Open { name, attributes, is_empty } => {
                    let all = attributes.into_iter().map(|(name, value)| format!(" {}={}", &text[name], &text[value]));
                    format!("{}{}{}", &text[name], all.collect::<String>(), if is_empty { "/" } else { "" })
                }
                XmlEvent::Close => "close".to_owned(),
                XmlEvent::Text(range) => text[range].to_owned(),
            })
            .collect();
        assert_eq!(shown, ["a b=c> d=", "é e", "f/", "close"]);
        for text in ["<", "<a", "<a b", "<a b=", "<a b='", "</", "<!--", "<a =", "<a 'x'>", "<é é='é'>é"] {
            assert!(xml_events(text).count() <= text.len());
        }
    }

    #[test]
    fn finds_the_first_text() {
        let text = "<p><q><a>1</a></q><a/><a> 2 </a><a>3</a></p>";
        assert_eq!(first_text(text, &["p", "a"]), Some("2"));
        assert_eq!(first_text(text, &["p", "q", "a"]), Some("1"));
        assert_eq!(first_text(text, &["a"]), None);
    }
}
