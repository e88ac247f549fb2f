//! `pathfinder-bench` on small trees: its help, the rows of its tables, and the files that it leaves alone. Times are not
//! asserted. It measures the pathfinder beside it, which `cargo build` makes.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

#[expect(dead_code, reason = "shared with other tests, which need more of it")]
#[path = "../e2e/tree.rs"]
mod tree;

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use tree::Tree;

/// Rows of each stage that are there whatever is installed.
const OWN: [(&str, &[&str]); 3] = [
    ("walk", &["pathfinder index, nothing kept", "pathfinder index, kept"]),
    ("query", &["pathfinder resolve --batch"]),
    ("single", &["pathfinder resolve, nothing kept", "pathfinder resolve, kept", "pathfinder resolve, live engine"]),
];

/// Peers of each stage; one that is not there says so.
const PEERS: [(&str, &[&str]); 3] = [
    ("walk", &["fd", "rg --files", "git ls-files (only what is tracked)"]),
    ("query", &["frizbee, 0 typos", "frizbee, 1 typo", "frizbee, 2 typos", "nucleo", "fzf --filter, a process"]),
    ("single", &["git ls-files into fzf -f"]),
];

/// The output and status of one run.
#[derive(Debug)]
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

fn command(tree: &Tree, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathfinder-bench"));
    command.args(args).current_dir(tree.root());
    command
}

fn run(command: &mut Command) -> Run {
    let Output { status, stdout, stderr } = command.output().unwrap();
    Run { code: status.code(), stdout: String::from_utf8(stdout).unwrap(), stderr: String::from_utf8(stderr).unwrap() }
}

fn bench(tree: &Tree, args: &[&str]) -> Run {
    run(command(tree, &["--sizes=300", "--runs=1"]).args(args))
}

#[test]
fn prints_help_and_refuses_bad_usage() {
    trycmd::TestCases::new().case("../../tests/bench/cmd/*.toml").run();
}

#[test]
fn every_row_is_there_and_ours_are_measured() {
    let tree = Tree::new("");
    let run = bench(&tree, &["--dir=trees", "--format=json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    for ((stage, own), (_, peers)) in OWN.into_iter().zip(PEERS) {
        let [table] = &report[stage].as_array().unwrap()[..] else { panic!("{stage}: {report:#}") };
        assert_eq!(table["files"], 300);
        let rows = table["rows"].as_array().unwrap();
        let row =
            |name: &str| rows.iter().find(|row| row["name"] == name).unwrap_or_else(|| panic!("{name}: {table:#}"));
        for name in own {
            let time = if stage == "query" { "p50_ms" } else { "wall_ms" };
            assert!(row(name)[time].as_f64().is_some_and(|time| time > 0.0), "{name}: {table:#}");
        }
        for name in peers {
            let said = row(name);
            assert_ne!(said.get("absent").is_some(), said.get("runs").or(said.get("questions")).is_some(), "{said:#}");
        }
        assert_eq!(rows.len(), own.len() + peers.len(), "{table:#}");
    }
    let asked = &report["query"][0]["rows"][0];
    let of: Vec<_> = asked["right_first"].as_array().unwrap().iter().map(|kind| kind[1].clone()).collect();
    assert_eq!(of, [50, 50, 50, 50].map(Value::from), "{asked:#}");
    assert!(asked["bytes_per_path"].as_f64().is_some_and(|bytes| bytes > 0.0), "{asked:#}");
}

#[test]
fn tables_are_markdown() {
    let tree = Tree::new("");
    // No peer is found on an empty `PATH`.
    let run = run(command(&tree, &["--sizes=100,300", "--runs=1", "--only=walk,query"]).env("PATH", ""));
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("fd not found, rg not found, git not found, fzf not found"), "{run:?}");
    let headings: Vec<_> = run.stdout.lines().filter(|line| line.starts_with("**")).collect();
    assert_eq!(headings.len(), 2, "{run:?}");
    let mut columns = 0;
    for line in run.stdout.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        // A table begins with its names.
        columns = if cells[0] == "files" { cells.len() } else { columns };
        assert_eq!(cells.len(), columns, "{line}");
        if ["100", "300"].contains(&cells[0]) && !cells[1].starts_with("pathfinder") {
            let why =
                if ["frizbee", "nucleo"].iter().any(|name| cells[1].starts_with(name)) { "" } else { "not found" };
            assert!(cells[2].contains(why) && !cells[1].is_empty(), "{line}");
        }
    }
    let rows = |files: &str| run.stdout.lines().filter(|line| line.starts_with(&format!("| {files} |"))).count();
    assert_eq!((rows("100"), rows("300")), (11, 11), "{run:?}");
    assert!(tree.root().read_dir().unwrap().next().is_none(), "nothing is written but in a temporary directory");
}

#[test]
fn trees_are_used_again_and_half_ones_are_not() {
    let tree = Tree::new("");
    let walk = |name: &str| {
        let run = bench(&tree, &["--only=walk", &format!("--dir={name}")]);
        assert_eq!(run.code, Some(0), "{run:?}");
    };
    walk("trees");
    let made = tree.root().join("trees/300");
    let file = made.join("tree/README.md");
    fs::write(&file, "still here").unwrap();
    walk("trees");
    assert_eq!(fs::read_to_string(&file).unwrap(), "still here");
    fs::remove_file(made.join("stamp")).unwrap();
    walk("trees");
    assert_eq!(fs::read_to_string(&file).unwrap(), "");
    walk("others");
    let list = |name: &str| fs::read_to_string(tree.root().join(name).join("300/list")).unwrap();
    assert_eq!(list("trees"), list("others"));
    assert_eq!(list("trees").lines().count(), 300);
}

/// Runs in a directory that is not the benchmark's, which stays as it is.
#[track_caller]
fn check_refused(tree: &str, dir: &str, expect: &str) {
    let tree = Tree::new(tree);
    let run = bench(&tree, &["--only=walk", &format!("--dir={dir}")]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains(expect) && run.stdout.is_empty(), "{run:?}");
    let left = tree.root().join(dir).join("300/tree");
    assert!(!left.exists(), "{}", left.display());
}

#[test]
fn measures_the_named_program() {
    let tree = Tree::new("");
    let walk = |program: &str| bench(&tree, &["--only=walk", "--program", program]);
    let missing = walk("nowhere/pathfinder");
    assert_eq!(missing.code, Some(2), "{missing:?}");
    assert!(missing.stderr.contains("cannot find nowhere/pathfinder"), "{missing:?}");
    // It has a version, but no `index`.
    let other = walk("/bin/ls");
    assert_eq!(other.code, Some(0), "{other:?}");
    assert!(other.stdout.contains("/bin/ls)") && other.stdout.contains("ls failed"), "{other:?}");
}

#[test]
fn what_somebody_else_has_made_is_not_touched() {
    check_refused("own/notes.txt", "own", "contains notes.txt, which `pathfinder-bench` did not create");
    check_refused(
        "own/made-by-pathfinder-bench\nown/x/y",
        "own",
        "contains x, which `pathfinder-bench` did not create",
    );
    check_refused("own/300/tree.txt", "own", "`pathfinder-bench` did not create it");
    check_refused(
        "own/made-by-pathfinder-bench\nelse/x\nown/300 -> ../else",
        "own",
        "contains 300, which `pathfinder-bench` did not create",
    );
    check_refused("file = x", "file", "cannot create");
}
