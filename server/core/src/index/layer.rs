//! `Layer`: an immutable, searchable table of entries; a `Snapshot` consists of one or two.
//!
//! Directories are numbered in the order of a depth-first walk, so that a subtree is a range of numbers,
//! and files in the order of their directories, so that a subtree's files are a range too. Each different
//! last segment (*name*) is stored once. 26–28 bytes a path hold all of it; the rest is for searching:
//! a letter set per name (typos), name → entries, word → names.

mod build;
mod image;

use std::ops::Range;
use std::sync::OnceLock;

use super::strings::{PackedPostings, Postings, PostingsIter, Strings};
use crate::probe::Kind;
use crate::words::letter_set;

/// An entry of a layer: a directory or a file by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node(u32);

impl Node {
    const DIRECTORY: u32 = 1 << 31;
    /// The root, in every layer.
    pub(crate) const ROOT: Self = Self(Self::DIRECTORY);

    pub(crate) fn directory(number: u32) -> Self {
        Self(number | Self::DIRECTORY)
    }

    pub(crate) fn file(number: u32) -> Self {
        Self(number)
    }

    pub(crate) fn is_directory(self) -> bool {
        self.0 & Self::DIRECTORY != 0
    }

    pub(crate) fn number(self) -> u32 {
        self.0 & !Self::DIRECTORY
    }

    fn from_raw(raw: u32) -> Self {
        Self(raw)
    }
}

#[derive(Clone, Copy, Debug)]
struct Directory {
    parent: u32,
    name: u32,
    /// One past the last directory below this one.
    end: u32,
    first_file: u32,
}

impl Directory {
    /// `end` and `first_file` are computed once all directories are known.
    fn new(parent: u32, name: u32) -> Self {
        Self { parent, name, end: 0, first_file: 0 }
    }
}

#[derive(Clone, Copy, Debug)]
struct File {
    directory: u32,
    /// Name number; the top bit says that the entry is a symbolic link.
    name: u32,
}

const SYMLINK: u32 = 1 << 31;

/// Counts over all entries. Counting takes longer than reading, so that the image of a layer contains them.
#[derive(Debug)]
struct Counts {
    /// For each word, the number of entries with it in their own name.
    words: Vec<u32>,
    /// Files per extension (lower case), sorted by extension.
    extensions: Vec<(Box<[u8]>, u32)>,
}

/// A table of entries, with indexes by name and word.
#[derive(Debug)]
pub(crate) struct Layer {
    names: Strings,
    letter_sets: Vec<u64>,
    directories: Vec<Directory>,
    files: Vec<File>,
    by_name: Postings,
    words: Strings,
    /// Letter sets of the words, computed on first use: resolving does not use them.
    word_letters: OnceLock<Box<[u64]>>,
    names_by_word: PackedPostings,
    counts: Counts,
}

impl Layer {
    pub(crate) fn names(&self) -> &Strings {
        &self.names
    }

    /// Letter sets of the names' stems, by name number.
    pub(crate) fn letter_sets(&self) -> &[u64] {
        &self.letter_sets
    }

    pub(crate) fn words(&self) -> &Strings {
        &self.words
    }

    /// Letter sets of the words, by their numbers.
    pub(crate) fn word_letters(&self) -> &[u64] {
        self.word_letters
            .get_or_init(|| (0..self.words.len() as u32).map(|word| letter_set(self.words.get(word))).collect())
    }

