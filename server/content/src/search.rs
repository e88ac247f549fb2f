//! Ranks the files of all roots for a query. Called by the server's `find`.

use pathfinder_core::symbols::Symbols;
use rustc_hash::FxHashMap;

use crate::collection::Collection;
use crate::declarations::{DeclarationEvidence, DeclaredNames, WordMatcher};
use crate::details::Details;
use crate::explanation;
use crate::families::Families;
use crate::feature::{ContentFeature as F, ContentVector, ContentWeights, RankingMode};
use crate::fit::Evidence;
use crate::history::CommitSubjects;
use crate::history_score::HistoryScores;
use crate::index::ContentIndex;
use crate::meaning;
use crate::path_class::PathClass;
use crate::path_names::{PathNames, directory, squashed, stem, tested_stem};
use crate::question::{Question, TermKind};
use crate::score::{BestChunks, MatchingFile, Normaliser, Scores};
use crate::strength::StrengthEvidence;
use crate::terms::TermReader;

/// Files that get all features: more than any caller sees, so that it covers files which the first score misplaced.
const DESCRIBED_MAX: usize = 200;

/// Indexes of one root, for a search.
#[derive(Clone, Copy, Debug)]
pub struct ContentRoot<'r> {
    /// The words of its files.
    pub index: &'r ContentIndex,
    /// The declarations of its files.
    pub symbols: &'r Symbols,
    /// The subjects of its commits; `None` if they are not known.
    pub subjects: Option<&'r CommitSubjects>,
}

/// A ranked file.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedFile {
    /// Position of its root in the search.
    pub root: usize,
    /// Relative to that root.
    pub path: String,
    /// Weighted sum of its features: comparable within one answer.
    pub points: f32,
    /// Line of the best declaration or chunk, counted from 1; `None` if only the path fits.
    pub line: Option<u32>,
    /// The reason, in a few words.
    pub why: String,
    /// Names and values of its features, for explanations and for fitting.
    pub features: Vec<(&'static str, f32)>,
}

/// The degree to which the best file fits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// Nearly nothing fits, or no word is known.
    #[default]
    None,
    /// The words of the query may be there by chance.
    Weak,
    /// The best file probably answers the query.
    Strong,
}

/// Files in order, and the degree to which the first fits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContentAnswer {
    /// Best first.
    pub files: Vec<RankedFile>,
    /// The degree to which the best file fits.
    pub fit: Fit,
    /// Estimated probability that the best file is an answer at all.
    pub probability: f32,
    /// Names and values of what that is estimated by, for fitting.
    pub evidence: Vec<(&'static str, f32)>,
    /// Share of the query's words that any file has, by rarity.
    pub known: f32,
    /// True if the query asks for one symbol that no file has as a whole: it is mistyped, or not there.
    pub is_unknown_symbol: bool,
    /// Words of the query that the best file lacks, as they were written, in lower case.
    pub missing: Vec<String>,
}

/// Ranks files for a query. Deterministic; ties break by root and path.
pub fn search(query: &str, roots: &[ContentRoot<'_>], limit: usize) -> ContentAnswer {
    let mut reader = TermReader::default();
    let question = Question::parse(query, &mut reader);
    let indexes: Vec<&ContentIndex> = roots.iter().map(|root| root.index).collect();
    let symbols: Vec<&Symbols> = roots.iter().map(|root| root.symbols).collect();
    let collection = Collection::new(&indexes);
    if question.terms.is_empty() || collection.totals.files == 0 {
        return ContentAnswer::default();
    }
    let scores = Scores::compute(&question, &collection, None);
    let declared = DeclaredNames::look_up(&question, &collection, &symbols, &scores);
    let history = HistoryScores::compute(&question, &collection, roots);
    let mode = match (question.is_symbol, history.is_known) {
        (true, _) => RankingMode::Symbol,
        (false, true) => RankingMode::QuestionWithHistory,
        (false, false) => RankingMode::Question,
    };
    let mut ranking = Ranking {
        question: &question,
        collection: &collection,
        scores: &scores,
        details: Details::default(),
        history: &history,
        indexes: &indexes,
    };
    let first = if question.is_symbol { RankingMode::Symbol } else { RankingMode::Candidates };
    let mut candidates = ranking.candidates(&declared, ContentWeights::for_mode(first), &symbols, &mut reader);
    let weights = ContentWeights::for_mode(mode);
    ranking.sort(&mut candidates, weights);
    if mode != RankingMode::Symbol {
        let places = candidates.iter().map(|one| collection.locate(one.file));
        let near = meaning::compare(&question, places.map(|(view, own)| &view.part.layer.directions[own as usize]));
        for (candidate, near) in candidates.iter_mut().zip(near) {
            candidate.vector[F::Meaning as usize] = near;
        }
        ranking.sort(&mut candidates, weights);
    }
    ranking.answer(&candidates, limit)
}

/// A file with its features.
#[derive(Clone, Debug)]
pub(crate) struct Candidate<'s> {
    pub(crate) file: usize,
    pub(crate) vector: ContentVector,
    pub(crate) declarations: DeclarationEvidence<'s>,
    pub(crate) chunks: BestChunks,
    pub(crate) points: f32,
}

