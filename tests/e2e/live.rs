//! A server on a tree in which things happen, and on a system that does not let it do what it wants.

use std::io::Write as _;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::served::Served;
use crate::tree::{PROJECT, Tree};

/// 2,000 operations; the benchmark does 100,000.
#[test]
fn churn() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/bench/churn.py");
    let binary = env!("CARGO_BIN_EXE_pathfinder");
    let run = Command::new("python3").args([script, "--bin", binary, "--operations", "2000"]).output().unwrap();
    assert!(run.status.success(), "{}\n{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
}

/// Without watches the times of directories say what is new, some seconds later.
#[test]
fn where_no_watches_are_left() {
    for allowed in [0, 3] {
        let tree = Tree::new(PROJECT);
        let mut server = Served::start(&tree, &format!("echo {allowed} > /proc/sys/user/max_inotify_watches"));
        server.resolve_until("src/confg.rs", "src/config.rs");
        std::fs::write(tree.root().join("src/brand_new.rs"), "x\n").unwrap();
        server.resolve_until("src/brand_nev.rs", "src/brand_new.rs");
        let said = server.end();
        assert!(said.contains("no watches are left"), "{said}");
    }
}

/// A watched tree needs no second question. A stalled machine may be late once, not each time.
#[test]
fn where_watches_are_to_be_had() {
    let knows = || {
        let tree = Tree::new(PROJECT);
        let mut server = Served::start(&tree, "");
        server.resolve_until("src/confg.rs", "src/config.rs");
        // Until it watches.
        sleep(Duration::from_secs(2));
        std::fs::write(tree.root().join("src/brand_new.rs"), "x\n").unwrap();
        // Less than the time after which it would look by itself.
        sleep(Duration::from_secs(4));
        let answer = server.resolve("src/brand_nev.rs");
        server.end();
        answer.contains("src/brand_new.rs")
    };
    assert!((0..3).any(|_| knows()));
}

#[test]
fn a_mount_that_vanishes() {
    let tree = Tree::new(PROJECT);
    // The mount is changed inside the server's namespace, out of reach of this process: a shell beside the server
    // does what is written into its pipe.
    let before = "M=$PWD/n; mkfifo ../commands; mkdir m && cp -r src m; mkdir n && mount -t tmpfs none n && cp -r m/* n
        sh ../commands > ../done 2>&1 < /dev/null & cd n";
    let mut server = Served::start(&tree, before);
    let mut commands = std::fs::OpenOptions::new().write(true).open(tree.place().join("commands")).unwrap();
    let mount = tree.root().join("n").display().to_string();
    server.resolve_until("src/confg.rs", "src/config.rs");
    writeln!(commands, "umount -l {mount}").unwrap();
    server.resolve_until("src/confg.rs", "not_found");
    writeln!(commands, "mount -t tmpfs none {mount}; mkdir {mount}/src; echo > {mount}/src/back_again.rs").unwrap();
    server.resolve_until("src/back_agan.rs", "back_again.rs");
    drop(commands);
    server.end();
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
        for i in 1 2; do \"$0\" resolve src/confg.rs; done; PATHFINDER_LOG=warn \"$0\" index 2>&1 | grep -c 'cannot write the cache file'; ls ../cache | grep -c new";
    let run = tree.plan_unshared(script).run();
    let lines: Vec<&str> = run.stdout.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(lines, ["src/config.rs", "src/config.rs", "1", "0"], "{run:?}");
}
