//! `Statistics`: how often literals of a language resolve in this tree, by kind, form and role of the file, and which
//! missing paths several files share.
//!
//! The numbers come from a sample of the tree's files, so a check of one file, a check of all files and an editor
//! agree. A miss counts only if it is unexplained: by a typo, a recorded move, or a target that git's history had. A
//! target that many literals miss counts once.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, MutexGuard};
use pathfinder_literals::{Checked, Code, Language, LiteralKind, Missing, Project, Source, Verdict};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::builds::BuildFiles;
use super::form::{LiteralForm, hash, missing_root};
use super::readers;
use super::slip::find_slip;
use super::stood;
use super::unexplained;
use crate::source_tree::{HistoryVerdict, SourceTree};

/// Files sampled per language: those whose paths have the smallest hashes, so that a new file displaces at most one
/// other. More files do not change the shares that matter (nearly none, nearly all); 256 take a fraction of a second.
const MAX_SAMPLED_FILES: usize = 256;
/// Larger files are left out: generated pages are large and all alike.
const MAX_SAMPLED_BYTES: usize = 128 << 10;
/// Explained misses of a file for which git is asked how old they are: those of a rule are mostly alike.
const MAX_OLD_MISSES: usize = 8;
/// Tried paths of one literal that history is asked for; the first ones are the likeliest.
pub(super) const MAX_HISTORY_PATHS: usize = 6;

/// The number of literals that resolve, and of different targets that are missing without an explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) found: u32,
    pub(super) missing: u32,
}

impl Tally {
    /// The difference to a tally that is contained in this one.
    pub(super) fn without(self, other: Self) -> Self {
        Self { found: self.found.saturating_sub(other.found), missing: self.missing.saturating_sub(other.missing) }
    }

    /// The number of entries.
    pub(super) fn count(self) -> u32 {
        self.found + self.missing
    }

    /// The share that resolves, smoothed by `weight` literals with the share `prior`.
    pub(super) fn share(self, prior: f32, weight: f32) -> f32 {
        (self.found as f32 + prior * weight) / (self.count() as f32 + weight)
    }
}

/// The contribution of one file's literals.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FileTally {
    /// Number of resolving literals, by the hash of their group.
    found: FxHashMap<u64, u32>,
    /// Targets that are missing without an explanation, by the hash of their group.
    missing: FxHashMap<u64, FxHashSet<u64>>,
    /// Hashes of missing paths and of their first missing directories.
    missed: FxHashSet<u64>,
}

impl FileTally {
    /// Counts a file's literals; equal ones count once.
    pub(super) fn new(source: &Source<'_>, literals: &[Checked], tree: &dyn SourceTree, project: &Project) -> Self {
        let mut this = Self::default();
        let mut old_misses = 0;
        let differs =
            |one: &Checked| matches!(&one.verdict, Verdict::Missing(missing) if missing.code == Code::CaseMismatch);
        let renamed = if literals.iter().any(differs) { readers::renamed_in_case(tree) } else { FxHashSet::default() };
        this.missed.extend(readers::has_loose_case(literals, &renamed).then(loose_file_key));
        let mut seen: FxHashSet<(LiteralKind, &str)> = FxHashSet::default();
        for literal in literals {
            if matches!(literal.verdict, Verdict::Unknown(_)) {
                // A name that several files import is no typo, whatever a rule knows of it.
                let text = source.text_at(&literal.range).filter(|_| !literal.tried.is_empty() && is_import(literal));
                this.missed.extend(text.map(text_key));
                continue;
            }
            let Some(text) = source.text_at(&literal.range).filter(|text| seen.insert((literal.kind, text))) else {
                continue;
            };
            let form = LiteralForm::new(literal.kind.as_str(), text, source.path());
            let keys = form.keys().into_iter().chain(unexplained::own_anchor_key(text, source.path()));
            if let Verdict::Missing(missing) = &literal.verdict {
                this.missed.insert(path_key(&missing.wanted));
                this.missed.insert(hash(&("below", missing_root(tree, &missing.wanted))));
                this.missed.insert(text_key(text));
                if missing.code == Code::CaseMismatch && !renamed.contains(&missing.wanted) {
                    this.missed.insert(case_key());
                }
                let is_explained = is_explained(tree, literal, missing);
                let naming_keys = || unexplained::naming_keys(project, text, &missing.wanted).map(|(key, _)| key);
                // A file that git had and that its readers do without for long is found elsewhere by a rule as well.
                let key = readers::is_stray(tree, missing).then(|| readers::stray_key(text));
                let is_new = |key: u64| !this.missed.contains(&key);
                let target = target_hash(missing, text);
                let record = Some(record_key()).filter(|_| literal.kind.construct() == "value");
                let is_asked = missing.instead.is_none() || [key, record].into_iter().flatten().any(is_new);
                if is_explained && old_misses < MAX_OLD_MISSES && is_asked {
                    old_misses += 1;
                    if stood::is_month_old(tree, source, literal, missing) {
                        this.missed.extend(key);
                        this.missed.extend(key.map(|_| readers::stray_file_key()));
                        this.missed.extend(record);
                        this.missed.extend(missing.instead.is_none().then(naming_keys).into_iter().flatten());
                    }
                }
                if !is_explained {
                    this.missed.extend(naming_keys());
                    this.add_miss(keys, target);
                }
            } else {
                for key in keys {
                    *this.found.entry(key).or_default() += 1;
                }
            }
        }
        this
    }

