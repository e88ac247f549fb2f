//! Puts files before directories if the request reads a file; `Engine` calls it after ranking.

use crate::features::Feature;
use crate::index::Snapshot;
use crate::prepared_query::PreparedQuery;
use crate::probe::Kind;
use crate::rank::Ranked;
use crate::request::Op;

/// Returns whether a candidate is a directory although the request reads a file.
pub(crate) fn is_unreadable(query: &PreparedQuery, snapshots: &[&Snapshot], candidate: &Ranked) -> bool {
    let reads = matches!(query.op, Op::Read | Op::Edit) && !query.targets[candidate.target].directory;
    reads && snapshots[candidate.root].get(candidate.path.as_bytes()) == Some(Kind::Directory)
}

/// Moves the first file that matches the name as well before the leading directories, if the request reads a file.
///
/// A directory stays first only if the requested name has no extension and no file matches it as well.
pub(crate) fn prefer_files(query: &PreparedQuery, snapshots: &[&Snapshot], ranked: &mut [Ranked]) {
    let Some(first) = ranked.first().filter(|first| is_unreadable(query, snapshots, first)) else { return };
    let plain = query.names[query.targets[first.target].name].extension.is_empty();
    let has = |other: &Ranked, feature| other.get(feature) > 0.0;
    let has_name = |other: &Ranked| has(other, Feature::StemStyle) || has(other, Feature::IndexForm);
    // Agents read directories too: a directory that alone has the exact name stays first.
    let own_name = plain && has(first, Feature::NameExact);
    let is_alike = |other: &Ranked| match (own_name, plain) {
        (true, _) => has(other, Feature::NameExact),
        (false, true) => has_name(other),
        (false, false) => has_name(other) || has(other, Feature::StemTypo),
    };
    let file = ranked.iter().position(|other| !is_unreadable(query, snapshots, other) && is_alike(other));
    if let Some(at) = file {
        // Scores stay in order.
        let most = ranked[at].raw;
        ranked[..at].iter_mut().for_each(|passed| passed.raw = passed.raw.min(most));
        ranked[..=at].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use crate::answer::Status;
    use crate::testing::Tree;
    use crate::{Op, Request};

    #[track_caller]
    fn check(query: &str, op: Op, first: &str, resolved: bool) {
        let tree = Tree::new("app/config/base.go\napp/config.go\nlib/storage/disk.go\nlib/queue/queue.go\nREADME.md\n");
        let answer = tree.ask(&Request { op, ..Request::new(query) });
        assert_eq!(answer.candidates[0].path.text(), first, "{query}");
        assert_eq!(answer.status == Status::Resolved, resolved, "{query}: {} {}", answer.confidence, answer.why);
    }

    #[test]
    fn prefers_files_for_reads() {
        check("config", Op::Read, "app/config", false);
        check("lib/queue.go", Op::Read, "lib/queue/queue.go", false);
        check("storage", Op::Read, "lib/storage", false);
        check("storage", Op::List, "lib/storage", true);
        check("storage/", Op::Read, "lib/storage", true);
    }
}
