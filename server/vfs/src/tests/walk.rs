//! Tests of the entries that a walk lists.

use std::collections::BTreeMap;
use std::process::Command;

use pathfinder_core::Kind;

use super::super::walk::{IgnoreRules, Sink, WalkOptions, WalkResult, walk, walk_into};
use crate::testing::TestTree;

/// Collects entries in order.
#[derive(Debug, Default)]
struct EntryList(Vec<(Vec<u8>, Kind)>);

impl Sink for EntryList {
    fn add_entry(&mut self, directory: &[u8], name: &[u8], kind: Kind) {
        let path = if directory.is_empty() { name.to_vec() } else { [directory, name].join(&b'/') };
        self.0.push((path, kind));
    }
}

fn walked(tree: &TestTree, root: &str, include: &[&str]) -> WalkResult<EntryList> {
    let options = WalkOptions { include_dirs: include.iter().map(|&it| it.to_owned()).collect() };
    walk_into(&tree.root(root), &options, None).expect("a root that can be listed")
}

/// Returns every path, sorted; directories end in `/`, symbolic links in `@`. An entry listed twice appears twice.
fn shown(walked: &WalkResult<EntryList>) -> Vec<String> {
    let mark = BTreeMap::from([(Kind::File, ""), (Kind::Directory, "/"), (Kind::Symlink, "@")]);
    let entries = walked.found.iter().flat_map(|part| &part.0);
    let mut lines: Vec<String> = entries.map(|(path, kind)| format!("{}{}", path.escape_ascii(), mark[kind])).collect();
    lines.sort();
    lines
}

/// Checks that the walk of `root` in the tree lists exactly the words of `expected`.
fn check(text: &str, root: &str, include: &[&str], expected: &str) {
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(shown(&walked(&TestTree::new(text), root, include)), expected, "{text}");
}

/// Checks the names that `listed_names` returns for one directory, with these `INCLUDE_DIRS`.
fn check_listed(text: &str, include: &[&str], directory: &str, expected: Option<&str>) {
    let options = WalkOptions { include_dirs: include.iter().map(|&it| it.to_owned()).collect() };
    let tree = TestTree::new(text);
    let names = IgnoreRules::new(&tree.root("").canonical, &options).listed_names(directory.as_bytes());
    let names = names.map(|names| names.iter().map(|name| name.escape_ascii().to_string()).collect::<Vec<_>>());
    assert_eq!(names.map(|names| names.join(" ")).as_deref(), expected, "{text}, {directory}");
}

#[test]
fn lists_one_directory() {
    let tree = ".gitignore: *.log\\n/out\\n a.log\n b.txt\n sub/.gitignore: !keep.log\n sub/keep.log\n sub/other.log\n \
                sub/deep/c.txt\n out/gen/d.log\n link -> sub";
    for tree in [tree.to_owned(), format!("$ git init -q\n {tree}")] {
        check_listed(&tree, &[], "", Some(".gitignore b.txt link sub"));
        check_listed(&tree, &[], "sub", Some(".gitignore deep keep.log"));
        check_listed(&tree, &[], "sub/deep", Some("c.txt"));
        check_listed(&tree, &[], "out", Some(""));
        // Links are not followed, and a missing directory has no entries.
        check_listed(&tree, &[], "link", Some(""));
        check_listed(&tree, &[], "absent", Some(""));
        check_listed(&tree, &["out"], "", Some(".gitignore b.txt link out sub"));
        check_listed(&tree, &["out"], "out", None);
        check_listed(&tree, &["out"], "out/gen", None);
    }
}

#[test]
fn hidden_entries_are_listed_and_git_directories_never() {
    check(
        "a/.hidden/x\n .env\n .git/config\n a/.git/HEAD\n b/.git: gitdir: nowhere\n empty/",
        "",
        &[],
        ".env a/ a/.hidden/ a/.hidden/x b/ empty/",
    );
}

#[test]
fn symbolic_links_are_listed_and_never_followed() {
    check(
        "d/f\n loop -> .\n dangling -> nowhere\n out -> /etc\n d/up -> ../d\n file -> d/f",
        "",
        &[],
        "d/ d/f d/up@ dangling@ file@ loop@ out@",
    );
}

