//! `ReadCache`: the declarations of files, read once for all broken literals of one file.
//!
//! A program that includes or imports a file uses its declarations. So the likelier target declares names that the
//! file uses, does not declare itself, and gets from no other target.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use parking_lot::RwLock;
use pathfinder_languages::fragments;
use pathfinder_literals::{Kind, Verdict};
use rustc_hash::{FxHashMap, FxHashSet};

use super::FixContext;
use super::names::Names;
use super::paths::{extension, extension_similarity, is_below, is_index, join, name, parent, without_extension};
use super::surroundings::{normalize, path_stem};
use super::word_table::WordTable;
use super::words::{identifiers, is_keyword};

/// Files of a directory that are searched for names.
const MAX_DIRECTORY_FILES: usize = 20;
/// Bytes of a file that are searched for names; a larger file is generated.
pub(super) const MAX_SEARCHED_BYTES: usize = 256 * 1024;
/// Targets of the file's other literals whose names count as explained.
const MAX_OTHER_TARGETS: usize = 40;
/// Shorter names are too common.
const MIN_NAME_BYTES: usize = 4;
/// This many needed names count as one half: one may occur by chance, ten do not.
const HALF_SATURATION: f32 = 2.0;
/// Added to a target's number of declarations, so that small differences do not count.
const DECLARATION_SMOOTHING: f32 = 4.0;
/// Extensions of files that declare no names.
const NON_CODE_EXTENSIONS: [&str; 24] = [
    "", "adoc", "bash", "cmake", "css", "html", "json", "less", "md", "mdx", "mk", "nix", "rst", "sass", "scss", "sh",
    "svg", "tex", "tf", "toml", "txt", "xml", "yaml", "yml",
];
/// Extensions of files in which the words beside a literal belong to the format, and say nothing about its target.
const NON_PROSE_EXTENSIONS: [&str; 15] =
    ["", "bash", "cmake", "css", "html", "json", "mk", "nix", "sh", "svg", "tf", "toml", "xml", "yaml", "yml"];

/// Returns whether a file can declare names.
pub(super) fn is_code(file: &str) -> bool {
    !NON_CODE_EXTENSIONS.contains(&extension(file))
}

/// Returns whether the words of a statement in this file can describe a target.
pub(super) fn has_prose(file: &str) -> bool {
    !NON_PROSE_EXTENSIONS.contains(&extension(file))
}

/// Returns whether a path is the index file of a package around the file, in the same language. A name that moved
/// there stays in reach, but the file cannot import it from there: the index file loads the file.
pub(super) fn is_own_index(path: &str, file: &str) -> bool {
    is_index(path)
        && is_code(path)
        && extension_similarity(extension(path), extension(file)) > 0.0
        && is_below(parent(file), parent(path))
}

/// Text that marks a file as re-exporting the declarations of other files.
const REEXPORTS: [&str; 3] = ["export *", "import *", "::*;"];

/// Evidence from a target's declarations; each number is 0–1.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Declarations {
    /// The share of the file's needed names that it declares.
    pub(super) gives: f32,
    /// True if it declares the wanted name, relative to the other targets that do.
    pub(super) bears: f32,
}

/// Names by path, shared by all files of one run during which no file changes.
#[derive(Default)]
pub(crate) struct NameCache {
    names: RwLock<CachedNames>,
    /// The fragments of pages.
    fragments: RwLock<FxHashMap<String, Arc<[String]>>>,
    /// The words of targets. Literals of one directory have most targets in common.
    words: WordTable,
}

#[derive(Default)]
struct CachedNames {
    by_path: FxHashMap<String, Arc<Names>>,
    words: usize,
}

impl NameCache {
    /// Limit of the stored words, which take about 50 bytes each. Names beyond it are read for each file again.
    const MAX_WORDS: usize = 1 << 19;
    /// Limit of the pages whose fragments are stored: more than one site has.
    const MAX_PAGES: usize = 1 << 13;

    /// The names at a path, read if they are not stored.
    fn get(&self, path: &str, read: impl FnOnce() -> Names) -> Arc<Names> {
        if let Some(known) = self.names.read().by_path.get(path) {
            return Arc::clone(known);
        }
        let names = Arc::new(read());
        let mut kept = self.names.write();
        let words = kept.words + 1 + names.declared.len() + names.used.len();
        if words <= Self::MAX_WORDS {
            kept.words = words;
            kept.by_path.insert(path.to_owned(), Arc::clone(&names));
        }
        names
    }

    /// The fragments of a page, read if they are not stored.
    fn fragments(&self, page: &str, read: impl FnOnce() -> Arc<[String]>) -> Arc<[String]> {
        if let Some(known) = self.fragments.read().get(page) {
            return Arc::clone(known);
        }
        let fragments = read();
        let mut kept = self.fragments.write();
        if kept.len() < Self::MAX_PAGES {
            kept.insert(page.to_owned(), Arc::clone(&fragments));
        }
        fragments
    }
}

/// Names and words read for the literals of one file.
#[derive(Default)]
pub(crate) struct ReadCache<'a> {
    shared: Option<&'a NameCache>,
    files: RefCell<HashMap<String, Arc<Names>>>,
    fragments: RefCell<FxHashMap<String, Arc<[String]>>>,
    needed: OnceCell<FxHashSet<String>>,
    said: OnceCell<(Rc<HashSet<String>>, HashSet<String>)>,
    /// The words of targets, if no run shares them.
    own_words: WordTable,
}

