//! Property tests of `Snapshot`: after any list of changes it equals a snapshot that is built anew.

use proptest::prelude::*;
use proptest::sample::select;

use super::{MIN_OVERLAY_ENTRIES, Snapshot};
use crate::index::{Change, WalkedEntries};
use crate::path::RelPath;
use crate::probe::Kind;
use crate::testing::{Tree, engine};
use crate::{Answer, Request};

/// Few, so that they clash: a name is a file here, a directory there, and a link after the next change.
const SEGMENTS: [&[u8]; 11] = [
    b"src",
    b"lib",
    b"app.rs",
    b"App.rs",
    b"app_test.rs",
    b"mod.rs",
    b"caf\xc3\xa9.rs",
    b"cafe\xcc\x81.rs",
    b"\xff\xfe.rs",
    b"a",
    b"ab",
];

fn path() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(select(SEGMENTS.to_vec()), 1..5).prop_map(|segments| segments.join(&b'/'))
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![4 => Just(Kind::File), 2 => Just(Kind::Directory), 1 => Just(Kind::Symlink)]
}

fn tree(most: usize) -> impl Strategy<Value = Tree> {
    proptest::collection::vec((path(), kind()), 0..most).prop_map(|entries| Tree::from_entries(&entries))
}

/// Half of the paths are those of the tree: only existing entries can be removed, revived or replaced.
fn tree_and_changes(most: usize) -> impl Strategy<Value = (Tree, Vec<Change>)> {
    tree(most).prop_flat_map(|tree| {
        let known: Vec<Vec<u8>> = tree.entries().into_iter().map(|(path, _)| path).chain([b"src".to_vec()]).collect();
        let path = prop_oneof![select(known), path()].prop_map(RelPath::new);
        let change = (path, kind(), 0..5).prop_map(|(path, kind, dice)| match dice {
            0 | 1 => Change::Removed(path),
            _ => Change::Added(path, kind),
        });
        (Just(tree), proptest::collection::vec(change, 0..16))
    })
}

fn apply_change(tree: &mut Tree, change: &Change) {
    match change {
        Change::Added(path, kind) => tree.add(path.as_bytes(), *kind),
        Change::Removed(path) => tree.remove(path.as_bytes()),
    }
}

/// Checks all lookups of a snapshot that need no request.
fn check(snapshot: &Snapshot, tree: &Tree) -> Result<(), TestCaseError> {
    let entries = tree.entries();
    prop_assert_eq!(snapshot.entries(), entries.clone());
    let directories = entries.iter().filter(|(_, kind)| *kind == Kind::Directory).count();
    let stats = snapshot.stats();
    prop_assert_eq!((stats.files, stats.directories), (entries.len() - directories, directories));
    for (path, kind) in &entries {
        prop_assert_eq!(snapshot.get(path), Some(*kind));
        let beside = [path, &b"x"[..]].concat();
        prop_assert_eq!(snapshot.get(&beside), None);
        let segments = path.split(|&byte| byte == b'/').count();
        prop_assert_eq!(snapshot.depth(path), segments);
        prop_assert_eq!(snapshot.depth(&[path, &b"/x/src"[..]].concat()), segments);
        let above = path.iter().rposition(|&byte| byte == b'/').map_or(&b""[..], |at| &path[..at]);
        prop_assert_eq!(snapshot.depth(&[above, &b"/x/src"[..]].concat()), segments - 1);
    }
    prop_assert_eq!(snapshot.depth(b""), 0);
    Ok(())
}

/// The greatest number of entries that share a name.
fn max_entries_of_a_name(tree: &Tree) -> usize {
    let mut counts = std::collections::BTreeMap::new();
    for (path, _) in tree.entries() {
        *counts.entry(path.rsplit(|&byte| byte == b'/').next().map(<[u8]>::to_vec)).or_insert(0) += 1;
    }
    counts.into_values().max().unwrap_or(0)
}

/// Requests for which every generator proposes candidates.
fn requests() -> Vec<Request> {
    let plain = ["app.rs", "src/ap.rs", "lib/src/App.rs", "src/a/", "café.rs", "lib/mod", "ab/app_test.py", "sr/lib/a"];
    let mut requests: Vec<Request> = plain.into_iter().map(Request::new).collect();
    requests.push(Request { intent_text: "the test of the lib".to_owned(), ..Request::new("app.rs") });
    requests.push(Request { history: vec!["src/lib/mod.rs".to_owned()], ..Request::new("a/app.rs") });
    for request in &mut requests {
        (request.limit, request.explain) = (100, true);
    }
    requests
}

