//! Builds a layer from the entries of walks, in any order.

use std::cmp::Ordering;

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Counts, Directory, File, Layer, Node, SYMLINK};
use crate::index::strings::{PackedPostings, Postings, Strings};
use crate::index::walked_entries::WalkedEntries;
use crate::path::{name, parent};
use crate::probe::Kind;
use crate::words::{for_each_word, split_extension};

/// Names per task of a thread: enough that merging the results of threads costs almost nothing.
const CHUNK_SIZE: usize = 8192;

impl Layer {
    /// Builds a layer. Missing parents are added, and duplicate entries are kept once. If their kinds differ, a directory
    /// wins over a link, and a link over a file.
    pub(crate) fn build(found: &[WalkedEntries]) -> Self {
        let (paths, interner) = rayon::join(|| directory_paths(found), || NameInterner::new(found));
        let numbers: FxHashMap<&[u8], u32> =
            paths.iter().enumerate().map(|(number, path)| (path.as_slice(), number as u32)).collect();
        let (names, ranks) = interner.sorted(&paths);
        let ((words, names_by_word), (directories, files)) = rayon::join(
            || index_words(&names),
            || (build_directories(&paths, &numbers, &names), build_files(found, &numbers, &names, &ranks, &paths)),
        );
        drop((ranks, numbers));
        drop(paths);
        let ranks: Vec<u32> = (0..names.len() as u32).collect();
        let letter_sets = ranks
            .par_chunks(CHUNK_SIZE)
            .flat_map_iter(|chunk| {
                let mut key = Vec::new();
                let names = &names;
                chunk.iter().map(move |&name| Self::letter_set_of(names.get(name), &mut key))
            })
            .collect();
        Self::assemble(names, letter_sets, directories, files, (words, PackedPostings::pack(&names_by_word)), None)
    }

    /// Assembles a layer from its stored parts, and computes the rest: the ends and files of directories, the entries of each
    /// name, and the counts if they are not given. The words come with the names that contain them.
    pub(super) fn assemble(
        names: Strings,
        letter_sets: Vec<u64>,
        mut directories: Vec<Directory>,
        files: Vec<File>,
        (words, names_by_word): (Strings, PackedPostings),
        counts_read: Option<Counts>,
    ) -> Self {
        // Children come after their parents, so going backwards each end is known before it is handed up.
        for number in (0..directories.len()).rev() {
            let end = directories[number].end.max(number as u32 + 1);
            directories[number].end = end;
            let parent = directories[number].parent as usize;
            directories[parent].end = directories[parent].end.max(end);
        }
        let mut next = 0;
        for (number, directory) in directories.iter_mut().enumerate() {
            while next < files.len() && (files[next].directory as usize) < number {
                next += 1;
            }
            directory.first_file = next as u32;
        }
        let nodes = files.iter().enumerate().map(|(number, file)| (file.name & !SYMLINK, Node::file(number as u32).0));
        let nested = directories.iter().enumerate().skip(1);
        let nodes = nodes.chain(nested.map(|(number, directory)| (directory.name, Node::directory(number as u32).0)));
        let by_name = Postings::group(names.len(), nodes);
        let counts = counts_read.unwrap_or_else(|| Counts {
            words: (0..words.len() as u32)
                .map(|word| names_by_word.get(word).map(|name| by_name.get(name).len() as u32).sum())
                .collect(),
            extensions: count_extensions(&names, &by_name),
        });
        Self {
            names,
            letter_sets,
            directories,
            files,
            by_name,
            words,
            word_letters: std::sync::OnceLock::new(),
            names_by_word,
            counts,
        }
    }
}

