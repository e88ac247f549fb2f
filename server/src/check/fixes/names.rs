//! `Names`: what a text declares, and what it only uses.

use std::collections::HashSet;

use super::words::{declared, identifiers};

/// The names in a file or in the files of a directory.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) declared: HashSet<String>,
    pub(super) used: HashSet<String>,
}

impl Names {
    pub(super) fn of(text: &str) -> Self {
        let mut names = Self::default();
        for (at, word) in identifiers(text) {
            if declared(text, at, word) {
                names.declared.insert(word.to_owned());
            } else if !names.used.contains(word) {
                names.used.insert(word.to_owned());
            }
        }
        names
    }

    /// How much of what is expected is there, 0–1: a word that is declared counts whole, one that is only used for a third.
    pub(super) fn share(&self, words: &[String]) -> f32 {
        /// A name that is only used is as likely another's.
        const USED: f32 = 0.3;
        if words.is_empty() {
            return 0.0;
        }
        let weight = |word: &String| match (self.declared.contains(word), self.used.contains(word)) {
            (true, _) => 1.0,
            (false, true) => USED,
            (false, false) => 0.0,
        };
        words.iter().map(weight).sum::<f32>() / words.len() as f32
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn what_a_text_has() {
        let words = ["Request".to_owned(), "state".to_owned()];
        let check = |text: &str, expect: f32| assert!((Names::of(text).share(&words) - expect).abs() < 0.01, "{text}");
        check("class Request:\n  pass\nstate = 1\n", 1.0);
        check("class Request(object): pass", 0.5);
        check("from x import Request, state", 0.3);
        check("class Requests: pass", 0.0);
        check("", 0.0);
        check("#define state 1\nstatic struct x *Request(int);\n", 1.0);
        check("  return Request(state);\n", 0.3);
    }
}
