//! `NameFilter`: tells quickly of most names that they have no word of a question. Called by `declarations`.

/// Bytes of a stem and a part of a name that are compared before the part is stemmed.
const COMPARED_BYTES: usize = 3;

/// Returns whether a part of a name begins like a stem.
pub(crate) fn shares_beginning(stem: &str, part: &str) -> bool {
    let (stem, part) = (stem.as_bytes(), part.as_bytes());
    let length = COMPARED_BYTES.min(stem.len()).min(part.len());
    !stem.is_ascii() || stem[..length].eq_ignore_ascii_case(&part[..length])
}

/// A capital.
const CAPITAL: u8 = 1;
/// No letter and no digit.
const SIGN: u8 = 2;
/// A stem begins with it, in lower or upper case.
const INITIAL: u8 = 4;

/// The beginnings of some stems: tells of most names that none of their parts shares one, without splitting them.
#[derive(Clone, Debug)]
pub(crate) struct NameFilter {
    /// The first bytes of each, in lower case.
    stems: Vec<Vec<u8>>,
    /// Flags of each byte: [`CAPITAL`], [`SIGN`], [`INITIAL`].
    flags: [u8; 256],
    /// True if a stem has other letters, which are not compared.
    has_others: bool,
}

impl NameFilter {
    pub(crate) fn new<'s>(stems: impl Iterator<Item = &'s str>) -> Self {
        let flags = std::array::from_fn(|byte| {
            let byte = byte as u8;
            (u8::from(byte.is_ascii_uppercase()) * CAPITAL) | (u8::from(!byte.is_ascii_alphanumeric()) * SIGN)
        });
        let mut filter = Self { stems: Vec::new(), flags, has_others: false };
        for stem in stems {
            filter.has_others |= !stem.is_ascii();
            let stem = stem.as_bytes()[..stem.len().min(COMPARED_BYTES)].to_ascii_lowercase();
            if let Some(&letter) = stem.first() {
                filter.flags[usize::from(letter)] |= INITIAL;
                filter.flags[usize::from(letter.to_ascii_uppercase())] |= INITIAL;
            }
            filter.stems.push(stem);
        }
        filter
    }

    /// Returns whether a stem has the initial of a part of a name. Stemming leaves it alone.
    pub(crate) fn may_begin(&self, part: &str) -> bool {
        let may_be_initial = |byte: u8| !byte.is_ascii() || self.flags[usize::from(byte)] & INITIAL != 0;
        self.has_others || part.bytes().next().is_some_and(may_be_initial)
    }

    /// Returns false if [`shares_beginning`] is false for all stems and all parts of a name.
    pub(crate) fn may_match(&self, name: &[u8]) -> bool {
        if self.has_others || !name.is_ascii() {
            return true;
        }
        let mut before = SIGN;
        for (at, &byte) in name.iter().enumerate() {
            let flags = self.flags[usize::from(byte)];
            // A part begins with a capital or behind a sign.
            if flags & INITIAL != 0 && (flags & CAPITAL | before & SIGN) != 0 && self.begins_at(&name[at..]) {
                return true;
            }
            before = flags;
        }
        false
    }

    /// Returns whether a stem may begin like the part at the front of `name`: as far as both go.
    fn begins_at(&self, name: &[u8]) -> bool {
        self.stems.iter().any(|stem| {
            for (at, (&letter, &byte)) in stem.iter().zip(name).enumerate() {
                if at > 0 && !byte.is_ascii_lowercase() && !byte.is_ascii_digit() {
                    // The part may end here.
                    return true;
                }
                if letter != byte.to_ascii_lowercase() {
                    return false;
                }
            }
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::terms::{TermReader, for_each_identifier, for_each_part};

    fn parts(name: &str) -> Vec<String> {
        let mut parts = Vec::new();
        for_each_identifier(name, |_, identifier| for_each_part(identifier, |part| parts.push(part.to_owned())));
        parts
    }

    proptest! {
        /// The filter lets every name through that has a part like a stem, and the initial of every part whose stem is one.
        #[test]
        fn no_match_is_lost(name in "[abAB1_ é]{0,10}", stems in prop::collection::vec("[abé1]{1,4}", 1..3)) {
            let filter = NameFilter::new(stems.iter().map(String::as_str));
            let mut reader = TermReader::default();
            for part in parts(&name) {
                if stems.iter().any(|stem| shares_beginning(stem, &part)) {
                    prop_assert!(filter.may_match(name.as_bytes()) && filter.may_begin(&part), "{name} {part} {stems:?}");
                }
                if stems.iter().any(|stem| reader.stem(&part) == Some(stem)) {
                    prop_assert!(filter.may_begin(&part), "{name} {part} {stems:?}");
                }
            }
        }
    }

    #[test]
    fn names_without_a_word_are_left_out() {
        let filter = NameFilter::new(["retri", "job"].into_iter());
        for name in ["open_store", "HttpServer", "projob", "_", ""] {
            assert!(!filter.may_match(name.as_bytes()), "{name}");
        }
        for name in ["retry_all", "onRetry", "JOBS", "HTTPJob", "x.job", "größe"] {
            assert!(filter.may_match(name.as_bytes()), "{name}");
        }
    }

    /// Stems that are no beginning of their words keep the initial.
    #[test]
    fn irregular_stems_keep_the_initial() {
        let mut reader = TermReader::default();
        for (word, stem) in [("try", "tri"), ("dying", "die"), ("skies", "sky")] {
            assert_eq!(reader.stem(word), Some(stem));
            assert!(NameFilter::new([stem].into_iter()).may_begin(word));
        }
    }
}
