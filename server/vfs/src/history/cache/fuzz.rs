//! Fuzz target: any bytes as the body of a cache file of git's history whose checksum is right.

use pathfinder_core::history::Renames;

use super::*;

#[test]
fn bodies() {
    let seed = encode(&origin(), &sample()).expect("a body");
    crate::fuzz_driver::run("cached-history", vec![seed], |input| {
        let Some(known) = decode(input, &origin()) else { return };
        let encoded = encode(&origin(), &known).expect("a body");
        assert_eq!(decode(&encoded, &origin()).as_ref(), Some(&known), "it is not read as it was written");
        _ = Renames::new(&known.commits);
    });
}

fn origin() -> Origin {
    Origin { root: b"/root".to_vec(), inside: Vec::new(), cut: String::new() }
}

/// Returns a history with one item of each kind.
fn sample() -> CachedHistory {
    let path = |text: &str| RelPath::new(text.as_bytes());
    let commit = CommitMoves {
        id: "d2e7377".to_owned(),
        seconds: 1_700_000_000,
        moves: vec![Move { from: path("a/b.rs"), to: path("c/b.rs"), by: MoveEvidence::File }],
        deletions: vec![path("gone.rs")],
        directories: vec![DirectoryMove { from: path("a"), to: Some(path("c")), whole: true }],
    };
    let head = ObjectId::null(gix::hash::Kind::Sha1);
    CachedHistory { head, start: head, read: 1, complete: true, compared: 1, inexact: 0, commits: vec![commit] }
}
