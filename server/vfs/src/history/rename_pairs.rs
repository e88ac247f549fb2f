//! Pairs deleted files with added ones: by the same content, then by the same name and similar content, then by similar
//! content. These are git's own three steps, with its numbers.

use std::collections::{BTreeMap, HashMap, HashSet};

use gix::objs::tree::EntryMode;
use gix::{ObjectId, Repository};
use pathfinder_core::{RelPath, path};

use super::Limits;
use super::similarity::LineCounts;

/// Minimum share of common content.
const MIN_SIMILARITY: f64 = 0.5;
/// Minimum share for two files whose name no other file in the commit has. git's default is half way from
/// [`MIN_SIMILARITY`] to 1.
const MIN_SIMILARITY_SAME_NAME: f64 = 0.75;
/// Up to this many files on each side, every deleted file is compared with every added one: git's limit.
const MAX_COMPARED_FILES: usize = 1000;
/// With more files than this (deleted and added) no content is read: such commits import or remove whole projects.
const MAX_READ_FILES: usize = 20_000;
/// Larger files are paired by the same content only. Sources are not that large, and reading takes memory.
const MAX_CONTENT_BYTES: u64 = 16 * 1024 * 1024;
/// Candidates that are kept for each added file, as git does, because better-ranked ones may be taken.
const MAX_CANDIDATES_PER_FILE: usize = 4;

/// A deleted or added file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    pub(super) path: RelPath,
    pub(super) id: ObjectId,
    pub(super) mode: EntryMode,
}

/// Renames of a commit, and the files that remain unpaired.
#[derive(Debug, Default)]
pub(super) struct RenamePairs {
    /// (Before, after).
    pub(super) renames: Vec<(RelPath, RelPath)>,
    pub(super) gone: Vec<File>,
    pub(super) new: Vec<File>,
    /// True if contents that had to be compared were missing or too many.
    pub(super) inexact: bool,
}

impl RenamePairs {
    /// Pairs the files of one commit; `None` if the limits were reached.
    pub(super) fn find(
        mut gone: Vec<File>,
        mut new: Vec<File>,
        repository: &Repository,
        limits: Limits<'_>,
    ) -> Option<Self> {
        gone.sort_unstable();
        new.sort_unstable();
        let mut pairs = Self { gone, new, ..Self::default() };
        let many = pairs.gone.len() + pairs.new.len() > MAX_READ_FILES;
        pairs.pair_by(|file| (!is_empty(file)).then(|| (file.id, name(file).to_vec())));
        pairs.pair_by(|file| (!is_empty(file)).then_some(file.id));
        let only = pairs.only_of_their_name(is_empty);
        pairs.pair_by(|file| (is_empty(file) && only.contains(name(file))).then(|| name(file).to_vec()));

        if many {
            pairs.inexact = pairs.gone.iter().any(is_comparable) && pairs.new.iter().any(is_comparable);
        } else {
            let mut contents = BlobCache { repository, limits, lines: HashMap::new(), missing: false };
            pairs.pair_names(&mut contents)?;
            pairs.pair_similar(&mut contents)?;
            pairs.inexact |= contents.missing;
        }
        Some(pairs)
    }

    /// Pairs files with the same key. If several have it, the first ones by path are paired.
    fn pair_by<K: Eq + std::hash::Hash>(&mut self, key: impl Fn(&File) -> Option<K>) {
        let mut sources: HashMap<K, Vec<usize>> = HashMap::new();
        // The order is reversed so that `pop` returns the first file by path.
        for (at, file) in self.gone.iter().enumerate().rev() {
            if let Some(key) = key(file) {
                sources.entry(key).or_default().push(at);
            }
        }
        let source = |file: &File| key(file).and_then(|key| sources.get_mut(&key)?.pop());
        let found: Vec<Option<usize>> = self.new.iter().map(source).collect();
        self.accept(found.into_iter().enumerate().filter_map(|(new, gone)| Some((gone?, new))).collect());
    }

    /// Returns the names that exactly one deleted and one added file have, among the files that `count`.
    fn only_of_their_name(&self, count: impl Fn(&File) -> bool) -> HashSet<Vec<u8>> {
        let once = |files: &[File]| {
            let mut counts: HashMap<Vec<u8>, usize> = HashMap::new();
            for file in files.iter().filter(|file| count(file)) {
                *counts.entry(name(file).to_vec()).or_default() += 1;
            }
            counts.retain(|_, count| *count == 1);
            counts
        };
        let (gone, new) = (once(&self.gone), once(&self.new));
        gone.into_keys().filter(|name| new.contains_key(name)).collect()
    }