/// Checks that both snapshots give equal answers, with every contribution to every score.
fn check_equal_answers(left: &Snapshot, right: &Snapshot, tree: &Tree) -> Result<(), TestCaseError> {
    let (left, right) = (engine(left.clone()), engine(right.clone()));
    for request in requests() {
        let ask = |engine: &crate::Engine| -> Answer { engine.resolve(&request, tree).expect("a good request") };
        prop_assert_eq!(ask(&left), ask(&right), "{}", request.failed_path);
    }
    Ok(())
}

/// Applies `+ file`, `+ directory/`, `+ link -> target` or `- path`, one by one and all at once.
#[track_caller]
fn check_changes(text: &str, changes: &[&str]) {
    let mut tree = Tree::new(text);
    let changes: Vec<Change> = changes
        .iter()
        .map(|change| match change.split_once(' ').expect("a sign and a path") {
            ("-", path) => Change::Removed(path.into()),
            (_, path) => match (path.strip_suffix('/'), path.split_once(" -> ")) {
                (Some(directory), _) => Change::Added(directory.into(), Kind::Directory),
                (None, Some((link, _))) => Change::Added(link.into(), Kind::Symlink),
                (None, None) => Change::Added(path.into(), Kind::File),
            },
        })
        .collect();
    let before = tree.snapshot();
    let mut one_by_one = before.clone();
    for change in &changes {
        one_by_one = one_by_one.apply(std::slice::from_ref(change));
        apply_change(&mut tree, change);
    }
    check(&one_by_one, &tree).expect("one by one");
    check(&before.apply(&changes), &tree).expect("all at once");
}

#[test]
fn replaces_kinds() {
    check_changes("a/b.rs", &["+ a", "+ a/b.rs"]);
    check_changes("a/b/c.rs", &["+ a/b -> x", "+ a/b/c.rs"]);
    check_changes("a", &["+ a/b.rs", "+ a"]);
    check_changes("a", &["- a", "+ a/b/c.rs", "- a/b", "+ a -> x"]);
    check_changes("a/b.rs", &["+ a -> x", "+ a/"]);
    check_changes("", &["+ a/b", "+ a/b/c", "+ a"]);
}

#[test]
fn removes_and_restores_subtrees() {
    check_changes("a/b/c.rs\na/d.rs", &["- a", "+ a/b/c.rs"]);
    check_changes("a/b/c.rs\na/d.rs", &["- a/b", "+ a/b/"]);
    check_changes("a/b.rs", &["+ a/c.rs", "- a", "+ a/c.rs", "+ a/b.rs"]);
    check_changes("a/b.rs\nab/c.rs\na.rs", &["- a"]);
    check_changes("a/b.rs", &["+ ax/c", "+ a.x", "+ a/x", "- a"]);
    check_changes("a", &["- nothing", "- a/b"]);
}

/// A base is rebuilt after many changes; only the number of layers may differ.
#[test]
fn rebuilds_the_base_after_many_changes() {
    let mut tree = Tree::new("src/lib.rs\nsrc/net/client.rs\ndocs/guide.md");
    let mut snapshot = tree.snapshot();
    let mut layers = Vec::new();
    for round in 0..3 {
        let added = (0..MIN_OVERLAY_ENTRIES / 2).map(|at| format!("src/part{round}/file{at}.rs"));
        let mut changes: Vec<Change> = added.map(|path| Change::Added(path.as_str().into(), Kind::File)).collect();
        changes.push(Change::Removed("docs".into()));
        changes.push(Change::Added(format!("docs/round{round}.md").as_str().into(), Kind::File));
        for change in &changes {
            apply_change(&mut tree, change);
        }
        snapshot = snapshot.apply(&changes);
        layers.push(snapshot.parts().len());
        check(&snapshot, &tree).expect("the same entries");
    }
    assert_eq!(layers, [2, 1, 2], "the second round crosses the threshold");
}

