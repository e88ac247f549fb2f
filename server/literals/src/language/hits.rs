//! `Hits`: where the words stand without which there is no literal. What is far from all of them is not looked at.

use std::ops::Range;

use memchr::memmem;

/// Places of words in a text, in order. They are words of their own: no letter, digit or `_` stands next to them, unless
/// the word itself begins or ends with a sign.
#[derive(Debug)]
pub(crate) struct Hits {
    places: Vec<Range<usize>>,
}

impl Hits {
    /// Where these words stand as they are written here.
    pub(crate) fn of(text: &str, words: &[&str]) -> Self {
        #[cfg(test)]
        if EVERYWHERE.get() {
            return Self { places: (0..text.len()).map(|at| at..at + 1).collect() };
        }
        let mut places: Vec<Range<usize>> = words.iter().flat_map(|word| found(text.as_bytes(), word)).collect();
        places.sort_unstable_by_key(|place| (place.start, place.end));
        Self { places }
    }

    /// Where these words, which are given in small letters, stand in letters of any size.
    pub(crate) fn of_any_case(text: &str, words: &[&str]) -> Self {
        Self::of(&text.to_ascii_lowercase(), words)
    }

    /// Those that are wanted.
    pub(crate) fn filter(mut self, is_wanted: impl Fn(&Range<usize>) -> bool) -> Self {
        #[cfg(test)]
        if EVERYWHERE.get() {
            return self;
        }
        self.places.retain(is_wanted);
        self
    }

    /// All of them.
    pub(crate) fn places(&self) -> &[Range<usize>] {
        &self.places
    }

    /// Whether one begins in a range.
    pub(crate) fn any_in(&self, range: &Range<usize>) -> bool {
        let first = self.places.partition_point(|place| place.start < range.start);
        self.places.get(first).is_some_and(|place| place.start < range.end)
    }
}

fn found<'t>(text: &'t [u8], word: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let (begins, ends) = (is_part(word.as_bytes().first()), is_part(word.as_bytes().last()));
    memmem::find_iter(text, word).map(move |at| at..at + word.len()).filter(move |place| {
        let before = place.start.checked_sub(1).and_then(|at| text.get(at));
        !(begins && is_part(before) || ends && is_part(text.get(place.end)))
    })
}

#[cfg(test)]
thread_local! {
    static EVERYWHERE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// What something says if nothing is passed over: every word is one that matters.
#[cfg(test)]
pub(crate) fn everywhere<T>(what: impl FnOnce() -> T) -> T {
    EVERYWHERE.set(true);
    let said = what();
    EVERYWHERE.set(false);
    said
}

#[cfg(test)]
mod tests {
    use super::Hits;

    #[test]
    fn words_of_their_own() {
        let check = |text: &str, words: &[&str], expect: &[usize]| {
            let starts: Vec<usize> = Hits::of(text, words).places().iter().map(|place| place.start).collect();
            assert_eq!(starts, expect, "{text}");
        };
        check("load a; unload; load_b loads (load)", &["load"], &[0, 30]);
        check("require import", &["import", "require"], &[0, 8]);
        check("x include!x xinclude!", &["include!"], &[2]);
        check("x@load @loads", &["@load"], &[1]);
        check("éload", &["load"], &[2]);
        check("", &["load"], &[]);
        assert_eq!(Hits::of_any_case("İ INCLUDE", &["include"]).places(), std::slice::from_ref(&(3..10)));
        let hits = Hits::of("a load b", &["load"]);
        assert!(hits.any_in(&(2..6)) && hits.any_in(&(0..3)) && !hits.any_in(&(3..8)) && !hits.any_in(&(0..2)));
    }
}
