//! Tests of the paths that are found in texts.

use super::{find_command_words, find_error_path, find_path_mentions};

/// Compares the paths of a line. `~` marks a query that differs from the text.
#[track_caller]
fn check(line: &str, expect: &[&str]) {
    let found: Vec<String> = find_path_mentions(line)
        .iter()
        .map(|mention| {
            mention.query.as_ref().map_or_else(|| mention.text(line).to_owned(), |query| format!("~{query}"))
        })
        .collect();
    assert_eq!(found, expect, "{line:?}");
}

#[test]
fn finds_paths_in_frames_and_messages() {
    check("  --> src/main.rs:4:5", &["src/main.rs"]);
    check("src/x.c:12:5: error: expected ';'", &["src/x.c"]);
    check("x.c:12: error", &["x.c"]);
    check("src/a.ts(3,5): error TS2304: Cannot find name 'b'.", &["src/a.ts"]);
    check("    at call (/app/src/x.js:1:2)", &["/app/src/x.js"]);
    check("    at file:///app/src/x.mjs:1:2", &["/app/src/x.mjs"]);
    check("  File \"/srv/app/models.py\", line 3, in <module>", &["/srv/app/models.py"]);
    check("  File \"models.py\", line 3", &["models.py"]);
    check("\t/go/src/app/main.go:12 +0x1d", &["/go/src/app/main.go"]);
    check("   at A.B() in C:\\build\\src\\x.cs:line 12", &["C:\\build\\src\\x.cs"]);
    check("#0 /var/www/x.php(12): call()", &["/var/www/x.php"]);
    check("\tat com.acme.Foo.bar(Foo.java:12)", &["~at com.acme.Foo.bar(Foo.java:12)"]);
    check("\u{1b}[1m\u{1b}[31msrc/x.rs\u{1b}[0m:3", &["src/x.rs"]);
    check("spec/a_spec.rb:3:in `call': boom (KeyError)", &["spec/a_spec.rb"]);
    check("FAIL src/a.test.ts > adds", &["src/a.test.ts"]);
    check("see (src/a.rs) and [b/c.md].", &["src/a.rs", "b/c.md"]);
    check("--config=conf/app.toml", &["conf/app.toml"]);
    check("docker/Dockerfile:3", &["docker/Dockerfile"]);
    check("look at `confg.rs`", &["confg.rs"]);
    check("über/größe.rs:1", &["über/größe.rs"]);
}

#[test]
fn ignores_text_without_paths() {
    check("and/or, 1/2, n/a, TCP/IP, 2026/11/20", &[]);
    check("https://example.com/a/b.html and git@github.com:a/b.git", &[]);
    check("Node.js is v1.2.3, e.g. here", &[]);
    check("main.rs was changed", &[]);
    check("/usr/lib/python3/site-packages/flask/app.py:3", &[]);
    check("node_modules/x/index.js:3", &[]);
    check("app/[id]/page.tsx", &[]);
    check("a(b)/c.rs", &[]);
    check("src/*.rs", &[]);
    check("it's ../.. or ///", &[]);
    check("", &[]);
    check(&"/a.b".repeat(1000), &[]);
    check(&"\"".repeat(1000), &[]);
}

#[test]
fn limits_mentions_per_line() {
    assert_eq!(find_path_mentions(&"a/b.c ".repeat(100)).len(), 16);
}

#[test]
fn finds_path_words_of_a_command() {
    let words =
        |line: &str| find_command_words(line).iter().map(|mention| mention.text(line).to_owned()).collect::<Vec<_>>();
    assert_eq!(words("cat confg.rs -n src/a --x=b/c $HOME/a 'a b.rs' ~/x"), ["confg.rs", "src/a"]);
    assert_eq!(words("./run.sh a/b"), ["a/b"]);
    assert_eq!(words("x"), <[String; 0]>::default());
}

#[test]
fn finds_paths_in_error_messages() {
    for (line, expect) in [
        ("cat: src/x.rs: No such file or directory", Some(("src/x.rs", true))),
        ("cat: Makefle: No such file or directory", Some(("Makefle", true))),
        ("ls: cannot access 'src/fnd': No such file or directory", Some(("src/fnd", false))),
        ("head: cannot open 'a b.rs' for reading: No such file or directory", Some(("a b.rs", true))),
        ("sed: can't read src/x.rs: No such file or directory", Some(("src/x.rs", true))),
        ("rg: src/fnd: No such file or directory (os error 2)", Some(("src/fnd", false))),
        ("find: ‘src/fnd’: No such file or directory", Some(("src/fnd", false))),
        ("bash: ./scrpts/x.sh: No such file or directory", Some(("./scrpts/x.sh", false))),
        ("open src/x.go: no such file or directory", Some(("src/x.go", false))),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'src/x.py'", Some(("src/x.py", false))),
        ("Error: ENOENT: no such file or directory, open '/app/x.js'", Some(("/app/x.js", false))),
        ("error: pathspec 'src/x' did not match any file(s) known to git", Some(("src/x", false))),
        ("ERROR: file or directory not found: tests/test_x.py", Some(("tests/test_x.py", false))),
        ("touch: cannot touch 'a/b': No such file or directory", None),
        ("cp: cannot create regular file 'a/b': No such file or directory", None),
        ("bash: foo: command not found", None),
        ("ls: cannot access '*.rs': No such file or directory", None),
        ("all is well", None),
        ("No such file or directory", None),
        ("' No such file ‘", None),
    ] {
        let found = find_error_path(line).map(|error_path| (error_path.path, error_path.reads));
        assert_eq!(found, expect, "{line}");
    }
}

#[cfg(unix)]
#[test]
fn detects_paths_outside_the_project() {
    use super::is_elsewhere;
    use std::path::Path;

    let place = tempfile::tempdir().expect("a directory");
    let root = dunce::canonicalize(place.path()).expect("a path").join("root");
    std::fs::create_dir_all(root.join("src")).expect("a directory");
    let check = |path: &str, expect: bool| assert_eq!(is_elsewhere(Path::new(path), &root), expect, "{path}");
    check("src/x.rs", false);
    check(root.join("x.rs").to_str().expect("text"), false);
    check("/workspace-of-another-machine/src/x.rs", false);
    check("/usr/lib/no-such-file.rs", true);
    check("/proc/no-such-file", true);
}
