//! An index of the types in each package, from the declarations of all files. It is read only if an import is not found
//! by its path.

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use super::generated::{self, Schemas};
use super::{SOURCE_EXTENSIONS, import_kind, scan};
use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::{Project, ProjectIndex, Tree};

/// The types of one package.
#[derive(Debug, Default)]
pub(super) struct JvmPackage {
    /// The index of the last file of each name.
    stems: FxHashMap<String, u32>,
    /// The files with its declarations, in order.
    sources: Vec<u32>,
    /// The index of the first file that declares each name. Most types have a file of their name, so that few packages need this.
    declared: OnceLock<FxHashMap<String, u32>>,
    /// Directories of its files.
    pub(super) directories: Vec<String>,
    /// The number of types that have a file of their name.
    files: usize,
}

impl JvmPackage {
    /// The index of the file with this name, or else of the first one that declares it.
    fn file_with(&self, tree: &dyn Tree, name: &str) -> Option<u32> {
        let by_stem = self.stems.get(name);
        by_stem.or_else(|| self.declared.get_or_init(|| self.find_declarations(tree)).get(name)).copied()
    }

    /// The only name that the package declares for which `is_near` is true, and the index of its file.
    pub(super) fn only_name(&self, tree: &dyn Tree, is_near: impl Fn(&str) -> bool) -> Option<(&str, u32)> {
        let declared = self.declared.get_or_init(|| self.find_declarations(tree)).iter();
        let is_file = |name: &&String| self.stems.contains_key(name.as_str());
        let own = declared.filter(|(name, _)| !is_file(name));
        let mut near = own.chain(&self.stems).filter(|(name, _)| is_near(name));
        let (Some((name, index)), None) = (near.next(), near.next()) else { return None };
        Some((name, *index))
    }

    fn find_declarations(&self, tree: &dyn Tree) -> FxHashMap<String, u32> {
        let mut found = FxHashMap::default();
        for &index in &self.sources {
            let Some(path) = tree.files().get(index as usize) else { continue };
            let Some(text) = tree.read_shared(path) else { continue };
            for name in scan::declared_names(&text, &extension(path)) {
                if !found.contains_key(name) {
                    found.insert(name.to_owned(), index);
                }
            }
        }
        found
    }
}

/// All packages that the files of a repository declare.
#[derive(Debug, Default)]
pub(crate) struct JvmPackages {
    by_name: FxHashMap<String, JvmPackage>,
    /// Names that are imported from a package which does not have them.
    missing_names: FxHashMap<String, FxHashSet<String>>,
    /// For each namespace, the number of files in it and of missing names imported from it.
    namespaces: FxHashMap<String, (usize, usize)>,
    /// Packages by the types that files are named after.
    by_type: FxHashMap<String, Vec<String>>,
    /// Schemas that types are generated from.
    pub(super) schemas: Schemas,
}

/// Extensions of schemas that generators read.
const SCHEMA_EXTENSIONS: [&str; 13] =
    ["proto", "avsc", "avdl", "thrift", "fbs", "xsd", "wsdl", "g4", "jj", "jjt", "graphqls", "sq", "smithy"];

impl ProjectIndex for JvmPackages {
    fn build(project: &Project) -> Self {
        Self::new(project.tree())
    }
}

impl JvmPackages {
    /// Reads all source files of a tree.
    pub(crate) fn new(tree: &dyn Tree) -> Self {
        let mut packages = Self::default();
        let mut imported = Vec::new();
        for (index, path) in tree.files().iter().enumerate() {
            let ending = extension(path);
            if SCHEMA_EXTENSIONS.contains(&ending.as_str())
                && let Some(text) = tree.read_shared(path)
            {
                packages.schemas.add(name(path), &text);
            }
            if import_kind(path).is_none() {
                continue;
            }
            let Some(text) = tree.read_shared(path) else { continue };
            let header = scan::FileHeader::parse(&text, &ending);
            imported.extend(header.imports.into_iter().filter(|import| !import.is_wildcard).map(|import| import.name));
            packages.add_file(&header.package, path, index as u32, &text, &ending);
        }
        imported.sort();
        imported.dedup();
        for import in imported {
            let Some((package, name)) = split_import(&import) else { continue };
            let is_lacking =
                packages.declaring_file(tree, package, name).is_none() && !generated::is_generated_name(name);
            if is_lacking && packages.missing_names.entry(package.to_owned()).or_default().insert(name.to_owned()) {
                with_parents(package).for_each(|space| packages.namespaces.entry(space.to_owned()).or_default().1 += 1);
            }
        }
        packages
    }

