//! `ReverseDependencies`: the files whose verdicts depend on a path. `RootDiagnostics` uses it to check only those again when
//! a path is created, deleted or moved.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

use crate::checked::{Checked, Verdict};
use crate::glob::is_glob;
use crate::path::{is_within, name, parent};
use crate::project::Project;

/// Files by the paths and names that their verdicts depend on.
///
/// A literal depends on every path that was tried for it, on their variants in case, Unicode form and extension, on their
/// directories, and, if no base directory is known, on any path with the same last segments. So files are indexed by
/// normalised paths and by normalised names. The result is an over-approximation: a new check says whether a verdict changed.
#[derive(Clone, Debug, Default)]
pub struct ReverseDependencies {
    files: FxHashMap<Arc<str>, FileKeys>,
    by_path: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    by_name: FxHashMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Files with a glob, whose verdicts can depend on any path.
    with_globs: BTreeSet<Arc<str>>,
}

/// The keys under which one file is indexed.
#[derive(Clone, Debug, Default)]
struct FileKeys {
    paths: Vec<Arc<str>>,
    names: Vec<Arc<str>>,
}

/// Stems of files that stand for their directory: a literal can name the directory instead.
const INDEX_STEMS: [&str; 14] = [
    "_index",
    "build",
    "cargo",
    "cmakelists",
    "default",
    "dockerfile",
    "__init__",
    "index",
    "init",
    "lib",
    "main",
    "mod",
    "package",
    "readme",
];

/// Extensions of languages whose files declare their package. Its name is mostly that of their directory.
const PACKAGE_EXTENSIONS: [&str; 6] = [".go", ".groovy", ".java", ".kt", ".proto", ".scala"];

impl ReverseDependencies {
    /// Indexes the result of a check of a file. It replaces the result of an earlier check.
    pub fn set(&mut self, file: &str, checked: &[Checked]) {
        self.remove(file);
        let file: Arc<str> = file.into();
        let (mut paths, mut names) = (BTreeSet::new(), BTreeSet::new());
        for literal in checked {
            let decided = match &literal.verdict {
                Verdict::Found(target) => Some(target.path.as_str()),
                Verdict::Missing(missing) => Some(missing.wanted.as_str()),
                // The detail of a reason is often the path that decided.
                Verdict::Unknown(reason) => reason.detail(),
            };
            for path in literal.tried.iter().map(String::as_str).chain(decided) {
                if is_glob(path) {
                    self.with_globs.insert(Arc::clone(&file));
                }
                names.insert(name_key(path));
                let key = path_key(path);
                // A path can be missing only if its first segment is a name of the project.
                if !matches!(literal.verdict, Verdict::Found(_)) {
                    names.extend(key.split('/').map(str::to_owned));
                }
                paths.insert(key);
            }
        }
        if paths.is_empty() {
            return;
        }
        let keys = FileKeys {
            paths: paths.into_iter().map(|key| intern(self.by_path.get_key_value(key.as_str()), key)).collect(),
            names: names.into_iter().map(|name| intern(self.by_name.get_key_value(name.as_str()), name)).collect(),
        };
        for key in &keys.paths {
            self.by_path.entry(Arc::clone(key)).or_default().insert(Arc::clone(&file));
        }
        for name in &keys.names {
            self.by_name.entry(Arc::clone(name)).or_default().insert(Arc::clone(&file));
        }
        self.files.insert(file, keys);
    }

    /// Removes a file from the index.
    pub fn remove(&mut self, file: &str) {
        self.with_globs.remove(file);
        let Some(keys) = self.files.remove(file) else { return };
        for key in keys.paths {
            if let Some(files) = self.by_path.get_mut(&key) {
                files.remove(file);
                if files.is_empty() {
                    self.by_path.remove(&key);
                }
            }
        }
        for name in keys.names {
            if let Some(files) = self.by_name.get_mut(&name) {
                files.remove(file);
                if files.is_empty() {
                    self.by_name.remove(&name);
                }
            }
        }
    }

