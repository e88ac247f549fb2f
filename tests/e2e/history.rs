//! Answers from git history for paths that are gone.

use std::fmt::Write as _;
use std::process::Command;

use serde_json::Value;

use crate::tree::Tree;

/// A repository in which files were moved twice, moved with their directory, deleted, and replaced.
fn repository() -> Tree {
    let tree = Tree::new(
        "src/search.rs\nsrc/flags/parse.rs\nsrc/flags/help.rs\nsrc/legacy.rs\nlib.rs\nCONDUCT.txt\nREADME.md\n",
    );
    let mut script =
        String::from("set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; git init -q .;");
    let mut commit = |day: u32, change: &str| {
        writeln!(
            script,
            "{change}; git add -A; GIT_AUTHOR_DATE=2026-03-0{day}T12:00:00Z GIT_COMMITTER_DATE=2026-03-0{day}T12:00:00Z \
             git -c user.name=a -c user.email=a@b commit -qm {day}"
        )
        .unwrap();
    };
    // Every file has its own contents: git pairs by them.
    commit(1, "for f in $(git ls-files -o); do seq 40 | sed \"s|^|$f |\" > $f; done");
    commit(2, "mkdir -p src/find && git mv src/search.rs src/find/scan.rs");
    commit(3, "git mv src/flags src/options");
    commit(4, "git mv src/find/scan.rs src/find/stream.rs");
    commit(5, "git rm -q src/legacy.rs && git mv lib.rs src/lib.rs && git mv CONDUCT.txt RULES.md");
    let made = Command::new("sh").arg("-c").arg(&script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    tree
}

/// Asks twice, so that the second answer comes from what the first one kept; compares `STATUS [KIND] [PATH]` and
/// the beginning of `why` after the commit's name was replaced by `COMMIT`.
#[track_caller]
fn check(tree: &Tree, asked: &str, expect: &str, why: &str) {
    for time in ["read", "kept"] {
        let answer: Value = tree.plan(&["resolve", "--format=json", asked]).run().json();
        let words = ["status", "error_kind", "path"].map(|field| answer[field].as_str());
        assert_eq!(words.into_iter().flatten().collect::<Vec<_>>().join(" "), expect, "{time}: {answer:#}");
        let said: Vec<&str> = answer["why"].as_str().unwrap().split(' ').collect();
        let hex = |word: &&str| word.len() == 7 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let said: Vec<&str> = said.iter().map(|word| if hex(word) { "COMMIT" } else { word }).collect();
        assert!(said.join(" ").starts_with(why), "{time}: {answer:#}");
    }
}

#[test]
fn moved_files_are_followed() {
    let tree = repository();
    check(&tree, "src/search.rs", "resolved src/find/stream.rs", "moved to src/find/stream.rs in COMMIT (2026-03-04)");
    check(&tree, "src/find/scan.rs:12", "resolved src/find/stream.rs", "moved to src/find/stream.rs in COMMIT");
    check(&tree, "src/flags/parse.rs", "resolved src/options/parse.rs", "moved to src/options/parse.rs in COMMIT");
    check(&tree, "CONDUCT.txt", "resolved RULES.md", "moved to RULES.md in COMMIT (2026-03-05)");
    check(&tree, "lib.rs", "resolved src/lib.rs", "prefix src/ added");
    check(&tree, "src/flags", "resolved src/options", "`src/flags/` became `src/options/` in COMMIT (2026-03-03)");
    let lost = "`src/flags/` became `src/options/` in COMMIT (2026-03-03)";
    std::fs::write(tree.root().join("src/options/local.rs"), "").unwrap();
    check(&tree, "src/flags/local.rs", "resolved src/options/local.rs", lost);
}

#[test]
fn deleted_files_are_not_mistaken_for_others() {
    let tree = repository();
    check(&tree, "src/legacy.rs", "not_found Deleted", "deleted in COMMIT (2026-03-05)");
}

#[test]
fn what_was_made_again_is_there() {
    let tree = repository();
    std::fs::write(tree.root().join("src/search.rs"), "").unwrap();
    check(&tree, "src/search.rs", "exists src/search.rs", "exists as asked");
}

#[test]
fn without_a_budget_paths_alone_decide() {
    let tree = repository();
    let answer = tree.plan(&["resolve", "--format=json", "--history-ms=0", "src/search.rs"]).run().json();
    assert_ne!(answer["status"], "resolved", "{answer:#}");
    assert!(!answer["why"].as_str().unwrap().contains("moved"), "{answer:#}");
}

#[test]
fn nothing_is_written_into_the_repository() {
    let tree = repository();
    let list = || {
        let out = Command::new("find")
            .args([".", "-newer", "README.md", "-printf", "%p %T@\n"])
            .current_dir(tree.root())
            .output();
        String::from_utf8(out.unwrap().stdout).unwrap()
    };
    let before = list();
    check(&tree, "src/search.rs", "resolved src/find/stream.rs", "moved");
    assert_eq!(list(), before);
}

/// A repository with more commits than one question reads; the first of them renamed a file, and so did one of the last.
fn long() -> Tree {
    let tree = Tree::new("src/old.rs\nsrc/late.rs\nsrc/other.rs\n");
    let script = "set -e; export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null; git init -q .
        for f in src/*; do seq 40 | sed \"s|^|$f |\" > $f; done; git add -A
        c() { git -c user.name=a -c user.email=a@b commit -qm x; }; c
        git mv src/old.rs src/first_name.rs; c
        (git log -1 --format='%H' | { read tip
          for n in $(seq 300); do
            printf 'commit refs/heads/long\\ncommitter a <a@b> %d +0000\\ndata 1\\nx\\n' $((2000000000 + n))
            [ $n = 1 ] && printf 'from %s\\n' $tip
            printf 'M 644 inline count\\ndata %d\\n%d\\n\\n' $((${#n} + 1)) $n
          done; }) | git fast-import --quiet
        git checkout -q -f long; git mv src/late.rs src/second_name.rs; git add -A
        GIT_COMMITTER_DATE='2000000400 +0000' git -c user.name=a -c user.email=a@b commit -qm x";
    let made = Command::new("sh").arg("-c").arg(script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
    tree
}

#[test]
fn the_first_answer_says_that_history_is_still_read() {
    const PENDING: &str = "git history is still being read";
    let tree = long();
    let ask = |path: &str| {
        let answer = tree.plan(&["resolve", "--format=json", path]).run().json();
        let why = answer["why"].as_str().unwrap().to_owned();
        (answer["path"].as_str().unwrap_or_default().to_owned(), why)
    };
    let cache = tree.home().join(".cache/pathfinder");
    // An existing path needs no history, so none is read.
    assert_eq!(ask("src/other.rs"), ("src/other.rs".to_owned(), "exists as asked".to_owned()));
    let (path, why) = ask("/app/src/other.rs:12");
    assert!(path == "src/other.rs" && !why.contains(PENDING), "{why}");
    // The newest commits are read for one question, however busy the machine is.
    let kept = |ending: &str| {
        let files = std::fs::read_dir(&cache).into_iter().flatten();
        files.flatten().any(|file| file.path().extension().is_some_and(|own| own == ending))
    };
    let (path, why) = ask("src/late.rs");
    assert!(path == "src/second_name.rs" && why.starts_with("moved to src/second_name.rs in "), "{why}");
    assert!(why.ends_with(PENDING) || kept("history"), "{why}");
    // The rest is read in the background, in portions, for later questions.
    let start = std::time::Instant::now();
    let mut answer = None;
    while answer.is_none() {
        assert!(start.elapsed() < crate::run::TIMEOUT, "the history is not read on");
        std::thread::sleep(std::time::Duration::from_millis(5));
        answer = Some(ask("src/old.rs")).filter(|(_, why)| kept("history") && !why.contains(PENDING));
    }
    assert_eq!(answer.map(|(path, _)| path).as_deref(), Some("src/first_name.rs"));
}

#[test]
fn a_partial_history_is_said_to_be_one() {
    let tree = long();
    let no_cache = tree.root().join("src/other.rs").display().to_string();
    let plan = tree.plan(&["resolve", "--format=json", "--cache-dir", &no_cache, "src/old.rs"]);
    let answer = plan.run().json();
    assert_ne!(answer["path"], "src/first_name.rs", "{answer:#}");
    assert!(answer["why"].as_str().unwrap().ends_with("; git history is still being read"), "{answer:#}");
}
