//! Repositories that are made to take `check` and `resolve` long. The kernel ends a run that uses too much CPU time, so that
//! a busy machine changes nothing.

use std::fmt::Write as _;
use std::fs;

use crate::tree::Tree;

/// CPU seconds that one run may take, in a debug build as well.
const CPU_SECONDS: u32 = 30;

/// A text, made of a number of segments.
type Text = fn(usize) -> String;

fn segments(count: usize) -> String {
    (0..count).fold(String::new(), |mut path, at| {
        let _ = write!(path, "d{at}/");
        path
    })
}

/// Runs a command in a tree, and gives what it says on stdout and stderr.
#[track_caller]
fn run(tree: &Tree, args: &[&str]) -> (String, String) {
    let run =
        tree.plan_after(&format!("ulimit -t {CPU_SECONDS};"), args).env("PATHFINDER_LOG", "pathfinder=debug").run();
    assert!(matches!(run.code, Some(0 | 1)), "more than {CPU_SECONDS} s of CPU time, or a failure: {args:?} {run:?}");
    (run.stdout, run.stderr)
}

/// A number that the log says of a whole check.
#[track_caller]
fn counted(log: &str, name: &str) -> usize {
    let line = log.lines().find(|line| line.contains("checked stats=")).expect("a line with the counts");
    let field = line.split_whitespace().find_map(|field| field.strip_prefix(name)?.strip_prefix('='));
    field.expect("the count").parse().unwrap()
}

/// One literal of so many segments in a file is judged, asking the disk a few times.
#[track_caller]
fn check_literal(file: &str, text: Text, count: usize, expect: &str) {
    // `d0` is there, so that something of the way is; rules have to be held against all of it.
    let tree = Tree::new(".gitignore = *.log\nd0/d1/x.h\nsrc/a.h\ncomposer.json = {}");
    let path = tree.root().join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text(count)).unwrap();
    let (stdout, log) = run(&tree, &["check", "--hints"]);
    assert!(stdout.contains(expect), "{file} of {count}: {expect} is not in {}", &stdout[..stdout.len().min(2000)]);
    let (stats, reads, proofs) = (counted(&log, "stats"), counted(&log, "reads"), counted(&log, "proofs"));
    assert!(
        stats < 100 && reads < 50 && proofs < 50,
        "{file} of {count}: {stats} stats, {reads} reads, {proofs} proofs"
    );
}

#[test]
fn literals_of_thousands_of_segments() {
    let broken = ", 1 broken";
    let cases: [(&str, Text, &str); 8] = [
        ("a.c", |count| format!("#include \"{}x.h\"\n", segments(count)), "in "),
        // Scripts of more than 300 bytes per line are not checked: they count as minified.
        ("a.js", |count| format!("{}import x from './{}x'\n", "\n".repeat(1_000), segments(count)), broken),
        ("a.md", |count| format!("[x](./{}x.md)\n", segments(count)), broken),
        ("a.md", |count| format!("[x](./{}x.md)\n", "d0/".repeat(count)), broken),
        ("a.php", |count| format!("<?php require __DIR__.'/{}x.php';\n", segments(count)), broken),
        ("a.py", |count| format!("import {}\n", segments(count).trim_end_matches('/').replace('/', ".")), "in "),
        ("a.css", |count| format!("a {{ background: url(./{}x.png) }}\n", segments(count)), "in "),
        ("a.md", |count| format!("[x](./{}x.md)\n", "a/../".repeat(count)), broken),
    ];
    for (file, text, expect) in cases {
        for count in [2_000, 10_000] {
            check_literal(file, text, count, expect);
        }
    }
}

/// A `.phpt` of 31 KB took 43 seconds.
#[test]
fn one_path_that_fills_its_file() {
    check_literal("a.phpt", |count| format!("<?php require '{}x.php';", "d/".repeat(count)), 15_000, "in ");
}

/// As deep as a path can name with single letters, and room for the root.
const LEVELS: usize = 1_900;

