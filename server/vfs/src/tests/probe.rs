//! Tests of the probe's answers about single paths.

use pathfinder_core::{Kind, Presence, Probe as _};

use super::super::probe::DiskProbe;
use crate::testing::TestTree;

const TREE: &str = "
    one/dir/file: hello\n one/dir/sub/deep
    one/in -> dir/file\n one/abs -> {root}/one/dir/file\n one/absdir -> {root}/one/dir
    one/up -> ../one/dir\n one/other -> ../two\n one/otherfile -> {root}/two/t
    one/dangling -> nowhere\n one/absdangling -> {root}/one/nowhere\n one/loop -> loop
    one/out -> ../outside\n one/outabs -> {root}/outside\n one/outfile -> {root}/outside/secret
    one/chain -> abs\n one/outchain -> dir/hop\n one/dir/hop -> ../outfile
    two/t: twofold
    outside/secret: s\n outside/back -> ../one/dir
    $ mkfifo one/pipe
    $ mkdir one/closed && touch one/closed/x && chmod 000 one/closed
";

fn probe(tree: &TestTree) -> DiskProbe {
    DiskProbe::open(&tree.roots(&["one", "two"])).expect("both roots")
}

/// Checks rows of a path in the first root and `file`, `directory`, `symlink`, `absent` or `outside`.
fn check(rows: &[(&str, &str)]) {
    let tree = TestTree::new(TREE);
    let probe = probe(&tree);
    for (path, expected) in rows {
        let presence = probe.presence(0, path.as_bytes());
        let shown = match presence {
            Presence::Present(Kind::File) => "file",
            Presence::Present(Kind::Directory) => "directory",
            Presence::Present(Kind::Symlink) => "symlink",
            Presence::Absent => "absent",
            Presence::Outside => "outside",
        };
        assert_eq!(shown, *expected, "{path}");
        let exists = matches!(presence, Presence::Present(_));
        assert_eq!(probe.exists(0, path.as_bytes()), exists, "{path}");
    }
    tree.run("chmod 755 one/closed");
}

#[test]
fn stats_entries() {
    check(&[
        ("", "directory"),
        ("dir", "directory"),
        ("dir/file", "file"),
        ("dir/sub/deep", "file"),
        ("pipe", "file"),
        ("nowhere", "absent"),
        ("dir/nowhere", "absent"),
        ("dir/nowhere/x", "absent"),
        ("dir/file/x", "absent"),
        ("dir/FILE", "absent"),
        ("a\0b", "absent"),
        ("dir/a\0b", "absent"),
    ]);
    check(&[(&"x".repeat(300), "absent"), (&"x/".repeat(4000), "absent")]);
}

#[test]
fn resolves_dots() {
    check(&[
        ("dir/../dir/file", "file"),
        ("dir/..", "directory"),
        ("./dir/./file", "file"),
        ("..", "outside"),
        ("../one/dir/file", "outside"),
        ("dir/../../two/t", "outside"),
        ("nowhere/../..", "outside"),
        ("/etc", "outside"),
        ("absdir/../in", "symlink"),
        ("other/..", "outside"),
    ]);
}

#[test]
fn resolves_links() {
    check(&[
        ("in", "symlink"),
        ("abs", "symlink"),
        ("absdir", "symlink"),
        ("chain", "symlink"),
        ("up", "symlink"),
        ("other", "symlink"),
        ("otherfile", "symlink"),
        ("dangling", "absent"),
        ("absdangling", "absent"),
        ("loop", "absent"),
        ("out", "outside"),
        ("outabs", "outside"),
        ("outfile", "outside"),
        ("outchain", "outside"),
    ]);
}

#[test]
fn resolves_paths_through_links() {
    check(&[
        ("in/x", "absent"),
        ("absdir/file", "file"),
        ("absdir/sub", "directory"),
        ("absdir/nowhere", "absent"),
        ("absdir/hop", "outside"),
        ("up/file", "file"),
        ("other/t", "file"),
        ("other/nowhere", "absent"),
        ("dangling/x", "absent"),
        ("absdangling/x", "absent"),
        ("loop/x", "absent"),
        ("out/secret", "outside"),
        ("out/nowhere", "outside"),
        ("out/nowhere/x", "outside"),
        ("outabs/secret", "outside"),
        // Out and in again: the real location decides.
        ("out/back", "outside"),
        ("out/back/file", "file"),
    ]);
}

