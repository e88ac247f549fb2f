//! Files that are put beside another one before it is read: by the project of a help file, by a container, or since directories of one
//! name are laid over each other.

use std::collections::BTreeSet;

use memchr::memmem;
use pathfinder_literals::path::{self, extension, is_within, name, parent};
use pathfinder_literals::{Checked, LiteralKind, Project, Verdict};

use super::{MAX_BYTES, is_build_file};
use crate::source_tree::{HistoryVerdict, SourceTree};

/// Returns whether a build file or a list of a project beside a page names a file of another directory that the page has beside itself:
/// `../../style.css` in the project of a help file, which is packed flat.
pub(super) fn is_put_beside(tree: &dyn SourceTree, file: &str, last: &str) -> bool {
    let is_list = |other: &&String| is_build_file(other) || extension(other) == "hhp";
    let is_elsewhere = |text: &[u8]| {
        memmem::find_iter(text, last).any(|at| {
            let is_path = text[..at].ends_with(b"/") || text[..at].ends_with(b"\\");
            is_path && text.get(at + last.len()).is_none_or(u8::is_ascii_whitespace)
        })
    };
    tree.names(parent(file)).iter().filter(is_list).any(|other| {
        path::join(parent(file), other)
            .and_then(|path| tree.read_shared(&path))
            .is_some_and(|text| text.len() <= MAX_BYTES && is_elsewhere(text.as_bytes()))
    })
}

/// Returns whether a build makes a missing path that a literal of this kind names, by what is beside it or names it with it.
pub(in super::super) fn is_made_beside(
    tree: &dyn SourceTree,
    kind: LiteralKind,
    literals: &[Checked],
    wanted: &str,
) -> bool {
    let is_of_page = kind.language() == "html";
    is_output_beside(tree, wanted)
        || is_of_page && (is_made_with_script(literals, wanted) || is_made_with_others(tree, literals, wanted))
}

/// Returns whether a build file beside a path, or beside a directory above it, says that its build writes that: `output : 'types'` in the
/// `meson.build` beside `types`. A directory with files like the missing one is not written.
fn is_output_beside(tree: &dyn SourceTree, wanted: &str) -> bool {
    /// A directory that is written whole is not much higher.
    const MAX_LEVELS: usize = 3;
    /// A directory with more names holds data, and a miss looks at all of them.
    const MAX_NAMES: usize = 2_000;
    let is_like = |other: &String| extension(other) == extension(wanted);
    let is_small = |path: &str| tree.names(path).len() <= MAX_NAMES;
    let is_open = |path: &&str| {
        !path.is_empty() && is_small(path) && is_small(parent(path)) && !tree.names(path).iter().any(is_like)
    };
    path::ancestors(wanted).take(MAX_LEVELS).take_while(is_open).any(|path| {
        let text = |build: &String| path::join(parent(path), build).and_then(|build| tree.read_shared(&build));
        let names = tree.names(parent(path));
        let mut texts = names.iter().filter(|other| is_build_file(other)).filter_map(text);
        texts.any(|text| text.len() <= MAX_BYTES && is_output(&text, name(path)))
    })
}

/// Returns whether a build file lists a name among the outputs of a target.
fn is_output(text: &str, name: &str) -> bool {
    const OUTPUTS: [&str; 3] = ["output", "OUTPUT", "outs"];
    /// Before the name stand the other outputs of its target.
    const MAX_DISTANCE: usize = 256;
    let is_limit = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ',' | '(' | ')' | '[' | ']' | ':' | '=');
    memmem::find_iter(text.as_bytes(), name).any(|at| {
        let before = &text[text.floor_char_boundary(at.saturating_sub(MAX_DISTANCE))..at];
        let list_of = |word: &str| {
            let key = before.rfind(word)?;
            let list = &before[key + word.len()..];
            (before[..key].ends_with(is_limit) && list.starts_with(is_limit)).then_some(list)
        };
        let listed = OUTPUTS.iter().filter_map(|word| list_of(word)).min_by_key(|list| list.len());
        // One sign is that of the key; another begins the next argument.
        let is_open = |list: &str| !list.contains([')', ']', '}']) && list.matches([':', '=']).count() <= 1;
        listed.is_some_and(|list| list.ends_with(is_limit) && is_open(list))
            && text[at + name.len()..].starts_with(is_limit)
    })
}

