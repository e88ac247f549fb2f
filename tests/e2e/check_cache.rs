//! `check` on a tree that it has checked before: it reuses the report, unless anything differs that the report depended on.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::tree::Tree;

/// Broken and working links, one to an ignored file, and packages of a language whose imports need other files.
const PROJECT: &str = "
    .gitignore = /dist/
    docs/guide.md = See [setup](setup.md#run), [nothing](gone.md), [typo](setpu.md) and [output](../dist/page.html).
    docs/setup.md = # Run
    docs/old.md = # Old, with words by which git finds it again after a move.
    docs/index.md = [old](old.md)
    web/package.json = { \"name\": \"web\" }
    web/app.ts = import { a } from './lib/part'; import b from './lib/lost';
    web/lib/part.ts = export const a = 1;
    dist/keep.txt
    notes/draft.md = nothing
";

/// Runs a script in a tree's root; `COMMIT` is `git commit` with a made-up author.
#[track_caller]
fn run(tree: &Tree, script: &str) {
    let commit = "git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit";
    let mut command = Command::new("sh");
    command.args(["-ec", &script.replace("COMMIT", commit)]).current_dir(tree.root()).env("HOME", tree.home());
    assert!(command.status().unwrap().success(), "{script}");
}

fn repository() -> Tree {
    let tree = Tree::new(PROJECT);
    run(&tree, "git init -q -b main . && git add -A && COMMIT -qm one");
    tree
}

/// The files with kept reports.
fn kept(tree: &Tree) -> Vec<PathBuf> {
    let entries = fs::read_dir(tree.home().join(".cache/pathfinder")).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|it| it == "check")).collect()
}

