//! Tests of reranking with a model that prefers given paths.

use std::sync::{Arc, Mutex};

use super::{RerankOptions, RerankQuery, SimilarityModel};
use crate::testing::Tree;
use crate::{Answer, RelPath, Request, Status};

/// A model that prefers paths with a given text by a given nearness.
#[derive(Debug)]
struct PrefixModel {
    holds: &'static str,
    by: f32,
    options: Option<RerankOptions>,
    /// Paths that it was asked to compare.
    query: Mutex<Vec<String>>,
}

const OPTIONS: RerankOptions = RerankOptions { paths_max: 64, weight: None, calibrated: true };

impl SimilarityModel for PrefixModel {
    fn options(&self) -> Option<RerankOptions> {
        self.options
    }

    fn nearness(&self, _query: RerankQuery<'_>, paths: &[&RelPath]) -> Option<Vec<f32>> {
        let texts = || paths.iter().map(|path| path.text());
        self.query.lock().unwrap().extend(texts().map(std::borrow::Cow::into_owned));
        Some(texts().map(|path| if path.contains(self.holds) { self.by } else { 0.0 }).collect())
    }
}

fn prefers(holds: &'static str, by: f32) -> PrefixModel {
    PrefixModel { holds, by, options: Some(OPTIONS), query: Mutex::default() }
}

const TREE: &str = "a/client.go\nb/client.go\nc/client.go\nd/server.go\nREADME.md\n";

fn ask(tree: &str, request: &Request, model: PrefixModel, topk: usize) -> (Answer, Vec<String>) {
    let tree = Tree::new(tree);
    let model = Arc::new(model);
    let engine = tree.engine().with_model(Arc::<PrefixModel>::clone(&model), topk);
    let answer = engine.resolve(request, &tree).unwrap();
    let query = model.query.lock().unwrap().clone();
    (answer, query)
}

fn paths(answer: &Answer) -> Vec<String> {
    answer.candidates.iter().map(|candidate| candidate.path.text().into_owned()).collect()
}

#[test]
fn nearest_comes_first_among_tied_names() {
    let request = Request { explain: true, ..Request::new("client.go") };
    let plain = Tree::new(TREE).ask(&request);
    assert_eq!((plain.status, plain.reranked), (Status::Ambiguous, false));
    let (answer, query) = ask(TREE, &request, prefers("b/", 2.0), 10);
    assert_eq!(query, ["a/client.go", "b/client.go", "c/client.go"], "what cannot win is not compared");
    assert_eq!(paths(&answer)[..3], ["b/client.go", "a/client.go", "c/client.go"]);
    assert!(answer.reranked);
    let points = |at: usize| {
        let found = answer.candidates[at].contributions.iter().find(|part| part.name == "max_sim");
        found.map_or(0.0, |part| part.points)
    };
    assert!(points(0).abs() < f32::EPSILON && (points(1) + 0.5).abs() < 1e-6, "{} {}", points(0), points(1));
    assert!(answer.why.ends_with("; first by meaning") || answer.path.is_some(), "{}", answer.why);
    let signal = |name| answer.signals.iter().find(|(found, _)| *found == name).map(|(_, value)| *value);
    assert_eq!((signal("compared"), signal("max_sim")), (Some(1.0), Some(0.0)));
    assert!(plain.signals.iter().all(|(name, _)| !matches!(*name, "compared" | "max_sim")));
}

#[test]
fn unchanged_order_is_not_reported_as_reranked() {
    let (answer, query) = ask(TREE, &Request::new("client.go"), prefers("a/", 1.0), 10);
    assert_eq!((query.len(), answer.reranked), (3, false));
    assert!(!answer.why.contains("meaning"), "{}", answer.why);
}