    /// Counts a missing target in each of these groups.
    fn add_miss(&mut self, keys: impl IntoIterator<Item = u64>, target: u64) {
        for key in keys {
            self.missing.entry(key).or_default().insert(target);
        }
    }

    /// Counts the file's own literals of a group, without those that miss this target.
    fn tally(&self, key: u64, target: u64) -> Tally {
        let missing = self.missing.get(&key);
        let others = missing.map_or(0, |all| all.len() - usize::from(all.contains(&target)));
        Tally { found: self.found.get(&key).copied().unwrap_or_default(), missing: saturate(others) }
    }
}

fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The key under which files are counted that miss a target by this text. Modules look for one name in different directories.
pub(super) fn text_key(text: &str) -> u64 {
    hash(&("text", text))
}

/// The key under which files are counted that have a path in other letter case than the disk.
pub(super) fn case_key() -> u64 {
    hash(&"case")
}

/// The key under which files are counted of which many literals differ from the disk in letter case.
pub(super) fn loose_file_key() -> u64 {
    hash(&"loose-case")
}

/// The key under which files are counted that miss a path.
pub(super) fn path_key(wanted: &str) -> u64 {
    hash(&("path", wanted))
}

/// The key under which files of data are counted that have named what git moved or removed for a month.
pub(super) fn record_key() -> u64 {
    hash(&"record")
}

/// A hash of the path or anchor that a literal misses.
pub(super) fn target_hash(missing: &Missing, text: &str) -> u64 {
    let anchor = if missing.code == Code::MissingAnchor { text.rsplit('#').next() } else { None };
    hash(&("target", &missing.wanted, anchor))
}

/// Returns whether code requests a module by a literal.
fn is_import(literal: &Checked) -> bool {
    matches!(literal.kind.construct(), "import" | "include" | "include_angle" | "require" | "use")
}

/// Returns whether a miss has an explanation. It is then broken, and says nothing about a convention.
fn is_explained(tree: &dyn SourceTree, literal: &Checked, missing: &Missing) -> bool {
    if missing.code == Code::MissingAnchor {
        return false;
    }
    let wanted = missing.wanted.as_str();
    let tried = || std::iter::once(wanted).chain(literal.tried.iter().map(String::as_str).filter(|it| *it != wanted));
    missing.instead.is_some()
        || tried().take(MAX_HISTORY_PATHS).any(|path| tree.history(path) == HistoryVerdict::Had)
        || find_slip(tree, tried()).is_some()
}

/// The statistics of one language's sample.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LanguageStatistics {
    sampled: BTreeMap<String, Arc<FileTally>>,
    found: FxHashMap<u64, u32>,
    /// For each group, the missing targets without an explanation and the number of sampled files that miss each.
    missing: FxHashMap<u64, FxHashMap<u64, u32>>,
    /// The number of sampled files that miss a path.
    missed: FxHashMap<u64, u32>,
}

impl LanguageStatistics {
    /// The number of other files that miss a path, by its hash.
    pub(super) fn files_missing(&self, file: &str, key: u64) -> u32 {
        let all = self.missed.get(&key).copied().unwrap_or_default();
        let has_own = self.sampled.get(file).is_some_and(|old| old.missed.contains(&key));
        all.saturating_sub(u32::from(has_own))
    }

    #[expect(clippy::iter_over_hash_type, reason = "sums do not depend on the order")]
    fn add(&mut self, file: String, tally: Arc<FileTally>) {
        for (key, more) in &tally.found {
            *self.found.entry(*key).or_default() += more;
        }
        for (key, targets) in &tally.missing {
            let known = self.missing.entry(*key).or_default();
            for target in targets {
                *known.entry(*target).or_default() += 1;
            }
        }
        for key in &tally.missed {
            *self.missed.entry(*key).or_default() += 1;
        }
        self.sampled.insert(file, tally);
    }
}

