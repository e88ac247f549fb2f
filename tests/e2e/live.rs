//! A server on a tree in which things happen, and on a system that does not let it do what it wants.

use std::process::Command;

use crate::tree::{PROJECT, Tree};

/// 2,000 operations; the benchmark does 100,000.
#[test]
fn churn() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/bench/churn.py");
    let binary = env!("CARGO_BIN_EXE_pathfinder");
    let run = Command::new("python3").args([script, "--bin", binary, "--operations", "2000"]).output().unwrap();
    assert!(run.status.success(), "{}\n{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
}

const START: &str = r#"
    call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"path_resolve","arguments":{"failed_path":"%s"}}}\n' "$1" "$2"; }
    start() {
        echo '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}'
        echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
        call 1 src/confg.rs
        sleep 2
    }
"#;

/// Runs a server in a mount namespace of its own; `script` says what it reads. What it answers and says, each asked once.
#[track_caller]
fn serve(tree: &Tree, before: &str, script: &str, answers: &[&str], says: &str) {
    let script =
        format!("{START}\n{before}\n({{ start\n{script}\n}}) | PATHFINDER_LOG=warn \"$0\" mcp --root \"$PWD\"");
    let run = tree.plan_unshared(&script).run();
    assert_eq!(run.code, Some(0), "{run:?}");
    let text = |id: usize| {
        let answers = run.jsons();
        let answer = answers.iter().find(|answer| answer["id"] == id).unwrap_or_else(|| panic!("no {id}: {run:?}"));
        answer["result"]["structuredContent"].to_string()
    };
    for (id, expect) in (1..).zip(answers) {
        assert!(text(id).contains(expect), "{expect:?} is not in {}; {}", text(id), run.stderr);
    }
    assert!(run.stderr.contains(says), "{says:?}: {run:?}");
}

/// Without watches the times of directories say what is new, some seconds later.
#[test]
fn where_no_watches_are_left() {
    for allowed in [0, 3] {
        let limit = format!("echo {allowed} > /proc/sys/user/max_inotify_watches");
        // A busy machine reads the tree less often: some seconds may be many.
        let happens = "echo x > src/brand_new.rs
            for again in 2 3 4 5 6; do call $again src/main.rs; sleep 6; done; call 7 src/brand_nev.rs; sleep 1";
        let answers = ["src/config.rs", "exists", "exists", "exists", "exists", "exists", "src/brand_new.rs"];
        serve(&Tree::new(PROJECT), &limit, happens, &answers, "no watches are left");
    }
}

/// Where all is watched nobody has to ask twice.
#[test]
fn where_watches_are_to_be_had() {
    let happens = "echo x > src/brand_new.rs; sleep 4; call 2 src/brand_nev.rs; sleep 1";
    serve(&Tree::new(PROJECT), "", happens, &["src/config.rs", "src/brand_new.rs"], "");
}

#[test]
fn a_mount_that_vanishes() {
    let before = "M=$PWD/n; mkdir m && cp -r src m; mkdir n && mount -t tmpfs none n && cp -r m/* n && cd n";
    let happens = "umount -l $M; sleep 1; call 2 src/confg.rs; sleep 1; mount -t tmpfs none $M; mkdir -p $M/src; echo > $M/src/back_again.rs
        for again in 3 4 5 6; do call $again src/main.rs; sleep 6; done; call 7 src/back_agan.rs; sleep 1";
    serve(&Tree::new(PROJECT), before, happens, &["src/config.rs", "not_found", "", "", "", "", "back_again.rs"], "");
}

/// A disk without room costs time in the next run, and leaves nothing half done.
#[test]
fn a_full_disk() {
    let tree = Tree::new(PROJECT);
    for at in 0..2000 {
        let directory = tree.root().join(format!("part{}", at % 40));
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(directory.join(format!("some_file_with_a_name_of_its_own_{at}.rs")), "").unwrap();
    }
    let script = "mkdir ../cache && mount -t tmpfs -o size=8k none ../cache && export PATHFINDER_CACHE_DIR=$PWD/../cache
        for i in 1 2; do \"$0\" resolve src/confg.rs; done; PATHFINDER_LOG=warn \"$0\" index 2>&1 | grep -c 'not kept on disk'; ls ../cache | grep -c new";
    let run = tree.plan_unshared(script).run();
    let lines: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(lines, ["src/config.rs", "src/config.rs", "1", "0"], "{run:?}");
}
