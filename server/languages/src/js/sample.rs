//! Recognizes scripts that are samples, templates or test inputs rather than code of the project. Their targets often
//! need not exist.

use super::extensions::is_asset;
use pathfinder_literals::Tree;
use pathfinder_literals::path::{extension, parent};
use pathfinder_literals::report::{is_fixture, without_code_names};

/// Words in names of directories with samples, templates or deliberately broken code.
const SAMPLE_WORDS: [&str; 11] = [
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
/// Fixture names that are ordinary directories below a directory of code.
const CODE_DIRECTORIES: [&str; 5] = ["deps", "external", "externals", "skeleton", "specs"];
/// Directories of tests and examples in a project of another language.
const TEST_DIRECTORIES: [&str; 8] = ["bench", "benches", "benchmarks", "example", "spec", "test", "testing", "tests"];
/// Manifests of projects in other languages.
const FOREIGN_MANIFESTS: [&str; 6] = ["Cargo.toml", "go.mod", "pyproject.toml", "setup.py", "pom.xml", "build.gradle"];

/// Returns whether a file that names this target is a sample.
pub(super) fn is_sample(tree: &dyn Tree, file: &str, target: &str) -> bool {
    // `__tests__` and `__mocks__` contain ordinary code, as does a directory with the name of foreign code below a
    // directory of code.
    let is_code = |before: &[&str], segment: &str| {
        matches!(segment, "__tests__" | "__mocks__")
            || CODE_DIRECTORIES.contains(&segment)
                && before.iter().any(|above| matches!(*above, "src" | "app" | "components"))
    };
    let named = without_code_names(file);
    let all: Vec<&str> = named.as_deref().unwrap_or(file).split('/').collect();
    let own = all.iter().enumerate().filter(|(index, segment)| !is_code(&all[..*index], segment));
    let own: Vec<&str> = own.map(|(_, segment)| *segment).collect();
    let mut directories = own.iter().rev().skip(1);
    is_fixture(&own.join("/"))
        || directories.any(|segment| SAMPLE_WORDS.iter().any(|word| segment.contains(word)))
        || is_input(tree, file, target)
        || is_foreign_test(tree, file)
}

/// Returns whether a component in a test directory, that is no test itself, names an asset: it is a test input.
fn is_input(tree: &dyn Tree, file: &str, target: &str) -> bool {
    let is_tests = parent(file).split('/').any(|segment| matches!(segment, "test" | "tests" | "__tests__"));
    let is_test = [".test.", ".spec."].iter().any(|mark| file.contains(mark));
    is_tests && !is_test && is_asset(&format!(".{}", extension(target))) && tree.kind(target).is_none()
}

/// Returns whether a file is a test.
pub(super) fn is_test(file: &str) -> bool {
    [".test.", ".spec.", "__tests__/", "test/", "tests/"].iter().any(|mark| file.contains(mark))
}

/// Returns whether a file belongs to the tests of a project in another language, and to no package.
fn is_foreign_test(tree: &dyn Tree, file: &str) -> bool {
    let mut at = parent(file);
    while !at.is_empty() {
        let above = parent(at);
        let exists = |name: &str, directory: &str| {
            pathfinder_literals::path::join(directory, name).is_some_and(|path| tree.kind(&path).is_some())
        };
        if exists("package.json", at) {
            return false;
        }
        if TEST_DIRECTORIES.contains(&pathfinder_literals::path::name(at))
            && FOREIGN_MANIFESTS.iter().any(|name| exists(name, above))
        {
            return !exists("package.json", above);
        }
        at = above;
    }
    false
}
