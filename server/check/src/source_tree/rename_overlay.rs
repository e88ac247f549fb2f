//! `RenameOverlay`: a source tree after moves that have not happened yet; used for an editor's rename requests. The declared packages of
//! moved files follow them, and configuration files can have edits that belong to the moves.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use pathfinder_literals::{Kind, Moved, Tree, text_after_move};

use pathfinder_literals::path::is_within;

use super::SourceTree;

/// A source tree after some moves.
pub(crate) struct RenameOverlay {
    tree: Arc<dyn SourceTree>,
    /// Moves (from, to); none lies inside another.
    moves: Vec<(String, String)>,
    files: Vec<String>,
    /// Texts of files that are edited together with the moves, by their paths after the moves.
    edited: HashMap<String, String>,
}

impl RenameOverlay {
    /// A tree after these moves, with these texts of files by their paths after them. A path that a move overwrites is gone.
    pub(crate) fn new(
        tree: Arc<dyn SourceTree>,
        moves: Vec<(String, String)>,
        edited: HashMap<String, String>,
    ) -> Self {
        let after = |path: &String| {
            let own = moves.iter().find(|(from, _)| is_within(path, from));
            own.map_or_else(|| path.clone(), |(from, to)| format!("{to}{}", &path[from.len()..]))
        };
        let files: BTreeSet<String> = tree.files().iter().map(after).collect();
        Self { files: files.into_iter().collect(), moves, tree, edited }
    }

    /// Maps a path after the moves to its path before them; `None` if no path maps to it.
    fn before(&self, path: &str) -> Option<String> {
        if let Some((from, to)) = self.moves.iter().find(|(_, to)| is_within(path, to)) {
            return Some(format!("{from}{}", &path[to.len()..]));
        }
        (!self.moves.iter().any(|(from, _)| is_within(path, from))).then(|| path.to_owned())
    }

    /// Returns whether a directory exists because something moves into it.
    fn is_created(&self, path: &str) -> bool {
        self.moves.iter().any(|(_, to)| to != path && is_within(to, path))
    }
}

impl Tree for RenameOverlay {
    fn kind(&self, path: &str) -> Option<Kind> {
        let kind = self.before(path).and_then(|before| self.tree.kind(&before));
        kind.or_else(|| self.is_created(path).then_some(Kind::Directory))
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let below = |name: &str| if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        let names = self.before(directory).map(|before| self.tree.names(&before));
        let mut names: BTreeSet<String> = names.iter().flat_map(|names| names.iter().cloned()).collect();
        names.retain(|name| self.kind(&below(name)).is_some());
        for (_, to) in &self.moves {
            let rest = if directory.is_empty() {
                Some(to.as_str())
            } else {
                to.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'))
            };
            names.extend(rest.and_then(|rest| rest.split('/').next()).map(str::to_owned));
        }
        names.into_iter().collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        if let Some(text) = self.edited.get(path) {
            return Some(text.clone());
        }
        let before = self.before(path)?;
        let text = self.tree.read(&before)?;
        if before == path {
            return Some(text);
        }
        let tree: &dyn Tree = &*self.tree;
        Some(text_after_move(pathfinder_languages::ALL, tree, &before, path, &text).unwrap_or(text))
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.tree.is_ignored(path)
    }

    fn is_tracked(&self, path: &str) -> Option<bool> {
        // A tracked file stays tracked when it moves.
        self.tree.is_tracked(&self.before(path).unwrap_or_else(|| path.to_owned()))
    }

    fn moved(&self, path: &str) -> Option<Moved> {
        self.tree.moved(path)
    }

    fn origins(&self, path: &str) -> Vec<String> {
        self.tree.origins(path)
    }

    fn had_text_at_origin(&self, file: &str, origin: &str, text: &str) -> Option<bool> {
        self.tree.had_text_at_origin(file, origin, text)
    }

    fn was_left_at_move(&self, file: &str, origin: &str, text: &str) -> bool {
        self.tree.was_left_at_move(file, origin, text)
    }
}

impl SourceTree for RenameOverlay {
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.tree.bytes(&self.before(path)?)
    }
}
