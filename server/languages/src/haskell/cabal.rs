//! The packages of a tree. Parses `.cabal` files: modules and source directories.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use pathfinder_literals::path::{extension, name, parent};
use pathfinder_literals::{Project, ProjectIndex};

use super::hpack;

/// The modules and source directories of one `.cabal` file.
#[derive(Debug, Default)]
pub(crate) struct CabalFile {
    /// Source directories of all components, relative to the file.
    pub(super) roots: Vec<String>,
    /// Byte ranges of the modules.
    pub(super) modules: Vec<Range<usize>>,
    /// Names of the modules.
    pub(super) names: FxHashSet<String>,
    /// Names of the modules that other packages may import.
    pub(super) exposed: FxHashSet<String>,
    /// Words of all `build-depends`: names of packages, and versions.
    pub(super) dependencies: FxHashSet<String>,
    pub(super) name: String,
}

/// The packages of a tree.
pub(crate) struct CabalPackages {
    pub(super) by_directory: FxHashMap<String, CabalFile>,
    /// The directory of each package whose name no other package of the tree has.
    by_name: FxHashMap<String, String>,
}

impl ProjectIndex for CabalPackages {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let paths = |ends: fn(&str) -> bool| tree.files().iter().filter(move |path| ends(path));
        let read = |path: &String, parse: fn(&str) -> CabalFile| {
            Some((parent(path).to_owned(), parse(&tree.read_shared(path)?)))
        };
        let generating = paths(|path| name(path) == "package.yaml");
        let mut by_directory: FxHashMap<String, CabalFile> =
            generating.filter_map(|path| read(path, hpack::parse)).collect();
        by_directory.extend(paths(|path| extension(path) == "cabal").filter_map(|path| read(path, CabalFile::parse)));
        let mut directories: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        #[expect(clippy::iter_over_hash_type, reason = "a name with several directories is not kept")]
        for (directory, package) in &by_directory {
            directories.entry(&package.name).or_default().push(directory);
        }
        let unique = directories.into_iter().filter(|(name, at)| !name.is_empty() && at.len() == 1);
        let by_name = unique.map(|(name, at)| (name.to_owned(), at[0].to_owned())).collect();
        Self { by_directory, by_name }
    }
}

impl CabalPackages {
    /// Returns the packages of the tree that a package depends on, with their directories, in the order of their paths.
    pub(super) fn dependencies(&self, package: &CabalFile) -> Vec<(&str, &CabalFile)> {
        let known = package.dependencies.iter().filter(|name| **name != package.name);
        let directories = known.filter_map(|name| self.by_name.get(name));
        let packages = directories.filter_map(|at| Some((at.as_str(), self.by_directory.get(at)?)));
        let mut all: Vec<_> = packages.collect();
        all.sort_unstable_by_key(|(directory, _)| *directory);
        all
    }
}

impl CabalFile {
    /// Parses a text. A field continues over lines that are indented deeper.
    pub(super) fn parse(text: &str) -> Self {
        let mut package = Self::default();
        let mut field = (String::new(), 0);
        let mut generated: FxHashSet<&str> = FxHashSet::default();
        let mut component = CabalComponent::default();
        let mut offset = 0;
        for line in text.split_inclusive('\n') {
            let at = offset;
            offset += line.len();
            let indent = line.len() - line.trim_start().len();
            if line.trim().is_empty() || line.trim_start().starts_with("--") {
                continue;
            }
            let mut from = indent;
            if field.0.is_empty() || indent <= field.1 {
                field = (String::new(), 0);
                let Some((name, _)) = line.split_once(':') else {
                    if indent == 0 {
                        package.roots.extend(std::mem::take(&mut component).default_root());
                    }
                    continue;
                };
                from = name.len() + 1;
                field = (name.trim().to_ascii_lowercase(), indent);
                component.add_field(&field.0);
            }
            for (start, word) in split_words(line, from) {
                match field.0.as_str() {
                    "hs-source-dirs" | "hs-source-dir" => package.roots.push(word.trim_matches('"').to_owned()),
                    "exposed-modules" | "other-modules" if is_module(word) => {
                        package.modules.push(at + start..at + start + word.len());
                        if field.0 == "exposed-modules" {
                            package.exposed.insert(word.to_owned());
                        }
                    }
                    // `package:library`, `package:{a, b}`
                    "build-depends" => {
                        let name = word.split(':').next().unwrap_or_default();
                        package.dependencies.insert(name.to_owned());
                    }
                    "name" if package.name.is_empty() => word.clone_into(&mut package.name),
                    "autogen-modules" => _ = generated.insert(word),
                    _ => {}
                }
            }
        }
        package.roots.extend(component.default_root());
        package.roots.sort();
        package.roots.dedup();
        if package.roots.is_empty() {
            package.roots.push(".".to_owned());
        }
        package.modules.retain(|range| !generated.contains(&text[range.clone()]));
        package.exposed.retain(|name| !generated.contains(name.as_str()));
        package.names = package.modules.iter().map(|range| text[range.clone()].to_owned()).collect();
        package
    }
}

/// The fields of one component (`library`, `test-suite x`) that say where its modules are.
#[derive(Default)]
struct CabalComponent {
    has_modules: bool,
    /// True if it names directories, or takes the fields of a common part, which can.
    has_roots: bool,
}

impl CabalComponent {
    fn add_field(&mut self, name: &str) {
        self.has_modules |= matches!(name, "exposed-modules" | "other-modules");
        self.has_roots |= matches!(name, "hs-source-dirs" | "hs-source-dir" | "import");
    }

    /// The directory of the package, if modules of the component are looked up there by default.
    fn default_root(self) -> Option<String> {
        (self.has_modules && !self.has_roots).then(|| ".".to_owned())
    }
}

/// The words of a line from an offset on, separated by commas and blanks.
fn split_words(line: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    let rest = line.get(from..).unwrap_or_default();
    let mut at = from;
    rest.split(|c: char| c == ',' || c.is_whitespace())
        .map(move |word| {
            let start = at;
            // Both usual separators are one byte; a longer blank only shifts words that are no modules anyway.
            at += word.len() + 1;
            (start, word)
        })
        .filter(move |(start, word)| !word.is_empty() && line.get(*start..start + word.len()) == Some(word))
}

/// `A.B.C`
fn is_module(word: &str) -> bool {
    word.split('.').all(|part| {
        part.starts_with(|first: char| first.is_ascii_uppercase())
            && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
    })
}
