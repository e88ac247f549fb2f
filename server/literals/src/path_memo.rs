//! `PathMemo`: the last answers of a function of a path.

use std::cell::RefCell;
use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;

/// Remembered paths of one function: a file's own path, and the targets of the literals beside one another.
const SLOTS: usize = 64;

/// A path with its answer.
type Answered<T> = (Box<str>, T);

/// The answers for the paths that one thread asked about last. Each literal of a file asks again about the path of the file, and the
/// answer compares its directories with dozens of names.
pub struct PathMemo<T> {
    /// Each path has one slot, by its hash.
    slots: RefCell<[Option<Answered<T>>; SLOTS]>,
}

impl<T: Copy> PathMemo<T> {
    /// Creates a memo without answers.
    pub const fn new() -> Self {
        Self { slots: RefCell::new([const { None }; SLOTS]) }
    }

    /// Returns the answer for a path, computed if it is not remembered. The answer must depend on nothing but the path.
    pub fn get(&self, path: &str, compute: impl FnOnce(&str) -> T) -> T {
        let slot = FxBuildHasher.hash_one(path) as usize % SLOTS;
        if let Some((known, answer)) = &self.slots.borrow()[slot]
            && **known == *path
        {
            return *answer;
        }
        let answer = compute(path);
        self.slots.borrow_mut()[slot] = Some((path.into(), answer));
        answer
    }
}

impl<T: Copy> Default for PathMemo<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::{PathMemo, SLOTS};

    #[test]
    fn computes_an_answer_once_and_never_mixes_paths() {
        let memo = PathMemo::new();
        assert_eq!(memo.get("a", str::len), 1);
        assert_eq!(memo.get("a", |_| panic!("computed twice")), 1);
        for round in 0..2 {
            for count in 1..SLOTS * 3 {
                assert_eq!(memo.get(&"b".repeat(count), str::len), count, "{round}");
            }
        }
    }
}
