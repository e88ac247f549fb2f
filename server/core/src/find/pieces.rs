//! Finds files by pieces of their paths: the beginnings of several words (`pay proc`), or directories and a name written as one
//! word (`utilstrackingcollisions`). Called by `find` of the `server` package.
//!
//! The index of names is asked first: words by their beginning, names by their letters. Directories hand down what they have, as in
//! the scan, so a query costs two passes over names and directories, and no path is written out but those that fit.

use std::cmp::Reverse;

use crate::index::layer::{Layer, Node};
use crate::index::snapshot::Part;
use crate::path::RelPath;
use crate::probe::Kind;
use crate::root::Root;
use crate::words::{for_each_word, letter_set, split_extension, squash_into};

/// Letters of a beginning: two are in every path, and five are mostly a word.
const BEGINNING_LETTERS: std::ops::RangeInclusive<usize> = 3..=4;
/// Beginnings of a query.
const BEGINNINGS: std::ops::RangeInclusive<usize> = 2..=4;
/// Letters of a joined path: fewer end many paths by chance.
const JOINED_LETTERS_MIN: usize = 8;

/// The parts of a path that a query names.
#[derive(Clone, Debug)]
pub enum Pieces {
    /// Beginnings of words, in lower case: one at least of the name, the others of the name or of directories.
    Beginnings(Vec<String>),
    /// The end of a path without its separators and extension, in lower case: more than the name.
    Joined(Vec<u8>),
}

/// The pieces that a name or path has, a bit each.
type PieceSet = u8;

/// A file that fits. Fields are in the order of their importance.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FittingFile {
    /// Pieces that the name has.
    in_stem: Reverse<u32>,
    length: usize,
    root: usize,
    part: usize,
    node: Node,
}

impl Pieces {
    /// Reads a query; `None` if it has no such form.
    pub fn parse(query: &str) -> Option<Self> {
        let parts: Vec<String> = query.split_whitespace().map(str::to_ascii_lowercase).collect();
        let is_word = |part: &String| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !parts.iter().all(is_word) {
            return None;
        }
        if let [joined] = &*parts {
            return (joined.len() >= JOINED_LETTERS_MIN).then(|| Self::Joined(joined.as_bytes().to_vec()));
        }
        let are_short = parts.iter().all(|part| BEGINNING_LETTERS.contains(&part.len()));
        (BEGINNINGS.contains(&parts.len()) && are_short).then_some(Self::Beginnings(parts))
    }

    /// Returns the best `most` files that fit and are present: the more pieces the name has, and the shorter the path, the less is
    /// left that was not asked for.
    pub fn find(
        &self,
        roots: &[Root],
        is_present: &dyn Fn(usize, &RelPath) -> bool,
        most: usize,
    ) -> Vec<(usize, RelPath)> {
        let mut fitting = Vec::new();
        for (root, own) in roots.iter().enumerate() {
            for (number, part) in own.snapshot.parts().iter().enumerate() {
                let mut add = |in_stem: u32, length: usize, node: Node| {
                    if part.layer.kind(node) == Kind::File && part.is_live(node) {
                        fitting.push(FittingFile { in_stem: Reverse(in_stem), length, root, part: number, node });
                    }
                };
                match self {
                    Self::Beginnings(parts) => add_beginnings(parts, &part.layer, &mut add),
                    Self::Joined(key) => add_joined(key, &part.layer, &mut add),
                }
            }
        }
        fitting.sort_unstable();
        let mut found = Vec::new();
        for alike in fitting
            .chunk_by(|one, other| (one.in_stem, one.length, one.root) == (other.in_stem, other.length, other.root))
        {
            let part = |file: &FittingFile| -> &Part { &roots[file.root].snapshot.parts()[file.part] };
            let mut paths: Vec<Vec<u8>> = alike.iter().map(|file| part(file).layer.path(file.node)).collect();
            paths.sort_unstable();
            let paths = paths.into_iter().map(|path| (alike[0].root, RelPath::new(path)));
            found.extend(paths.filter(|(root, path)| is_present(*root, path)).take(most - found.len()));
            if found.len() == most {
                break;
            }
        }
        found
    }
}

/// Adds the files of which each piece begins a word, one at least of the name.
fn add_beginnings(parts: &[String], layer: &Layer, add: &mut impl FnMut(u32, usize, Node)) {
    let mut pieces: Vec<PieceSet> = vec![0; layer.names().len()];
    let mut names: Vec<u32> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        for name in layer.words().with_prefix(part.as_bytes()).flat_map(|word| layer.names_with_word(word)) {
            if pieces[name as usize] == 0 {
                names.push(name);
            }
            pieces[name as usize] |= 1 << at;
        }
    }
    if names.is_empty() {
        return;
    }
    let all = (1 << parts.len()) - 1;
    // The pieces that a directory has with those above it, and the length of its path with a separator.
    let mut handed: Vec<(PieceSet, usize)> = Vec::with_capacity(layer.directory_count() as usize);
    handed.push((0, 0));
    for directory in 1..layer.directory_count() {
        let name = layer.directory_name(directory);
        let (above, length) = handed[layer.parent(Node::directory(directory)) as usize];
        handed.push((above | pieces[name as usize], length + layer.names().get(name).len() + 1));
    }
    for name in names {
        let text = layer.names().get(name);
        let own = pieces_of_stem(parts, text, pieces[name as usize]);
        for node in layer.nodes_named(name).take_while(|node| own != 0 && !node.is_directory()) {
            let (above, length) = handed[layer.parent(node) as usize];
            if above | own == all {
                add(own.count_ones(), length + text.len(), node);
            }
        }
    }
}

