//! Files before directories, where a file is to be read.

use crate::features::Feature;
use crate::index::Snapshot;
use crate::prepared_query::PreparedQuery;
use crate::probe::Kind;
use crate::rank::Ranked;
use crate::request::Op;

/// Whether a candidate is a directory, and a file was to be read.
pub(crate) fn is_unreadable(asked: &PreparedQuery, snapshots: &[&Snapshot], candidate: &Ranked) -> bool {
    let reads = matches!(asked.op, Op::Read | Op::Edit) && !asked.targets[candidate.target].directory;
    reads && snapshots[candidate.root].get(candidate.path.as_bytes()) == Some(Kind::Directory)
}

/// Moves the first file that has as much of the name before the directories that lead, where a file is to be read. Only a
/// name without an extension may be a directory's that nothing else is called like: then the directory stays, to be told of.
pub(crate) fn prefer_files(asked: &PreparedQuery, snapshots: &[&Snapshot], ranked: &mut [Ranked]) {
    let Some(first) = ranked.first().filter(|first| is_unreadable(asked, snapshots, first)) else { return };
    let plain = asked.names[asked.targets[first.target].name].extension.is_empty();
    let has = |other: &Ranked, feature| other.get(feature) > 0.0;
    let has_name = |other: &Ranked| has(other, Feature::StemStyle) || has(other, Feature::IndexForm);
    // Agents read directories too: one that alone has the very name stays first.
    let own_name = plain && has(first, Feature::NameExact);
    let is_alike = |other: &Ranked| match (own_name, plain) {
        (true, _) => has(other, Feature::NameExact),
        (false, true) => has_name(other),
        (false, false) => has_name(other) || has(other, Feature::StemTypo),
    };
    let file = ranked.iter().position(|other| !is_unreadable(asked, snapshots, other) && is_alike(other));
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
    fn check(asked: &str, op: Op, first: &str, resolved: bool) {
        let tree = Tree::new("app/config/base.go\napp/config.go\nlib/storage/disk.go\nlib/queue/queue.go\nREADME.md\n");
        let answer = tree.ask(&Request { op, ..Request::new(asked) });
        assert_eq!(answer.candidates[0].path.text(), first, "{asked}");
        assert_eq!(answer.status == Status::Resolved, resolved, "{asked}: {} {}", answer.confidence, answer.why);
    }

    #[test]
    fn reads_are_not_answered_by_directories() {
        check("config", Op::Read, "app/config", false);
        check("lib/queue.go", Op::Read, "lib/queue/queue.go", false);
        check("storage", Op::Read, "lib/storage", false);
        check("storage", Op::List, "lib/storage", true);
        check("storage/", Op::Read, "lib/storage", true);
    }
}
