//! `check`: paths that the command line names, links among them, and paths that a format writes.

use std::os::unix::ffi::OsStringExt as _;

use crate::tree::Tree;

/// Reserved characters of a name are escaped in a URI.
#[test]
fn uris_of_sarif() {
    let uri = |file: &str| {
        let tree = Tree::new(&format!("{file} = [x](gone.md)"));
        let log = tree.plan(&["check", "--format=sarif"]).run().json();
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    assert_eq!(uri("app/[id]/p.md"), "app/%5Bid%5D/p.md");
    assert_eq!(uri("a^b|c`d{e}.md"), "a%5Eb%7Cc%60d%7Be%7D.md");
    assert_eq!(uri("a:b/100%#?.md"), "a%3Ab/100%25%23%3F.md");
    assert_eq!(uri("é (1)~+@.md"), "%C3%A9%20(1)~+@.md");
}

/// A baseline whose name is not UTF-8 is written, and written again.
#[test]
fn baselines_with_any_name() {
    let tree = Tree::new("docs/real.md = [a](gone.md)");
    let name = std::ffi::OsString::from_vec(b"known\xff.json".to_vec());
    for _ in 0..2 {
        let run = tree.plan(&["check", "--write-baseline"]).arg(&name).run();
        assert_eq!(run.code, Some(0), "{run:?}");
    }
    let run = tree.plan(&["check", "--baseline"]).arg(&name).run();
    assert_eq!(run.code, Some(0), "{run:?}");
}
