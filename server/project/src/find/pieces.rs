//! Adds the files to an answer whose paths a query gives pieces of: `pay proc`, `utilstrackingcollisions`. Called by `find`.

use pathfinder_core::find::{Pieces, display_score};
use pathfinder_core::{Contribution, FindAnswer, Hit, RelPath, Root};

/// Paths that are added: half of an answer.
const ADDED_MAX: usize = 5;
/// Points of an added path: those of a stem with all words (`find/weights.txt` of core).
const POINTS: f32 = 14.0;
/// Results that stay in front where names or contents have the words as they are written.
const KEPT_FIRST: usize = 3;

/// Adds the files that a query gives pieces of. `is_named`, `is_content`: names, or contents, have a strong answer, which stays first.
pub(super) fn add(
    (query, limit): (&str, usize),
    roots: &[Root],
    is_present: &dyn Fn(usize, &RelPath) -> bool,
    (is_named, is_content): (bool, bool),
    answer: &mut FindAnswer,
) {
    let Some(pieces) = Pieces::parse(query) else { return };
    let is_joined = matches!(pieces, Pieces::Joined(_));
    let why = if is_joined { "directory and name" } else { "beginnings of words in path" };
    let mut hits: Vec<Hit> = pieces
        .find(roots, is_present, ADDED_MAX)
        .into_iter()
        .map(|(root, path)| Hit {
            root,
            path,
            score: display_score(POINTS),
            why: why.to_owned(),
            line: None,
            contributions: vec![Contribution { name: "pieces", points: POINTS }],
        })
        .collect();
    let is_in = |hit: &Hit, hits: &[Hit]| hits.iter().any(|known| (known.root, &known.path) == (hit.root, &hit.path));
    let at = if is_named || is_content && !is_joined { KEPT_FIRST.min(answer.hits.len()) } else { 0 };
    // A file that is in front by more than its path keeps its place.
    hits.retain(|hit| !is_in(hit, &answer.hits[..at]));
    if hits.is_empty() {
        return;
    }
    answer.hits.retain(|known| !is_in(known, &hits));
    if at == 0 {
        answer.lacking.clear();
        answer.weak = false;
    }
    // Scores fall from the first result to the last.
    let most = at.checked_sub(1).map_or(f32::MAX, |before| answer.hits[before].score);
    let least = answer.hits.get(at).map_or(0.0, |next| next.score);
    for hit in &mut hits {
        hit.score = hit.score.max(least).min(most);
    }
    answer.hits.splice(at..at, hits);
    answer.hits.truncate(limit);
}
