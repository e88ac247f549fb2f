//! Tests of roots from arguments and the current directory.

use std::path::{Path, PathBuf};

use super::super::roots;
use crate::testing::TestTree;

const TREE: &str = "
    repo/.git/HEAD
    repo/a/b/file
    repo/a/c/
    linked/.git: gitdir: /elsewhere
    linked/x/
    bare/y/
    link -> repo
    deep -> repo/a/b
";

/// Checks the roots for `args` typed in `cwd`: one line per root `given = canonical, alias…`, then the current
/// directory.
fn check(cwd: &str, args: &[&str], expected: &str) {
    let tree = TestTree::new(TREE);
    let top = tree.path("").to_string_lossy().into_owned();
    let given: Vec<PathBuf> = args.iter().map(|arg| PathBuf::from(arg.replace('~', &top))).collect();
    let shown = match roots::find(&given, &tree.path(cwd)) {
        Ok(found) => {
            let mut lines: Vec<String> = found
                .dirs
                .iter()
                .map(|root| format!("{} = {}", root.given, root.place().absolute.join(", ")))
                .collect();
            lines.extend(found.cwd.map(|(root, path)| format!("cwd {root}:{path}")));
            lines.join("\n")
        }
        Err(error) => error.to_string(),
    };
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(shown.replace(&top, "~"), expected.join("\n"), "{args:?} in {cwd}");
}

#[test]
fn defaults_to_the_worktree_or_current_directory() {
    check("repo", &[], "~/repo = ~/repo\n cwd 0:");
    check("repo/a/b", &[], "~/repo = ~/repo\n cwd 0:a/b");
    check("linked/x", &[], "~/linked = ~/linked\n cwd 0:x");
    check("bare/y", &[], "~/bare/y = ~/bare/y\n cwd 0:");
    check("link/a", &[], "~/repo = ~/repo, ~/link\n cwd 0:a");
    // The link leads past the top, so no prefix of its spelling is the worktree.
    check("deep", &[], "~/repo = ~/repo\n cwd 0:a/b");
}

#[test]
fn keeps_spellings_as_aliases() {
    check("", &["repo"], "repo = ~/repo");
    check("", &["./repo/a/.."], "./repo/a/.. = ~/repo");
    check("repo/a", &["../../bare"], "../../bare = ~/bare");
    check("", &["~/repo"], "~/repo = ~/repo");
    check("", &["link/"], "link/ = ~/repo, ~/link");
    check("repo", &["."], ". = ~/repo\n cwd 0:");
    // `deep/..` is repo/a, not the directory that holds the link.
    check("", &["deep/.."], "deep/.. = ~/repo/a");
}

#[test]
fn merges_repeated_and_nested_roots() {
    check("repo/a", &["~/repo", "../../link", "."], "~/repo = ~/repo, ~/link\n cwd 0:a");
    check("", &["repo/a/b", "bare", "repo"], "bare = ~/bare\n repo = ~/repo");
    check("repo/a", &["b", "c"], "b = ~/repo/a/b\n c = ~/repo/a/c");
    check("bare/y", &["~/repo", "~/bare"], "~/repo = ~/repo\n ~/bare = ~/bare\n cwd 1:y");
}

#[test]
fn reports_unusable_roots() {
    check("", &["repo", "nowhere"], r#"root "nowhere": no such directory"#);
    check("", &[""], r#"root "": no such directory"#);
    check("", &["repo/a/b/file"], r#"root "repo/a/b/file": not a directory"#);
    check("", &["repo/a/b/file/x"], r#"root "repo/a/b/file/x": not a directory"#);
}

#[cfg(target_os = "linux")]
#[test]
fn accepts_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStringExt as _;
    let tree = TestTree::new("");
    let path = tree.path("").join(PathBuf::from(std::ffi::OsString::from_vec(b"r\xe9pertoire".to_vec())));
    std::fs::create_dir(&path).expect("a directory");
    let found = roots::find(std::slice::from_ref(&path), Path::new("/")).expect("a root");
    assert_eq!((found.dirs[0].canonical.clone(), found.dirs[0].given.ends_with("r\u{fffd}pertoire")), (path, true));
}

#[test]
fn current_directory_is_the_systems() {
    let shown = roots::current_dir().expect("a current directory");
    assert_eq!(dunce::canonicalize(&shown).ok(), std::env::current_dir().ok());
}
