//! Repairs paths that were joined twice: `a/b/a/b/c`, `session/session`, `cmd/x/sub/cmd/x/other/f.go`.

use super::cost;
use super::note::Note;

/// Longer paths are not searched for repetitions, which takes quadratic time. No repository nests deeper.
const MAX_SEGMENTS: usize = 64;

/// Repairs of each kind that are kept: a second one is already unusual.
const MAX_REPAIRS: usize = 3;

/// Repaired segments, the treatment that made them, and its cost.
type Repair<'a> = (Vec<&'a str>, Note, f32);

/// Every repair of the segments.
pub(super) fn find_repairs<'a>(segments: &[&'a str]) -> Vec<Repair<'a>> {
    let mut found = Vec::new();
    if (2..=MAX_SEGMENTS).contains(&segments.len()) {
        found.extend(collapse_runs(segments));
        found.extend(find_restarts(segments));
    }
    found
}

/// Repairs that drop everything before the path starts again with its own first segment.
fn find_restarts<'a>(segments: &[&'a str]) -> impl Iterator<Item = Repair<'a>> {
    // The last start first: a joined path has the wanted one at its end.
    (1..segments.len()).rev().filter(|&at| segments[at] == segments[0]).take(MAX_REPAIRS).map(move |at| {
        let common = segments[at..].iter().zip(segments).take_while(|(later, early)| later == early).count();
        let cost = if common > 1 || at == 1 { cost::RESTARTED } else { cost::RESTARTED_ONE };
        (segments[at..].to_vec(), Note::Restarted, cost)
    })
}

/// Repairs that keep a repeated run of segments once; longest run first.
fn collapse_runs<'a>(segments: &[&'a str]) -> Vec<Repair<'a>> {
    let mut found: Vec<Repair<'a>> = Vec::new();
    for length in (1..=segments.len() / 2).rev() {
        for at in 0..=segments.len() - 2 * length {
            let run = &segments[at..at + length];
            let copies = segments[at..].chunks_exact(length).take_while(|chunk| *chunk == run).count();
            if copies < 2 {
                continue;
            }
            let rest = [&segments[..at + length], &segments[at + copies * length..]].concat();
            let cost = if length == 1 { cost::REPEATED_ONE } else { cost::REPEATED_RUN };
            if !found.iter().any(|(other, ..)| *other == rest) {
                found.push((rest, Note::Repeated, cost));
            }
            if found.len() == MAX_REPAIRS {
                return found;
            }
        }
    }
    found
}
