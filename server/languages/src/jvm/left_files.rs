//! `LeftFiles`: the files that recent commits moved out of their package, for imports of names that no path tells.

use pathfinder_literals::path::{extension, is_within, name, parent};
use pathfinder_literals::{Project, ProjectIndex};
use rustc_hash::FxHashMap;

use super::SOURCE_EXTENSIONS;
use super::packages::JvmPackages;
use super::scan::FileHeader;

/// Files of the JVM that recent commits moved, by the last name of the directory that they left.
pub(super) struct LeftFiles(FxHashMap<String, Vec<LeftFile>>);

struct LeftFile {
    from: String,
    to: String,
    /// The package that the file declares now.
    package: String,
}

impl ProjectIndex for LeftFiles {
    fn build(project: &Project) -> Self {
        let mut left: FxHashMap<String, Vec<LeftFile>> = FxHashMap::default();
        let mut moves = project.tree().recent_moves();
        // Ties break by path.
        moves.sort_by(|one, other| one.0.cmp(&other.0));
        for (from, moved) in moves {
            let ending = extension(&moved.to);
            if !SOURCE_EXTENSIONS.contains(&ending.as_str()) || parent(&from) == parent(&moved.to) {
                continue;
            }
            let Some(text) = project.tree().read_shared(&moved.to) else { continue };
            let package = FileHeader::parse(&text, &ending).package;
            left.entry(name(parent(&from)).to_owned()).or_default().push(LeftFile { from, to: moved.to, package });
        }
        Self(left)
    }
}

impl LeftFiles {
    /// The earlier path of a file that left a package directory, below whatever root, and declares this name.
    pub(super) fn find(&self, project: &Project, directory: &str, member: &str) -> Option<String> {
        let tree = project.tree();
        let is_of_package = |left: &&LeftFile| {
            let base = parent(&left.from).strip_suffix(directory);
            base.is_some_and(|base| base.is_empty() || base.ends_with('/')) && !is_within(&left.to, parent(&left.from))
        };
        let declares = |left: &&LeftFile| {
            let index = project.index::<JvmPackages>().declaring_file(tree, &left.package, member);
            index.and_then(|index| tree.files().get(index as usize)).is_some_and(|path| *path == left.to)
        };
        let all = self.0.get(name(directory)).into_iter().flatten();
        all.filter(is_of_package).find(declares).map(|left| left.from.clone())
    }
}
