//! `PreparedQuery`: the request split into names, segments and intent words with weights; `Engine` prepares it once per request.

mod context;
mod intent;

use std::sync::Arc;

use crate::corpus::Corpus;
use crate::distance::Pattern;
use crate::features::extension::{is_entry, is_index};
use crate::features::flags::PathFlags;
use crate::frecency::Frecency;
use crate::path::RelPath;
use crate::query::Reading;
use crate::request::{Op, Request};
use crate::words::{fold, initials, letter_set, split_extension, squash, words};

pub(crate) use context::{LocationContext, NearbyDirectory};
pub(crate) use intent::{Intent, Mentions};

/// A word and its weight: its rarity in the tree, 0 to 1.
#[derive(Clone, Debug)]
pub(crate) struct WeightedWord {
    pub(crate) word: String,
    pub(crate) weight: f32,
}

/// A requested last segment, in the forms that candidates are compared with.
#[derive(Clone, Debug)]
pub(crate) struct TargetName {
    pub(crate) text: String,
    pub(crate) folded: String,
    pub(crate) stem: String,
    /// Lower case, without the dot; empty if there is none.
    pub(crate) extension: String,
    pub(crate) key: Vec<u8>,
    pub(crate) letters: u64,
    pub(crate) pattern: Pattern,
    pub(crate) words: Vec<WeightedWord>,
    /// The commonness of this name in the tree; see [`Corpus::commonness`].
    pub(crate) common: f32,
    /// The commonness of its extension in the tree, 0 to 1.
    pub(crate) extension_usual: f32,
    /// One of its words marks a test.
    pub(crate) is_test: bool,
    /// Its stem stands for its directory; see [`is_index`].
    pub(crate) is_index: bool,
    /// A program, a package or a page begins in such a file; see [`is_entry`].
    pub(crate) is_entry: bool,
}

/// A requested directory segment.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) text: String,
    pub(crate) key: Vec<u8>,
    pub(crate) letters: u64,
    pub(crate) words: Vec<WeightedWord>,
    /// First letters of the words.
    pub(crate) initials: u64,
    /// Its weight, from [`Segment::weight_of`].
    pub(crate) weight: f32,
}

/// One reading as a search target for the generators.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a target, each looked at on its own")]
#[derive(Clone, Debug)]
pub(crate) struct SearchTarget {
    /// Position in [`PreparedQuery::names`].
    pub(crate) name: usize,
    pub(crate) directories: Vec<Segment>,
    /// Position in the list of readings.
    pub(crate) reading: usize,
    pub(crate) cost: f32,
    /// True if the requested directories exist as a path: then the name is wrong, or there is no such file.
    pub(crate) place_exists: bool,
    pub(crate) root: Option<usize>,
    pub(crate) directory: bool,
    pub(crate) foreign: bool,
    /// True if a trailing separator is ignored, so that a file fits too.
    pub(crate) as_file: bool,
}

/// The request, prepared for comparison with candidates.
#[derive(Debug)]
pub(crate) struct PreparedQuery {
    pub(crate) op: Op,
    /// Different last segments of the targets.
    pub(crate) names: Vec<TargetName>,
    /// In order of cost; a target that ignores a trailing separator comes before the one that does not.
    pub(crate) targets: Vec<SearchTarget>,
    pub(crate) intent: Intent,
    pub(crate) context: LocationContext,
    /// The root and path to which the requested file moved in history.
    pub(crate) moved: Option<(usize, RelPath)>,
    /// The frecency of each root's paths.
    pub(crate) frecency: Vec<Arc<Frecency>>,
}

/// Targets that all generators search; dearer readings are too unlikely to be worth the time.
const MAX_TARGETS: usize = 6;

/// Last directories of a target that are compared: trees are a few dozen levels deep at most, and each one costs time
/// for every directory of the tree.
const MAX_DIRECTORIES: usize = 48;

fn innermost_directories(directories: &[String]) -> &[String] {
    &directories[directories.len().saturating_sub(MAX_DIRECTORIES)..]
}

/// Factor for a word of the name that its directory says already: `test_worker/test_worker_control.py` becomes
/// `worker/test_control.py`. Of 1,743 renames in thirteen fresh repositories it put two more first, and lost none.
const REPEATED_FACTOR: f32 = 0.5;

