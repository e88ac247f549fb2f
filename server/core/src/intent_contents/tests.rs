//! Tests of ranking by contents, with files of which the fit is given.

use std::cell::RefCell;

use super::IntentContents;
use crate::testing::Tree;
use crate::{Answer, RelPath, Request, Status};

/// Files that fit, by path; `None` if no contents are known.
struct GivenFits<'t> {
    fits: Option<&'t [(&'t str, f32)]>,
    asked: RefCell<Vec<String>>,
}

impl IntentContents for GivenFits<'_> {
    fn fits(&self, _intent: &str, files: &[(usize, &RelPath)]) -> Option<Vec<f32>> {
        let paths: Vec<String> = files.iter().map(|(_, path)| path.text().into_owned()).collect();
        let fit = |path: &String| self.fits?.iter().find(|given| given.0 == path).map(|given| given.1);
        let found = paths.iter().map(|path| fit(path).unwrap_or(0.0)).collect();
        *self.asked.borrow_mut() = paths;
        self.fits.map(|_| found)
    }

    fn declared(&self, _names: &[&str], files: &[(usize, &RelPath)]) -> Vec<u64> {
        vec![0; files.len()]
    }
}

const TREE: &str = "api/client.go\nbilling/client.go\ncore/client.go\ncore/server.go\nREADME.md\n";

/// Asks for a path with an intent. `expect` are the first candidates, `asked` the files whose contents were compared.
#[track_caller]
fn check(path: &str, intent: &str, fits: Option<&[(&str, f32)]>, expect: &[&str], asked: &[&str]) -> String {
    check_in(TREE, (path, intent), fits, expect, asked)
}

/// As [`check`], in another tree.
#[track_caller]
fn check_in(
    tree: &str,
    (path, intent): (&str, &str),
    fits: Option<&[(&str, f32)]>,
    expect: &[&str],
    asked: &[&str],
) -> String {
    let tree = Tree::new(tree);
    let contents = GivenFits { fits, asked: RefCell::default() };
    let request = Request { intent_text: intent.to_owned(), ..Request::new(path) };
    let answer = tree.engine().resolve_observed(&request, &tree, &contents, &mut |_| ()).unwrap();
    let paths: Vec<_> = answer.candidates.iter().map(|candidate| candidate.path.text().into_owned()).collect();
    assert_eq!(paths[..expect.len()], *expect, "{path}: {intent}");
    assert_eq!(*contents.asked.borrow(), asked, "{path}: {intent}");
    assert_ne!(answer.status, Status::NotFound);
    answer.why
}

const ALL: [&str; 3] = ["api/client.go", "billing/client.go", "core/client.go"];

#[test]
fn contents_order_names_that_paths_leave_equal() {
    let fits: &[(&str, f32)] = &[("core/client.go", 0.9), ("billing/client.go", 0.4)];
    let why = check(
        "client.go",
        "retry after timeouts",
        Some(fits),
        &["core/client.go", "billing/client.go", "api/client.go"],
        &ALL,
    );
    assert!(why.ends_with("; first by contents"), "{why}");
}

#[test]
fn paths_are_stronger_than_contents() {
    let fits: &[(&str, f32)] = &[("core/client.go", 0.9)];
    check("client.go", "retry of billing", Some(fits), &["billing/client.go"], &[]);
    check("billing/client.go", "retry", Some(fits), &[], &[]);
    check("client.go", "", Some(fits), &["api/client.go"], &[]);
    check("cliemt.go", "retry after timeouts", Some(fits), &["api/client.go"], &[]);
}

/// `bill` is the beginning of `billing`, and no word of a path.
#[test]
fn likenesses_of_words_are_weaker_than_contents() {
    let fits: &[(&str, f32)] = &[("core/client.go", 0.9)];
    let asked = ["billing/client.go", "api/client.go", "core/client.go"];
    check("client.go", "retry each bill", Some(fits), &["core/client.go", "billing/client.go"], &asked);
}

/// Depth costs points, so that the file with another extension is near enough to be compared.
#[test]
fn files_with_the_asked_extension_have_no_equals() {
    let tree = "a/b/c/d/e/f/g/client.go\na/b/c/d/e/f/h/client.go\nclient.c\n";
    let asked = ["a/b/c/d/e/f/g/client.go", "a/b/c/d/e/f/h/client.go"];
    let fits: &[(&str, f32)] = &[("client.c", 0.9), ("a/b/c/d/e/f/h/client.go", 0.5)];
    check_in(tree, ("client.go", "retry after timeouts"), Some(fits), &["a/b/c/d/e/f/h/client.go"], &asked);
}

#[test]
fn unknown_contents_change_nothing() {
    for fits in [None, Some(&[] as &[(&str, f32)])] {
        let why = check("client.go", "retry after timeouts", fits, &ALL, &ALL);
        assert!(!why.contains("contents"), "{why}");
    }
}

/// Confidence is fitted to paths: contents order a choice, and never make one answer of it.
#[test]
fn contents_leave_a_choice() {
    let tree = Tree::new(TREE);
    let contents = GivenFits { fits: Some(&[("core/client.go", 1.0)]), asked: RefCell::default() };
    let request = Request { intent_text: "retry after timeouts".to_owned(), ..Request::new("client.go") };
    let answer = tree.engine().resolve_observed(&request, &tree, &contents, &mut |_| ()).unwrap();
    let before = tree.ask(&request);
    assert_eq!((answer.status, before.status), (Status::Ambiguous, Status::Ambiguous));
    assert!(answer.confidence <= before.confidence);
    let scores = |answer: &Answer| answer.candidates.iter().map(|candidate| candidate.score).collect::<Vec<_>>();
    assert_eq!(scores(&answer), scores(&before));
    assert_eq!(answer.next_question.as_deref(), Some("Which client.go: core, api or billing?"));
}
