//! Tables of strings in code, and of strings that give no hint.

use crate::testing::{MemoryTree, new_project};
use pathfinder_literals::{ProjectSettings, Source, Verdict};

const TREE: &str = "
    Cargo.toml = [package]
    src/lib.rs
    src/rules/mod.rs
    src/style/main.scss
    web/package.json = {}
    web/app/index.ts
    web/lib/x.js
    tests/fixtures/a.json
    crates/one/src/lib.rs
    moved src/old.rs src/rules/mod.rs
    ignore web/cache";

/// Returns the strings of one file with their verdicts.
fn rows(path: &str, contents: &str, hints: bool) -> Vec<String> {
    let mut tree = MemoryTree::new(TREE);
    tree.add(path, contents);
    let project = new_project(tree).with_settings(ProjectSettings { hints, ..ProjectSettings::default() });
    let source = Source::new(path, contents.as_bytes()).expect("a text");
    let checked = pathfinder_literals::check(&source, &project)
        .into_iter()
        .filter(|checked| checked.kind.construct() == "string");
    let rows = checked.map(|checked| {
        let verdict = match &checked.verdict {
            Verdict::Found(target) => target.path.clone(),
            Verdict::Missing(missing) => format!("{} {}", missing.severity.name(), missing.code.name()),
            Verdict::Unknown(reason) => reason.name().to_owned(),
        };
        format!("{} {} → {verdict}", checked.kind, &contents[checked.range])
    });
    rows.collect()
}

#[track_caller]
fn check(path: &str, contents: &str, expect: &[&str]) {
    assert_eq!(rows(path, contents, true), expect, "{path}: {contents}");
    assert_eq!(rows(path, contents, false), [""; 0], "only where hints are wanted");
}

/// Checks a line with one broken string.
#[track_caller]
fn missing(path: &str, contents: &str, kind: &str) {
    check(path, contents, &[&format!("{kind} src/gone.rs → hint missing-path")]);
}

#[test]
fn reads_every_language() {
    missing("src/a.rs", "fn f() { read(\"src/gone.rs\") }", "rust.string");
    missing("src/a.rs", "fn f() { x!(r#\"src/gone.rs\"#) }", "rust.string");
    missing("a.js", "read(`src/gone.rs`)", "js.string");
    missing("a.ts", "const a: string = 'src/gone.rs'", "ts.string");
    missing("a.tsx", "const a = <A b={'src/gone.rs'} />", "ts.string");
    missing("a.py", "a = open('src/gone.rs')\n", "py.string");
    missing("a.php", "<?php $a = 'src/gone.rs'; ?>", "php.string");
    missing("a.php", "<?php $a = \"src/gone.rs\"; ?>", "php.string");
    missing("a.rb", "a = File.read 'src/gone.rs'\n", "ruby.string");
    missing("a.go", "package a\nvar a = \"src/gone.rs\"\n", "go.string");
    missing("a.go", "package a\nvar a = `src/gone.rs`\n", "go.string");
    missing("A.java", "class A { String a = \"src/gone.rs\"; }", "java.string");
    missing("a.kt", "val a = \"src/gone.rs\"", "kotlin.string");
    missing("a.scala", "val a = \"src/gone.rs\"", "scala.string");
    missing("a.groovy", "def a = 'src/gone.rs'", "groovy.string");
    missing("a.dart", "var a = 'src/gone.rs';", "dart.string");
    missing("a.c", "char *a = \"src/gone.rs\";", "c.string");
    missing("a.zig", "const a = \"src/gone.rs\";", "zig.string");
}

#[test]
fn finds_targets() {
    let found = "py.string src/rules/mod.rs → src/rules/mod.rs";
    check("a.py", "a = 'src/rules/mod.rs'\n", &[found]);
    check("web/app/a.py", "a = 'src/rules/mod.rs'\n", &[found]);
    check("a.py", "a = 'src/old.rs'\n", &["py.string src/old.rs → hint moved-path"]);
    check("a.py", "a = 'Src/lib.rs'\n", &["py.string Src/lib.rs → hint case-mismatch"]);
    check("web/app/a.py", "a = '../lib/y.js'\n", &["py.string ../lib/y.js → hint missing-path"]);
    check("web/app/a.py", "a = 'lib/y.js'\n", &["py.string lib/y.js → hint missing-path"]);
}

/// Checks one string in a line of a Python file.
#[track_caller]
fn check_line(line: &str, reason: &str) {
    let found = rows("a.py", line, true);
    assert!(found.len() == 1 && found[0].ends_with(&format!(" → {reason}")), "{line}: {found:?}");
}

