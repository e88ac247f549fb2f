//! `LearnedAttributes`: the directories that attributes lead to which no document sets, learned from the files that are included below them.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_literals::path::extension;
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

use crate::learned_bases::{base_of, below, is_plain};

/// Documents that are read. More say nothing new.
const MAX_DOCUMENTS: usize = 2_000;

/// The directory of each attribute.
pub(super) struct LearnedAttributes(FxHashMap<String, String>);

impl ProjectIndex for LearnedAttributes {
    fn build(project: &Project) -> Self {
        let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let tree = project.tree();
        let is_document = |path: &&String| matches!(extension(path).as_str(), "adoc" | "asciidoc" | "asc");
        for path in tree.files().iter().filter(is_document).take(MAX_DOCUMENTS) {
            let text = tree.read_shared(path).unwrap_or_default();
            for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("include::")) {
                if let Some((attribute, file)) = line.split('[').next().and_then(split_attribute) {
                    files.entry(attribute.to_owned()).or_default().insert(file.to_owned());
                }
            }
        }
        let known = files.into_iter().filter_map(|(attribute, files)| Some((attribute, base_of(project, &files)?)));
        Self(known.collect())
    }
}

impl LearnedAttributes {
    /// Returns the path of a target below an attribute; `None` if it is not known where that leads.
    pub(super) fn path_of(&self, written: &str) -> Option<String> {
        let (attribute, rest) = split_attribute(written)?;
        Some(below(self.0.get(attribute)?, rest))
    }
}

/// The attribute at the beginning of a target, and the plain path below it.
fn split_attribute(written: &str) -> Option<(&str, &str)> {
    let (attribute, rest) = written.strip_prefix('{')?.split_once('}')?;
    let rest = rest.strip_prefix('/')?;
    let is_name = attribute.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    (is_name && is_plain(rest)).then_some((attribute, rest))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn learns_where_an_attribute_leads() {
        let files = ["A", "B", "C", "D", "E", "F", "G", "H"];
        let tree = files
            .map(|name| format!("src/main/java/{name}.java\ndocs/{name}.adoc = include::{{code}}/{name}.java[]\n"));
        let tree =
            format!("{}src/main/java/New.java\nmoved src/main/java/Old.java src/main/java/New.java", tree.concat());
        check(
            &tree,
            "docs/x.adoc",
            "include::{code}/A.java[tag=a]\ninclude::{code}/Old.java[]\ninclude::{code}/Made.java[]\ninclude::{other}/A.java[]\n",
            "adoc.include {code}/A.java → src/main/java/A.java
             adoc.include {code}/Old.java → moved
             adoc.include {code}/Made.java → unknown elsewhere
             adoc.include {other}/A.java → unknown dynamic",
        );
    }
}
