//! Which scripts are no code of the project, but input or output of it: what they name is often not meant to be there.

use super::endings::is_asset;
use crate::path::{extension, parent};
use crate::report::is_fixture;
use crate::tree::Tree;

/// Parts of the names of directories that hold what is no code yet, or is wrong on purpose.
const WORDS: [&str; 11] = [
    "blueprint",
    "boilerplate",
    "broken",
    "fixture",
    "invalid",
    "missing",
    "scaffold",
    "stub",
    "template",
    "test-suite",
    "test_suite",
];
/// Names of directories that say nothing of what is code already.
const CODE: [&str; 5] = ["deps", "external", "externals", "skeleton", "specs"];
/// Directories of a project that is written in another language, in which scripts are what it is tried with.
const TRIED: [&str; 8] = ["bench", "benches", "benchmarks", "example", "spec", "test", "testing", "tests"];
/// What says that a directory is such a project.
const OTHERS: [&str; 6] = ["Cargo.toml", "go.mod", "pyproject.toml", "setup.py", "pom.xml", "build.gradle"];

/// Whether a file that names this target is no code of the project.
pub(super) fn is_sample(tree: &dyn Tree, file: &str, target: &str) -> bool {
    // Tests of scripts lie in `__tests__`, what stands for modules in `__mocks__`: both are code like any other. So is
    // what has the name of foreign code below a directory of code.
    let is_code = |before: &[&str], segment: &str| {
        matches!(segment, "__tests__" | "__mocks__")
            || CODE.contains(&segment) && before.iter().any(|above| matches!(*above, "src" | "app" | "components"))
    };
    let all: Vec<&str> = file.split('/').collect();
    let own = all.iter().enumerate().filter(|(index, segment)| !is_code(&all[..*index], segment));
    let own: Vec<&str> = own.map(|(_, segment)| *segment).collect();
    let mut directories = own.iter().rev().skip(1);
    is_fixture(&own.join("/"))
        || directories.any(|segment| WORDS.iter().any(|word| segment.contains(word)))
        || is_input(tree, file, target)
        || is_foreign(tree, file)
}

/// Whether a component in a directory of tests, that is no test itself, names a picture: it is what a test reads.
fn is_input(tree: &dyn Tree, file: &str, target: &str) -> bool {
    let is_tests = parent(file).split('/').any(|segment| matches!(segment, "test" | "tests" | "__tests__"));
    let is_test = [".test.", ".spec."].iter().any(|mark| file.contains(mark));
    is_tests && !is_test && is_asset(&format!(".{}", extension(target))) && tree.kind(target).is_none()
}

/// Whether a file is a test.
pub(super) fn is_test(file: &str) -> bool {
    [".test.", ".spec.", "__tests__/", "test/", "tests/"].iter().any(|mark| file.contains(mark))
}

/// Whether a file lies in the tests of a project in another language, and in no package of its own.
fn is_foreign(tree: &dyn Tree, file: &str) -> bool {
    let mut at = parent(file);
    while !at.is_empty() {
        let above = parent(at);
        let there = |name: &str, directory: &str| {
            crate::path::join(directory, name).is_some_and(|path| tree.kind(&path).is_some())
        };
        if there("package.json", at) {
            return false;
        }
        if TRIED.contains(&crate::path::name(at)) && OTHERS.iter().any(|name| there(name, above)) {
            return !there("package.json", above);
        }
        at = above;
    }
    false
}