    /// Returns whether nothing is indexed.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.by_path.is_empty() && self.by_name.is_empty() && self.with_globs.is_empty()
    }

    /// Returns the files to check again after an entry was created, deleted or changed its kind; sorted.
    ///
    /// The caller must ask as well for each directory that appears or disappears with a file, and for each file that does with
    /// a directory. Configuration (`pathfinder_languages::is_configuration`) affects all files.
    pub fn dependents(&self, path: &str) -> Vec<&str> {
        let mut all = self.files_naming(path);
        let key = path_key(path);
        // Entries below it appear and disappear with it.
        all.extend(self.entries_below(&key).flat_map(|(_, files)| files).map(AsRef::as_ref));
        // The content of a directory can decide, too.
        all.extend(self.by_path.get(parent(&key)).into_iter().flatten().map(AsRef::as_ref));
        if PACKAGE_EXTENSIONS.iter().any(|ending| path.ends_with(ending)) {
            all.extend(
                self.by_name.get(segment_key(name(parent(path))).as_str()).into_iter().flatten().map(AsRef::as_ref),
            );
        }
        all.into_iter().collect()
    }

    /// Returns every path that differs between two states of a project if `paths` were created, deleted or changed.
    ///
    /// These are the paths, the directories that appeared or disappeared with them, and everything below them.
    pub fn affected_paths<'p>(
        paths: impl IntoIterator<Item = &'p str>,
        before: &Project,
        after: &Project,
    ) -> BTreeSet<String> {
        let paths: BTreeSet<&str> = paths.into_iter().collect();
        let mut all: BTreeSet<String> = paths.iter().map(|&path| path.to_owned()).collect();
        // Paths below another changed path have the same parents.
        for path in paths.iter().filter(|path| !paths.contains(parent(path))) {
            let above = path.match_indices('/').map(|(at, _)| &path[..at]);
            let others = above.filter(|above| before.tree().kind(above) != after.tree().kind(above));
            all.extend(others.map(str::to_owned));
            for project in [before, after] {
                let files = project.tree().files();
                let from = files.partition_point(|file| file.as_str() < *path);
                let below = files[from..].iter().take_while(|file| file.starts_with(path));
                for file in below.filter(|file| is_within(file, path)) {
                    let inside = file.match_indices('/').map(|(at, _)| at).filter(|at| *at > path.len());
                    all.extend(inside.map(|at| file[..at].to_owned()));
                    all.insert(file.clone());
                }
            }
        }
        all
    }

    /// Returns the files to check again after a change of `paths`, which come from [`affected_paths`](Self::affected_paths);
    /// sorted.
    pub fn dependents_of_all(&self, paths: &BTreeSet<String>) -> Vec<&str> {
        let all: BTreeSet<&str> = paths.iter().flat_map(|path| self.dependents(path)).collect();
        all.into_iter().collect()
    }

    /// Returns the files that can have a literal whose target is this path; sorted.
    pub fn files_linking_to(&self, path: &str) -> Vec<&str> {
        self.files_naming(path).into_iter().collect()
    }

    /// Returns whether a literal was tried at this path or below it.
    pub fn has_tried(&self, path: &str) -> bool {
        let key = path_key(path);
        self.by_path.contains_key(key.as_str()) || self.entries_below(&key).next().is_some()
    }

    /// Returns the index entries of paths below one.
    fn entries_below(&self, key: &str) -> impl Iterator<Item = (&Arc<str>, &BTreeSet<Arc<str>>)> {
        let below = format!("{key}/");
        let from = (Bound::Included(below.as_str()), Bound::Unbounded);
        let inside = self.by_path.range::<str, _>(from);
        inside.take_while(move |(other, _)| other.starts_with(&below))
    }

    fn files_naming(&self, path: &str) -> BTreeSet<&str> {
        let key = path_key(path);
        let at = self.by_path.get(key.as_str()).into_iter().flatten();
        // A literal can name the directory that the file stands for.
        let stands = if is_index_file(path) { parent(&key) } else { "" };
        let for_directory = self.by_path.get(stands).filter(|_| !stands.is_empty()).into_iter().flatten();
        // A literal for a directory depends on a file of its name: `a.ts` has precedence over `a/index.ts`.
        let standing = self.entries_below(&key).filter(|(other, _)| is_index_file(other)).flat_map(|(_, files)| files);
        let named = self.by_name.get(name_key(path).as_str()).into_iter().flatten();
        at.chain(for_directory).chain(standing).chain(named).chain(&self.with_globs).map(AsRef::as_ref).collect()
    }
}

/// Returns the stored key, or a new one with this text.
fn intern<V>(known: Option<(&Arc<str>, V)>, text: String) -> Arc<str> {
    known.map_or_else(|| text.into(), |(known, _)| Arc::clone(known))
}

/// Returns whether a file stands for its directory.
pub fn is_index_file(path: &str) -> bool {
    let name = name(path);
    let stem = stem(name);
    INDEX_STEMS.iter().any(|known| stem.eq_ignore_ascii_case(known))
}

/// Returns the key of the name of a path; for an index file, that of its directory.
fn name_key(path: &str) -> String {
    let directory = parent(path);
    if is_index_file(path) && !directory.is_empty() { segment_key(name(directory)) } else { segment_key(name(path)) }
}

/// Returns the key of a path: the keys of its segments.
fn path_key(path: &str) -> String {
    let mut path_key = String::with_capacity(path.len());
    for segment in path.split('/') {
        if !path_key.is_empty() {
            path_key.push('/');
        }
        path_key.push_str(&segment_key(segment));
    }
    path_key
}

/// Returns the key of a name: without extensions and leading `_`, in lower case, in NFC.
fn segment_key(name: &str) -> String {
    let plain = name.trim_start_matches('_');
    let stem = stem(if plain.is_empty() { name } else { plain });
    if stem.is_ascii() { stem.to_ascii_lowercase() } else { stem.nfc().collect::<String>().to_lowercase() }
}

/// Returns a name up to its first dot. Leading dots are part of it.
fn stem(name: &str) -> &str {
    let dots = name.len() - name.trim_start_matches('.').len();
    name[dots..].find('.').map_or(name, |at| &name[..dots + at])
}
