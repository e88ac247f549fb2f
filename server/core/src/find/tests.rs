//! Tests of find through `Engine::find`.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::frecency::Frecency;
use crate::symbols::{Symbol, SymbolChange, SymbolKind, Symbols};
use crate::testing::Tree;

const TREE: &str = "
    src/auth_middleware.py
    src/middleware/auth.py
    tests/test_auth_middleware.py
    include/CommandRouter.h
    src/commands/CommandRouter.cpp
    src/commands/table.cpp
    src/widgets/index.ts
    docs/commands.md
    alpha/client.go
    beta/client.go
";

/// An engine over a tree, in which `src/commands/table.cpp` declares these functions, one a line.
fn engine(tree: &Tree, declares: &[&str]) -> Engine {
    let symbol =
        |(at, name): (usize, &&str)| Symbol { name: (*name).into(), kind: SymbolKind::Function, line: at as u32 + 1 };
    let symbols = declares.iter().enumerate().map(symbol).collect();
    let read = SymbolChange::Read { file: "src/commands/table.cpp".into(), stamp: 1, symbols };
    let symbols = Symbols::default().apply(&[read]).with_total(8);
    let engine = tree.engine();
    let roots = engine.roots().iter().map(|root| Root { symbols: symbols.clone(), ..root.clone() }).collect();
    engine.with_roots(roots)
}

/// Returns the hits in order: `path`, or `path:line`.
fn find(tree: &Tree, request: &FindRequest) -> Vec<String> {
    let engine = engine(tree, &["fillTable", "clearTable"]);
    let answer = engine.find(request, tree, &()).expect("a question");
    let line = |hit: &Hit| hit.line.map(|line| format!(":{line}")).unwrap_or_default();
    answer.hits.iter().map(|hit| format!("{}{}", hit.path.text(), line(hit))).collect()
}

#[track_caller]
fn check(query: &str, first: &str) {
    let found = find(&Tree::new(TREE), &FindRequest::new(query));
    assert_eq!(found.first().map_or("", String::as_str), first, "{query}: {found:?}");
}

#[test]
fn finds_by_names_words_and_questions() {
    check("authmidlware", "src/auth_middleware.py");
    check("auth middleware", "src/auth_middleware.py");
    check("middleware/auth.py", "src/middleware/auth.py");
    check("where is CommandRouter implemented", "src/commands/CommandRouter.cpp");
    check("CommandRouter.h", "include/CommandRouter.h");
    check("tests of auth middleware", "tests/test_auth_middleware.py");
    check("fill table", "src/commands/table.cpp:1");
    check("clearTabel", "src/commands/table.cpp:2");
    check("widgets", "src/widgets/index.ts");
    check("*.cpp", "src/commands/table.cpp");
    check("zorbulate", "");
    check("open CommandRouter", "src/commands/CommandRouter.cpp");
    check("(a+)+$", "");
}

/// A name in the tree that has the verb does not make the verb a part of the name.
#[test]
fn a_verb_may_be_a_name_or_a_request() {
    let tree = Tree::new(&format!("{TREE}\n    src/find_text.py\n    src/find.py\n"));
    let first = |query: &str| find(&tree, &FindRequest::new(query)).remove(0);
    assert_eq!(first("find CommandRouter"), "src/commands/CommandRouter.cpp");
    assert_eq!(first("find clearTable"), "src/commands/table.cpp:2");
    assert_eq!(first("find text"), "src/find_text.py");
}

/// Frecency breaks ties.
#[test]
fn ties_are_broken_by_frecency_then_path() {
    let tree = Tree::new(TREE);
    assert_eq!(find(&tree, &FindRequest::new("client"))[0], "beta/client.go");
    let engine = engine(&tree, &[]);
    let frecency = Arc::new(Frecency::new([(RelPath::from("alpha/client.go"), 3.0)]));
    let roots = engine.roots().iter().map(|root| Root { frecency: Arc::clone(&frecency), ..root.clone() }).collect();
    let answer = engine.with_roots(roots).find(&FindRequest::new("client"), &tree, &()).expect("a question");
    assert_eq!(answer.hits[0].path.text(), "alpha/client.go");
}

