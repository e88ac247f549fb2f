//! `fix`: fixes certain paths, leaves the others and loses nothing; and `check --since`: what a change breaks.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use crate::run::HISTORY;
use crate::tree::Tree;

/// A file that was moved in the last commit, and two that still name its old place.
fn moved() -> Tree {
    let tree = Tree::new(
        "docs/guide.md = See [setup](setup.md#start) and [nothing](nowhere/at-all.md).
         README.md = [Setup](docs/setup.md)
         docs/setup.md = # Start
         other.md = [other](docs/guide.md)",
    );
    git(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    git(&tree, "mkdir docs/first && git mv docs/setup.md docs/first/setup.md && COMMIT -qm two");
    tree
}

/// Runs a script in a tree's root; `COMMIT` stands for `git commit` with an author.
#[track_caller]
fn git(tree: &Tree, script: &str) {
    let script = script.replace("COMMIT", "git -c user.name=a -c user.email=a@b commit");
    let mut command = Command::new("sh");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let made = command.arg("-c").arg(&script).current_dir(tree.root()).output().unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// Runs `fix` and compares exit status, stdout, and what a file then has.
#[track_caller]
fn check(tree: &Tree, args: &[&str], code: i32, stdout: &str, file: &str, contents: &str) {
    let run = tree.plan(&[&["fix"], args].concat()).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(code), stdout), "{run:?}");
    assert_eq!(fs::read_to_string(tree.root().join(file)).unwrap(), contents);
}

#[test]
fn what_was_moved() {
    let tree = moved();
    let diff = "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-[Setup](docs/setup.md)\n\\ No newline at end of file\n\
                +[Setup](docs/first/setup.md)\n\\ No newline at end of file\n";
    check(&tree, &["--dry-run", "README.md"], 0, diff, "README.md", "[Setup](docs/setup.md)");
    let run = tree.plan(&["fix", "--dry-run"]).run();
    fs::write(tree.root().join("change.diff"), &run.stdout).unwrap();
    git(&tree, "git apply --check change.diff && rm change.diff");
    let says = "README.md:1:9: docs/setup.md → docs/first/setup.md\n\
                docs/guide.md:1:13: setup.md#start → first/setup.md#start\n2 fixed in 2 files, 1 left (no likely fix)\n";
    let after = "See [setup](first/setup.md#start) and [nothing](nowhere/at-all.md).";
    check(&tree, &[], 1, says, "docs/guide.md", after);
    // Twice is as good as once.
    check(&tree, &[], 1, "0 fixed, 1 left (no likely fix)\n", "docs/guide.md", after);
    check(&tree, &["README.md"], 0, "nothing to fix\n", "README.md", "[Setup](docs/first/setup.md)");
}

/// A generator writes its pages anew: they keep their findings, and lose only what would be applied unasked.
#[test]
fn generated_files_stay_as_they_are() {
    let tree = Tree::new(
        "docs/setup.md = # Start
         page.md = [Setup](docs/setup.md)",
    );
    let marked = "<!-- Do not edit: written by make pages -->\n[Setup](docs/setup.md)\n";
    fs::write(tree.root().join("marked.md"), marked).unwrap();
    git(
        &tree,
        "git init -q -b main . && git add -A && COMMIT -qm one && git mv docs/setup.md docs/start.md && COMMIT -qm two",
    );
    let run = tree.plan(&["check", "--format", "concise"]).run();
    assert!(run.stdout.contains("marked.md:2:9"), "{run:?}");
    let says = "page.md:1:9: docs/setup.md → docs/start.md\n1 fixed in 1 file, 1 left \
                (below the confidence for automatic fixes; `--min-confidence 0.9` applies them)\n";
    check(&tree, &[], 1, says, "marked.md", marked);
}

/// A page below `docs` names a file from the root, and git moved it to where a root in `docs` would have it.
#[test]
fn a_file_that_moved_below_the_page() {
    let tree = Tree::new("NOTES.md = text\ndocs/a.md = [x](/NOTES.md)");
    git(
        &tree,
        "git init -q -b main . && git add -A && COMMIT -qm one && git mv NOTES.md docs/NOTES.md && COMMIT -qm two",
    );
    let says = "docs/a.md:1:5: /NOTES.md → /docs/NOTES.md\n1 fixed in 1 file\n";
    check(&tree, &[], 0, says, "docs/a.md", "[x](/docs/NOTES.md)");
}

