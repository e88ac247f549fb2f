//! Test support: `MemoryTree`. Packages that test with it turn on the feature `testing`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::tree::{Kind, Moved, Tree};

/// A tree in memory, described by one entry per line: `path`, `path = contents` (`\n` is a line end), `path/`, `ignore PREFIX`,
/// `ignore *.END`, `moved FROM TO`.
pub struct MemoryTree {
    files: BTreeMap<String, String>,
    directories: BTreeSet<String>,
    ignored: Vec<String>,
    moved: BTreeMap<String, String>,
    list: Vec<String>,
}

impl MemoryTree {
    /// Creates a tree from its description.
    pub fn new(text: &str) -> Self {
        let mut tree = Self {
            files: BTreeMap::new(),
            directories: BTreeSet::new(),
            ignored: Vec::new(),
            moved: BTreeMap::new(),
            list: Vec::new(),
        };
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some(prefix) = line.strip_prefix("ignore ") {
                tree.ignored.push(prefix.to_owned());
            } else if let Some((from, to)) = line.strip_prefix("moved ").and_then(|rest| rest.split_once(' ')) {
                tree.moved.insert(from.to_owned(), to.to_owned());
            } else if let Some(directory) = line.strip_suffix('/') {
                tree.add_directories(&format!("{directory}/x"));
            } else {
                let (path, contents) = line.split_once(" = ").unwrap_or((line, ""));
                tree.add(path, &contents.replace("\\n", "\n"));
            }
        }
        tree
    }

    /// Adds a file with its directories.
    pub fn add(&mut self, path: &str, contents: &str) {
        self.add_directories(path);
        self.files.insert(path.to_owned(), contents.to_owned());
        self.list = self.files.keys().filter(|path| !self.is_ignored(path)).cloned().collect();
    }

    fn add_directories(&mut self, path: &str) {
        let ends = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
        self.directories.extend(ends);
    }
}

impl Tree for MemoryTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        if path.is_empty() || self.directories.contains(path) {
            return Some(Kind::Directory);
        }
        self.files.contains_key(path).then_some(Kind::File)
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let all = self.files.keys().chain(&self.directories);
        let below = all.filter_map(|path| path.strip_prefix(&prefix)).filter(|rest| !rest.is_empty());
        below
            .map(|rest| rest.split('/').next().unwrap_or(rest).to_owned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn files(&self) -> &[String] {
        &self.list
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.ignored.iter().any(|pattern| match pattern.strip_prefix('*') {
            Some(end) => path.split('/').any(|segment| segment.ends_with(end)),
            None => path.starts_with(pattern.as_str()),
        })
    }

    fn is_tracked(&self, _path: &str) -> Option<bool> {
        None
    }

    fn moved(&self, path: &str) -> Option<Moved> {
        let to = self.moved.get(path)?.clone();
        Some(Moved { to, commit: "1a2b3c4 (2026-03-02)".to_owned() })
    }

    fn recent_moves(&self) -> Vec<(String, Moved)> {
        let gone = self.moved.keys().filter(|from| self.kind(from).is_none());
        gone.filter_map(|from| Some((from.clone(), self.moved(from)?))).collect()
    }

    /// No text has changed since the moves.
    fn had_text_at_origin(&self, _file: &str, _origin: &str, _text: &str) -> Option<bool> {
        Some(true)
    }

    fn origins(&self, path: &str) -> Vec<String> {
        self.moved.iter().filter(|(_, to)| *to == path).map(|(from, _)| from.clone()).collect()
    }
}
