//! `check`: misses that are alike in several places are made by a program or read from elsewhere, and a fix of what programs have read for
//! a month is for a person to choose.

use crate::probability::{committed, history, rows};

/// A path that programs have read for a month is not edited unasked: it is read from elsewhere, or not at all.
#[test]
fn prefers_no_fix_of_what_programs_have_read_for_long() {
    let check = |file: &str, text: &str, days: u32, expect: &str| {
        let first = format!("mkdir -p docs tools .github; seq 9 > tools/make.py; {text} > {file}");
        let moved = "mkdir -p tools/build; git mv tools/make.py tools/build/make.py";
        let tree = history(&[(1, &first), (2, moved), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]), [expect], "{file} {days}");
    };
    let script = "echo 'python3 tools/make.py'";
    check("run.sh", script, 20, "run.sh tools/make.py → tools/build/make.py!");
    check("run.sh", script, 40, "run.sh tools/make.py → tools/build/make.py?");
    check("docs/a.md", "echo '[x](../tools/make.py)'", 40, "docs/a.md ../tools/make.py → ../tools/build/make.py!");
}

/// Modules that are all named in another style than their directories are read by a program that knows how.
#[test]
fn leaves_names_in_another_style() {
    let check = |names: &[(&str, &str)], expect: usize| {
        let module = |(_, module): &(&str, &str)| format!("<module>{module}</module>");
        let file = |(directory, _): &(&str, &str)| format!("{directory}/pom.xml = <project/>\n");
        let [modules, files]: [String; 2] = [names.iter().map(module).collect(), names.iter().map(file).collect()];
        let tree = format!("{files}pom.xml = <project><modules>{modules}</modules></project>");
        assert_eq!(rows(&committed(&tree), &[]).len(), expect, "{names:?}");
    };
    let names =
        [("NoOutput", "no-output"), ("OneFile", "one-file"), ("TwoFiles", "two-files"), ("SomeTests", "some-tests")];
    check(&names, 0);
    check(&names[..3], 3);
}

