//! Tests that dependencies notice every change of what was asked, and ask again only where times prove nothing.

use std::time::{Duration, SystemTime};

use pathfinder_core::{Kind, Presence, Probe as _, RelPath};

use super::super::dependencies::{Dependencies, Validity};
use super::super::ignores::Ignores;
use super::super::listing::Listing;
use super::super::probe::DiskProbe;
use super::super::tracked::read_tracked_files;
use super::super::walk::WalkOptions;
use crate::testing::TestTree;

const TREE: &str = "
    .gitignore: *.log\\n/out/
    docs/a.md: some text
    docs/b.md: more
    docs/link.md -> a.md
    lib/part.rs: one
    out/made.txt: made
    $ git init -q && git add -A
";

/// The time of every run: so far ahead that no change is recent, if `settled`; else so early that all are.
fn start(settled: bool) -> SystemTime {
    if settled { SystemTime::now() + Duration::from_hours(1) } else { SystemTime::UNIX_EPOCH }
}

/// Asks a little of everything.
fn ask(tree: &TestTree, probe: &DiskProbe, settled: bool) -> Dependencies {
    let root = tree.root("");
    let log = probe.start_log_at(start(settled));
    for file in ["docs/a.md", "docs/link.md", "docs/gone.md", "out/made.txt"] {
        probe.whole(0, &RelPath::from(file), 1 << 20);
    }
    for path in
        ["docs/a.md", "docs/none.md", "docs/deep/none.md", "none", "out/none.txt", "docs/link.md", "docs/a.md/x"]
    {
        probe.presence(0, path.as_bytes());
    }
    for (directory, name) in [("docs", "never.md"), ("", "never")] {
        probe.take_as_absent(directory.as_bytes(), name.as_bytes());
    }
    _ = probe.stat(0, &RelPath::from("docs/link.md"));
    probe.names(0, &RelPath::from("lib"));
    Ignores::new(&root.canonical, Some(&log)).is_ignored("docs/deep/a.log");
    read_tracked_files(&root.canonical, Some(&log));
    let snapshot = Listing::read(&root, &WalkOptions::default(), None).expect("a root").snapshot;
    let kept = Dependencies::from_log(probe, &snapshot, &root.canonical).expect("a usable log");
    postcard::from_bytes(&postcard::to_stdvec(&kept).expect("bytes")).expect("the same")
}

/// Compares with the disk; the number is that of questions that were asked again.
fn compare(tree: &TestTree, kept: &Dependencies, settled: bool) -> (Validity, usize) {
    let root = tree.root("");
    let probe = DiskProbe::open(&tree.roots(&[""])).expect("a root");
    let log = probe.start_log_at(start(settled));
    let snapshot = Listing::read(&root, &WalkOptions::default(), None).expect("a root").snapshot;
    let validity = kept.compare(&probe, &snapshot, &root.canonical);
    (validity, log.entries().expect("a usable log").len())
}

/// Checks what an edit does to dependencies: they are the same, or refreshed, or different.
#[track_caller]
fn check(edit: &str, expect: &str) {
    for settled in [true, false] {
        let tree = TestTree::new(TREE);
        let kept = ask(&tree, &DiskProbe::open(&tree.roots(&[""])).expect("a root"), settled);
        // Two changes within one step of the file system's clock look like one.
        std::thread::sleep(Duration::from_millis(12));
        tree.run(edit);
        let (validity, _) = compare(&tree, &kept, settled);
        let shown = match &validity {
            Validity::Same => "same",
            Validity::Refreshed(_) => "refreshed",
            Validity::Different => "different",
        };
        // Without settled times every answer is asked for again, and no stamp gets newer.
        let unsettled = if expect == "different" { expect } else { "same" };
        assert_eq!(shown, if settled { expect } else { unsettled }, "{edit} {settled}");
        if let Validity::Refreshed(newer) = validity {
            let (again, asked) = compare(&tree, &newer, settled);
            assert!(matches!(again, Validity::Same) && asked < 10, "{edit}: {again:?}, {asked} asked again");
        }
    }
}

#[test]
fn equal_stamps_save_questions() {
    let tree = TestTree::new(TREE);
    let kept = ask(&tree, &DiskProbe::open(&tree.roots(&[""])).expect("a root"), true);
    let asked = |settled: bool| compare(&tree, &kept, settled).1;
    assert!(asked(true) < asked(false), "{} {}", asked(true), asked(false));
}

