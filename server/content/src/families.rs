//! `Families`: files that a program wrote, recognised by being alike. Called by `search`.
//!
//! A generator fills directories with files that have the same words of a question and nearly the same size. Each scores as high
//! as one file that is about the question; together they would be all candidates, and evidence for each other.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::collection::Collection;
use crate::score::{Scores, TermSets};

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

impl Families {
    /// Sorts `first`, points and a position in `files`, as far as the first `most` need it, and takes these as [`Self::take`] does.
    pub(crate) fn take_best(
        collection: &Collection<'_>,
        scores: &Scores,
        first: &mut [(f32, usize)],
        files: &[usize],
        most: usize,
    ) -> (Vec<usize>, Self) {
        let order = |one: &(f32, usize), other: &(f32, usize)| {
            let place = |at: usize| collection.place(files[at]);
            other.0.total_cmp(&one.0).then_with(|| place(one.1).cmp(&place(other.1)))
        };
        // Twice as many are enough if few are of a family.
        let mut sorted = first.len().min(2 * most);
        loop {
            if sorted < first.len() {
                first.select_nth_unstable_by(sorted, order);
            }
            first[..sorted].sort_unstable_by(order);
            let best = first[..sorted].iter().map(|&(points, at)| (points, files[at]));
            let (taken, families) = Self::take(collection, scores, best, most);
            if taken.len() >= most || sorted == first.len() {
                return (taken, families);
            }
            sorted = first.len();
        }
    }

    /// Takes the first `most` of `files`, which are sorted, but only the first members of each family. Returns what is taken by
    /// position.
    fn take(
        collection: &Collection<'_>,
        scores: &Scores,
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
            let family = alike.entry((view.root, extension, scores.has[file], size, step)).or_default();
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
