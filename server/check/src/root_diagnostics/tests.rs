//! Tests of `RootDiagnostics`: files to check again after changes.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::index::Change;

use super::{AffectedFiles, RootDiagnostics};
use crate::Options;
use pathfinder_project::settings::{Key, Overrides};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::testing::TestTree;

/// Most links resolve: where many do not, a missing path that nothing explains is not reported.
const FILES: &str = "root/.gitignore: hidden.md
root/ok1.md: ok
root/ok2.md: ok
root/ok3.md: ok
root/ok4.md: ok
root/ok5.md: ok
root/ok6.md: ok
root/a.md: [a](gone.md) [o](ok1.md) [o](ok2.md) [o](ok3.md) [o](ok4.md) [o](ok5.md) [o](ok6.md)
root/hidden.md: [a](gone.md) [o](ok1.md) [o](ok2.md) [o](ok3.md) [o](ok4.md) [o](ok5.md) [o](ok6.md)
root/lib/c.md: [a](lost.md) [o](../ok1.md) [o](../ok2.md) [o](../ok3.md) [o](../ok4.md) [o](../ok5.md) [o](../ok6.md)
root/lib/d.md: [a](gone.md) [o](../ok1.md) [o](../ok2.md) [o](../ok3.md) [o](../ok4.md) [o](../ok5.md) [o](../ok6.md)
root/pkg/package.json: {}
root/pkg/b.md: [a](lost.md) [o](../ok1.md) [o](../ok2.md) [o](../ok3.md) [o](../ok4.md) [o](../ok5.md) [o](../ok6.md)
$ git init -q root";

fn snapshot(tree: &TestTree) -> Arc<WorkspaceSnapshot> {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    Arc::new(WorkspaceSnapshot::open(&[tree.path("root")], &given, Duration::MAX, None).expect("a session"))
}

fn checked(tree: &TestTree, files: &[&str]) -> RootDiagnostics {
    let diagnostics = RootDiagnostics::new(&snapshot(tree), Arc::new(Options::default()));
    check(&diagnostics, files);
    diagnostics
}

fn check(diagnostics: &RootDiagnostics, files: &[&str]) {
    let files: Vec<String> = files.iter().map(|&file| file.to_owned()).collect();
    diagnostics.check(&files, &AtomicBool::new(false), &|_, _| ());
}

fn broken_files(diagnostics: &RootDiagnostics) -> String {
    diagnostics.findings().into_keys().collect::<Vec<_>>().join(" ")
}

/// The caller may name files of an older tree.
#[test]
fn ignores_files_that_are_no_longer_listed() {
    let tree = TestTree::new(FILES);
    assert_eq!(broken_files(&checked(&tree, &["a.md", "hidden.md", "never.md", "pkg/b.md"])), "a.md pkg/b.md");
}

#[test]
fn closes_the_repository_between_checks() {
    let commit = "$ cd root && git config user.name a && git config user.email a@b && git add . && git commit -qm one";
    let tree = TestTree::new(&format!("{FILES}\n{commit}"));
    let diagnostics = checked(&tree, &["a.md"]);
    for _ in 0..2 {
        assert_eq!([(); 3].map(|()| diagnostics.release_unused()), [false, true, false], "used, closed, closed before");
        check(&diagnostics, &["a.md"]);
        assert_eq!(broken_files(&diagnostics), "a.md");
    }
}

/// A text names the moved path, in whatever form, or it does not. Checked files follow, because the index knows most of them.
#[test]
fn finds_files_with_the_words_of_a_path() {
    let tree = TestTree::new(FILES);
    let check = |checked_files: &[&str], path: &str, expect: &str| {
        let diagnostics = checked(&tree, checked_files);
        assert_eq!(diagnostics.files_with_words_of([path]).join(" "), expect, "{path} {checked_files:?}");
    };
    check(&[], "lost.md", "lib/c.md pkg/b.md");
    check(&["lib/c.md"], "lost.md", "pkg/b.md lib/c.md");
    check(&["lib/c.md", "pkg/b.md"], "lost.md", "lib/c.md pkg/b.md");
    check(&[], "never.md", "");
}

/// Compares the broken files and the affected ones after a removal. `None` means that all files are affected.
#[track_caller]
fn check_removal(commands: &str, path: &str, still_broken: &str, affected: Option<&str>) {
    let tree = TestTree::new(FILES);
    let diagnostics = checked(&tree, &["a.md", "lib/c.md", "lib/d.md", "pkg/b.md"]);
    let before = diagnostics.snapshot();
    tree.run(commands);
    let below = before.engine().roots()[0].snapshot.entries_below(path.as_bytes());
    let below = below.into_iter().map(|(path, _)| RelPath::new(path));
    let changes: Vec<Change> = below.chain([RelPath::from(path)]).map(Change::Removed).collect();
    let now = diagnostics.change(&snapshot(&tree), &changes, &[]);
    let expected = affected.map_or(AffectedFiles::All, |files| {
        AffectedFiles::Listed(files.split_whitespace().map(str::to_owned).collect())
    });
    assert_eq!((broken_files(&diagnostics).as_str(), now), (still_broken, expected), "{commands}");
}

#[test]
fn forgets_findings_of_removed_files() {
    check_removal("rm root/a.md", "a.md", "lib/c.md lib/d.md pkg/b.md", Some(""));
    check_removal("rm root/pkg/b.md", "pkg/b.md", "a.md lib/c.md lib/d.md", Some(""));
    check_removal("rm -r root/lib", "lib", "a.md pkg/b.md", Some(""));
    check_removal("rm -r root/pkg", "pkg", "a.md lib/c.md lib/d.md", None);
    // The path exists again, or a part of it, when the change is applied.
    check_removal("true", "a.md", "a.md lib/c.md lib/d.md pkg/b.md", Some("a.md"));
    check_removal("rm root/lib/c.md", "lib", "a.md lib/d.md pkg/b.md", Some("lib/d.md"));
}

/// The file on disk has other links than the open document.
#[test]
fn uses_mentions_of_open_documents() {
    let tree = TestTree::new(FILES);
    let diagnostics = checked(&tree, &["a.md", "pkg/b.md"]);
    let text = pathfinder_literals::Source::new("a.md", b"[a](new.md)").expect("a text");
    let literals = pathfinder_literals::check(&text, diagnostics.checker().project());
    assert!(diagnostics.set_mentions("a.md", &literals, diagnostics.revision()));
    let come = |diagnostics: &RootDiagnostics, path: &str| {
        tree.run(&format!("touch root/{path}"));
        diagnostics.change(&snapshot(&tree), &[Change::Added(RelPath::from(path), pathfinder_core::Kind::File)], &[])
    };
    check(&diagnostics, &["a.md"]);
    let revision = diagnostics.revision();
    assert_eq!(come(&diagnostics, "new.md"), AffectedFiles::Listed(vec!["a.md".to_owned(), "new.md".to_owned()]));
    assert!(!diagnostics.set_mentions("a.md", &literals, revision));
    diagnostics.close_document("a.md");
    check(&diagnostics, &["a.md"]);
    assert_eq!(come(&diagnostics, "lost.md"), AffectedFiles::Listed(vec!["lost.md".to_owned(), "pkg/b.md".to_owned()]));
    assert_eq!(come(&diagnostics, "gone.md"), AffectedFiles::Listed(vec!["a.md".to_owned(), "gone.md".to_owned()]));
}
