//! Refused requests and their errors.

use expect_test::{Expect, expect};

use super::environment;
use crate::error::RequestError;
use crate::query::interpret;
use crate::request::Request;

fn check(request: &Request, expect: &Expect) {
    let refusal = interpret(request, &environment()).expect_err("refused");
    expect.assert_eq(&refusal.to_string());
}

#[test]
fn refuses_empty_paths() {
    for path in ["", "  \n", "\"\"", "` `", "\u{feff}", "\u{201c}\u{201d}"] {
        assert_eq!(interpret(&Request::new(path), &environment()), Err(RequestError::EmptyPath), "{path:?}");
    }
}

#[test]
fn refuses_damaged_or_long_fields() {
    check(
        &Request::new("a\0b"),
        &expect!["failed_path contains a NUL character at byte 1: no path can; send the text only"],
    );
    check(
        &Request::new("a".repeat(8193)),
        &expect!["failed_path is 8193 bytes long, the limit is 8192: send the path only"],
    );
    let query = || Request::new("a");
    check(
        &Request { intent_text: "a".repeat(65537), ..query() },
        &expect!["intent_text is 65537 bytes long, the limit is 65536: send the path only"],
    );
    check(
        &Request { from_file: Some("a".repeat(8193)), ..query() },
        &expect!["from_file is 8193 bytes long, the limit is 8192: send the path only"],
    );
    check(
        &Request { root_hint: Some("a".repeat(8193)), ..query() },
        &expect!["root_hint is 8193 bytes long, the limit is 8192: send the path only"],
    );
    check(
        &Request { history: vec!["a".repeat(8193)], ..query() },
        &expect!["a history entry is 8193 bytes long, the limit is 8192: send the path only"],
    );
    check(
        &Request { history: vec![String::new(); 262_145], ..query() },
        &expect!["history is 262145 bytes long, the limit is 262144: send the path only"],
    );
    check(&Request { limit: 0, ..query() }, &expect!["limit is 0: it must be between 1 and 200"]);
    check(&Request { limit: 201, ..query() }, &expect!["limit is 201: it must be between 1 and 200"]);
}
