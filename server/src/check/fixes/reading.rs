//! What files declare, read once for all the broken literals of one file.
//!
//! A program that includes or imports something uses what it declares. So of several targets that one is likelier which
//! declares names that the file uses, does not declare itself, and gets from nothing else that it names.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pathfinder_literals::{Kind, Verdict};

use super::Scene;
use super::paths::{extension, joined};
use super::words::{KEYWORDS, declared, identifiers};

/// Files of a directory in which names are looked for.
const FILES: usize = 20;
/// Bytes of a file in which names are looked for: what declares more is generated.
const BYTES: usize = 256 * 1024;
/// Targets of the file's other literals whose names need no other source.
const OTHERS: usize = 40;
/// Shorter names are everywhere.
const SHORT: usize = 4;
/// So many names that are needed count as one half: one can be there by chance, ten cannot.
const HALF: f32 = 2.0;
/// Files that use no names: what a target declares says nothing of them.
const NO_CODE: [&str; 17] = [
    "", "adoc", "css", "html", "json", "md", "mdx", "nix", "rst", "svg", "tex", "tf", "toml", "txt", "xml", "yaml",
    "yml",
];

/// The names in a file or in the files of a directory.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) declared: HashSet<String>,
    pub(super) used: HashSet<String>,
}

/// What was read for one file's literals.
#[derive(Default)]
pub(in crate::check) struct Readings {
    files: RefCell<HashMap<String, Rc<Names>>>,
    needed: OnceCell<HashSet<String>>,
}

impl Names {
    pub(super) fn of(text: &str) -> Self {
        let mut names = Self::default();
        for (at, word) in identifiers(text) {
            if declared(text, at, word) {
                names.declared.insert(word.to_owned());
            } else if !names.used.contains(word) {
                names.used.insert(word.to_owned());
            }
        }
        names
    }
}

impl Readings {
    /// The names in a file or directory.
    pub(super) fn names(&self, scene: &Scene<'_>, path: &str) -> Rc<Names> {
        if let Some(known) = self.files.borrow().get(path) {
            return Rc::clone(known);
        }
        let names = Rc::new(Names::of(&contents(scene, path)));
        self.files.borrow_mut().insert(path.to_owned(), Rc::clone(&names));
        names
    }

    /// How much of what the file needs is declared at a path: 0–1.
    pub(super) fn gives(&self, scene: &Scene<'_>, path: &str) -> f32 {
        let needed = self.needed.get_or_init(|| self.needed(scene));
        let count = self.names(scene, path).declared.iter().filter(|word| needed.contains(*word)).count() as f32;
        count / (count + HALF)
    }

    /// Whether the file needs anything from what it names.
    pub(super) fn is_needy(&self, scene: &Scene<'_>) -> bool {
        !self.needed.get_or_init(|| self.needed(scene)).is_empty()
    }

    /// Names that the file uses and gets from nowhere that is known.
    fn needed(&self, scene: &Scene<'_>) -> HashSet<String> {
        if NO_CODE.contains(&extension(scene.file)) {
            return HashSet::new();
        }
        let own = Names::of(scene.source.text());
        let mut needed = own.used;
        needed.retain(|word| word.len() >= SHORT && !KEYWORDS.contains(&word.as_str()) && !own.declared.contains(word));
        let found = scene.all.iter().filter_map(|literal| match &literal.verdict {
            Verdict::Found(target) => Some(target.path.as_str()),
            _ => None,
        });
        let mut seen = HashSet::new();
        for path in found.filter(|path| seen.insert(*path)).take(OTHERS) {
            let names = self.names(scene, path);
            needed.retain(|word| !names.declared.contains(word));
        }
        needed
    }
}

/// The text of a file, or of the files of a directory.
fn contents(scene: &Scene<'_>, path: &str) -> String {
    let read = |path: &str| {
        let mut text = scene.world.read(path).unwrap_or_default();
        text.truncate(text.floor_char_boundary(BYTES));
        text
    };
    if scene.world.kind(path) != Some(Kind::Directory) {
        return read(path);
    }
    let names = scene.world.names(path).to_vec().into_iter().take(FILES);
    names.map(|name| read(&joined(path, &name))).collect()
}