/// The statistics of a file's language, with the file's current text in place of its sampled one.
#[derive(Debug)]
pub(super) struct FileStatistics {
    language: Arc<LanguageStatistics>,
    /// The sampled text's tally.
    old: Option<Arc<FileTally>>,
    own: FileTally,
    /// The number of different targets that a group misses, with this file's (`true`) or only in others. Counted once: a file can miss 100,000.
    missing: Mutex<FxHashMap<(u64, bool), usize>>,
}

impl FileStatistics {
    /// Joins the statistics of a language with one file's own tally.
    pub(super) fn new(language: Arc<LanguageStatistics>, file: &str, own: FileTally) -> Self {
        let old = language.sampled.get(file).cloned();
        Self { language, old, own, missing: Mutex::default() }
    }

    /// The statistics of all sampled files.
    pub(super) fn language(&self) -> &LanguageStatistics {
        &self.language
    }

    /// Counts the literals of a group, without those that miss this target.
    pub(super) fn tally(&self, key: u64, target: u64) -> Tally {
        let own = self.own.missing.get(&key);
        let is_counted = self.misses_elsewhere(key, target) || own.is_some_and(|own| own.contains(&target));
        let found = self.found_elsewhere(key) + self.own.found.get(&key).copied().unwrap_or_default();
        Tally { found, missing: saturate(self.count_missing(key, true) - usize::from(is_counted)) }
    }

    /// Counts the literals of a group in the other files.
    pub(super) fn tally_elsewhere(&self, key: u64) -> Tally {
        Tally { found: self.found_elsewhere(key), missing: saturate(self.count_missing(key, false)) }
    }

    /// Counts the file's own literals of a group, without those that miss this target.
    pub(super) fn tally_inside(&self, key: u64, target: u64) -> Tally {
        self.own.tally(key, target)
    }

    fn found_elsewhere(&self, key: u64) -> u32 {
        let old = self.old.as_ref().and_then(|old| old.found.get(&key)).copied().unwrap_or_default();
        self.language.found.get(&key).copied().unwrap_or_default() - old
    }

    fn misses_elsewhere(&self, key: u64, target: u64) -> bool {
        let all = self.language.missing.get(&key).and_then(|files| files.get(&target)).copied().unwrap_or_default();
        let old = self.old.as_ref().and_then(|old| old.missing.get(&key));
        all > u32::from(old.is_some_and(|old| old.contains(&target)))
    }

    fn count_missing(&self, key: u64, with_own: bool) -> usize {
        *self.missing.lock().entry((key, with_own)).or_insert_with(|| {
            let only_in = |targets: Option<&FxHashSet<u64>>| {
                targets.map_or(0, |targets| targets.iter().filter(|it| !self.misses_elsewhere(key, **it)).count())
            };
            let all = self.language.missing.get(&key).map_or(0, FxHashMap::len);
            let gone = only_in(self.old.as_ref().and_then(|old| old.missing.get(&key)));
            let new = if with_own { only_in(self.own.missing.get(&key)) } else { 0 };
            all - gone + new
        })
    }
}

type LanguageCell = Arc<OnceLock<Arc<LanguageStatistics>>>;

/// Statistics of a tree by language, each read when a missing literal first needs it.
#[derive(Debug, Default)]
pub(crate) struct Statistics {
    languages: Mutex<HashMap<&'static str, LanguageCell>>,
    /// Tallies of files that the last change did not affect.
    known_tallies: FxHashMap<String, Arc<FileTally>>,
    builds: Arc<BuildFiles>,
}

impl Statistics {
    /// The statistics of a file's language, read now if necessary.
    pub(super) fn for_file(&self, file: &str, tree: &dyn SourceTree, project: &Project) -> Arc<LanguageStatistics> {
        let Some(language) = pathfinder_languages::for_path(file).next() else { return Arc::default() };
        let cell = self.cell(language.name());
        // No parallel work here: a thread that waits for others could get work that waits for this.
        let read =
            || Arc::new(sum_tallies(sample_files(language, tree).map(|file| self.tally_of(file, None, tree, project))));
        Arc::clone(cell.get_or_init(read))
    }

    /// The build files of the tree.
    pub(super) fn builds(&self) -> Arc<BuildFiles> {
        Arc::clone(&self.builds)
    }

