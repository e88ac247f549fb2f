//! Find: queries to made-up projects, and which file has to come first.
//!
//! A file of `find/` is one project: its tree, and after a line of dashes one query a line, `query → path, path`: the
//! results begin with these, in this order. `~ path` is among the first three, `content path` is first and was found in
//! contents, `nothing` is that there is no result, or only some whose contents have the words.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::shape::Shape;
use crate::tree::Tree;

/// Asks all queries of one process, lists those that come out otherwise, and gives how many there are.
#[track_caller]
fn check(name: &str) -> usize {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ranking/find").join(name).with_extension("txt");
    let text = fs::read_to_string(file).unwrap();
    let (shape, rows) = text.split_once("\n---").unwrap();
    let mut tree = String::new();
    for line in shape.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("tree ") {
            Some(shape) => tree += &Shape::read(shape).text(),
            None => tree.extend([line, "\n"]),
        }
    }
    let rows: Vec<(&str, &str)> = rows.lines().filter_map(|line| line.split_once(" → ")).collect();
    let tree = laid(&tree);
    let answers = ask(&tree, &rows);
    assert_eq!(rows.len(), answers.len());
    let mut wrong = String::new();
    let mut right = 0;
    for ((query, expected), answer) in rows.iter().zip(&answers) {
        if holds(expected.trim(), answer) {
            right += 1;
        } else {
            writeln!(wrong, "{query} → {expected}\n    {}", shown(answer)).unwrap();
        }
    }
    // Past the capture of the test harness, since it is there to be read.
    let mut out = std::io::stdout();
    writeln!(out, "find, {name}: {right} of {}", rows.len()).unwrap();
    assert!(wrong.is_empty(), "of {} queries:\n{wrong}", rows.len());
    rows.len()
}

/// The tree; `\\n` in contents ends a line.
fn laid(text: &str) -> Tree {
    let tree = Tree::new(text);
    for (file, contents) in text.lines().filter_map(|line| line.split_once(" = ")) {
        fs::write(tree.root().join(file.trim()), contents.replace("\\n", "\n")).unwrap();
    }
    tree
}

fn holds(expected: &str, answer: &Value) -> bool {
    let results = answer["results"].as_array().unwrap();
    let paths: Vec<&str> = results.iter().map(|result| result["path"].as_str().unwrap()).collect();
    let in_contents = |result: &Value| result["why"].as_str().unwrap().starts_with("content");
    match expected.split_once(' ') {
        None if expected == "nothing" => results.iter().all(in_contents),
        Some(("~", path)) => paths.iter().take(3).any(|found| *found == path),
        Some(("content", path)) => paths.first() == Some(&path) && in_contents(&results[0]),
        _ => {
            paths.iter().zip(expected.split(", ")).filter(|(found, path)| *found == path).count()
                == expected.split(", ").count()
        }
    }
}

fn shown(answer: &Value) -> String {
    let results = answer["results"].as_array().into_iter().flatten().take(4);
    let line = |one: &Value| format!("{} {} ({})", one["path"], one["why"], one["score"]);
    results.map(line).collect::<Vec<_>>().join("; ")
}

fn ask(tree: &Tree, rows: &[(&str, &str)]) -> Vec<Value> {
    let lines: String = rows.iter().map(|(query, _)| json!({ "query": query }).to_string() + "\n").collect();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pathfinder"));
    command.args(["find", "--batch", "--root"]).arg(tree.root()).current_dir(tree.root());
    command.env_clear().env("HOME", tree.home());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn assistant() {
    check("assistant");
}

/// Verbs that are names too, exact declarations, words that only contents have.
#[test]
fn defects() {
    check("defects");
}

/// As many as the original's suite of its find service had, of which it answered 28.
#[test]
fn service() {
    assert_eq!(check("service"), 28);
}

/// As many as the original's suite of its fuzzy find had, of which it answered 30.
#[test]
fn fuzzy() {
    assert_eq!(check("fuzzy"), 32);
}
