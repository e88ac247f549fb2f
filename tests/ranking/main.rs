//! Golden cases: requests to made-up projects, and what a careful person would answer.
//!
//! A file of `cases/` is one project. Its first part is the tree (as `tests/e2e/tree.rs` reads it, or `tree NAME`: as
//! `trees/NAME.txt` says); after a line of dashes each line is a case, `failed path | more of the request … → status
//! path`. Further lines that begin with dashes are titles, with what the original did there after `| theirs`, and `#`
//! begins a comment. With `session N` in the first part the cases are asked one after the other, and each has as history
//! what the last N before it should have answered.
//!
//! More of the request: `op list`, `intent TEXT`, `history PATH, PATH` (oldest first), `from FILE`, `hint DIRECTORY`,
//! `contains TEXT`. `{root}` is the root's absolute path; `\u{301}` is one character.
//!
//! Statuses: `exists`, `resolved`, `ambiguous` and `not_found` are the answer's own; the path is the answer, or else
//! the first candidate, and may be left out where there is no right one. `found` is `exists` or `resolved`; `first` is
//! the first candidate whatever the status; `never` is neither `exists` nor `resolved`, or with a path: not with it.
//! `! ` before a row says that the engine is known to miss it; once it does not, the mark has to go.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops where it stands")]

mod case;
mod find;
mod project;
mod shape;
mod suites;
#[path = "../e2e/tree.rs"]
#[expect(dead_code, reason = "the end-to-end tests use all of it")]
mod tree;

use std::fs;

use project::{Project, cases};

/// Every case of a project; those that come out otherwise are listed together.
#[track_caller]
fn check(name: &str) {
    let project = Project::read(name);
    let answers = project.answers();
    let (known, others): (Vec<_>, Vec<_>) = answers.iter().partition(|(case, _)| case.missed);
    let wrong: Vec<_> = others.iter().filter_map(|(case, answer)| project.miss(case, answer)).collect();
    let fixed = known.iter().filter(|(case, answer)| case.disagrees(answer).is_none());
    let fixed: Vec<_> = fixed.map(|(case, _)| case.text.as_str()).collect();
    assert!(fixed.is_empty(), "no longer missed, so without the mark: {fixed:?}");
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), answers.len(), wrong.join("\n"));
}

/// One test for each file, so that a failure names the project.
macro_rules! projects {
    ($($test:ident $name:literal),+ $(,)?) => {
        /// Projects in which every case has to hold.
        const PROJECTS: &[&str] = &[$($name),+];
        $(#[test] fn $test() { check($name); })+
    };
}

projects!(
    basic "basic",
    granary "granary",
    harbour "harbour",
    names "names",
    orchard "orchard",
    small_project "small-project",
);

/// All files, in order of their names.
fn all() -> Vec<&'static str> {
    let mut all = [PROJECTS, &suites::MEASURED].concat();
    all.sort_unstable();
    all
}

#[test]
fn every_file_of_cases_is_run() {
    let mut files: Vec<String> = fs::read_dir(cases())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    assert_eq!(files, all());
}

/// Asked three times in one process and once more in another, each case is answered with the same bytes, but for the
/// time that it took.
#[test]
fn the_same_question_has_the_same_bytes() {
    for name in all() {
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
