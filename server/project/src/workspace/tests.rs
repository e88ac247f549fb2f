//! Tests of recorded uses and of reading again.

#[cfg(target_os = "linux")]
mod watch;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pathfinder_core::{Request, Status};

use super::{Workspace, WorkspaceError};
use crate::settings::{Key, Overrides};
use pathfinder_vfs::testing::TestTree;

/// Files with equal names in packages that are all alike.
const TWINS: &str = "a/client.go\na/config.go\nb/client.go\nb/config.go\nc/client.go\nc/config.go";

/// Longer than anything here takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Opens a workspace on `root` of a tree, with its cache in `cache`.
fn workspace(tree: &TestTree) -> Workspace {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    let workspace = Workspace::new(given);
    workspace.open(vec![tree.path("root")]);
    workspace
}

fn tree(text: &str) -> TestTree {
    TestTree::new(&text.lines().map(|line| ["root/", line.trim(), "\n"].concat()).collect::<String>())
}

/// Asks for a path and records its use. Returns `STATUS PATH`, with the first candidate if there is no path.
fn ask(workspace: &Workspace, failed_path: &str) -> String {
    let asked = workspace.ask(&Request::new(failed_path)).expect("an answer");
    let status = match asked.answer.status {
        Status::Exists => "exists",
        Status::Resolved => "resolved",
        Status::Ambiguous => "ambiguous",
        Status::NotFound => "not_found",
    };
    let first = asked.answer.candidates.first().map(|first| (first.root, first.path.clone()));
    if let Some((root, path)) = &asked.answer.path {
        workspace.record_use(&asked.workspace, *root, path);
    }
    let path = asked.answer.path.or(first).map_or("-".to_owned(), |(_, path)| path.text().into_owned());
    format!("{status} {path}")
}

/// Waits until the answer is `expect`.
#[track_caller]
fn wait_for_answer(workspace: &Workspace, failed_path: &str, expect: &str) {
    let start = Instant::now();
    while ask(workspace, failed_path) != expect {
        assert!(start.elapsed() < TIMEOUT, "{failed_path} is still {}", ask(workspace, failed_path));
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Each caller sees the files that existed before its call; a missing root is an error.
#[test]
fn concurrent_reindexes_share_a_read() {
    let tree = tree(TWINS);
    let workspace = workspace(&tree);
    for round in 0..20 {
        let name = format!("new{round}.go");
        fs::write(tree.path("root").join(&name), "").expect("written");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let snapshot = workspace.reindex().expect("a session");
                    assert!(snapshot.engine().roots()[0].snapshot.get(name.as_bytes()).is_some(), "{name}");
                });
            }
        });
    }
    fs::remove_dir_all(tree.path("root")).expect("removed");
    assert!(matches!(workspace.reindex(), Err(WorkspaceError::Roots(_))));
}

#[test]
fn prefers_paths_near_those_used_before() {
    let tree = tree(TWINS);
    let workspace = workspace(&tree);
    assert_eq!(ask(&workspace, "client.go"), "ambiguous a/client.go");
    assert_eq!(ask(&workspace, "b/config.go"), "exists b/config.go");
    assert!(ask(&workspace, "client.go").ends_with("b/client.go"));
    assert_eq!(ask(&workspace, "c/config.go"), "exists c/config.go");
    assert!(ask(&workspace, "client.go").ends_with("c/client.go"), "the newest counts most");
}

#[test]
fn adds_the_history_of_the_request() {
    let tree = tree(TWINS);
    let workspace = workspace(&tree);
    ask(&workspace, "b/config.go");
    let request = Request { history: vec!["c/config.go".to_owned()], ..Request::new("client.go") };
    let asked = workspace.ask(&request).expect("an answer");
    assert_eq!(asked.answer.candidates[0].path.text(), "c/client.go");
    assert_eq!(asked.request.history.len(), 2);
}

/// The recent paths belong to one process, the visits to all.
#[test]
fn next_process_loads_saved_usage() {
    let tree = tree(TWINS);
    let first = workspace(&tree);
    for _ in 0..3 {
        ask(&first, "c/client.go");
    }
    first.close();
    let second = workspace(&tree);
    let asked = second.ask(&Request::new("client.go")).expect("an answer");
    assert!(asked.request.history.is_empty());
    assert_eq!(asked.answer.candidates[0].path.text(), "c/client.go");
    assert_eq!(asked.answer.status, Status::Ambiguous, "frecency makes no answer sure");
}

