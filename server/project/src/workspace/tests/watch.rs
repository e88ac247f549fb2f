//! Tests of change events: changes on disk are soon in the snapshot.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{FindRequest, Kind, RelPath, Request, Status};

use super::{TIMEOUT, ask, wait_for_answer};
use crate::settings::{Key, Overrides};
use crate::workspace::{ChangeSource, Workspace};
use pathfinder_vfs::testing::TestTree;
use pathfinder_vfs::walk::{WalkOptions, walk};

fn watched(tree: &TestTree) -> Workspace {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    let workspace = Workspace::new(given);
    workspace.watch(ChangeSource::System);
    workspace.open(vec![tree.path("root")]);
    workspace
}

fn wait_until_watched(workspace: &Workspace) {
    let start = Instant::now();
    workspace.snapshot().expect("a session");
    while !workspace.0.watch.is_complete() {
        assert!(start.elapsed() < TIMEOUT, "nobody watches");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn entries(workspace: &Workspace) -> String {
    let snapshot = workspace.snapshot().expect("a session");
    let entries = snapshot.engine().roots()[0].snapshot.entries();
    entries.iter().map(|(path, kind)| format!("{} {kind:?}", path.escape_ascii())).collect::<Vec<_>>().join("\n")
}

fn walked(tree: &TestTree) -> String {
    let walked = walk(&tree.root("root"), &WalkOptions::default()).expect("a root");
    let entries = Snapshot::build(&walked.found, Vec::new()).entries();
    entries.iter().map(|(path, kind)| format!("{} {kind:?}", path.escape_ascii())).collect::<Vec<_>>().join("\n")
}

/// Waits until the workspace equals a walk after these commands, without a request to read.
#[track_caller]
fn wait_until_same_as_walk(workspace: &Workspace, tree: &TestTree, commands: &str) {
    tree.run(&format!("cd root\n{commands}"));
    let expect = walked(tree);
    let start = Instant::now();
    while entries(workspace) != expect {
        assert!(start.elapsed() < TIMEOUT, "{commands}\n{}\n--- but a walk finds\n{expect}", entries(workspace));
        std::thread::sleep(Duration::from_millis(2));
    }
    // No comparison with the disk was needed.
    assert_eq!(workspace.0.watch.corrected(), 0, "{commands}");
}

const PROJECT: &str =
    "root/.gitignore: out\\n*.log\nroot/src/main.rs\nroot/src/deep/er/x.rs\nroot/out/kept.rs\nroot/lib/a.rs
    $ cd root && git init -q && git add -A && git add -f out/kept.rs && git commit -qm one";

#[test]
fn follows_changes_on_disk() {
    let tree = TestTree::new(PROJECT);
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    for commands in [
        "touch src/new.rs",
        "rm src/new.rs",
        "mv src/deep elsewhere",
        "touch elsewhere/er/y.rs",
        "mkdir -p a/b/c/d && touch a/b/c/d/e.rs",
        "touch a/b/c/d/f.rs a/b/g.rs",
        "rm -rf a && mkdir -p a/b && touch a/b/z.rs",
        "touch a/b/later.rs",
        "mv lib t && mv src lib && mv t src",
        "touch lib/one src/two",
        "echo '*.rs' > lib/.gitignore",
        "rm lib/.gitignore",
        "echo other > .gitignore",
        "touch out/more.rs",
        "git checkout -q .gitignore",
        "rm out/kept.rs",
        "git checkout -q out/kept.rs",
        "touch n.log && git add -f n.log",
        "git rm -q --cached n.log",
        "git checkout -qb two && git add -A && git commit -qm two && git checkout -q -",
        "git checkout -q two",
        "git init -q nested && touch nested/x.log nested/y.rs && echo y.rs > nested/.gitignore",
        "cd nested && git add -f y.rs",
        "mv nested a/moved",
        "rm -rf a/moved/.git",
        "chmod 700 a && touch a/after.rs",
        "echo lib >> .git/info/exclude",
        "echo > .git/info/exclude",
    ] {
        wait_until_same_as_walk(&workspace, &tree, commands);
    }
    assert!(workspace.0.watch.is_complete());
    assert_eq!(workspace.0.verify_against_walk(), 0, "nothing had to be corrected");
    workspace.close();
}

/// Ignore rules above the root apply, and git's index is elsewhere.
#[test]
fn applies_rules_and_git_lists_from_above_the_root() {
    let tree = TestTree::new(
        "top/.gitignore: *.log\ntop/root/a.rs\ntop/root/b.log\n$ cd top && git init -q && mv root ../root && ln -s ../root root; rm root; mv ../root root",
    );
    let workspace = Workspace::new(Overrides::default());
    workspace.watch(ChangeSource::System);
    workspace.open(vec![tree.path("top/root")]);
    wait_until_watched(&workspace);
    for (commands, expect) in [
        ("touch root/c.rs", "a.rs c.rs"),
        ("git add -f root/b.log", "a.rs b.log c.rs"),
        ("echo c.rs > .gitignore", "a.rs b.log"),
    ] {
        tree.run(&format!("cd top\n{commands}"));
        let start = Instant::now();
        let names = || entries(&workspace).lines().map(|line| line.replace(" File", "")).collect::<Vec<_>>().join(" ");
        while names() != expect {
            assert!(start.elapsed() < TIMEOUT, "{commands}: {}", names());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

#[test]
fn knows_renames_before_they_are_committed() {
    let tree = TestTree::new(PROJECT);
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    wait_until_same_as_walk(&workspace, &tree, "mv lib/a.rs lib/entirely_different.rs");
    let asked = workspace.ask(&Request::new("lib/a.rs")).expect("an answer").answer;
    let path = asked.path.map(|(_, path)| path.text().into_owned());
    assert_eq!((asked.status, path.as_deref()), (Status::Resolved, Some("lib/entirely_different.rs")), "{}", asked.why);
    assert!(asked.why.contains("not committed"), "{}", asked.why);
    wait_until_same_as_walk(&workspace, &tree, "mv src elsewhere");
    assert_eq!(ask(&workspace, "src/deep/er/x.rs"), "resolved elsewhere/deep/er/x.rs");
    // Editors save by renaming a new file over the old one: that is no move.
    wait_until_same_as_walk(&workspace, &tree, "touch elsewhere/.main.tmp && mv elsewhere/.main.tmp elsewhere/main.rs");
    let asked = workspace.ask(&Request::new("elsewhere/.main.tmp")).expect("an answer").answer;
    assert!(!asked.why.contains("moved"), "{}", asked.why);
    tree.run("cd root && git add -A && git commit -qm moved");
    wait_for_answer(&workspace, "lib/a.rs", "resolved lib/entirely_different.rs");
}

#[test]
fn updates_declarations_and_packages() {
    let tree = TestTree::new(
        "root/src/one.rs: struct First;\nroot/ui/package.json: {\"name\": \"@acme/ui\"}\nroot/ui/src/x.ts",
    );
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    let declared = |name: &str| {
        let (_, found) = workspace.find(&FindRequest::new(name)).expect("an answer");
        found.answer.expect("an answer").hits.first().map(|hit| hit.path.text().into_owned()).unwrap_or_default()
    };
    let becomes = |name: &str, expect: &str| {
        let start = Instant::now();
        while declared(name) != expect {
            assert!(start.elapsed() < TIMEOUT, "{name}: {:?} and not {expect:?}", declared(name));
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    becomes("First", "src/one.rs");
    wait_until_same_as_walk(&workspace, &tree, "echo 'struct SecondThing;' > src/two.rs");
    becomes("SecondThing", "src/two.rs");
    tree.run("cd root && echo 'struct ThirdThing;' > src/two.rs");
    becomes("ThirdThing", "src/two.rs");
    let packages = || {
        let snapshot = workspace.snapshot().expect("a session");
        let packages = snapshot.engine().roots()[0].snapshot.packages().to_vec();
        packages.iter().map(|it| format!("{}={}", it.name, it.directory.text())).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(packages(), "@acme/ui=ui");
    wait_until_same_as_walk(&workspace, &tree, "mv ui web");
    assert_eq!(packages(), "@acme/ui=web");
    tree.run("cd root && echo '{\"name\": \"@acme/web\"}' > web/package.json");
    let start = Instant::now();
    while packages() != "@acme/web=web" {
        assert!(start.elapsed() < TIMEOUT, "{}", packages());
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A comparison with a walk corrects any difference.
#[test]
fn repairs_drift() {
    let tree = TestTree::new(PROJECT);
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    let snapshot = workspace.snapshot().expect("a session");
    let wrong = [Change::Removed(RelPath::from("src")), Change::Added(RelPath::from("ghost/x.rs"), Kind::File)];
    let stale = snapshot.engine().roots()[0].snapshot.apply(&wrong);
    workspace.0.state().workspace = Some(Arc::new(snapshot.with_tree(0, stale, None)));
    assert_ne!(entries(&workspace), walked(&tree));
    assert!(workspace.0.verify_against_walk() > 0);
    assert_eq!(entries(&workspace), walked(&tree));
    assert_eq!(workspace.0.verify_against_walk(), 0);
}

/// A directory that replaces the root is watched too.
#[test]
fn watches_a_replaced_root() {
    let tree = TestTree::new("root/a.rs");
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    tree.run("mv root old && mkdir root && touch root/b.rs");
    let start = Instant::now();
    while entries(&workspace) != walked(&tree) {
        assert!(start.elapsed() < TIMEOUT, "{}", entries(&workspace));
        std::thread::sleep(Duration::from_millis(20));
    }
    wait_until_watched(&workspace);
    wait_until_same_as_walk(&workspace, &tree, "touch c.rs");
}

/// Enough events that the system loses some, or nearly.
#[test]
fn survives_event_storms() {
    let tree = TestTree::new(PROJECT);
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    for commands in [
        "mkdir many && cd many && seq 20000 | sed 's/$/.rs/' | xargs touch",
        "cd many && seq 1 3 20000 | sed 's/$/.rs/' | xargs rm",
        "for i in $(seq 300); do mkdir -p node/p$i/lib && touch node/p$i/lib/index.js node/p$i/package.json; done",
        "mv node src/node && rm -rf many",
        "echo node > .gitignore",
        "rm -rf src/node",
        "git checkout -qf . && git clean -qfdx",
    ] {
        wait_until_same_as_walk(&workspace, &tree, commands);
    }
}

/// The cached listing answers before the disk is read, if the answer is sure and its path exists.
#[test]
fn answers_from_the_cache_first() {
    let tree = TestTree::new(&format!("root/src/navigation.rs\nroot/lib/settings.rs\n{PROJECT}"));
    let first = watched(&tree);
    wait_until_watched(&first);
    let is_kept = || {
        let mut files = tree.path("cache").read_dir().into_iter().flatten().flatten();
        files.any(|file| file.path().extension().is_some_and(|ending| ending == "listing"))
    };
    let start = Instant::now();
    while !is_kept() {
        assert!(start.elapsed() < TIMEOUT, "nothing is kept");
        std::thread::sleep(Duration::from_millis(2));
    }
    first.close();
    tree.run("cd root && rm lib/settings.rs");
    let roots = vec![tree.path("root")];
    let next = |include: Option<&str>| {
        let mut given = Overrides::default();
        given.set(Key::CacheDir, tree.path("cache").into());
        if let Some(include) = include {
            given.set(Key::IncludeDirs, include.into());
        }
        let workspace = Workspace::new(given);
        workspace.watch(ChangeSource::System);
        let kept = workspace.0.read_provisional(&roots, true, 0).is_some();
        let mut state = workspace.0.state();
        (state.roots, state.is_user_given) = (Some(roots.clone()), true);
        drop(state);
        (workspace, kept)
    };
    let (workspace, kept) = next(None);
    assert!(kept);
    for (asked, expect, rescans) in [
        ("src/navigatoin.rs", "resolved src/navigation.rs", false),
        ("lib/a.rs", "exists lib/a.rs", false),
        // The path is gone: other candidates are for the full read.
        ("lib/setings.rs", "ambiguous lib/a.rs", true),
    ] {
        assert_eq!(ask(&workspace, asked), expect);
        assert_eq!(workspace.0.state().workspace.is_some(), rescans, "{asked}");
    }
    assert!(!next(Some("out")).1, "with other settings other files are listed");
}

/// Paths up to the system's limit, and longer ones that no process can open.
#[test]
fn follows_very_long_paths() {
    let tree = TestTree::new(PROJECT);
    let workspace = watched(&tree);
    wait_until_watched(&workspace);
    let step = "d=$(printf 'd%.0s' $(seq 200))";
    for commands in [
        format!("{step}; p=$d; for i in $(seq 17); do p=$p/$d; done; mkdir -p $p && touch $p/end.rs"),
        "python3 -c 'import os; [(os.mkdir(\"e\" * 200), os.chdir(\"e\" * 200)) for _ in range(30)]; open(\"beyond.rs\", \"w\")'".to_owned(),
        format!("{step}; mv $d short && touch short/new.rs"),
        "rm -rf short ee*".to_owned(),
    ] {
        wait_until_same_as_walk(&workspace, &tree, &commands);
    }
}
