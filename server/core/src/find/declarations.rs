//! Matches the query with the declarations of each file. Called by `find`.

use rustc_hash::FxHashMap;

use super::feature::FindFeature;
use super::query::{Query, QueryInterpretation};
use crate::distance::{edits_allowed, edits_within};
use crate::symbols::{self, SymbolKind, SymbolLocation, Symbols};
use crate::words::{squash, words};

/// Shorter names are typos of too many others.
const TYPO_LETTERS_MIN: usize = 4;

/// The best declaration of a file.
#[derive(Clone, Debug)]
pub(super) struct DeclarationMatch<'s> {
    file: &'s str,
    pub(super) symbol: symbols::SymbolRef<'s>,
    /// The feature that it sets.
    pub(super) how: FindFeature,
    /// Quality of the match, 0–1.
    pub(super) quality: f32,
    /// True if it is spelled exactly as requested.
    pub(super) is_exact_spelling: bool,
    /// True if it matches only a part of the query.
    pub(super) is_partial: bool,
    /// True if no other declaration fits as well.
    pub(super) is_only: bool,
    /// Number of typos; `None` if only its words match.
    pub(super) edits: Option<usize>,
}

/// The best declaration of each file that has one.
#[derive(Debug, Default)]
pub(super) struct DeclarationMatches<'s>(FxHashMap<&'s str, DeclarationMatch<'s>>);

impl<'s> DeclarationMatches<'s> {
    /// Looks up the query as a name, each of its tokens as one, and its words.
    pub(super) fn look_up(query: &Query, interpretation: &QueryInterpretation, symbols: &'s Symbols) -> Self {
        let mut declares = Self::default();
        if symbols.progress().0 == 0 || interpretation.words.is_empty() {
            return declares;
        }
        let joined = String::from_utf8_lossy(&interpretation.key).into_owned();
        let spelled: &[String] = &query.tokens;
        declares.add_exact(&symbols.find_by_name(&joined), spelled, 1.0);
        let total = interpretation.weight();
        if spelled.len() > 1 && !interpretation.is_compound_split {
            // One name of several words counts as much as those words weigh.
            for token in spelled {
                let own = words(token.as_bytes());
                let weight: f32 =
                    interpretation.words.iter().filter(|word| own.contains(&word.text)).map(|word| word.weight).sum();
                if own.len() > 1 || weight / total > 0.5 {
                    declares.add_exact(&symbols.find_by_name(token), spelled, (weight / total).min(1.0));
                }
            }
        }
        // Several known words are not another name mistyped: `cli over` is not `Clover`.
        let typos = spelled.len() < 2 || !interpretation.is_known();
        if typos && declares.0.is_empty() && joined.len() >= TYPO_LETTERS_MIN && !interpretation.is_compound_split {
            declares.add_typos(&joined, symbols);
        }
        let asked: Vec<&str> = interpretation.words.iter().map(|word| word.text.as_str()).collect();
        let places = symbols.find_by_words(&asked);
        for place in places {
            let others = words(place.symbol.name.as_bytes()).len().max(asked.len());
            let share = asked.len() as f32 / others as f32;
            let quality = (0.5 + 0.5 * share) * kind_weight(place.symbol.kind);
            declares.add(DeclarationMatch::new(&place, FindFeature::SymbolWords, quality));
        }
        declares
    }

    /// Returns the files, in no order.
    pub(super) fn files(&self) -> impl Iterator<Item = &'s str> + '_ {
        self.0.values().map(|declared| declared.file)
    }

    /// Returns the best declaration of a file.
    pub(super) fn get(&self, file: &str) -> Option<&DeclarationMatch<'s>> {
        self.0.get(file)
    }

    fn add_exact(&mut self, places: &[SymbolLocation<'s>], spelled: &[String], share: f32) {
        let mut same: Vec<&str> = Vec::new();
        let exactly = |place: &SymbolLocation<'_>| spelled.iter().any(|token| token == place.symbol.name);
        for place in places.iter().filter(|place| exactly(place) && kind_weight(place.symbol.kind) > 0.5) {
            if !same.contains(&place.file) {
                same.push(place.file);
            }
        }
        // The more files declare a name, the less it distinguishes them.
        let rare = |count: usize| 1.0 / (1.0 + 0.15 * (count.max(1) as f32).ln());
        let otherwise = if same.is_empty() { 0.85 } else { 0.5 };
        for place in places {
            let is_exact_spelling = exactly(place);
            let quality = share
                * kind_weight(place.symbol.kind)
                * if is_exact_spelling { rare(same.len()) } else { otherwise * rare(places.len()) };
            let found = DeclarationMatch::new(place, FindFeature::Symbol, quality);
            // A query for several things may mean another one of them.
            let (is_partial, is_only) = (share < 1.0, is_exact_spelling && same.len() == 1 || places.len() == 1);
            self.add(DeclarationMatch {
                is_exact_spelling,
                is_partial,
                is_only,
                edits: (!is_partial).then_some(0),
                ..found
            });
        }
    }

    fn add_typos(&mut self, joined: &str, symbols: &'s Symbols) {
        let allowed = edits_allowed(joined.len());
        // Only the nearest names count: a file that also declares one further away is no better.
        for edits in 1..=allowed {
            let places = symbols.find_similar(joined, edits);
            for place in &places {
                let key = squash(place.symbol.name.as_bytes());
                let distance = edits_within(joined.as_bytes(), &key, edits).unwrap_or(edits);
                let near = 1.0 - 1.3 * distance as f32 / key.len().max(joined.len()) as f32;
                let found = DeclarationMatch::new(
                    place,
                    FindFeature::SymbolTypo,
                    near * kind_weight(place.symbol.kind).max(0.6),
                );
                self.add(DeclarationMatch { is_only: places.len() == 1, edits: Some(distance), ..found });
            }
            if !places.is_empty() {
                return;
            }
        }
    }

    fn add(&mut self, found: DeclarationMatch<'s>) {
        let strength =
            |one: &DeclarationMatch<'_>| (if one.how == FindFeature::SymbolWords { 0.5 } else { 1.0 }) * one.quality;
        if self.0.get(found.file).is_none_or(|known| strength(known) < strength(&found)) {
            self.0.insert(found.file, found);
        }
    }
}

impl<'s> DeclarationMatch<'s> {
    fn new(place: &SymbolLocation<'s>, how: FindFeature, quality: f32) -> Self {
        let SymbolLocation { file, symbol } = *place;
        Self { file, symbol, how, quality, is_exact_spelling: false, is_partial: false, is_only: false, edits: None }
    }
}

/// Weight of a declaration's kind: how likely people look for it.
fn kind_weight(kind: SymbolKind) -> f32 {
    match kind {
        SymbolKind::Prototype | SymbolKind::Implementation => 0.6,
        SymbolKind::Heading | SymbolKind::Section => 0.45,
        SymbolKind::Variable => 0.8,
        SymbolKind::Constant | SymbolKind::Module | SymbolKind::Target => 0.9,
        _ => 1.0,
    }
}
