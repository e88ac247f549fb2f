//! What files declare, read once for all the broken literals of one file.
//!
//! A program that includes or imports something uses what it declares. So of several targets that one is likelier which
//! declares names that the file uses, does not declare itself, and gets from nothing else that it names.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use pathfinder_literals::{Kind, Verdict};

use super::FixContext;
use super::names::Names;
use super::paths::{bare, extension, extension_similarity, is_index, joined, name, parent};
use super::surroundings::{path_stem, plain};
use super::words::{KEYWORDS, identifiers};

/// Files of a directory in which names are looked for.
const MAX_DIRECTORY_FILES: usize = 20;
/// Bytes of a file in which names are looked for: what declares more is generated.
pub(super) const MAX_SEARCHED_BYTES: usize = 256 * 1024;
/// Targets of the file's other literals whose names need no other source.
const MAX_OTHER_TARGETS: usize = 40;
/// Shorter names are everywhere.
const MIN_NAME_BYTES: usize = 4;
/// So many names that are needed count as one half: one can be there by chance, ten cannot.
const HALF_SATURATION: f32 = 2.0;
/// Declarations that a target can have more than another before it counts that it has more.
const DECLARATION_SMOOTHING: f32 = 4.0;
/// Files without names that a target would declare.
const NON_CODE_EXTENSIONS: [&str; 24] = [
    "", "adoc", "bash", "cmake", "css", "html", "json", "less", "md", "mdx", "mk", "nix", "rst", "sass", "scss", "sh",
    "svg", "tex", "tf", "toml", "txt", "xml", "yaml", "yml",
];
/// Files in which the words beside a literal are the format's own, and say nothing of what it leads to.
const NON_PROSE_EXTENSIONS: [&str; 15] =
    ["", "bash", "cmake", "css", "html", "json", "mk", "nix", "sh", "svg", "tf", "toml", "xml", "yaml", "yml"];

/// Whether a file is one that declares names.
pub(super) fn is_code(file: &str) -> bool {
    !NON_CODE_EXTENSIONS.contains(&extension(file))
}

/// Whether a statement in this file speaks of what a literal leads to.
pub(super) fn has_prose(file: &str) -> bool {
    !NON_PROSE_EXTENSIONS.contains(&extension(file))
}

/// How a file says that it hands on whatever other files declare.
const REEXPORTS: [&str; 3] = ["export *", "import *", "::*;"];

/// What a target declares, as far as it says anything: numbers are 0–1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Declarations {
    /// How much the file needs of it.
    pub(super) gives: f32,
    /// Whether it bears the name that was asked for, and how few others do.
    pub(super) bears: f32,
}

/// What was read for one file's literals.
#[derive(Default)]
pub(in crate::check) struct ReadCache {
    files: RefCell<HashMap<String, Rc<Names>>>,
    needed: OnceCell<HashSet<String>>,
    said: OnceCell<(Rc<HashSet<String>>, HashSet<String>)>,
}

impl ReadCache {
    /// The names in a file or directory.
    pub(super) fn names(&self, context: &FixContext<'_>, path: &str) -> Rc<Names> {
        if let Some(known) = self.files.borrow().get(path) {
            return Rc::clone(known);
        }
        let names = Rc::new(Names::from_text(&contents(context, path)));
        self.files.borrow_mut().insert(path.to_owned(), Rc::clone(&names));
        names
    }

