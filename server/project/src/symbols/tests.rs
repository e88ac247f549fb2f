//! Declarations of a snapshot's files: read at once, and updated while files change.

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_core::symbols::Symbols;

use super::read;
use crate::settings::{Key, Overrides};
use crate::snapshot::WorkspaceSnapshot;
use crate::workspace::{ChangeSource, Workspace};
use pathfinder_vfs::testing::TestTree;

/// Longer than anything here takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

const FILES: &str = "root/src/store.rs: pub struct Store;
root/src/app.py: class Application: pass
root/notes.txt: class Nothing
root/ignored/gone.rs: struct Ignored;
root/.gitignore: ignored/
outside/other.rs: struct Outside;
$ ln -s ../outside root/linked
$ ln -s ../../outside/other.rs root/src/linked.rs
$ ln -s store.rs root/src/again.rs
$ git init -q root";

fn snapshot(tree: &TestTree) -> WorkspaceSnapshot {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    WorkspaceSnapshot::open(&[tree.path("root")], &given, Duration::MAX, None).expect("a session")
}

/// Returns all declarations as `file:line name`.
fn declarations(symbols: &Symbols) -> String {
    let mut places: Vec<_> = symbols.locations().collect();
    places.sort_unstable_by_key(|place| (place.file, place.symbol));
    let texts = places.iter().map(|place| format!("{}:{} {}", place.file, place.symbol.line, place.symbol.name));
    texts.collect::<Vec<_>>().join(", ")
}

fn root_symbols(snapshot: &WorkspaceSnapshot) -> &Symbols {
    &snapshot.engine().roots()[0].symbols
}

/// Reads only indexed files, and nothing behind links.
#[test]
fn reads_all_files_at_once() {
    let tree = TestTree::new(FILES);
    let snapshot = snapshot(&tree);
    assert_eq!(root_symbols(&snapshot).progress(), (0, 0));
    let whole = read(&snapshot, Duration::MAX, &|_| true);
    assert_eq!(declarations(root_symbols(&whole)), "src/app.py:1 Application, src/store.rs:1 Store");
    assert_eq!(root_symbols(&whole).progress(), (2, 2));
    let some = read(&snapshot, Duration::MAX, &|text| memchr::memmem::find(text, b"Store").is_some());
    assert_eq!(
        (declarations(root_symbols(&some)).as_str(), root_symbols(&some).progress()),
        ("src/store.rs:1 Store", (2, 2))
    );
    let none = read(&snapshot, Duration::ZERO, &|_| true);
    assert_eq!((declarations(root_symbols(&none)).as_str(), root_symbols(&none).progress()), ("", (0, 2)));
}

/// Waits until a workspace has these declarations.
#[track_caller]
fn wait_for_declarations(workspace: &Workspace, expect: &str) {
    let start = Instant::now();
    loop {
        let snapshot: Arc<WorkspaceSnapshot> = workspace.snapshot().expect("a session");
        let now = declarations(root_symbols(&snapshot));
        if now == expect {
            return;
        }
        assert!(start.elapsed() < TIMEOUT, "it is still {now}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Finds new, changed and removed files by reading again and by change events.
#[test]
fn updates_in_the_background() {
    for watched in [false, true] {
        let tree = TestTree::new(FILES);
        let mut given = Overrides::default();
        given.set(Key::CacheDir, tree.path("cache").into());
        let workspace = Workspace::new(given);
        if watched {
            workspace.watch(ChangeSource::Client);
        }
        workspace.open(vec![tree.path("root")]);
        wait_for_declarations(&workspace, "src/app.py:1 Application, src/store.rs:1 Store");
        fs::write(tree.path("root/src/store.rs"), "// moved on\npub struct Depot;\n").expect("written");
        if watched {
            let root = workspace.snapshot().expect("a session").opened()[0].root.canonical.clone();
            workspace.report_changes(vec![root.join("src/store.rs")]);
            wait_for_declarations(&workspace, "src/app.py:1 Application, src/store.rs:2 Depot");
            fs::create_dir(root.join("lib")).expect("made");
            fs::rename(root.join("src/app.py"), root.join("lib/app.py")).expect("moved");
            workspace.report_changes(vec![root.join("lib"), root.join("src/app.py")]);
            wait_for_declarations(&workspace, "lib/app.py:1 Application, src/store.rs:2 Depot");
            fs::rename(root.join("lib"), root.join("src/lib")).expect("moved");
            workspace.report_changes(vec![root.join("lib"), root.join("src/lib")]);
            wait_for_declarations(&workspace, "src/lib/app.py:1 Application, src/store.rs:2 Depot");
            fs::rename(root.join("src/lib/app.py"), root.join("src/app.py")).expect("moved");
            workspace.report_changes(vec![root.join("src")]);
        }
        fs::remove_file(tree.path("root/src/app.py")).expect("removed");
        fs::write(tree.path("root/new.go"), "package a\nfunc New() {}\n").expect("written");
        workspace.reindex().expect("read again");
        wait_for_declarations(&workspace, "new.go:2 New, src/store.rs:2 Depot");
        workspace.close();
    }
}
