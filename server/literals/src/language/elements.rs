//! `elements`: the tags and texts of XML as it is written, with their places. Broken XML has fewer of them. It is not a
//! reader of XML: entities stay as they are, and who looks for paths takes none with `&`.

use std::ops::Range;

/// A piece of XML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// `<a b="c">`, or `<a b="c"/>`, which is empty.
    Open { name: Range<usize>, attributes: Vec<(Range<usize>, Range<usize>)>, is_empty: bool },
    /// `</a>`
    Close,
    /// What stands between tags, without the blanks around it.
    Text(Range<usize>),
}

/// The pieces of a text, in order, without comments, declarations and CDATA.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', &text.as_bytes()[at..]).map(|open| at + open) {
        let written = text[at..open].trim();
        if !written.is_empty() {
            let start = open - text[at..open].trim_start().len();
            found.push(Piece::Text(start..start + written.len()));
        }
        let rest = &text[open..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
        if let Some((_, end)) = skipped.iter().find(|(start, _)| rest.starts_with(start)) {
            at = memchr::memmem::find(rest.as_bytes(), end.as_bytes()).map_or(text.len(), |cut| open + cut + end.len());
        } else if rest.starts_with("</") {
            found.push(Piece::Close);
            at = memchr::memchr(b'>', rest.as_bytes()).map_or(text.len(), |cut| open + cut + 1);
        } else {
            let Some((piece, end)) = tag(text, open) else { return found };
            found.push(piece);
            at = end;
        }
    }
    found
}

/// The tag that begins here, and where it ends.
fn tag(text: &str, open: usize) -> Option<(Piece, usize)> {
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
            b'>' => return Some((Piece::Open { name, attributes, is_empty: false }, at + 1)),
            b'/' if bytes.get(at + 1) == Some(&b'>') => {
                return Some((Piece::Open { name, attributes, is_empty: true }, at + 2));
            }
            b'=' | b'/' => at += 1,
            quote @ (b'"' | b'\'') => {
                let end = until(at + 1, &|byte| byte == quote)?;
                // Behind a name without a value; it is that one's.
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
    use super::{Piece, pieces};

    #[test]
    fn told_apart() {
        let text = "<?xml v=\"1\"?><!-- <no/> --><a b = 'c>' d=\"\">\n é e\n <f/><![CDATA[<no>]]></a>";
        let shown: Vec<String> = pieces(text)
            .into_iter()
            .map(|piece| match piece {
                Piece::Open { name, attributes, is_empty } => {
                    let all = attributes.into_iter().map(|(name, value)| format!(" {}={}", &text[name], &text[value]));
                    format!("{}{}{}", &text[name], all.collect::<String>(), if is_empty { "/" } else { "" })
                }
                Piece::Close => "close".to_owned(),
                Piece::Text(range) => text[range].to_owned(),
            })
            .collect();
        assert_eq!(shown, ["a b=c> d=", "é e", "f/", "close"]);
        for text in ["<", "<a", "<a b", "<a b=", "<a b='", "</", "<!--", "<a =", "<a 'x'>", "<é é='é'>é"] {
            pieces(text);
        }
    }
}
