//! `Spellings`: finds the names of a directory that differ from a literal only in case or Unicode form, and those that a typo can
//! have made it of. `Lookup` and `typo_findings` use it.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::hash::{Hash as _, Hasher as _};
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHasher};
use unicode_normalization::UnicodeNormalization as _;

use crate::checked::Code;

/// The names of one directory, indexed for each kind of question at the first one.
#[derive(Debug)]
pub(crate) struct Spellings {
    names: Arc<[String]>,
    forms: OnceLock<Forms>,
    /// The positions of the names, in the order of the names.
    sorted: OnceLock<Vec<usize>>,
    /// The hash of the digits and the ending of each name, and its position; sorted. A typo changes neither.
    by_digits: OnceLock<Vec<(u64, usize)>>,
}

/// Names by their normal forms.
#[derive(Debug, Default)]
struct Forms {
    composed: FxHashMap<String, String>,
    folded: FxHashMap<String, String>,
}

impl Forms {
    fn new(names: &[String]) -> Self {
        let mut forms = Self::default();
        for name in names {
            let one = compose(name);
            // The first of several names with one normal form is used.
            if let Entry::Vacant(place) = forms.folded.entry(one.to_lowercase()) {
                place.insert(name.clone());
            }
            forms.composed.entry(one.into_owned()).or_insert_with(|| name.clone());
        }
        forms
    }
}

impl Spellings {
    /// Takes names as the disk spells them.
    pub(crate) fn new(names: Arc<[String]>) -> Self {
        Self { names, forms: OnceLock::new(), sorted: OnceLock::new(), by_digits: OnceLock::new() }
    }

    /// Returns the name that matches a segment, and how the segment differs from it.
    pub(crate) fn find(&self, segment: &str) -> Option<(&str, Code)> {
        let forms = self.forms.get_or_init(|| Forms::new(&self.names));
        let one = compose(segment);
        let other = forms.composed.get(&*one).map(|name| (name, Code::UnicodeMismatch));
        let other = other.or_else(|| Some((forms.folded.get(&one.to_lowercase())?, Code::CaseMismatch)));
        other.map(|(name, code)| (name.as_str(), code))
    }

    /// Returns whether the directory has exactly this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.sorted().binary_search_by(|at| self.names[*at].as_str().cmp(name)).is_ok()
    }

    /// Returns the names that begin with a text, in the order of the directory.
    pub(crate) fn with_prefix(&self, prefix: &str) -> impl Iterator<Item = &String> {
        let sorted = self.sorted();
        let from = sorted.partition_point(|at| self.names[*at].as_str() < prefix);
        let mut all: Vec<usize> =
            sorted[from..].iter().copied().take_while(|at| self.names[*at].starts_with(prefix)).collect();
        all.sort_unstable();
        all.into_iter().map(|at| &self.names[at])
    }

    /// Returns the names with the digits and the ending of this one, in the order of the directory: of a numbered series one, however
    /// long it is.
    pub(crate) fn with_digits_of(&self, name: &str) -> impl Iterator<Item = &String> {
        let all = self.by_digits.get_or_init(|| {
            let mut all: Vec<_> = self.names.iter().enumerate().map(|(at, name)| (hash_digits(name), at)).collect();
            all.sort_unstable();
            all
        });
        let hash = hash_digits(name);
        let from = all.partition_point(|(other, _)| *other < hash);
        all[from..].iter().take_while(move |(other, _)| *other == hash).map(|(_, at)| &self.names[*at])
    }

    fn sorted(&self) -> &[usize] {
        self.sorted.get_or_init(|| {
            let mut all: Vec<usize> = (0..self.names.len()).collect();
            all.sort_unstable_by_key(|at| &self.names[*at]);
            all
        })
    }
}

/// Splits a name at its first dot.
pub(crate) fn split_stem(name: &str) -> (&str, &str) {
    name.find('.').filter(|at| *at > 0).map_or((name, ""), |at| name.split_at(at))
}

fn hash_digits(name: &str) -> u64 {
    let (stem, ending) = split_stem(name);
    let mut hasher = FxHasher::default();
    stem.bytes().filter(u8::is_ascii_digit).for_each(|digit| hasher.write_u8(digit));
    ending.hash(&mut hasher);
    hasher.finish()
}

fn compose(text: &str) -> Cow<'_, str> {
    // Most names are ASCII, and normalisation is slow.
    if text.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) }
}

#[cfg(test)]
mod tests {
    use super::Spellings;

    /// A name is compared with those of equal digits and ending only, so that a numbered series costs one look-up.
    #[test]
    fn finds_names_of_equal_digits() {
        let names =
            (0..1000).map(|at| format!("img-{at:04}.png")).chain(["omg-0007.png", "a.png", "b.svg"].map(str::to_owned));
        let spellings = Spellings::new(names.collect());
        let check = |name: &str, expect: &[&str]| {
            assert_eq!(spellings.with_digits_of(name).collect::<Vec<_>>(), expect, "{name}");
        };
        check("imgg-0007.png", &["img-0007.png", "omg-0007.png"]);
        check("img-1007.png", &[]);
        check("c.svg", &["b.svg"]);
    }

    #[test]
    fn keeps_the_order_of_the_directory() {
        let spellings = Spellings::new(["a.js.in", "b", "a.js.erb", "a"].map(str::to_owned).into_iter().collect());
        assert_eq!(spellings.with_prefix("a.").collect::<Vec<_>>(), ["a.js.in", "a.js.erb"]);
        assert_eq!(["a", "a.js", "b", "c"].map(|name| spellings.has(name)), [true, false, true, false]);
    }
}
