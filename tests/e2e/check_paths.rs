//! `check`: paths that the command line names, links among them, and paths that a format writes.

use std::os::unix::ffi::OsStringExt as _;

use crate::tree::Tree;

/// A file and a directory, with links to them, out of the root and to nothing.
const LINKED: &str = "
    docs/real.md = [a](gone.md)
    docs/link.md -> real.md
    linked -> docs
    out.md -> ../secret.md
    out -> ../secrets
    dangling.md -> none.md
    loop.md -> loop.md
    other.md = [real](docs/real.md) [link](docs/link.md) [below](linked/real.md)
    ../secret.md = [x](nowhere.md)
    ../secrets/a.md = [x](nowhere.md)
";

/// Checks the status, `FILE LITERAL` of each finding, and the lines on stderr.
#[track_caller]
fn check(args: &[&str], code: i32, expect: &[&str], says: &[&str]) {
    let tree = Tree::new(LINKED);
    let run = tree.plan(&["check", "--format=json"]).arg_all(args).run();
    let lines = run.jsons();
    let rows =
        lines.iter().filter_map(|line| Some(format!("{} {}", line["file"].as_str()?, line["literal"].as_str()?)));
    assert_eq!((run.code, rows.collect::<Vec<_>>()), (Some(code), expect.iter().map(|&row| row.to_owned()).collect()));
    assert_eq!(run.stderr.lines().collect::<Vec<_>>(), says, "{args:?}");
}

/// The deletion of a link leaves its target.
#[test]
fn what_the_deletion_of_a_link_breaks() {
    check(&["--if-deleted=docs/link.md"], 1, &["other.md docs/link.md"], &[]);
    check(&["--if-deleted=linked/link.md"], 1, &["other.md docs/link.md"], &[]);
    check(&["--if-deleted=linked"], 1, &["other.md linked/real.md"], &[]);
    check(&["--if-deleted=linked/"], 1, &["other.md linked/real.md"], &[]);
    check(&["--if-deleted=docs/real.md"], 1, &["other.md docs/real.md"], &[]);
    check(&["--if-deleted=out.md", "--if-deleted=out"], 0, &[], &[]);
}

/// A link that leads to nothing in the root does not keep the other paths from being checked.
#[test]
fn links_that_are_named() {
    let found = &["docs/real.md gone.md"];
    check(&["docs/link.md"], 1, found, &[]);
    check(&["linked"], 1, found, &[]);
    let out = |name: &str| format!("warning: the link {name} is not checked: it leads out of the root");
    let gone = |reason: &str| format!("warning: the link {reason}");
    check(&["out.md", "docs", "out"], 1, found, &[&out("out.md"), &out("out")]);
    check(&["out.md"], 0, &[], &[&out("out.md")]);
    let dangling = "dangling.md is not checked: its target cannot be read: No such file or directory (os error 2)";
    let cycle = "loop.md is not checked: its target cannot be read: Too many levels of symbolic links (os error 40)";
    check(&["dangling.md", "loop.md", "docs"], 1, found, &[&gone(dangling), &gone(cycle)]);
}

/// Paths that are no links stay errors, and so does what lies below a link out of the root.
#[test]
fn paths_outside_of_the_root() {
    let tree = Tree::new(LINKED);
    for path in ["none.md", "../secret.md", "out/a.md", "..", "/"] {
        let run = tree.plan(&["check", "docs", path]).run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{path}: {run:?}");
    }
}

/// From outside of any worktree, the root is the worktree of the named paths: a path from its root is not one from here.
#[test]
fn paths_of_another_worktree() {
    let tree = Tree::new(
        "repo/.git/HEAD = ref: refs/heads/main
         repo/.gitlab-ci.yml = include: /ci/a.yml
         repo/ci/a.yml = a: 1
         repo/docs/a.md = [a](gone.md)
         other/.git/HEAD = ref: refs/heads/main
         other/b.md = [b](gone.md)
         c.md = [c](gone.md)",
    );
    let found = |paths: &[&str]| {
        let run = tree.plan(&["check", "--format=json"]).arg_all(paths).run();
        let lines = run.jsons();
        lines.iter().filter_map(|line| line["file"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(found(&["repo"]), ["docs/a.md"]);
    assert_eq!(found(&["repo/docs", "repo/ci/a.yml"]), ["docs/a.md"]);
    // Paths of two worktrees, or of none, are below the current directory.
    assert_eq!(found(&["other", "c.md"]), ["c.md", "other/b.md"]);
    assert_eq!(found(&["c.md"]), ["c.md"]);
}

/// Reserved characters of a name are escaped in a URI.
#[test]
fn uris_of_sarif() {
    let uri = |file: &str| {
        let tree = Tree::new(&format!("{file} = [x](gone.md)"));
        let log = tree.plan(&["check", "--format=sarif"]).run().json();
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    assert_eq!(uri("app/[id]/p.md"), "app/%5Bid%5D/p.md");
    assert_eq!(uri("a^b|c`d{e}.md"), "a%5Eb%7Cc%60d%7Be%7D.md");
    assert_eq!(uri("a:b/100%#?.md"), "a%3Ab/100%25%23%3F.md");
    assert_eq!(uri("é (1)~+@.md"), "%C3%A9%20(1)~+@.md");
}

/// A baseline whose name is not UTF-8 is written, and written again.
#[test]
fn baselines_with_any_name() {
    let tree = Tree::new(LINKED);
    let name = std::ffi::OsString::from_vec(b"known\xff.json".to_vec());
    for _ in 0..2 {
        let run = tree.plan(&["check", "--write-baseline"]).arg(&name).run();
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    let run = tree.plan(&["check", "--baseline"]).arg(&name).run();
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// The order of a disk decides which names a limit keeps, and differs between machines.
#[test]
fn fixes_do_not_depend_on_the_order_of_the_disk() {
    let mut lines: Vec<String> =
        (0..400).map(|number| format!("docs/page-{:03}.md = # Page", number * 7 % 400)).collect();
    lines.push("docs/sub/guide.md = [a](../page-5x1.md) [b](../other-page.md)".to_owned());
    let report = |lines: &[String]| {
        let tree = Tree::new_in_memory(&lines.join("\n"));
        let mut lines = tree.plan(&["check", "--format=json", "--explain"]).run().jsons();
        lines.pop();
        lines
    };
    let first = report(&lines);
    lines.reverse();
    assert!(first.len() > 1, "{first:?}");
    assert_eq!(first, report(&lines));
}

/// A literal that leads to a deleted path today is its use, also where an absent target would not be decided.
#[test]
fn uses_that_are_undecided_without_their_target() {
    let check = |deleted: &str, expect: &str| {
        let tree = Tree::new(
            "a.h\nb.c = #include \"a.h\"\nc/engine.c = #include \"../d/engine.h\"\nd/engine.h\nd/x.c = #include \"engine.h\"",
        );
        let run = tree.plan(&["check", "--format=concise", "--if-deleted", deleted]).run();
        let uses: Vec<&str> = run.stdout.lines().filter_map(|line| Some(line.split_once(":1:")?.0)).collect();
        assert_eq!(uses.join(" "), expect, "{run:?}");
    };
    check("a.h", "b.c");
    check("d/engine.h", "c/engine.c d/x.c");
    check("d", "c/engine.c");
    check("b.c", "");
}
