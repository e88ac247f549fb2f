//! Tests of ranking by declarations, with files of which the declared names are given.

use crate::intent_contents::IntentContents;
use crate::testing::Tree;
use crate::{RelPath, Request, Status};

/// Declared names, by path.
struct GivenNames<'t>(&'t [(&'t str, &'t [&'t str])]);

impl IntentContents for GivenNames<'_> {
    fn fits(&self, _intent: &str, _files: &[(usize, &RelPath)]) -> Option<Vec<f32>> {
        None
    }

    fn declared(&self, names: &[&str], files: &[(usize, &RelPath)]) -> Vec<u64> {
        let own = |path: &RelPath| self.0.iter().find(|one| one.0 == path.text()).map_or(&[][..], |one| one.1);
        let bit = |at: usize, own: &[&str]| u64::from(own.contains(&names[at])) << at;
        files.iter().map(|(_, path)| (0..names.len()).map(|at| bit(at, own(path))).sum()).collect()
    }
}

const TREE: &str = "src/route.rs\nsrc/mux.rs\nsrc/http/request.rs\nsrc/http/reply.rs\nREADME.md\n";
const NAMES: &[(&str, &[&str])] =
    &[("src/route.rs", &["Route", "new"]), ("src/mux.rs", &["Router", "route"]), ("src/http/reply.rs", &["Response"])];

/// Asks for a path with an intent, and expects a status and the first path.
#[track_caller]
fn check(path: &str, intent: &str, status: Status, expect: &str) {
    let tree = Tree::new(TREE);
    let request = Request { intent_text: intent.to_owned(), ..Request::new(path) };
    let answer = tree.engine().resolve_observed(&request, &tree, &GivenNames(NAMES), &mut |_| ()).unwrap();
    let first = answer.path.as_ref().map(|path| &path.1);
    let first = first.or_else(|| answer.candidates.first().map(|candidate| &candidate.path));
    let first = first.map(|path| path.text().into_owned()).unwrap_or_default();
    assert_eq!((answer.status, first.as_str()), (status, expect), "{path}: {intent}: {}", answer.why);
    let by_declarations = answer.why.ends_with("; first by its declarations");
    assert_eq!(by_declarations, expect == "src/mux.rs", "{}", answer.why);
}

#[test]
fn a_file_that_declares_the_asked_name_is_first() {
    check("src/router.rs", "Router struct and its route method", Status::Ambiguous, "src/mux.rs");
    check("router.rs", "Router struct and its route method", Status::Ambiguous, "src/mux.rs");
    check("src/http/response.rs", "fields of Response", Status::Ambiguous, "src/http/reply.rs");
}

#[test]
fn names_decide_without_a_declaration() {
    check("src/router.rs", "how patterns are matched", Status::Resolved, "src/route.rs");
    check("src/router.rs", "Handler struct and its call method", Status::Resolved, "src/route.rs");
    // A sure answer stands against a declaration of another name than the asked one.
    check("src/rotue.rs", "use the Response type in the Router struct", Status::Resolved, "src/route.rs");
    check("src/route.rs", "Router struct", Status::Exists, "src/route.rs");
    check("lib/route.rs", "Router struct", Status::Resolved, "src/route.rs");
}