impl<'a> ReadCache<'a> {
    /// Creates the cache of one file; names are shared with other files through `shared`.
    pub(crate) fn new(shared: Option<&'a NameCache>) -> Self {
        Self { shared, ..Self::default() }
    }

    /// The words of targets.
    pub(super) fn words(&self) -> &WordTable {
        self.shared.map_or(&self.own_words, |shared| &shared.words)
    }

    /// The names in a file or directory.
    pub(super) fn names(&self, context: &FixContext<'_>, path: &str) -> Arc<Names> {
        if let Some(known) = self.files.borrow().get(path) {
            return Arc::clone(known);
        }
        let read = || read_names(context, path);
        let names = self.shared.map_or_else(|| Arc::new(read()), |shared| shared.get(path, read));
        self.files.borrow_mut().insert(path.to_owned(), Arc::clone(&names));
        names
    }

    /// The fragments of a page of Markdown, as it is on disk, or as the file is checked.
    pub(super) fn fragments(&self, context: &FixContext<'_>, page: &str) -> Arc<[String]> {
        if let Some(known) = self.fragments.borrow().get(page) {
            return Arc::clone(known);
        }
        let read = || context.tree.read_shared(page).map_or_else(Arc::default, |text| fragments(&text).into());
        let all = if page == context.file {
            fragments(context.source.text()).into()
        } else {
            self.shared.map_or_else(read, |shared| shared.fragments(page, read))
        };
        self.fragments.borrow_mut().insert(page.to_owned(), Arc::clone(&all));
        all
    }

    /// The declarations at each path, as far as they concern the wanted path. A name that several paths declare is
    /// shared among them.
    pub(super) fn compare_declarations(
        &self,
        context: &FixContext<'_>,
        wanted: &str,
        paths: &[&str],
    ) -> Vec<Declarations> {
        let needed = self.needed.get_or_init(|| self.find_needed_names(context));
        let all: Vec<Arc<Names>> = paths.iter().map(|path| self.names(context, path)).collect();
        // The name without its last ending only: `a.b.js` is not `a`.
        let old = normalize(if is_index(wanted) { path_stem(wanted) } else { without_extension(name(wanted)) });
        // A file that declares many names matches any name by chance.
        let bear = |(names, path): (&Arc<Names>, &&str)| {
            let share = extension_similarity(extension(wanted), extension(path))
                / (names.declared.len() as f32 + DECLARATION_SMOOTHING);
            if names.declares_old_name(&old) { share } else { 0.0 }
        };
        let bears: Vec<f32> = all.iter().zip(paths).map(bear).collect();
        let bearing: f32 = bears.iter().sum();
        let given = |names: &Arc<Names>| -> Vec<&str> {
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

    /// The words outside the file's literals, in plain form: those that no literal explains by leading to a target of
    /// that name, and those that one does.
    pub(super) fn outside_words(&self, context: &FixContext<'_>) -> (Rc<HashSet<String>>, &HashSet<String>) {
        let (said, explained) = self.said.get_or_init(|| outside_words(context));
        (Rc::clone(said), explained)
    }

    /// Names that the file uses and that no known target declares.
    fn find_needed_names(&self, context: &FixContext<'_>) -> FxHashSet<String> {
        if !is_code(context.file) {
            return FxHashSet::default();
        }
        let own = Names::from_text(context.source.text());
        let mut needed = own.used;
        needed.retain(|word| word.len() >= MIN_NAME_BYTES && !is_keyword(word) && !own.declared.contains(word));
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

/// Computes the result of [`ReadCache::outside_words`].
fn outside_words(context: &FixContext<'_>) -> (Rc<HashSet<String>>, HashSet<String>) {
    let skipped = context.source.offset();
    let mut said: HashSet<String> = HashSet::new();
    let mut literals = context.all.iter().map(|literal| &literal.range).peekable();
    for (at, word) in identifiers(context.source.text()) {
        let at = at + skipped;
        while literals.next_if(|range| range.end <= at).is_some() {}
        if literals.peek().is_none_or(|range| at < range.start) {
            said.insert(normalize(word));
        }
    }
    let mut explained = HashSet::new();
    for literal in context.all {
        if let Verdict::Found(target) = &literal.verdict {
            explained.extend(said.take(&normalize(path_stem(&target.path))));
        }
    }
    (Rc::new(said), explained)
}

/// The names in a file, or in the files of a directory. For a file that re-exports its neighbours, those in all files beside it.
fn read_names(context: &FixContext<'_>, path: &str) -> Names {
    let read = |path: &str| context.tree.read_shared(path);
    let mut directory = path;
    let mut all = String::new();
    if context.tree.kind(path) != Some(Kind::Directory) {
        let text = read(path);
        let text = searched_part(text.as_deref());
        if !is_index(path) {
            return Names::from_text(text);
        }
        if !REEXPORTS.iter().any(|mark| text.contains(mark)) {
            return Names::from_text(text).with_reexports(text);
        }
        text.clone_into(&mut all);
        directory = parent(path);
    }
    for name in context.tree.names(directory).iter().take(MAX_DIRECTORY_FILES) {
        all.push_str(searched_part(read(&join(directory, name)).as_deref()));
        all.push('\n');
    }
    let names = Names::from_text(&all);
    if directory == path { names } else { names.with_reexports(searched_part(read(path).as_deref())) }
}

/// The part of a text that is searched for names.
fn searched_part(text: Option<&str>) -> &str {
    text.map_or("", |text| &text[..text.floor_char_boundary(MAX_SEARCHED_BYTES)])
}
