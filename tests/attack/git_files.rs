//! Pipes, devices and endless files where a repository or the cache has files that are read.

use crate::bounded::Repository;

/// Commands that run on each repository: all read the tree, git's history and the cache, the second also commits.
const COMMANDS: [&[&str]; 3] = [&["resolve", "sub/b.md"], &["check"], &["check", "--since", "HEAD~1"]];

/// After the attack every command ends by itself, within the limits on time and memory.
#[track_caller]
fn check(attack: &str) {
    for command in COMMANDS {
        let repository = Repository::new(attack);
        let (status, printed) = repository.run(command);
        assert!(matches!(status, Some(0..=2)), "{attack}: {command:?}: {status:?} {printed}");
    }
}

/// Runs the command with a damaged file of git, and expects an answer from what is still known.
#[track_caller]
fn check_finds(attack: &str, asked: &str, expect: &str) {
    check(attack);
    let (_, printed) = Repository::new(attack).run(&["resolve", asked]);
    assert!(printed.contains(expect), "{attack}: {printed}");
}

/// Both attacks on each of these files.
#[track_caller]
fn check_all(files: &[&str]) {
    for file in files {
        check(&format!("pipe {file}"));
        check(&format!("zero {file}"));
    }
}

#[test]
fn files_of_git_that_say_where_it_is() {
    check_all(&[".git/HEAD", ".git/config", ".git/commondir"]);
    check("rm -rf .git; mkfifo .git");
    check("rm -rf .git; ln -s /dev/zero .git");
    check("rm -rf .git; truncate -s 100G .git");
    check("rm -rf .git; mkdir other; mkfifo other/HEAD; echo 'gitdir: other' > .git");
    check("rm -rf .git; mkfifo other; echo 'gitdir: other' > .git");
    // gix would take the directory around for the repository.
    check("mv .git/* .; rm -rf .git HEAD; mkfifo .git HEAD");
}

#[test]
fn references() {
    check_all(&[".git/packed-refs", ".git/refs/heads/main", ".git/shallow"]);
    check("truncate -s 100G .git/refs/heads/main");
    check("echo 'ref: refs/heads/deep/er' > .git/HEAD; pipe .git/refs/heads/deep/er");
    check("echo 'ref: PIPE' > .git/HEAD; mkfifo .git/PIPE");
    check("pipe .git/refs/replace/$(git rev-parse HEAD)");
    check("truncate -s 100G .git/packed-refs");
}

#[test]
fn objects() {
    check_all(&[
        ".git/objects/info/alternates",
        ".git/objects/info/commit-graph",
        ".git/objects/pack/multi-pack-index",
    ]);
    check("id=$(git rev-parse HEAD); pipe .git/objects/$(echo $id | cut -c-2)/$(echo $id | cut -c3-)");
    check("git gc -q; for pack in .git/objects/pack/*.pack; do pipe $pack; done");
    check("git gc -q; for index in .git/objects/pack/*.idx; do pipe $index; done");
    check(
        "mkdir -p other/info other/pack; mkfifo other/info/alternates; echo ../../other > .git/objects/info/alternates",
    );
    check("mkdir -p other/00; mkfifo other/00/pipe; echo ../../other > .git/objects/info/alternates");
    check("for at in 1 2 3; do echo ../../.git/objects; done > .git/objects/info/alternates");
    check("seq 100000 > .git/objects/info/alternates");
}

#[test]
fn included_configuration_is_not_read() {
    check_finds("mkfifo other; git config include.path ../other", "sub/b.md", "sub/c.md");
    check_finds("git config include.path /dev/zero", "sub/b.md", "sub/c.md");
}

#[test]
fn the_index() {
    check_all(&[".git/index"]);
    check("truncate -s 100G .git/index");
}

#[test]
fn ignore_files() {
    check_all(&[".git/info/exclude", ".gitignore", ".ignore", "sub/.gitignore", "sub/deep/.ignore"]);
    check_finds("pipe .git/info/exclude", "a.mdd", "a.md");
    check_finds("pipe sub/deep/.gitignore", "sub/cc.md", "sub/c.md");
    check("truncate -s 100G sub/.gitignore");
    check("git init -q sub/deep/n; pipe sub/deep/n/.git/info/exclude");
    check("git init -q sub/deep/n; pipe sub/deep/n/.git/HEAD; pipe sub/deep/n/.git/config");
    check("pipe sub/.git");
    check("zero sub/.git");
    check("truncate -s 100G sub/.git");
    check("mkdir other; mkfifo other/commondir; echo \"gitdir: $PWD/other\" > sub/.git");
}

#[test]
fn ignore_files_above_the_root() {
    for attack in ["pipe .gitignore", "zero .ignore", "pipe .git/info/exclude"] {
        let repository = Repository::new(attack);
        let (status, printed) = repository.run(&["resolve", "--root", "sub", "cc.md"]);
        assert!(matches!(status, Some(0 | 1)) && printed.contains("c.md"), "{attack}: {status:?} {printed}");
    }
}

#[test]
fn files_of_the_project() {
    check_all(&["pathfinder.toml", "package.json", "tsconfig.json", "sub/Cargo.toml", "sub/package.json", "go.mod"]);
    check("echo '{\"extends\": \"./base.json\"}' > tsconfig.json; mkfifo base.json; echo \"import './x'\" > m.ts");
    check("mkfifo pipe; ln -s pipe link.md; ln -s /dev/zero zero.md; ln -s /dev/tty tty.md");
    check("python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket.md\")' || true");
}

#[test]
fn the_cache() {
    check_finds("mkfifo $HOME/cache", "sub/b.md", "sub/c.md");
    check_finds("ln -s /dev/zero $HOME/cache", "sub/b.md", "sub/c.md");
    // Twice: a file of the cache is there after the first run, and a pipe then.
    let fill = "$PATHFINDER_BIN index > /dev/null; $PATHFINDER_BIN find b > /dev/null";
    for how in ["pipe", "zero"] {
        check_finds(&format!("{fill}; for file in $HOME/cache/*.*; do {how} $file; done"), "sub/b.md", "sub/c.md");
    }
}

#[test]
fn directories_deeper_than_a_path_can_be() {
    let deep =
        "i=0; while [ $i -lt 30 ]; do d=$(printf '%0200d' $i); mkdir $d; echo > $d/f.md; cd -P $d; i=$((i+1)); done";
    let repository = Repository::new(deep);
    let (status, printed) = repository.run(&["index"]);
    assert!(status == Some(0) && printed.contains("1 directory not indexed: paths too long"), "{printed}");
    let (_, printed) = repository.run(&["doctor"]);
    assert!(printed.contains("path-too-long"), "{printed}");
    check(deep);
}