#[test]
fn a_tree_of_many_levels() {
    let tree = Tree::new("a.md = [x](d/gone.md)");
    fs::create_dir_all(tree.root().join("d/".repeat(LEVELS))).unwrap();
    for depth in (100..=LEVELS).step_by(100) {
        let text = format!("[a](../{}gone.md) [b](../../{}a.md)\n", "../".repeat(50), "../".repeat(99));
        fs::write(tree.root().join("d/".repeat(depth)).join("a.md"), text).unwrap();
    }
    let (stdout, _) = run(&tree, &["check"]);
    assert!(stdout.contains(&format!("{} files", LEVELS / 100 + 1)), "{stdout}");
    let (stdout, _) = run(&tree, &["resolve", "--format=json", &format!("{}gone.md", "d/".repeat(LEVELS))]);
    assert!(stdout.contains("\"status\""), "{stdout}");
}

/// Each candidate spelling is put to the proof by checking the file anew. That must not read the tree anew.
#[test]
fn proofs_ask_the_disk_once() {
    let mut text = String::new();
    for at in 0..20 {
        let _ = writeln!(text, "pkg{at}/__init__.py");
    }
    for at in 0..600 {
        let _ = writeln!(text, "pkg{}/mod{at}.py = class C{at}: pass", at % 20);
    }
    let tree = Tree::new(&text);
    let imports = (0..160).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "from pkg{}.mdo{at} import C{at}", at % 20);
        text
    });
    // Most resolve: where next to nothing does, what is missing cannot be told and no fix is looked for.
    let sound = (0..600).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "from pkg{}.mod{at} import C{at}", at % 20);
        text
    });
    fs::write(tree.root().join("main.py"), sound + &imports).unwrap();
    let (stdout, log) = run(&tree, &["check"]);
    assert!(stdout.contains(", 160 broken"), "{stdout}");
    let (stats, reads) = (counted(&log, "stats"), counted(&log, "reads"));
    assert!(stats < 20_000 && reads < 1_000, "{stats} stats, {reads} reads");
    assert!(counted(&log, "proofs") > 0 && counted(&log, "points") == 250, "{log}");
}

/// A package whose modules can be in many directories, most of which do not have it.
#[test]
fn many_modules_in_many_directories() {
    // Most resolve: where next to nothing does, what is missing cannot be told and no fix is looked for.
    let there = (0..360).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "src0/A/B{at}.hs");
        text
    });
    let roots = (0..60).map(|at| format!("src{at}")).collect::<Vec<_>>().join(", ");
    let modules = (0..400).map(|at| format!("A.B{at}")).collect::<Vec<_>>().join(", ");
    let tree = Tree::new(&(there + "src1/A/C.hs"));
    let text = format!("library\n  hs-source-dirs: {roots}\n  exposed-modules: {modules}\n");
    fs::write(tree.root().join("x.cabal"), text).unwrap();
    let (stdout, log) = run(&tree, &["check"]);
    assert!(stdout.contains(", 40 broken"), "{}", &stdout[stdout.len().saturating_sub(300)..]);
    assert!(counted(&log, "proofs") < 100, "{log}");
}

/// Direct requests are bounded as well.
#[test]
fn requests_of_thousands_of_segments() {
    let tree = Tree::new("src/lib.rs\nd0/d1/x.h");
    for path in [segments(1_400) + "x.h", segments(20_000) + "x.h", "../".repeat(2_600) + "x.h", "d0/".repeat(2_700)] {
        let run = tree.plan_after(&format!("ulimit -t {CPU_SECONDS};"), &["resolve", &path]).run();
        assert!(run.code.is_some(), "more than {CPU_SECONDS} s of CPU time: {run:?}");
    }
}

/// Findings are those of the files in their order, and the same each time, though they are printed as they come.
#[test]
fn findings_come_in_order() {
    let mut text = String::new();
    for at in 0..120 {
        let _ = writeln!(
            text,
            "docs/p{at:03}.md = [a](pp{at:03}.md) [b](p000.md) [c](p0{at:03}.md) [d](p001.md) [e](p002.md)"
        );
    }
    let tree = Tree::new(&text);
    let findings = || {
        let (stdout, _) = run(&tree, &["check", "--format=json"]);
        let lines: Vec<String> =
            stdout.lines().filter(|line| line.starts_with("{\"file\"")).map(str::to_owned).collect();
        assert_eq!(lines.len(), 240);
        lines
    };
    let first = findings();
    let files: Vec<&str> = first.iter().map(|line| &line[..25]).collect();
    assert!(files.is_sorted(), "{files:?}");
    assert_eq!(first, findings());
}
