//! Tests of reading contents of a tree on disk: which files enter the index.

use pathfinder_content::ContentLimits;
use pathfinder_core::FindRequest;
use pathfinder_vfs::testing::TestTree;

use super::*;
use crate::find::find;
use crate::settings::{Key, Overrides};

fn open(tree: &TestTree) -> WorkspaceSnapshot {
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    WorkspaceSnapshot::open(&[tree.path("root")], &given, Duration::MAX, None).expect("a snapshot")
}

fn read(workspace: &WorkspaceSnapshot, budget: Duration) -> WorkspaceSnapshot {
    super::read(workspace, CachedContents::load(workspace), budget, &mut DiskStamps::default())
}

fn files(workspace: &WorkspaceSnapshot) -> Vec<String> {
    let mut files: Vec<String> = workspace.opened()[0].contents.stamps().map(|(file, _)| file.to_owned()).collect();
    files.sort_unstable();
    files
}

/// `ignored` is the text of `.gitignore`.
#[track_caller]
fn check_ignored(ignored: &str, expect: &[&str]) {
    let tree = TestTree::new("root/src/a.rs: fn zanzibar() {}\nroot/out/b.rs: fn quorum() {}\n$ git init -q root");
    std::fs::write(tree.path("root/.gitignore"), ignored).expect("a file");
    let workspace = read(&open(&tree), Duration::MAX);
    assert_eq!(files(&workspace), expect, "{ignored}");
    let is_found = |query: &str| !find(&workspace, &FindRequest::new(query)).answer.expect("an answer").hits.is_empty();
    assert_eq!((is_found("zanzibar"), is_found("quorum")), (true, expect.len() == 3), "{ignored}");
}

#[test]
fn ignored_files_are_not_indexed() {
    check_ignored("out/\n", &[".gitignore", "src/a.rs"]);
    check_ignored("other/\n", &[".gitignore", "out/b.rs", "src/a.rs"]);
}

const TREE: &str = "
    root/a/one.rs: fn first() {}
    root/a/two.rs: fn second() {}
    root/b/one.rs: fn third() {}
    root/b/two.rs: fn fourth() {}
";

/// A snapshot whose index holds so many files and bytes.
fn open_limited(tree: &TestTree, files: usize, bytes: u64) -> WorkspaceSnapshot {
    let index = ContentIndex::default().with_limits(ContentLimits { files, bytes });
    open(tree).with_contents(vec![index], None)
}

/// Returns the snapshot after a change of these files.
fn after_change(workspace: &WorkspaceSnapshot, written: &[&str], validation: Validation) -> WorkspaceSnapshot {
    let written: FxHashSet<String> = written.iter().map(|&file| file.to_owned()).collect();
    let mut contents = workspace.opened()[0].contents.clone();
    update(workspace, 0, &written, validation, &|| false, &mut |new| {
        contents = new.clone();
        true
    });
    workspace.with_contents(vec![contents], None)
}

/// Reads a tree whose index has room for two files, then asks each query and reads again. Compares the files of the index.
#[track_caller]
fn check_asked(queries: &[&str], expect: &[&str]) {
    let tree = TestTree::new(TREE);
    let mut workspace = read(&open_limited(&tree, 2, 1 << 20), Duration::MAX);
    for query in queries {
        let is_new = note_directories(&workspace, query);
        assert_eq!(is_new, query.contains('/'), "{query}");
        workspace = after_change(&workspace, &[], Validation::Tree);
    }
    assert_eq!(files(&workspace), expect, "{queries:?}");
    let answer = find(&workspace, &FindRequest::new("second")).answer.expect("an answer");
    assert_eq!(answer.indexed, Some((2, 4)));
    assert!(!answer.has_unread, "nothing more will be read");
}

#[test]
fn files_of_asked_directories_enter_a_full_index() {
    check_asked(&[], &["a/one.rs", "a/two.rs"]);
    check_asked(&["fourth"], &["a/one.rs", "a/two.rs"]);
    check_asked(&["fourth in b/two.rs"], &["b/one.rs", "b/two.rs"]);
    check_asked(&["b/*.rs", "c a/**"], &["a/one.rs", "a/two.rs"]);
}

