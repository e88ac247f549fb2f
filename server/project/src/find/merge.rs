//! Merges the hits by name and declaration with those by content into one ranking.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_content::{ContentAnswer, Fit};
use pathfinder_core::find::display_score;
use pathfinder_core::{Contribution, FindAnswer, FindRequest, Hit, RelPath};

/// Points of a hit by name for each point of its content.
const CONTENT_POINTS: f32 = 2.0;
/// Points of a hit by name for each point of its content, if the query has two words, which are mostly words of a path. Content
/// would press a test or document of that name behind every source that has the words. Chosen on apache/arrow
/// (`tests/bench/runs/2026-11-24/find-names.md`).
const CONTENT_POINTS_OF_TWO_WORDS: f32 = 1.0;
/// Share of the points by name that count in a question of so many words: a sentence shares words with many names.
const NAME_SHARE_BY_WORDS: [f32; 4] = [1.0, 1.0, 0.7, 0.4];
const NAME_SHARE_OF_SENTENCE: f32 = 0.15;

/// Share of a query's words from which on all count as known: sums of floats are not exact.
const ALL_KNOWN: f32 = 0.999;
/// Share of the points by name of a file whose name is near a word that contents have as it is written.
const CORRECTED_NAME_SHARE: f32 = 0.2;

/// A file in both rankings.
#[derive(Default)]
struct Merged {
    by_name: Option<Hit>,
    /// Points, reason and line by content.
    by_content: Option<(f32, String, Option<u32>)>,
}

/// Merges both answers. `is_complete`: all contents are known. `is_present` probes a path that only the content index knows.
pub(super) fn merge(
    request: &FindRequest,
    names: FindAnswer,
    contents: ContentAnswer,
    is_complete: bool,
    is_present: &dyn Fn(usize, &RelPath) -> bool,
) -> FindAnswer {
    let words = request.words().len();
    let is_named = names.strong || (words <= NAME_SHARE_BY_WORDS.len() || !is_complete) && !names.hits.is_empty();
    // A pattern or a path names its files.
    let is_path = names.hits.first().is_some_and(|hit| {
        let parts = ["pattern", "exact_path", "path_end", "exact_name"];
        hit.contributions.iter().any(|part| parts.contains(&part.name))
    });
    // A single name that no file has as a whole is mistyped, in a sentence too: names near it decide, not its parts.
    let is_one_name = contents.is_unknown_symbol || !request.query.trim().contains(char::is_whitespace);
    let is_typed_name = contents.fit == Fit::Weak && !names.hits.is_empty() && is_one_name;
    if contents.fit == Fit::None || is_path || is_typed_name {
        let hits = if is_named { names.hits } else { Vec::new() };
        // Names near some words of a question that contents do not answer.
        let weak = contents.fit == Fit::None && is_complete && !is_path && !is_one_name && !names.strong;
        return finish(request, FindAnswer { hits, weak, ..names });
    }
    // Words that stand in contents as written are no typos of a name.
    let is_typo = |hit: &Hit| hit.contributions.iter().any(|part| ["stem_typo", "symbol_typo"].contains(&part.name));
    let corrected = if contents.known >= ALL_KNOWN { CORRECTED_NAME_SHARE } else { 1.0 };
    let share = NAME_SHARE_BY_WORDS.get(words.saturating_sub(1)).copied().unwrap_or(NAME_SHARE_OF_SENTENCE);
    let is_two_words = words == 2 && request.query.split_whitespace().count() == 2;
    let content_points = if is_two_words { CONTENT_POINTS_OF_TWO_WORDS } else { CONTENT_POINTS };
    let floor = contents.files.last().map_or(0.0, |file| file.points).min(0.0);
    let mut merged: BTreeMap<(usize, RelPath), Merged> = BTreeMap::new();
    for hit in names.hits {
        let place = (hit.root, hit.path.clone());
        merged.entry(place).or_default().by_name = Some(hit);
    }
    for file in contents.files {
        let place = (file.root, RelPath::from(file.path.as_str()));
        merged.entry(place).or_default().by_content = Some((file.points, file.why, file.line));
    }
    let mut hits: Vec<(f32, Hit)> = merged
        .into_iter()
        .map(|((root, path), one)| {
            let content = content_points * one.by_content.as_ref().map_or(floor, |content| content.0);
            let mut contributions = one.by_name.as_ref().map_or_else(Vec::new, |hit| hit.contributions.clone());
            let share = share * if one.by_name.as_ref().is_some_and(is_typo) { corrected } else { 1.0 };
            for part in &mut contributions {
                part.points *= share;
            }
            let name: f32 = contributions.iter().map(|part| part.points).sum();
            contributions.push(Contribution { name: "content_rank", points: content });
            let points = name + content;
            let (mut why, mut line) = one.by_name.map_or((String::new(), None), |hit| (hit.why, hit.line));
            if let Some((_, content_why, content_line)) = one.by_content
                && (why.is_empty() || name < content)
            {
                (why, line) = (content_why, content_line.or(line));
            }
            (points, Hit { root, path, score: display_score(points), why, line, contributions })
        })
        .collect();
    put_sources_before_headers(&mut hits);
    hits.sort_by(|(points, hit), (other, another)| {
        other.total_cmp(points).then_with(|| (hit.root, &hit.path).cmp(&(another.root, &another.path)))
    });
    let there = hits.into_iter().map(|(_, hit)| hit).filter(|hit| is_present(hit.root, &hit.path));
    let strong = names.strong || contents.fit == Fit::Strong;
    let lacking = if strong { Vec::new() } else { contents.missing };
    finish(request, FindAnswer { hits: there.take(request.limit).collect(), strong, weak: !strong, lacking, ..names })
}

