//! Finds possible uses of a deleted path: literals with an unknown verdict that name it.

use pathfinder_literals::Checked;

use pathfinder_literals::path::is_within;

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
