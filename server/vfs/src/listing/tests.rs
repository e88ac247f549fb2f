//! Tests that an updated listing equals that of a walk after any change.

use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::super::roots::RootDir;
use super::super::walk::WalkOptions;
use super::{Listing, ListingSource};
use crate::testing::TestTree;

/// Returns a time so far ahead that no change is recent.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_hours(1)
}

/// Waits for the next step of the file system's clock: two changes within one step look like one.
fn tick() {
    std::thread::sleep(Duration::from_millis(12));
}

fn read(tree: &TestTree, before: Option<&Listing>) -> Listing {
    let options = WalkOptions { include_dirs: vec!["gen".to_owned()] };
    read_in(&tree.root(""), &options, before)
}

/// Lists a root and takes its fingerprint at once, before the test changes anything.
fn read_in(root: &RootDir, options: &WalkOptions, before: Option<&Listing>) -> Listing {
    let listing = Listing::read_at(root, options, before, later()).expect("a root");
    assert!(listing.fingerprint(&root.canonical).is_some());
    listing
}

fn differs(left: &Listing, right: &Listing) -> Option<String> {
    let of = |listing: &Listing| (listing.snapshot.entries(), listing.snapshot.packages().to_vec());
    let text = |listing: &Listing| {
        let (entries, packages) = of(listing);
        let paths: Vec<String> =
            entries.iter().map(|(path, kind)| format!("{} {kind:?}", path.escape_ascii())).collect();
        format!("{}\n{packages:?}", paths.join("\n"))
    };
    (of(left) != of(right)).then(|| format!("{}\n--- but a walk finds\n{}", text(left), text(right)))
}

/// Runs commands in a tree and updates its listing. `expect` is the number of directories read, `None` for a walk.
#[track_caller]
fn check(tree: &str, commands: &str, expect: Option<usize>) {
    let tree = TestTree::new(tree);
    let before = read(&tree, None);
    assert_eq!(before.source, ListingSource::Walk);
    tick();
    tree.run(commands);
    let after = read(&tree, Some(&before));
    if let Some(differs) = differs(&after, &read(&tree, None)) {
        panic!("{commands}\n{differs}");
    }
    assert_eq!(after.source, expect.map_or(ListingSource::Walk, ListingSource::CaughtUp), "{commands}");
    // The updated listing can be updated again.
    tick();
    tree.run("touch again.rs");
    let again = read(&tree, Some(&after));
    if let Some(differs) = differs(&again, &read(&tree, None)) {
        panic!("{commands}, again\n{differs}");
    }
    assert_eq!(again.source, ListingSource::CaughtUp(1), "{commands}, again");
}

