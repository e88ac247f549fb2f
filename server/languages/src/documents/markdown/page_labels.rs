//! The labels that pages of `MyST` give their headings, `(label)=`: a link to `#label` leads there from any page of the documentation,
//! whose configuration a build can write.

use pathfinder_literals::path::extension;
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashSet;

/// Most pages that are read; more are no documentation by hand.
const MAX_PAGES: usize = 4096;
/// Most bytes of pages that are read: a project with a missing heading reads all of them once.
const MAX_BYTES: usize = 16 << 20;

/// The labels of all pages of a tree.
pub(super) struct PageLabels(FxHashSet<String>);

impl ProjectIndex for PageLabels {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let pages = tree.files().iter().filter(|path| extension(path) == "md").take(MAX_PAGES);
        let mut left = MAX_BYTES;
        let mut labels = FxHashSet::default();
        for text in pages.filter_map(|path| tree.read_shared(path)) {
            let Some(rest) = left.checked_sub(text.len()) else { break };
            left = rest;
            labels.extend(text.lines().filter_map(label).map(str::to_owned));
        }
        Self(labels)
    }
}

impl PageLabels {
    /// Returns whether a page has this label.
    pub(super) fn contains(&self, label: &str) -> bool {
        self.0.contains(label)
    }
}

/// The label that a line gives what follows it.
fn label(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix('(')?.strip_suffix(")=").filter(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn finds_labels_of_other_directories() {
        let check = |page: &str, expect: &str| {
            check(&format!("manual/install.md = {page}"), "docs/a.md", "# One\n[](#install-source)\n", expect);
        };
        check("(install-source)=\\n# Install", "md.link #install-source → docs/a.md");
        check("(install)=\\n# Install", "md.link #install-source → missing-anchor");
        check("f(install-source)=1", "md.link #install-source → missing-anchor");
    }
}