/// Status and output of a run, without times, and whether it reused a report.
#[track_caller]
fn output(tree: &Tree, program: &str, args: &[&str]) -> ((Option<i32>, String), bool) {
    let plan = tree.plan_by(Command::new(program), &[&["check"], args].concat());
    let run = plan.env("PATHFINDER_LOG", "pathfinder_check=debug").run();
    let is_time = |character: char| character.is_ascii_digit() || character == '.';
    let mut shown = String::new();
    for line in run.stdout.lines() {
        let (before, time) = line.split_once("\"elapsed_ms\":").unwrap_or((line, ""));
        shown.extend([before, time.trim_start_matches(is_time), "\n"]);
    }
    ((run.code, shown), run.stderr.contains("is_same=true"))
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_pathfinder");

/// Every way to print the report.
const FORMATS: [&[&str]; 9] = [
    &["--format", "json"],
    &[],
    &["--format", "concise"],
    &["--format", "sarif"],
    &["--format", "github"],
    &["--format", "gitlab"],
    &["--format", "junit"],
    &["--format", "rdjsonl"],
    &["--statistics"],
];

/// Checks twice, edits, checks again, and checks without what was kept. The last two print the same.
#[track_caller]
fn check(edit: &str, reuses: bool) {
    let tree = repository();
    let args = ["--format", "json", "--hints", "--explain"];
    let (first, is_reused) = output(&tree, PROGRAM, &args);
    assert!(!is_reused && first.1.contains("gone.md"), "{first:?}");
    assert_eq!(output(&tree, PROGRAM, &args), (first, true), "unchanged");
    run(&tree, edit);
    let (after, is_reused) = output(&tree, PROGRAM, &args);
    assert_eq!(is_reused, reuses, "{edit}");
    for file in kept(&tree) {
        fs::remove_file(file).unwrap();
    }
    assert_eq!(output(&tree, PROGRAM, &args), (after, false), "{edit}");
}

#[test]
fn reuses_a_report_while_nothing_differs() {
    check("true", true);
    check("touch docs/guide.md docs", true);
    check("touch docs/gone.md; rm docs/gone.md", true);
    check("cp -p docs/guide.md ../copy; mv ../copy docs/guide.md", true);
    check("git update-index --refresh; touch .git/index .gitignore", true);
}

#[test]
fn sees_changes_of_files() {
    let edited = "sed -i s/gone.md/lost.md/ docs/guide.md";
    check(edited, false);
    check(&format!("touch -r docs/guide.md ../time; {edited}; touch -r ../time docs/guide.md"), false);
    check("echo '# Ran' > docs/setup.md", false);
    check("echo '{ \"name\": \"app\" }' > web/package.json", false);
    check("touch docs/gone.md", false);
    check("echo '[a](lost.md)' > notes/new.md", false);
    check("touch web/lib/lost.ts", false);
    check("rm docs/setup.md", false);
    check("rm web/lib/part.ts; ln -s ../app.ts web/lib/part.ts", false);
    check("touch dist/page.html", false);
    check("rm -r dist", false);
}

#[test]
fn sees_changes_of_rules_and_settings() {
    check("echo gone.md >> .gitignore", false);
    check("echo gone.md > docs/.ignore", false);
    check("echo docs/gone.md >> .git/info/exclude", false);
    check("printf '[check]\nignore_literals = [\"gone.md\"]\n' > pathfinder.toml", false);
    check("printf 'include_dirs = \"dist\"\n' > pathfinder.toml", false);
}

#[test]
fn sees_changes_of_the_repository() {
    check("COMMIT -q --allow-empty -m two", false);
    check("git mv docs/old.md docs/new.md", false);
    check("mv docs/old.md docs/new.md", false);
    check("git mv docs/old.md docs/new.md; COMMIT -qm two", false);
    check("git rm -q --cached docs/setup.md", false);
    check("rm -rf .git", false);
}

/// One report serves all formats.
#[test]
fn prints_a_kept_report_in_every_format() {
    for explain in [&[][..], &["--explain"], &["--explain=all"], &["--hints"]] {
        let tree = repository();
        for format in FORMATS {
            let args = [format, explain].concat();
            for file in kept(&tree) {
                fs::remove_file(file).unwrap();
            }
            let (first, _) = output(&tree, PROGRAM, &args);
            assert_eq!(output(&tree, PROGRAM, &args), (first, true), "{args:?}");
        }
    }
}

/// A report belongs to its options, its directory, and one build of the program.
#[test]
fn reuses_no_report_of_another_run() {
    let tree = repository();
    let copy = tree.place().join("copy");
    fs::copy(PROGRAM, &copy).unwrap();
    let is_reused = |program: &str, args: &[&str]| output(&tree, program, args).1;
    assert!(!is_reused(PROGRAM, &[]) && is_reused(PROGRAM, &["--exit-zero", "--include-kind", "md"]));
    assert!(!is_reused(copy.to_str().unwrap(), &[]) && is_reused(copy.to_str().unwrap(), &[]));
    for args in [&["--hints"][..], &["--explain"], &["--exclude", "docs"], &["--history-ms", "0"], &["--topk", "9"]] {
        output(&tree, PROGRAM, &[]);
        assert!(!is_reused(PROGRAM, args), "{args:?}");
    }
    output(&tree, PROGRAM, &[]);
    for args in [&["docs"][..], &["--since", "HEAD"], &["--if-deleted", "docs/setup.md"], &["--diff"]] {
        assert!(!is_reused(PROGRAM, args), "{args:?}");
    }
}

#[test]
fn broken_files_are_not_used() {
    let tree = repository();
    let (first, _) = output(&tree, PROGRAM, &[]);
    let file = kept(&tree).pop().unwrap();
    let whole = fs::read(&file).unwrap();
    let other_version = [&whole[..8], &[99], &whole[9..]].concat();
    for wrong in
        [&b""[..], &whole[..whole.len() / 2], b"something else", &[&whole[..], b"more"].concat(), &other_version]
    {
        fs::write(&file, wrong).unwrap();
        assert_eq!(output(&tree, PROGRAM, &[]), (first.clone(), false));
        assert_eq!(output(&tree, PROGRAM, &[]), (first.clone(), true), "it was made anew");
    }
}

#[test]
fn keeps_nothing_without_a_cache() {
    let tree = repository();
    for _ in 0..2 {
        assert!(!output(&tree, PROGRAM, &["--cache-mb", "0"]).1 && kept(&tree).is_empty());
    }
}

/// Many sets of options do not fill the disk.
#[test]
fn keeps_few_reports() {
    let tree = repository();
    for number in 0..20 {
        output(&tree, PROGRAM, &["--exclude", &format!("x{number}")]);
    }
    assert!((1..=4).contains(&kept(&tree).len()), "{:?}", kept(&tree));
}