/// Lowers headers whose source file is found too: the source does the work.
fn put_sources_before_headers(hits: &mut [(f32, Hit)]) {
    const HEADERS: [&str; 4] = [".h", ".hh", ".hpp", ".hxx"];
    const SOURCES: [&str; 5] = [".c", ".cc", ".cpp", ".cxx", ".m"];
    /// Points that a header loses.
    const LESS: f32 = 6.0;
    let stem_with = |path: &str, extensions: &[&str]| {
        let name = path.rsplit('/').next().unwrap_or(path);
        extensions.iter().find_map(|extension| name.strip_suffix(extension)).map(str::to_owned)
    };
    let sources: BTreeSet<(usize, String)> =
        hits.iter().filter_map(|(_, hit)| Some((hit.root, stem_with(&hit.path.text(), &SOURCES)?))).collect();
    for (points, hit) in hits {
        let stem = stem_with(&hit.path.text(), &HEADERS);
        if stem.is_some_and(|stem| sources.contains(&(hit.root, stem))) {
            *points -= LESS;
            hit.score = display_score(*points);
            hit.contributions.push(Contribution { name: "header", points: -LESS });
        }
    }
}

/// Cuts an answer to what was asked for.
fn finish(request: &FindRequest, mut answer: FindAnswer) -> FindAnswer {
    answer.hits.truncate(request.limit);
    if !request.explain {
        answer.hits.iter_mut().for_each(|hit| hit.contributions.clear());
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use pathfinder_content::RankedFile;

    fn hit(path: &str, points: f32) -> Hit {
        let contributions = vec![Contribution { name: "stem_words", points }];
        Hit { root: 0, path: path.into(), score: 1.0, why: String::new(), line: None, contributions }
    }

    /// Merges one hit by name with what contents say.
    #[track_caller]
    fn check(query: &str, contents: ContentAnswer, is_complete: bool, expect: &[&str]) {
        let (declared, searched, lacking, passage) = ((0, 0), None, Vec::new(), None);
        let hits = vec![hit("src/queue.rs", 20.0)];
        let names = FindAnswer {
            hits,
            declared,
            strong: false,
            searched,
            has_unread: false,
            indexed: None,
            weak: false,
            lacking,
            passage,
        };
        let answer = merge(&FindRequest::new(query), names, contents, is_complete, &|_, _| true);
        let paths: Vec<_> = answer.hits.iter().map(|hit| hit.path.text().into_owned()).collect();
        assert_eq!(paths, expect, "{query}");
    }

    #[test]
    fn unread_contents_refuse_nothing() {
        let none = ContentAnswer::default;
        check("zanzibar throttle slows quorum uploads", none(), false, &["src/queue.rs"]);
        check("zanzibar throttle slows quorum uploads", none(), true, &[]);
        check("zanzibar throttle", none(), true, &["src/queue.rs"]);
    }

    /// Contents with a better file and a worse one, which is the hit by name.
    fn contents(fit: Fit, is_unknown_symbol: bool) -> ContentAnswer {
        let file = |path: &str, points| RankedFile {
            root: 0,
            path: path.to_owned(),
            points,
            line: None,
            why: String::new(),
            features: Vec::new(),
        };
        let files = vec![file("src/other.rs", 9.0), file("src/queue.rs", -6.0)];
        ContentAnswer { files, fit, is_unknown_symbol, ..ContentAnswer::default() }
    }

    #[test]
    fn names_decide_a_mistyped_symbol() {
        check("where is JobQueu implemented", contents(Fit::Weak, true), true, &["src/queue.rs"]);
        check("where is JobQueue implemented", contents(Fit::Weak, false), true, &["src/other.rs", "src/queue.rs"]);
    }

    #[test]
    fn two_words_are_mostly_a_path() {
        check("job queue", contents(Fit::Strong, false), true, &["src/queue.rs", "src/other.rs"]);
        check("job queue order", contents(Fit::Strong, false), true, &["src/other.rs", "src/queue.rs"]);
    }
}