/// Returns whether a page names a script beside a missing sheet that is missing too: a bundler writes both, `options.js` and `options.css`.
fn is_made_with_script(literals: &[Checked], wanted: &str) -> bool {
    let Some(stem) = wanted.strip_suffix(".css") else { return false };
    let is_script = |path: &String| path.strip_prefix(stem).is_some_and(|ending| matches!(ending, ".js" | ".mjs"));
    literals.iter().any(|other| match &other.verdict {
        Verdict::Found(_) => false,
        Verdict::Missing(missing) => is_script(&missing.wanted),
        Verdict::Unknown(_) => other.tried.iter().any(is_script),
    })
}

/// Returns whether a page names several scripts and sheets of one directory that are missing and that git never had: a build compiles them, or
/// copies them from packages.
fn is_made_with_others(tree: &dyn SourceTree, literals: &[Checked], wanted: &str) -> bool {
    /// Fewer can be mistakes.
    const MIN_MADE: usize = 3;
    /// A page with more misses is one that was saved.
    const MAX_COMPARED: usize = 64;
    let is_made = |path: &str| matches!(extension(path).as_str(), "css" | "js" | "mjs");
    let like = |other: &Checked| match &other.verdict {
        Verdict::Missing(missing) if missing.instead.is_none() && parent(&missing.wanted) == parent(wanted) => {
            is_made(&missing.wanted).then(|| missing.wanted.clone())
        }
        _ => None,
    };
    if !is_made(wanted) {
        return false;
    }
    let like: BTreeSet<String> = literals.iter().filter_map(like).take(MAX_COMPARED).collect();
    like.len() >= MIN_MADE
        && like.iter().filter(|path| tree.history(path) == HistoryVerdict::Never).count() >= MIN_MADE
        && tree.history(wanted) == HistoryVerdict::Never
}

/// Returns whether a Compose file beside a file mounts it into another directory: `./index.html:/usr/share/nginx/html/index.html`.
pub(super) fn is_mounted(tree: &dyn SourceTree, file: &str) -> bool {
    let is_compose = |other: &&String| {
        (other.starts_with("compose") || other.starts_with("docker-compose"))
            && matches!(extension(other).as_str(), "yml" | "yaml")
    };
    let mount = format!("/{}:/", name(file));
    tree.names(parent(file)).iter().filter(is_compose).any(|other| {
        path::join(parent(file), other)
            .and_then(|path| tree.read_shared(&path))
            .is_some_and(|text| text.len() <= MAX_BYTES && text.contains(&mount))
    })
}

/// Returns whether another directory of the name and inner path of a page's has what is missing in its own: `plugins/a/web/images/x.png`
/// for `web/images/x.png`, named by `web/start.html`. What lays them over each other need not be in the tree.
pub(super) fn is_overlaid(project: &Project, file: &str, wanted: &str) -> bool {
    let directory = parent(file);
    !directory.is_empty()
        && is_within(wanted, directory)
        && project.find_all_by_suffix(wanted, 2).iter().any(|other| *other != wanted)
}

#[cfg(test)]
mod tests {
    use super::is_output;

    #[test]
    fn recognises_outputs() {
        let check = |text: &str, expect| assert_eq!(is_output(text, "types"), expect, "{text}");
        check("x = custom_target(\n  output : 'types',\n  env : e)", true);
        check("custom_target(output: ['a.md', 'types'])", true);
        check("genrule(outs = [\"a\", \"types\"])", true);
        check("add_custom_command(OUTPUT types DEPENDS a)", true);
        check("custom_target(output : 'a', input : 'types')", false);
        check("custom_target(output : 'a')\nfiles('types')", false);
        check("custom_target(output : 'types.md')", false);
        check("custom_target(output : 'subtypes')", false);
        check("set(CMAKE_OUTPUT_DIRECTORY types)", false);
        check("set(OUTPUT_DIRECTORY types)", false);
        check("types", false);
    }
}
