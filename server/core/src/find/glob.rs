//! `Glob`: a glob that is matched against paths. It may match from any directory on: `users.go` stands for
//! `**/users.go`.
//!
//! Not `globset`: there `?` is one byte of a letter, `src**auth.py` does not cross `/`, and `[` is always a class, while people and
//! agents also type names such as `[id]*.ts`.

use crate::words::fold;

/// Most alternatives of `{a,b}` that are expanded.
const ALTERNATIVES_MAX: usize = 16;

/// A parsed glob: one token list per alternative of its braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob(Vec<Vec<GlobToken>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GlobToken {
    Letter(char),
    /// `?`
    AnyChar,
    /// `*`
    AnyChars,
    /// `**`, which also crosses `/`.
    AnyPath,
    /// `**/`: any directories, or none.
    AnyDirectories,
}

impl Glob {
    /// Parses a glob; `None` for any other text. A regular expression is rejected: its `.*` stands between words.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = fold(text.trim().trim_matches(['"', '\'', '`']).as_bytes()).replace('\\', "/");
        let expression = [".*", "]*", ")*", "(", "|", "^", "$", "+"].iter().any(|sign| text.contains(sign));
        let braces = text.contains('{') && text.contains(',') && text.contains('}');
        let says = text.chars().any(char::is_alphanumeric);
        if text.split_whitespace().nth(1).is_some() || expression || !says || !(text.contains('*') || braces) {
            return None;
        }
        let alternatives = expand_braces(&text);
        Some(Self(alternatives.iter().map(|text| parse_tokens(text.trim_start_matches("./"))).collect()))
    }

    /// Returns whether a path, or its end from some directory on, matches.
    pub(super) fn matches(&self, path: &str) -> bool {
        let letters: Vec<char> = fold(path.as_bytes()).chars().collect();
        let starts = letters.iter().enumerate().filter(|(_, letter)| **letter == '/').map(|(at, _)| at + 1);
        let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
        self.0.iter().any(|tokens| starts.iter().any(|&start| matches(tokens, &letters[start..])))
    }
}

/// Matches tokens with backtracking only to the last `**`, or else the last `*`. At worst, the time for each of them is
/// the product of both lengths, and paths are short.
fn matches(tokens: &[GlobToken], letters: &[char]) -> bool {
    let (mut token, mut letter) = (0, 0);
    let mut run: Option<(usize, usize)> = None;
    let mut far: Option<(usize, usize)> = None;
    loop {
        match tokens.get(token) {
            Some(GlobToken::AnyPath | GlobToken::AnyDirectories) => {
                (far, run) = (Some((token, letter)), None);
                token += 1;
                continue;
            }
            Some(GlobToken::AnyChars) => {
                token += 1;
                run = Some((token, letter));
                continue;
            }
            Some(GlobToken::AnyChar) if letters.get(letter).is_some_and(|other| *other != '/') => {
                (token, letter) = (token + 1, letter + 1);
                continue;
            }
            Some(GlobToken::Letter(asked)) if letters.get(letter) == Some(asked) => {
                (token, letter) = (token + 1, letter + 1);
                continue;
            }
            None if letter == letters.len() => return true,
            _ => {}
        }
        if let Some((after, at)) = run.filter(|(_, at)| letters.get(*at).is_some_and(|other| *other != '/')) {
            (token, letter) = (after, at + 1);
            run = Some((after, at + 1));
        } else if let Some((start, at)) = far.filter(|(_, at)| *at < letters.len()) {
            // `**/` only ends where a name begins.
            let deep = tokens[start] == GlobToken::AnyDirectories;
            let next = if deep { letters[at..].iter().position(|letter| *letter == '/') } else { Some(0) };
            let Some(next) = next else { return false };
            (token, letter) = (start + 1, at + next + 1);
            (far, run) = (Some((start, letter)), None);
        } else {
            return false;
        }
    }
}

fn parse_tokens(text: &str) -> Vec<GlobToken> {
    let mut tokens = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        tokens.push(match letter {
            '*' if rest.next_if_eq(&'*').is_some() => {
                while rest.next_if_eq(&'*').is_some() {}
                if rest.next_if_eq(&'/').is_some() { GlobToken::AnyDirectories } else { GlobToken::AnyPath }
            }
            '*' => GlobToken::AnyChars,
            '?' => GlobToken::AnyChar,
            other => GlobToken::Letter(other),
        });
    }
    tokens
}

/// Expands braces into alternatives; nested braces stay as they are.
fn expand_braces(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut rest = text;
    while let Some((before, open)) = rest.split_once('{') {
        let Some((inner, after)) = open.split_once('}') else { break };
        let choices: Vec<&str> = inner.split(',').collect();
        let room = all.len() * choices.len() <= ALTERNATIVES_MAX;
        let choices = if room { choices } else { choices[..1].to_vec() };
        all = all.iter().flat_map(|start| choices.iter().map(move |one| format!("{start}{before}{one}"))).collect();
        rest = after;
    }
    for one in &mut all {
        one.push_str(rest);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[track_caller]
    fn check(pattern: &str, fits: &str, others: &str) {
        let read = Glob::parse(pattern).expect("a pattern");
        fits.split_whitespace().for_each(|path| assert!(read.matches(path), "{pattern} {path}"));
        others.split_whitespace().for_each(|path| assert!(!read.matches(path), "{pattern} {path}"));
    }

    #[test]
    fn matches_globs() {
        check("*.go", "a.go a/b.go", "a.got go");
        check("src/**/auth*.py", "src/auth.py src/a/b/auth_x.py lib/src/a/auth.py", "auth.py src/a/oauth.py");
        check("**users.go", "users.go a/users.go a/b/all_users.go", "users.rs");
        check("src/*.{ts,tsx}", "src/a.ts src/b.tsx", "src/a/b.ts src/a.js");
        check("client?.rs*", "client1.rs a/client2.rs", "client.rs");
        check("*SERVICE*", "a/ServiceMap.kt", "a/map.kt");
    }

    #[test]
    fn refuses_other_texts() {
        for text in ["cursor.*binary", "cursor[ _-]?binary", "where is a*b", "(a+)+$", "plain", "a{1}"] {
            assert_eq!(Glob::parse(text), None, "{text}");
        }
    }

    #[test]
    fn time_is_bounded() {
        let pattern = Glob::parse(&"*a".repeat(500)).expect("a pattern");
        assert!(!pattern.matches(&"a/".repeat(400)));
        assert!(!Glob::parse(&format!("{}x", "**a".repeat(300))).expect("a pattern").matches(&"a".repeat(900)));
    }
}
