//! Addresses of a site that begin with template expressions for its own root: `{{ site.baseurl }}/guide/setup`.

use std::borrow::Cow;

use pathfinder_literals::path::head;

/// Words in the names of variables that hold the address or the root of a site.
const ROOT_WORDS: [&str; 5] = ["base", "prefix", "root", "url", "path"];

/// Bytes in which an expression ends. Longer ones compute something.
const MAX_EXPRESSION_BYTES: usize = 64;

/// Replaces the spaces in expressions at the beginning of inline destinations, which Markdown reads only without them. The text keeps
/// its length.
pub(super) fn without_spaces(text: &str) -> Cow<'_, str> {
    const START: &str = "]({{";
    if !text.contains(START) {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for (at, _) in text.match_indices(START) {
        let mut start = at + 2;
        while let Some(length) = expression_length(&text[start..]) {
            for byte in &mut bytes[start..start + length] {
                if *byte == b' ' {
                    *byte = b'_';
                }
            }
            start += length;
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The number of bytes of expressions for the root of a site at the beginning of an address that goes on with a slash. None if it has none.
pub(super) fn root_length(address: &str) -> usize {
    let mut start = 0;
    while let Some(length) = expression_length(&address[start..]) {
        let name = address[start..start + length].to_ascii_lowercase();
        if !ROOT_WORDS.iter().any(|word| name.contains(word)) {
            return 0;
        }
        start += length;
    }
    if address[start..].starts_with('/') { start } else { 0 }
}

/// The length of the expression that a text begins with.
fn expression_length(text: &str) -> Option<usize> {
    let inside = head(text.strip_prefix("{{")?, MAX_EXPRESSION_BYTES);
    let end = inside.find("}}")?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b' ' | b'$');
    inside[..end].bytes().all(is_name).then_some(end + 4)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_addresses_below_the_root_of_the_site() {
        let tree =
            "docs/_config.yml\ndocs/guide/a.md\ndocs/guide/b.md\ndocs/guide/c.md\nmoved docs/old/b.md docs/guide/b.md";
        let text = "[a]({{site.url}}{{ site.baseurl }}/guide/a/) [b]({{ site.baseurl }}/guide/b/#x \"b\") [c]({{ site.baseurl }}/guide/c)\n\
                    [b]({{ site.baseurl }}/old/b/) [d]({{ page.title }}/guide/a) [e]({{ site.baseurl }}guide/a) [f]({{ site.baseurl }})\n";
        check(
            tree,
            "docs/index.md",
            text,
            "md.link /guide/a/ → docs/guide/a.md
             md.link /guide/b/#x → docs/guide/b.md
             md.link /guide/c → docs/guide/c.md
             md.link /old/b/ → moved
             md.link {{ page.title }}/guide/a → unknown dynamic
             md.link {{ site.baseurl }}guide/a → unknown dynamic
             md.link {{ site.baseurl }} → unknown dynamic",
        );
    }
}
