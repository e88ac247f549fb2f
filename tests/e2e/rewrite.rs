//! `pathfinder resolve --stdin`: logs whose wrong paths come out right, and everything else as it came in.

use crate::tree::Tree;

const TREE: &str = "\
src/find/stream.rs
src/main/java/com/acme/Foo.java
web/src/app.ts
api/handler.py
cli/handler.py
src/odd name.rs
.git/HEAD = x
";

/// One run in a directory below the root.
#[track_caller]
fn check_in(directory: &str, args: &[&str], log: impl AsRef<[u8]>, expect: impl AsRef<[u8]>) {
    let tree = Tree::new(TREE);
    let root = tree.root().display().to_string();
    let run =
        tree.plan(&["resolve", "--stdin"]).arg_all(args).stdin(log.as_ref()).within(tree.root().join(directory)).run();
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(run.stdout.replace(&root, "ROOT"), String::from_utf8_lossy(expect.as_ref()), "{run:?}");
}

#[track_caller]
fn check(log: &str, expect: &str) {
    check_in("", &[], log, expect);
}

#[test]
fn wrong_paths_come_out_right() {
    check("  --> src/fnd/stream.rs:4:5\n", "  --> src/find/stream.rs:4:5\n");
    check("\u{1b}[31msrc/fnd/stream.rs\u{1b}[0m:4", "\u{1b}[31msrc/find/stream.rs\u{1b}[0m:4");
    check("a src/fnd/stream.rs:1 b src/fnd/stream.rs:2\r\n", "a src/find/stream.rs:1 b src/find/stream.rs:2\r\n");
    check("  File \"/srv/build/src/find/stream.rs\", line 3\n", "  File \"ROOT/src/find/stream.rs\", line 3\n");
    check("at com.acme.Foo.bar(Foo.java:12)\n", "at com.acme.Foo.bar(src/main/java/com/acme/Foo.java:12)\n");
    check("web/scr/app.ts(3,5): error TS1\n", "web/src/app.ts(3,5): error TS1\n");
    // Seen from where one is, so that it can be clicked.
    check_in(
        "web",
        &[],
        "scr/app.ts:3 ../src/fnd/stream.rs:3 web/src/app.ts:1\n",
        "src/app.ts:3 ROOT/src/find/stream.rs:3 src/app.ts:1\n",
    );
    check_in("", &["--commands"], "cat src/fnd/stream.rs | wc\n", "cat src/find/stream.rs | wc\n");
}

#[test]
fn everything_else_stays_byte_by_byte() {
    for log in [
        "",
        "\n",
        "no end",
        "src/find/stream.rs:1\n",
        "handler.py:3\n",
        "and/or 1/2 https://a.b/src/fnd/stream.rs\n",
        "/usr/no-such/stream.rs:1\n",
        "node_modules/a/stream.rs:1\n",
        "src/odd_name.rs:1\n",
        "zzyzx/unrelated.qq:1\n",
        "\u{0}\u{1b}[\n",
    ] {
        check(log, log);
    }
    let long = format!("{} src/fnd/stream.rs:1 {}\nsrc/fnd/stream.rs:2\n", "x".repeat(20_000), "y".repeat(20_000));
    check(&long, &long.replace("stream.rs:2", "STREAM").replace("src/fnd/STREAM", "src/find/stream.rs:2"));
}

#[test]
fn what_is_no_text_stays_as_well() {
    let tree = Tree::new(TREE);
    let log = b"\xff src/fnd/stream.rs:1\nsrc/fnd/stream.rs:2\n\xfe";
    std::fs::write(tree.root().join("log"), log).unwrap();
    let log = std::fs::File::open(tree.root().join("log")).unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pathfinder"));
    command.args(["resolve", "--stdin"]).current_dir(tree.root()).env("HOME", tree.home()).stdin(log);
    assert_eq!(command.output().unwrap().stdout, b"\xff src/fnd/stream.rs:1\nsrc/find/stream.rs:2\n\xfe");
}

#[test]
fn many_different_paths_end() {
    let lines: Vec<String> = (0..5000).map(|at| format!("gone/of{at}/zz{at}qq.rs:1\n")).collect();
    let log = lines.concat();
    check(&log, &log);
}

#[test]
fn nothing_beside_it() {
    let tree = Tree::new(TREE);
    for more in ["--batch", "src/a.rs", "--limit=3"] {
        assert_eq!(tree.plan(&["resolve", "--stdin", more]).run().code, Some(2), "{more}");
    }
    assert_eq!(tree.plan(&["resolve", "--commands", "a"]).run().code, Some(2));
}

/// The suggestions of bash, in bash; those of zsh and fish are tried in `tests/clients`.
#[test]
fn bash_suggests_the_right_path() {
    let tree = Tree::new(TREE);
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_pathfinder")).parent().unwrap();
    let script = "set -o history; eval \"$(pathfinder suggestions bash)\"; history -s 'cat src/fnd/stream.rs'; false; \
                  __pathfinder_suggest; echo $?";
    let ran = std::process::Command::new("bash")
        .args(["-c", script])
        .current_dir(tree.root())
        .env("PATH", format!("{}:{}", bin.display(), std::env::var("PATH").unwrap()))
        .env("HOME", tree.home())
        .output()
        .unwrap();
    let (out, errors) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert_eq!(errors.trim_end(), "did you mean: cat src/find/stream.rs");
    assert_eq!(out.trim_end(), "1", "the status is what it was");
}