#[test]
fn unsearchable_directories_hide_their_entries() {
    let tree = TestTree::new(TREE);
    let found = probe(&tree).presence(0, b"closed/x");
    // The superuser may enter every directory.
    let privileged = std::fs::read_dir(tree.path("one/closed")).is_ok();
    tree.run("chmod 755 one/closed");
    assert_eq!(found, if privileged { Presence::Present(Kind::File) } else { Presence::Absent });
}

/// The order in which a disk lists names depends on how and when they were made.
#[test]
fn sorts_names() {
    let mut names: Vec<String> = (0..64).map(|number| format!("{:x}.md", number * 37 % 101)).collect();
    let files: Vec<String> = names.iter().map(|name| format!("one/d/{name}")).collect();
    let tree = TestTree::new(&format!("one/d/sub/x\n two/\n{}", files.join("\n")));
    names.push("sub".to_owned());
    names.sort_unstable();
    let probe = probe(&tree);
    assert_eq!(probe.names(0, &"d".into()), names);
    assert_eq!(probe.names(0, &"d/sub/x".into()), Vec::<String>::new());
}

#[test]
fn searches_files() {
    let tree = TestTree::new(TREE);
    let probe = probe(&tree);
    tree.run("chmod 755 one/closed");
    for (root, path, text, expected) in [
        (0, "dir/file", "ell", Some(true)),
        (0, "dir/file", "", Some(true)),
        (0, "dir/file", "elk", Some(false)),
        (0, "dir/file", "hello and more", Some(false)),
        (0, "dir/sub/deep", "x", Some(false)),
        (0, "in", "hello", Some(true)),
        (0, "absdir/file", "hello", Some(true)),
        (0, "otherfile", "twofold", Some(true)),
        (1, "t", "twofold", Some(true)),
        (0, "dir", "x", None),
        (0, "pipe", "x", None),
        (0, "nowhere", "x", None),
        (0, "outfile", "s", None),
        (0, "../two/t", "twofold", None),
        (7, "t", "x", None),
    ] {
        assert_eq!(probe.contains(root, path.as_bytes(), text), expected, "{path} {text}");
    }
}

#[test]
fn searches_large_files_up_to_the_limit() {
    const MIB: usize = 1024 * 1024;
    let tree = TestTree::new("one/\n two/");
    let probe = probe(&tree);
    let write = |name: &str, size: usize, at: usize| {
        let mut bytes = vec![b'.'; size];
        bytes[at..at + 6].copy_from_slice(b"needle");
        std::fs::write(tree.path(name), bytes).expect("a file");
    };
    // Across the border of two reads, at the very end, and around the limit of searched bytes.
    for at in [0, 128 * 1024 - 3, 128 * 1024, 2 * MIB - 6] {
        write("one/f", 2 * MIB, at);
        assert_eq!((probe.contains(0, b"f", "needle"), probe.contains(0, b"f", "noodle")), (Some(true), Some(false)));
    }
    write("one/f", 8 * MIB, 8 * MIB - 6);
    assert_eq!((probe.contains(0, b"f", "needle"), probe.contains(0, b"f", "noodle")), (Some(true), Some(false)));
    write("one/f", 9 * MIB, 9 * MIB - 6);
    assert_eq!((probe.contains(0, b"f", "needle"), probe.contains(0, b"f", "...")), (None, Some(true)));
}

#[test]
fn reports_removed_and_recreated_roots() {
    let tree = TestTree::new("one/a\n two/");
    let probe = probe(&tree);
    assert_eq!((probe.root_gone(0), probe.root_gone(1)), (None, None));
    assert_eq!(probe.root_gone(2).as_deref(), Some("there is no root 2"));

    tree.run("mv one gone");
    assert_eq!(probe.root_gone(0).as_deref(), Some("was removed"));
    assert_eq!(probe.root_gone(1), None);

    tree.run("touch one");
    assert_eq!(probe.root_gone(0).as_deref(), Some("is not a directory any more"));

    tree.run("rm one && ln -s gone one");
    assert_eq!(probe.root_gone(0).as_deref(), Some("is not a directory any more"));

    tree.run("rm one && mkdir one && touch one/b");
    assert_eq!(probe.root_gone(0), None);
    let there = |path: &[u8]| probe.presence(0, path);
    assert_eq!((there(b"a"), there(b"b")), (Presence::Absent, Presence::Present(Kind::File)));

    tree.run("chmod 000 one");
    let gone = probe.root_gone(0);
    let privileged = std::fs::read_dir(tree.path("one")).is_ok();
    tree.run("chmod 755 one");
    assert!(privileged || gone.is_some_and(|reason| reason.starts_with("cannot be read: ")));
}