#[test]
fn answers_without_a_model_are_unchanged() {
    let request = Request { explain: true, ..Request::new("client.go") };
    let plain = Tree::new(TREE).ask(&request);
    let (none, _) = ask(TREE, &request, PrefixModel { options: None, ..prefers("b/", 9.0) }, 10);
    assert_eq!(none, plain);
    let (lexical, query) = ask(TREE, &Request { lexical: true, ..request.clone() }, prefers("b/", 9.0), 10);
    assert_eq!((lexical, query), (plain, Vec::new()));
    for by in [f32::NAN, f32::INFINITY] {
        let (broken, _) = ask(TREE, &request, prefers("b/", by), 10);
        assert!(!broken.reranked);
    }
}

#[test]
fn certain_answers_are_not_reranked() {
    for query in ["a/client.go", "a/clinet.go", "d/sever.go", "nothing/like/this.xyz"] {
        let (answer, compared) = ask(TREE, &Request::new(query), prefers("b/", 4.0), 10);
        assert_eq!((answer, compared), (Tree::new(TREE).ask(&Request::new(query)), Vec::new()), "{query}");
    }
    let tree = "a/client.go = func NewClient\nb/client.go = other\n";
    let request = Request { evidence: Some("func NewClient".to_owned()), ..Request::new("client.go") };
    assert!(ask(tree, &request, prefers("b/", 4.0), 10).1.is_empty(), "contents say more than paths mean");
}

#[test]
fn uncalibrated_models_do_not_raise_confidence() {
    let before = Tree::new(TREE).ask(&Request::new("client.go"));
    let foreign = RerankOptions { calibrated: false, weight: Some(2.0), ..OPTIONS };
    let (answer, _) =
        ask(TREE, &Request::new("client.go"), PrefixModel { options: Some(foreign), ..prefers("c/", 4.0) }, 10);
    assert_eq!((answer.status, paths(&answer)[0].as_str()), (Status::Ambiguous, "c/client.go"));
    assert!(answer.confidence <= before.confidence);
    let own = RerankOptions { weight: Some(2.0), ..OPTIONS };
    let (answer, _) =
        ask(TREE, &Request::new("client.go"), PrefixModel { options: Some(own), ..prefers("c/", 4.0) }, 10);
    assert!(answer.confidence > before.confidence, "{} {}", answer.confidence, before.confidence);
}

#[test]
fn pool_limits_comparisons_and_omitted_candidates_do_not_win() {
    use std::fmt::Write as _;
    let mut tree = String::new();
    for at in 0..150 {
        writeln!(tree, "d{at:03}/index.ts").unwrap();
    }
    let request = Request { limit: 150, ..Request::new("index.ts") };
    let pool = |topk, most| {
        let model = PrefixModel { options: Some(RerankOptions { paths_max: most, ..OPTIONS }), ..prefers("d149", 4.0) };
        let (answer, query) = ask(&tree, &request, model, topk);
        assert_eq!(paths(&answer)[0], "d000/index.ts");
        assert_eq!(paths(&answer).len(), 150);
        query.len()
    };
    assert_eq!(pool(1, 64), 8, "5 % of 150 files");
    assert_eq!(pool(20, 64), 20);
    assert_eq!(pool(200, 64), 64);
    assert_eq!(pool(200, 12), 12);
    let (answer, _) = ask(&tree, &request, prefers("d007", 4.0), 10);
    assert_eq!(paths(&answer)[..2], ["d007/index.ts", "d000/index.ts"]);
}

#[test]
fn deleted_candidates_are_not_compared() {
    let mut tree = Tree::new(TREE);
    let engine = tree.engine();
    tree.remove(b"b/client.go");
    let model = Arc::new(prefers("b/", 4.0));
    let engine = engine.with_model(Arc::<PrefixModel>::clone(&model), 10);
    let answer = engine.resolve(&Request::new("client.go"), &tree).unwrap();
    assert_eq!(paths(&answer)[0], "a/client.go");
    assert_eq!(*model.query.lock().unwrap(), ["a/client.go", "c/client.go"]);
}

#[test]
fn writes_are_never_resolved() {
    let request = Request { op: crate::Op::Write, ..Request::new("client.go") };
    let (answer, _) = ask(TREE, &request, prefers("b/", 4.0), 10);
    assert_eq!((answer.status, answer.reranked), (Status::Ambiguous, true));
}
