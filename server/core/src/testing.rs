//! `Tree`: a root in memory for tests, with its text form, its snapshot and its probe.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use crate::index::{Package, Snapshot, WalkedEntries};
use crate::probe::{Kind, Presence, Probe};
use crate::query::RootPaths;
use crate::{Engine, Request, Root, Status};

/// The absolute path of every tree's root.
pub(crate) const ROOT: &str = "/home/me/project";

/// Entries by path, and what the files contain. Parents are entries too.
#[derive(Clone, Default)]
pub(crate) struct Tree {
    entries: BTreeMap<Vec<u8>, Kind>,
    contents: BTreeMap<Vec<u8>, String>,
    packages: Vec<Package>,
    /// Files of the project that a sparse checkout leaves out.
    left_out: BTreeSet<Vec<u8>>,
}

impl Tree {
    /// Parses one entry per line: `file`, `file = contents`, `directory/`, `link -> target`, `package NAME =
    /// DIRECTORY`, `left out FILE`. `\xNN` is one byte of a name.
    pub(crate) fn new(text: &str) -> Self {
        let mut tree = Self::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if let Some((name, directory)) = line.strip_prefix("package ").and_then(|line| line.split_once(" = ")) {
                tree.packages.push(Package { name: name.to_owned(), directory: directory.into() });
            } else if let Some(file) = line.strip_prefix("left out ") {
                tree.left_out.insert(unescaped(file));
            } else if let Some((link, _)) = line.split_once(" -> ") {
                tree.add(&unescaped(link), Kind::Symlink);
            } else if let Some(directory) = line.strip_suffix('/') {
                tree.add(&unescaped(directory), Kind::Directory);
            } else {
                let (file, contents) = line.split_once(" = ").unwrap_or((line, ""));
                tree.add(&unescaped(file), Kind::File);
                tree.contents.insert(unescaped(file), contents.to_owned());
            }
        }
        tree
    }

    /// Creates a tree by adding these entries in order.
    pub(crate) fn from_entries(entries: &[(Vec<u8>, Kind)]) -> Self {
        let mut tree = Self::default();
        for (path, kind) in entries {
            tree.add(path, *kind);
        }
        tree
    }

    /// Adds an entry as a file system would: its parents become directories, and only a directory keeps entries below
    /// it.
    pub(crate) fn add(&mut self, path: &[u8], kind: Kind) {
        for parent in parents(path) {
            self.entries.insert(parent.to_vec(), Kind::Directory);
        }
        if kind != Kind::Directory {
            self.remove(path);
        }
        self.entries.insert(path.to_vec(), kind);
    }

    /// Removes an entry and all below it.
    pub(crate) fn remove(&mut self, path: &[u8]) {
        let below = [path, b"/"].concat();
        self.entries.retain(|other, _| other != path && !other.starts_with(&below));
    }

    /// All entries, sorted by path.
    pub(crate) fn entries(&self) -> Vec<(Vec<u8>, Kind)> {
        self.entries.iter().map(|(path, &kind)| (path.clone(), kind)).collect()
    }

    /// Returns the entries that a walk finds.
    pub(crate) fn found(&self) -> WalkedEntries {
        let mut found = WalkedEntries::default();
        self.entries.iter().for_each(|(path, &kind)| found.push_path(path, kind));
        found
    }

    /// Builds a snapshot of all entries.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot::build(&[self.found()], self.packages.clone())
    }

    /// Creates an engine with this tree as its only root.
    pub(crate) fn engine(&self) -> Engine {
        engine(self.snapshot())
    }

    /// Resolves a request with an engine over this tree, which is also the disk.
    pub(crate) fn ask(&self, request: &Request) -> crate::Answer {
        self.engine().resolve(request, self).expect("a request that can be answered")
    }
}

/// Prints the text form, so that a failing case can be read.
impl fmt::Debug for Tree {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, kind) in &self.entries {
            let mark = match kind {
                Kind::File => "",
                Kind::Directory => "/",
                Kind::Symlink => " -> somewhere",
            };
            writeln!(out, "{}{mark}", path.escape_ascii())?;
        }
        Ok(())
    }
}

/// Checks whether a request in a tree is resolved.
#[track_caller]
pub(crate) fn check_resolved(tree: &str, asked: &str, is_resolved: bool) {
    let answer = Tree::new(tree).ask(&Request::new(asked));
    assert_eq!(answer.status == Status::Resolved, is_resolved, "{asked}: {} {}", answer.confidence, answer.why);
}

/// Creates an engine with one root.
pub(crate) fn engine(snapshot: Snapshot) -> Engine {
    let place = RootPaths { absolute: vec![ROOT.to_owned()] };
    Engine::new(
        vec![Root {
            given: "root".to_owned(),
            place,
            snapshot,
            renames: Arc::default(),
            frecency: Arc::default(),
            symbols: crate::symbols::Symbols::default(),
        }],
        None,
        Some("/home/me".to_owned()),
    )
}

impl Probe for Tree {
    fn root_gone(&self, _root: usize) -> Option<String> {
        None
    }

    fn presence(&self, _root: usize, path: &[u8]) -> Presence {
        if path.split(|&byte| byte == b'/').any(|segment| segment == b"..") {
            return Presence::Outside;
        }
        if path.is_empty() {
            return Presence::Present(Kind::Directory);
        }
        self.entries.get(path).map_or(Presence::Absent, |&kind| Presence::Present(kind))
    }

    /// Every entry that exists and is not indexed counts as ignored in these trees.
    fn is_ignored(&self, _root: usize, _path: &[u8]) -> bool {
        true
    }

    fn is_left_out(&self, _root: usize, path: &[u8]) -> bool {
        self.left_out.contains(path)
    }

    fn contains(&self, _root: usize, path: &[u8], text: &str) -> Option<bool> {
        self.contents.get(path).map(|contents| contents.contains(text))
    }
}

/// Returns all directories that contain a path, innermost first, without the root.
fn parents(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    path.iter().enumerate().rev().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| &path[..at])
}

fn unescaped(name: &str) -> Vec<u8> {
    let mut parts = name.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(byte, 16).expect("\\x and two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
