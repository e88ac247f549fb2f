//! `SearchedTexts`: the texts of build files or scripts, with the words that were searched in them.

use std::sync::Arc;

use memchr::memmem::Finder;
use parking_lot::RwLock;
use rustc_hash::FxHashMap;

/// Limit of the words of which is stored what has them: those of the misses of a large tree, with few texts each.
const MAX_WORDS: usize = 1 << 14;

/// Texts with their paths. Many misses have names in common, and so have the files with them; each name is searched once.
#[derive(Debug, Default)]
pub(super) struct SearchedTexts {
    pub(super) all: Vec<(String, Vec<u8>)>,
    /// The positions of the texts that have a word.
    having: RwLock<FxHashMap<String, Arc<[u32]>>>,
}

impl SearchedTexts {
    pub(super) fn new(all: Vec<(String, Vec<u8>)>) -> Self {
        Self { all, having: RwLock::default() }
    }

    /// The positions of the texts that have a word.
    pub(super) fn having(&self, word: &str) -> Arc<[u32]> {
        if let Some(known) = self.having.read().get(word) {
            return Arc::clone(known);
        }
        let finder = Finder::new(word);
        let texts = self.all.iter().zip(0..).filter(|((_, text), _)| finds_word(text, &finder));
        let found: Arc<[u32]> = texts.map(|(_, at)| at).collect();
        let mut having = self.having.write();
        if having.len() < MAX_WORDS {
            having.insert(word.to_owned(), Arc::clone(&found));
        }
        found
    }

    /// Returns whether a text has both words.
    pub(super) fn have_both(&self, words: [&str; 2]) -> bool {
        let first = self.having(words[0]);
        !first.is_empty() && self.having(words[1]).iter().any(|at| first.contains(at))
    }

    /// Returns whether a text other than that of `file`, at a position that fits, has a word.
    pub(super) fn other_has(&self, file: &str, word: &str, fits: impl Fn(u32) -> bool) -> bool {
        let is_other = |at: &u32| self.all.get(*at as usize).is_some_and(|(path, _)| path != file);
        self.having(word).iter().any(|at| is_other(at) && fits(*at))
    }
}

/// Returns whether a text has a name as a word of its own.
pub(in crate::probability) fn has_word(text: &[u8], name: &str) -> bool {
    finds_word(text, &Finder::new(name))
}

/// Returns as [`has_word`] does; making a finder takes longer than searching a short text.
fn finds_word(text: &[u8], name: &Finder<'_>) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    name.find_iter(text).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        !is_part(before) && !is_part(text.get(at + name.needle().len()))
    })
}

#[cfg(test)]
mod tests {
    use super::{SearchedTexts, has_word};

    #[test]
    fn remembers_what_has_a_word() {
        let text = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
        let texts = SearchedTexts::new(vec![text("a", "one.h two.h"), text("b", "two.h"), text("c", "")]);
        for _ in 0..2 {
            assert_eq!(
                [&*texts.having("one.h"), &texts.having("two.h"), &texts.having("h.h")],
                [&[0][..], &[0, 1], &[]]
            );
            assert!(texts.have_both(["two.h", "one.h"]) && !texts.have_both(["two.h", "h.h"]));
            assert!(texts.other_has("a", "two.h", |_| true) && !texts.other_has("a", "one.h", |_| true));
            assert!(!texts.other_has("c", "two.h", |at| at > 1));
        }
    }

    #[test]
    fn matches_names_as_whole_words() {
        assert!(has_word(b"configure_file(output: '__config__.py')", "__config__.py"));
        assert!(!has_word(b"output: 'my_util.h'", "util.h"));
        assert!(!has_word(b"util.hpp", "util.h"));
    }
}
