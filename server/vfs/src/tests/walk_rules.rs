//! Tests that a walk hides what `IgnoreRules` hides, which asks the `ignore` crate about single paths.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_core::Kind;
use proptest::prelude::*;

use super::super::walk::{IgnoreRules, Sink, WalkOptions, walk_into};
use crate::bytes;
use crate::testing::TestTree;

/// Names by directory; directories have an entry even if they are empty.
#[derive(Debug, Default)]
struct Names(BTreeMap<Vec<u8>, BTreeSet<Vec<u8>>>);

impl Sink for Names {
    fn add_entry(&mut self, directory: &[u8], name: &[u8], kind: Kind) {
        if kind == Kind::Directory {
            self.0.entry(bytes::join(directory, name)).or_default();
        }
        self.0.entry(directory.to_vec()).or_default().insert(name.to_vec());
    }
}

/// Checks that both list the same names in each directory of a tree in which nothing is tracked.
fn check(text: &str, root: &str) {
    let (tree, options) = (TestTree::new(text), WalkOptions::default());
    let root = tree.root(root);
    let mut walked: BTreeMap<_, BTreeSet<Vec<u8>>> = BTreeMap::from([(Vec::new(), BTreeSet::new())]);
    for part in walk_into::<Names>(&root, &options, None).expect("a root that can be listed").found {
        part.0.into_iter().for_each(|(directory, names)| walked.entry(directory).or_default().extend(names));
    }
    let mut rules = IgnoreRules::new(&root.canonical, &options);
    for (directory, names) in walked {
        let expected = rules.listed_names(&directory).unwrap_or_default();
        assert_eq!(names, expected, "{} of {text}", directory.escape_ascii());
    }
}

#[test]
fn walk_and_path_rules_agree() {
    let inner = ".gitignore: *.log\\n!/a/keep.log\\n/out/\\nb\n .ignore: !x.log\\n/secret\n x.log\n y.log\n out/f\n \
                 secret/f\n a/keep.log\n a/b/c\n a/.gitignore: !b\n a/.ignore: keep.log\n d/b\n .hidden/f";
    check(inner, "");
    check(&format!("$ git init -q\n {inner}\n .git/info/exclude: y*\\nd"), "");
    check(&format!("$ git init -q\n {inner}\n .git/info/exclude: y*\\nd"), "a");
    // Repositories inside, one of Jujutsu, one linked, and a `.git` that leads nowhere.
    let nested = "n/.git/info/exclude: f*\n n/f1\n n/y.log\n n/b\n j/.jj/x\n j/y.log\n l/.git: gitdir: nowhere\n l/y.log\n \
                  k/.git -> nowhere\n k/y.log";
    check(&format!("{inner}\n {nested}"), "");
    check(&format!("$ git init -q\n {inner}\n {nested}"), "");
    check(&format!("$ git init -q\n {inner}\n {nested}"), "n");
    check(
        "$ git init -q m; cd m; git commit -q --allow-empty -m x; git worktree add -q ../w\n m/.git/info/exclude: *.own\n \
         w/a.own\n w/sub/b.own\n w/c",
        "w",
    );
    // Ignore files that must not be opened, above the root and below it.
    check("$ mkfifo .ignore\n r/x.log\n r/.gitignore: *.log\n r/.ignore: !x.log\n r/s/y.log", "r");
    check("$ git init -q\n .gitignore: *.log\n a/x.log\n a/b\n $ mkfifo a/.gitignore\n c/x.log", "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn walk_and_path_rules_agree_on_any_files(
        files in prop::collection::vec("(a|b|c|d)(/(a|b|c|d)){0,2}/(a|b|x\\.log|\\.x)", 1..14),
        rules in prop::collection::vec((
            "((a|b|c)(/(a|b))?/)?\\.(git)?ignore",
            prop::collection::vec("!?/?(\\*\\*/)?(a|b|c|\\*|\\*\\.log|\\.x|[ab]/\\*)/?", 1..4),
        ), 0..4),
        repositories in prop::collection::vec("(a|b)(/(a|b))?", 0..2),
        has_git in any::<bool>(),
        root in prop::sample::select(vec!["", "a"]),
    ) {
        // A name can be a file only if no other path needs it as a directory.
        let made = files.iter().map(|file| {
            format!("mkdir -p \"$(dirname {file})\" 2>/dev/null && [ -d {file} ] || touch {file} 2>/dev/null || :")
        });
        let ruled = rules.iter().map(|(file, lines)| {
            let lines = lines.join("' '");
            format!("[ -d \"$(dirname {file})\" ] && printf '%s\\n' '{lines}' > {file} || :")
        });
        let nested = repositories.iter().map(|it| format!("[ -d {it} ] && mkdir -p {it}/.git || :"));
        let commands = made.chain(ruled).chain(nested).map(|command| format!("\n $ {command}"));
        let text = format!("a/\n {}{}", if has_git { "$ git init -q" } else { "" }, commands.collect::<String>());
        check(&text, root);
    }
}
