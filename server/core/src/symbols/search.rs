//! Look-ups in `Symbols`: by key, with typos, by words. Called by `find`.

use super::{LOCATIONS_MAX, SymbolKind, SymbolLocation, SymbolPart, Symbols};
use crate::distance::Pattern;
use crate::index::strings::PostingsIter;
use crate::words::{fold, for_each_within, letter_set, squash, words};

/// Names that one look-up follows at most, best first: worse ones would be cut anyway.
const NAMES_MAX: usize = 1024;

/// Most edits that letter sets can filter.
const EDITS_MAX: usize = 3;

impl Symbols {
    /// Returns the declarations of a name, ignoring case and separators: `CommandRouter` is also `command_router`. By
    /// file and line, at most [`LOCATIONS_MAX`].
    pub fn find_by_name(&self, name: &str) -> Vec<SymbolLocation<'_>> {
        let key = squash(name.as_bytes());
        if key.is_empty() {
            return Vec::new();
        }
        self.collect_locations(|part| part.layer.names_with_key(&key).map(|name| (0, name)).collect())
    }

    /// Returns the declarations of names within so many typos (at most 3), the name itself included. By file and line,
    /// at most [`LOCATIONS_MAX`]; nearer names take precedence.
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

    /// Returns the declarations of names that have all of these words. By file and line, at most [`LOCATIONS_MAX`];
    /// names with fewer other words take precedence.
    pub fn find_by_words(&self, wanted: &[&str]) -> Vec<SymbolLocation<'_>> {
        let folded: Vec<_> = wanted.iter().map(|word| fold(word.as_bytes())).collect();
        if folded.is_empty() {
            return Vec::new();
        }
        self.collect_locations(|part| {
            let lists: Option<Vec<_>> = folded.iter().map(|word| part.layer.names_with_word(word)).collect();
            let Some(mut lists) = lists else { return Vec::new() };
            lists.sort_by_key(PostingsIter::at_most);
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

    /// Counts the distinct names that have this word (lower case), approximately: names of removed files may be
    /// counted.
    pub fn names_with_word(&self, word: &str) -> usize {
        self.parts.iter().filter_map(|part| Some(part.layer.names_with_word(word)?.count())).sum()
    }

    /// Collects the locations of the names that `names` returns for each part, each with its cost: the cheapest
    /// [`LOCATIONS_MAX`].
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

/// Returns the sort key of a location.
fn location_key<'s>(place: &SymbolLocation<'s>) -> (&'s str, u32, &'s str, SymbolKind) {
    (place.file, place.symbol.line, place.symbol.name, place.symbol.kind)
}
