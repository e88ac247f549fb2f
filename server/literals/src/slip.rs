//! Slips of the keyboard: names that differ as two words do of which one was mistyped, and an index that finds them.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::FxHasher;

use crate::path::{name, parent};
use crate::tree::Tree;

/// In words shorter than this one letter more or less makes another word as a rule (`ring`, `rng`).
const MIN_LETTERS: usize = 4;

/// In words of this length also the first letter may be wrong; in shorter ones that makes another word (`snorm`, `unorm`).
const MIN_LETTERS_FIRST: usize = 8;

/// Names with more bytes are not compared.
const MAX_BYTES: usize = 100;

/// Whether one of two names is the other mistyped: one letter dropped, doubled, added or replaced, or two neighbours
/// swapped. Numbers tell names apart (`sha1`, `sha2`), and so do words of one letter (`test_a`, `test_b`).
pub(crate) fn is_slip(left: &str, right: &str) -> bool {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    if long.len() < MIN_LETTERS || long.len() > MAX_BYTES || long.len() - short.len() > 1 {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let (short, rest) = (&short[start..], &long[start..]);
    let end = short.iter().rev().zip(rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (now, was) = (&short[..short.len() - end], &rest[..rest.len() - end]);
    let is_edit = match (now, was) {
        ([] | [_], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    };
    if !is_edit || start == 0 && long.len() < MIN_LETTERS_FIRST {
        return false;
    }
    let is_letter = |at: usize| long.get(at).is_some_and(u8::is_ascii_alphabetic);
    let is_word = was.len() == 1 && !is_letter(start + 1) && (start == 0 || !is_letter(start - 1));
    !is_word && !now.iter().chain(was).any(u8::is_ascii_digit)
}

/// The only entry of a directory of whose name this path's is a slip, up to the first dot and without the `_` of partials; `fits`
/// says of what follows in the entry's name whether it can be meant.
pub(crate) fn only_neighbor(tree: &dyn Tree, path: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let split = |name: &str| {
        let name = name.trim_start_matches('_');
        let end = name.find('.').unwrap_or(name.len());
        (name[..end].to_owned(), name[end..].to_owned())
    };
    let (stem, _) = split(name(path));
    let names = tree.names(parent(path));
    let mut near = names.iter().filter(|entry| {
        let (other, rest) = split(entry);
        is_slip(&stem, &other) && fits(&rest)
    });
    near.next().filter(|_| near.next().is_none()).cloned()
}

/// Finds the names of a list of which one is another name mistyped, without going through the list.
///
/// Each name is entered by itself and by all that is left of it without one letter: two names that are a slip apart have
/// one of these in common.
#[derive(Debug, Default)]
pub(crate) struct SlipIndex {
    /// Hash of what is left, and the place in the list; sorted.
    entries: Vec<(u32, u32)>,
}

impl SlipIndex {
    /// Of these names, in their order.
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut entries = Vec::new();
        for (at, name) in names.into_iter().enumerate() {
            entries.extend(hashes(name).map(|hash| (hash, at as u32)));
        }
        entries.sort_unstable();
        entries.dedup();
        Self { entries }
    }

    /// The places of names in the list that can be this one mistyped; those that are, [`is_slip`] says.
    pub(crate) fn near(&self, name: &str) -> Vec<usize> {
        let mut found = Vec::new();
        for hash in hashes(name) {
            let from = self.entries.partition_point(|entry| entry.0 < hash);
            found.extend(self.entries[from..].iter().take_while(|entry| entry.0 == hash).map(|entry| entry.1 as usize));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Hashes of a name, and of the name without each of its bytes.
fn hashes(name: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = name.as_bytes();
    let count = if bytes.len() > MAX_BYTES { 0 } else { bytes.len() };
    let hasher = BuildHasherDefault::<FxHasher>::default();
    let mut left = Vec::with_capacity(bytes.len());
    (0..=count).map(move |at| {
        left.clear();
        left.extend(bytes.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, byte)| *byte));
        // The last one leaves nothing out.
        (hasher.hash_one(&left) >> 32) as u32
    })
}

#[cfg(test)]
mod tests {
    use super::{SlipIndex, is_slip, only_neighbor};
    use crate::testing::Forest;

    #[test]
    fn slips() {
        for (left, right) in [
            ("internal", "intrnal"),
            ("internal", "interrnal"),
            ("internal", "intenral"),
            ("internal", "ilternal"),
            ("task", "tak"),
            ("util", "utils"),
            ("transport", "rtansport"),
            ("curl_setup", "cur_lsetup"),
        ] {
            assert!(is_slip(left, right) && is_slip(right, left), "{left} {right}");
        }
        for (left, right) in [
            ("task", "task"),
            ("tsk", "ts"),
            ("sha1", "sha2"),
            ("sha1", "sha"),
            ("test_a", "test_b"),
            ("test_a", "test_"),
            ("unorm", "snorm"),
            ("internal", "extern"),
            ("abcd", "badc"),
            ("", ""),
        ] {
            assert!(!is_slip(left, right) && !is_slip(right, left), "{left} {right}");
        }
    }

    #[test]
    fn neighbors() {
        let tree = Forest::new("a/_colors.scss\na/mixins.scss\na/mixing.css\na/colors.txt");
        let check = |path: &str, expect: Option<&str>| {
            let found = only_neighbor(&tree, path, |rest| rest == ".scss" || rest == ".css");
            assert_eq!(found.as_deref(), expect, "{path}");
        };
        check("a/colros", Some("_colors.scss"));
        check("a/_colros.scss", Some("_colors.scss"));
        check("a/mixin", None);
        check("b/colros", None);
    }

    #[test]
    fn index() {
        let names = ["internal.h", "task.h", "interval.h", "é.h"];
        let index = SlipIndex::new(names);
        let check = |name: &str, expect: &[&str]| {
            let near: Vec<&str> = index.near(name).into_iter().map(|at| names[at]).collect();
            assert_eq!(near, expect, "{name}");
        };
        check("interal.h", &["internal.h", "interval.h"]);
        check("tsak.h", &["task.h"]);
        check("task.h", &["task.h"]);
        check("ask.h", &["task.h"]);
        check("ta.h", &[]);
        check("", &[]);
        check(&"x".repeat(5000), &[]);
    }
}
