//! `Statistics`: how often literals of a language resolve in this tree, by kind, form and place, and which missing paths several
//! files agree on.
//!
//! They come from a sample of the tree's files. A check of one file, a check of all and an editor so say the same.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pathfinder_literals::language::Language;
use pathfinder_literals::{Checked, Project, Source, Verdict};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::form::{Form, missing_root};
use crate::check::world::World;

/// Files of one language that are read for its statistics, evenly spread over the tree. The shares that matter (nearly none,
/// nearly all) do not move with more; 256 files take a fraction of a second.
const SAMPLED_FILES: usize = 256;
/// Bytes that are read for it at most: generated pages are large and all alike.
const SAMPLED_BYTES: usize = 6 << 20;

/// How many literals resolve, and how many do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) found: u32,
    pub(super) missing: u32,
}

impl Tally {
    /// Enters one literal.
    pub(super) fn add(&mut self, is_found: bool) {
        if is_found { self.found += 1 } else { self.missing += 1 }
    }

    /// The same without what another tally has entered in it.
    pub(super) fn without(self, other: Self) -> Self {
        Self { found: self.found.saturating_sub(other.found), missing: self.missing.saturating_sub(other.missing) }
    }

    /// How many were entered.
    pub(super) fn count(self) -> u32 {
        self.found + self.missing
    }

    /// The share that resolves, smoothed by `weight` literals of which the share `prior` does.
    pub(super) fn share(self, prior: f32, weight: f32) -> f32 {
        (self.found as f32 + prior * weight) / (self.count() as f32 + weight)
    }
}

/// What the literals of one file add to the statistics.
#[derive(Clone, Debug, Default)]
pub(super) struct FileTally {
    /// By the hash of what they have in common.
    pub(super) tallies: FxHashMap<u64, Tally>,
    /// Missing paths, and the first directories on the way to them that are missing, by hash.
    pub(super) missing: FxHashSet<u64>,
}

impl FileTally {
    /// Of a file's literals. The same literal twice in a file counts once.
    pub(super) fn new(source: &Source<'_>, literals: &[Checked], world: &dyn World) -> Self {
        let mut this = Self::default();
        let mut seen: FxHashSet<(&str, &str)> = FxHashSet::default();
        for literal in literals {
            let is_found = match &literal.verdict {
                Verdict::Found(_) => true,
                Verdict::Missing(_) => false,
                Verdict::Unknown(_) => continue,
            };
            let Some(text) = written(source, literal).filter(|text| seen.insert((literal.kind, text))) else {
                continue;
            };
            let form = Form::new(literal.kind, text, source.path());
            for key in form.keys() {
                this.tallies.entry(key).or_default().add(is_found);
            }
            if let Verdict::Missing(missing) = &literal.verdict {
                this.missing.insert(hash(&("path", &missing.wanted)));
                this.missing.insert(hash(&("below", missing_root(world, &missing.wanted))));
            }
        }
        this
    }
}

/// The text of a literal.
pub(super) fn written<'s>(source: &'s Source<'_>, literal: &Checked) -> Option<&'s str> {
    let skipped = source.offset();
    source.text().get(literal.range.start.checked_sub(skipped)?..literal.range.end.checked_sub(skipped)?)
}

/// A number for what literals have in common.
pub(super) fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// What the sample of one language says.
#[derive(Debug, Default)]
pub(super) struct LanguageStatistics {
    tallies: FxHashMap<u64, Tally>,
    /// How many of the sampled files miss a path.
    files: FxHashMap<u64, u32>,
    sampled: FxHashSet<String>,
}

impl LanguageStatistics {
    /// What literals with this in common came to in other files than this one.
    pub(super) fn tally(&self, file: &str, own: &FileTally, key: u64) -> Tally {
        let all = self.tallies.get(&key).copied().unwrap_or_default();
        let own = own.tallies.get(&key).copied().unwrap_or_default();
        if self.sampled.contains(file) { all.without(own) } else { all }
    }

