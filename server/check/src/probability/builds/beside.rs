//! Files that are put beside another one before it is read: by the project of a help file, by a container, or since directories of one
//! name are laid over each other.

use memchr::memmem;
use pathfinder_literals::path::{self, extension, is_within, name, parent};
use pathfinder_literals::{Checked, Project, Verdict};

use super::{MAX_BYTES, is_build_file};
use crate::source_tree::SourceTree;

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

/// Returns whether a page names a script beside a missing sheet that is missing too: a bundler writes both, `options.js` and `options.css`.
pub(in super::super) fn is_made_with_script(literals: &[Checked], wanted: &str) -> bool {
    let Some(stem) = wanted.strip_suffix(".css") else { return false };
    let is_script = |path: &String| path.strip_prefix(stem).is_some_and(|ending| matches!(ending, ".js" | ".mjs"));
    literals.iter().any(|other| match &other.verdict {
        Verdict::Found(_) => false,
        Verdict::Missing(missing) => is_script(&missing.wanted),
        Verdict::Unknown(_) => other.tried.iter().any(is_script),
    })
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
