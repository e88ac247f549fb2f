//! Checks paths in texts that tell people or agents how the project is now: `README.md`, `CLAUDE.md`, `SKILL.md`, `.claude/rules`.
//!
//! Such a text names files in prose and in commands, which no rule reads. One that a recent commit moved is named wrongly there.

use pathfinder_literals::path::{name, parent};
use pathfinder_literals::report::{is_fixture, is_vendored};
use pathfinder_literals::{Checked, Project, Source};

use super::kinds;
use crate::path_words;

/// Adds the words of a guide that a recent move made stale.
pub(super) fn check(source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
    if is_guide(source.path()) {
        path_words::check_moved(source, project, kinds::STRING, found);
    }
}

/// Returns whether a text tells people or agents how the project is now. Others can tell of a plan or of the past.
fn is_guide(path: &str) -> bool {
    const NAMES: [&str; 26] = [
        "agents",
        "architecture",
        "build",
        "building",
        "claude",
        "contributing",
        "copilot-instructions",
        "debugging",
        "deployment",
        "developing",
        "development",
        "gemini",
        "getting-started",
        "getting_started",
        "hacking",
        "install",
        "installation",
        "maintaining",
        "quickstart",
        "readme",
        "releasing",
        "setup",
        "skill",
        "testing",
        "tutorial",
        "usage",
    ];
    const DIRECTORIES: [&str; 3] = ["instructions", "rules", "skills"];
    let stem = name(path).split('.').next().unwrap_or_default().to_ascii_lowercase();
    // `.claude/rules/style.md`, `.github/instructions/tests.instructions.md`.
    let is_hidden = path.starts_with('.') && parent(path).split('/').any(|above| DIRECTORIES.contains(&above));
    (NAMES.contains(&stem.as_str()) || is_hidden) && !is_fixture(path) && !is_vendored(path)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_paths_that_moved_in_guides() {
        let tree = "src/new/a.rs\nmoved src/a.rs src/new/a.rs";
        let stale = "md.string src/a.rs → moved";
        check(tree, "README.md", "See `src/a.rs`.\n", stale);
        check(tree, ".claude/rules/x.md", "- read src/a.rs first\n", stale);
        check(tree, "README.md", "```sh\ncat ../src/a.rs\n```\n", "md.string ../src/a.rs → moved");
        check(tree, "README.md", "`src/a.rs` is now `src/new/a.rs`\n", "md.string src/new/a.rs → src/new/a.rs");
        check(tree, "README.md", "Files that have moved:\n\n- `src/a.rs`\n", "");
        check(tree, "README.md", "See `src/b.rs`, `a.rs`, https://x.org/src/a.rs, `src/a.rs:*`.\n", stale);
        check(tree, "README.md", "[a]({% link src/a.rs %})\n", "");
        let renamed = "src/calls.rs\nmoved src/a.rs src/calls.rs";
        check(renamed, "README.md", "See `src/a.rs`.\n", stale);
        check(renamed, "README.md", "The module `crate::calls` has it;\nkeep `src/a.rs` removed.\n", "");
        check(tree, "docs/development.md", "See `src/a.rs`.\n", stale);
        check(tree, "docs/plan.md", "See `src/a.rs`.\n", "");
        check(tree, "fixtures/README.md", "See `src/a.rs`.\n", "");
    }
}