#[test]
fn ignore_files_with_negation_and_nesting() {
    for git in ["", "$ git init -q"] {
        check(
            &format!(
                "{git}
                .gitignore: /models/*\\n!mxbai-colbert\\n*.log\\n
                models/big.bin\n models/mxbai-colbert/w.bin
                a.log\n sub/.gitignore: !keep.log\\nlocal\n sub/keep.log\n sub/other.log\n sub/local/x
                .ignore: /secret\n secret/x"
            ),
            "",
            &[],
            ".gitignore .ignore models/ models/mxbai-colbert/ models/mxbai-colbert/w.bin
             sub/ sub/.gitignore sub/keep.log",
        );
    }
}

#[test]
fn rules_above_the_root_apply_only_in_a_worktree() {
    let tree = ".gitignore: *.log\\n/pkg/out/\n pkg/a.log\n pkg/b\n pkg/out/c";
    check(&format!("$ git init -q\n {tree}"), "pkg", &[], "b");
    check(tree, "pkg", &[], "a.log b out/ out/c");
}

#[test]
fn rules_of_an_outer_repository_end_at_a_nested_one() {
    check(
        "$ git init -q\n .gitignore: *.log\n a.log\n in/.gitignore: *.tmp\n $ git init -q in\n in/a.log\n in/b.tmp",
        "",
        &[],
        ".gitignore in/ in/.gitignore in/a.log",
    );
}

#[test]
fn private_excludes_of_repositories_and_linked_worktrees() {
    check("$ git init -q\n .git/info/exclude: /mine\n mine/x\n a", "", &[], "a");
    let linked = "main/a\n $ git -C main init -q && git -C main add . && git -C main commit -qm a
        $ git -C main worktree add -q ../linked
        main/.git/info/exclude: mine\n linked/mine\n linked/b";
    check(linked, "linked", &[], "a b");
    // A relative `.git` file, as `worktree.useRelativePaths` writes it, gives the same result.
    check(&format!("{linked}\n linked/.git: gitdir: ../main/.git/worktrees/linked\\n"), "linked", &[], "a b");
}

#[test]
fn tracked_files_are_listed_although_ignored() {
    let tree = "$ git init -q\n .gitignore: out/\\n*.gen\n
        out/deep/kept.txt\n out/lost.txt\n out/deep/untracked\n x.gen\n y.gen\n link.gen -> x.gen
        $ git add -f .gitignore out/deep/kept.txt out/lost.txt x.gen link.gen && rm out/lost.txt";
    check(tree, "", &[], ".gitignore link.gen@ out/ out/deep/ out/deep/kept.txt x.gen");
    check(tree, "out", &[], "deep/ deep/kept.txt deep/untracked");
}

#[test]
fn tracked_paths_are_not_followed_through_links() {
    check(
        "$ git init -q\n .gitignore: a\\nb\n a/f\n b\n elsewhere/f
        $ git add -f a/f b && rm -r a b && ln -s elsewhere a && mkdir b",
        "",
        &[],
        ".gitignore elsewhere/ elsewhere/f",
    );
}

#[test]
fn reads_indexes_of_every_version() {
    let tree = |init: &str, after: &str| format!("$ {init}\n .gitignore: out\n out/f\n $ git add -f . && {after}");
    for version in ["2", "3", "4"] {
        check(
            &tree("git init -q", &format!("git update-index --index-version {version}")),
            "",
            &[],
            ".gitignore out/ out/f",
        );
    }
    check(&tree("git init -q --object-format=sha256", "true"), "", &[], ".gitignore out/ out/f");
    check(&tree("git init -q", "git update-index --split-index"), "", &[], ".gitignore out/ out/f");
    check(&tree("git init -q", "printf broken > .git/index"), "", &[], ".gitignore");
}

#[test]
fn a_path_in_conflict_is_listed_once() {
    check(
        "$ git init -q\n .gitignore: out\n out/f: 0\n $ git add -f . && git commit -qm 0 && git branch b
        out/f: 1\n $ git commit -qam 1 && git checkout -q b\n out/f: 2\n $ git commit -qam 2; ! git merge -q - >&2",
        "",
        &[],
        ".gitignore out/ out/f",
    );
}

#[test]
fn submodules_and_nested_repositories_have_their_own_index() {
    let library = "library/.gitignore: out\n library/out/f\n library/g
        $ git -C library init -q && git -C library add -f . && git -C library commit -qm a";
    check(
        &format!("{library}\n $ git init -q"),
        "",
        &[],
        "library/ library/.gitignore library/g library/out/ library/out/f",
    );
    let top = format!("{library}\n $ git init -q top && git -C top submodule --quiet add ../library vendor/lib");
    check(
        &top,
        "top",
        &[],
        ".gitmodules vendor/ vendor/lib/ vendor/lib/.gitignore vendor/lib/g vendor/lib/out/ vendor/lib/out/f",
    );
    // Ignored as a whole, but tracked: its own tracked files exist.
    check(
        &format!("{top}\n top/.gitignore: vendor\n top/vendor/lib/new"),
        "top",
        &[],
        ".gitignore .gitmodules vendor/ vendor/lib/ vendor/lib/.gitignore vendor/lib/g
         vendor/lib/out/ vendor/lib/out/f",
    );
}

#[test]
fn linked_worktrees_have_their_own_index() {
    check(
        "main/.gitignore: out\n main/out/f
        $ git -C main init -q && git -C main add -f . && git -C main commit -qm a
        $ git -C main worktree add -q ../linked\n main/out/g\n $ git -C main add -f out/g",
        "linked",
        &[],
        ".gitignore out/ out/f",
    );
}

#[test]
fn include_dirs_are_walked_without_rules() {
    let tree = "$ git init -q\n .gitignore: out\\ngen\\n*.log\n
        out/a.log\n out/gen/b\n out/.git/HEAD\n out/link -> gen
        src/gen/c.log\n src/d.log\n src/gen/sub/.gitignore: *\n src/gen/sub/e\n lib/f";
    let plain = ".gitignore lib/ lib/f src/";
    check(tree, "", &[], plain);
    check(
        tree,
        "",
        &["gen"],
        &format!("{plain} src/gen/ src/gen/c.log src/gen/sub/ src/gen/sub/.gitignore src/gen/sub/e"),
    );
    check(tree, "", &["out"], &format!("{plain} out/ out/a.log out/gen/ out/gen/b out/link@"));
    check(tree, "", &["./out/gen/"], &format!("{plain} out/ out/gen/ out/gen/b"));
    // One inside another, one twice, one that no rule hides, and some that name nothing.
    check(
        tree,
        "",
        &["out/gen", "out", "out", "lib", "../src", "", ".git", "/etc", "lib/f"],
        &format!("{plain} out/ out/a.log out/gen/ out/gen/b out/link@"),
    );
}

#[test]
fn include_dirs_and_tracked_files_combine() {
    check(
        "$ git init -q\n .gitignore: out\n out/f\n out/gen/g\n out/h\n $ git add -f out/f out/gen/g",
        "",
        &["out/gen"],
        ".gitignore out/ out/f out/gen/ out/gen/g",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn names_are_bytes() {
    check(
        r#"$ git init -q && touch "$(printf 'caf\351')" && mkdir "$(printf '\377')" && touch "$(printf '\377/a')"
        .gitignore: out
        $ mkdir out && touch "out/$(printf '\376')" && git add -f out"#,
        "",
        &[],
        r".gitignore caf\xe9 \xff/ \xff/a out/ out/\xfe",
    );
}

#[test]
fn core_container_takes_all_entries() {
    let tree = TestTree::new("a/b/c\n a/d\n e -> a");
    let walked = walk(&tree.root(""), &WalkOptions::default()).expect("a root that can be listed");
    assert_eq!(walked.found.iter().map(pathfinder_core::index::WalkedEntries::len).sum::<usize>(), 5);
}

#[test]
fn package_files_are_collected_from_all_sources() {
    let tree = TestTree::new(
        "$ git init -q\n .gitignore: out\\ninc\\nnever\n Cargo.toml\n a/package.json\n a/package.json5
        out/go.mod\n inc/App.csproj\n never/pom.xml\n link/pom.xml -> x\n $ git add -f out/go.mod",
    );
    let files: Vec<String> =
        walked(&tree, "", &["inc"]).package_files.iter().map(|path| path.text().into_owned()).collect();
    assert_eq!(files, ["Cargo.toml", "a/package.json", "inc/App.csproj", "out/go.mod"]);
}

#[test]
fn unreadable_directories_are_counted() {
    let tree = TestTree::new("a/x\n b/x\n c/x\n $ chmod 000 a b");
    let walked = walked(&tree, "", &[]);
    tree.run("chmod 755 a b");
    // The superuser reads everything.
    if !shown(&walked).contains(&"a/x".to_owned()) {
        assert_eq!(shown(&walked), ["a/", "b/", "c/", "c/x"]);
        assert_eq!(walked.unreadable.count, 2);
        assert_eq!(walked.unreadable.examples, ["a".into(), "b".into()]);
    }
}

#[test]
fn a_removed_root_is_an_error() {
    let tree = TestTree::new("r/x");
    let root = tree.root("r");
    tree.run("rm -r r");
    let error = walk_into::<EntryList>(&root, &WalkOptions::default(), None).expect_err("no root");
    assert!(error.to_string().ends_with("/r\": no such directory"), "{error}");
}

/// Only the environment leads to the user's own ignore file, and only a child process can change it safely.
#[test]
fn global_excludes() {
    const CHILD: &str = "PATHFINDER_TEST_GLOBAL_EXCLUDES";
    if std::env::var_os(CHILD).is_some() {
        return check("$ git init -q\n a.mine\n b\n top\n d/top", "", &[], "b d/ d/top");
    }
    let home = TestTree::new("git/ignore: *.mine\\n/top\n");
    let status = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", "tests::walk::global_excludes"])
        .env(CHILD, "1")
        .env("XDG_CONFIG_HOME", home.path(""))
        .env("HOME", home.path(""))
        .output();
    let output = status.expect("a child process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