    /// How many other files miss a path, by its hash.
    pub(super) fn files_missing(&self, file: &str, own: &FileTally, key: u64) -> u32 {
        let all = self.files.get(&key).copied().unwrap_or_default();
        let has_own = self.sampled.contains(file) && own.missing.contains(&key);
        all.saturating_sub(u32::from(has_own))
    }

    #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
    fn add(&mut self, file: String, tally: FileTally) {
        for (key, more) in tally.tallies {
            let known = self.tallies.entry(key).or_default();
            known.found += more.found;
            known.missing += more.missing;
        }
        for key in tally.missing {
            *self.files.entry(key).or_default() += 1;
        }
        self.sampled.insert(file);
    }
}

/// See the module's text. Read by language, when a missing literal first asks for it.
#[derive(Debug, Default)]
pub(in crate::check) struct Statistics {
    languages: Mutex<HashMap<&'static str, Arc<OnceLock<Arc<LanguageStatistics>>>>>,
}

impl Statistics {
    /// What is known of a file's language, read now if it was not before.
    pub(super) fn of(&self, file: &str, world: &dyn World, project: &Project) -> Arc<LanguageStatistics> {
        let Some(language) = pathfinder_literals::language::of(file).next() else { return Arc::default() };
        let once = self.once(language.name());
        // No parallel work in here: a thread that waits for others could be given work that waits for this.
        let read = || Arc::new(put_together(sample(language, world).map(|file| tally_of(file, world, project))));
        Arc::clone(once.get_or_init(read))
    }

    /// Reads what is to be known of the languages of these files, in parallel.
    pub(in crate::check) fn prepare<'f>(
        &self,
        files: impl Iterator<Item = &'f str>,
        world: &dyn World,
        project: &Project,
    ) {
        let mut names = FxHashSet::default();
        for language in files.filter_map(|file| pathfinder_literals::language::of(file).next()) {
            let once = self.once(language.name());
            if !names.insert(language.name()) || once.get().is_some() {
                continue;
            }
            let files: Vec<&str> = sample(language, world).collect();
            let tallies: Vec<_> = files.into_par_iter().map(|file| tally_of(file, world, project)).collect();
            // Another thread that was quicker came to the same.
            _ = once.set(Arc::new(put_together(tallies.into_iter())));
        }
    }

    fn once(&self, language: &'static str) -> Arc<OnceLock<Arc<LanguageStatistics>>> {
        let mut languages = self.languages.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(languages.entry(language).or_default())
    }
}

/// The files that the statistics of a language are made of.
fn sample<'w>(language: &dyn Language, world: &'w dyn World) -> impl Iterator<Item = &'w str> {
    let all: Vec<&str> = world.files().iter().map(String::as_str).filter(|file| language.claims(file)).collect();
    let count = all.len().min(SAMPLED_FILES);
    (0..count).map(move |at| all[at * all.len() / count])
}

/// What one file of a sample says, and its size; nothing if it cannot be read.
fn tally_of(file: &str, world: &dyn World, project: &Project) -> Option<(String, usize, FileTally)> {
    let bytes = world.bytes(file)?;
    let source = Source::new(file, &bytes).filter(|_| bytes.len() <= SAMPLED_BYTES)?;
    let tally = FileTally::new(&source, &pathfinder_literals::check(&source, project), world);
    Some((file.to_owned(), bytes.len(), tally))
}

/// The sum of what files say, in their order, up to the limit of bytes.
fn put_together(files: impl Iterator<Item = Option<(String, usize, FileTally)>>) -> LanguageStatistics {
    let mut all = LanguageStatistics::default();
    let mut read = 0;
    for (file, size, tally) in files.flatten() {
        read += size;
        all.add(file, tally);
        if read > SAMPLED_BYTES {
            break;
        }
    }
    all
}
