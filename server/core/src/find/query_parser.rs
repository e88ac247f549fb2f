//! `ParsedQuery`: separates the words that a file must match from those that only phrase the question. Called by
//! `query`.
//!
//! Phrasing words imply a kind of file instead: an implementation, tests, documentation or configuration.

use crate::function_words::is_function_word;
use crate::words::for_each_word;

/// Words that describe any file, dropped like function words.
const FILLERS: &[&str] = &["code", "file", "files", "inside", "logic", "responsible"];

/// Verbs of a request, dropped as the first word.
const REQUESTS: &[&str] = &["find", "get", "give", "list", "locate", "look", "open", "search", "show", "tell"];

/// Returns whether a first word may be the verb of a request.
pub(super) fn is_request(word: &str) -> bool {
    REQUESTS.contains(&word.to_lowercase().as_str())
}

/// Words that ask for an implementation.
const IMPLEMENTATION: &[&str] = &[
    "implement",
    "implementation",
    "implemented",
    "implementing",
    "implements",
    "declared",
    "declaration",
    "declares",
    "define",
    "defined",
    "defines",
    "definition",
    "done",
    "handled",
    "happen",
    "happening",
    "happens",
    "live",
    "lives",
    "located",
    "made",
    "performed",
    "written",
];

/// Words of [`IMPLEMENTATION`] that may be a name's last word as well: only in a sentence they ask for one.
const AMBIGUOUS_VERBS: &[&str] =
    &["define", "defines", "done", "implement", "implements", "live", "lives", "made", "written"];

/// Words that ask for a configuration, and are seldom in its name.
const CONFIGURATION: &[&str] = &["configured", "configure", "configures"];

/// Words that ask for tests, and may be in their names.
const TESTS: &[&str] = &["test", "tests", "tested", "testing", "spec", "specs"];

/// Words that ask for documentation, and may be in its name.
const DOCUMENTATION: &[&str] = &["doc", "docs", "documentation", "documented", "readme", "guide"];

/// Kinds of files that the query asks for, besides its topic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a query can want several at once")]
pub(super) struct WantedKinds {
    pub(super) implementation: bool,
    pub(super) configuration: bool,
    pub(super) tests: bool,
    pub(super) documentation: bool,
}

/// A query as words: the needed tokens, and the wanted kinds of files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ParsedQuery {
    /// The needed tokens, as they are spelled.
    pub(super) tokens: Vec<String>,
    pub(super) wants: WantedKinds,
}

impl ParsedQuery {
    /// Parses tokens without white space; `named` returns whether names in the tree have a word. If no token would be
    /// left, all are needed: `where` is a name too.
    pub(super) fn from_tokens(tokens: &[&str], named: &dyn Fn(&str) -> bool) -> Self {
        let mut wants = WantedKinds::default();
        let mut kept: Vec<String> = Vec::new();
        let several = tokens.len() > 1;
        // `define options` and `list helpers` may be names; a sentence has function words.
        let sentence = tokens.iter().any(|token| is_function_word(&token.to_lowercase()));
        for (at, token) in tokens.iter().enumerate() {
            let word = token.to_lowercase();
            let is = |list: &[&str]| several && list.contains(&word.as_str());
            let said = at > 0 && at + 1 == tokens.len() && !AMBIGUOUS_VERBS.contains(&word.as_str());
            let request = at == 0 && is(REQUESTS) && (sentence || tokens.len() != 2 || !named(&word));
            if is(IMPLEMENTATION) && (sentence || said) {
                wants.implementation = true;
            } else if is(CONFIGURATION) && sentence {
                wants.configuration = true;
            } else if several && is_function_word(&word) || is(FILLERS) || request {
            } else {
                wants.tests |= TESTS.contains(&word.as_str());
                wants.documentation |= DOCUMENTATION.contains(&word.as_str());
                wants.configuration |= several && matches!(word.as_str(), "config" | "settings" | "configuration");
                kept.push((*token).to_owned());
            }
        }
        if kept.is_empty() {
            return Self {
                tokens: tokens.iter().map(|token| (*token).to_owned()).collect(),
                wants: WantedKinds::default(),
            };
        }
        let only = |list: &[&str], word: &String| list.contains(&word.to_lowercase().as_str());
        // `tested` and `documented` ask for a kind of file, and are in no name.
        if kept.len() > 1 {
            kept.retain(|word| !only(&["tested", "documented"], word));
        }
        Self { tokens: kept, wants }
    }
}

