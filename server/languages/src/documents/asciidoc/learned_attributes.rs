//! `LearnedAttributes`: the directories that attributes lead to which a document does not set: those that all others set, or that most of the
//! files are in that are included below them.

use std::collections::{BTreeMap, BTreeSet};

use pathfinder_literals::path::parent;
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

use super::attributes::{Attributes, split};
use super::scan::is_document;
use crate::learned_bases::{base_of, below};

/// Documents that are read. More say nothing new.
const MAX_DOCUMENTS: usize = 2_000;

/// Documents that must set an attribute to the same directory; fewer are by chance.
const MIN_DOCUMENTS: usize = 3;

/// The directory of each attribute.
pub(super) struct LearnedAttributes(FxHashMap<String, String>);

impl ProjectIndex for LearnedAttributes {
    fn build(project: &Project) -> Self {
        let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut set: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        let tree = project.tree();
        for path in tree.files().iter().filter(|path| is_document(path)).take(MAX_DOCUMENTS) {
            let text = tree.read_shared(path).unwrap_or_default();
            for (name, directory) in Attributes::parse(&text, parent(path)).directories() {
                *set.entry(name).or_default().entry(directory).or_default() += 1;
            }
            for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("include::")) {
                if let Some((attribute, file)) = line.split('[').next().and_then(split) {
                    files.entry(attribute.to_owned()).or_default().insert(file.to_owned());
                }
            }
        }
        let known = files.into_iter().filter_map(|(attribute, files)| Some((attribute, base_of(project, &files)?)));
        let mut known: FxHashMap<String, String> = known.collect();
        for (name, directories) in set.into_iter().filter(|(_, directories)| directories.len() == 1) {
            let agreed = directories.into_iter().filter(|(_, documents)| *documents >= MIN_DOCUMENTS);
            known.extend(agreed.map(|(directory, _)| (name.clone(), directory)));
        }
        Self(known)
    }
}

impl LearnedAttributes {
    /// Returns the path of what is below an attribute; `None` if it is not known where that leads.
    pub(super) fn path_of(&self, attribute: &str, rest: &str) -> Option<String> {
        Some(below(self.0.get(attribute)?, rest))
    }
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
