//! Matches a question with declared names. The names come from the root's
//! [`Symbols`], which are kept anyway.

use std::rc::Rc;

use pathfinder_core::symbols::{SymbolKind, SymbolRef, Symbols};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::collection::Collection;
use crate::name_filter::{NameFilter, shares_beginning};
use crate::question::{Question, TermKind};
use crate::score::{Scores, idf};
use crate::terms::{TermReader, for_each_identifier, for_each_part};

/// Factor on a name that is spelled in another case or with other separators.
const OTHER_SPELLING: f32 = 0.8;
/// Declarations of one file that are compared.
const MAX_COMPARED: usize = 2000;

/// Matches of one file's declarations with a question.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DeclarationEvidence<'s> {
    /// It declares a name of the question.
    pub(crate) name: f32,
    /// It declares a word of the question.
    pub(crate) word: f32,
    /// The best declaration by words.
    pub(crate) cover: f32,
    /// All declarations by words.
    pub(crate) sum: f32,
    /// The declaration to show, and its strength.
    pub(crate) best: Option<(SymbolRef<'s>, f32)>,
}

impl<'s> DeclarationEvidence<'s> {
    fn show(&mut self, symbol: SymbolRef<'s>, strength: f32) {
        if self.best.is_none_or(|best| best.1 < strength) {
            self.best = Some((symbol, strength));
        }
    }
}

/// Files that declare names of the question, by root and path.
#[derive(Debug, Default)]
pub(crate) struct DeclaredNames<'s>(FxHashMap<usize, DeclarationEvidence<'s>>);

