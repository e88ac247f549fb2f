//! `Mentions`: which files have a literal whose verdict a path decides. So that what comes, goes or moves makes only those
//! be checked again.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization as _;

use crate::checked::{Checked, Verdict};
use crate::glob::is_glob;
use crate::path::{name, parent};
use crate::project::{Project, within};

/// Files by what their literals speak of.
///
/// A literal depends on every path that was tried for it, on what those are called in another case or form or with another
/// extension, on the directories that they lie in, and, where no directory is known, on any path that ends alike. So files
/// are entered under those paths and under the names that they end in. Who is named has to be checked again, which says
/// whether anything has changed.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    files: FxHashMap<Arc<str>, Entered>,
    by_place: BTreeMap<Arc<str>, BTreeSet<Arc<str>>>,
    by_name: FxHashMap<Arc<str>, BTreeSet<Arc<str>>>,
    /// Files with a literal that any path can decide.
    any: BTreeSet<Arc<str>>,
}

/// What one file is entered under.
#[derive(Clone, Debug, Default)]
struct Entered {
    places: Vec<Arc<str>>,
    names: Vec<Arc<str>>,
}

/// Names of files that stand for the directory that they lie in: who means them names that.
const STANDS_FOR_DIRECTORY: [&str; 14] = [
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

/// Endings of languages in which files say themselves which package they are in: it is mostly called like their directory.
const PACKAGED: [&str; 6] = [".go", ".groovy", ".java", ".kt", ".proto", ".scala"];

impl Mentions {
    /// Enters what a check of a file found, in the place of what an earlier one did.
    pub fn set(&mut self, file: &str, checked: &[Checked]) {
        self.remove(file);
        let file: Arc<str> = file.into();
        let (mut places, mut names) = (BTreeSet::new(), BTreeSet::new());
        for literal in checked {
            let decided = match &literal.verdict {
                Verdict::Found(target) => Some(target.path.as_str()),
                Verdict::Missing(missing) => Some(missing.wanted.as_str()),
                // What has decided is often a path.
                Verdict::Unknown(reason) => reason.detail(),
            };
            for path in literal.tried.iter().map(String::as_str).chain(decided) {
                if is_glob(path) {
                    self.any.insert(Arc::clone(&file));
                }
                names.insert(name_key(path));
                let place = place_key(path);
                // Whether a name is the project's own decides whether what begins with it can be missing.
                if !matches!(literal.verdict, Verdict::Found(_)) {
                    names.extend(place.split('/').map(str::to_owned));
                }
                places.insert(place);
            }
        }
        if places.is_empty() {
            return;
        }
        let entered = Entered {
            places: places
                .into_iter()
                .map(|place| shared(self.by_place.get_key_value(place.as_str()), place))
                .collect(),
            names: names.into_iter().map(|name| shared(self.by_name.get_key_value(name.as_str()), name)).collect(),
        };
        for place in &entered.places {
            self.by_place.entry(Arc::clone(place)).or_default().insert(Arc::clone(&file));
        }
        for name in &entered.names {
            self.by_name.entry(Arc::clone(name)).or_default().insert(Arc::clone(&file));
        }
        self.files.insert(file, entered);
    }

    /// Forgets a file.
    pub fn remove(&mut self, file: &str) {
        self.any.remove(file);
        let Some(entered) = self.files.remove(file) else { return };
        for place in entered.places {
            if let Some(files) = self.by_place.get_mut(&place) {
                files.remove(file);
                if files.is_empty() {
                    self.by_place.remove(&place);
                }
            }
        }
        for name in entered.names {
            if let Some(files) = self.by_name.get_mut(&name) {
                files.remove(file);
                if files.is_empty() {
                    self.by_name.remove(&name);
                }
            }
        }
    }

    /// The files to check again when this file or directory has come, gone or changed what it is; sorted.
    ///
    /// A directory that comes or goes with a file is to be asked for as well, and every file that does with a directory.
    /// What is configuration ([`is_configuration`](crate::is_configuration)) decides for all files.
    pub fn of(&self, path: &str) -> Vec<&str> {
        let mut all = self.named(path);
        let place = place_key(path);
        // What lies below is there or not because of it.
        all.extend(self.below(&place).flat_map(|(_, files)| files).map(AsRef::as_ref));
        // What a directory holds can decide, too.
        all.extend(self.by_place.get(parent(&place)).into_iter().flatten().map(AsRef::as_ref));
        if PACKAGED.iter().any(|ending| path.ends_with(ending)) {
            all.extend(self.by_name.get(key(name(parent(path))).as_str()).into_iter().flatten().map(AsRef::as_ref));
        }
        all.into_iter().collect()
    }

    /// What is another when these paths have come, gone or changed what they are between two states of a project: they, the
    /// directories that have come or gone with them, and all that lies below them.
    pub fn touched<'p>(
        paths: impl IntoIterator<Item = &'p str>,
        before: &Project,
        after: &Project,
    ) -> BTreeSet<String> {
        let paths: BTreeSet<&str> = paths.into_iter().collect();
        let mut all: BTreeSet<String> = paths.iter().map(|&path| path.to_owned()).collect();
        // What is around the highest of them is around those below as well.
        for path in paths.iter().filter(|path| !paths.contains(parent(path))) {
            let above = path.match_indices('/').map(|(at, _)| &path[..at]);
            let others = above.filter(|above| before.tree().kind(above) != after.tree().kind(above));
            all.extend(others.map(str::to_owned));
            for project in [before, after] {
                let files = project.tree().files();
                let from = files.partition_point(|file| file.as_str() < *path);
                let below = files[from..].iter().take_while(|file| file.starts_with(path));
                for file in below.filter(|file| within(file, path)) {
                    let inside = file.match_indices('/').map(|(at, _)| at).filter(|at| *at > path.len());
                    all.extend(inside.map(|at| file[..at].to_owned()));
                    all.insert(file.clone());
                }
            }
        }
        all
    }

    /// The files to check again when these paths have come, gone or changed what they are, of which nobody says anything else;
    /// sorted.
    pub fn of_all(&self, touched: &BTreeSet<String>) -> Vec<&str> {
        let all: BTreeSet<&str> = touched.iter().flat_map(|path| self.of(path)).collect();
        all.into_iter().collect()
    }

    /// The files that can have a literal which leads to this very path; sorted.
    pub fn naming(&self, path: &str) -> Vec<&str> {
        self.named(path).into_iter().collect()
    }

    /// What is entered under paths below one.
    fn below(&self, place: &str) -> impl Iterator<Item = (&Arc<str>, &BTreeSet<Arc<str>>)> {
        let below = format!("{place}/");
        let from = (Bound::Included(below.as_str()), Bound::Unbounded);
        let inside = self.by_place.range::<str, _>(from);
        inside.take_while(move |(other, _)| other.starts_with(&below))
    }

    fn named(&self, path: &str) -> BTreeSet<&str> {
        let place = place_key(path);
        let at = self.by_place.get(place.as_str()).into_iter().flatten();
        // A file that stands for its directory can be what a path without it leads to.
        let stands = if is_for_directory(path) { parent(&place) } else { "" };
        let for_directory = self.by_place.get(stands).filter(|_| !stands.is_empty()).into_iter().flatten();
        // And the other way around: `a.ts` comes before `a/index.ts`.
        let standing = self.below(&place).filter(|(other, _)| is_for_directory(other)).flat_map(|(_, files)| files);
        let named = self.by_name.get(name_key(path).as_str()).into_iter().flatten();
        at.chain(for_directory).chain(standing).chain(named).chain(&self.any).map(AsRef::as_ref).collect()
    }
}