    /// Numbers of the names that have this word, in order.
    pub(crate) fn names_with_word(&self, word: u32) -> PostingsIter<'_> {
        self.names_by_word.get(word)
    }

    /// Number of entries with this word in their own name.
    pub(crate) fn entries_with_word(&self, word: u32) -> u32 {
        self.counts.words[word as usize]
    }

    /// All entries of this name: files first, then directories, each in order.
    pub(crate) fn nodes_named(&self, name: u32) -> impl ExactSizeIterator<Item = Node> + '_ {
        self.by_name.get(name).iter().map(|&raw| Node::from_raw(raw))
    }

    /// Entries of this name in a directory and below it: files, then directories.
    pub(crate) fn nodes_named_below(&self, name: u32, directory: u32) -> impl Iterator<Item = Node> + '_ {
        let (files, directories) = self.named_below(name, directory);
        files.iter().chain(directories).map(|&raw| Node::from_raw(raw))
    }

    /// Number of entries of this name in a directory and below it.
    pub(crate) fn count_named_below(&self, name: u32, directory: u32) -> usize {
        let (files, directories) = self.named_below(name, directory);
        files.len() + directories.len()
    }

    fn named_below(&self, name: u32, directory: u32) -> (&[u32], &[u32]) {
        let nodes = self.by_name.get(name);
        let within = |range: Range<u32>, node: fn(u32) -> Node| {
            let start = nodes.partition_point(|&raw| raw < node(range.start).0);
            let end = nodes.partition_point(|&raw| raw < node(range.end).0);
            &nodes[start..end]
        };
        (within(self.files_below(directory), Node::file), within(self.directories_below(directory), Node::directory))
    }

    /// Directories of this name, in order.
    pub(crate) fn directories_named(&self, name: u32) -> impl Iterator<Item = u32> + '_ {
        let nodes = self.by_name.get(name);
        let files = nodes.partition_point(|&raw| !Node::from_raw(raw).is_directory());
        nodes[files..].iter().map(|&raw| Node::from_raw(raw).number())
    }

    /// Number of files with this extension (lower case).
    pub(crate) fn files_with_extension(&self, extension: &[u8]) -> u32 {
        let counts = &self.counts.extensions;
        counts.binary_search_by(|(other, _)| other.as_ref().cmp(extension)).map_or(0, |at| counts[at].1)
    }

    pub(crate) fn file_count(&self) -> u32 {
        self.files.len() as u32
    }

    /// Directories, the root included.
    pub(crate) fn directory_count(&self) -> u32 {
        self.directories.len() as u32
    }

    pub(crate) fn name_of(&self, node: Node) -> u32 {
        if node.is_directory() {
            self.directories[node.number() as usize].name
        } else {
            self.files[node.number() as usize].name & !SYMLINK
        }
    }

    pub(crate) fn kind(&self, node: Node) -> Kind {
        if node.is_directory() {
            Kind::Directory
        } else if self.files[node.number() as usize].name & SYMLINK != 0 {
            Kind::Symlink
        } else {
            Kind::File
        }
    }

    /// The number of the directory that holds this entry; the root is held by itself.
    pub(crate) fn parent(&self, node: Node) -> u32 {
        if node.is_directory() {
            self.directories[node.number() as usize].parent
        } else {
            self.files[node.number() as usize].directory
        }
    }

    pub(crate) fn directory_name(&self, directory: u32) -> u32 {
        self.directories[directory as usize].name
    }

    /// Numbers of all directories below this one, itself not included.
    pub(crate) fn directories_below(&self, directory: u32) -> Range<u32> {
        directory + 1..self.directories[directory as usize].end
    }

    /// Numbers of all files in this directory and below it.
    pub(crate) fn files_below(&self, directory: u32) -> Range<u32> {
        let end = self.directories[directory as usize].end as usize;
        let last = self.directories.get(end).map_or(self.files.len() as u32, |next| next.first_file);
        self.directories[directory as usize].first_file..last
    }

    /// Numbers of the files directly in this directory.
    pub(crate) fn files_in(&self, directory: u32) -> Range<u32> {
        let next = self.directories.get(directory as usize + 1);
        let last = next.map_or(self.files.len() as u32, |next| next.first_file);
        self.directories[directory as usize].first_file..last
    }

    /// Numbers of the directories directly in this directory, in order of name.
    pub(crate) fn directories_in(&self, directory: u32) -> impl Iterator<Item = u32> + '_ {
        let mut next = directory + 1;
        let end = self.directories[directory as usize].end;
        std::iter::from_fn(move || {
            let child = next;
            (child < end).then(|| {
                next = self.directories[child as usize].end;
                child
            })
        })
    }

    /// The directory of this name directly in `parent`.
    pub(crate) fn child_directory(&self, parent: u32, name: u32) -> Option<u32> {
        let below = self.directories_below(parent);
        let nodes = self.by_name.get(name);
        let first = nodes.partition_point(|&raw| {
            let node = Node::from_raw(raw);
            !node.is_directory() || node.number() < below.start
        });
        nodes[first..]
            .iter()
            .map(|&raw| Node::from_raw(raw).number())
            .take_while(|number| below.contains(number))
            .find(|&number| self.directories[number as usize].parent == parent)
    }

    /// The file or link of this name directly in `parent`.
    pub(crate) fn child_file(&self, parent: u32, name: u32) -> Option<u32> {
        let range = self.files_in(parent);
        let files = &self.files[range.start as usize..range.end as usize];
        let at = files.binary_search_by_key(&name, |file| file.name & !SYMLINK).ok()?;
        Some(range.start + at as u32)
    }

    /// The entry at a path, given as segments from the root.
    pub(crate) fn find<'a>(&self, mut segments: impl DoubleEndedIterator<Item = &'a [u8]>) -> Option<Node> {
        // The last segment is looked up first, because it is most often the one that does not exist.
        let Some(last) = segments.next_back() else { return Some(Node::ROOT) };
        let last = self.names.find(last)?;
        let mut directory = 0;
        for segment in segments {
            directory = self.child_directory(directory, self.names.find(segment)?)?;
        }
        self.child(directory, last)
    }

    /// The existing entries along a path, from below the root on.
    pub(crate) fn path_nodes<'a>(&self, mut segments: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = Node> {
        let mut at = Some(Node::ROOT);
        std::iter::from_fn(move || {
            let directory = at.take().filter(|node| node.is_directory())?;
            at = self.child(directory.number(), self.names.find(segments.next()?)?);
            at
        })
    }

    /// The entry of this name directly in `parent`.
    pub(crate) fn child(&self, parent: u32, name: u32) -> Option<Node> {
        let directory = self.child_directory(parent, name).map(Node::directory);
        directory.or_else(|| self.child_file(parent, name).map(Node::file))
    }

    /// The entry at a path, given as numbers of names from the root on.
    pub(crate) fn find_named(&self, names: impl Iterator<Item = u32>) -> Option<Node> {
        let mut node = Node::ROOT;
        for name in names {
            if !node.is_directory() {
                return None;
            }
            node = self.child(node.number(), name)?;
        }
        Some(node)
    }

    /// Appends the numbers of a directory's own and all its ancestors' names, outermost first.
    pub(crate) fn push_name_chain(&self, directory: u32, chain: &mut Vec<u32>) {
        let start = chain.len();
        let mut at = directory;
        while at != 0 {
            chain.push(self.directories[at as usize].name);
            at = self.directories[at as usize].parent;
        }
        chain[start..].reverse();
    }

    /// The path of an entry, relative to the root.
    pub(crate) fn path(&self, node: Node) -> Vec<u8> {
        let mut chain = Vec::with_capacity(16);
        if node.is_directory() {
            self.push_name_chain(node.number(), &mut chain);
        } else {
            self.push_name_chain(self.parent(node), &mut chain);
            chain.push(self.name_of(node));
        }
        let mut path = Vec::with_capacity(chain.iter().map(|&name| self.names.get(name).len() + 1).sum());
        for (at, &name) in chain.iter().enumerate() {
            if at > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(self.names.get(name));
        }
        path
    }

    /// Memory held, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.names.memory()
            + self.letter_sets.capacity() * size_of::<u64>()
            + self.directories.capacity() * size_of::<Directory>()
            + self.files.capacity() * size_of::<File>()
            + self.by_name.memory()
            + self.words.memory()
            + self.names_by_word.memory()
            + self.counts.words.capacity() * size_of::<u32>()
    }

    fn letter_set_of(name: &[u8], key: &mut Vec<u8>) -> u64 {
        key.clear();
        crate::words::squash_into(crate::words::split_extension(name).0, key);
        letter_set(key)
    }
}

#[cfg(test)]
mod tests;
