//! The request in comparable form: names, segments and intent words, prepared once per query.

mod context;
mod intent;

use std::sync::Arc;

use crate::corpus::Corpus;
use crate::distance::Pattern;
use crate::frecency::Frecency;
use crate::path::RelPath;
use crate::query::Reading;
use crate::request::{Op, Request};
use crate::words::{fold, initials, letter_set, split_extension, squash, words};

pub(crate) use context::{Context, NearbyDirectory};
pub(crate) use intent::{Intent, Mentions};

/// A word with how much it says (0–1).
#[derive(Clone, Debug)]
pub(crate) struct WeightedWord {
    pub(crate) word: String,
    pub(crate) weight: f32,
}

/// A last segment that is asked for.
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
    /// How common this very name is in the tree; see [`Corpus::commonness`].
    pub(crate) common: f32,
    /// How usual its extension is in the tree.
    pub(crate) extension_usual: f32,
}

/// A directory segment that is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) text: String,
    pub(crate) key: Vec<u8>,
    pub(crate) letters: u64,
    pub(crate) words: Vec<WeightedWord>,
    /// First letters of the words.
    pub(crate) initials: u64,
    /// How much it says: see [`Segment::weight_of`].
    pub(crate) weight: f32,
}

/// One reading, as something to look for.
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a target, each looked at on its own")]
#[derive(Clone, Debug)]
pub(crate) struct SearchTarget {
    /// Position in [`PreparedQuery::names`].
    pub(crate) name: usize,
    pub(crate) directories: Vec<Segment>,
    /// Position in the list of readings.
    pub(crate) reading: usize,
    pub(crate) cost: f32,
    /// The asked directories exist, as a path: then it is the name that is wrong, or there is no such file.
    pub(crate) place_exists: bool,
    pub(crate) root: Option<usize>,
    pub(crate) directory: bool,
    pub(crate) foreign: bool,
    /// A trailing separator asked for a directory, and it is overlooked here.
    pub(crate) as_file: bool,
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct PreparedQuery {
    pub(crate) op: Op,
    /// Different last segments of the targets.
    pub(crate) names: Vec<TargetName>,
    /// In order of cost, but that one without a trailing separator comes before its twin.
    pub(crate) targets: Vec<SearchTarget>,
    pub(crate) intent: Intent,
    pub(crate) context: Context,
    /// The root and path that history leads to.
    pub(crate) moved: Option<(usize, RelPath)>,
    /// What is well known, of each root.
    pub(crate) familiar: Vec<Arc<Frecency>>,
}

/// Readings looked for with all generators; further ones are too far-fetched to be worth their time.
const TARGETS_MAX: usize = 6;

/// Directories of a target that are compared, the last ones: no tree is deeper than a few dozen, and each costs time
/// for every directory that is looked at.
const DIRECTORIES_MAX: usize = 48;

fn innermost(directories: &[String]) -> &[String] {
    &directories[directories.len().saturating_sub(DIRECTORIES_MAX)..]
}

/// What overlooking a trailing separator costs: agents put them behind files too.
const AS_FILE: f32 = 0.1;

impl PreparedQuery {
    pub(crate) fn new(request: &Request, readings: &[Reading], context: Context, corpus: Corpus<'_>) -> Self {
        let mut names: Vec<TargetName> = Vec::new();
        let mut targets = Vec::new();
        for (at, reading) in readings.iter().enumerate() {
            let Some((last, directories)) = reading.segments.split_last() else { continue };
            let name = names.iter().position(|name| name.text == *last).unwrap_or_else(|| {
                names.push(TargetName::new(last, corpus));
                names.len() - 1
            });
            let target = SearchTarget {
                name,
                directories: innermost(directories).iter().map(|segment| Segment::new(segment, corpus)).collect(),
                reading: at,
                cost: reading.cost,
                place_exists: !directories.is_empty() && corpus.has_directory(&directories.join("/")),
                root: reading.root,
                directory: reading.directory,
                foreign: reading.foreign,
                as_file: false,
            };
            if target.directory {
                let as_file =
                    SearchTarget { directory: false, as_file: true, cost: target.cost + AS_FILE, ..target.clone() };
                targets.push(as_file);
            }
            targets.push(target);
            if targets.len() >= TARGETS_MAX {
                break;
            }
        }
        let intent = Intent::new(&request.intent_text, corpus);
        Self { op: request.op, names, targets, intent, context, moved: None, familiar: Vec::new() }
    }
}

impl TargetName {
    fn new(text: &str, corpus: Corpus<'_>) -> Self {
        let (stem, extension) = split_extension(text.as_bytes());
        let key = squash(stem);
        let extension = String::from_utf8_lossy(extension).to_ascii_lowercase();
        Self {
            text: text.to_owned(),
            folded: fold(text.as_bytes()).into_owned(),
            stem: String::from_utf8_lossy(stem).into_owned(),
            extension_usual: corpus.extension_share(&extension),
            extension,
            letters: letter_set(&key),
            pattern: Pattern::new(&key),
            words: weigh(stem, corpus),
            common: corpus.commonness(text),
            key,
        }
    }
}

impl Segment {
    fn new(text: &str, corpus: Corpus<'_>) -> Self {
        let key = squash(split_extension(text.as_bytes()).0);
        let words = weigh(text.as_bytes(), corpus);
        let initials = initials(words.iter().map(|word| word.word.as_str()));
        Self { text: text.to_owned(), letters: letter_set(&key), weight: Self::weight_of(&words), initials, words, key }
    }

    /// `src` says little, `billing` much: from 0.5 to 1.0 with the rarest word's weight. Never less, because
    /// a directory that is not there still has to be explained.
    fn weight_of(words: &[WeightedWord]) -> f32 {
        0.5 + 0.5 * words.iter().map(|word| word.weight).fold(0.0, f32::max)
    }
}

fn weigh(name: &[u8], corpus: Corpus<'_>) -> Vec<WeightedWord> {
    words(name).into_iter().map(|word| WeightedWord { weight: corpus.rarity(&word), word }).collect()
}
