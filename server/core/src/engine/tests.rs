//! Properties that hold for every answer of the engine, tested on a root in memory.

use proptest::prelude::*;

use crate::index::{Change, Snapshot};
use crate::probe::{Kind, Presence, Probe};
use crate::query::RootPaths;
use crate::request::Op;
use crate::testing::Tree;
use crate::{Answer, Engine, Request, Root, Status};

/// Four directories that differ only in their names.
const TWINS: &str = "
    d/src/client.go
    b/src/client.go
    c/src/client.go
    a/src/client.go
";

fn paths(answer: &Answer) -> Vec<(usize, String)> {
    answer.candidates.iter().map(|candidate| (candidate.root, candidate.path.text().into_owned())).collect()
}

#[test]
fn ties_are_broken_by_path() {
    let tree = Tree::new(TWINS);
    let answer = tree.ask(&Request { limit: 4, ..Request::new("client.go") });
    let expected = ["a", "b", "c", "d"].map(|directory| (0, format!("{directory}/src/client.go")));
    assert_eq!(paths(&answer), expected);
    let scores: Vec<f32> = answer.candidates.iter().map(|candidate| candidate.score).collect();
    assert!(scores.windows(2).all(|pair| pair[0].to_bits() == pair[1].to_bits()), "no ties: {scores:?}");
    assert_eq!(answer.status, Status::Ambiguous);
}

/// A limit truncates the list and changes nothing before the cut, ties included.
#[test]
fn limit_only_truncates() {
    let tree = Tree::new(TWINS);
    let all = tree.ask(&Request::new("cleint.go"));
    for limit in 1..=4 {
        let few = tree.ask(&Request { limit, ..Request::new("cleint.go") });
        assert_eq!(few.candidates, all.candidates[..limit]);
        assert_eq!((few.status, few.confidence.to_bits()), (all.status, all.confidence.to_bits()));
    }
}

/// Two roots with equal paths: the path decides first, then the order of the roots.
#[test]
fn ties_are_broken_by_path_then_root() {
    let tree = Tree::new(TWINS);
    let root = |given: &str| Root {
        given: given.to_owned(),
        place: RootPaths { absolute: vec![format!("/home/me/{given}")] },
        snapshot: tree.snapshot(),
        renames: std::sync::Arc::default(),
        frecency: std::sync::Arc::default(),
        symbols: crate::symbols::Symbols::default(),
    };
    let engine = Engine::new(vec![root("one"), root("two")], None, None);
    let request = Request { limit: 8, ..Request::new("client.go") };
    let answer = engine.resolve(&request, &tree).expect("a good request");
    let expected: Vec<(usize, String)> = ["a", "b", "c", "d"]
        .iter()
        .flat_map(|directory| [0, 1].map(|root| (root, format!("{directory}/src/client.go"))))
        .collect();
    assert_eq!(paths(&answer), expected);
}

/// Requests in a sparse checkout; compares the status, the refusal and `why`.
#[test]
fn refuses_files_outside_a_sparse_checkout() {
    let tree = Tree::new("left out api/client.go\nweb/client.go\nweb/handler.go");
    let left_out = "NotFound LeftOut tracked by git, but outside of this sparse checkout";
    for (query, expect) in [
        ("api/client.go", left_out),
        ("api/client.go:12:3", left_out),
        ("\"api/client.go\"", left_out),
        ("web/client.go", "Exists - exists as asked"),
        ("web/client.go:12", "Resolved - "),
        ("wbe/handler.go", "Resolved - "),
    ] {
        let answer = tree.ask(&Request::new(query));
        let refusal = answer.refusal.map_or("-".to_owned(), |refusal| format!("{refusal:?}"));
        let actual = format!("{:?} {refusal} {}", answer.status, answer.why);
        assert!(actual.starts_with(expect), "{query}: {actual}");
        assert_eq!(answer.path.is_some(), expect != left_out, "{query}: {answer:?}");
    }
}

/// A disk from which entries have gone since the walk, and which records its probes.
struct Disk {
    tree: Tree,
    query: std::cell::RefCell<Vec<Vec<u8>>>,
}

impl Probe for Disk {
    fn root_gone(&self, _root: usize) -> Option<String> {
        None
    }

    fn presence(&self, root: usize, path: &[u8]) -> Presence {
        self.query.borrow_mut().push(path.to_vec());
        self.tree.presence(root, path)
    }

    fn is_ignored(&self, root: usize, path: &[u8]) -> bool {
        self.tree.is_ignored(root, path)
    }

    fn is_left_out(&self, root: usize, path: &[u8]) -> bool {
        self.tree.is_left_out(root, path)
    }

