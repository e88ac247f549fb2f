//! Modules that a test makes up: `jest.mock('./x', () => …, {virtual: true})`. No file has to be there.

use rustc_hash::FxHashSet;

use crate::path::{head, join, name, parent};
use crate::project::Project;
use crate::project_index::ProjectIndex;

/// Words by which Jest's mocks are registered.
const CALLS: [&str; 3] = ["mock(", "doMock(", "mockModule("];

/// More tests than this are not read: the answer would come too late to be of use.
const MAX_FILES: usize = 20_000;

/// A tree with more manifests than this is one of packages that somebody else tests.
const MAX_MANIFESTS: usize = 2_000;

/// A call with its factory is not longer than this.
const MAX_CALL_BYTES: usize = 2_000;

/// The paths of all modules that tests of the tree make up.
pub(crate) struct VirtualMocks(pub(super) FxHashSet<String>);

impl ProjectIndex for VirtualMocks {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let is_test = |path: &&String| {
            let is_script = super::script(path).is_some();
            is_script && (path.contains("test") || path.contains("spec") || path.contains("setup"))
        };
        let mut all = FxHashSet::default();
        let mut manifests = tree.files().iter().filter(|path| name(path) == "package.json").take(MAX_MANIFESTS);
        if !manifests.any(|path| tree.read(path).is_some_and(|text| text.contains("jest"))) {
            return Self(all);
        }
        for path in tree.files().iter().filter(is_test).take(MAX_FILES) {
            let Some(text) = tree.read(path) else { continue };
            let paths = virtual_mocks(&text).into_iter().filter(|written| written.starts_with('.'));
            all.extend(paths.filter_map(|written| join(parent(path), written)));
        }
        Self(all)
    }
}

/// What the calls of a text name that say `virtual: true`.
pub(super) fn virtual_mocks(text: &str) -> Vec<&str> {
    if memchr::memmem::find(text.as_bytes(), b"virtual: true").is_none() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for call in CALLS {
        for at in memchr::memmem::find_iter(text.as_bytes(), call) {
            let rest = head(&text[at + call.len()..], MAX_CALL_BYTES).trim_start();
            let Some(mark) = rest.chars().next().filter(|mark| matches!(mark, '"' | '\'' | '`')) else { continue };
            let Some((written, rest)) = rest[1..].split_once(mark) else { continue };
            // The next call has options of its own.
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
    use super::virtual_mocks;

    #[test]
    fn reads_calls_with_the_option() {
        let text = "jest.mock('./a', () => 1, {virtual: true});\njest.mock('./b');\njest.doMock(\n  './c',\n  () => ({x: 1}),\n  {virtual: true},\n);";
        assert_eq!(virtual_mocks(text), ["./a", "./c"]);
        for text in ["jest.mock( virtual: true", "mock('a virtual: true", "mock('é", ""] {
            assert!(virtual_mocks(text).is_empty(), "{text}");
        }
    }
}
