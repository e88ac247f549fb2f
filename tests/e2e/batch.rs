//! Many questions through one process.

use serde_json::{Value, json};

use crate::tree::{PROJECT, Tree};

/// Sends `lines` and compares `ID STATUS`, for errors `ID KIND`, of every answer, in order.
#[track_caller]
fn check(lines: impl AsRef<[u8]>, expect: &[&str]) {
    let run = Tree::new(PROJECT).plan(&["resolve", "--batch"]).stdin(lines.as_ref()).run();
    let actual: Vec<_> = run.jsons().iter().map(summary).collect();
    assert_eq!(actual, expect, "{run:?}");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
}

fn summary(answer: &Value) -> String {
    let error = answer["status"] == "error";
    if error {
        assert!(!answer["message"].as_str().unwrap().is_empty(), "{answer}");
    } else {
        assert!(answer["elapsed_us"].is_u64(), "{answer}");
    }
    let word = if error { &answer["error_kind"] } else { &answer["status"] };
    format!("{} {}", answer["id"], word.as_str().unwrap())
}

#[test]
fn answers_come_in_the_order_of_the_requests() {
    check(
        r#"{"id":3,"failed_path":"src/mian.rs"}
{"id":1,"failed_path":"src/main.rs"}
{"id":"zz","failed_path":"zzyzx/quokka.flac"}
{"id":null,"failed_path":"client.go"}
{"failed_path":"src/lib.rs"}
"#,
        &["3 resolved", "1 exists", "\"zz\" not_found", "null ambiguous", "null exists"],
    );
}

#[test]
fn nothing_in_nothing_out() {
    check("", &[]);
    check("\n\n  \t\r\n", &[]);
}

#[test]
fn line_ends_and_byte_order_marks_do_not_matter() {
    check(
        "\u{feff}{\"id\":1,\"failed_path\":\"src/lib.rs\"}\r\n\r\n{\"id\":2,\"failed_path\":\"src/lib.rs\"}",
        &["1 exists", "2 exists"],
    );
}

#[test]
fn a_bad_line_is_answered_and_the_rest_goes_on() {
    let good = "{\"id\":9,\"failed_path\":\"src/lib.rs\"}";
    for (bad, expect) in [
        (&b"nonsense"[..], "null BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\"", "null BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\xff\"}", "null BadRequest"),
        (b"[]", "null BadRequest"),
        (b"{\"id\":{},\"failed_path\":\"a\"}", "null BadRequest"),
        (b"{\"id\":1}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"\"}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"  \"}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":7}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\\u0000b\"}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\",\"op\":\"delete\"}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\",\"history\":\"b\"}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\",\"limit\":0}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\",\"limit\":201}", "1 BadRequest"),
        (b"{\"id\":1,\"failed_path\":\"a\",\"limit\":\"ten\"}", "1 BadRequest"),
    ] {
        check([bad, b"\n", good.as_bytes(), b"\n"].concat(), &[expect, "9 exists"]);
    }
}

#[test]
fn a_path_of_a_megabyte_is_refused() {
    let request = json!({"id": 1, "failed_path": "a/".repeat(512 * 1024)});
    check(format!("{request}\n{{\"id\":2,\"failed_path\":\"src/lib.rs\"}}"), &["1 BadRequest", "2 exists"]);
}

#[test]
fn a_line_without_end_is_skipped() {
    let mut lines = vec![b'x'; 9 << 20];
    lines.extend_from_slice(b"\n{\"id\":2,\"failed_path\":\"src/lib.rs\"}");
    check(lines, &["null BadRequest", "2 exists"]);
}

#[test]
fn an_id_comes_back_as_it_was_written() {
    let ids = ["12345678901234567890123", "1.50", "\"\\u00e9\""];
    let lines: Vec<_> = ids.iter().map(|id| format!("{{\"id\":{id},\"failed_path\":\"src/lib.rs\"}}\n")).collect();
    let run = Tree::new(PROJECT).plan(&["resolve", "--batch"]).stdin(lines.concat()).run();
    for (line, id) in run.stdout.lines().zip(ids) {
        assert!(line.starts_with(&format!("{{\"id\":{id},\"status\":\"exists\",\"path\":\"src/lib.rs\"")), "{line}");
    }
    assert_eq!(run.stdout.lines().count(), ids.len());
}

#[test]
fn each_answer_comes_before_the_next_question() {
    let tree = Tree::new(PROJECT);
    let mut batch = tree.plan(&["resolve", "--batch"]).converse();
    assert_eq!(batch.ask(r#"{"id":1,"failed_path":"src/mian.rs"}"#)["path"], "src/main.rs");
    assert_eq!(batch.ask("nonsense")["error_kind"], "BadRequest");
    assert_eq!(batch.ask(r#"{"id":2,"failed_path":"src/lib.rs"}"#)["status"], "exists");
    assert_eq!(batch.end(), Some(0));
}

#[test]
fn options_hold_for_requests_that_do_not_say() {
    let tree = Tree::new("a/index.ts\nb/index.ts\nc/index.ts");
    let stdin = "{\"failed_path\":\"index.ts\"}\n{\"failed_path\":\"index.ts\",\"limit\":\"2\",\"explain\":false}";
    let run = tree.plan(&["resolve", "--batch", "--limit=1", "--explain"]).stdin(stdin).run();
    let answers = run.jsons();
    let count = |answer: &Value| answer["candidates"].as_array().unwrap().len();
    assert_eq!((count(&answers[0]), count(&answers[1])), (1, 2), "{run:?}");
    assert!(answers[0]["candidates"][0]["explain"].is_object(), "{run:?}");
    assert!(answers[1]["candidates"][0].get("explain").is_none(), "{run:?}");
}

#[test]
fn a_batch_that_cannot_start_says_so() {
    let tree = Tree::new("");
    for args in [
        &["resolve", "--batch", "--root", "nowhere"][..],
        &["resolve", "--batch", "--format", "text"],
        &["resolve", "--batch", "--intent", "x"],
        &["resolve", "--batch", "src/main.rs"],
    ] {
        let run = tree.plan(args).stdin("{\"failed_path\":\"a\"}").run();
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        assert!(run.stderr.starts_with("error"), "{run:?}");
    }
}
