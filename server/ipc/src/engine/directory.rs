//! The deepest existing directory above a missing path, and a list of its names.

use std::collections::BTreeMap;
use std::path::Path;

use pathfinder_core::{Kind, Presence, Probe as _, RelPath};

use super::withheld;
use crate::question::{DirectorySummary, ExistingDirectory};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_protocol::paths::{RootName, display_path};

/// Names in a list: some 200 tokens, as many as five candidates with a question.
const MAX_NAMES: usize = 40;
/// File extensions that are counted where a directory has more names than that.
const MAX_EXTENSIONS: usize = 8;

/// Returns the deepest existing directory above a path.
pub(super) fn find_deepest(workspace: &WorkspaceSnapshot, asked: &str) -> Option<ExistingDirectory> {
    let asked = asked.replace('\\', "/");
    let roots = workspace.opened();
    let (root, below) = if Path::new(&asked).is_absolute() {
        let inside = |canonical: &Path| Path::new(&asked).strip_prefix(canonical).ok().map(Path::to_path_buf);
        roots.iter().enumerate().find_map(|(at, opened)| Some((at, inside(&opened.root.canonical)?)))?
    } else {
        // With several roots a relative path has no definite root.
        if roots.len() > 1 {
            return None;
        }
        (0, Path::new(&asked).to_path_buf())
    };
    let below = below.to_str()?;
    let mut directory: Vec<&str> = below.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    if directory.contains(&"..") {
        return None;
    }
    let snapshot = &workspace.engine().roots()[root].snapshot;
    while directory.pop().is_some() {
        if directory.is_empty() || snapshot.get(directory.join("/").as_bytes()) == Some(Kind::Directory) {
            return Some(ExistingDirectory { root, path: RelPath::new(directory.join("/")) });
        }
    }
    None
}

/// Lists a directory: its names, or the first of them and the number of entries per extension. `None` for a directory without names
/// that can be shown.
pub(super) fn summarize(workspace: &WorkspaceSnapshot, directory: &ExistingDirectory) -> Option<DirectorySummary> {
    let root = directory.root;
    // Another process may name any path.
    let path = RelPath::plain(directory.path.as_bytes())?;
    let directory = path.as_bytes();
    let children = workspace.engine().roots().get(root)?.snapshot.children(directory);
    let below = |name: &[u8]| if directory.is_empty() { name.to_vec() } else { [directory, b"/", name].concat() };
    let is_there = |name: &[u8]| {
        let path = below(name);
        matches!(workspace.probe().presence(root, &path), Presence::Present(_))
            && withheld::is_shown(workspace, root, &RelPath::new(path))
    };
    let shown = |name: &[u8], kind: Kind| {
        format!("{}{}", String::from_utf8_lossy(name), if kind == Kind::Directory { "/" } else { "" })
    };
    let there = children.iter().filter(|(name, _)| is_there(name));
    let entries: Vec<String> = there.take(MAX_NAMES).map(|(name, kind)| shown(name, *kind)).collect();
    if entries.is_empty() {
        return None;
    }
    let shown = display_path(&RootName::list(workspace), root, &path);
    let mut summary = DirectorySummary { directory: shown, entries, more: None, endings: Vec::new() };
    if children.len() > MAX_NAMES {
        let mut endings: BTreeMap<String, usize> = BTreeMap::new();
        for (name, kind) in &children {
            let dot = name.iter().rposition(|&byte| byte == b'.').filter(|&at| at > 0);
            let ending = match (kind, dot) {
                (Kind::Directory, _) => "/".to_owned(),
                (_, Some(dot)) => String::from_utf8_lossy(&name[dot..]).into_owned(),
                (_, None) => "no ending".to_owned(),
            };
            *endings.entry(ending).or_default() += 1;
        }
        let mut counted: Vec<(String, usize)> = endings.into_iter().collect();
        counted.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        counted.truncate(MAX_EXTENSIONS);
        summary.more = Some(children.len() - MAX_NAMES);
        summary.endings = counted;
    }
    Some(summary)
}