/// Removes invisible characters, and replaces the syntax of regular expressions by white space.
///
/// Agents send patterns for grep: `cursor[ _-]?binary`, `auth.*middleware`. One pass over any text.
pub(super) fn strip_syntax(text: &str) -> String {
    let expression = ['[', '(', '|', '^', '$', '+'].iter().any(|sign| text.contains(*sign)) || text.contains(".*");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\\' if expression => {
                // `\b` and `\s+` match no letter of a name.
                let _class = rest.next_if(|next| "bBsSwWdDnrt".contains(*next));
                out.push(' ');
            }
            '\\' => out.push('/'),
            '[' => {
                let inner: String = rest.clone().take(CLASS_CHARS_MAX).take_while(|&next| next != ']').collect();
                let closed = rest.clone().nth(inner.chars().count()) == Some(']');
                let names = inner.chars().filter(|letter| letter.is_alphanumeric()).count();
                let range = inner.contains("a-z") || inner.contains("A-Z") || inner.contains("0-9");
                if closed && (names == 0 || range || inner.starts_with('^')) {
                    (0..=inner.chars().count()).for_each(|_| _ = rest.next());
                }
                out.push(' ');
            }
            '(' | ')' | ']' | '|' | '^' | '$' | '+' if expression => out.push(' '),
            '"' | '\'' | '`' | '\u{2018}'..='\u{201f}' | ',' | ';' | '!' => out.push(' '),
            _ if is_invisible(letter) => {}
            _ if letter.is_control() => out.push(' '),
            _ => out.push(letter),
        }
    }
    let out = out.replace(".*", " ").replace(".+", " ").replace("::", " ").replace("->", " ");
    out.trim().trim_end_matches(['?', '.', ':']).trim().to_owned()
}

/// A class of a regular expression is shorter; the bound keeps the search for its end linear.
const CLASS_CHARS_MAX: usize = 24;

/// Returns whether a character is a mark of direction or width, which people paste without seeing it.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// Returns the needed words of a query in lower case.
pub(super) fn needed_words(query: &str) -> Vec<String> {
    let text = strip_syntax(&query.chars().take(super::QUERY_BYTES_MAX).collect::<String>());
    let tokens: Vec<&str> = text.split([' ', '\t', '\n', '/']).filter(|token| !token.is_empty()).collect();
    let mut words = Vec::new();
    for token in ParsedQuery::from_tokens(&tokens, &|_| true).tokens {
        for_each_word(token.as_bytes(), |word| words.push(word.to_owned()));
    }
    words.sort_unstable();
    words.dedup();
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, needed: &str, wants: &str) {
        let plain = strip_syntax(query);
        let tokens: Vec<&str> = plain.split_whitespace().collect();
        let parsed = ParsedQuery::from_tokens(&tokens, &|word| word == "list");
        let WantedKinds { implementation, configuration, tests, documentation } = parsed.wants;
        let all = [(implementation, "implementation"), (configuration, "configuration"), (tests, "tests")];
        let all = all.into_iter().chain([(documentation, "documentation")]);
        let said: Vec<&str> = all.filter(|(wanted, _)| *wanted).map(|(_, name)| name).collect();
        assert_eq!((parsed.tokens.join(" ").as_str(), said.join(" ").as_str()), (needed, wants), "{query}");
    }

    #[test]
    fn drops_phrasing_words() {
        check("where is CommandRouter implemented?", "CommandRouter", "implementation");
        check("how are provider credentials configured", "provider credentials", "configuration");
        check("find checkpoint service", "checkpoint service", "");
        check("tests for the replay service", "tests replay service", "tests");
        check("where is replay tested", "replay", "tests");
        check("docs of the api", "docs api", "documentation");
    }

    #[test]
    fn keeps_names() {
        check("where", "where", "");
        check("find", "find", "");
        check("implement.rs", "implement.rs", "");
        check("where is it", "where is it", "");
        check("gh run view", "gh run view", "");
        check("src/find/list.rs", "src/find/list.rs", "");
        check("define options", "define options", "");
        check("list helpers", "list helpers", "");
        check("show helpers", "helpers", "");
        check("list the helpers", "helpers", "");
        check("replay implementation", "replay", "implementation");
    }

    #[test]
    fn splits_regular_expressions() {
        check("cursor[ _-]?binary", "cursor ?binary", "");
        check("auth.*middleware", "auth middleware", "");
        check(r"\bcursor\s+(binary|bin)$", "cursor binary bin", "");
        check("Foo::bar", "Foo bar", "");
        check("pages/[id].tsx", "pages/ id .tsx", "");
        check(r"src\main.rs", "src/main.rs", "");
        check("\u{202e}abc\u{200b}d", "abcd", "");
        check("x\u{0}y\u{7}z", "x y z", "");
    }
}
