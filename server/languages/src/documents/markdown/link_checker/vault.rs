//! Resolves links in a vault of Obsidian, which looks for a path from the root of the vault too, and for a name in all of it.
//!
//! See <https://help.obsidian.md/links>: "shortest path when possible" is the default for new links.

use super::{LinkChecker, LinkOutcome};
use pathfinder_literals::path::{ancestors, extension, is_within, join, strip_parent_steps};
use pathfinder_literals::{Kind, Project, Target, Verdict};

/// Files with the end of a link that are looked at; more share a name that no link would have alone.
const MAX_NAMESAKES: usize = 64;

/// Returns the root of the vault of a directory: the nearest one above with the settings of Obsidian.
pub(super) fn root_of(project: &Project, directory: &str) -> Option<String> {
    let has_settings =
        |at: &&str| join(at, ".obsidian").is_some_and(|it| project.tree().kind(&it) == Some(Kind::Directory));
    ancestors(directory).find(has_settings).map(str::to_owned)
}

impl LinkChecker<'_> {
    /// Returns the outcome of a link in a vault that leads to a file in another way than from its page.
    pub(super) fn resolve_in_vault(&self, path: &str) -> Option<LinkOutcome> {
        let vault = self.vault.as_deref()?;
        let tail = strip_parent_steps(path)?;
        let names = [tail.clone(), format!("{tail}.md")];
        let names = &names[..if extension(&tail) == "md" { 1 } else { 2 }];
        let found = names.iter().find_map(|name| {
            let from_root = join(vault, name).filter(|path| self.project.tree().kind(path) == Some(Kind::File));
            let in_vault = |path: &&&str| vault.is_empty() || is_within(path, vault);
            let anywhere = || {
                let all = self.project.find_all_by_suffix(name, MAX_NAMESAKES);
                all.iter().find(in_vault).map(|path| (*path).to_owned())
            };
            from_root.or_else(anywhere)
        })?;
        Some(LinkOutcome::from((Verdict::Found(Target { path: found.clone() }), vec![found])))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn resolves_links_in_a_vault() {
        let vault = "v/.obsidian/app.json\nv/notes/a.md\nv/pages/x/b.md\nb/c.md";
        let links = "[a](pages/x/b.md) [b](b.md) [d](gone.md) [e](c.md)";
        let expect = "md.link pages/x/b.md → v/pages/x/b.md\nmd.link b.md → v/pages/x/b.md\n\
                      md.link gone.md → missing\nmd.link c.md → missing";
        check(vault, "v/notes/a.md", links, expect);
        check(&vault.replace(".obsidian", "other"), "v/notes/a.md", "[b](b.md)", "md.link b.md → missing");
    }
}
