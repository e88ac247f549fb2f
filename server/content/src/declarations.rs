//! Matches a question with declared names. The names come from the root's
//! [`Symbols`], which are kept anyway.

use pathfinder_core::symbols::{SymbolKind, SymbolRef, Symbols};
use rustc_hash::FxHashMap;

use crate::collection::Collection;
use crate::question::{Question, TermKind};
use crate::score::{Scores, idf};
use crate::terms::{TermReader, for_each_identifier, for_each_part};

/// Factor on a name that is spelled in another case or with other separators.
const OTHER_SPELLING: f32 = 0.8;
/// Declarations of one file that are compared.
const MAX_COMPARED: usize = 2000;

/// Matches of one file's declarations with a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DeclarationEvidence {
    /// It declares a name of the question.
    pub(crate) name: f32,
    /// It declares a word of the question.
    pub(crate) word: f32,
    /// The best declaration by words.
    pub(crate) cover: f32,
    /// All declarations by words.
    pub(crate) sum: f32,
    /// The declaration to show, in words, its line and its strength.
    pub(crate) best: Option<(String, u32, f32)>,
}

impl DeclarationEvidence {
    fn show(&mut self, symbol: SymbolRef<'_>, strength: f32) {
        if self.best.as_ref().is_none_or(|best| best.2 < strength) {
            self.best = Some((format!("{} {}", symbol.kind.name(), symbol.name), symbol.line, strength));
        }
    }
}

/// Files that declare names of the question, by root and path.
#[derive(Debug, Default)]
pub(crate) struct DeclaredNames(FxHashMap<usize, DeclarationEvidence>);

impl DeclaredNames {
    /// Looks up the names and words of a question. Files have the collection's numbers.
    pub(crate) fn look_up(
        question: &Question,
        collection: &Collection<'_>,
        symbols: &[&Symbols],
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
        symbols: &[&Symbols],
        value: &dyn Fn(SymbolKind, bool, usize) -> (f32, f32),
    ) {
        let mut places: Vec<(usize, SymbolRef<'_>)> = Vec::new();
        for (root, symbols) in symbols.iter().enumerate() {
            let found = symbols.find_by_name(name);
            places
                .extend(found.into_iter().filter_map(|place| Some((collection.find(root, place.file)?, place.symbol))));
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
    pub(crate) fn get(&self, file: usize) -> DeclarationEvidence {
        self.0.get(&file).cloned().unwrap_or_default()
    }
}

/// Compares the words of declarations with those of the question; remembers the rarity of words.
#[derive(Debug)]
pub(crate) struct WordMatcher<'q> {
    collection: &'q Collection<'q>,
    /// Stem and value of each word.
    words: Vec<(&'q str, f32)>,
    total: f32,
    rarities: FxHashMap<String, f32>,
}

impl<'q> WordMatcher<'q> {
    pub(crate) fn new(question: &'q Question, scores: &Scores, collection: &'q Collection<'q>) -> Self {
        let words = question.terms.iter().zip(&scores.terms);
        let words: Vec<(&str, f32)> = words
            .filter(|(term, _)| term.kind == TermKind::Word)
            .map(|(term, scored)| (term.term.as_str(), scored.value))
            .collect();
        let total = words.iter().map(|word| word.1).sum::<f32>().max(f32::MIN_POSITIVE);
        Self { collection, words, total, rarities: FxHashMap::default() }
    }

    /// Adds to `evidence` the declarations of a file by their words. `lines` are the ranges that may have some, in order.
    pub(crate) fn compare(
        &mut self,
        symbols: &[SymbolRef<'_>],
        lines: &[(u32, u32)],
        reader: &mut TermReader,
        evidence: &mut DeclarationEvidence,
    ) {
        let mut squares = 0.0;
        let mut rest = lines;
        for symbol in symbols.iter().take(MAX_COMPARED) {
            while rest.first().is_some_and(|range| range.1 <= symbol.line) {
                rest = &rest[1..];
            }
            if rest.first().is_none_or(|range| symbol.line < range.0) {
                continue;
            }
            let points = self.cover(symbol, reader);
            squares += points * points;
            if points > 0.0 {
                evidence.cover = evidence.cover.max(points);
                evidence.show(*symbol, points);
            }
        }
        evidence.sum = squares.sqrt();
    }

    fn cover(&mut self, symbol: &SymbolRef<'_>, reader: &mut TermReader) -> f32 {
        // Most names share no beginning with a word, and need no stems.
        let mut may_match = false;
        for_each_identifier(symbol.name, |_, identifier| {
            for_each_part(identifier, |part| {
                may_match |= self.words.iter().any(|(word, _)| shares_beginning(word, part));
            });
        });
        if !may_match {
            return 0.0;
        }
        let (mut covered, mut own, mut shared) = (0.0, 0.0, 0.0);
        let mut seen: Vec<usize> = Vec::new();
        for stem in reader.stems_of(symbol.name) {
            if let Some(at) = self.words.iter().position(|(word, _)| *word == stem) {
                if !seen.contains(&at) {
                    seen.push(at);
                    covered += self.words[at].1;
                    shared += self.words[at].1;
                    own += self.words[at].1;
                }
            } else {
                own += self.rarity(stem);
            }
        }
        if covered <= 0.0 || own <= 0.0 {
            return 0.0;
        }
        covered / self.total * (shared / own).sqrt() * cover_weight(symbol.kind)
    }

    fn rarity(&mut self, stem: String) -> f32 {
        let (collection, all) = (self.collection, self.collection.totals.files as f32);
        *self.rarities.entry(stem).or_insert_with_key(|stem| idf(all, collection.estimate_files_with(stem).min(all)))
    }
}

/// Returns whether a part of a name begins like a stem.
fn shares_beginning(stem: &str, part: &str) -> bool {
    const COMPARED_BYTES: usize = 3;
    let (stem, part) = (stem.as_bytes(), part.as_bytes());
    let length = COMPARED_BYTES.min(stem.len()).min(part.len());
    !stem.is_ascii() || stem[..length].eq_ignore_ascii_case(&part[..length])
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