const TREE: &str = "
    $ git init -q
    .gitignore: out\n*.log
    a/b.rs
    a/c/d.rs
    ui/package.json: {\"name\": \"@acme/ui\"}
    e.rs
    out/kept.rs
    $ git add . && git add -f out/kept.rs
";

#[test]
fn rereads_only_changed_directories() {
    check(TREE, "true", Some(0));
    check(TREE, "echo x >> e.rs", Some(0));
    check(TREE, "touch a/new.rs", Some(1));
    check(TREE, "rm e.rs", Some(1));
    check(TREE, "mv a z", Some(1));
    check(TREE, "mv a/c c", Some(2));
    check(TREE, "rm -r a", Some(1));
    check(TREE, "mkdir -p x/y && touch x/y/z.rs", Some(1));
    check(TREE, "rm e.rs && mkdir e.rs && touch e.rs/f", Some(1));
    check(TREE, "rm e.rs && ln -s a e.rs", Some(1));
    check(TREE, "mkdir -p q && touch q/x.log y.log a/z.log", Some(2));
    check(TREE, "touch out/another.rs", Some(1));
    check(TREE, "chmod 600 e.rs", Some(0));
    check(TREE, "touch -d 2001-01-01 a && touch a/n.rs && touch -d 2001-01-01 a", Some(1));
    check(TREE, "mkdir -p web/gen/x && touch web/gen/x/y.log", Some(1));
}

/// So many directories that they are stat-ed relative to a common parent.
#[test]
fn finds_changes_among_many_directories() {
    let many = "p/a.rs\n$ for i in $(seq 1000 1100); do mkdir -p p/q/é$i/x; touch p/q/é$i/b.rs; done";
    check(many, "true", Some(0));
    check(many, "touch p/q/é1070/new.rs p/q/é1071/x/new.rs", Some(2));
    check(many, "rm -r p/q/é1070/x", Some(1));
    check(many, "mv p/q p/r && ln -s r p/q", Some(1));
    check(many, "mv p/q z && ln -s ../z p/q && touch z/é1070/x/new.rs", Some(3));
    check(many, "mv p/q z && mkdir p/q", None);
    check(many, "rm -r p/q", None);
}

#[test]
fn walks_after_changes_of_rules_or_indexes() {
    check(TREE, "echo a > .gitignore", None);
    check(TREE, "echo '*.rs' > a/.gitignore", None);
    check(TREE, "echo d.rs > a/c/.ignore", None);
    check(TREE, "rm .gitignore", None);
    check(TREE, "git rm -q --cached out/kept.rs", None);
    check(TREE, "rm out/kept.rs", None);
    check(TREE, "git init -q a/c", None);
    check(TREE, "mkdir n && git init -q n", None);
    check(TREE, "mkdir -p .git/info && echo e.rs > .git/info/exclude", None);
    check(TREE, "touch w.rs && git add w.rs", None);
    check(TREE, "git update-index --refresh -q; touch .git/index", Some(0));
    check("a/b.rs\nc.rs", "git init -q && echo c.rs > .gitignore", None);
    check("a/b.rs\nc.rs", "touch a/n.rs", Some(1));
    // A deleted tracked file comes back although it is ignored.
    let deleted = format!("{TREE}$ rm out/kept.rs");
    check(&deleted, "touch out/kept.rs", None);
    check(&deleted, "touch out/other.rs", Some(0));
    // The ignore files of a new directory may hide tracked files.
    check(TREE, "mkdir n && touch n/.gitignore", None);
    // A hidden ignore file is obeyed although it is not listed.
    let hidden = "$ git init -q\nv/.gitignore: *\nv/x.rs\na.rs";
    check(hidden, "echo y.rs > v/.gitignore", None);
    let nested = "$ git init -q\n$ git init -q sub\nsub/.gitignore: x\nsub/x\na.rs";
    check(nested, "cd sub && git add -f x", None);
    check(nested, "touch sub/y", Some(1));
}

#[test]
fn updates_package_names() {
    check(TREE, "echo '{\"name\": \"@acme/other\"}' > ui/package.json", Some(0));
    check(TREE, "rm ui/package.json", Some(1));
    check(TREE, "mkdir core && printf '[package]\\nname = \"core\"\\n' > core/Cargo.toml", Some(1));
    check(TREE, "printf '[package]\\nname = \"ui-rs\"\\n' > ui/Cargo.toml", Some(1));
}

/// A recent change is read again.
#[test]
fn rereads_recent_changes() {
    let tree = TestTree::new(TREE);
    let options = WalkOptions::default();
    let before = Listing::read(&tree.root(""), &options, None).expect("a root");
    // The change falls into the same step of the clock.
    tree.run("touch a/b2.rs");
    let after = Listing::read(&tree.root(""), &options, Some(&before)).expect("a root");
    assert!(after.snapshot.get(b"a/b2.rs").is_some());
}

/// If the clock was set back, or times lie in the future, nothing counts as unchanged.
#[test]
fn distrusts_times_in_the_future() {
    let tree = TestTree::new(TREE);
    let options = WalkOptions::default();
    let before = Listing::read_at(&tree.root(""), &options, None, later()).expect("a root");
    tree.run("touch a/b2.rs; touch -d '2 hours' a");
    let earlier = SystemTime::now() - Duration::from_hours(24);
    let after = Listing::read_at(&tree.root(""), &options, Some(&before), earlier).expect("a root");
    assert_eq!(differs(&after, &Listing::read_at(&tree.root(""), &options, None, later()).expect("a root")), None);
}

#[test]
fn obeys_rules_above_the_root() {
    let tree = TestTree::new("$ git init -q\n.gitignore: /pkg/dist/\npkg/a.rs\npkg/dist/x");
    let options = WalkOptions::default();
    let read = |before| read_in(&tree.root("pkg"), &options, before);
    let before = read(None);
    assert!(before.snapshot.get(b"dist").is_none());
    tick();
    tree.run("touch pkg/b.rs");
    let after = read(Some(&before));
    assert_eq!((after.source, differs(&after, &read(None))), (ListingSource::CaughtUp(1), None));
    tick();
    tree.run("echo > .gitignore");
    let after = read(Some(&after));
    assert_eq!((after.source, after.snapshot.get(b"dist/x").is_some()), (ListingSource::Walk, true));
}

#[test]
fn loads_only_valid_cache_files() {
    let (tree, cache) = (TestTree::new(TREE), TestTree::new(""));
    let root = tree.root("");
    let before = read(&tree, None);
    assert!(Listing::load(&cache.path(""), &root).is_none());
    before.keep(&cache.path(""), &root);
    let loaded = Listing::load(&cache.path(""), &root).expect("a listing");
    assert_eq!(differs(&loaded, &before), None);
    assert_eq!(read(&tree, Some(&loaded)).source, ListingSource::CaughtUp(0));
    // A file of another root, cut off, or changed is ignored.
    assert!(Listing::load(&cache.path(""), &cache.root("")).is_none());
    let file = std::fs::read_dir(cache.path("")).expect("a cache").next().expect("a file").expect("a file").path();
    let bytes = std::fs::read(&file).expect("a file");
    for at in [0, 8, 20, bytes.len() / 2, bytes.len() - 1] {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x40;
        std::fs::write(&file, &wrong).expect("written");
        assert!(Listing::load(&cache.path(""), &root).is_none(), "{at}");
        std::fs::write(&file, &bytes[..at]).expect("written");
        assert!(Listing::load(&cache.path(""), &root).is_none(), "cut at {at}");
    }
}

/// Checks what is listed of an index with `files` tracked files in `many/`, and these lines of `git update-index`.
/// Entries of `many/` are left out; `None` if nothing is listed.
#[track_caller]
fn check_index_listing(root: &str, files: usize, other_lines: &str, expect: Option<&str>) {
    let tree = TestTree::new("$ git init -q\nsub/untracked.rs");
    // The id of an empty file; for a submodule's commit any id will do.
    let blob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
    tree.run(&format!(
        "(seq -f '100644 {blob} 0\tmany/%.0f.rs' {files}; printf '{}') | git update-index --index-info",
        other_lines.replace("BLOB", blob)
    ));
    let listed = Listing::tracked(&tree.root(root));
    let entries = listed.map(|listing| {
        assert_eq!(listing.source, ListingSource::Tracked);
        let entries = listing.snapshot.entries();
        let (many, others): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(path, _)| path.starts_with(b"many/"));
        assert_eq!(many.len(), if root.is_empty() { files } else { 0 });
        let others = others.iter().map(|(path, kind)| format!("{} {kind:?}", path.escape_ascii()));
        others.collect::<Vec<_>>().join(", ")
    });
    assert_eq!(entries.as_deref(), expect);
}