impl<'s> DeclaredNames<'s> {
    /// Looks up the names and words of a question. Files have the collection's numbers.
    pub(crate) fn look_up(
        question: &Question,
        collection: &Collection<'_>,
        symbols: &[&'s Symbols],
        scores: &Scores,
    ) -> Self {
        let mut declared = Self::default();
        for name in &question.names {
            declared.add(&name.name, collection, symbols, &|kind, spelled, files| {
                let spelling = if spelled { 1.0 } else { OTHER_SPELLING };
                (name.weight * kind_weight(kind) * spelling / (files.max(1) as f32).sqrt(), 0.0)
            });
        }
        if question.is_symbol {
            return declared;
        }
        for word in &question.words {
            let value = question
                .terms
                .iter()
                .zip(&scores.terms)
                .find(|(term, _)| term.kind == TermKind::Word && term.word == *word)
                .map_or(0.0, |(_, scored)| scored.value / scores.total.max(f32::MIN_POSITIVE));
            declared.add(word, collection, symbols, &|kind, _, files| {
                (0.0, word_weight(kind) * value / (files.max(1) as f32).powf(0.25))
            });
        }
        declared
    }

    fn add(
        &mut self,
        name: &str,
        collection: &Collection<'_>,
        symbols: &[&'s Symbols],
        value: &dyn Fn(SymbolKind, bool, usize) -> (f32, f32),
    ) {
        let mut places: Vec<(usize, SymbolRef<'s>)> = Vec::new();
        for (root, symbols) in symbols.iter().enumerate() {
            for of_file in symbols.find_by_name(name).chunk_by(|one, other| one.file == other.file) {
                if let Some(file) = collection.find(root, of_file[0].file) {
                    places.extend(of_file.iter().map(|place| (file, place.symbol)));
                }
            }
        }
        let mut files: Vec<usize> = places.iter().map(|place| place.0).collect();
        files.dedup();
        let plain = |file: &&usize| {
            let (view, own) = collection.locate(**file);
            view.part.layer.class(own).is_plain_code()
        };
        let count = files.iter().filter(plain).count();
        for (file, symbol) in places {
            let (by_name, by_word) = value(symbol.kind, symbol.name == name, count);
            let evidence = self.0.entry(file).or_default();
            evidence.name = evidence.name.max(by_name);
            evidence.word = evidence.word.max(by_word);
            evidence.show(symbol, 2.0 * by_name + by_word);
        }
    }

    /// Returns the files, in no order.
    pub(crate) fn files(&self) -> impl Iterator<Item = usize> {
        self.0.keys().copied()
    }

    /// Returns the files that declare a name of the question.
    pub(crate) fn get(&self, file: usize) -> DeclarationEvidence<'s> {
        self.0.get(&file).copied().unwrap_or_default()
    }
}

/// Compares the words of names with those of the question; remembers what it found, as names repeat their words.
#[derive(Debug)]
pub(crate) struct WordMatcher<'q> {
    collection: &'q Collection<'q>,
    reader: &'q mut TermReader,
    /// Stem and value of each word.
    words: Vec<(&'q str, f32)>,
    total: f32,
    filter: Rc<NameFilter>,
    /// The parts of names that were seen, as they are written.
    parts: FxHashMap<Box<str>, NamePart>,
    /// The rarities of stems.
    rarities: FxHashMap<Box<str>, f32>,
    /// The shares of names, by their places in memory: an index has each name once.
    names: FxHashMap<usize, f32>,
}

/// A part of a name.
#[derive(Clone, Copy, Debug)]
struct NamePart {
    /// True if it begins like a word of the question.
    shares_beginning: bool,
    kind: PartKind,
}

#[derive(Clone, Copy, Debug)]
enum PartKind {
    /// It is data, and no term.
    Data,
    /// Its stem is that of a word, by number.
    Word(usize),
    /// It has another stem, with this rarity once that was needed.
    Other(Option<f32>),
}

impl<'q> WordMatcher<'q> {
    pub(crate) fn new(
        question: &'q Question,
        scores: &Scores<'_>,
        collection: &'q Collection<'q>,
        reader: &'q mut TermReader,
    ) -> Self {
        /// Parts and names of a question in a large tree. Growing the tables copies them several times.
        const EXPECTED: usize = 1024;
        let words = question.terms.iter().zip(&scores.terms);
        let words: Vec<(&str, f32)> = words
            .filter(|(term, _)| term.kind == TermKind::Word)
            .map(|(term, scored)| (term.term.as_str(), scored.value))
            .collect();
        let total = words.iter().map(|word| word.1).sum::<f32>().max(f32::MIN_POSITIVE);
        let filter = Rc::new(NameFilter::new(words.iter().map(|word| word.0)));
        let parts = FxHashMap::with_capacity_and_hasher(EXPECTED, FxBuildHasher);
        let names = FxHashMap::with_capacity_and_hasher(EXPECTED, FxBuildHasher);
        let rarities = FxHashMap::default();
        Self { collection, reader, words, total, filter, parts, rarities, names }
    }

    /// Adds to `evidence` the declarations of a file by their words. `lines` are the ranges that may have some, in order.
    pub(crate) fn compare<'s>(
        &mut self,
        symbols: &'s Symbols,
        file: &str,
        lines: &[(u32, u32)],
        evidence: &mut DeclarationEvidence<'s>,
    ) {
        let mut squares = 0.0;
        let (mut rest, mut count) = (lines, 0);
        let filter = Rc::clone(&self.filter);
        let is_wanted = |line: u32, name: &[u8]| {
            count += 1;
            while rest.first().is_some_and(|range| range.1 <= line) {
                rest = &rest[1..];
            }
            let is_near = rest.first().is_some_and(|range| range.0 <= line);
            is_near && count <= MAX_COMPARED && filter.may_match(name)
        };
        for symbol in symbols.wanted_in_file(file, is_wanted) {
            let points = self.cover(symbol.name) * cover_weight(symbol.kind);
            squares += points * points;
            if points > 0.0 {
                evidence.cover = evidence.cover.max(points);
                evidence.show(symbol, points);
            }
        }
        evidence.sum = squares.sqrt();
    }

    /// Returns the share of the question that a name covers, less if it has other words.
    fn cover(&mut self, name: &str) -> f32 {
        if name.is_empty() {
            // It has no place of its own.
            return 0.0;
        }
        let place = name.as_ptr().addr();
        if let Some(&known) = self.names.get(&place) {
            return known;
        }
        let cover = self.compute_cover(name);
        self.names.insert(place, cover);
        cover
    }

    fn compute_cover(&mut self, name: &str) -> f32 {
        let mut parts: SmallVec<[&str; 8]> = SmallVec::new();
        for_each_identifier(name, |_, identifier| for_each_part(identifier, |part| parts.push(part)));
        // Most names have no word, and need no rarities; a part without the initial of a word needs no stem.
        let (mut may_match, mut has_word) = (false, false);
        for part in &parts {
            if self.filter.may_begin(part) {
                let known = self.part(part);
                may_match |= known.shares_beginning;
                has_word |= matches!(known.kind, PartKind::Word(_));
            }
        }
        if !may_match || !has_word {
            return 0.0;
        }
        let (mut covered, mut own, mut seen) = (0.0, 0.0, 0_u64);
        for part in &parts {
            match self.part(part).kind {
                PartKind::Word(at) if seen & (1 << at) == 0 => {
                    seen |= 1 << at;
                    covered += self.words[at].1;
                    own += self.words[at].1;
                }
                PartKind::Word(_) | PartKind::Data => {}
                PartKind::Other(known) => own += known.unwrap_or_else(|| self.rarity(part)),
            }
        }
        if covered <= 0.0 || own <= 0.0 {
            return 0.0;
        }
        covered / self.total * (covered / own).sqrt()
    }

    /// Returns the share of the words of a name, by rarity, that the question has.
    pub(crate) fn share_of(&mut self, name: &str) -> f32 {
        let mut parts: SmallVec<[&str; 8]> = SmallVec::new();
        for_each_identifier(name, |_, identifier| for_each_part(identifier, |part| parts.push(part)));
        let (mut own, mut shared) = (0.0, 0.0);
        for part in parts {
            match self.part(part).kind {
                PartKind::Word(at) => {
                    shared += self.words[at].1;
                    own += self.words[at].1;
                }
                PartKind::Data => {}
                PartKind::Other(known) => own += known.unwrap_or_else(|| self.rarity(part)),
            }
        }
        if own > 0.0 { shared / own } else { 0.0 }
    }

    /// Returns what is known of a part.
    fn part(&mut self, part: &str) -> NamePart {
        if let Some(known) = self.parts.get(part) {
            return *known;
        }
        let shares_beginning = self.words.iter().any(|(word, _)| shares_beginning(word, part));
        let kind = match self.reader.stem(part) {
            None => PartKind::Data,
            Some(stem) => {
                self.words.iter().position(|(word, _)| *word == stem).map_or(PartKind::Other(None), PartKind::Word)
            }
        };
        let known = NamePart { shares_beginning, kind };
        self.parts.insert(part.into(), known);
        known
    }

    /// Computes the rarity of a part that is no word of the question, as far as the postings of its stem tell.
    fn rarity(&mut self, part: &str) -> f32 {
        let Some(stem) = self.reader.stem(part) else { return 0.0 };
        let all = self.collection.totals.files as f32;
        let rarity = self.rarities.get(stem).copied().unwrap_or_else(|| {
            let rarity = idf(all, self.collection.estimate_files_with(stem).min(all));
            self.rarities.insert(stem.into(), rarity);
            rarity
        });
        if let Some(known) = self.parts.get_mut(part) {
            known.kind = PartKind::Other(Some(rarity));
        }
        rarity
    }
}

/// Weight of a declaration whose name is asked for.
fn kind_weight(kind: SymbolKind) -> f32 {
    use SymbolKind as K;
    match kind {
        K::Class
        | K::Struct
        | K::Union
        | K::Enum
        | K::Interface
        | K::Trait
        | K::Type
        | K::Table
        | K::Message
        | K::Service => 1.0,
        K::Module => 0.9,
        K::Function | K::Method | K::Macro => 0.8,
        K::Prototype => 0.5,
        K::Implementation => 0.4,
        K::Constant | K::Variable | K::Target => 0.45,
        K::Heading | K::Section => 0.2,
    }
}

/// Weight of a declaration that is a plain word of the question.
fn word_weight(kind: SymbolKind) -> f32 {
    match kind_weight(kind) {
        weight if weight >= 0.9 => 1.0,
        weight if weight >= 0.8 => 0.6,
        weight if weight >= 0.4 => 0.3,
        _ => 0.1,
    }
}

/// Weight of a declaration that has words of the question.
fn cover_weight(kind: SymbolKind) -> f32 {
    match kind_weight(kind) {
        weight if weight >= 0.8 => 1.0,
        weight if weight >= 0.4 => 0.6,
        _ => 0.4,
    }
}

#[cfg(test)]
mod tests {
    use pathfinder_core::symbols::{Symbol, SymbolChange, SymbolKind, Symbols};

