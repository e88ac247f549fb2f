//! Tests of all languages: fixture tables, and a property test that any text is survived.

use std::fmt::Write as _;
use std::path::Path;

use proptest::prelude::*;

use super::{declared, is_read};

/// Each file in `fixtures` has cases: `=== path`, a text, `---`, and its symbols.
#[test]
fn reads_fixtures() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = String::new();
    for file in files {
        for case in std::fs::read_to_string(&file).unwrap().split("=== ").skip(1) {
            let (path, rest) = case.split_once('\n').unwrap();
            // The separator has a trailing space, so that texts may contain a line of dashes.
            let (text, expected) = rest.split_once("--- \n").unwrap_or_else(|| panic!("{path} in {}", file.display()));
            let mut found = String::new();
            for symbol in declared(path, text) {
                writeln!(found, "{} {}:{}", symbol.kind.name(), symbol.name, symbol.line).unwrap();
            }
            if found != expected {
                let less = expected.lines().filter(|line| !found.lines().any(|other| other == *line));
                let more = found.lines().filter(|line| !expected.lines().any(|other| other == *line));
                writeln!(
                    wrong,
                    "{path}\n  missing: {:?}\n  too much: {:?}\n  in {}",
                    less.collect::<Vec<_>>(),
                    more.collect::<Vec<_>>(),
                    file.display()
                )
                .unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn limits_generated_files() {
    let squeezed = format!("function a() {{}}{}\n", "x();".repeat(2000));
    assert_eq!(declared("a.js", &squeezed), []);
    let many: Vec<String> = (0..9000).map(|number| format!("def f{number}(): pass")).collect();
    assert_eq!(declared("a.py", &many.join("\n")).len(), super::MAX_SYMBOLS);
    let long = format!("# {}é\n", "a".repeat(super::MAX_NAME_BYTES - 1));
    assert_eq!(declared("a.md", &long)[0].name.len(), super::MAX_NAME_BYTES - 1);
}

const PATHS: [&str; 30] = [
    "a.rs",
    "a.py",
    "a.js",
    "a.ts",
    "a.tsx",
    "a.go",
    "a.java",
    "a.rb",
    "a.php",
    "a.lua",
    "a.sh",
    "a.ex",
    "a.zig",
    "a.dart",
    "a.c",
    "a.cpp",
    "a.kt",
    "a.cs",
    "a.swift",
    "a.scala",
    "a.hs",
    "a.sql",
    "a.proto",
    "a.md",
    "a.rst",
    "Makefile",
    "justfile",
    "a.tf",
    "a.vue",
    "Dockerfile",
];

/// Pieces that readers look for, so that random texts reach their branches.
const PIECES: &str = r#"(class |fun |def |create table |message |enum |\{|\}|\(|\)|<|>|"|'|`|"""|/\*|\*/|//|#|\n|é|=|:|;|\\|a\.b|FROM a AS |--- |\PC){0,60}"#;

proptest! {
    // Each case is read in thirty ways.
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn survives_any_text(text in PIECES) {
        for path in PATHS {
            assert!(is_read(path), "{path}");
            let lines = text.lines().count() as u32;
            for symbol in declared(path, &text) {
                prop_assert!((1..=lines).contains(&symbol.line), "{} {:?}", path, symbol);
            }
        }
    }
}
