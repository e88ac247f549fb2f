//! Compares answers with their JSON lines.

use std::time::Duration;

use pathfinder_core::{Answer, Candidate, Contribution, Refusal, RelPath, Request, RequestError, Status};

use super::super::paths::RootName;
use super::{WireError, encode, kind_of};
use pathfinder_project::snapshot::AskError;

#[track_caller]
fn check(roots: &[&str], explain: bool, result: &Result<Answer, AskError>, expect: &str) {
    let root = |given: &&str| RootName { given: (*given).to_owned(), canonical: String::new() };
    let roots: Vec<_> = roots.iter().map(root).collect();
    let id = serde_json::value::to_raw_value("1").unwrap();
    let request = Request { explain, ..Request::new("a/clinet.go") };
    let reply = match result {
        Ok(answer) => serde_json::to_string(&encode(Some(&id), &roots, &request, answer, Duration::from_micros(412))),
        Err(error) => serde_json::to_string(&WireError::new(Some(&id), kind_of(error), error.to_string())),
    };
    assert_eq!(reply.unwrap(), expect);
}

fn answer(status: Status, path: Option<&[u8]>) -> Answer {
    let candidate = |path: &[u8], score| Candidate {
        root: 0,
        path: RelPath::new(path),
        score,
        contributions: vec![
            Contribution { name: "stem", points: 40.123_45 },
            Contribution { name: "depth", points: -0.5 },
        ],
        generators: vec!["typo", "suffix"],
    };
    Answer {
        status,
        path: path.map(|path| (0, RelPath::new(path))),
        confidence: 0.980_04,
        position: None,
        may_act: false,
        why: "typo in name".to_owned(),
        candidates: vec![candidate(path.unwrap_or(b"a/client.go"), 95.249)],
        refusal: None,
        reranked: false,
        signals: Vec::new(),
        next_question: None,
    }
}

#[test]
fn resolved_answer_has_a_path() {
    check(
        &["."],
        false,
        &Ok(answer(Status::Resolved, Some(b"a/client.go"))),
        r#"{"id":"1","status":"resolved","path":"a/client.go","confidence":0.98,"why":"typo in name","candidates":[{"path":"a/client.go","score":95.2}],"elapsed_us":412}"#,
    );
}

#[test]
fn unresolved_answer_has_the_failed_path() {
    let refused = |status, refusal, question: Option<&str>| Answer {
        refusal: Some(refusal),
        next_question: question.map(str::to_owned),
        ..answer(status, None)
    };
    check(
        &["."],
        false,
        &Ok(refused(Status::Ambiguous, Refusal::Ambiguous, Some("Which?"))),
        r#"{"id":"1","status":"ambiguous","failed_path":"a/clinet.go","confidence":0.98,"why":"typo in name","error_kind":"Ambiguous","next_question":"Which?","candidates":[{"path":"a/client.go","score":95.2}],"elapsed_us":412}"#,
    );
    check(
        &["."],
        false,
        &Ok(refused(Status::NotFound, Refusal::OutsideRoot, None)),
        r#"{"id":"1","status":"not_found","failed_path":"a/clinet.go","confidence":0.98,"why":"typo in name","error_kind":"OutsideRoot","candidates":[{"path":"a/client.go","score":95.2}],"elapsed_us":412}"#,
    );
}

#[test]
fn marks_roots_and_lossy_names() {
    check(
        &["../one", "/two"],
        false,
        &Ok(answer(Status::Resolved, Some(b"a/cli\xffent.go"))),
        "{\"id\":\"1\",\"status\":\"resolved\",\"path\":\"a/cli\u{fffd}ent.go\",\"root\":\"../one\",\"lossy\":true,\"confidence\":0.98,\"why\":\"typo in name\",\"candidates\":[{\"path\":\"a/cli\u{fffd}ent.go\",\"root\":\"../one\",\"lossy\":true,\"score\":95.2}],\"elapsed_us\":412}",
    );
    check(
        &["."],
        false,
        &Ok(Answer { candidates: Vec::new(), ..answer(Status::Exists, Some(b"")) }),
        r#"{"id":"1","status":"exists","path":".","confidence":0.98,"why":"typo in name","candidates":[],"elapsed_us":412}"#,
    );
}

#[test]
fn explains_every_contribution() {
    check(
        &["."],
        true,
        &Ok(answer(Status::Resolved, Some(b"a"))),
        r#"{"id":"1","status":"resolved","path":"a","confidence":0.98,"why":"typo in name","candidates":[{"path":"a","score":95.2,"explain":{"stem":40.123,"depth":-0.5},"generators":["typo","suffix"]}],"elapsed_us":412}"#,
    );
}

#[test]
fn errors_have_a_kind() {
    let gone = RequestError::RootGone { root: "r".to_owned(), reason: "gone".to_owned() };
    check(
        &["."],
        false,
        &Err(gone.into()),
        r#"{"id":"1","status":"error","error_kind":"RootGone","message":"the root r can no longer be read: gone; restore it, or start again without it"}"#,
    );
    check(
        &["."],
        false,
        &Err(RequestError::EmptyPath.into()),
        r#"{"id":"1","status":"error","error_kind":"BadRequest","message":"failed_path is empty: give the path that could not be found"}"#,
    );
    check(
        &["."],
        false,
        &Err(AskError::Panicked("x".to_owned())),
        r#"{"id":"1","status":"error","error_kind":"Internal","message":"internal error (x): this is a defect of pathfinder, please report it with the request"}"#,
    );
}