/// The text as it is already known, if it is.
fn shared<V>(known: Option<(&Arc<str>, V)>, text: String) -> Arc<str> {
    known.map_or_else(|| text.into(), |(known, _)| Arc::clone(known))
}

/// Whether a file stands for the directory that it lies in.
fn is_for_directory(path: &str) -> bool {
    let name = name(path);
    let stem = stem(name);
    STANDS_FOR_DIRECTORY.iter().any(|known| stem.eq_ignore_ascii_case(known))
}

/// What the name of a path is entered under; that of its directory, where it stands for that.
fn name_key(path: &str) -> String {
    let directory = parent(path);
    if is_for_directory(path) && !directory.is_empty() { key(name(directory)) } else { key(name(path)) }
}

/// What a path is entered under: each of its names.
fn place_key(path: &str) -> String {
    let mut place = String::with_capacity(path.len());
    for segment in path.split('/') {
        if !place.is_empty() {
            place.push('/');
        }
        place.push_str(&key(segment));
    }
    place
}

/// What a name is entered under: no extensions, no mark of a part, small letters, composed.
fn key(name: &str) -> String {
    let plain = name.trim_start_matches('_');
    let stem = stem(if plain.is_empty() { name } else { plain });
    if stem.is_ascii() { stem.to_ascii_lowercase() } else { stem.nfc().collect::<String>().to_lowercase() }
}

/// A name up to its first dot; dots that it begins with are part of it.
fn stem(name: &str) -> &str {
    let dots = name.len() - name.trim_start_matches('.').len();
    name[dots..].find('.').map_or(name, |at| &name[..dots + at])
}
