//! Compares names for typos, and indexes names so that typos are found fast. `typo_findings` and several languages use it.

use std::hash::{BuildHasher, BuildHasherDefault};

use rustc_hash::FxHasher;

use crate::path::{name, parent};
use crate::tree::Tree;

/// Minimum length of a name. In shorter words one changed letter usually makes another word (`ring`, `rng`).
const MIN_NAME_BYTES: usize = 4;

/// Minimum length of a word for a typo in its first letter. In shorter words that makes another word (`snorm`, `unorm`;
/// `fs_futimes`, `fs_lutimes`).
const MIN_BYTES_FIRST_LETTER: usize = 8;

/// Maximum length of a name. Longer names are not compared.
const MAX_NAME_BYTES: usize = 100;

/// Returns whether two names differ by one typo: one letter dropped, doubled, added or replaced, or two adjacent letters
/// swapped. Names that differ in a digit (`sha1`, `sha2`), in a word of one letter (`test_a`, `test_b`) or in a code of two (`title_de`,
/// `title_el`) are distinct.
pub fn is_typo(left: &str, right: &str) -> bool {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    let (short, long) = (short.as_bytes(), long.as_bytes());
    if long.len() < MIN_NAME_BYTES || long.len() > MAX_NAME_BYTES || long.len() - short.len() > 1 {
        return false;
    }
    // `.config` and `config` are two names that many trees have.
    if short.first() != long.first() && (short.first() == Some(&b'.') || long.first() == Some(&b'.')) {
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
    if !is_edit || is_other_code(now, was, long, start) {
        return false;
    }
    let is_letter = |at: usize| long.get(at).is_some_and(u8::is_ascii_alphabetic);
    // A dropped letter within a name leaves a word that is seldom one, another letter makes one.
    if start == 0 || now.len() == 1 && was.len() == 1 && !is_letter(start - 1) {
        let word = long[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if word < MIN_BYTES_FIRST_LETTER {
            return false;
        }
    }
    let is_word = was.len() == 1 && !is_letter(start + 1) && (start == 0 || !is_letter(start - 1));
    !is_word && !now.iter().chain(was).any(u8::is_ascii_digit)
}

/// Returns whether a replaced letter is one of a word of two: a code of a language, a country or two axes.
fn is_other_code(now: &[u8], was: &[u8], long: &[u8], at: usize) -> bool {
    let is_letter = |at: usize| long.get(at).is_some_and(u8::is_ascii_alphabetic);
    let is_before = |at: usize| at.checked_sub(1).is_some_and(is_letter);
    let is_pair = is_letter(at + 1) && !is_letter(at + 2) && !is_before(at)
        || is_before(at) && !is_before(at - 1) && !is_letter(at + 1);
    now.len() == 1 && was.len() == 1 && is_pair
}

/// Returns whether two names differ by one replaced letter of a word of two, and not by a typo: `title_de`, `title_el`.
pub fn differ_in_code(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let differing = || left.iter().zip(right).enumerate().filter(|(_, (one, two))| one != two);
    let at = differing().next().map(|(at, _)| at);
    left.len() == right.len()
        && differing().count() == 1
        && at.is_some_and(|at| is_other_code(&left[at..=at], &right[at..=at], left, at))
}

/// Returns whether two names differ by one digit that was dropped, added or replaced: `part3`, `part7`. Names without a letter are a
/// series, of which any can be missing.
pub fn is_number_slip(left: &str, right: &str) -> bool {
    let (short, long) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    if long.len() > MAX_NAME_BYTES
        || long.len() - short.len() > 1
        || !long.bytes().any(|byte| byte.is_ascii_alphabetic())
    {
        return false;
    }
    let start = short.bytes().zip(long.bytes()).take_while(|(one, two)| one == two).count();
    let (now, was) = (&short.as_bytes()[start..], &long.as_bytes()[start..]);
    let is_digit = |rest: &[u8]| rest.first().is_some_and(u8::is_ascii_digit);
    let is_same_length = short.len() == long.len();
    is_digit(was) && if is_same_length { is_digit(now) && now[1..] == was[1..] } else { *now == was[1..] }
}

/// Returns whether two names have the same letters in another style of writing: `should_instrument`, `shouldInstrument`. Names
/// that differ only in case are left to the lookup, which knows the disk's spelling.
pub fn is_respelling(left: &str, right: &str) -> bool {
    fn letters(name: &str) -> impl Iterator<Item = u8> + '_ {
        name.bytes().filter(u8::is_ascii_alphanumeric).map(|byte| byte.to_ascii_lowercase())
    }
    let is_name = |name: &str| name.is_ascii() && (MIN_NAME_BYTES..=MAX_NAME_BYTES).contains(&name.len());
    is_name(left) && is_name(right) && !left.eq_ignore_ascii_case(right) && letters(left).eq(letters(right))
}

/// Returns the only entry of the path's directory whose name differs from the path's name by a typo.
///
/// Names are compared up to the first dot and without the `_` of partials. `fits` filters entries by the rest of their name.
pub fn only_neighbor(tree: &dyn Tree, path: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let split = |name: &str| {
        let name = name.trim_start_matches('_');
        let end = name.find('.').unwrap_or(name.len());
        (name[..end].to_owned(), name[end..].to_owned())
    };
    let (stem, _) = split(name(path));
    let names = tree.names(parent(path));
    let mut near = names.iter().filter(|entry| {
        let (other, rest) = split(entry);
        is_typo(&stem, &other) && fits(&rest)
    });
    near.next().filter(|_| near.next().is_none()).cloned()
}

/// Finds the names of a list that differ from a given name by a typo, without a scan of the list.
///
/// Each name is indexed by itself and by each variant without one letter. Two names that differ by a typo share one of these
/// keys.
#[derive(Debug, Default)]
pub struct TypoIndex {
    /// Hash of a variant, and the position in the list; sorted.
    entries: Vec<(u32, u32)>,
}

impl TypoIndex {
    /// Indexes names by their position.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut entries = Vec::new();
        for (at, name) in names.into_iter().enumerate() {
            entries.extend(hashes(name).map(|hash| (hash, at as u32)));
        }
        entries.sort_unstable();
        entries.dedup();
        Self { entries }
    }

    /// Returns the positions of names that may differ from `name` by a typo. The caller confirms them with [`is_typo`].
    pub fn candidates(&self, name: &str) -> Vec<usize> {
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

/// Returns the hashes of a name and of its variants without one byte.
fn hashes(name: &str) -> impl Iterator<Item = u32> + '_ {
    let bytes = name.as_bytes();
    let count = if bytes.len() > MAX_NAME_BYTES { 0 } else { bytes.len() };
    let hasher = BuildHasherDefault::<FxHasher>::default();
    let mut left = Vec::with_capacity(bytes.len());
    (0..=count).map(move |at| {
        left.clear();
        left.extend(bytes.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, byte)| *byte));
        // The last variant is the whole name.
        (hasher.hash_one(&left) >> 32) as u32
    })
}

