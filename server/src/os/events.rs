//! What happened below a root, told from what the disk has now at the paths that somebody says have changed.

use std::fs::Metadata;
use std::path::Path;

use pathfinder_core::index::{Change, Snapshot};
use pathfinder_core::{Kind, RelPath};

use super::bytes;
use super::git::DOT_GIT;
use super::walk::{WalkOptions, hides, listed};

/// Entries that come by single steps at most: each new one is held against the ignore rules by itself. More are a checkout
/// or an unpacked archive, for which reading the whole tree anew is faster.
const MOST: usize = 500;

/// The differences between a snapshot and the disk at these paths (relative to the root, canonical) and below them;
/// `None` if they are too many to be told one by one.
pub(crate) fn look(root: &Path, options: &WalkOptions, snapshot: &Snapshot, paths: &[RelPath]) -> Option<Vec<Change>> {
    let mut looked = Looked { root, options, snapshot, changes: Vec::new() };
    let mut paths: Vec<&[u8]> = paths.iter().map(|path| looked.highest_new(path.as_bytes())).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        looked.path(path)?;
    }
    Some(looked.changes)
}

struct Looked<'a> {
    root: &'a Path,
    options: &'a WalkOptions,
    snapshot: &'a Snapshot,
    changes: Vec<Change>,
}

impl Looked<'_> {
    /// The path, or the highest of its parents that is new or gone: with it comes or goes all that is below.
    fn highest_new<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        let ends = path.iter().enumerate().filter(|&(_, &byte)| byte == b'/').map(|(at, _)| at);
        let known = |path: &[u8]| self.snapshot.get(path) == Some(Kind::Directory);
        let there = |path: &[u8]| self.metadata(path).is_some_and(|it| it.is_dir());
        let mut parents = ends.map(|end| &path[..end]);
        parents.find(|parent| !known(parent) || !there(parent)).unwrap_or(path)
    }

    fn metadata(&self, path: &[u8]) -> Option<Metadata> {
        self.root.join(bytes::to_path(path)?).symlink_metadata().ok()
    }

    fn path(&mut self, path: &[u8]) -> Option<()> {
        if path.is_empty() || path.split(|&byte| byte == b'/').any(|segment| segment == DOT_GIT.as_bytes()) {
            return Some(());
        }
        let known = self.snapshot.get(path);
        let there = self.metadata(path).as_ref().map(kind);
        if known == there {
            return Some(());
        }
        if known.is_some() {
            self.push(Change::Removed(RelPath::new(path)))?;
        }
        match there {
            Some(kind) if !hides(self.root, self.options, path) => self.added(path, kind),
            _ => Some(()),
        }
    }

    fn added(&mut self, path: &[u8], kind: Kind) -> Option<()> {
        self.push(Change::Added(RelPath::new(path), kind))?;
        if kind != Kind::Directory {
            return Some(());
        }
        let wanted = listed(self.root, self.options, path);
        let names = self.root.join(bytes::to_path(path)?).read_dir();
        for entry in names.into_iter().flatten().flatten() {
            let name = bytes::of(&entry.file_name()).into_owned();
            if name == DOT_GIT.as_bytes() || wanted.as_ref().is_some_and(|wanted| !wanted.contains(&name)) {
                continue;
            }
            let below = [path, b"/", &name].concat();
            if let Some(kind) = self.metadata(&below).as_ref().map(self::kind) {
                self.added(&below, kind)?;
            }
        }
        Some(())
    }

    fn push(&mut self, change: Change) -> Option<()> {
        self.changes.push(change);
        (self.changes.len() <= MOST).then_some(())
    }
}

fn kind(metadata: &Metadata) -> Kind {
    if metadata.is_dir() {
        Kind::Directory
    } else if metadata.is_symlink() {
        Kind::Symlink
    } else {
        Kind::File
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::os::tests::tree::Tree;
    use crate::os::walk::walk;

    /// Runs commands in a tree; what is told of these paths, `+` or `-` before each.
    #[track_caller]
    fn check(tree: &str, commands: &str, paths: &[&str], expect: &str) {
        let tree = Tree::new(tree);
        let root = tree.root("");
        let options = WalkOptions::default();
        let snapshot = Snapshot::build(&walk(&root, &options).expect("a root").found, Vec::new());
        tree.run(commands);
        let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::from(*path)).collect();
        let changes = look(&root.canonical, &options, &snapshot, &paths).expect("few changes");
        let mut told: Vec<String> = changes
            .iter()
            .map(|change| match change {
                Change::Added(path, _) => format!("+{}", path.text()),
                Change::Removed(path) => format!("-{}", path.text()),
            })
            .collect();
        told.sort();
        assert_eq!(told.join(" "), expect, "{commands}");
        // The snapshot then is what a walk finds.
        let walked = Snapshot::build(&walk(&root, &options).expect("a root").found, Vec::new());
        assert_eq!(snapshot.apply(&changes).entries(), walked.entries(), "{commands}");
    }

    #[test]
    fn changes() {
        let tree = "$ git init -q\n.gitignore: out\\n*.log\na/b.rs\na/c/d.rs\ne.rs";
        check(tree, "touch a/new.rs", &["a/new.rs"], "+a/new.rs");
        check(tree, "rm e.rs", &["e.rs"], "-e.rs");
        check(tree, "echo x > e.rs", &["e.rs"], "");
        check(tree, "mv a z", &["a", "z"], "+z +z/b.rs +z/c +z/c/d.rs -a");
        // Only what lies deepest is told: what is above follows from it.
        check(tree, "mkdir -p x/y && touch x/y/z.rs", &["x/y/z.rs"], "+x +x/y +x/y/z.rs");
        check(tree, "rm -r a", &["a/c/d.rs", "a/b.rs"], "-a");
        check(tree, "mkdir out && touch out/x q.log", &["out/x", "out", "q.log"], "");
        check(tree, "git add -A", &[".git/index"], "");
        check(tree, "rm e.rs && mkdir e.rs && touch e.rs/f", &["e.rs"], "+e.rs +e.rs/f -e.rs");
        check(tree, "mkdir n && touch n/a.log n/a.rs", &["n"], "+n +n/a.rs");
        check(tree, "ln -s a l", &["l"], "+l");
    }
}