#[test]
fn omits_deleted_files() {
    let mut tree = Tree::new(TREE);
    let engine = engine(&tree, &[]);
    tree.remove(b"src/auth_middleware.py");
    let answer = engine.find(&FindRequest::new("auth_middleware"), &tree, &()).expect("a question");
    assert!(answer.hits.iter().all(|hit| hit.path.text() != "src/auth_middleware.py"), "{answer:?}");
}

/// Contents are searched only where names give no evidence, and the hit says so.
#[test]
fn searches_contents_last() {
    struct FixedContents;
    impl Contents for FixedContents {
        fn search(&self, _roots: &[Root], words: &[&str]) -> ContentMatches {
            assert_eq!(words, ["exponential", "backoff"]);
            let path = RelPath::from("alpha/client.go");
            let passages = vec![ContentMatch { root: 0, path, line: 7, words: 3, together: 3 }];
            ContentMatches { passages, extent: Extent { files: 3, of: 10, late: false } }
        }
    }
    let tree = Tree::new(TREE);
    let answer =
        engine(&tree, &[]).find(&FindRequest::new("exponential backoff"), &tree, &FixedContents).expect("a question");
    assert_eq!((answer.hits[0].line, answer.hits[0].why.as_str()), (Some(7), "content has the words"));
    assert_eq!(answer.searched, Some(Extent { files: 3, of: 10, late: false }));
}

#[test]
fn refuses_bad_input() {
    let tree = Tree::new(TREE);
    let ask = |query: &str, limit| {
        let request = FindRequest { limit, ..FindRequest::new(query) };
        engine(&tree, &[]).find(&request, &tree, &())
    };
    assert_eq!(ask("", 10), Err(RequestError::EmptyQuery));
    assert_eq!(ask(" \t\n", 10), Err(RequestError::EmptyQuery));
    assert!(matches!(ask(&"a".repeat(10_000), 10), Err(RequestError::LongQuery { .. })));
    assert!(matches!(ask("a", 0), Err(RequestError::BadLimit { .. })));
    assert!(matches!(ask("a", 201), Err(RequestError::BadLimit { .. })));
    for query in
        ["\u{0}", "\u{1b}[31m", "???", "...", "/", "\u{202e}", "e\u{301}", "(a+)+$", "****", "{a,{b,{c,", "[[[["]
    {
        assert!(ask(query, 10).expect("an answer").hits.is_empty(), "{query:?}");
    }
    // Invisible marks and combining letters are no part of a name.
    for query in ["auth\u{200b}_middleware", "\u{202e}auth_middleware", "auth\u{7}_middleware"] {
        assert_eq!(ask(query, 10).expect("an answer").hits[0].path.text(), "src/auth_middleware.py", "{query:?}");
    }
    let tree = Tree::new("src/cre\u{300}me.rs\nsrc/other.rs\n");
    let answer = tree.engine().find(&FindRequest::new("crème"), &tree, &()).expect("an answer");
    assert_eq!(answer.hits[0].path.text(), "src/cre\u{300}me.rs");
}

proptest! {
    /// For any query: only existing paths, no more than the limit, each once, best first.
    #[test]
    fn answers_keep_their_invariants(query in "[a-zA-Z_./ *?{},\\[\\]\\\\éあ]{1,60}", limit in 1_usize..12) {
        let tree = Tree::new(TREE);
        let request = FindRequest { limit, explain: true, ..FindRequest::new(query) };
        if let Ok(answer) = engine(&tree, &["fillTable"]).find(&request, &tree, &()) {
            prop_assert!(answer.hits.len() <= limit);
            for pair in answer.hits.windows(2) {
                prop_assert!(pair[0].score >= pair[1].score && pair[0].path != pair[1].path);
            }
            for hit in &answer.hits {
                prop_assert!(matches!(tree.presence(hit.root, hit.path.as_bytes()), Presence::Present(_)));
                prop_assert!(!hit.why.is_empty());
            }
        }
    }
}
