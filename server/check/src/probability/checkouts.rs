//! Directories into which workflows of the repository check out other repositories: what lies there is missing only here.

use pathfinder_literals::path::{ancestors, extension, is_within, parent};
use pathfinder_syntax::data::{Node, yaml};

use crate::source_tree::SourceTree;

/// Workflows that are read; a repository with more of them repeats its checkouts.
const MAX_WORKFLOWS: usize = 64;
/// A larger workflow is generated, and its checkouts are those of the smaller ones.
const MAX_BYTES: usize = 256 << 10;

/// Directories that are kept: each miss is compared with all. Projects have a few.
const MAX_DIRECTORIES: usize = 256;

/// Reads the directories of all checkouts of other repositories.
pub(super) fn read(tree: &dyn SourceTree) -> Vec<String> {
    let names = tree.names(".github/workflows");
    let is_workflow = |name: &&String| matches!(extension(name).as_str(), "yml" | "yaml");
    let mut all = Vec::new();
    for name in names.iter().filter(is_workflow).take(MAX_WORKFLOWS) {
        let text = tree.read_shared(&format!(".github/workflows/{name}"));
        // Most workflows check out nothing else, and are not parsed.
        if let Some(text) = text.filter(|text| text.len() <= MAX_BYTES && text.contains("repository:")) {
            all.extend(yaml::read(&text).iter().flat_map(foreign_directories));
        }
    }
    all.sort_unstable();
    all.dedup();
    all.truncate(MAX_DIRECTORIES);
    all
}

/// The directories of a workflow into which it checks out other repositories.
fn foreign_directories(workflow: &Node<'_>) -> Vec<String> {
    let steps = workflow.values("jobs.*.steps.with");
    // Another commit of the own repository has what the tree has.
    let is_foreign = |name: &Node<'_>| name.str().is_some_and(|name| !name.contains("github.repository"));
    let foreign = steps.filter(|with| with.get("repository").is_some_and(is_foreign));
    let paths = foreign.filter_map(|with| with.get("path").and_then(Node::str));
    let paths = paths.map(|path| path.trim_start_matches("./").trim_end_matches('/'));
    paths.filter(|path| !path.is_empty() && !path.contains('$')).map(str::to_owned).collect()
}

/// Returns whether a missing path lies in a directory that a workflow checks out, or in one of the same last two names: a workflow puts
/// together a site in a directory of its own.
pub(super) fn contain(directories: &[String], wanted: &str) -> bool {
    let ends_alike = |above: &str, directory: &str| {
        !parent(above).is_empty() && directory.strip_suffix(above).is_some_and(|rest| rest.ends_with('/'))
    };
    directories.iter().any(|directory| {
        is_within(wanted, directory) || ancestors(parent(wanted)).any(|above| ends_alike(above, directory))
    })
}

#[cfg(test)]
mod tests {
    use pathfinder_syntax::data::yaml;

    use super::{contain, foreign_directories};

    #[test]
    fn finds_directories_of_other_repositories() {
        let text = "jobs:\n  a:\n    steps:\n    - uses: actions/checkout@v4\n    - uses: actions/checkout@v4\n      with:\n        \
                    repository: b/c\n        path: ./site/docs/c/\n    - uses: actions/checkout@v4\n      with:\n        path: own\n    - with:\n        repository: ${{ github.repository }}\n        path: site/own/d\n";
        let directories = yaml::read(text).iter().flat_map(foreign_directories).collect::<Vec<_>>();
        assert_eq!(directories, ["site/docs/c"]);
        let check = |wanted: &str, expect: bool| assert_eq!(contain(&directories, wanted), expect, "{wanted}");
        check("site/docs/c/d.md", true);
        check("docs/c/e/d.md", true);
        check("c/d.md", false);
        check("docs/d.md", false);
        check("docs/c", false);
        check("my-docs/c/d.md", false);
    }
}