#[test]
fn explains_undecided_strings() {
    check_line("a = 'rules/mod.rs'\n", "undecided");
    check_line("a = 'other/mod.rs'\n", "elsewhere");
    check_line("a = './config.json'\n", "elsewhere");
    check_line("a = '../src/a.rs'\n", "outside");
    check_line("a = 'web/package.json'\n", "web/package.json");
    check_line("a = 'src/package.json'\n", "elsewhere");
    check_line("a = 'web/cache/a.json'\n", "ignored");
    check_line("a = 'web/dist/a.json'\n", "produced");
    check_line("a = 'src/style/main.css'\n", "produced");
    check_line("a = 'src/nonexistent.rs'\n", "optional");
    check_line("a = 'src/foo.rs'\n", "optional");
    check_line("a = 'src/no-rules-here.rs'\n", "optional");
    check_line("a = 'src/server.log'\n", "produced");
    check_line("open(x)\nf.write('src/gone.rs')\n", "produced");
    check_line("f.write(\n    'src/gone.rs')\n", "produced");
    check_line("run('-o', output, 'src/gone.rs')\n", "produced");
    check_line("a = join(tmp, 'src/gone.rs')\n", "produced");
    check_line("if os.path.exists('src/gone.rs'): f()\n", "optional");
    check_line("if a == 'src/gone.rs': f()\n", "dynamic");
    check_line("a.endswith('src/gone.rs')\n", "dynamic");
    check_line("a = base + 'src/gone.rs'\n", "dynamic");
    check_line("a = 'src/gone.rs' % b\n", "dynamic");
    check_line("a = {'src/gone.rs': 1}\n", "dynamic");
    check_line("layout('src/rules/gone.rs')\n", "hint missing-path");
}

#[test]
fn tests_may_name_missing_files() {
    let check = |path: &str, literal: &str, verdict: &str| {
        let found = rows(path, &format!("a = open('{literal}')\n"), true);
        assert_eq!(found, [format!("py.string {literal} → {verdict}")], "{path}");
    };
    check("tests/a.py", "src/gone.rs", "optional");
    check("src/a_test.py", "src/gone.rs", "optional");
    check("src/attest.py", "src/gone.rs", "hint missing-path");
    check("tests/a.py", "tests/none/gone.json", "optional");
    check("tests/a.py", "tests/fixtures/gone.json", "hint missing-path");
    check("tests/a.py", "fixtures/gone.json", "hint missing-path");
    let inside = "fn f() { g(\"src/gone.rs\") }\n#[cfg(test)]\nmod t { fn f() { g(\"src/gone.rs\") } }";
    let expect = ["rust.string src/gone.rs → hint missing-path", "rust.string src/gone.rs → optional"];
    assert_eq!(rows("src/a.rs", inside, true), expect);
}

#[test]
fn skips_comments_and_generated_files() {
    check("a.py", "# 'src/gone.rs'\n\"\"\"See 'src/gone.rs'.\"\"\"\n'src/gone.rs'\n", &[]);
    check("a.py", "a = \"x 'src/gone.rs' y\"\n", &[]);
    check("a.c", "// \"src/gone.rs\"\n/* \"src/gone.rs\" */ char a[] = \"b 'src/gone.rs' c\";", &[]);
    check("a.tsx", "const a = <img src='src/gone.png' />", &[]);
    check("a.php", "<img src='src/gone.png'><?php f();", &[]);
    check("a.c", "// Code generated by x. DO NOT EDIT.\nchar *a = \"src/gone.rs\";", &[]);
    check("tests/fixtures/a.py", "a = 'src/gone.rs'\n", &[]);
    check("a.min.js", "a('src/gone.rs')", &[]);
    check("a.md", "`src/gone.rs`", &[]);
}

#[test]
fn skips_literals_of_the_language() {
    check("src/a.rs", "const A: &str = include_str!(\"src/gone.rs\");", &[]);
    check("web/app/a.ts", "import a from './b/c.js';\nexport * from '../lib/y.js';\nrequire('../lib/y.js');", &[]);
    check("web/app/a.ts", "type A = import('../lib/y.js').A;\ndeclare module 'web/app/x.js' {}", &[]);
    check("a.zig", "const a = @import(\"src/gone.zig\");", &[]);
    check("a.rb", "require_relative 'src/gone.rb'\n", &[]);
    check("a.php", "<?php require 'src/gone.php';", &[]);
    check("a.dart", "import 'src/gone.dart';", &[]);
    check("a.c", "#include \"src/gone.h\"\n", &[]);
}

#[test]
fn accepts_broken_text() {
    for path in ["a.rs", "a.js", "a.py", "a.php", "a.rb", "a.go", "a.kt", "a.c", "a.dart", "a.zig"] {
        for text in ["'a/b.c'", "\"src/a.c", "'é/b.c'é", "`src/a.c`'src/b.c'\"src/d.c\"", "<?php 'src/a.c'", "'/'/'"]
        {
            rows(path, text, true);
        }
    }
}