/// Only git's index is read: none of these files exists.
#[test]
fn lists_the_git_index() {
    let other_lines = "100755 BLOB 0\\tsub/a b.sh\\n120000 BLOB 0\\tsub/link\\n160000 BLOB 0\\tsub/module\\n";
    let whole = "many Directory, sub Directory, sub/a b.sh File, sub/link Symlink, sub/module Directory";
    check_index_listing("", 10_000, other_lines, Some(whole));
    check_index_listing("sub", 10_000, other_lines, Some("a b.sh File, link Symlink, module Directory"));
    check_index_listing("", 10_000, "", Some("many Directory"));
    // A smaller tree is walked in the same time.
    check_index_listing("", 9_000, other_lines, None);
    assert!(Listing::tracked(&TestTree::new("a.rs").root("")).is_none());
}

/// Returns a random command that changes a tree.
fn command(dice: (u8, u8, u8)) -> String {
    let directory = |dice: u8| ["a", "a/c", "x", "x/y", "out", "web/gen", "n"][dice as usize % 7];
    let name = |dice: u8| ["b.rs", "d.rs", "k.log", "package.json", "e", "c", "kept.rs"][dice as usize % 7];
    let (kind, one, two) = dice;
    let (from, to) = (format!("{}/{}", directory(one), name(two)), format!("{}/{}", directory(two), name(one)));
    match kind % 12 {
        0..=2 => format!("mkdir -p {}; touch {from}", directory(one)),
        3 => format!("rm -rf {from}"),
        4 => format!("mkdir -p {}; mv {from} {to}", directory(two)),
        5 => format!("rm -rf {}", directory(one)),
        6 => format!("mkdir -p {}; echo '{}' > {}/.gitignore", directory(one), name(two), directory(one)),
        7 => format!("rm -f {}/.gitignore", directory(one)),
        8 => format!("mkdir -p {}; ln -sfn ../e.rs {from}", directory(one)),
        9 => format!("git add -f {from}"),
        10 => format!("mkdir -p {}; echo '{{\"name\": \"p{two}\"}}' > {}/package.json", directory(one), directory(one)),
        _ => format!("mkdir -p {from}"),
    }
}

proptest! {
    // Each case starts some twenty programs and waits for clocks.
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn equals_a_walk(rounds in proptest::collection::vec(proptest::collection::vec(any::<(u8, u8, u8)>(), 1..6), 1..5)) {
        let tree = TestTree::new(TREE);
        let mut known = read(&tree, None);
        for round in rounds {
            tick();
            let commands: Vec<String> = round.into_iter().map(|dice| format!("({}) 2>/dev/null || true", command(dice))).collect();
            tree.run(&commands.join("\n"));
            known = read(&tree, Some(&known));
            if let Some(differs) = differs(&known, &read(&tree, None)) {
                prop_assert!(false, "{}\n{}", commands.join("\n"), differs);
            }
        }
    }
}
