//! Builds the texts that a model encodes: a question's from its template, or a path's. Called by `Model`.

use std::borrow::Cow;

use crate::configuration::Configuration;

/// Bytes of a text that are used: enough for the longest lengths in tokens, even at a hundred bytes per token.
const INPUT_BYTES_MAX: usize = 16 << 10;

/// Returns the text of a query.
pub(crate) fn query(configuration: &Configuration, intent: &str, path: &str) -> String {
    let text = configuration.query.replace("{intent}", truncate(intent)).replace("{path}", truncate(path));
    prepare(configuration, text.trim())
}

/// Returns the text of a document.
pub(crate) fn document(configuration: &Configuration, path: &str) -> String {
    let path = truncate(path);
    match &*configuration.document {
        "{path}" => prepare(configuration, path),
        template => prepare(configuration, template.replace("{path}", path).trim()),
    }
}

fn prepare(configuration: &Configuration, text: &str) -> String {
    let text: Cow<'_, str> = if configuration.split_words { split_words(text).into() } else { text.into() };
    if configuration.lower_case { text.to_lowercase() } else { text.into_owned() }
}

fn truncate(text: &str) -> &str {
    &text[..text.floor_char_boundary(INPUT_BYTES_MAX)]
}

/// Splits names into lower-case words with one space between them. Words end at characters other than letters and
/// digits, before a capital after a small letter, before the last of several capitals, and where digits begin or end.
fn split_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let letters: Vec<char> = text.chars().collect();
    let mut open = false;
    for (at, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            open = false;
            continue;
        }
        let before = at.checked_sub(1).map(|at| letters[at]).filter(|_| open);
        let border = before.is_none_or(|before| {
            let next_is_small = letters.get(at + 1).is_some_and(|next| next.is_lowercase());
            before.is_numeric() != letter.is_numeric()
                || letter.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && next_is_small)
        });
        if border && !out.is_empty() {
            out.push(' ');
        }
        out.extend(letter.to_lowercase());
        open = true;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{document, query, split_words};
    use crate::configuration::Configuration;

    #[test]
    fn splits_names_into_words() {
        for (text, expect) in [
            ("src/getHTTPResponse2.py", "src get http response 2 py"),
            ("a--b__c.D", "a b c d"),
            ("../", ""),
            ("ÉtéNoir/été.md", "été noir été md"),
            ("🦀/ferris.rs", "ferris rs"),
            ("XMLHttp", "xml http"),
            ("utf8", "utf 8"),
        ] {
            assert_eq!(split_words(text), expect);
        }
    }

    #[test]
    fn fills_templates() {
        let mut configuration = Configuration::default();
        assert_eq!(query(&configuration, "fix login", "a/b.rs"), "fix login a/b.rs");
        assert_eq!(query(&configuration, "", "a/b.rs"), "a/b.rs");
        assert_eq!(document(&configuration, "a/B.rs"), "a/B.rs");
        configuration.query = "{path} | {intent}".to_owned();
        configuration.split_words = true;
        assert_eq!(query(&configuration, "fixLogin", "a/b.rs"), "a b rs fix login");
        configuration.split_words = false;
        configuration.lower_case = true;
        assert_eq!(document(&configuration, "a/B.rs"), "a/b.rs");
    }

    #[test]
    fn truncates_long_texts() {
        let configuration = Configuration { split_words: true, ..Configuration::default() };
        assert!(query(&configuration, &"é".repeat(1 << 20), &"a/".repeat(1 << 20)).len() < 1 << 18);
    }
}