/// The paths of all directories, the root's (empty) first, in the order of a depth-first walk.
fn directory_paths(found: &[WalkedEntries]) -> Vec<Vec<u8>> {
    let mut known: FxHashSet<Vec<u8>> = FxHashSet::default();
    known.insert(Vec::new());
    let mut add = |path: &[u8]| {
        let mut path = path;
        while !known.contains(path) {
            known.insert(path.to_vec());
            path = parent(path);
        }
    };
    let mut joined = Vec::new();
    for part in found {
        let parents: Vec<&[u8]> = part.directories().collect();
        for &path in &parents {
            add(path);
        }
        for (directory, name, kind) in part.entries() {
            if kind == Kind::Directory {
                join(parents[directory], name, &mut joined);
                add(&joined);
            }
        }
    }
    let mut paths: Vec<Vec<u8>> = known.into_iter().collect();
    paths.par_sort_unstable_by(|left, right| compare_by_segments(left, right));
    paths
}

/// Compares in byte order with `/` before all other bytes, so that a directory is followed by everything below it.
fn compare_by_segments(left: &[u8], right: &[u8]) -> Ordering {
    let shared = crate::distance::common_prefix(left, right);
    let rank = |path: &[u8]| path.get(shared).map_or(0, |&byte| if byte == b'/' { 1 } else { u16::from(byte) + 2 });
    rank(left).cmp(&rank(right))
}

fn join(directory: &[u8], name: &[u8], path: &mut Vec<u8>) {
    path.clear();
    path.extend_from_slice(directory);
    if !directory.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

/// Numbers the names of entries in the order of first occurrence.
struct NameInterner<'a> {
    names: Vec<&'a [u8]>,
    numbers: FxHashMap<&'a [u8], u32>,
    /// The number of the name for each entry of each list.
    entries: Vec<Vec<u32>>,
}

impl<'a> NameInterner<'a> {
    fn new(found: &'a [WalkedEntries]) -> Self {
        let mut interner = Self { names: Vec::new(), numbers: FxHashMap::default(), entries: Vec::new() };
        for part in found {
            let entries = part.entries().map(|(_, name, _)| interner.number(name)).collect();
            interner.entries.push(entries);
        }
        interner
    }

    fn number(&mut self, name: &'a [u8]) -> u32 {
        *self.numbers.entry(name).or_insert_with(|| {
            self.names.push(name);
            self.names.len() as u32 - 1
        })
    }

    /// The sorted names, with those of directories that no walk listed, and the rank of each entry's name.
    fn sorted<'b>(mut self, paths: &'b [Vec<u8>]) -> (Strings, Vec<Vec<u32>>)
    where
        'b: 'a,
    {
        for path in paths {
            self.number(name(path));
        }
        let mut order: Vec<u32> = (0..self.names.len() as u32).collect();
        let names = &self.names;
        order.par_sort_unstable_by_key(|&number| names[number as usize]);
        let sorted: Vec<&[u8]> = order.iter().map(|&number| names[number as usize]).collect();
        let mut ranks = vec![0_u32; order.len()];
        for (rank, &number) in order.iter().enumerate() {
            ranks[number as usize] = rank as u32;
        }
        for number in self.entries.iter_mut().flatten() {
            *number = ranks[*number as usize];
        }
        (Strings::from_sorted(sorted.iter().copied()), self.entries)
    }
}

/// The rank of a name that is known to exist.
fn rank(names: &Strings, name: &[u8]) -> u32 {
    names.find(name).unwrap_or_default()
}

fn build_directories(paths: &[Vec<u8>], numbers: &FxHashMap<&[u8], u32>, names: &Strings) -> Vec<Directory> {
    paths.iter().map(|path| Directory::new(numbers[parent(path)], rank(names, name(path)))).collect()
}