    /// Adds the declarations of a file to its package.
    fn add_file(&mut self, package: &str, path: &str, index: u32, text: &str, ending: &str) {
        let stem = name(path).split('.').next().unwrap_or_default();
        let entry = self.by_name.entry(package.to_owned()).or_default();
        entry.sources.push(index);
        entry.stems.insert(stem.to_owned(), index);
        entry.files += 1;
        with_parents(package).for_each(|space| self.namespaces.entry(space.to_owned()).or_default().0 += 1);
        let directory = parent(path);
        if entry.directories.last().is_none_or(|last| last != directory) {
            entry.directories.push(directory.to_owned());
        }
        // The members of a package object belong to the package of its name.
        let objects = if ending == "scala" { scan::package_objects(text) } else { Vec::new() };
        for object in objects {
            let inside = if package.is_empty() { object.to_owned() } else { format!("{package}.{object}") };
            self.by_name.entry(inside).or_default().sources.push(index);
        }
        if SOURCE_EXTENSIONS.contains(&ending) {
            self.by_type.entry(stem.to_owned()).or_default().push(package.to_owned());
        }
    }

    /// The index of the file that declares a name. Top-level declarations of a Kotlin file `Foo.kt` belong to the type
    /// `FooKt`.
    pub(super) fn declaring_file(&self, tree: &dyn Tree, package: &str, name: &str) -> Option<u32> {
        let package = self.by_name.get(package)?;
        package.file_with(tree, name).or_else(|| package.file_with(tree, name.strip_suffix("Kt")?))
    }

    /// A package that the repository declares.
    pub(super) fn get(&self, package: &str) -> Option<&JvmPackage> {
        self.by_name.get(package)
    }

    /// Returns whether a package is first-party: it has at least twice as many types here as missing ones. A test that puts a
    /// class into `org.junit` does not make that package first-party.
    pub(super) fn is_first_party(&self, package: &str) -> bool {
        let lacking = self.missing_names.get(package).map_or(0, FxHashSet::len);
        self.by_name.get(package).is_some_and(|package| package.files >= 2 && package.files >= 2 * lacking)
    }

    /// Returns whether an undeclared package was moved: all names imported from it are declared elsewhere in a first-party
    /// namespace above it.
    pub(super) fn is_moved(&self, package: &str) -> bool {
        let is_first_party = |space: &&str| {
            let (files, lacking) = self.namespaces.get(*space).copied().unwrap_or_default();
            is_owned_namespace(space) && files >= 2 && files >= MIN_FILES_PER_MISSING_NAME * lacking
        };
        with_parents(package).skip(1).filter(is_first_party).any(|space| self.has_all_below(package, space))
    }

    /// Returns whether all missing names of a package are declared elsewhere below `above`. A third-party package would have at
    /// least one name that is not here.
    pub(super) fn has_all_below(&self, package: &str, above: &str) -> bool {
        let is_below =
            |other: &String| other.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let is_here = |name: &String| self.by_type.get(name).is_some_and(|packages| packages.iter().any(is_below));
        self.missing_names.get(package).is_some_and(|names| names.iter().all(is_here))
    }
}

/// The number of files in a first-party namespace for each missing name. With only a part of a namespace in the
/// repository, more names are missing.
const MIN_FILES_PER_MISSING_NAME: usize = 2;

/// A package and its parents, the nearest first.
fn with_parents(package: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(package), |at| at.rsplit_once('.').map(|(above, _)| above))
}

/// Returns whether a namespace can have a single owner: `org.x`, `x`, but not `org` or `io.github`.
fn is_owned_namespace(space: &str) -> bool {
    const HEADS: [&str; 20] = [
        "app", "be", "cn", "co", "com", "de", "dev", "edu", "eu", "fr", "gov", "io", "java", "javax", "me", "net",
        "nl", "org", "ru", "uk",
    ];
    let (head, rest) = space.split_once('.').unwrap_or((space, ""));
    let is_shared = matches!(rest, "" | "github" | "gitlab" | "apache" | "google" | "eclipse" | "springframework");
    !HEADS.contains(&head) || !is_shared
}

/// The package and the type of an import. The type is the first capitalized name.
pub(super) fn split_import(import: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    for segment in import.split('.') {
        if segment.starts_with(|first: char| first.is_uppercase()) {
            return (at > 0).then(|| (&import[..at - 1], segment));
        }
        at += segment.len() + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::split_import;

    #[test]
    fn splits_imports() {
        assert_eq!(split_import("a.b.C"), Some(("a.b", "C")));
        assert_eq!(split_import("a.b.C.D.e"), Some(("a.b", "C")));
        assert_eq!(split_import("a.b.c"), None);
        assert_eq!(split_import("C.d"), None);
    }
}
