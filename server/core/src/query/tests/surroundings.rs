//! Text around a path, and its escaped characters.

use expect_test::expect;

use super::{check_all, environment};

#[test]
fn strips_line_suffixes() {
    check_all(
        &[
            "src/x.rs:12",
            "src/x.rs:12:5",
            "x.rs:12-20",
            "x.rs#L3-L9",
            "x.ts(12,5)",
            "x.md#usage",
            "x.ts?raw",
            "x.py::test_a",
            "x.rs:main",
            "HEAD:src/x.rs",
            "x.rs, line 7",
            "log-10:30:22.txt",
            "a(1).pdf",
        ],
        &environment(),
        &expect![[r#"
            "src/x.rs:12"
              0.02 src/x.rs [line suffix removed]
              0.40 src/x.rs:12 [as written]
            "src/x.rs:12:5"
              0.02 src/x.rs [line suffix removed]
              0.40 src/x.rs:12:5 [as written]
            "x.rs:12-20"
              0.02 x.rs [line suffix removed]
              0.40 x.rs:12-20 [as written]
            "x.rs#L3-L9"
              0.02 x.rs [line suffix removed]
              0.40 x.rs#L3-L9 [as written]
            "x.ts(12,5)"
              0.02 x.ts [line suffix removed]
              0.40 x.ts(12,5) [as written]
            "x.md#usage"
              0.00 x.md#usage [as written]
              0.05 x.md [anchor removed]
            "x.ts?raw"
              0.00 x.ts?raw [as written]
              0.05 x.ts [query string removed]
            "x.py::test_a"
              0.00 x.py::test_a [as written]
              0.05 x.py [symbol name removed]
            "x.rs:main"
              0.00 x.rs:main [as written]
              0.05 x.rs [symbol name removed]
            "HEAD:src/x.rs"
              0.00 HEAD:src/x.rs [as written]
              0.15 src/x.rs [revision or host removed]
            "x.rs, line 7"
              0.02 x.rs [line suffix removed]
              0.40 x.rs, line 7 [as written]
            "log-10:30:22.txt"
              0.00 log-10:30:22.txt [as written]
              0.15 30:22.txt [revision or host removed]
            "a(1).pdf"
              0.00 a(1).pdf [as written]
        "#]],
    );
}

#[test]
fn finds_paths_in_frames_and_messages() {
    check_all(
        &[
            "at run (src/x.js:1:2)",
            "    at async src/x.js:1:2",
            "File \"src/x.py\", line 3, in f",
            "src/x.c:12: error: no member",
            " --> src/main.rs:4:5",
            "src/x.go:12 +0x1d",
            "at com.acme.Foo.bar(Foo.java:12)",
            "#1 0x0 in main () at src/x.c:12",
            "#0 src/x.php(12): f()",
            "at A.B() in C:\\p\\x.cs:line 12",
            "thread 'main' panicked at src/main.rs:4:5:",
            "src/a.ts(12,5): error TS2345: no",
            "ENOENT: no such file or directory, open 'src/x.ts'",
            "cat: src/x: No such file or directory",
            "open src/x.go: no such file or directory",
            "src/x.rb:12:in 'call'",
        ],
        &environment(),
        &expect![[r##"
            "at run (src/x.js:1:2)"
              0.06 src/x.js [taken from a message or stack frame; line suffix removed]
              0.40 at run (src/x.js:1:2) [as written]
            "    at async src/x.js:1:2"
              0.08 src/x.js [white space removed; taken from a message or stack frame; line suffix removed]
              0.40     at async src/x.js:1:2 [as written]
            "File \"src/x.py\", line 3, in f"
              0.04 src/x.py [taken from a message or stack frame]
              0.40 File "src/x.py", line 3, in f [as written]
            "src/x.c:12: error: no member"
              0.02 src/x.c [taken from a message or stack frame]
              0.40 src/x.c:12: error: no member [as written]
            " --> src/main.rs:4:5"
              0.08 src/main.rs [white space removed; taken from a message or stack frame; line suffix removed]
              0.40  --> src/main.rs:4:5 [as written]
            "src/x.go:12 +0x1d"
              0.02 src/x.go [taken from a message or stack frame]
              0.40 src/x.go:12 +0x1d [as written]
            "at com.acme.Foo.bar(Foo.java:12)"
              0.06 com/acme/Foo.java [taken from a message or stack frame; line suffix removed]
              0.40 at com.acme.Foo.bar(Foo.java:12) [as written]
            "#1 0x0 in main () at src/x.c:12"
              0.06 src/x.c [taken from a message or stack frame; line suffix removed]
              0.40 #1 0x0 in main () at src/x.c:12 [as written]
            "#0 src/x.php(12): f()"
              0.06 src/x.php [taken from a message or stack frame]
              0.40 #0 src/x.php(12): f() [as written]
            "at A.B() in C:\\p\\x.cs:line 12"
              0.18 p/x.cs [taken from a message or stack frame; line suffix removed; backslashes read as /; drive letter removed] foreign
              0.38 p/x.cs [taken from a message or stack frame; line suffix removed; backslashes read as /; path of another machine] foreign outside
              0.40 at A.B() in C:\p\x.cs:line 12 [as written]
            "thread \'main\' panicked at src/main.rs:4:5:"
              0.08 src/main.rs [punctuation removed; taken from a message or stack frame; line suffix removed]
              0.40 thread 'main' panicked at src/main.rs:4:5: [as written]
            "src/a.ts(12,5): error TS2345: no"
              0.02 src/a.ts [taken from a message or stack frame]
              0.40 src/a.ts(12,5): error TS2345: no [as written]
            "ENOENT: no such file or directory, open \'src/x.ts\'"
              0.04 src/x.ts [taken from a message or stack frame]
              0.40 ENOENT: no such file or directory, open 'src/x.ts' [as written]
            "cat: src/x: No such file or directory"
              0.04 src/x [taken from a message or stack frame]
              0.40 cat: src/x: No such file or directory [as written]
            "open src/x.go: no such file or directory"
              0.04 src/x.go [taken from a message or stack frame]
              0.40 open src/x.go: no such file or directory [as written]
            "src/x.rb:12:in \'call\'"
              0.02 src/x.rb [taken from a message or stack frame]
              0.40 src/x.rb:12:in 'call' [as written]
        "##]],
    );
}

#[test]
fn strips_wrappings() {
    check_all(
        &[
            "\"src/x.rs\"",
            "`src/x.rs`,",
            "  src/x.rs\n",
            "(src/x.rs).",
            "<src/x.rs>",
            "[the file](src/x.rs#L3)",
            "\u{201c}src/x.rs\u{201d}",
            "src/x.rs)",
            "**src/x.rs**",
            "- src/x.rs",
            "@src/x.rs",
            "src/x.rs.",
            "src/x.rs\nsrc/y.rs",
            "(group)",
            "[id]",
        ],
        &environment(),
        &expect![[r#"
            "\"src/x.rs\""
              0.02 src/x.rs [quotes removed]
              0.40 "src/x.rs" [as written]
            "`src/x.rs`,"
              0.02 src/x.rs [punctuation removed; quotes removed]
              0.40 `src/x.rs`, [as written]
            "  src/x.rs\n"
              0.02 src/x.rs [white space removed]
              0.40   src/x.rs\u{a} [as written]
            "(src/x.rs)."
              0.02 src/x.rs [punctuation removed; brackets removed]
              0.40 (src/x.rs). [as written]
            "<src/x.rs>"
              0.02 src/x.rs [brackets removed]
              0.40 <src/x.rs> [as written]
            "[the file](src/x.rs#L3)"
              0.05 src/x.rs [taken from a Markdown link; line suffix removed]
              0.40 [the file](src/x.rs#L3) [as written]
            "\u{201c}src/x.rs\u{201d}"
              0.02 src/x.rs [quotes removed]
              0.40 \u{201c}src/x.rs\u{201d} [as written]
            "src/x.rs)"
              0.00 src/x.rs) [as written]
              0.02 src/x.rs [brackets removed]
            "**src/x.rs**"
              0.02 src/x.rs [quotes removed]
              0.40 **src/x.rs** [as written]
            "- src/x.rs"
              0.00 - src/x.rs [as written]
              0.10 src/x.rs [leading mark removed]
            "@src/x.rs"
              0.00 @src/x.rs [as written]
              0.10 src/x.rs [leading mark removed]
            "src/x.rs."
              0.00 src/x.rs. [as written]
              0.02 src/x.rs [punctuation removed]
            "src/x.rs\nsrc/y.rs"
              0.05 src/x.rs/nsrc/y.rs [eaten backslash restored]
              0.10 src/x.rs [first line only]
              0.40 src/x.rs\u{a}src/y.rs [as written]
            "(group)"
              0.00 (group) [as written]
              0.02 group [brackets removed]
            "[id]"
              0.00 [id] [as written]
              0.02 id [brackets removed]
        "#]],
    );
}

#[test]
fn decodes_escapes() {
    check_all(
        &[
            "my%20file.rs",
            "100%.txt",
            "caf\\303\\251.md",
            "my\\ file.md",
            "app\\[id]\\x.ts",
            "src\tmain.rs",
            "src\new.rs",
            "a\\\\b\\\\c.rs",
            "a%2Fb.rs",
            "x%00.rs",
            "\u{1b}[31msrc/x.rs\u{1b}[0m",
        ],
        &environment(),
        &expect![[r#"
            "my%20file.rs"
              0.00 my%20file.rs [as written]
              0.03 my file.rs [percent-encoding undone]
            "100%.txt"
              0.00 100%.txt [as written]
            "caf\\303\\251.md"
              0.00 caf\303\251.md [as written]
              0.02 caf\u{e9}.md [octal escapes undone]
            "my\\ file.md"
              0.01 my file.md [shell escapes undone]
              0.02 my/ file.md [backslashes read as /]
              0.40 my\ file.md [as written]
            "app\\[id]\\x.ts"
              0.02 app/[id]/x.ts [backslashes read as /]
              0.40 app\[id]\x.ts [as written]
            "src\tmain.rs"
              0.05 src/tmain.rs [eaten backslash restored]
              0.40 src\u{9}main.rs [as written]
            "src\new.rs"
              0.05 src/new.rs [eaten backslash restored]
              0.10 src [first line only]
              0.40 src\u{a}ew.rs [as written]
            "a\\\\b\\\\c.rs"
              0.02 a/b/c.rs [backslashes read as /]
              0.08 b/c.rs [backslashes read as /; diff prefix removed]
              0.40 a\\b\\c.rs [as written]
            "a%2Fb.rs"
              0.00 a%2Fb.rs [as written]
              0.03 a/b.rs [percent-encoding undone]
              0.09 b.rs [percent-encoding undone; diff prefix removed]
            "x%00.rs"
              0.00 x%00.rs [as written]
            "\u{1b}[31msrc/x.rs\u{1b}[0m"
              0.01 src/x.rs [terminal colours removed]
              0.40 \u{1b}[31msrc/x.rs\u{1b}[0m [as written]
        "#]],
    );
}

#[test]
fn replaces_lookalike_characters() {
    check_all(
        &[
            "src/\u{200b}x.rs",
            "\u{feff}x.rs",
            "a\u{2013}b.md",
            "it\u{2019}s.md",
            "src\u{ff0f}x.rs",
            "a\u{a0}b.md",
            "cafe\u{301}.md",
        ],
        &environment(),
        &expect![[r#"
            "src/\u{200b}x.rs"
              0.00 src/\u{200b}x.rs [as written]
              0.01 src/x.rs [invisible characters removed]
            "\u{feff}x.rs"
              0.00 \u{feff}x.rs [as written]
              0.01 x.rs [invisible characters removed]
            "a\u{2013}b.md"
              0.00 a\u{2013}b.md [as written]
              0.05 a-b.md [look-alike characters replaced]
            "it\u{2019}s.md"
              0.00 it\u{2019}s.md [as written]
              0.05 it's.md [look-alike characters replaced]
            "src\u{ff0f}x.rs"
              0.00 src\u{ff0f}x.rs [as written]
              0.05 src/x.rs [look-alike characters replaced]
            "a\u{a0}b.md"
              0.00 a\u{a0}b.md [as written]
              0.05 a b.md [look-alike characters replaced]
            "cafe\u{301}.md"
              0.00 cafe\u{301}.md [as written]
              0.01 caf\u{e9}.md [accents composed]
        "#]],
    );
}