/// A fix of `use` binds another name, and the paths that begin with the old one follow. They are no findings of their own.
#[test]
fn names_follow_the_use_that_binds_them() {
    let tree = Tree::new(
        "Cargo.toml
         src/lib.rs = mod old; mod other;
         src/old.rs = pub fn run() {}
         src/other.rs = use crate::old; fn f() { old::run(); old::run() }",
    );
    git(
        &tree,
        "git init -q -b main . && git add -A && COMMIT -qm one && git mv src/old.rs src/new.rs && COMMIT -qm two",
    );
    let says = "src/lib.rs:1:5: old → new\nsrc/other.rs:1:5: crate::old → crate::new\n\
                src/other.rs:1:26: old → new\nsrc/other.rs:1:38: old → new\n2 fixed in 2 files\n";
    check(&tree, &[], 0, says, "src/other.rs", "use crate::new; fn f() { new::run(); new::run() }");
}

/// History knows where the module went, and `mod` cannot name that place: a file that came beside it is another module (tokio).
/// Aliases that are named after their directories: the one of the new directory is written, where the project has it.
#[test]
fn an_alias_follows_its_directory() {
    let check_with = |aliases: &str, after: &str| {
        let tree = Tree::new(&format!(
            "package.json = {{\"_moduleAliases\": {{{aliases}}}}}\n\
             server/utils/names.js = exports.a = 1;\nserver/db.js = require('@server/utils/names');\nshared/x.js"
        ));
        git(&tree, "git init -q && git add -A && COMMIT -qm one");
        git(&tree, "mkdir shared/utils && git mv server/utils/names.js shared/utils/ && COMMIT -qm two");
        let says = format!("server/db.js:1:10: @server/utils/names → {after}\n1 fixed in 1 file\n");
        check(&tree, &[], 0, &says, "server/db.js", &format!("require('{after}');"));
    };
    let server = "\"@server\": \"server\"";
    check_with(&format!("{server}, \"@shared\": \"shared\""), "@shared/utils/names");
    check_with(server, "../shared/utils/names");
}

#[test]
fn a_module_that_left_is_no_other_one() {
    let tree = Tree::new(
        "Cargo.toml
         src/lib.rs = mod run; mod time;
         src/run/mod.rs = pub fn run() {}
         src/time/clock.rs = pub fn clock() {}
         src/time/error.rs = pub fn error() {}
         src/time/timeout.rs = pub fn timeout() {}
         src/time/driver/mod.rs = pub mod sleep; pub fn drive() {}",
    );
    let text = "mod clock;\nmod driver;\npub use driver::sleep::{sleep, Sleep};\nmod error;\nmod timeout;\n";
    fs::write(tree.root().join("src/time/mod.rs"), text).unwrap();
    fs::write(tree.root().join("src/time/driver/sleep.rs"), "pub fn sleep() {}\npub struct Sleep;").unwrap();
    git(
        &tree,
        "git init -q -b main . && git add -A && COMMIT -qm one && mkdir src/run/time && \
         git mv src/time/driver/mod.rs src/run/time/mod.rs && git mv src/time/driver/sleep.rs src/time/sleep.rs && COMMIT -qm two",
    );
    let says = "0 fixed, 3 left (1 below the confidence for automatic fixes; `--min-confidence 0.9` applies them)\n";
    check(&tree, &[], 1, says, "src/time/mod.rs", text);
}

/// A class that moved to another package, from which another module imports; and a test of `TypeScript` that moved, in a project that ignores
/// each compiled `index.js`.
#[test]
fn imports_of_classes_and_of_moved_tests() {
    let tree = Tree::new(
        "lib/src/main/java/a/b/App.java = package a.b; class App {}
         app/src/test/java/a/Test.java = package a; import a.b.web.Client; import static a.b.web.Client.x; class Test {}
         .gitignore = index.js
         package.json = {}
         src/model.ts = export {};
         src/test/model_test.ts = import '../model.js';",
    );
    let auto = "lib/src/main/java/a/b/web/auto";
    git(
        &tree,
        &format!(
            "mkdir -p {auto} src/test/server
             printf 'package a.b.web;\\n\\nclass Client {{\\n    static int x;\\n    int y;\\n}}\\n' > {auto}/../Client.java
             git init -q -b main . && git add -A && COMMIT -qm one
             git mv {auto}/../Client.java {auto}/Client.java && sed -i 's/a.b.web/a.b.web.auto/' {auto}/Client.java
             git mv src/test/model_test.ts src/test/server && git add -A && COMMIT -qm two"
        ),
    );
    let after = "package a; import a.b.web.auto.Client; import static a.b.web.auto.Client.x; class Test {}";
    let says = "app/src/test/java/a/Test.java:1:19: a.b.web.Client → a.b.web.auto.Client
app/src/test/java/a/Test.java:1:49: a.b.web.Client → a.b.web.auto.Client
src/test/server/model_test.ts:1:9: ../model.js → ../../model.js\n3 fixed in 2 files\n";
    check(&tree, &[], 0, says, "app/src/test/java/a/Test.java", after);
}

