//! `Names`: the identifiers that a text declares, and those that it only uses.

use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{identifiers, is_keyword, occurrences};

/// The names in a file or in the files of a directory.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) declared: FxHashSet<String>,
    pub(crate) used: FxHashSet<String>,
}

impl Names {
    pub(crate) fn from_text(text: &str) -> Self {
        // For each word whether it is declared, and whether it is used before that.
        let mut words: FxHashMap<&str, (bool, bool)> = FxHashMap::default();
        for found in occurrences(text) {
            let (declared, used) = words.entry(found.word).or_default();
            if !*declared {
                let is_declared = found.is_declared();
                *declared |= is_declared;
                *used |= !is_declared;
            }
        }
        let mut names = Self::default();
        #[expect(clippy::iter_over_hash_type, reason = "they are put into sets")]
        for (word, (is_declared, is_used)) in words {
            if is_declared {
                names.declared.insert(word.to_owned());
            }
            if is_used {
                names.used.insert(word.to_owned());
            }
        }
        names
    }

    /// Adds the names that an index file takes from other files and gives on: `export { a } from './b'`, `from .b import a`, `pub use b::a`.
    pub(super) fn with_reexports(mut self, text: &str) -> Self {
        for statement in reexports(text) {
            let words = identifiers(statement).map(|(_, word)| word).filter(|word| !is_keyword(word));
            self.declared.extend(words.map(str::to_owned));
        }
        self
    }

    /// Merges the names of two texts.
    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.declared.extend(other.declared);
        self.used.extend(other.used);
        self
    }

    /// Returns whether the text declares a file's old name (in plain form), which survives the file's renaming: a
    /// class, or a header's include guard with its usual prefix and suffix.
    pub(super) fn declares_old_name(&self, old: &str) -> bool {
        /// Shorter names end too many other names.
        const MIN_NAME_BYTES: usize = 5;
        self.declared.iter().any(|word| {
            let word = unguarded(word);
            let rest = without_end(word, old);
            rest.is_some_and(|is_whole| old.len() >= if is_whole { MIN_NAME_BYTES - 2 } else { MIN_NAME_BYTES })
        })
    }

    /// The share of expected words that the text has, 0–1. A declared word counts fully, a used one with
    /// `USED_WEIGHT`.
    pub(super) fn share(&self, words: &[String]) -> f32 {
        /// A name that is only used is likely declared elsewhere.
        const USED_WEIGHT: f32 = 0.3;
        if words.is_empty() {
            return 0.0;
        }
        let weight = |word: &String| match (self.declared.contains(word), self.used.contains(word)) {
            (true, _) => 1.0,
            (false, true) => USED_WEIGHT,
            (false, false) => 0.0,
        };
        words.iter().map(weight).sum::<f32>() / words.len() as f32
    }
}

/// The lists of names in the statements that give names of other files on.
fn reexports(text: &str) -> impl Iterator<Item = &str> {
    const STARTS: [&str; 5] = ["export {", "export type {", "from .", "pub use ", "pub(crate) use "];
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        let begin = STARTS.iter().find(|begin| line.starts_with(*begin))?;
        let rest = &text[start + begin.len()..];
        // A list in brackets goes on to their end, any other to that of its line.
        let is_open = begin.ends_with('{') || line.contains(['{', '(']);
        let end = if is_open { rest.find(['}', ')']) } else { rest.find('\n') };
        let list = &rest[..end.unwrap_or(rest.len())];
        Some(list.split_once(" import ").map_or(list, |(_, names)| names))
    })
}

/// The name of an include guard without its suffixes.
fn unguarded(word: &str) -> &str {
    const GUARD_ENDS: [&str; 8] = ["_INCLUDED", "_INC", "_GUARD", "_HPP", "_HXX", "_HH", "_H", "_"];
    let mut word = word;
    // Each of them ends with one of these; nearly all names do not.
    while word.ends_with(['_', 'C', 'D', 'H', 'P', 'X'])
        && let Some(rest) = GUARD_ENDS.iter().find_map(|end| word.strip_suffix(end))
    {
        word = rest;
    }
    word
}

/// Returns `None` if the word (in plain form) does not end with `end` at a word boundary, else whether it is all of
/// the word.
fn without_end(word: &str, end: &str) -> Option<bool> {
    let mut rest = word;
    for wanted in end.chars().rev() {
        rest = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        let last = rest.chars().next_back()?;
        let is_wanted =
            if last.is_ascii() { last.to_ascii_lowercase() == wanted } else { last.to_lowercase().eq([wanted]) };
        if !is_wanted {
            return None;
        }
        rest = &rest[..rest.len() - last.len_utf8()];
    }
    let first = word[rest.len()..].chars().next();
    let begins = rest.is_empty()
        || rest.ends_with('_')
        || first.is_some_and(char::is_uppercase) && rest.ends_with(char::is_lowercase);
    begins.then(|| rest.chars().all(|c| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn finds_declarations_of_an_old_name() {
        let check = |text: &str, old: &str, expect: bool| {
            assert_eq!(Names::from_text(text).declares_old_name(old), expect, "{text}: {old}");
        };
        check("#define XY_CATCH_RUNNER_CONFIG_HPP_INCLUDED\n", "catchrunnerconfig", true);
        check("#define CATCH_FLOATING_POINT_H_\n", "catchfloating", false);
        check("#define UV_BSD_H\n", "uvbsd", true);
        check("class App {}", "app", true);
        check("class MyApp {}", "app", false);
        check("class OldParser {}", "parser", true);
        check("class Subparser {}", "parser", false);
        check("x = use(Parser)", "parser", false);
        check("", "", false);
    }

    #[test]
    fn takes_names_of_reexports() {
        let check = |text: &str, expect: &[&str]| {
            let names = Names::from_text(text).with_reexports(text);
            let mut names: Vec<&str> = names.declared.iter().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, expect, "{text}");
        };
        check(
            "export { Aa, Bb as Cc } from './b';\nexport type {\n  Dd,\n} from './d';\nuse(Ee);\n",
            &["Aa", "Bb", "Cc", "Dd"],
        );
        check("from .b import (\n  Aa,\n  Bb,\n)\nfrom .c import Cc\nimport Dd\n", &["Aa", "Bb", "Cc"]);
        check("pub use b::{Aa, Bb};\nuse c::Dd;\n", &["Aa", "Bb", "b"]);
        check("export { Aa", &["Aa"]);
    }

    #[test]
    fn scores_declared_and_used_words() {
        let words = ["Request".to_owned(), "state".to_owned()];
        let check =
            |text: &str, expect: f32| assert!((Names::from_text(text).share(&words) - expect).abs() < 0.01, "{text}");
        check("class Request:\n  pass\nstate = 1\n", 1.0);
        check("class Request(object): pass", 0.5);
        check("from x import Request, state", 0.3);
        check("class Requests: pass", 0.0);
        check("", 0.0);
        check("#define state 1\nstatic struct x *Request(int);\n", 1.0);
        check("  return Request(state);\n", 0.3);
    }
}