#[test]
fn edits_without_effect_refresh_stamps() {
    check("true", "same");
    check("touch docs/b.md", "same");
    // Within its second, since the time that is shown of a file has whole ones.
    check("touch -d @$(stat -c %Y docs/a.md).5 docs/a.md", "refreshed");
    check("touch docs/x.log && rm docs/x.log", "refreshed");
    check("touch .git/index", "refreshed");
    check("touch .gitignore", "refreshed");
    check("touch lib", "refreshed");
}

#[test]
fn edits_with_effect_are_noticed() {
    let same_times = "printf 'same text' > docs/a.md";
    check(same_times, "different");
    check(&format!("touch -r docs/a.md time; {same_times}; touch -r time docs/a.md; rm time"), "different");
    check("touch -d @1 docs/a.md", "different");
    check("rm docs/a.md", "different");
    check("printf other > docs/b.md; ln -sf b.md docs/link.md", "different");
    check("touch docs/gone.md", "different");
    check("touch docs/none.md", "different");
    check("touch docs/never.md", "different");
    check("mkdir never", "different");
    check("mkdir docs/deep; touch docs/deep/none.md", "different");
    check("ln -s docs none", "different");
    check("touch out/none.txt", "different");
    check("printf mode > out/made.txt", "different");
    check("touch lib/more.rs", "different");
    check("mv lib/part.rs lib/Part.rs", "different");
    check("echo x >> .gitignore", "different");
    check("echo x > docs/.ignore", "different");
    check("echo x >> .git/info/exclude", "different");
    check("git rm -q --cached lib/part.rs", "different");
}

/// Each path is looked up once in a run. A later run compares with the first answer.
#[test]
fn answers_presence_from_the_log() {
    let tree = TestTree::new(TREE);
    let probe = DiskProbe::open(&tree.roots(&[""])).expect("a root");
    let presence =
        || ["docs/a.md", "docs", "docs/link.md", "none", "../x"].map(|path| probe.presence(0, path.as_bytes()));
    let present = [Kind::File, Kind::Directory, Kind::Symlink].map(Presence::Present);
    let first = [present[0], present[1], present[2], Presence::Absent, Presence::Outside];
    assert_eq!(presence(), first);
    probe.start_log();
    assert_eq!(presence(), first);
    tree.run("rm -r docs; touch none");
    assert_eq!(presence(), first);
    assert!(probe.exists(0, b"docs/a.md"));
}

#[test]
fn reads_whole_files() {
    let tree = TestTree::new("a/b.txt: some\n$ mkdir out && mkdir root && mv a root/ && echo x > out/x");
    tree.run("cd root && ln -s a/b.txt in && ln -s ../out/x far && ln -s ../out up && ln -s a down && mkfifo pipe && : > empty");
    let probe = DiskProbe::open(&tree.roots(&["root"])).expect("a root");
    let check = |path: &str, expect: Option<&str>| {
        let read = probe.whole(0, &RelPath::from(path), 5);
        assert_eq!(read.as_deref(), expect.map(str::as_bytes), "{path}");
    };
    check("a/b.txt", Some("some"));
    check("in", Some("some"));
    check("down/b.txt", Some("some"));
    check("empty", Some(""));
    for path in ["far", "up/x", "pipe", "a", "none", "../out/x", "a/../../out/x"] {
        check(path, None);
    }
    tree.run("echo longer > root/a/b.txt");
    check("a/b.txt", None);
}

/// A log is not kept if something was read in another way, or differed during the run.
#[test]
fn unrecorded_answers_make_a_log_unusable() {
    let tree = TestTree::new(TREE);
    let root = tree.root("");
    let snapshot = Listing::read(&root, &WalkOptions::default(), None).expect("a root").snapshot;
    let check = |ask: &dyn Fn(&DiskProbe), expect: bool| {
        let probe = DiskProbe::open(&tree.roots(&[""])).expect("a root");
        probe.start_log();
        ask(&probe);
        assert_eq!(Dependencies::from_log(&probe, &snapshot, &root.canonical).is_some(), expect);
    };
    let read = |probe: &DiskProbe| _ = probe.whole(0, &RelPath::from("docs/a.md"), 1 << 20);
    check(&|probe| [(); 2].iter().for_each(|()| read(probe)), true);
    check(&|probe| _ = probe.beginning(0, &RelPath::from("docs/a.md"), 9), false);
    check(&|probe| _ = probe.search(0, b"docs/a.md", "text"), false);
    let changes = |probe: &DiskProbe| {
        read(probe);
        tree.run("printf 'text, some' > docs/a.md");
        read(probe);
    };
    check(&changes, false);
}