/// Each process adds to the visits of the other.
#[test]
fn merges_usage_of_concurrent_processes() {
    let tree = tree(TWINS);
    let (one, other) = (workspace(&tree), workspace(&tree));
    ask(&one, "b/config.go");
    ask(&other, "c/config.go");
    ask(&other, "c/config.go");
    one.save_usage();
    other.save_usage();
    let third = workspace(&tree);
    let asked = third.ask(&Request { explain: true, ..Request::new("config.go") }).expect("an answer");
    let frecency = |path: &str| {
        let of = asked.answer.candidates.iter().find(|candidate| candidate.path.text() == path).expect(path);
        of.contributions.iter().find(|part| part.name == "familiar").map_or(0.0, |part| part.points)
    };
    assert!(frecency("c/config.go") > frecency("b/config.go"));
    assert!(frecency("b/config.go") > frecency("a/config.go"));
}

/// A corrupt file, or one of another program, has no effect.
#[test]
fn ignores_corrupt_usage_files() {
    let tree = tree(TWINS);
    let kept = |tree: &TestTree| {
        let files = fs::read_dir(tree.path("cache")).expect("a cache").map(|entry| entry.expect("an entry").path());
        files.into_iter().find(|path| path.extension().is_some_and(|it| it == "visits")).expect("kept")
    };
    let use_and_close = || {
        let workspace = workspace(&tree);
        ask(&workspace, "c/config.go");
        workspace.close();
    };
    use_and_close();
    let sound = fs::read(kept(&tree)).expect("kept");
    let first = |bytes: &[u8]| {
        fs::write(kept(&tree), bytes).expect("written");
        ask(&workspace(&tree), "config.go")
    };
    assert_eq!(first(&sound), "ambiguous c/config.go");
    for at in [0, 8, 12, 20, sound.len() - 1] {
        let mut broken = sound.clone();
        broken[at] ^= 1;
        assert_eq!(first(&broken), "ambiguous a/config.go", "byte {at}");
    }
    assert_eq!(first(&sound[..sound.len() - 3]), "ambiguous a/config.go");
    assert_eq!(first(b""), "ambiguous a/config.go");
    use_and_close();
    assert_eq!(ask(&workspace(&tree), "config.go"), "ambiguous c/config.go");
}

#[test]
fn reindex_sees_new_files() {
    let tree = tree("src/main.rs");
    let workspace = workspace(&tree);
    assert!(ask(&workspace, "conifg.toml").starts_with("not_found"));
    fs::write(tree.path("root/config.toml"), "").expect("written");
    let snapshot = workspace.reindex().expect("it can be read");
    assert_eq!(snapshot.engine().roots()[0].snapshot.stats().files, 2);
    assert_eq!(ask(&workspace, "conifg.toml"), "resolved config.toml");
}

#[test]
fn retries_a_missing_root() {
    let tree = tree("src/main.rs");
    let workspace = Workspace::new(Overrides::default());
    workspace.open(vec![tree.path("later")]);
    let refused = workspace.snapshot();
    assert!(matches!(&refused, Err(WorkspaceError::Roots(error)) if error.to_string().contains("no such directory")));
    fs::rename(tree.path("root"), tree.path("later")).expect("renamed");
    assert_eq!(ask(&workspace, "src/man.rs"), "resolved src/main.rs");
}

#[test]
fn opens_other_roots() {
    let tree = tree("one/src/main.rs\ntwo/lib/parser.rs");
    let workspace = Workspace::new(Overrides::default());
    workspace.open(vec![tree.path("root/one")]);
    assert_eq!(ask(&workspace, "src/main.rs"), "exists src/main.rs");
    workspace.open(vec![tree.path("root/two")]);
    assert_eq!(ask(&workspace, "lib/praser.rs"), "resolved lib/parser.rs");
    assert!(!ask(&workspace, "src/mian.rs").ends_with("main.rs"));
}

/// Answers do not wait for git history, and use it once it is read.
#[test]
fn reads_history_in_the_background() {
    let text = "root/before.rs: fn main() {}\\n// one\\n// two\\n
                $ cd root && git init -q && git add -A && git commit -qm one && git mv before.rs after.rs && git commit -qm two";
    let tree = TestTree::new(text);
    let workspace = workspace(&tree);
    wait_for_answer(&workspace, "before.rs", "resolved after.rs");
    let asked = workspace.ask(&Request::new("before.rs")).expect("an answer");
    assert!(asked.answer.why.starts_with("moved to after.rs in "), "{}", asked.answer.why);
}

/// The user works on such a file.
#[test]
fn prefers_files_with_uncommitted_changes() {
    let tree = tree(TWINS);
    tree.run("cd root && git init -q && git add -A && git commit -qm one && echo more > b/client.go");
    let workspace = workspace(&tree);
    wait_for_answer(&workspace, "client.go", "ambiguous b/client.go");
}

#[test]
fn joins_absolute_paths() {
    let check = |root: &str, path: &str, expect: &str| {
        assert_eq!(super::absolute(Path::new(root), &path.into()), expect);
    };
    check("/a/b", "c/d", "/a/b/c/d");
    check("/a/b", "", "/a/b");
    check("/", "c", "/c");
}
