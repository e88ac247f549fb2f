//! `Frecency`: how well known paths of a root are, from what was used and what changed.

mod visits;

use rustc_hash::FxHashMap;

use crate::path::RelPath;

pub use visits::Visits;

/// A path and how well known it is: what makes one of several equal candidates the likelier one.
///
/// Use fades with time ("frecency", as in Firefox's address bar and in zoxide). Core has no clock, so that this is
/// the state at one moment, made by who has one.
#[derive(Clone, Debug, Default)]
pub struct Frecency(FxHashMap<RelPath, f32>);

impl Frecency {
    /// Of these paths, each with how often it was used or changed, a use long ago counting for less than 1. What is
    /// named twice counts as both together.
    pub fn new(uses: impl IntoIterator<Item = (RelPath, f32)>) -> Self {
        let mut sums: FxHashMap<RelPath, f32> = FxHashMap::default();
        for (path, uses) in uses {
            *sums.entry(path).or_default() += uses.max(0.0);
        }
        Self(sums)
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// From 0, never used, to 1: half after one use, so that the second says less than the first.
    pub fn of(&self, path: &RelPath) -> f32 {
        self.0.get(path).map_or(0.0, |uses| uses / (uses + 1.0))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::Tree;
    use crate::{Request, Root, Status};

    #[test]
    fn more_use_says_more_and_never_too_much() {
        let uses = [("a", 1.0), ("b", 3.0), ("a", 2.0), ("c", -1.0), ("d", f32::MAX)];
        let familiar = Frecency::new(uses.map(|(path, uses)| (RelPath::from(path), uses)));
        let of = |path: &str| familiar.of(&RelPath::from(path));
        assert_eq!((of("a").to_bits(), of("c").to_bits(), of("none").to_bits()), (of("b").to_bits(), 0, 0));
        assert!(of("a") > 0.5 && of("d") <= 1.0);
    }

    /// It tells equals apart, and nothing else: neither a better name nor an intent.
    #[test]
    fn what_is_familiar_wins_ties() {
        let tree = Tree::new("alpha/client.go\nbeta/client.go\ngamma/client.go\ngamma/client_test.go\n");
        let check = |known: &str, request: Request, first: &str| {
            let engine = tree.engine();
            let familiar = Arc::new(Frecency::new([(RelPath::from(known), 5.0)]));
            let roots = engine.roots().iter().map(|root| Root { familiar: Arc::clone(&familiar), ..root.clone() });
            let answer = engine.with_roots(roots.collect()).resolve(&request, &tree).expect("a good request");
            assert_eq!(answer.candidates[0].path.text(), first);
            let by_itself = request.intent_text.is_empty();
            assert!(!by_itself || answer.status == Status::Ambiguous, "what is familiar makes nothing sure");
        };
        let intent = |text: &str| Request { intent_text: text.to_owned(), ..Request::new("client.go") };
        check("none", Request::new("client.go"), "alpha/client.go");
        check("gamma/client.go", Request::new("client.go"), "gamma/client.go");
        check("gamma/client_test.go", Request::new("client.go"), "alpha/client.go");
        check("gamma/client.go", intent("the beta release"), "beta/client.go");
    }
}