#[cfg(test)]
mod tests {
    use super::{TypoIndex, is_number_slip, is_respelling, is_typo, only_neighbor};
    use crate::testing::MemoryTree;

    #[test]
    fn recognises_styles_of_writing() {
        for (left, right) in [("should_instrument", "shouldInstrument"), ("default-reporter", "DefaultReporter")] {
            assert!(is_respelling(left, right) && is_respelling(right, left), "{left} {right}");
        }
        for (left, right) in
            [("reporter", "Reporter"), ("a_b", "ab"), ("reporters", "re-porter"), ("naïve_x", "naïveX")]
        {
            assert!(!is_respelling(left, right), "{left} {right}");
        }
    }

    #[test]
    fn recognises_typos() {
        for (left, right) in [
            ("internal", "intrnal"),
            ("internal", "interrnal"),
            ("internal", "intenral"),
            ("internal", "ilternal"),
            ("task", "tak"),
            ("util", "utils"),
            ("transport", "rtansport"),
            ("curl_setup", "cur_lsetup"),
            ("curl_transport", "curl_rtansport"),
            ("join-lack", "join-slack"),
            ("title_en", "title_ne"),
        ] {
            assert!(is_typo(left, right) && is_typo(right, left), "{left} {right}");
        }
        for (left, right) in [
            ("task", "task"),
            ("tsk", "ts"),
            ("sha1", "sha2"),
            ("sha1", "sha"),
            ("test_a", "test_b"),
            ("test_a", "test_"),
            ("title_el", "title_en"),
            ("de_title", "da_title"),
            ("unorm", "snorm"),
            ("_fs_futimes", "_fs_lutimes"),
            (".terminfo", "terminfo"),
            ("internal", "extern"),
            ("abcd", "badc"),
            ("", ""),
        ] {
            assert!(!is_typo(left, right) && !is_typo(right, left), "{left} {right}");
        }
    }

    #[test]
    fn recognises_slips_of_numbers() {
        let check = |left: &str, right: &str, expect: bool| {
            assert_eq!(is_number_slip(left, right), expect, "{left} {right}");
            assert_eq!(is_number_slip(right, left), expect, "{right} {left}");
        };
        check("part3", "part7", true);
        check("part", "part7", true);
        check("v12_a", "v2_a", true);
        check("part3", "part3", false);
        check("part", "parts", false);
        check("part3a", "part4b", false);
        check("parta", "part3", false);
        check("2019", "2018", false);
        check("", "1", false);
    }

    #[test]
    fn finds_the_only_neighbor() {
        let tree = MemoryTree::new("a/_colors.scss\na/mixins.scss\na/mixing.css\na/colors.txt");
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
    fn finds_candidates_by_index() {
        let names = ["internal.h", "task.h", "interval.h", "é.h"];
        let index = TypoIndex::new(names);
        let check = |name: &str, expect: &[&str]| {
            let near: Vec<&str> = index.candidates(name).into_iter().map(|at| names[at]).collect();
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
