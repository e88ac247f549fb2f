//! Searching symbols: by key, with typos, by words.

use super::{LOCATIONS_MAX, SymbolKind, SymbolLocation, SymbolPart, Symbols};
use crate::distance::Pattern;
use crate::index::strings::Unpacked;
use crate::words::{fold, for_each_within, letter_set, squash, words};

/// Names that one look-up follows at most, the best of them: what fits worse is cut anyway.
const NAMES_MAX: usize = 1024;

/// Edits that letter sets can tell.
const EDITS_MAX: usize = 3;

impl Symbols {
    /// Where a name is declared, whatever its case and separators: `CommandRouter` is also `command_router`. By file and
    /// line, at most [`LOCATIONS_MAX`].
    pub fn find_by_name(&self, name: &str) -> Vec<SymbolLocation<'_>> {
        let key = squash(name.as_bytes());
        if key.is_empty() {
            return Vec::new();
        }
        self.collect_locations(|part| part.layer.names_with_key(&key).map(|name| (0, name)).collect())
    }

    /// Where names are declared that are at most so many typos (3 at most) away from this one, itself included. By file and
    /// line, at most [`LOCATIONS_MAX`]: where there are more, those of the nearest names.
    pub fn find_similar(&self, name: &str, edits: usize) -> Vec<SymbolLocation<'_>> {
        let edits = edits.min(EDITS_MAX);
        let key = squash(name.as_bytes());
        if key.is_empty() {
            return Vec::new();
        }
        let pattern = Pattern::new(&key);
        let wanted = letter_set(&key);
        self.collect_locations(|part| {
            let mut near = Vec::new();
            for_each_within(wanted, part.layer.letter_sets(), edits, |at| {
                let other = squash(part.layer.name(at as u32).as_bytes());
                if other.len().abs_diff(key.len()) <= edits {
                    let distance = pattern.distance(&other);
                    if distance <= edits {
                        near.push((distance, at as u32));
                    }
                }
            });
            near
        })
    }

    /// Where names are declared that have all of these words. By file and line, at most [`LOCATIONS_MAX`]: where there are more,
    /// those of the names with the fewest other words.
    pub fn find_by_words(&self, wanted: &[&str]) -> Vec<SymbolLocation<'_>> {
        let folded: Vec<_> = wanted.iter().map(|word| fold(word.as_bytes())).collect();
        if folded.is_empty() {
            return Vec::new();
        }
        self.collect_locations(|part| {
            let lists: Option<Vec<_>> = folded.iter().map(|word| part.layer.names_with_word(word)).collect();
            let Some(mut lists) = lists else { return Vec::new() };
            lists.sort_by_key(Unpacked::at_most);
            let mut lists = lists.into_iter();
            let mut all: Vec<u32> = lists.next().into_iter().flatten().collect();
            for list in lists {
                // Both ascend.
                let mut list = list.peekable();
                all.retain(|name| {
                    while list.next_if(|other| other < name).is_some() {}
                    list.peek() == Some(name)
                });
            }
            all.into_iter().map(|name| (words(part.layer.name(name).as_bytes()).len(), name)).collect()
        })
    }

    /// How many different names have this word (lower case), about: what is gone may be counted.
    pub fn names_with_word(&self, word: &str) -> usize {
        self.parts.iter().filter_map(|part| Some(part.layer.names_with_word(word)?.count())).sum()
    }

    /// The places of the names that `names` finds in each part, each with what it costs: of the cheapest, as many as are
    /// given.
    fn collect_locations(&self, names: impl Fn(&SymbolPart) -> Vec<(usize, u32)>) -> Vec<SymbolLocation<'_>> {
        let mut found: Vec<(usize, SymbolLocation<'_>)> = Vec::new();
        for part in &*self.parts {
            let mut names = names(part);
            names.sort_unstable();
            names.truncate(NAMES_MAX);
            let mut room = NAMES_MAX;
            for (cost, name) in names {
                let before = found.len();
                let places = part.layer.locations_of_name(name).filter(|(file, _)| !part.dead.get(*file));
                found.extend(places.take(room).map(|(_, place)| (cost, place)));
                room -= found.len() - before;
                if room == 0 {
                    break;
                }
            }
        }
        found.sort_unstable_by(|(cost, a), (other, b)| (cost, location_key(a)).cmp(&(other, location_key(b))));
        found.truncate(LOCATIONS_MAX);
        let mut places: Vec<SymbolLocation<'_>> = found.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable_by(|a, b| location_key(a).cmp(&location_key(b)));
        places
    }
}

/// What places are sorted by.
fn location_key<'s>(place: &SymbolLocation<'s>) -> (&'s str, u32, &'s str, SymbolKind) {
    (place.file, place.symbol.line, place.symbol.name, place.symbol.kind)
}