/// One search.
#[derive(Debug)]
pub(crate) struct Ranking<'s> {
    pub(crate) question: &'s Question,
    pub(crate) collection: &'s Collection<'s>,
    pub(crate) scores: &'s Scores<'s>,
    /// The terms of the described files.
    pub(crate) details: Details,
    history: &'s HistoryScores,
    indexes: &'s [&'s ContentIndex],
}

impl Ranking<'_> {
    fn class(&self, file: usize) -> PathClass {
        let (view, own) = self.collection.locate(file);
        view.part.layer.class(own)
    }

    /// Returns the best files by a first score, and those that declare a name of the question, with their features.
    fn candidates<'n>(
        &mut self,
        declared: &DeclaredNames<'n>,
        weights: &ContentWeights,
        symbols: &[&'n Symbols],
        reader: &mut TermReader,
    ) -> Vec<Candidate<'n>> {
        let (scores, collection) = (self.scores, self.collection);
        let most = self.normalisers();
        let mut first = self.first_points(weights, &most);
        let mut declaring: Vec<usize> = declared.files().collect();
        declaring.sort_unstable();
        let ranked = Families::sort_best(collection, scores, &mut first, DESCRIBED_MAX, |front| {
            let front = front.iter().map(|&(_, at)| scores.matching[at as usize].file);
            let mut files: Vec<u32> = front.chain(declaring.iter().map(|&file| file as u32)).collect();
            files.sort_unstable();
            files.dedup();
            scores.details(self.question, collection, files)
        });
        let (mut chosen, families) = (ranked.chosen, ranked.families);
        self.details = ranked.details;
        for file in declaring {
            if !chosen.contains(&file) {
                chosen.push(file);
            }
        }
        let mut matcher = WordMatcher::new(self.question, scores, collection, reader);
        let mut candidates: Vec<Candidate<'n>> = Vec::with_capacity(chosen.len());
        for file in chosen {
            let chunks = scores.best_chunks(collection, file);
            let mut declarations = declared.get(file);
            let (view, own) = collection.locate(file);
            let lines = self.details.declaring_lines(collection, file);
            if !lines.is_empty() {
                let path = view.part.layer.path(own);
                matcher.compare(symbols[view.root], path, &lines, &mut declarations);
            }
            let mut vector = self.describe(file, &chunks, &declarations, &most, &mut matcher);
            if families.has(file) {
                vector[F::Generated as usize] = 1.0;
            }
            candidates.push(Candidate { file, vector, declarations, chunks, points: 0.0 });
        }
        self.add_neighbours(&mut candidates, &families);
        let sum = Normaliser::from_values(candidates.iter().map(|one| (one.declarations.sum, self.class(one.file))));
        for candidate in &mut candidates {
            candidate.vector[F::DeclarationSum as usize] = candidate.declarations.sum / sum;
        }
        candidates
    }

    fn normalisers(&self) -> Normalisers {
        let (mut file, mut chunk, mut three) = (Normaliser::default(), Normaliser::default(), Normaliser::default());
        for one in &self.scores.matching {
            let is_code = one.class.is_plain_code();
            file.add(one.score, is_code);
            chunk.add(one.best, is_code);
            three.add(one.three, is_code);
        }
        Normalisers {
            file: file.value(),
            chunk: chunk.value(),
            three: three.value(),
            history: Normaliser::from_values(self.history.files.iter().map(|(&file, one)| (one.0, self.class(file)))),
        }
    }

    /// Returns the first score of each matching file, with its position among these.
    fn first_points(&self, weights: &ContentWeights, most: &Normalisers) -> Vec<(f32, u32)> {
        // Most files share a few classes, and the first score has few features beside them.
        let mut of_classes: FxHashMap<PathClass, f32> = FxHashMap::default();
        let [by_file, by_chunk, by_stem, by_directory, by_history] =
            [F::FileScore, F::ChunkScore, F::StemCover, F::DirectoryCover, F::HistoryScore]
                .map(|feature| weights.weight(feature));
        // Both lists are in the order of files.
        let mut history = self.history.files.iter().peekable();
        let first_of = |(at, one): (usize, &MatchingFile)| {
            let of_class = *of_classes.entry(one.class).or_insert_with(|| {
                let mut vector = [0.0; F::ALL.len()];
                self.set_class(one.class, &mut vector);
                weights.points(&vector)
            });
            let points = by_file * one.score / most.file
                + by_chunk * one.best / most.chunk
                + by_stem * one.stem_cover
                + by_directory * one.directory_cover;
            let mut points = points + of_class;
            let file = one.file as usize;
            while history.next_if(|(other, _)| **other < file).is_some() {}
            if let Some((_, (score, _))) = history.next_if(|(other, _)| **other == file) {
                points += by_history * score / most.history;
            }
            (points, at as u32)
        };
        self.scores.matching.iter().enumerate().map(first_of).collect()
    }

    /// Sets what the other candidates say about each: tests named like it, and files beside it. Files that are all alike say
    /// nothing about each other.
    fn add_neighbours(&self, candidates: &mut [Candidate<'_>], families: &Families) {
        let mut of_tests: FxHashMap<String, f32> = FxHashMap::default();
        let mut beside: FxHashMap<(usize, &str), (f32, f32)> = FxHashMap::default();
        for candidate in candidates.iter() {
            let (view, own) = self.collection.locate(candidate.file);
            let path = view.part.layer.path(own);
            let score = candidate.vector[F::ChunkScore as usize];
            if self.class(candidate.file).has(PathClass::TEST) {
                if let Some(tested) = tested_stem(path) {
                    let best = of_tests.entry(tested).or_default();
                    *best = best.max(score);
                }
            } else if !families.has(candidate.file) {
                let sum = beside.entry((view.root, directory(path))).or_default();
                *sum = (sum.0 + score, sum.1 + 1.0);
            }
        }
        for candidate in candidates {
            let (view, own) = self.collection.locate(candidate.file);
            let path = view.part.layer.path(own);
            if self.class(candidate.file).has(PathClass::TEST) || families.has(candidate.file) {
                continue;
            }
            candidate.vector[F::TestScore as usize] = of_tests.get(&squashed(stem(path))).copied().unwrap_or_default();
            let score = candidate.vector[F::ChunkScore as usize];
            if let Some(&(sum, count)) = beside.get(&(view.root, directory(path))) {
                // Few files beside it are little evidence.
                candidate.vector[F::DirectoryScore as usize] = (sum - score) / (count - 1.0 + 3.0);
            }
        }
    }

    fn describe(
        &self,
        file: usize,
        chunks: &BestChunks,
        declarations: &DeclarationEvidence<'_>,
        most: &Normalisers,
        matcher: &mut WordMatcher<'_>,
    ) -> ContentVector {
        let scores = self.scores;
        let (view, own) = self.collection.locate(file);
        let layer = &*view.part.layer;
        let path = layer.path(own);
        let mut vector = [0.0; F::ALL.len()];
        let mut set = |feature: F, value: f32| vector[feature as usize] = value;
        set(F::FileScore, scores.files[file] / most.file);
        set(F::ChunkScore, chunks.best / most.chunk);
        set(F::ThreeChunks, chunks.three / most.three);
        let has = self.details.sets(file);
        set(F::StemCover, scores.share(has.stem));
        set(F::DirectoryCover, scores.share(has.directories));
        set(F::Cover, scores.share(has.anywhere).powi(2));
        let cover = self.details.chunk_cover(scores, self.question, file);
        set(F::ChunkCover, cover.0.powi(2));
        set(F::ChunkSynonymCover, cover.1);
        set(
            F::PathSynonyms,
            scores.share_with_synonyms(self.question, has.stem | has.directories)
                - scores.share(has.stem | has.directories),
        );
        set(F::JoinCover, scores.join_share(self.question, has.anywhere));
        set(F::SynonymCover, scores.share_with_synonyms(self.question, has.anywhere));
        set(F::NamesCover, scores.share_with_synonyms(self.question, has.names));
        set(F::CommentCover, scores.share(has.comments));
        set(F::DeclaresName, declarations.name);
        set(F::DeclaresWord, declarations.word);
        set(F::DeclarationCover, declarations.cover);
        if let Some(&(score, terms)) = self.history.files.get(&file) {
            set(F::HistoryScore, score / most.history);
            set(F::HistoryCover, scores.share(terms));
        }
        let names = PathNames::new(path);
        set(F::StemShare, matcher.share_of(&names.stem));
        set(F::Beginnings, self.beginnings(&names));
        set(F::StemEqual, self.stem_equal(&names));
        let graph = self.indexes[view.root].graph();
        let in_root = view.first_in_root + own as usize;
        let importers = graph.importers_of(in_root as u32);
        if !importers.is_empty() {
            let root_base = view.first_file - view.first_in_root;
            let sum: f32 = importers.iter().map(|&from| scores.files[root_base + from as usize]).sum();
            set(F::Importers, sum / importers.len() as f32 / most.file);
        }
        let imported = graph.imported_by(in_root as u32);
        if !imported.is_empty() {
            let root_base = view.first_file - view.first_in_root;
            let sum: f32 = imported.iter().map(|&to| scores.files[root_base + to as usize]).sum();
            set(F::Imported, sum / imported.len() as f32 / most.file);
        }
        set(F::InDegree, graph.in_degrees[in_root]);
        set(F::PageRank, graph.ranks[in_root]);
        set(F::Depth, path.matches('/').count() as f32 / 8.0);
        set(F::Size, (1.0 + layer.sizes[own as usize] as f32).ln() / 12.0);
        self.set_class(self.class(file), &mut vector);
        vector
    }

    /// Sets the features of the path's class. Words that ask for such files lift them.
    fn set_class(&self, class: PathClass, vector: &mut ContentVector) {
        let kinds = self.question.kinds;
        let mut set = |flag: PathClass, feature: F, asked: Option<f32>| {
            vector[feature as usize] = if class.has(flag) { asked.unwrap_or(1.0) } else { 0.0 };
        };
        set(PathClass::TEST, F::Test, kinds.tests.then_some(0.4));
        set(PathClass::EXAMPLE, F::Example, kinds.examples.then_some(0.2));
        set(PathClass::DOCUMENT, F::Document, kinds.documents.then_some(0.5));
        set(PathClass::CONFIGURATION, F::Configuration, kinds.configuration.then_some(0.4));
        set(PathClass::FOREIGN, F::Foreign, None);
        set(PathClass::GENERATED, F::Generated, None);
        set(PathClass::BARREL, F::Barrel, None);
        set(PathClass::TYPES_ONLY, F::TypesOnly, None);
        set(PathClass::TRANSLATION, F::Translation, None);
    }

    /// Share of the question's words that begin a word of the stem or, for half, of the parent directory, or the
    /// reverse.
    fn beginnings(&self, names: &PathNames<'_>) -> f32 {
        let words = self.question.terms.iter().filter(|term| term.kind == TermKind::Word && term.word.len() >= 3);
        let (mut count, mut sum) = (0.0, 0.0);
        for term in words {
            count += 1.0;
            let fits = |part: &String| {
                let (short, long) = if part.len() < term.word.len() { (part, &term.word) } else { (&term.word, part) };
                let is_prefix = short.len() >= 3 && long.starts_with(short.as_str());
                if !is_prefix {
                    0.0
                } else if short.len() < 5 && short != long {
                    0.7
                } else {
                    1.0_f32
                }
            };
            let stem = names.stem_parts.iter().map(&fits).fold(0.0, f32::max);
            let parent = names.parent_parts.iter().map(&fits).fold(0.0, f32::max);
            sum += stem.max(0.5 * parent);
        }
        if count > 0.0 { sum / count } else { 0.0 }
    }

    /// Returns 1 if the stem equals a name of the question, less for a word or the parent directory.
    fn stem_equal(&self, names: &PathNames<'_>) -> f32 {
        let equal = |one: &str, other: &str| {
            one == other || one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
        };
        let value = |own: &str| {
            if own.is_empty() {
                return 0.0;
            }
            let joined = self.question.names.iter().any(|name| equal(&name.squashed, own));
            let word = self.question.words.iter().any(|word| equal(word, own));
            if joined {
                1.0
            } else if word {
                0.6_f32
            } else {
                0.0
            }
        };
        value(&squashed(&names.stem)).max(0.3 * value(&squashed(names.parent)))
    }

    /// Returns the share of the question's words, by rarity, that any file has.
    fn known_share(&self) -> f32 {
        let counting = self.scores.terms.iter().filter(|scored| scored.counts);
        let known: f32 = counting.filter(|scored| scored.is_known).map(|scored| scored.value).sum();
        known / self.scores.total.max(f32::MIN_POSITIVE)
    }

    /// Returns whether a file has the symbol as a whole.
    fn has_whole_symbol(&self) -> bool {
        let terms = || self.question.terms.iter().zip(&self.scores.terms);
        let has = |kind: TermKind| terms().any(|(term, scored)| term.kind == kind && scored.is_known);
        let is_compound = terms().any(|(term, _)| term.kind == TermKind::Compound);
        if is_compound { has(TermKind::Compound) } else { has(TermKind::Word) }
    }

    /// Sorts candidates by their points.
    fn sort(&self, candidates: &mut [Candidate<'_>], weights: &ContentWeights) {
        for candidate in candidates.iter_mut() {
            candidate.points = weights.points(&candidate.vector);
        }
        candidates.sort_by(|one, other| {
            let place = |one: &Candidate<'_>| self.collection.place(one.file);
            other.points.total_cmp(&one.points).then_with(|| place(one).cmp(&place(other)))
        });
    }

    /// Completes the answer.
    fn answer(&self, candidates: &[Candidate<'_>], limit: usize) -> ContentAnswer {
        let Some(best) = candidates.first() else { return ContentAnswer::default() };
        let known = self.known_share();
        let evidence = Evidence::new(self, best);
        let strength = StrengthEvidence::new(self, candidates);
        let probability = evidence.probability();
        let mut fit = crate::fit::classify(probability, known);
        if fit > Fit::None
            && !self.question.is_symbol
            && let Some(is_weak) = strength.is_weak()
        {
            fit = if is_weak { Fit::Weak } else { Fit::Strong };
        }
        // An identifier that nothing has is a typo or invented: names near it decide, not its parts.
        let is_unknown_symbol = self.question.is_symbol && !self.has_whole_symbol();
        if is_unknown_symbol {
            fit = fit.min(Fit::Weak);
        }
        let candidates = &candidates[..candidates.len().min(limit)];
        let presence = explanation::TermPresence::new(self, candidates);
        let missing = presence.missing(0, self.question);
        let files = candidates
            .iter()
            .enumerate()
            .map(|(at, candidate)| {
                let (view, own) = self.collection.locate(candidate.file);
                let line = explanation::line(candidate);
                RankedFile {
                    root: view.root,
                    path: view.part.layer.path(own).to_owned(),
                    points: candidate.points,
                    line,
                    why: presence.explain(at, candidate, self.question),
                    features: F::ALL
                        .iter()
                        .map(|&feature| (feature.name(), candidate.vector[feature as usize]))
                        .collect(),
                }
            })
            .collect();
        let mut evidence = evidence.named().to_vec();
        evidence.extend(strength.named());
        ContentAnswer { files, fit, probability, evidence, known, is_unknown_symbol, missing }
    }
}

/// Largest values, by which scores are divided.
#[derive(Clone, Copy, Debug)]
struct Normalisers {
    file: f32,
    chunk: f32,
    three: f32,
    history: f32,
}
