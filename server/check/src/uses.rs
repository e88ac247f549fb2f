//! Finds uses of a deleted path among literals with an unknown verdict: those that led to it before, and those that name it.

use std::collections::HashMap;
use std::sync::Arc;

use pathfinder_literals::path::is_within;
use pathfinder_literals::{Checked, Missing, Severity, Source, Verdict, Want};

use super::Checker;

/// Paths that a check takes as deleted.
pub(super) struct Deletion {
    /// The paths, relative to the root.
    pub(super) paths: Vec<String>,
    /// Checks the tree that still has them.
    pub(super) before: Arc<Checker>,
}

impl Deletion {
    /// The misses of a source's literals that led to a deleted path before, by their starts (bytes).
    pub(super) fn missing_targets(&self, source: &Source<'_>) -> HashMap<usize, Missing> {
        let missing = |literal: Checked| {
            let Verdict::Found(target) = literal.verdict else { return None };
            self.paths
                .iter()
                .any(|path| is_within(&target.path, path))
                .then(|| (literal.range.start, Missing::new(target.path, Want::Any, Severity::Error)))
        };
        self.before.literals(source).into_iter().filter_map(missing).collect()
    }
}

/// Returns whether a literal with an unknown verdict may lead to one of these paths or below it: one was tried for
/// it, or its last names match. A single name is enough only behind an alias, which stands for directories.
pub(super) fn can_use(literal: &Checked, text: &str, gone: &[String]) -> bool {
    let is_tried = |gone: &String| literal.tried.iter().any(|tried| is_within(tried, gone));
    gone.iter().any(|gone| is_tried(gone) || has_last_names(text, gone))
}

/// Returns whether the last names of a literal match those of a path.
fn has_last_names(text: &str, path: &str) -> bool {
    let text = text.split(['#', '?']).next().unwrap_or(text);
    let is_alias = text.starts_with(['@', '~', '#', '$']);
    let all: Vec<&str> = text.split(['/', '\\']).filter(|segment| !matches!(*segment, "" | "." | "..")).collect();
    let said = if is_alias { all.get(1..).unwrap_or_default() } else { &all[..] };
    let mut path: Vec<&str> = path.split('/').collect();
    if path.len() > 1 && path.last().is_some_and(|name| name.starts_with("index.")) {
        path.pop();
    }
    // A path below a directory names the directory as well.
    let fits = |end: usize| {
        let pairs = said[..end].iter().rev().zip(path.iter().rev());
        let same =
            pairs.take_while(|(said, path)| said == path || bare(said) == bare(path) && !bare(said).is_empty()).count();
        same >= 2 || same == 1 && same == end && (is_alias || same == path.len())
    };
    (1..=said.len()).any(fits)
}

/// A name without its last extension.
fn bare(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::has_last_names;

    #[test]
    fn matches_last_names_of_a_path() {
        let check = |text, path, expect| assert_eq!(has_last_names(text, path), expect, "{text} {path}");
        check("@components/Card.astro", "src/components/Card.astro", true);
        check("~/components/Card", "src/components/Card.vue", true);
        check("components/Card", "src/components/Card.vue", true);
        check("Card", "src/components/Card.vue", false);
        check("react", "src/components/Card.vue", false);
        check("@scope/card", "src/other/cards.ts", false);
        check("@/components/ui/button", "src/components/ui", true);
        check("${base}/lib/util.js", "lib/util.js", true);
        check("", "lib/util.js", false);
    }
}