/// Cost of ignoring a trailing separator: agents write one behind files too.
const AS_FILE_COST: f32 = 0.1;

impl PreparedQuery {
    pub(crate) fn new(request: &Request, readings: &[Reading], context: LocationContext, corpus: Corpus<'_>) -> Self {
        let mut names: Vec<TargetName> = Vec::new();
        let mut targets = Vec::new();
        for (at, reading) in readings.iter().enumerate() {
            let Some((last, directories)) = reading.segments.split_last() else { continue };
            let place_exists = !directories.is_empty() && corpus.has_directory(&directories.join("/"));
            let missing_parent = directories.last().filter(|_| !place_exists).map(String::as_str);
            let name = names.iter().position(|name| name.text == *last).unwrap_or_else(|| {
                names.push(TargetName::new(last, missing_parent, corpus));
                names.len() - 1
            });
            let target = SearchTarget {
                name,
                directories: innermost_directories(directories)
                    .iter()
                    .map(|segment| Segment::new(segment, corpus))
                    .collect(),
                reading: at,
                cost: reading.cost,
                place_exists,
                root: reading.root,
                directory: reading.is_directory,
                foreign: reading.is_foreign,
                as_file: false,
            };
            if target.directory {
                let as_file = SearchTarget {
                    directory: false,
                    as_file: true,
                    cost: target.cost + AS_FILE_COST,
                    ..target.clone()
                };
                targets.push(as_file);
            }
            targets.push(target);
            if targets.len() >= MAX_TARGETS {
                break;
            }
        }
        let intent = Intent::new(&request.intent_text, corpus);
        Self { op: request.op, names, targets, intent, context, moved: None, frecency: Vec::new() }
    }
}

impl TargetName {
    fn new(text: &str, missing_parent: Option<&str>, corpus: Corpus<'_>) -> Self {
        let (stem, extension) = split_extension(text.as_bytes());
        let key = squash(stem);
        let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
        let words = weigh_name(stem, missing_parent, corpus);
        let stem_lower = String::from_utf8_lossy(stem).to_ascii_lowercase();
        Self {
            is_test: PathFlags::from_words(words.iter().map(|word| &word.word)).has(PathFlags::TEST),
            is_index: is_index(&stem_lower),
            is_entry: is_entry(&stem_lower),
            text: text.to_owned(),
            folded: fold(text.as_bytes()).into_owned(),
            stem: String::from_utf8_lossy(stem).into_owned(),
            extension_usual: corpus.extension_share(&extension),
            extension,
            letters: letter_set(&key),
            pattern: Pattern::new(&key),
            words,
            common: corpus.commonness(text),
            key,
        }
    }
}

/// Weighs the words of a name. Those that the requested directory says already count less if it is not there: it was moved,
/// and the name with it. They do not if it says them all.
fn weigh_name(stem: &[u8], missing_parent: Option<&str>, corpus: Corpus<'_>) -> Vec<WeightedWord> {
    let mut weighted = weigh_words(stem, corpus);
    let parent_words = missing_parent.map(|parent| words(parent.as_bytes())).unwrap_or_default();
    let is_repeated = |word: &WeightedWord| parent_words.contains(&word.word);
    if !weighted.iter().all(is_repeated) {
        weighted.iter_mut().filter(|word| is_repeated(word)).for_each(|word| word.weight *= REPEATED_FACTOR);
    }
    weighted
}

impl Segment {
    fn new(text: &str, corpus: Corpus<'_>) -> Self {
        let key = squash(split_extension(text.as_bytes()).0);
        let words = weigh_words(text.as_bytes(), corpus);
        let initials = initials(words.iter().map(|word| word.word.as_str()));
        Self { text: text.to_owned(), letters: letter_set(&key), weight: Self::weight_of(&words), initials, words, key }
    }

    /// The weight of a segment: 0.5 (`src`) to 1.0 (`billing`) by its rarest word. It is at least 0.5, because a
    /// missing directory still has to be explained.
    fn weight_of(words: &[WeightedWord]) -> f32 {
        0.5 + 0.5 * words.iter().map(|word| word.weight).fold(0.0, f32::max)
    }
}

fn weigh_words(name: &[u8], corpus: Corpus<'_>) -> Vec<WeightedWord> {
    words(name).into_iter().map(|word| WeightedWord { weight: corpus.rarity(&word), word }).collect()
}
