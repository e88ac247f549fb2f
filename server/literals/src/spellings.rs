//! `Spellings`: the names in a directory, to be found by who writes them in another case or Unicode form.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

use crate::checked::Code;

/// The names of one directory. A name is normalised once, not for each literal that is missing there.
#[derive(Debug)]
pub(crate) struct Spellings {
    composed: FxHashMap<String, String>,
    folded: FxHashMap<String, String>,
}

impl Spellings {
    /// Of names as the disk spells them.
    pub(crate) fn new(names: &[String]) -> Self {
        let (mut composed, mut folded) = (FxHashMap::default(), FxHashMap::default());
        for name in names {
            let one = compose(name);
            // Of names that are alike the first one counts.
            if let Entry::Vacant(place) = folded.entry(one.to_lowercase()) {
                place.insert(name.clone());
            }
            composed.entry(one.into_owned()).or_insert_with(|| name.clone());
        }
        Self { composed, folded }
    }

    /// The name that is meant by a segment, and in what it differs.
    pub(crate) fn of(&self, segment: &str) -> Option<(&str, Code)> {
        let one = compose(segment);
        let other = self.composed.get(&*one).map(|name| (name, Code::UnicodeMismatch));
        let other = other.or_else(|| Some((self.folded.get(&one.to_lowercase())?, Code::CaseMismatch)));
        other.map(|(name, code)| (name.as_str(), code))
    }
}

fn compose(text: &str) -> Cow<'_, str> {
    // Most names, and what takes long otherwise.
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}
