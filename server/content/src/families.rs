//! `Families`: files that a program wrote, recognised by being alike. Called by `search`.
//!
//! A generator fills directories with files that have the same words of a question and nearly the same size. Each scores as high
//! as one file that is about the question; together they would be all candidates, and evidence for each other.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::collection::Collection;
use crate::details::{Details, TermSets};
use crate::score::Scores;

/// Files of a family: a fifth of the candidates. Fewer leave room for others.
const MIN_MEMBERS: usize = 40;
/// Members of a family that stay candidates: as many as an answer shows.
const MAX_CANDIDATES: usize = 10;

/// Files that are alike have the same root, extension, terms of the question, logarithm of the size, and score in such steps.
type Likeness<'c> = (usize, &'c str, TermSets, u32, i32);
/// A quarter of a point is less than any word of a question makes.
const STEPS_PER_POINT: f32 = 4.0;

/// The families among the candidates of a question.
#[derive(Debug, Default)]
pub(crate) struct Families {
    members: FxHashSet<usize>,
}

/// The best files.
pub(crate) struct RankedFiles {
    /// In order, without most members of families.
    pub(crate) chosen: Vec<usize>,
    pub(crate) families: Families,
    /// The terms of the chosen files, and of others.
    pub(crate) details: Details,
}

impl Families {
    /// Sorts `first`, points and a position among the matching files, as far as the best `most` need it, and takes these as
    /// [`Self::take`] does. `details_of` reads the terms of the sorted ones.
    pub(crate) fn sort_best(
        collection: &Collection<'_>,
        scores: &Scores<'_>,
        first: &mut [(f32, u32)],
        most: usize,
        details_of: impl Fn(&[(f32, u32)]) -> Details,
    ) -> RankedFiles {
        let file = |at: u32| scores.matching[at as usize].file as usize;
        let order = |one: &(f32, u32), other: &(f32, u32)| {
            other.0.total_cmp(&one.0).then_with(|| collection.place(file(one.1)).cmp(&collection.place(file(other.1))))
        };
        // Twice as many are enough if few are of a family.
        let mut sorted = first.len().min(2 * most);
        loop {
            if sorted < first.len() {
                first.select_nth_unstable_by(sorted, order);
            }
            let best = &mut first[..sorted];
            best.sort_unstable_by(order);
            let details = details_of(best);
            let files = best.iter().map(|&(points, at)| (points, file(at)));
            let (taken, families) = Self::take(collection, &details, files, most);
            if taken.len() >= most || sorted == first.len() {
                let chosen = taken.into_iter().map(|at| file(first[at].1)).collect();
                return RankedFiles { chosen, families, details };
            }
            sorted = first.len();
        }
    }

    /// Takes the first `most` of `files`, which are sorted, but only the first members of each family. Returns what is taken by
    /// position.
    fn take(
        collection: &Collection<'_>,
        details: &Details,
        files: impl Iterator<Item = (f32, usize)>,
        most: usize,
    ) -> (Vec<usize>, Self) {
        let mut alike: FxHashMap<Likeness<'_>, Vec<(usize, usize)>> = FxHashMap::default();
        let mut count = 0;
        for (at, (points, file)) in files.enumerate() {
            if count >= most {
                break;
            }
            let (view, own) = collection.locate(file);
            let layer = &*view.part.layer;
            let size = layer.sizes[own as usize].max(1).ilog2();
            let extension = layer.path(own).rsplit_once('.').map_or("", |(_, extension)| extension);
            let step = (points * STEPS_PER_POINT) as i32;
            let family = alike.entry((view.root, extension, details.sets(file), size, step)).or_default();
            family.push((at, file));
            match family.len() {
                MIN_MEMBERS => count -= MIN_MEMBERS - 1 - MAX_CANDIDATES,
                length if length < MIN_MEMBERS => count += 1,
                _ => {}
            }
        }
        let mut families = Self::default();
        let mut taken = Vec::new();
        #[expect(clippy::iter_over_hash_type, reason = "what is taken is sorted")]
        for (_, family) in alike {
            let is_family = family.len() >= MIN_MEMBERS;
            for &(at, file) in family.iter().take(if is_family { MAX_CANDIDATES } else { MIN_MEMBERS }) {
                taken.push(at);
                if is_family {
                    families.members.insert(file);
                }
            }
        }
        taken.sort_unstable();
        (taken, families)
    }

    /// Returns whether a file is one of many that are alike.
    pub(crate) fn has(&self, file: usize) -> bool {
        self.members.contains(&file)
    }
}
