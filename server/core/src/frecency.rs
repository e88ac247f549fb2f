//! `Frecency`: scores paths of a root by how often and how recently they were used or changed; ranking breaks ties with it.

mod visits;

use rustc_hash::FxHashMap;

use crate::path::RelPath;

pub use visits::Visits;

/// The uses of each path, weighted by age. They make one of several equal candidates the likelier one.
///
/// Uses fade with time ("frecency", as in Firefox's address bar and in zoxide). Core has no clock, so this is the state at
/// one moment, computed by the caller.
#[derive(Clone, Debug, Default)]
pub struct Frecency(FxHashMap<RelPath, f32>);

impl Frecency {
    /// Builds it from paths with their weighted number of uses; an old use counts for less than 1. Numbers of a path
    /// that is given twice are added.
    pub fn new(uses: impl IntoIterator<Item = (RelPath, f32)>) -> Self {
        let mut sums: FxHashMap<RelPath, f32> = FxHashMap::default();
        for (path, uses) in uses {
            *sums.entry(path).or_default() += uses.max(0.0);
        }
        Self(sums)
    }

    /// Returns whether no path has uses.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The score of a path, from 0 (never used) towards 1; one use gives 0.5, so the second adds less than the first.
    pub fn score(&self, path: &RelPath) -> f32 {
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
    fn grows_with_uses_below_one() {
        let uses = [("a", 1.0), ("b", 3.0), ("a", 2.0), ("c", -1.0), ("d", f32::MAX)];
        let frecency = Frecency::new(uses.map(|(path, uses)| (RelPath::from(path), uses)));
        let of = |path: &str| frecency.score(&RelPath::from(path));
        assert_eq!((of("a").to_bits(), of("c").to_bits(), of("none").to_bits()), (of("b").to_bits(), 0, 0));
        assert!(of("a") > 0.5 && of("d") <= 1.0);
    }

    /// Frecency decides between equals, and never against a better name or an intent.
    #[test]
    fn breaks_ties() {
        let tree = Tree::new("alpha/client.go\nbeta/client.go\ngamma/client.go\ngamma/client_test.go\n");
        let check = |known: &str, request: Request, first: &str| {
            let engine = tree.engine();
            let frecency = Arc::new(Frecency::new([(RelPath::from(known), 5.0)]));
            let roots = engine.roots().iter().map(|root| Root { frecency: Arc::clone(&frecency), ..root.clone() });
            let answer = engine.with_roots(roots.collect()).resolve(&request, &tree).expect("a good request");
            assert_eq!(answer.candidates[0].path.text(), first);
            let by_itself = request.intent_text.is_empty();
            assert!(!by_itself || answer.status == Status::Ambiguous, "frecency makes nothing sure");
        };
        let intent = |text: &str| Request { intent_text: text.to_owned(), ..Request::new("client.go") };
        check("none", Request::new("client.go"), "alpha/client.go");
        check("gamma/client.go", Request::new("client.go"), "gamma/client.go");
        check("gamma/client_test.go", Request::new("client.go"), "alpha/client.go");
        check("gamma/client.go", intent("the beta release"), "beta/client.go");
    }
}
