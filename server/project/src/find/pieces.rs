//! Finds paths by pieces of their words: the beginnings of several (`pay proc`), or directories and a name written as one word
//! (`utilstrackingcollisions`). Called by `find`.

use pathfinder_core::find::display_score;
use pathfinder_core::words::{split_extension, squash, words};
use pathfinder_core::{Contribution, FindAnswer, Hit, Kind, RelPath, Root};

/// Letters of a beginning: two are in every path, and five are mostly a word.
const BEGINNING_LETTERS: std::ops::RangeInclusive<usize> = 3..=4;
/// Beginnings of a query.
const BEGINNINGS: std::ops::RangeInclusive<usize> = 2..=4;
/// Letters of a joined path: fewer end many paths by chance.
const JOINED_LETTERS_MIN: usize = 8;
/// Paths that are added: half of an answer.
const ADDED_MAX: usize = 5;
/// Points of an added path: those of a stem with all words (`find/weights.txt` of core).
const POINTS: f32 = 14.0;
/// Results that stay in front where names or contents have the words as they are written.
const KEPT_FIRST: usize = 3;

/// Files of a root that are walked, at half a microsecond each: larger trees answer by names and contents alone.
const WALKED_FILES_MAX: usize = 200_000;

/// The parts of a path that a query names.
enum Pieces {
    Beginnings(Vec<String>),
    Joined(Vec<u8>),
}

impl Pieces {
    fn parse(query: &str) -> Option<Self> {
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

    /// Returns how many pieces the name of a fitting path has; `None` if the path does not fit.
    fn fit(&self, path: &[u8]) -> Option<usize> {
        let name_at = path.iter().rposition(|&byte| byte == b'/').map_or(0, |at| at + 1);
        let stem = split_extension(&path[name_at..]).0;
        match self {
            Self::Joined(key) => {
                let own = squash(stem);
                let is_end = own.len() < key.len() && key.ends_with(&own) && name_at > 0;
                (is_end && squash(&path[..name_at + stem.len()]).ends_with(key)).then_some(1)
            }
            Self::Beginnings(parts) => {
                let (own, around) = (words(stem), words(&path[..name_at]));
                let begins = |list: &[String], part: &String| list.iter().any(|word| word.starts_with(part.as_str()));
                let in_stem = parts.iter().filter(|part| begins(&own, part)).count();
                let is_there = |part: &String| begins(&own, part) || begins(&around, part);
                (in_stem > 0 && parts.iter().all(is_there)).then_some(in_stem)
            }
        }
    }
}

/// Adds the files that a query gives pieces of. `is_named`, `is_content`: names, or contents, have a strong answer, which stays first.
pub(super) fn add(
    (query, limit): (&str, usize),
    roots: &[Root],
    is_present: &dyn Fn(usize, &RelPath) -> bool,
    (is_named, is_content): (bool, bool),
    answer: &mut FindAnswer,
) {
    let Some(pieces) = Pieces::parse(query) else { return };
    // Most queries of one word are a name, and need no walk over all paths.
    let is_joined = matches!(pieces, Pieces::Joined(_));
    if is_named && is_joined {
        return;
    }
    let mut found: Vec<(usize, usize, Vec<u8>)> = Vec::new();
    let is_small = |root: &&Root| root.snapshot.stats().files <= WALKED_FILES_MAX;
    for (number, root) in roots.iter().enumerate().filter(|(_, root)| is_small(root)) {
        for (path, kind) in root.snapshot.entries() {
            if kind == Kind::File
                && let Some(in_stem) = pieces.fit(&path)
            {
                found.push((in_stem, number, path));
            }
        }
    }
    // The more of it is the name, and the shorter the path, the less is left that was not asked for.
    found.sort_by(|one, other| (other.0, one.2.len(), one.1, &one.2).cmp(&(one.0, other.2.len(), other.1, &other.2)));
    let why = if is_joined { "directory and name" } else { "beginnings of words in path" };
    let mut hits: Vec<Hit> = found
        .into_iter()
        .map(|(_, root, path)| (root, RelPath::new(path)))
        .filter(|(root, path)| is_present(*root, path))
        .take(ADDED_MAX)
        .map(|(root, path)| Hit {
            root,
            path,
            score: display_score(POINTS),
            why: why.to_owned(),
            line: None,
            contributions: vec![Contribution { name: "pieces", points: POINTS }],
        })
        .collect();
    if hits.is_empty() {
        return;
    }
    answer.hits.retain(|known| !hits.iter().any(|hit| (hit.root, &hit.path) == (known.root, &known.path)));
    let at = if is_named || is_content && !is_joined { KEPT_FIRST.min(answer.hits.len()) } else { 0 };
    if at == 0 {
        answer.lacking.clear();
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

#[cfg(test)]
mod tests {
    use super::Pieces;

    #[track_caller]
    fn check(query: &str, path: &str, expected: Option<usize>) {
        assert_eq!(Pieces::parse(query).and_then(|pieces| pieces.fit(path.as_bytes())), expected, "{query} {path}");
    }

    #[test]
    fn fits_paths_by_pieces() {
        check("pay proc", "src/payments/processor.py", Some(1));
        check("pay proc", "src/payment_processor.py", Some(2));
        check("pay proc", "src/payments/processing/queue.py", None);
        check("pay proc", "src/repay/processor.py", None);
        check("utilstrackingcollisions", "src/utils/tracking/collisions.py", Some(1));
        check("utilstrackingcollisions", "src/utils/tracking_collisions.rs", Some(1));
        check("utilstrackingcollisions", "src/utils/tracking/collisions_more.py", None);
        check("collisions", "src/utils/collisions.py", None);
        check("metanuraj dibo", "src/meta/nuraj.py", None);
        check("pa pr", "src/payments/processor.py", None);
        check("payments processor", "src/payments/processor.py", None);
    }
}