    /// What is declared at each path, as far as it says anything of what was asked for (by this path). What several declare
    /// counts for each a part.
    pub(super) fn declares(&self, context: &FixContext<'_>, wanted: &str, paths: &[&str]) -> Vec<Declarations> {
        let needed = self.needed.get_or_init(|| self.needed(context));
        let all: Vec<Rc<Names>> = paths.iter().map(|path| self.names(context, path)).collect();
        // All of the name but its ending: `a.b.js` is no `a`.
        let old = plain(if is_index(wanted) { path_stem(wanted) } else { bare(name(wanted)) });
        // One that declares everything bears every name.
        let bear = |(names, path): (&Rc<Names>, &&str)| {
            let share = extension_similarity(extension(wanted), extension(path))
                / (names.declared.len() as f32 + DECLARATION_SMOOTHING);
            if names.declares_old_name(&old) { share } else { 0.0 }
        };
        let bears: Vec<f32> = all.iter().zip(paths).map(bear).collect();
        let bearing: f32 = bears.iter().sum();
        let given = |names: &Rc<Names>| -> Vec<&str> {
            let mut given: Vec<&str> =
                needed.iter().map(String::as_str).filter(|it| names.declared.contains(*it)).collect();
            given.sort_unstable();
            given
        };
        let given: Vec<Vec<&str>> = all.iter().map(given).collect();
        let mut by: HashMap<&str, f32> = HashMap::new();
        given.iter().flatten().for_each(|word| *by.entry(word).or_default() += 1.0);
        let sum = |words: &Vec<&str>| words.iter().map(|word| 1.0 / by[word]).sum::<f32>();
        let combine = |(given, bears): (&Vec<&str>, &f32)| Declarations {
            gives: sum(given) / (sum(given) + HALF_SATURATION),
            bears: bears / bearing.max(f32::MIN_POSITIVE),
        };
        given.iter().zip(&bears).map(combine).collect()
    }

    /// Words that the file says outside of its literals, in their plain form: those that none of its literals explains by
    /// leading to something of that name, and those that one does.
    pub(super) fn said(&self, context: &FixContext<'_>) -> (Rc<HashSet<String>>, &HashSet<String>) {
        let (said, explained) = self.said.get_or_init(|| said(context));
        (Rc::clone(said), explained)
    }

    /// Names that the file uses and gets from nowhere that is known.
    fn needed(&self, context: &FixContext<'_>) -> HashSet<String> {
        if !is_code(context.file) {
            return HashSet::new();
        }
        let own = Names::from_text(context.source.text());
        let mut needed = own.used;
        needed.retain(|word| {
            word.len() >= MIN_NAME_BYTES && !KEYWORDS.contains(&word.as_str()) && !own.declared.contains(word)
        });
        let found = context.all.iter().filter_map(|literal| match &literal.verdict {
            Verdict::Found(target) => Some(target.path.as_str()),
            _ => None,
        });
        let mut seen = HashSet::new();
        for path in found.filter(|path| seen.insert(*path)).take(MAX_OTHER_TARGETS) {
            let names = self.names(context, path);
            needed.retain(|word| !names.declared.contains(word));
        }
        needed
    }
}

/// See [`ReadCache::said`].
fn said(context: &FixContext<'_>) -> (Rc<HashSet<String>>, HashSet<String>) {
    let skipped = context.source.offset();
    let mut said: HashSet<String> = HashSet::new();
    let mut literals = context.all.iter().map(|literal| &literal.range).peekable();
    for (at, word) in identifiers(context.source.text()) {
        let at = at + skipped;
        while literals.next_if(|range| range.end <= at).is_some() {}
        if literals.peek().is_none_or(|range| at < range.start) {
            said.insert(plain(word));
        }
    }
    let mut explained = HashSet::new();
    for literal in context.all {
        if let Verdict::Found(target) = &literal.verdict {
            explained.extend(said.take(&plain(path_stem(&target.path))));
        }
    }
    (Rc::new(said), explained)
}

/// The text of a file, or of the files of a directory; of a file that hands on all that the files beside it declare, theirs.
fn contents(context: &FixContext<'_>, path: &str) -> String {
    let read = |path: &str| {
        let mut text = context.tree.read(path).unwrap_or_default();
        text.truncate(text.floor_char_boundary(MAX_SEARCHED_BYTES));
        text
    };
    let mut text = String::new();
    let mut directory = path;
    if context.tree.kind(path) != Some(Kind::Directory) {
        text = read(path);
        if !is_index(path) || !REEXPORTS.iter().any(|mark| text.contains(mark)) {
            return text;
        }
        directory = parent(path);
    }
    for name in context.tree.names(directory).to_vec().into_iter().take(MAX_DIRECTORY_FILES) {
        text.push_str(&read(&joined(directory, &name)));
        text.push('\n');
    }
    text
}