    use crate::{ContentChange, ContentIndex, ContentRoot, FileContent, TermReader, search};

    /// A text of blocks that are chunks of their own, each beginning with the declaration of a name.
    fn text_of(names: &[&str]) -> (String, Vec<Symbol>) {
        let (mut text, mut symbols) = (String::new(), Vec::new());
        for name in names {
            let line = text.lines().count() as u32 + 1;
            symbols.push(Symbol { name: (*name).into(), kind: SymbolKind::Function, line });
            let body = "    let value = 12345678901234567890;\n".repeat(40);
            text.extend(["fn ", name, "() {\n", &body, "}\n\n"]);
        }
        (text, symbols)
    }

    /// `expected`: the declaration that is shown and whether words of the question cover one.
    #[track_caller]
    fn check(text: &str, symbols: Vec<Symbol>, query: &str, expected: (&str, bool)) {
        let mut reader = TermReader::default();
        let content = FileContent::read("src/jobs.rs", 1, Some(text), &symbols, &mut reader);
        let index = ContentIndex::default().apply(vec![ContentChange::Read(Box::new(content))]);
        let symbols = Symbols::default().apply(&[SymbolChange::Read { file: "src/jobs.rs".into(), stamp: 1, symbols }]);
        let answer = search(query, &[ContentRoot { index: &index, symbols: &symbols, subjects: None }], 5);
        let file = &answer.files[0];
        let cover = file.features.iter().find(|feature| feature.0 == "declaration_cover").expect("a feature").1;
        assert_eq!((file.why.split(',').next().unwrap_or_default(), cover > 0.0), expected, "{query}: {file:?}");
    }

    #[test]
    fn finds_declarations_in_any_chunk() {
        let names = ["open_store", "retry_failed_jobs", "close_store"];
        let (text, symbols) = text_of(&names);
        check(&text, symbols.clone(), "retry the jobs again", ("function retry_failed_jobs", true));
        check(&text, symbols.clone(), "close it when the jobs end", ("function close_store", true));
        check(&text, symbols.clone(), "value of the jobs", ("function retry_failed_jobs", true));
        check(&text, symbols.clone(), "fn value", ("content has the words", false));
        // Large data is indexed by its path only, and its declarations count.
        check(&"word ".repeat(4000), symbols, "failed jobs", ("function retry_failed_jobs", true));
    }
}