#[test]
fn all_else_stays_as_it_is() {
    let tree = moved();
    let path = tree.root().join("docs/guide.md");
    let bytes = b"\xef\xbb\xbfcaf\xe9 [a](setup.md)\r\n[b](<setup.md> \"t\") [c](setup.md)\r\n";
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("guide.md", tree.root().join("docs/link.md")).unwrap();
    let run = tree.plan(&["fix", "docs"]).run();
    assert_eq!(run.code, Some(0), "{run:?}");
    let expect = b"\xef\xbb\xbfcaf\xe9 [a](first/setup.md)\r\n[b](<first/setup.md> \"t\") [c](first/setup.md)\r\n";
    assert_eq!(fs::read(&path).unwrap(), expect);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(tree.root().join("docs/link.md")).unwrap().is_symlink());
}

#[test]
fn what_cannot_be_written_is_said() {
    let tree = moved();
    let path = tree.root().join("README.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let run = tree.plan(&["fix", "README.md"]).run();
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_eq!(run.stderr, "error[NotFixed]: README.md: it is read-only\n");
    assert_eq!(fs::read_to_string(&path).unwrap(), "[Setup](docs/setup.md)");
}

/// Runs `fix` under a shell's `before`, which makes writing fail. What is said has to name the file and `why`, and nothing
/// may be lost or left beside.
#[track_caller]
fn cannot_write(tree: &Tree, before: &str, why: &str) {
    let contents = fs::read(tree.root().join("README.md")).unwrap();
    let run = tree.plan_after(before, &["fix", "README.md"]).run();
    assert_eq!(run.code, Some(2), "{run:?}");
    let says = "error[NotFixed]: README.md: it could not be written: ";
    assert!(run.stderr.starts_with(says) && run.stderr.contains(why), "{run:?}");
    assert_eq!(fs::read(tree.root().join("README.md")).unwrap(), contents);
    assert_eq!(fs::read_dir(tree.root()).unwrap().count(), 4, "nothing is left beside it");
}

/// A tree with a file above the size limit for writing.
fn long() -> Tree {
    let tree = moved();
    let text = format!("[Setup](docs/setup.md)\n{}", "A line that is here for its length.\n".repeat(4_000));
    fs::write(tree.root().join("README.md"), text).unwrap();
    tree
}

/// A file may grow to one block only: that is as if the disk were full, and needs no rights at all.
#[test]
fn a_limit_on_files_loses_nothing() {
    cannot_write(&long(), "trap '' XFSZ; ulimit -f 1;", "File too large");
}

/// Runs on a full disk in a mount namespace. A machine that allows no namespaces says so; the limit above is tested
/// everywhere.
#[test]
#[expect(clippy::print_stderr, reason = "whoever reads the log should know what was not tested")]
fn a_full_disk_loses_nothing() {
    let can = Command::new("unshare").args(["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).output();
    if !can.as_ref().is_ok_and(|made| made.status.success()) {
        eprintln!("not tested: no disk can be mounted here: {can:?}");
        return;
    }
    let tree = long();
    // Eight megabytes hold the tree with its history; what is left of them is filled up.
    let script = r#"set -e; here=$PWD; full=$(mktemp -d); mount -t tmpfs -o size=8m none "$full"; cp -a . "$full"; cd "$full"
                    cp README.md "$here/before"; cat /dev/zero > fill 2> "$here/filled" || true
                    code=0; "$0" fix README.md || code=$?
                    cmp README.md "$here/before"; ls -A > "$here/left"; exit $code"#;
    let run = tree.plan_unshared(script).run();
    assert_eq!(run.code, Some(2), "{run:?}");
    let says = "error[NotFixed]: README.md: it could not be written: ";
    assert!(run.stderr.contains(says) && run.stderr.contains("No space left"), "{run:?}");
    assert_eq!(fs::read_to_string(tree.root().join("left")).unwrap(), ".git\nREADME.md\ndocs\nfill\nother.md\n");
}

/// Literals that lie close together, in one another, or in what other programs fill in.
#[test]
fn literals_side_by_side() {
    let tree = moved();
    let check = |before: &str, after: &str| {
        fs::write(tree.root().join("README.md"), before).unwrap();
        let run = tree.plan(&["fix", "README.md"]).run();
        assert_eq!(fs::read_to_string(tree.root().join("README.md")).unwrap(), after, "{run:?}");
        let again = tree.plan(&["fix", "README.md"]).run();
        assert!(!again.stdout.contains(" → "), "a second run fixes nothing more: {again:?}");
        assert_eq!(fs::read_to_string(tree.root().join("README.md")).unwrap(), after, "{again:?}");
    };
    let new = "docs/first/setup.md";
    check("[a](docs/setup.md)[b](docs/setup.md#start)", &format!("[a]({new})[b]({new}#start)"));
    // A link in a link, and a tag in one.
    check("[![x](docs/setup.md)](docs/setup.md)", &format!("[![x]({new})]({new})"));
    check("[<img src='docs/setup.md'>](docs/setup.md)", &format!("[<img src='{new}'>]({new})"));
    check("<a href=docs/setup.md>[a](docs/setup.md)</a>", &format!("<a href={new}>[a]({new})</a>"));
    // An interpolated segment stays as it is; the text beside it is fixed.
    for filled in
        ["{{ site.url }}/docs/setup.md", "<%= x %>/docs/setup.md", "${x}/docs/setup.md", "{% link docs/setup.md %}"]
    {
        check(&format!("[a]({filled}) [b](docs/setup.md)"), &format!("[a]({filled}) [b]({new})"));
    }
}

/// Paths that a macro or template assembles stay as they are; a whole path in an argument is fixed.
#[test]
fn literals_in_macros_and_templates() {
    let tree = Tree::new(
        "Cargo.toml = [package]
         docs/setup.md = # Start
         docs/data.js = export default 1
         inc/conf.h = int x;",
    );
    git(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    git(
        &tree,
        "mkdir docs/first inc/deep && git mv docs/setup.md docs/data.js docs/first && git mv inc/conf.h inc/deep && COMMIT -qm two",
    );
    fs::create_dir(tree.root().join("src")).unwrap();
    let check = |file: &str, before: &str, after: &str| {
        fs::write(tree.root().join(file), before).unwrap();
        let run = tree.plan(&["fix", file]).run();
        assert_eq!(fs::read_to_string(tree.root().join(file)).unwrap(), after, "{run:?}");
    };
    check(
        "src/lib.rs",
        "macro_rules! m { ($x:expr) => { concat!(\"../docs/\", $x) } }\nconst A: &str = concat!(include_str!(\"../docs/setup.md\"), m!(\"setup.md\"));\n",
        "macro_rules! m { ($x:expr) => { concat!(\"../docs/\", $x) } }\nconst A: &str = concat!(include_str!(\"../docs/first/setup.md\"), m!(\"setup.md\"));\n",
    );
    check(
        "src/main.c",
        "#define CONF \"../inc/conf.h\"\n#include CONF\n#include \"../inc/conf.h\"\n",
        "#define CONF \"../inc/conf.h\"\n#include CONF\n#include \"../inc/deep/conf.h\"\n",
    );
    check(
        "src/a.js",
        "const a = `${b}/../docs/data.js`; import(`../docs/data.js`); t`../docs/data.js`;",
        "const a = `${b}/../docs/data.js`; import(`../docs/first/data.js`); t`../docs/data.js`;",
    );
}

/// Files that go or change between the check and their turn: a slow reader of the output keeps `fix` waiting for as long as
/// that takes, since what it says of the first file is more than a pipe holds.
#[test]
fn files_that_go_or_change_meanwhile() {
    let long = format!("inc/{}", ["directory-of-a-long-name".repeat(10).as_str(); 3].join("/"));
    let tree = Tree::new(&format!("{long}/conf.h = int conf;\ndocs/near.md = # Near"));
    git(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    git(
        &tree,
        "d=$(dirname $(find inc -name conf.h)) && mkdir $d/first && git mv $d/conf.h $d/first/ && mkdir docs/new && git mv docs/near.md docs/new && COMMIT -qm two",
    );
    let write = |name: &str, text: &str| fs::write(tree.root().join(name), text).unwrap();
    write("a.c", &format!("#include \"{long}/conf.h\"\n").repeat(50));
    write("changed.md", "[x](docs/near.md)\n");
    write("gone.md", "[x](docs/near.md)\n");
    let script = r#"mkfifo ../pipe; "$0" fix > ../pipe 2> ../said & fix=$!; exec 3< ../pipe; read -r first <&3; rm gone.md
                    echo '# New' > ../changed; cat changed.md >> ../changed; mv ../changed changed.md; cat <&3 > ../rest; wait $fix"#;
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_pathfinder")]).current_dir(tree.root()).env("HOME", tree.home());
    let run = shell.env(HISTORY.0, HISTORY.1).output().unwrap();
    let said = fs::read_to_string(tree.place().join("said")).unwrap();
    assert_eq!((run.status.code(), said.as_str()), (Some(2), "error[NotFixed]: gone.md: it is gone\n"), "{run:?}");
    let rest = fs::read_to_string(tree.place().join("rest")).unwrap();
    assert!(rest.ends_with("\n50 fixed in 1 file, 2 left\n"), "{rest:?}");
    assert!(!tree.root().join("gone.md").exists());
    assert_eq!(fs::read_to_string(tree.root().join("changed.md")).unwrap(), "# New\n[x](docs/near.md)\n");
}

#[test]
fn numbers_out_of_range_are_refused() {
    let tree = moved();
    for wrong in ["2", "-0.1", "x", ""] {
        let run = tree.plan(&["fix", &format!("--min-confidence={wrong}")]).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.contains("must be a number from 0 to 1"), "{run:?}");
    }
    let run = tree.plan(&["fix", "--root=docs", "--root=."]).run();
    assert_eq!(run.code, Some(2), "{run:?}");
}

/// `FILE LITERAL: REASON` of each finding.
#[track_caller]
fn broken(tree: &Tree, args: &[&str], expect: &[&str]) {
    let run = tree.plan(&[&["check", "--format=json"], args].concat()).run();
    let mut lines = run.jsons();
    lines.pop();
    let text = |line: &serde_json::Value, name: &str| line[name].as_str().unwrap().to_owned();
    let rows: Vec<String> = lines
        .iter()
        .map(|line| format!("{} {}: {}", text(line, "file"), text(line, "literal"), text(line, "reason")))
        .collect();
    let rows: Vec<&str> = rows.iter().map(|row| row.split(" in ").next().unwrap()).collect();
    assert_eq!(rows, expect, "{run:?}");
    assert_eq!(run.code, Some(i32::from(!expect.is_empty())), "{run:?}");
}

#[test]
fn what_a_change_breaks() {
    let tree = moved();
    // The link that led nowhere before is not this change's.
    broken(
        &tree,
        &["--since=HEAD~1"],
        &[
            "README.md docs/setup.md: moved to docs/first/setup.md",
            "docs/guide.md setup.md#start: moved to docs/first/setup.md",
        ],
    );
    broken(&tree, &["--since=HEAD"], &[]);
    // A file that moved keeps what was broken in it; what is not committed counts.
    git(&tree, "git mv docs/guide.md guide.md && COMMIT -qm three");
    broken(&tree, &["--since=HEAD~1"], &["other.md docs/guide.md: moved to guide.md"]);
    fs::write(tree.root().join("new.md"), "[x](gone.md)").unwrap();
    broken(&tree, &["--since=HEAD", "new.md"], &["new.md gone.md: gone.md does not exist"]);
    let run = tree.plan(&["check", "--since=nowhere"]).run();
    assert!(run.code == Some(2) && run.stderr.contains("nowhere does not name a commit"), "{run:?}");
    let run = Tree::new("a.md").plan(&["check", "--since=HEAD"]).run();
    assert!(run.code == Some(2) && run.stderr.contains("is not in a git repository"), "{run:?}");
}

/// A word of a configuration is a literal because its file is there; without the file it is what the change breaks.
#[test]
fn what_a_deletion_leaves_in_words() {
    let tree = Tree::new("x.toml = run = \"sh a/b.sh\"\na/b.sh = x\na/c.txt = x\nmeson.build = files('a/b.sh')");
    git(&tree, "git init -q && git add . && COMMIT -qm one");
    let gone = ["meson.build a/b.sh: a/b.sh does not exist", "x.toml a/b.sh: a/b.sh does not exist"];
    broken(&tree, &["--if-deleted=a/b.sh"], &gone);
    git(&tree, "git rm -q a/b.sh && COMMIT -qm two");
    broken(&tree, &["--since=HEAD~1"], &gone);
    broken(&tree, &["--since=HEAD"], &[]);
    broken(&tree, &[], &[]);
}

/// Remains of a move do not count as existing: an empty directory, and a package without the names in use.
#[test]
fn what_a_move_empties() {
    let go = "package pkg\nfunc Name() {}\nfunc Other() {}";
    let tree = Tree::new(
        "go.mod = module m.io/m
         composer.json = {\"autoload\": {\"psr-4\": {\"A\\\\\": \"src-a/\", \"B\\\\\": \"src-b/\"}}}
         src-a/deep/A.php = <?php class A {}
         src-b/B.php = <?php class B {}
         pkg/usage.go = package pkg
         kept/usage.go = package kept
         gone/gone.go = package gone",
    );
    let write = |name: &str, text: &str| fs::write(tree.root().join(name), text).unwrap();
    write("pkg/x.go", go);
    write("kept/x.go", &format!("{go}\nfunc More() {{ /* so that it is not taken for the other */ }}"));
    write("kept/stays.go", "package kept\nfunc Stays() {}");
    write(
        "main.go",
        "package main\nimport (\n\t\"m.io/m/pkg\"\n\talias \"m.io/m/kept\"\n\t\"m.io/m/gone\"\n)\nfunc main() { pkg.Name(); alias.Stays(); gone.It() }",
    );
    git(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    git(
        &tree,
        "mkdir -p src-c/deep y gone/deeper && git mv src-a/deep/A.php src-c/deep/A.php && git mv pkg/x.go y/x.go && \
         git mv kept/x.go y/kept.go && git mv gone/gone.go y/gone.go && COMMIT -qm two && mkdir -p src-a/deep gone",
    );
    broken(
        &tree,
        &["--since=HEAD~1"],
        &[
            "composer.json src-a/: moved to src-c",
            "main.go m.io/m/pkg: what is used of it moved to y",
            "main.go m.io/m/gone: moved to y",
        ],
    );
    // An empty directory of which history knows nothing may be there on purpose.
    fs::remove_file(tree.root().join("src-b/B.php")).unwrap();
    broken(&tree, &["--since=HEAD", "composer.json"], &[]);
}

#[test]
fn what_a_merge_breaks() {
    let tree = moved();
    // A commit on another branch names the old place.
    git(
        &tree,
        "git checkout -q -b theirs HEAD~1 && printf '[a](docs/setup.md)' > theirs.md && git add -A && COMMIT -qm theirs && \
         git checkout -q main && sed -i 's|setup.md|first/setup.md|' README.md docs/guide.md && COMMIT -qam mended",
    );
    broken(&tree, &["--since=main"], &[]);
    broken(
        &tree,
        &["--since=theirs"],
        &["theirs.md docs/setup.md: docs/setup.md does not exist, once this is merged with theirs"],
    );
    // A line of theirs in a file of which ours has changed another one, and moved it.
    git(
        &tree,
        "git checkout -q theirs && git rm -q theirs.md && (printf '[a](docs/setup.md)\\n'; seq 30; echo end) > both.md && git add -A && \
         COMMIT -qm base && git checkout -q main && git -c user.name=a -c user.email=a@b merge -q theirs -m merge && sed -i 's|docs/setup|docs/first/setup|' both.md && \
         printf '[x](gone.md)\\n' >> both.md && git mv both.md ours.md && COMMIT -qam ours && git checkout -q theirs && \
         sed -i 's|^15|[c](docs/setup.md)|' both.md && COMMIT -qam theirs && git checkout -q main",
    );
    broken(
        &tree,
        &["--since=theirs"],
        &[
            "ours.md docs/setup.md: docs/setup.md does not exist, once this is merged with theirs",
            "ours.md gone.md: gone.md does not exist",
        ],
    );
}

#[test]
fn what_a_deletion_breaks() {
    let tree = moved();
    broken(&tree, &["--if-deleted=docs/guide.md"], &["other.md docs/guide.md: docs/guide.md does not exist"]);
    broken(&tree, &["--if-deleted=docs"], &["other.md docs/guide.md: docs/guide.md does not exist"]);
    broken(&tree, &["--if-deleted=other.md"], &[]);
    let run = tree.plan(&["check", "--if-deleted=none.md"]).run();
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
}
