//! `VirtualMocks`: modules that a test creates with `jest.mock('./x', () => …, {virtual: true})`. They need no file.

use rustc_hash::FxHashSet;

use pathfinder_literals::path::{head, join, name, parent};
use pathfinder_literals::{Project, ProjectIndex};

/// Functions that register Jest's mocks.
const CALLS: [&str; 3] = ["mock(", "doMock(", "mockModule("];

/// The most tests that are read. More would take too long.
const MAX_FILES: usize = 20_000;

/// The most manifests that are searched for Jest. A tree with more contains other projects' packages.
const MAX_MANIFESTS: usize = 2_000;

/// The longest call with its factory.
const MAX_CALL_BYTES: usize = 2_000;

/// The paths of all modules that tests of the tree create.
pub(crate) struct VirtualMocks(pub(super) FxHashSet<String>);

impl ProjectIndex for VirtualMocks {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let is_test = |path: &&String| {
            let is_script = super::script_syntax(path).is_some();
            is_script && (path.contains("test") || path.contains("spec") || path.contains("setup"))
        };
        let mut all = FxHashSet::default();
        let mut manifests = tree.files().iter().filter(|path| name(path) == "package.json").take(MAX_MANIFESTS);
        if !manifests.any(|path| tree.read_shared(path).is_some_and(|text| text.contains("jest"))) {
            return Self(all);
        }
        for path in tree.files().iter().filter(is_test).take(MAX_FILES) {
            let Some(text) = tree.read_shared(path) else { continue };
            let paths = find_virtual_mocks(&text).into_iter().filter(|written| written.starts_with('.'));
            all.extend(paths.filter_map(|written| join(parent(path), written)));
        }
        Self(all)
    }
}

/// Returns the specifiers of the calls with `virtual: true`.
pub(super) fn find_virtual_mocks(text: &str) -> Vec<&str> {
    if memchr::memmem::find(text.as_bytes(), b"virtual: true").is_none() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for call in CALLS {
        for at in memchr::memmem::find_iter(text.as_bytes(), call) {
            let rest = head(&text[at + call.len()..], MAX_CALL_BYTES).trim_start();
            let Some(mark) = rest.chars().next().filter(|mark| matches!(mark, '"' | '\'' | '`')) else { continue };
            let Some((written, rest)) = rest[1..].split_once(mark) else { continue };
            // The next call has its own options.
            let end = CALLS.iter().filter_map(|call| rest.find(call)).min().unwrap_or(rest.len());
            if rest[..end].contains("virtual: true") {
                all.push(written);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::find_virtual_mocks;

    #[test]
    fn reads_calls_with_the_option() {
        let text = "jest.mock('./a', () => 1, {virtual: true});\njest.mock('./b');\njest.doMock(\n  './c',\n  () => ({x: 1}),\n  {virtual: true},\n);";
        assert_eq!(find_virtual_mocks(text), ["./a", "./c"]);
        for text in ["jest.mock( virtual: true", "mock('a virtual: true", "mock('é", ""] {
            assert!(find_virtual_mocks(text).is_empty(), "{text}");
        }
    }
}