/// Data files of which many name what is gone tell of the past.
#[test]
fn leaves_records_of_what_was_there() {
    let check = |count: usize, days: u32, expect: usize| {
        let record = |at: usize| {
            format!(
                "echo '{{\"changes\": [\"src/own.py\", \"src/util.py\", \"src/x{at}.py\"]}}' > data/{at}.json; echo > src/x{at}.py; "
            )
        };
        let records: String = (0..count).map(record).collect();
        let first = format!("mkdir -p src data; seq 9 > src/own.py; echo > src/util.py; {records}");
        let moved = "mkdir lib; git mv src/own.py lib/own.py";
        let tree = history(&[(1, &first), (2, moved), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{count} {days}");
    };
    check(9, 40, 0);
    check(9, 20, 9);
    check(8, 40, 8);
}

/// A list of many files that moved long ago tells of the past; one of few, or of files that moved lately, was left behind.
#[test]
fn leaves_lists_of_what_is_long_gone() {
    let check = |moved: u32, days: u32, expect: usize| {
        let names: Vec<String> = (0..20).map(|at| format!("\"src/{at}.ts\"")).collect();
        let files = "mkdir -p src lib; for i in $(seq 0 19); do echo $i-$i-$i > src/$i.ts; done";
        let first = format!("{files}; echo '[{}]' > texts.json", names.join(", "));
        let move_them = format!("for i in $(seq 1 {moved}); do git mv src/$i.ts lib/; done");
        let tree = history(&[(1, &first), (2, &move_them), (2 + days, "echo x > x.txt")]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{moved} {days}");
    };
    check(8, 40, 0);
    check(7, 40, 7);
    check(8, 10, 8);
}

/// No fix is sure among literals of a form of which most lead nowhere: it is unknown how they are read.
#[test]
fn prefers_no_fix_in_an_unknown_form() {
    let fix = |strange: usize| {
        let page = |at: usize| format!("echo '[x](lost{at}.md) [y](gone{at}.md)' > docs/p{at}.md; ");
        let known = "for i in 1 2 3 4; do echo \"[x](b$i.md)\" > docs/k$i.md; echo $i > docs/b$i.md; done";
        let pages: String = (0..strange).map(page).collect();
        let first =
            format!("mkdir -p docs; {known}; {pages}echo '# Guide' > docs/guide.md; echo '[x](guide.md)' > docs/a.md");
        let tree = history(&[(1, &first), (2, "mkdir docs/new; git mv docs/guide.md docs/new/guide.md")]);
        rows(&tree, &[]).into_iter().find(|row| row.starts_with("docs/a.md"))
    };
    assert_eq!(fix(0).as_deref(), Some("docs/a.md guide.md → new/guide.md!"));
    assert_eq!(fix(12).as_deref(), Some("docs/a.md guide.md → new/guide.md?"));
}

/// The directory that all files left is no other place of what was in it.
#[test]
fn prefers_a_move_that_left_an_empty_directory() {
    let files = "printf 'module x.org/a\n' > go.mod; mkdir -p events/fakes; seq 9 > events/fakes/f.go; \
                 printf 'package a\nimport _ \"x.org/a/events/fakes\"\n' > a.go";
    let moved = "mkdir events/mock; git mv events/fakes/f.go events/mock/f.go; mkdir -p events/fakes";
    let tree = history(&[(1, files), (2, moved)]);
    assert_eq!(rows(&tree, &[]), ["a.go x.org/a/events/fakes → x.org/a/events/mock!"]);
}

/// So many pages that request one name, each in its own directory, were written by a program, which leaves that page out.
#[test]
fn leaves_what_many_pages_request_alike() {
    let check = |count: usize, expect: usize| {
        let page = "<!doctype html><html><a href=\"index.html\">i</a><a href=\"package-tree.html\">t</a></html>";
        let pages = |at: usize| format!("api/p{at}/index.html = {page}\n");
        let tree = (0..count).map(pages).collect::<String>();
        assert_eq!(rows(&committed(&tree), &[]).len(), expect, "{count}");
    };
    check(20, 20);
    check(21, 0);
}

/// The author of a move went through the tests that moved with it, and left what they only speak of.
#[test]
fn leaves_strings_of_tests_that_moved() {
    let check = |moved: &str, expect: &[&str]| {
        let first =
            "mkdir -p scripts/pr; seq 9 > scripts/run.mjs; echo 'check(\"scripts/run.mjs\");' > scripts/run.test.mjs";
        let tree = history(&[(1, first), (2, moved)]);
        assert_eq!(rows(&tree, &[]), expect, "{moved}");
    };
    check("git mv scripts/run.mjs scripts/pr/", &["scripts/run.test.mjs scripts/run.mjs → scripts/pr/run.mjs?"]);
    check("git mv scripts/run.mjs scripts/run.test.mjs scripts/pr/", &[]);
}

/// A page of today does not lead to one of an old version, in which a moved page can lie.
#[test]
fn prefers_no_page_of_an_old_version() {
    let check = |to: &str, expect: &str| {
        let first = "mkdir -p docs versioned_docs/version-1; touch docusaurus.config.js; seq 9 > docs/start.md; echo '[s](./start.md)' > docs/a.md";
        let tree = history(&[(1, first), (2, &format!("mkdir -p docs/old; git mv docs/start.md {to}"))]);
        assert_eq!(rows(&tree, &[]), [expect], "{to}");
    };
    check("docs/old/start.md", "docs/a.md ./start.md → ./old/start.md!");
    check("versioned_docs/version-1/start.md", "docs/a.md ./start.md → ../versioned_docs/version-1/start.md?");
}

/// History lists files. The directory of a package was there if it had some, whatever became of their names.
#[test]
fn reports_packages_that_are_gone() {
    let check = |package: &str, expect: usize| {
        let first = format!(
            "mkdir -p adapters/old adapters/a; printf 'module m\\n\\ngo 1.22\\n' > go.mod; printf 'package a\\n' > adapters/a/a.go; \
             printf 'package old\\n\\nfunc A() int {{ return 1 }}\\n' > adapters/old/old.go; seq 60 > adapters/list; \
             printf 'package main\\n\\nimport (\\n\\t\"m/adapters/a\"\\n\\t\"m/adapters/{package}\"\\n)\\n' > main.go; \
             mkdir other; for n in $(seq 60); do echo $n > other/$n.txt; done"
        );
        let gone = "git rm -q -r adapters/old other; mkdir adapters/new; printf 'package new\\n\\nfunc B() {}\\n' > adapters/new/new.go";
        let tree = history(&[(1, &first), (40, gone)]);
        assert_eq!(rows(&tree, &[]).len(), expect, "{package}");
    };
    check("old", 1);
    check("never", 0);
}
