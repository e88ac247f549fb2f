//! `Spellings`: finds the names of a directory that differ from a literal only in case or Unicode form. `Lookup` uses it.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

use crate::checked::Code;

/// The names of one directory by their normal forms, which are computed once per directory.
#[derive(Debug)]
pub(crate) struct Spellings {
    composed: FxHashMap<String, String>,
    folded: FxHashMap<String, String>,
}

impl Spellings {
    /// Indexes names as the disk spells them.
    pub(crate) fn new(names: &[String]) -> Self {
        let (mut composed, mut folded) = (FxHashMap::default(), FxHashMap::default());
        for name in names {
            let one = compose(name);
            // The first of several names with one normal form is used.
            if let Entry::Vacant(place) = folded.entry(one.to_lowercase()) {
                place.insert(name.clone());
            }
            composed.entry(one.into_owned()).or_insert_with(|| name.clone());
        }
        Self { composed, folded }
    }

    /// Returns the name that matches a segment, and how the segment differs from it.
    pub(crate) fn find(&self, segment: &str) -> Option<(&str, Code)> {
        let one = compose(segment);
        let other = self.composed.get(&*one).map(|name| (name, Code::UnicodeMismatch));
        let other = other.or_else(|| Some((self.folded.get(&one.to_lowercase())?, Code::CaseMismatch)));
        other.map(|(name, code)| (name.as_str(), code))
    }
}

fn compose(text: &str) -> Cow<'_, str> {
    // Most names are ASCII, and normalisation is slow.
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}
