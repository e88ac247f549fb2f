//! Golden cases: requests to small made-up projects, and what a careful person would answer.
//!
//! A file of `cases/` is one project. Its first part is the tree (as `tests/e2e/tree.rs` reads it); after a line of
//! dashes each line is a case, `failed path | more of the request … → status path`. Further lines that begin with
//! dashes are titles, and `#` begins a comment.
//!
//! More of the request: `op list`, `intent TEXT`, `history PATH, PATH` (oldest first), `from FILE`, `hint DIRECTORY`,
//! `contains TEXT`. `{root}` is the root's absolute path; `\u{301}` is one character.
//!
//! Statuses: `exists`, `resolved`, `ambiguous` and `not_found` are the answer's own; the path is the answer, or else
//! the first candidate, and may be left out where there is no right one. `found` is `exists` or `resolved`; `first` is
//! the first candidate whatever the status; `never` is neither `exists` nor `resolved`, or with a path: not with it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

mod case;
#[path = "../e2e/tree.rs"]
#[expect(dead_code, reason = "the end-to-end tests use all of it")]
mod tree;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use case::Case;
use tree::Tree;

/// A file of cases: the tree, laid out, and what is asked of it.
struct Project {
    tree: Tree,
    cases: Vec<Case>,
}

impl Project {
    fn read(name: &str) -> Self {
        let file = cases().join(name).with_extension("txt");
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let lines = text.lines().map(str::trim).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let tree: String = lines
            .by_ref()
            .map_while(|(_, line)| (!line.starts_with("---")).then(|| case::unescaped(line) + "\n"))
            .collect();
        let tree = Tree::new(&tree);
        let root = tree.root();
        let cases = lines
            .filter(|(_, line)| !line.starts_with("---"))
            .map(|(at, line)| Case::parse(line, at + 1, root.to_str().unwrap()))
            .collect();
        Self { tree, cases }
    }

    /// The lines that a fresh process prints for these lines.
    fn ask(&self, requests: &str) -> Vec<String> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pathfinder"));
        command.args(["resolve", "--batch", "--root"]).arg(self.tree.root()).current_dir(self.tree.root());
        command.env_clear().env("HOME", self.tree.home());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let bytes = requests.to_owned().into_bytes();
        let writer = std::thread::spawn(move || stdin.write_all(&bytes).unwrap());
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }

    fn requests(&self) -> String {
        self.cases.iter().map(|case| case.request.to_string() + "\n").collect()
    }
}

fn cases() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ranking/cases")
}

/// Every case of a project; those that come out otherwise are listed together.
#[track_caller]
fn check(name: &str) {
    let project = Project::read(name);
    let answers = project.ask(&project.requests());
    assert_eq!(answers.len(), project.cases.len(), "one answer for each case");
    assert!(!project.cases.is_empty(), "{name} has no cases");
    let mut wrong = Vec::new();
    for (case, answer) in project.cases.iter().zip(&answers) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        if let Some(got) = case.disagrees(&answer) {
            wrong.push(format!("{name}.txt:{}: {}\n    got {got}", case.line, case.text));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), project.cases.len(), wrong.join("\n"));
}

/// One test for each file, so that a failure names the project.
macro_rules! projects {
    ($($name:ident),+ $(,)?) => {
        const PROJECTS: &[&str] = &[$(stringify!($name)),+];
        $(#[test] fn $name() { check(stringify!($name)); })+
    };
}

projects!(granary, harbour, names, orchard);

#[test]
fn every_file_of_cases_is_run() {
    let mut files: Vec<String> = fs::read_dir(cases())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(files, PROJECTS);
}

/// Asked three times in one process and once more in another, each case is answered with the same bytes, but for the
/// time that it took.
#[test]
fn the_same_question_has_the_same_bytes() {
    for name in PROJECTS {
        let project = Project::read(name);
        let explained = project.requests().replace("{\"failed_path\"", "{\"explain\":true,\"failed_path\"");
        let timeless = |lines: Vec<String>| -> Vec<String> {
            lines.into_iter().map(|line| line.split(",\"elapsed_us\":").next().unwrap().to_owned()).collect()
        };
        let thrice = timeless(project.ask(&explained.repeat(3)));
        let fresh = timeless(project.ask(&explained));
        assert!(fresh.iter().any(|line| line.contains("\"explain\":{")), "{name}: nothing was explained");
        for round in thrice.chunks(project.cases.len()) {
            for (case, (again, first)) in project.cases.iter().zip(round.iter().zip(&fresh)) {
                assert_eq!(again, first, "{name}.txt:{}: {}", case.line, case.text);
            }
        }
    }
}