    /// Pairs similar files whose name no other file has.
    fn pair_names(&mut self, contents: &mut BlobCache<'_>) -> Option<()> {
        let only = self.only_of_their_name(is_comparable);
        let candidates = |files: &[File]| -> BTreeMap<Vec<u8>, usize> {
            let files = files.iter().enumerate().filter(|(_, file)| is_comparable(file) && only.contains(name(file)));
            files.map(|(at, file)| (name(file).to_vec(), at)).collect()
        };
        let (gone, new) = (candidates(&self.gone), candidates(&self.new));
        let mut found = Vec::new();
        for (name, old) in gone {
            let Some(&new_at) = new.get(&name) else { continue };
            let similarity = contents.similarity(&self.gone[old], &self.new[new_at], MIN_SIMILARITY_SAME_NAME)?;
            if similarity >= MIN_SIMILARITY_SAME_NAME {
                found.push((old, new_at));
            }
        }
        self.accept(found);
        Some(())
    }

    /// Pairs the most similar files.
    fn pair_similar(&mut self, contents: &mut BlobCache<'_>) -> Option<()> {
        let comparable = |files: &[File]| -> Vec<usize> {
            files.iter().enumerate().filter(|(_, file)| is_comparable(file)).map(|(at, _)| at).collect()
        };
        let (gone, new) = (comparable(&self.gone), comparable(&self.new));
        if gone.len() * new.len() > MAX_COMPARED_FILES * MAX_COMPARED_FILES {
            self.inexact = true;
            return Some(());
        }
        let mut all = Vec::new();
        for &new_at in &new {
            let file = &self.new[new_at];
            let mut best = Vec::new();
            for &old in &gone {
                let similarity = contents.similarity(&self.gone[old], file, MIN_SIMILARITY)?;
                if similarity >= MIN_SIMILARITY {
                    best.push((similarity, name(&self.gone[old]) == name(file), old, new_at));
                }
            }
            best.sort_by(by_rank);
            all.extend(best.into_iter().take(MAX_CANDIDATES_PER_FILE));
        }
        all.sort_by(by_rank);
        let (mut taken_gone, mut taken_new) = (HashSet::new(), HashSet::new());
        let mut found = Vec::new();
        for (_, _, old, new_at) in all {
            if !taken_gone.contains(&old) && taken_new.insert(new_at) {
                taken_gone.insert(old);
                found.push((old, new_at));
            }
        }
        self.accept(found);
        Some(())
    }

    /// Records pairs of (position in `gone`, position in `new`).
    fn accept(&mut self, found: Vec<(usize, usize)>) {
        let (mut from_gone, mut from_new) = (vec![false; self.gone.len()], vec![false; self.new.len()]);
        for (gone, new) in found {
            (from_gone[gone], from_new[new]) = (true, true);
            self.renames.push((self.gone[gone].path.clone(), self.new[new].path.clone()));
        }
        let (mut from_gone, mut from_new) = (from_gone.into_iter(), from_new.into_iter());
        self.gone.retain(|_| !from_gone.next().unwrap_or(false));
        self.new.retain(|_| !from_new.next().unwrap_or(false));
    }
}

/// (Similarity, same name, position in `gone`, position in `new`).
type Candidate = (f64, bool, usize, usize);

/// Orders by similarity, then same names first, then by path.
fn by_rank(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then((a.2, a.3).cmp(&(b.2, b.3)))
}

/// File contents as line counts, each read once.
struct BlobCache<'a> {
    repository: &'a Repository,
    limits: Limits<'a>,
    lines: HashMap<ObjectId, Option<LineCounts>>,
    missing: bool,
}

impl BlobCache<'_> {
    /// Returns the similarity of two files; 0 if one cannot be read or it must be below `least`. `None` if the limits
    /// were reached.
    fn similarity(&mut self, old: &File, new: &File, least: f64) -> Option<f64> {
        if self.limits.is_reached() {
            return None;
        }
        self.read(old.id);
        self.read(new.id);
        let (Some(Some(old)), Some(Some(new))) = (self.lines.get(&old.id), self.lines.get(&new.id)) else {
            return Some(0.0);
        };
        Some(old.similarity(new, least))
    }

    fn read(&mut self, id: ObjectId) {
        if self.lines.contains_key(&id) {
            return;
        }
        let lines = match self.repository.find_header(id) {
            Ok(header) if header.size() > MAX_CONTENT_BYTES => None,
            // Partial clones lack blobs.
            _ => self
                .repository
                .find_object(id)
                .inspect_err(|_| self.missing = true)
                .ok()
                .map(|it| LineCounts::new(&it.data)),
        };
        self.lines.insert(id, lines);
    }
}

/// Returns whether a file has content to compare. Symbolic links, submodules and empty files have none.
fn is_comparable(file: &File) -> bool {
    file.mode.is_blob() && !is_empty(file)
}

/// Empty files all have the same content, so it pairs nothing.
fn is_empty(file: &File) -> bool {
    file.id.is_empty_blob()
}

/// Returns the last segment of a file's path.
fn name(file: &File) -> &[u8] {
    path::name(file.path.as_bytes())
}