    fn contains(&self, root: usize, path: &[u8], text: &str) -> Option<bool> {
        self.tree.contains(root, path, text)
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("src".to_owned()),
        Just("client".to_owned()),
        Just("client.go".to_owned()),
        Just("config.test.ts".to_owned()),
        Just("..".to_owned()),
        Just("lib.rs".to_owned()),
        "[a-c./:]{1,4}",
    ]
}

fn path() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 1..5).prop_map(|pieces| pieces.join("/"))
}

fn tree() -> impl Strategy<Value = Tree> {
    let name = proptest::sample::select(vec!["src", "client", "client.go", "lib.rs", "config.test.ts", "a", "b"]);
    let path = proptest::collection::vec(name, 1..4).prop_map(|names| names.join("/").into_bytes());
    proptest::collection::vec((path, Just(Kind::File)), 0..16).prop_map(|entries| Tree::from_entries(&entries))
}

fn request() -> impl Strategy<Value = Request> {
    let op = proptest::sample::select(vec![Op::Read, Op::List, Op::Stat, Op::Edit, Op::Write]);
    let history = proptest::collection::vec(path(), 0..3);
    (path(), op, "[a-c ]{0,6}|client|the lib", history, proptest::option::of(path()), 1_usize..20).prop_map(
        |(failed_path, op, intent_text, history, from_file, limit)| Request {
            failed_path,
            op,
            intent_text,
            from_file,
            history,
            limit,
            ..Request::default()
        },
    )
}

proptest! {
    /// Checks the invariants of an answer for any request and any tree, half of which is gone from the disk.
    #[test]
    fn answers_keep_their_invariants(tree in tree(), request in request(), gone in any::<u64>()) {
        let mut there = tree.clone();
        for (at, (path, _)) in tree.entries().iter().enumerate() {
            if gone >> (at % 64) & 1 == 1 {
                there.remove(path);
            }
        }
        let disk = Disk { tree: there, query: std::cell::RefCell::default() };
        let engine = tree.engine();
        let Ok(answer) = engine.resolve(&request, &disk) else { return Ok(()) };
        let query = disk.query.borrow();
        for path in answer.candidates.iter().map(|candidate| &candidate.path).chain(answer.path.iter().map(|it| &it.1)) {
            prop_assert!(matches!(disk.tree.presence(0, path.as_bytes()), Presence::Present(_)), "{:?} is gone", path);
            prop_assert!(query.iter().any(|query| query == path.as_bytes()), "{:?} was stated without a probe", path);
        }
        prop_assert!(answer.candidates.len() <= request.limit);
        prop_assert!(answer.candidates.is_sorted_by(|left, right| left.score >= right.score));
        prop_assert!(answer.candidates.iter().all(|candidate| (0.0..=100.0).contains(&candidate.score)));
        prop_assert!((0.0..=1.0).contains(&answer.confidence));
        let certain = matches!(answer.status, Status::Exists | Status::Resolved);
        prop_assert_eq!(answer.path.is_some(), certain);
        prop_assert_eq!(answer.refusal.is_none(), certain);
        // A question is asked only between rivals: one candidate is no choice.
        prop_assert!(answer.next_question.is_none() || answer.status == Status::Ambiguous);
        prop_assert!(request.op != Op::Write || answer.status != Status::Resolved, "a write was retargeted");
        prop_assert!(!answer.why.is_empty());
        if answer.status == Status::Resolved {
            prop_assert_eq!(answer.path.as_ref().map(|(_, path)| path), answer.candidates.first().map(|it| &it.path));
        }
    }

    /// Equal requests get equal answers, from one engine and from a second one.
    #[test]
    fn answers_are_deterministic(tree in tree(), request in request()) {
        let engine = tree.engine();
        let request = Request { explain: true, ..request };
        let first = engine.resolve(&request, &tree);
        prop_assert_eq!(&engine.resolve(&request, &tree), &first);
        prop_assert_eq!(&tree.engine().resolve(&request, &tree), &first);
    }
}

/// An engine answers from its snapshot, and states only paths that are on the disk now.
#[test]
fn states_only_paths_on_disk() {
    let old = Tree::new("src/client.go\nsrc/server.go");
    let new = Tree::new("src/clients.go\nsrc/server.go");
    let request = Request::new("src/cleint.go");
    let answer = old.engine().resolve(&request, &new).expect("a good request");
    assert!(paths(&answer).iter().all(|(_, path)| path != "src/client.go"), "{answer:?}");
    let query = Request::new("src/clients.go");
    assert_eq!(old.engine().resolve(&query, &new).expect("a good request").status, Status::Exists);

    let changes = [Change::Removed("src/client.go".into()), Change::Added("src/clients.go".into(), Kind::File)];
    let snapshot: Snapshot = old.snapshot().apply(&changes);
    let answer = crate::testing::engine(snapshot).resolve(&request, &new).expect("a good request");
    assert_eq!(paths(&answer).first().map(|(_, path)| path.as_str()), Some("src/clients.go"), "{answer:?}");
}
