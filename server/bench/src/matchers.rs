//! Fuzzy matchers of other projects, run in this process on one thread, as the engine answers a question.

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32String};

/// Returns the index of the first match in the list for a query.
pub(crate) type MatchFn<'a> = Box<dyn FnMut(&[String], &str) -> Option<usize> + 'a>;

/// All matchers, with their precomputed state: frizbee with no, one and two typos, and nucleo.
pub(crate) fn matchers(list: &[String]) -> [MatchFn<'static>; 4] {
    [frizbee(0), frizbee(1), frizbee(2), nucleo(list)]
}

fn frizbee(typos: u16) -> MatchFn<'static> {
    let config = frizbee::Config::default().max_typos(Some(typos));
    Box::new(move |list, failed| {
        let pattern = frizbee::Pattern::new(failed, frizbee::PatternConfig::default());
        let best = frizbee::Matcher::new(pattern, &config).match_list(list);
        best.first().map(|first| first.index as usize)
    })
}

fn nucleo(list: &[String]) -> MatchFn<'static> {
    let haystacks: Vec<Utf32String> = list.iter().map(|path| path.as_str().into()).collect();
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    Box::new(move |_, failed| {
        let atom = Atom::new(failed, CaseMatching::Smart, Normalization::Smart, AtomKind::Fuzzy, false);
        let score = |(at, path): (usize, &Utf32String)| Some((atom.score(path.slice(..), &mut matcher)?, at));
        let mut scored: Vec<_> = haystacks.iter().enumerate().filter_map(score).collect();
        // Tools that show matches sort all of them.
        scored.sort_unstable_by(|(one, at), (other, behind)| other.cmp(one).then(at.cmp(behind)));
        scored.first().map(|(_, at)| *at)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_matchers_find_an_existing_path() {
        let list = ["docs/index.md", "src/net/client.rs", "src/net/server.rs"].map(str::to_owned);
        for (at, first) in super::matchers(&list).iter_mut().enumerate() {
            assert_eq!(first(&list, "net/client.rs"), Some(1), "{at}");
            assert_eq!(first(&list, "qqqqqqq"), None, "{at}");
        }
    }
}
