//! Finds files that are gone again among those that are new: the same content, then the same name with similar
//! content, then similar content. These are git's own three steps, with its numbers.

use std::collections::{BTreeMap, HashMap, HashSet};

use gix::objs::tree::EntryMode;
use gix::{ObjectId, Repository};
use pathfinder_core::RelPath;

use super::Limits;
use super::similarity::LineCounts;

/// How much of the content must be the same.
const MIN_SIMILARITY: f64 = 0.5;
/// The same between two files of one name that nobody else in the commit has: git's default is half way from
/// [`MIN_SIMILARITY`] to all of it.
const MIN_SIMILARITY_SAME_NAME: f64 = 0.75;
/// Among so many files each is compared with each, at most: git's limit.
const MAX_COMPARED_FILES: usize = 1000;
/// From so many files on (gone and new) no content is read: such commits bring in or accept out whole projects.
const MAX_READ_FILES: usize = 20_000;
/// Larger files are found by the same content only. Sources are not that large, and reading takes memory.
const MAX_CONTENT_BYTES: u64 = 16 * 1024 * 1024;
/// For each new file so many of the most similar ones are remembered, as git does: those before may be taken.
const MAX_CANDIDATES_PER_FILE: usize = 4;

/// A file that is gone or new.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    pub(super) path: RelPath,
    pub(super) id: ObjectId,
    pub(super) mode: EntryMode,
}

/// Which files belong together.
#[derive(Debug, Default)]
pub(super) struct RenamePairs {
    /// Before, after.
    pub(super) renames: Vec<(RelPath, RelPath)>,
    pub(super) gone: Vec<File>,
    pub(super) new: Vec<File>,
    /// Whether contents that had to be compared were not.
    pub(super) inexact: bool,
}

impl RenamePairs {
    /// RenamePairs the files of one commit; `None` if the limits were reached.
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

    /// RenamePairs files with the same key. Of several, the first ones by path belong together.
    fn pair_by<K: Eq + std::hash::Hash>(&mut self, key: impl Fn(&File) -> Option<K>) {
        let mut sources: HashMap<K, Vec<usize>> = HashMap::new();
        // Last ones first, so that the first by path is taken off the end.
        for (at, file) in self.gone.iter().enumerate().rev() {
            if let Some(key) = key(file) {
                sources.entry(key).or_default().push(at);
            }
        }
        let source = |file: &File| key(file).and_then(|key| sources.get_mut(&key)?.pop());
        let found: Vec<Option<usize>> = self.new.iter().map(source).collect();
        self.accept(found.into_iter().enumerate().filter_map(|(new, gone)| Some((gone?, new))).collect());
    }

    /// Names that exactly one file that is gone and one that is new have, of those that `count`.
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

    /// RenamePairs similar files whose name no other file has.
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

    /// RenamePairs the files that are most similar.
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

    /// Makes pairs of (position in `gone`, position in `new`).
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

/// Similarity, whether the names are the same, position in `gone`, position in `new`.
type Candidate = (f64, bool, usize, usize);

/// The most similar first, then those of one name, then by path.
fn by_rank(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then((a.2, a.3).cmp(&(b.2, b.3)))
}

/// The files' contents, each read once.
struct BlobCache<'a> {
    repository: &'a Repository,
    limits: Limits<'a>,
    lines: HashMap<ObjectId, Option<LineCounts>>,
    missing: bool,
}

impl BlobCache<'_> {
    /// How similar two files are; 0 if one cannot be read, or they surely are less similar than `least`.
    /// `None` if the limits were reached.
    fn similarity(&mut self, old: &File, new: &File, least: f64) -> Option<f64> {
        if self.limits.reached() {
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
            // Missing in partial clones, for one.
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

/// Symbolic links and submodules have no content to compare, nor have empty files.
fn is_comparable(file: &File) -> bool {
    file.mode.is_blob() && !is_empty(file)
}

/// Empty files are all alike, which says nothing.
fn is_empty(file: &File) -> bool {
    file.id.is_empty_blob()
}

/// The last segment of a file's path.
fn name(file: &File) -> &[u8] {
    file.path.as_bytes().rsplit(|&byte| byte == b'/').next().unwrap_or_default()
}
