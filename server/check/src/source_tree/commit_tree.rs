//! `CommitTree`: a root as it is in a commit or a merge of two commits.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use gix::objs::tree::EntryKind;
use pathfinder_literals::{Kind, Moved, Tree};

use super::{MAX_FILE_BYTES, SourceTree, decode};
use pathfinder_vfs::commit::{Commits, TreeEntries, TreeEntry};
use pathfinder_vfs::ignores::Ignores;

/// Longest chain of links. Git has no limit; systems stop at forty.
const MAX_LINKS: usize = 8;

/// The entries of a commit, readable as a source tree.
pub(crate) struct CommitTree {
    commits: Arc<Commits>,
    entries: TreeEntries,
    /// Every entry that is a file, sorted.
    files: Vec<String>,
    directories: BTreeSet<String>,
    /// Today's ignore rules: a path that is ignored today was hardly expected in the commit.
    ignores: Ignores,
    /// The entries of the commit that the tree is compared with, if it is.
    earlier: Option<TreeEntries>,
}

impl CommitTree {
    /// Compares the tree with a commit.
    pub(crate) fn with_earlier(self, entries: TreeEntries) -> Self {
        Self { earlier: Some(entries), ..self }
    }

    /// Opens these entries of a repository for a root (canonical).
    pub(crate) fn new(commits: Arc<Commits>, entries: TreeEntries, root: &Path) -> Self {
        let mut directories = BTreeSet::new();
        for (path, entry) in &entries {
            let ends = path.match_indices('/').map(|(at, _)| path[..at].to_owned());
            directories.extend(ends);
            // A submodule is a directory with unknown contents.
            if entry.kind == EntryKind::Commit {
                directories.insert(path.clone());
            }
        }
        let files = entries.iter().filter(|(_, entry)| entry.kind != EntryKind::Commit);
        let files = files.map(|(path, _)| path.clone()).collect();
        Self { commits, entries, files, directories, ignores: Ignores::new(root, None), earlier: None }
    }

    /// The entry at a path, links followed; `None` if it is a directory, leads out of the root, or does not exist.
    fn entry(&self, path: &str) -> Option<TreeEntry> {
        let mut at = path.to_owned();
        for _ in 0..MAX_LINKS {
            let entry = *self.entries.get(&at)?;
            if entry.kind != EntryKind::Link {
                return Some(entry);
            }
            at = self.link_target(&at, entry)?;
        }
        None
    }

    /// The target of a link; `None` if it leads out of the root.
    fn link_target(&self, path: &str, link: TreeEntry) -> Option<String> {
        let target = String::from_utf8(self.commits.read(link, MAX_FILE_BYTES)?).ok()?;
        let mut segments: Vec<&str> = path.split('/').collect();
        segments.pop();
        for segment in target.split('/') {
            match segment {
                "" | "." => {}
                ".." => _ = segments.pop()?,
                name => segments.push(name),
            }
        }
        (!target.starts_with('/')).then(|| segments.join("/"))
    }
}

impl Tree for CommitTree {
    fn kind(&self, path: &str) -> Option<Kind> {
        if path.is_empty() || self.directories.contains(path) {
            return Some(Kind::Directory);
        }
        let entry = self.entries.get(path)?;
        if entry.kind != EntryKind::Link {
            return Some(Kind::File);
        }
        match self.link_target(path, *entry) {
            Some(to) if self.directories.contains(&to) => Some(Kind::Directory),
            Some(to) if self.entry(&to).is_some() => Some(Kind::File),
            Some(_) => None,
            None => Some(Kind::Elsewhere),
        }
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let below = self.entries.range(prefix.clone()..).map_while(|(path, _)| path.strip_prefix(&prefix));
        let names = below.map(|rest| rest.split('/').next().unwrap_or(rest).to_owned());
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn read(&self, path: &str) -> Option<String> {
        decode(self.bytes(path)?)
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.ignores.is_ignored(path)
    }

    fn is_tracked(&self, path: &str) -> Option<bool> {
        Some(self.entries.contains_key(path))
    }

    fn moved(&self, _path: &str) -> Option<Moved> {
        None
    }

    fn was_there(&self, path: &str) -> bool {
        self.earlier.as_ref().is_some_and(|earlier| earlier.contains_key(path)) && self.kind(path).is_none()
    }

    fn origins(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }
}

impl SourceTree for CommitTree {
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        self.commits.read(self.entry(path)?, MAX_FILE_BYTES)
    }
}
