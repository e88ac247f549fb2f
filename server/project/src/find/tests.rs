//! Tests of find over the names, declarations and contents of a tree on disk.

use super::*;
use crate::settings::{Key, Overrides};
use pathfinder_vfs::testing::TestTree;

/// Opens `root/` of a tree, with a cache of its own.
fn open(tree: &TestTree) -> WorkspaceSnapshot {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    WorkspaceSnapshot::open(&[tree.path("root")], &given, Duration::MAX, None).expect("a snapshot")
}

#[track_caller]
fn check_strong(query: &str, time: Duration, expect: bool) {
    let tree = TestTree::new(
        "root/src/store.rs: /// Keeps the items of a session.\\npub struct SessionStore;\nroot/src/other.rs: pub struct Other;",
    );
    let (found, _) = find_within(&open(&tree), &FindRequest::new(query), time, time);
    let answer = found.answer.expect("an answer");
    assert_eq!((answer.hits[0].path.text().as_ref(), answer.strong), ("src/store.rs", expect), "{query}");
}

#[test]
fn a_question_has_no_strong_answer_while_files_are_unread() {
    check_strong("where is session store items", Duration::MAX, true);
    check_strong("where is session store items", Duration::ZERO, false);
}

const JOBS: &str = "
    root/src/jobs.py: class A:\\n    def run_job(self): pass\\nclass B:\\n    def run_job(self): pass\\ndef stop_job(): pass
    root/src/tasks.py: def run_job(): pass
    root/src/loop.py: def a(): pass\\ndef poll(): pass\\ndef poll(): pass\\ndef poll(): pass\\ndef poll(): pass\\ndef poll(): pass
    root/src/other.py: def run_other(): pass
";

/// Compares the hits, `path:line  why`, in any order.
#[track_caller]
fn check_hits(query: &str, expect: &[&str]) {
    let (found, _) = find_within(&open(&TestTree::new(JOBS)), &FindRequest::new(query), Duration::MAX, Duration::MAX);
    let answer = found.answer.expect("an answer");
    let shown = |hit: &Hit| format!("{}:{}  {}", hit.path.text(), hit.line.unwrap_or_default(), hit.why);
    let mut hits: Vec<String> = answer.hits.iter().map(shown).collect();
    hits.sort_unstable();
    assert_eq!(hits, expect, "{query}");
}

#[test]
fn lists_all_functions_of_a_name() {
    check_hits(
        "where is run_job implemented",
        &["src/jobs.py:2  method run_job, also line 4", "src/tasks.py:1  function run_job"],
    );
    check_hits("stop_job", &["src/jobs.py:5  function stop_job"]);
    check_hits("poll", &["src/loop.py:2  function poll, also lines 3, 4, 5 and 1 more"]);
}

/// The note of an answer needs the total before the first declaration is read.
#[test]
fn counts_files_before_the_first_is_read() {
    let answer = find(&open(&TestTree::new(JOBS)), &FindRequest::new("quixifer")).answer.expect("an answer");
    assert_eq!((answer.declared, answer.has_unread), ((0, 4), true));
}