    /// Reads the statistics of these files' languages in parallel. `literals` are those of files that were checked already.
    pub(crate) fn prepare<'f>(
        &self,
        files: impl Iterator<Item = &'f str>,
        literals: &FxHashMap<&str, &[Checked]>,
        tree: &dyn SourceTree,
        project: &Project,
    ) {
        let mut names = FxHashSet::default();
        for language in files.filter_map(|file| pathfinder_languages::for_path(file).next()) {
            if names.insert(language.name()) {
                self.read(language, literals, tree, project);
            }
        }
    }

    /// The statistics of the tree after a change; tallies of files outside `affected` are reused.
    pub(crate) fn after_change(&self, affected: &BTreeSet<String>) -> Self {
        let mut known_tallies = FxHashMap::default();
        #[expect(clippy::iter_over_hash_type, reason = "they are put into a map")]
        for cell in self.languages().values() {
            let known = cell.get().map(|known| known.sampled.clone());
            known_tallies.extend(known.into_iter().flatten());
        }
        known_tallies.retain(|file, _| !affected.contains(file));
        Self { known_tallies, ..Self::default() }
    }

    /// Reads the languages that `before` knew, and returns those whose statistics differ.
    pub(crate) fn find_differing(
        &self,
        before: &Self,
        tree: &dyn SourceTree,
        project: &Project,
    ) -> FxHashSet<&'static str> {
        let known: Vec<(&'static str, LanguageCell)> =
            before.languages().iter().map(|(name, cell)| (*name, Arc::clone(cell))).collect();
        let languages = pathfinder_languages::ALL.iter().copied();
        let both = languages.filter_map(|language| {
            let (name, before) = known.iter().find(|(name, _)| *name == language.name())?;
            (**before.get()? != *self.read(language, &FxHashMap::default(), tree, project)).then_some(*name)
        });
        both.collect()
    }

    /// Reads the statistics of a language in parallel.
    fn read(
        &self,
        language: &dyn Language,
        literals: &FxHashMap<&str, &[Checked]>,
        tree: &dyn SourceTree,
        project: &Project,
    ) -> Arc<LanguageStatistics> {
        let cell = self.cell(language.name());
        if let Some(known) = cell.get() {
            return Arc::clone(known);
        }
        let files: Vec<&str> = sample_files(language, tree).collect();
        let tally = |file| self.tally_of(file, literals.get(file).copied(), tree, project);
        let tallies: Vec<_> = files.into_par_iter().map(tally).collect();
        // If another thread was faster, its result is equal.
        Arc::clone(cell.get_or_init(|| Arc::new(sum_tallies(tallies.into_iter()))))
    }

    fn cell(&self, language: &'static str) -> LanguageCell {
        Arc::clone(self.languages().entry(language).or_default())
    }

    fn languages(&self) -> MutexGuard<'_, HashMap<&'static str, LanguageCell>> {
        self.languages.lock()
    }

    /// The tally of one sampled file, of which the literals may be known; `None` if it cannot be read.
    fn tally_of(
        &self,
        file: &str,
        literals: Option<&[Checked]>,
        tree: &dyn SourceTree,
        project: &Project,
    ) -> Option<(String, Arc<FileTally>)> {
        if let Some(known_tallies) = self.known_tallies.get(file) {
            return Some((file.to_owned(), Arc::clone(known_tallies)));
        }
        let bytes = tree.bytes(file)?;
        let source = Source::new(file, &bytes).filter(|_| bytes.len() <= MAX_SAMPLED_BYTES)?;
        let tally = match literals {
            Some(literals) => FileTally::new(&source, literals, tree, project),
            None => FileTally::new(&source, &pathfinder_literals::check(&source, project), tree, project),
        };
        Some((file.to_owned(), Arc::new(tally)))
    }
}

/// All files that the statistics of some language are computed from.
pub(crate) fn sampled_files(tree: &dyn SourceTree) -> FxHashSet<&str> {
    let mut by_language: FxHashMap<&'static str, Vec<(u64, &str)>> = FxHashMap::default();
    for file in tree.files().iter().map(String::as_str) {
        let order = hash(&file);
        for language in pathfinder_languages::for_path(file) {
            by_language.entry(language.name()).or_default().push((order, file));
        }
    }
    by_language.into_values().flat_map(first_files).collect()
}

/// The files that a language's statistics are computed from.
fn sample_files<'w>(language: &dyn Language, tree: &'w dyn SourceTree) -> impl Iterator<Item = &'w str> {
    let all = tree.files().iter().map(String::as_str).filter(|file| language.claims(file));
    first_files(all.map(|file| (hash(&file), file)).collect())
}

/// The files that come first by their hashes, not sorted.
fn first_files(mut all: Vec<(u64, &str)>) -> impl Iterator<Item = &str> {
    if all.len() > MAX_SAMPLED_FILES {
        all.select_nth_unstable(MAX_SAMPLED_FILES);
        all.truncate(MAX_SAMPLED_FILES);
    }
    all.into_iter().map(|(_, file)| file)
}

/// Adds up the tallies of files.
fn sum_tallies(files: impl Iterator<Item = Option<(String, Arc<FileTally>)>>) -> LanguageStatistics {
    let mut all = LanguageStatistics::default();
    files.flatten().for_each(|(file, tally)| all.add(file, tally));
    all
}
