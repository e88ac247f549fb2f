//! Pages that Hugo adds from data: a directory of content with `_content.gotmpl` has pages that no file shows.

use pathfinder_literals::path::{ancestors, join, name, parent};
use pathfinder_literals::{Reason, Tree, Verdict};

/// Directory of the pages of a site.
pub(crate) const CONTENT: &str = "content";

/// Returns the template that can add the page at a path.
fn find_adapter(tree: &dyn Tree, path: &str) -> Option<String> {
    if !path.split('/').any(|name| name == CONTENT) {
        return None;
    }
    // One for the whole content says nothing of a page.
    let below = ancestors(parent(path)).take_while(|directory| name(directory) != CONTENT);
    below.filter(|directory| !directory.is_empty()).find_map(|directory| {
        let names = tree.names(directory);
        // `_content.de.gotmpl` is for one language.
        let adapter = names.iter().find(|name| name.starts_with("_content.") && name.ends_with(".gotmpl"))?;
        join(directory, adapter)
    })
}

/// Makes the verdict on a missing page unknown if a template can add it. One that was a file can have become a part of the data.
pub(crate) fn suppress_if_added(tree: &dyn Tree, verdict: Verdict) -> Verdict {
    match &verdict {
        Verdict::Missing(missing) => match find_adapter(tree, &missing.wanted) {
            Some(by) => Verdict::Unknown(Reason::Produced(by)),
            None => verdict,
        },
        _ => verdict,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn leaves_pages_that_a_template_adds() {
        let tree = "hugo.yaml\ncontent/_content.gotmpl\ncontent/api/_content.gotmpl\ncontent/api/_index.md\ncontent/api/search-filters.md\ncontent/b/c.md\n\
                    moved content/api/search.md content/api/search-filters.md";
        let page =
            "{{< ref \"/api/search\" >}} {{< ref \"/api/v1/lists\" >}} {{< ref \"/b/gone\" >}} [s](../api/search.md)\n";
        check(
            tree,
            "content/b/a.md",
            page,
            "md.shortcode /api/search → unknown produced
             md.shortcode /api/v1/lists → unknown elsewhere
             md.shortcode /b/gone → missing
             md.link ../api/search.md → unknown produced",
        );
    }
}