#[test]
fn a_changed_file_enters_a_full_index() {
    let tree = TestTree::new(TREE);
    let workspace = read(&open_limited(&tree, 2, 1 << 20), Duration::MAX);
    let workspace = after_change(&workspace, &["b/two.rs"], Validation::Events);
    assert_eq!(files(&workspace), ["a/one.rs", "b/two.rs"]);
    let again = after_change(&workspace, &[], Validation::Tree);
    assert_eq!(files(&again), files(&workspace));
    assert_eq!(again.opened()[0].contents.left_out(), 2);
}

/// The texts of the files have 13, 14, 13 and 14 bytes.
#[test]
fn a_changed_text_enters_a_full_index() {
    let tree = TestTree::new(TREE);
    let workspace = read(&open_limited(&tree, 4, 53), Duration::MAX);
    let text = |workspace: &WorkspaceSnapshot, file: &str| workspace.opened()[0].contents.text_bytes(file);
    assert_eq!((text(&workspace, "b/two.rs"), text(&workspace, "b/one.rs")), (0, 13));
    let workspace = after_change(&workspace, &["b/two.rs"], Validation::Events);
    assert_eq!((text(&workspace, "b/two.rs"), text(&workspace, "b/one.rs")), (14, 0));
    assert_eq!((workspace.opened()[0].contents.left_out(), is_complete(&workspace)), (1, true));
}

/// Returns the words of the subjects of a tree's commits, read with its cache.
fn read_subjects(tree: &TestTree) -> Vec<u8> {
    super::read_subjects(&open(tree), 0, &|| false).to_image()
}

/// Returns the cached words of subjects.
fn subject_words(tree: &TestTree) -> std::path::PathBuf {
    let entries = std::fs::read_dir(tree.path("cache")).expect("a cache").flatten().map(|entry| entry.path());
    entries.into_iter().find(|path| path.extension().is_some_and(|it| it == "subject-words")).expect("a file")
}

/// The words are those of the same commit and the same files, or they are counted again.
#[test]
fn words_of_subjects_are_cached() {
    let tree = TestTree::new(
        "root/a: 1\nroot/b: 1\n$ cd root && git init -q && git add . && git commit -qm zero\n$ cd root && echo 2 > a && echo 2 > b && git commit -qam 'retry uploads'",
    );
    let first = read_subjects(&tree);
    let file = subject_words(&tree);
    // From the cache: neither the subjects nor the trees of the commits are left.
    tree.run(
        "rm cache/*.subjects && file=$(git -C root rev-parse HEAD | sed 's,^..,&/,') && mv root/.git/objects kept && \
         mkdir -p root/.git/objects/${file%/*} && cp kept/$file root/.git/objects/$file",
    );
    assert_eq!(read_subjects(&tree), first);
    tree.run("rm -r root/.git/objects && mv kept root/.git/objects");
    std::fs::write(&file, "junk").expect("a file");
    assert_eq!(read_subjects(&tree), first, "a damaged cache is made again");
    tree.run("rm root/b");
    let without = read_subjects(&tree);
    assert_ne!(without, first, "a file that is gone has no words");
    assert_eq!(read_subjects(&tree), without);
    tree.run("cd root && git checkout -q b && echo 3 > b && git commit -qam 'close sockets'");
    let later = read_subjects(&tree);
    assert_ne!(later, first, "a commit more");
    assert_eq!(read_subjects(&tree), later);
}

/// A search needs no moves, but knows which files changed last.
#[test]
fn searches_know_recent_files() {
    let tree = TestTree::new(
        "root/a: 1\nroot/b: 1\n$ cd root && git init -q && git add . && git commit -qm zero\n$ cd root && git mv a c && echo 2 > b && git commit -qam one",
    );
    let mut given = Overrides::default();
    given.set(Key::CacheDir, tree.path("cache").into());
    let scores = |workspace: &WorkspaceSnapshot| {
        ["a", "b", "c"].map(|file| workspace.engine().roots()[0].frecency.score(&RelPath::from(file)).to_bits())
    };
    let searched = WorkspaceSnapshot::open_for_find(&[tree.path("root")], &given).expect("a snapshot");
    let whole = open(&tree);
    assert_eq!(scores(&searched), scores(&whole));
    assert_ne!(scores(&searched)[1], 0, "`b` changed last");
    let renames = |workspace: &WorkspaceSnapshot| workspace.engine().roots()[0].renames.len();
    assert_eq!((renames(&searched), renames(&whole)), (0, 1));
    given.set(Key::History, "0".into());
    let off = WorkspaceSnapshot::open_for_find(&[tree.path("root")], &given).expect("a snapshot");
    assert_eq!(scores(&off), [0; 3]);
}
