//! `check` of stdin with `--fix` and `--diff`: stdout has the text or the diff, byte by byte, and no file is written.

use std::fs;

use crate::tree::Tree;

/// `docs/guide.md` differs on disk from the text on stdin; `left.md` is excluded.
const TREE: &str = "
    docs/guide.md = [x](gone.md)
    docs/setup.md = # Setup
    left.md = [x](docs/setpu.md)
    pathfinder.toml = check.ignore = ['left.md']
";

/// Fixes a text as the contents of a file. Returns the status, the bytes on stdout and the text on stderr.
#[track_caller]
fn run(args: &[&str], file: &str, text: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let tree = Tree::new(TREE);
    // Bytes that are no text are only seen in a file.
    let plan = tree.plan_after("exec >../out;", &["check"]).arg_all(args).arg_all(&["--stdin-filename", file, "-"]);
    let run = plan.stdin(text).run();
    let lines = TREE.lines().map(str::trim).filter_map(|line| line.split_once(" = "));
    for (file, contents) in lines {
        assert_eq!(fs::read_to_string(tree.root().join(file)).unwrap(), contents, "{file} was written");
    }
    assert!(!tree.root().join("docs/new.md").exists(), "the file was made");
    (run.code, fs::read(tree.place().join("out")).unwrap(), run.stderr)
}

/// Checks the status and the fixed text.
#[track_caller]
fn check(file: &str, text: &[u8], code: i32, expect: &[u8]) {
    let (status, out, errors) = run(&["--fix"], file, text);
    let (out, expect) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(expect));
    assert_eq!((status, &*out), (Some(code), &*expect), "{errors}");
}

#[test]
fn fixes_nothing_but_literals() {
    check("docs/new.md", b"[x](setpu.md)\n", 0, b"[x](setup.md)\n");
    // The file on disk has another text.
    check("docs/guide.md", b"[x](setpu.md)\n", 0, b"[x](setup.md)\n");
    check("docs/new.md", b"a\r\n[x](setpu.md)\r\nb", 0, b"a\r\n[x](setup.md)\r\nb");
    check("docs/new.md", b"\xef\xbb\xbf[x](setpu.md)", 0, b"\xef\xbb\xbf[x](setup.md)");
    // A literal without a certain fix stays.
    check("docs/new.md", b"[x](setpu.md) [y](gone.md)", 1, b"[x](setup.md) [y](gone.md)");
}

#[test]
fn prints_what_it_does_not_fix() {
    check("docs/new.md", b"", 0, b"");
    check("docs/new.md", b"[x](setup.md)", 0, b"[x](setup.md)");
    check("docs/new.md", b"\xe9 [x](setpu.md)\r\n\0", 0, b"\xe9 [x](setpu.md)\r\n\0");
    check("left.md", b"[x](docs/setpu.md)", 0, b"[x](docs/setpu.md)");
    check("docs/new.unknown", b"[x](setpu.md)", 0, b"[x](setpu.md)");
}

/// Findings go to stderr in every format, or into the file of `--output-file`.
#[test]
fn reports_what_is_left() {
    let text = b"[x](setpu.md) [y](gone.md)\n";
    for (format, says) in
        [("text", ", 1 fixed, 1 broken"), ("concise", "docs/gone.md does not exist"), ("json", "\"missing\":1")]
    {
        let (status, out, errors) = run(&["--fix", "--format", format], "docs/new.md", text);
        assert_eq!((status, &*out), (Some(1), &b"[x](setup.md) [y](gone.md)\n"[..]), "{format}");
        assert!(errors.contains(says), "{format}: {errors}");
    }
    let (status, out, errors) = run(&["--fix", "--exit-zero", "--output-file=../found"], "docs/new.md", text);
    assert_eq!((status, &*out, &*errors), (Some(0), &b"[x](setup.md) [y](gone.md)\n"[..], ""));
}

#[test]
fn diffs() {
    let check = |file: &str, text: &[u8], code: i32, expect: &str, says: &str| {
        let (status, out, errors) = run(&["--diff"], file, text);
        assert_eq!((status, &*String::from_utf8_lossy(&out), &*errors), (Some(code), expect, says));
    };
    let head = "--- a/docs/new.md\n+++ b/docs/new.md\n@@ -1 +1 @@\n";
    let would = "1 would be fixed in 1 file\n";
    check("docs/new.md", b"[x](setpu.md)\n", 1, &format!("{head}-[x](setpu.md)\n+[x](setup.md)\n"), would);
    check("docs/new.md", b"[x](setpu.md)\r\n", 1, &format!("{head}-[x](setpu.md)\r\n+[x](setup.md)\r\n"), would);
    let no_end = "\n\\ No newline at end of file\n";
    check("docs/new.md", b"[x](setpu.md)", 1, &format!("{head}-[x](setpu.md){no_end}+[x](setup.md){no_end}"), would);
    check("docs/new.md", b"[x](setup.md)", 0, "", "nothing to fix\n");
    check("left.md", b"[x](docs/setpu.md)", 0, "", "nothing to fix\n");
}
