//! `DeclaredClasses`: the classes that all files of a tree declare, whatever the files' names, and the files that are
//! included by name. It is built only if a class is not in the file of its name.

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses;
use pathfinder_literals::path::extension;
use pathfinder_literals::{Project, ProjectIndex};

/// The declared classes of a project, as an index.
#[derive(Debug, Default)]
pub(crate) struct DeclaredClasses {
    /// The indexes of the files that declare a class, by its full name.
    classes: FxHashMap<String, Vec<u32>>,
    /// The full names, by their last part.
    by_last: FxHashMap<String, Vec<String>>,
    /// The full names that are used but declared nowhere, sorted.
    undeclared: Vec<String>,
    /// Names of files that are included somewhere.
    included: FxHashSet<String>,
    /// The text after each `class_alias`.
    aliases: String,
}

impl ProjectIndex for DeclaredClasses {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut declared = Self::default();
        for (index, path) in tree.files().iter().enumerate() {
            if !matches!(extension(path).as_str(), "php" | "inc" | "phtml" | "phpt" | "stub" | "module") {
                continue;
            }
            if let Some(text) = tree.read_shared(path) {
                declared.add_file(&text, index as u32);
                declared.undeclared.extend(uses::parse_header(&text).uses.into_iter().map(|class_use| class_use.name));
            }
        }
        let Self { undeclared, classes, .. } = &mut declared;
        undeclared.retain(|name| !classes.contains_key(name));
        undeclared.sort_unstable();
        undeclared.dedup();
        declared
    }
}

/// The bytes after `include` in which a file's name is searched, and after `class_alias(` a class's name.
const MAX_ARGUMENT_BYTES: usize = 200;

impl DeclaredClasses {
    /// Adds the declarations, includes and aliases of one file.
    fn add_file(&mut self, text: &str, index: u32) {
        let mut namespace = "";
        for (offset, word) in find_keywords(text) {
            let rest = text[offset + word.len()..].trim_start();
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\\';
            let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
            match word {
                "namespace " => namespace = name,
                "class_alias" => self.aliases.push_str(pathfinder_literals::path::head(rest, MAX_ARGUMENT_BYTES)),
                "require" | "include" => {
                    let line =
                        pathfinder_literals::path::head(rest, MAX_ARGUMENT_BYTES).lines().next().unwrap_or_default();
                    let files = line.split(['\'', '"', '/']).filter(|part| extension(part) == "php");
                    self.included.extend(files.map(str::to_owned));
                }
                _ if !name.is_empty() && !name.contains('\\') => {
                    let whole = if namespace.is_empty() { name.to_owned() } else { format!("{namespace}\\{name}") };
                    let files = self.classes.entry(whole.clone()).or_default();
                    if files.is_empty() {
                        self.by_last.entry(name.to_owned()).or_default().push(whole);
                    }
                    files.push(index);
                }
                _ => {}
            }
        }
    }

    /// Returns the files that declare a class with this full name.
    pub(super) fn files_declaring<'p>(&self, project: &'p Project, class: &str) -> Vec<&'p str> {
        let indexes = self.classes.get(class).map(Vec::as_slice).unwrap_or_default();
        indexes.iter().filter_map(|index| project.tree().files().get(*index as usize)).map(String::as_str).collect()
    }

    /// Returns whether a class with this last name is declared in a namespace below `prefix`.
    pub(super) fn is_declared_below(&self, prefix: &str, last: &str) -> bool {
        self.by_last.get(last).is_some_and(|names| names.iter().any(|name| name.starts_with(prefix)))
    }

    /// Returns whether all undeclared classes used below a namespace are declared elsewhere below `prefix`. Then the
    /// namespace was renamed; a package that is not installed has classes that are declared nowhere.
    pub(super) fn are_all_declared_below(&self, prefix: &str, namespace: &str) -> bool {
        let from = self.undeclared.partition_point(|name| name.as_str() < namespace);
        let below = self.undeclared[from..].iter().take_while(|name| name.starts_with(namespace));
        let mut lasts = below.map(|name| name.rsplit('\\').next().unwrap_or(name)).peekable();
        lasts.peek().is_some() && lasts.all(|last| self.is_declared_below(prefix, last))
    }

    /// Returns whether some file includes a file of this name.
    pub(super) fn is_included(&self, file: &str) -> bool {
        self.included.contains(file)
    }

    /// Returns whether some class has this name as an alias.
    pub(super) fn is_alias(&self, last: &str) -> bool {
        self.aliases.contains(last)
    }
}

/// The keywords with their byte offsets, in order. Matches in comments and strings count: an extra name only
/// suppresses a finding.
fn find_keywords(text: &str) -> Vec<(usize, &'static str)> {
    const KEYWORDS: [&str; 8] =
        ["namespace ", "class ", "interface ", "trait ", "enum ", "class_alias", "require", "include"];
    let bytes = text.as_bytes();
    let is_start =
        |at: usize| at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || b"_$\\>:".contains(&bytes[at - 1]));
    let offsets = KEYWORDS.into_iter().flat_map(|word| memmem::find_iter(bytes, word).map(move |at| (at, word)));
    let mut offsets: Vec<_> = offsets.filter(|(at, _)| is_start(*at)).collect();
    offsets.sort_unstable();
    offsets
}
