//! `Declared`: the classes that all files of a tree declare, whatever the files are called, and the files that are
//! included by name. Read only when a class is not where its name says.

use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};

use super::uses;
use crate::path::extension;
use crate::project::Project;
use crate::project_index::ProjectIndex;

/// See the module's text.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// The files that declare a class, by its whole name.
    classes: FxHashMap<String, Vec<u32>>,
    /// The whole names by their last part.
    by_last: FxHashMap<String, Vec<String>>,
    /// The whole names that are used somewhere and declared nowhere, sorted.
    lacking: Vec<String>,
    /// Names of files that are included somewhere.
    included: FxHashSet<String>,
    /// What stands in calls that give a class another name.
    aliases: String,
}

impl ProjectIndex for Declared {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut declared = Self::default();
        for (index, path) in tree.files().iter().enumerate() {
            if !matches!(extension(path).as_str(), "php" | "inc" | "phtml" | "phpt" | "stub" | "module") {
                continue;
            }
            if let Some(text) = tree.read(path) {
                declared.enter(&text, index as u32);
                declared.lacking.extend(uses::of(&text).into_iter().map(|one| one.name));
            }
        }
        let Self { lacking, classes, .. } = &mut declared;
        lacking.retain(|name| !classes.contains_key(name));
        lacking.sort_unstable();
        lacking.dedup();
        declared
    }
}

/// How far behind `include` the name of a file is looked for, and behind `class_alias(` the name of a class.
const REACH: usize = 200;

impl Declared {
    fn enter(&mut self, text: &str, index: u32) {
        let mut space = "";
        for (place, word) in words(text) {
            let rest = text[place + word.len()..].trim_start();
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '\\';
            let name = &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())];
            match word {
                "namespace " => space = name,
                "class_alias" => self.aliases.push_str(crate::path::head(rest, REACH)),
                "require" | "include" => {
                    let line = crate::path::head(rest, REACH).lines().next().unwrap_or_default();
                    let files = line.split(['\'', '"', '/']).filter(|part| extension(part) == "php");
                    self.included.extend(files.map(str::to_owned));
                }
                _ if !name.is_empty() && !name.contains('\\') => {
                    let whole = if space.is_empty() { name.to_owned() } else { format!("{space}\\{name}") };
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

    /// The files that declare a class of this whole name.
    pub(super) fn files<'p>(&self, project: &'p Project, class: &str) -> Vec<&'p str> {
        let indexes = self.classes.get(class).map(Vec::as_slice).unwrap_or_default();
        indexes.iter().filter_map(|index| project.tree().files().get(*index as usize)).map(String::as_str).collect()
    }

    /// Whether a class of this last name is declared in a name space below `prefix`.
    pub(super) fn has_below(&self, prefix: &str, last: &str) -> bool {
        self.by_last.get(last).is_some_and(|names| names.iter().any(|name| name.starts_with(prefix)))
    }

    /// Whether all that is used below a name space and declared nowhere is declared elsewhere below `prefix`: the name
    /// space was called otherwise. Of a package that is not installed, some class would have a name that is not here.
    pub(super) fn has_all_below(&self, prefix: &str, space: &str) -> bool {
        let from = self.lacking.partition_point(|name| name.as_str() < space);
        let below = self.lacking[from..].iter().take_while(|name| name.starts_with(space));
        let mut lasts = below.map(|name| name.rsplit('\\').next().unwrap_or(name)).peekable();
        lasts.peek().is_some() && lasts.all(|last| self.has_below(prefix, last))
    }

    /// Whether some file includes a file of this name.
    pub(super) fn includes(&self, file: &str) -> bool {
        self.included.contains(file)
    }

    /// Whether some class is given this last name.
    pub(super) fn is_alias(&self, last: &str) -> bool {
        self.aliases.contains(last)
    }
}

/// The words that matter and where they stand, in order. They are looked for everywhere, also in comments and strings:
/// a name too many makes one finding less.
fn words(text: &str) -> Vec<(usize, &'static str)> {
    const WORDS: [&str; 8] =
        ["namespace ", "class ", "interface ", "trait ", "enum ", "class_alias", "require", "include"];
    let bytes = text.as_bytes();
    let is_start =
        |at: usize| at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || b"_$\\>:".contains(&bytes[at - 1]));
    let places = WORDS.into_iter().flat_map(|word| memmem::find_iter(bytes, word).map(move |at| (at, word)));
    let mut places: Vec<_> = places.filter(|(at, _)| is_start(*at)).collect();
    places.sort_unstable();
    places
}