/// Returns which pieces the stem of a name has, if `known` are those of the whole name.
fn pieces_of_stem(parts: &[String], name: &[u8], known: PieceSet) -> PieceSet {
    let pieces_of = |text: &[u8]| {
        let mut pieces = 0;
        for_each_word(text, |word| {
            for (at, part) in parts.iter().enumerate() {
                pieces |= PieceSet::from(word.starts_with(part.as_str())) << at;
            }
        });
        pieces
    };
    let (stem, extension) = split_extension(name);
    if extension.is_empty() || pieces_of(extension) & known == 0 { known } else { pieces_of(stem) }
}

/// Adds the files whose name ends the key, and whose directories have the rest of it.
fn add_joined(key: &[u8], layer: &Layer, add: &mut impl FnMut(u32, usize, Node)) {
    let letters = letter_set(key);
    let mut squashed = Vec::new();
    for (name, set) in layer.letter_sets().iter().enumerate() {
        if set & !letters != 0 {
            continue;
        }
        let name = name as u32;
        squashed.clear();
        squash_into(split_extension(layer.names().get(name)).0, &mut squashed);
        if squashed.len() >= key.len() || !key.ends_with(&squashed) {
            continue;
        }
        let rest = &key[..key.len() - squashed.len()];
        for node in layer.nodes_named(name).take_while(|node| !node.is_directory()) {
            if directories_end_with(layer, layer.parent(node), rest) {
                add(1, layer.path(node).len(), node);
            }
        }
    }
}

/// Returns whether the path of a directory, written as one word, ends with `rest`.
fn directories_end_with(layer: &Layer, mut directory: u32, mut rest: &[u8]) -> bool {
    let mut own = Vec::new();
    while directory != 0 {
        own.clear();
        squash_into(layer.names().get(layer.directory_name(directory)), &mut own);
        if own.len() >= rest.len() {
            return own.ends_with(rest);
        }
        let Some(left) = rest.strip_suffix(&*own) else { return false };
        rest = left;
        directory = layer.parent(Node::directory(directory));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Tree;

    /// Asks a tree in which everything fits that a layer could mistake for the path.
    #[track_caller]
    fn check(query: &str, paths: &str, expected: &[&str]) {
        let engine = Tree::new(paths).engine();
        let found = Pieces::parse(query).map_or_else(Vec::new, |pieces| pieces.find(engine.roots(), &|_, _| true, 2));
        let found: Vec<_> = found.iter().map(|(_, path)| path.text()).collect();
        assert_eq!(found, expected, "{query} {paths}");
    }

    #[test]
    fn finds_beginnings_of_words() {
        check("pay proc", "src/payments/processor.py", &["src/payments/processor.py"]);
        check("pay proc", "src/payment_processor.py", &["src/payment_processor.py"]);
        check("pay proc", "src/payments/processing/queue.py", &[]);
        check("pay proc", "src/repay/processor.py", &[]);
        check("pay proc", "payments.d/v.proc", &[]);
        check("pay proc", "pay.proc/process.rs", &["pay.proc/process.rs"]);
        check("pa pr", "src/payments/processor.py", &[]);
        check("payments processor", "src/payments/processor.py", &[]);
        check("pay pay", "payments/a.py\npay/pay.py", &["pay/pay.py"]);
    }

    #[test]
    fn finds_directories_and_names_written_as_one_word() {
        check("utilstrackingcollisions", "src/utils/tracking/collisions.py", &["src/utils/tracking/collisions.py"]);
        check("utilstrackingcollisions", "src/utils/tracking_collisions.rs", &["src/utils/tracking_collisions.rs"]);
        check("ilstrackingcollisions", "src/utils/tracking/collisions.py", &["src/utils/tracking/collisions.py"]);
        check("utilstrackingcollisions", "src/utils/tracking/collisions_more.py", &[]);
        check("srcutilscollisions", "utils/collisions.py", &[]);
        check("collisions", "src/utils/collisions.py", &[]);
        check("metanuraj dibo", "src/meta/nuraj.py", &[]);
    }

    #[test]
    fn puts_more_of_the_name_and_shorter_paths_first() {
        let paths = "pay/a/process.py\npay/b/process.py\nlong/directories/pay_process.py\npay/process.md";
        check("pay proc", paths, &["long/directories/pay_process.py", "pay/process.md"]);
        check("payaprocess", paths, &["pay/a/process.py"]);
        check("pay proc", "pay/b/process.py\npay/a/process.py", &["pay/a/process.py", "pay/b/process.py"]);
    }
}