fn build_files(
    found: &[WalkedEntries],
    numbers: &FxHashMap<&[u8], u32>,
    names: &Strings,
    ranks: &[Vec<u32>],
    paths: &[Vec<u8>],
) -> Vec<File> {
    // (directory, name, is not a link): sorted, so that a link comes before a file of one name.
    let mut rows: Vec<(u32, u32, bool)> = Vec::with_capacity(found.iter().map(WalkedEntries::len).sum());
    for (part, ranks) in found.iter().zip(ranks) {
        let directories: Vec<u32> = part.directories().map(|path| numbers[path]).collect();
        let entries = part.entries().zip(ranks).filter(|((_, _, kind), _)| *kind != Kind::Directory);
        rows.extend(entries.map(|((directory, _, kind), &name)| (directories[directory], name, kind != Kind::Symlink)));
    }
    rows.par_sort_unstable();
    rows.dedup_by_key(|row| (row.0, row.1));
    // Only names that some directory has can clash with a directory; only those are looked up by path.
    let directory_names: FxHashSet<u32> = paths.iter().map(|path| rank(names, name(path))).collect();
    let mut joined = Vec::new();
    rows.retain(|&(directory, name, _)| {
        !directory_names.contains(&name) || {
            join(&paths[directory as usize], names.get(name), &mut joined);
            !numbers.contains_key(joined.as_slice())
        }
    });
    // Exact capacity: collecting in place would keep the larger rows' memory.
    let mut files = Vec::with_capacity(rows.len());
    files.extend(
        rows.iter().map(|&(directory, name, file)| File { directory, name: if file { name } else { name | SYMLINK } }),
    );
    files
}

/// Counts files per extension.
fn count_extensions(names: &Strings, by_name: &Postings) -> Vec<(Box<[u8]>, u32)> {
    let mut counts: FxHashMap<&[u8], u32> = FxHashMap::default();
    for name in 0..names.len() as u32 {
        let files = by_name.get(name).iter().take_while(|&&raw| !Node(raw).is_directory()).count() as u32;
        if files > 0 {
            *counts.entry(split_extension(names.get(name)).1).or_default() += files;
        }
    }
    let mut lower: Vec<(Box<[u8]>, u32)> = counts
        .into_iter()
        .map(|(extension, count)| (extension.to_ascii_lowercase().into_boxed_slice(), count))
        .collect();
    lower.sort_unstable();
    lower.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    lower
}

/// The different words of a chunk of names, and (word's position, name) for each that has it.
type ChunkWords = (Vec<String>, Vec<(u32, u32)>);

/// All words of all names, and for each word the names that contain it.
fn index_words(names: &Strings) -> (Strings, Postings) {
    let ranks: Vec<u32> = (0..names.len() as u32).collect();
    // Each thread interns the words of its chunk: (its words, (word, name) pairs).
    let parts: Vec<ChunkWords> = ranks
        .par_chunks(CHUNK_SIZE)
        .map(|chunk| {
            let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
            let mut pairs = Vec::with_capacity(chunk.len() * 3);
            for &name in chunk {
                let first = pairs.len();
                for_each_word(names.get(name), |word| {
                    let next = numbers.len() as u32;
                    let number = if let Some(&number) = numbers.get(word) {
                        number
                    } else {
                        numbers.insert(word.to_owned(), next);
                        next
                    };
                    if !pairs[first..].contains(&(number, name)) {
                        pairs.push((number, name));
                    }
                });
            }
            let mut words = vec![String::new(); numbers.len()];
            #[expect(clippy::iter_over_hash_type, reason = "each word goes to its own place")]
            for (word, number) in numbers {
                words[number as usize] = word;
            }
            (words, pairs)
        })
        .collect();
    let mut sorted: Vec<&[u8]> = parts.iter().flat_map(|(words, _)| words.iter().map(String::as_bytes)).collect();
    sorted.par_sort_unstable();
    sorted.dedup();
    let words = Strings::from_sorted(sorted.iter().copied());
    let maps: Vec<Vec<u32>> = parts
        .iter()
        .map(|(local, _)| local.iter().map(|word| words.find(word.as_bytes()).unwrap_or(0)).collect())
        .collect();
    let pairs = parts.iter().zip(&maps);
    let pairs = pairs.flat_map(|((_, pairs), map)| pairs.iter().map(|&(word, name)| (map[word as usize], name)));
    let postings = Postings::group(words.len(), pairs);
    (words, postings)
}