/// Changes of the tree leave packages unchanged, because they are not entries.
#[test]
fn keeps_packages_across_changes() {
    let snapshot = Tree::new("ui/package.json\npackage @acme/ui = ui").snapshot();
    let few = [Change::Removed("ui".into())];
    let many: Vec<Change> =
        (0..=MIN_OVERLAY_ENTRIES).map(|at| Change::Added(format!("{at}").as_str().into(), Kind::File)).collect();
    for changes in [&few[..], &many[..]] {
        assert_eq!(snapshot.apply(changes).packages(), snapshot.packages());
    }
}

proptest! {
    #[test]
    fn changes_equal_a_rebuild((tree, changes) in tree_and_changes(24)) {
        let before = tree.snapshot();
        let mut tree = tree;
        let all = before.apply(&changes);
        prop_assert_eq!(before.apply(&before.differences(&all)).entries(), all.entries());
        let mut below = all.entries_below(b"src");
        below.sort_unstable();
        let expect: Vec<_> = all.entries().into_iter().filter(|(path, _)| path.starts_with(b"src/")).collect();
        prop_assert_eq!(below, expect);
        let mut one_by_one = before.clone();
        for change in &changes {
            one_by_one = one_by_one.apply(std::slice::from_ref(change));
            apply_change(&mut tree, change);
            check(&one_by_one, &tree)?;
        }
        check(&all, &tree)?;
    }

    #[test]
    fn leaves_the_old_snapshot_unchanged((tree, changes) in tree_and_changes(24)) {
        let before = tree.snapshot();
        let _ = before.apply(&changes);
        check(&before, &tree)?;
        let middle = before.apply(&changes[..changes.len() / 2]);
        let entries = middle.entries();
        let _ = middle.apply(&changes);
        prop_assert_eq!(middle.entries(), entries);
    }

    // Generators check a limited number of entries per name and part, so the trees stay below that.
    #[test]
    fn answers_like_a_rebuilt_snapshot((tree, changes) in tree_and_changes(10)) {
        let before = tree.snapshot();
        let mut tree = tree;
        for change in &changes {
            apply_change(&mut tree, change);
        }
        prop_assume!(max_entries_of_a_name(&tree) <= 8 && max_entries_of_a_name(&Tree::from_entries(&before.entries())) <= 8);
        check_equal_answers(&before.apply(&changes), &tree.snapshot(), &tree)?;
    }

    #[test]
    fn ignores_the_order_and_split_of_entries(
        tree in tree(16),
        parts in 1_usize..5,
        order in proptest::collection::vec(any::<u32>(), 64),
    ) {
        let mut entries: Vec<_> = tree.entries().into_iter().zip(order.iter().cycle()).collect();
        entries.sort_by_key(|(_, dice)| **dice);
        let mut found: Vec<WalkedEntries> = (0..parts).map(|_| WalkedEntries::default()).collect();
        for (at, ((path, kind), dice)) in entries.iter().enumerate() {
            found[**dice as usize % parts].push_path(path, *kind);
            // A second walk may list it too.
            if at % 3 == 0 {
                found[at % parts].push_path(path, *kind);
            }
        }
        let snapshot = Snapshot::build(&found, Vec::new());
        check(&snapshot, &tree)?;
        check_equal_answers(&snapshot, &tree.snapshot(), &tree)?;
    }

    #[test]
    fn reads_its_own_images((tree, changes) in tree_and_changes(10)) {
        let mut tree = tree;
        let snapshot = tree.snapshot().apply(&changes);
        for change in &changes {
            apply_change(&mut tree, change);
        }
        let read = Snapshot::from_image(&snapshot.to_image()).expect("an image");
        check(&read, &tree)?;
        prop_assume!(max_entries_of_a_name(&tree) <= 8);
        check_equal_answers(&read, &tree.snapshot(), &tree)?;
    }

    /// Damaged bytes are refused, or give a snapshot on which all lookups work.
    #[test]
    fn survives_damaged_images(
        tree in tree(16),
        wrong in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let mut image = tree.snapshot().to_image();
        for (at, byte) in wrong {
            let at = at.index(image.len());
            image[at] = byte;
        }
        image.truncate(cut.map_or(image.len(), |cut| cut.index(image.len())));
        let Some(snapshot) = Snapshot::from_image(&image) else { return Ok(()) };
        for (path, _) in snapshot.entries() {
            prop_assert!(RelPath::plain(&path).is_some(), "{}", path.escape_ascii());
        }
        let engine = engine(snapshot);
        for request in requests() {
            engine.resolve(&request, &tree).expect("a good request");
        }
    }
}
