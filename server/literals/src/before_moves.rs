//! `BeforeMoves`: the project as it was before the moves that git recorded lately.
//!
//! A literal that led to a file there, and to nothing now, is broken by the move, whatever its language says of it today: the header of
//! an include directory that has become a library's, the module of a package of which nothing is left.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::check::check_at_current_path;
use crate::checked::Checked;
use crate::path::{is_within, name, parent};
use crate::project::Project;
use crate::project_index::ProjectIndex;
use crate::reverse_dependencies::is_index_file;
use crate::source::Source;
use crate::tree::{Kind, Moved, Tree};

/// The project before its recent moves, if there are any.
pub(crate) struct BeforeMoves {
    project: Option<Project>,
    /// Moves by the earlier path.
    moves: Arc<BTreeMap<String, Moved>>,
    /// Names without their extensions, one of which is in each literal that led to a moved file.
    words: FxHashSet<String>,
}

impl ProjectIndex for BeforeMoves {
    fn build(project: &Project) -> Self {
        let moves: Arc<BTreeMap<String, Moved>> = Arc::new(project.tree().recent_moves().into_iter().collect());
        let mut words = FxHashSet::default();
        for from in moves.keys() {
            let is_named = |directory: &&str| project.tree().kind(directory).is_none();
            let own = is_index_file(from).then(|| parent(from));
            let directories = own.into_iter().chain(above(from).filter(is_named)).map(name);
            // Sass leaves out the underscore of a partial file.
            let partial = stem(name(from)).strip_prefix('_');
            words.extend(directories.chain([name(from)]).map(stem).chain(partial).map(str::to_owned));
        }
        let before = |()| {
            let tree = UndoneMoves::new(project.shared_tree(), Arc::clone(&moves));
            Project::new(Arc::new(tree), project.languages()).with_settings(project.settings().clone())
        };
        Self { project: (!moves.is_empty()).then_some(()).map(before), moves, words }
    }
}

impl BeforeMoves {
    /// Returns whether a text contains the name of a moved file, or of a directory that its files left.
    pub(crate) fn can_name_moved(&self, text: &str) -> bool {
        self.project.is_some() && text.split(['/', '\\', '.', ':', '#', '?']).any(|name| self.words.contains(name))
    }

    /// Returns the literals of a file as they were before the moves.
    pub(crate) fn check(&self, source: &Source<'_>) -> Vec<Checked> {
        let Some(project) = &self.project else { return Vec::new() };
        let own = self.moves.iter().find(|(_, moved)| moved.to == source.path());
        let path = own.map_or(source.path(), |(from, _)| from);
        check_at_current_path(&source.at(path), project)
    }

    /// Returns where a file or directory of the earlier tree is now, with the commit; `None` if it did not move, or not as a whole.
    pub(crate) fn target_of(&self, path: &str) -> Option<Moved> {
        if let Some(moved) = self.moves.get(path) {
            return Some(moved.clone());
        }
        let below = self.moves.range(path.to_owned()..).take_while(|(from, _)| from.starts_with(path));
        let mut below = below.filter(|(from, _)| is_within(from, path));
        let directory = |(from, moved): (&String, &Moved)| {
            let to = moved.to.strip_suffix(&from[path.len()..])?;
            Some(Moved { to: to.to_owned(), commit: moved.commit.clone() })
        };
        let first = directory(below.next()?)?;
        let is_whole = self.project.as_ref().is_some_and(|before| {
            let files = before.tree().files();
            let start = files.partition_point(|file| file.as_str() < path);
            let here = files[start..].iter().take_while(|file| file.starts_with(path));
            here.filter(|file| is_within(file, path)).all(|file| self.moves.contains_key(file))
        });
        (is_whole && below.all(|one| directory(one).is_some_and(|other| other.to == first.to))).then_some(first)
    }
}

/// Returns the directories of a path, the nearest first, without the root.
fn above(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[..at])
}

fn stem(name: &str) -> &str {
    name.split('.').find(|part| !part.is_empty()).unwrap_or(name)
}

/// A tree whose moved files are still at their earlier paths.
struct UndoneMoves {
    tree: Arc<dyn Tree>,
    moves: Arc<BTreeMap<String, Moved>>,
    /// Files at their new paths, and directories that have no others.
    gone: FxHashSet<String>,
    /// Directories of the earlier paths.
    directories: FxHashSet<String>,
    files: Vec<String>,
}

impl UndoneMoves {
    fn new(tree: Arc<dyn Tree>, moves: Arc<BTreeMap<String, Moved>>) -> Self {
        let mut gone: FxHashSet<String> = moves.values().map(|moved| moved.to.clone()).collect();
        let mut files: Vec<String> = tree.files().iter().filter(|file| !gone.contains(*file)).cloned().collect();
        files.extend(moves.keys().cloned());
        files.sort();
        files.dedup();
        let has_file = |directory: &&str| {
            let start = files.partition_point(|file| file.as_str() < *directory);
            files[start..].iter().take_while(|file| file.starts_with(directory)).any(|file| is_within(file, directory))
        };
        let left = moves.values().flat_map(|moved| above(&moved.to)).filter(|directory| !has_file(directory));
        gone.extend(left.map(str::to_owned).collect::<Vec<_>>());
        let directories = moves.keys().flat_map(|from| above(from)).map(str::to_owned).collect();
        Self { tree, moves, gone, directories, files }
    }

    /// Returns the present path of a file of this tree; `None` if nothing is at the path.
    fn now<'p>(&'p self, path: &'p str) -> Option<&'p str> {
        match self.moves.get(path) {
            Some(moved) => Some(&moved.to),
            None => (!self.gone.contains(path)).then_some(path),
        }
    }
}

impl Tree for UndoneMoves {
    fn kind(&self, path: &str) -> Option<Kind> {
        if self.directories.contains(path) {
            return Some(Kind::Directory);
        }
        self.tree.kind(self.now(path)?)
    }

    fn names(&self, directory: &str) -> Arc<[String]> {
        let below = |name: &str| if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") };
        let mut names: Vec<String> = self.tree.names(directory).to_vec();
        names.retain(|name| self.kind(&below(name)).is_some());
        let all = self.moves.keys().chain(&self.directories).filter(|path| parent(path) == directory);
        names.extend(all.map(|path| name(path).to_owned()));
        names.sort();
        names.dedup();
        names.into()
    }

    fn read(&self, path: &str) -> Option<String> {
        self.tree.read(self.now(path)?)
    }

    fn read_shared(&self, path: &str) -> Option<Arc<str>> {
        self.tree.read_shared(self.now(path)?)
    }

    fn files(&self) -> &[String] {
        &self.files
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.tree.is_ignored(path)
    }

    fn is_tracked(&self, path: &str) -> Option<bool> {
        self.tree.is_tracked(self.now(path).unwrap_or(path))
    }

    fn moved(&self, _path: &str) -> Option<Moved> {
        None
    }

    fn origins(&self, _path: &str) -> Vec<String> {
        Vec::new()
    }
}
