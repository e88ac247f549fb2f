//! `LearnedForms`: the ways in which names after a word lead to files, learned from the names that do.

use std::collections::BTreeMap;

use pathfinder_literals::path::{extension, head, join, parent, strip_parent_steps};
use pathfinder_literals::report::{is_fixture, is_vendored};
use pathfinder_literals::typo::is_typo;
use pathfinder_literals::{Kind, Project, ProjectIndex, Tree};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::file_moves::FileMoves;

use super::has_no_rules;
use super::scan::{Reference, find_references};

/// The most files of one ending that are read, evenly spread. A word is used all over a project, so a part of its files shows it.
const MAX_FILES: usize = 400;
/// The part of a file that is searched. References are mostly at its beginning.
const MAX_SEARCHED_BYTES: usize = 32 << 10;
/// The fewest distinct names that lead to files in one way. Names of things that are no files fit two or three by chance.
const MIN_FOUND: usize = 6;
/// One in so many names can lead to no file, besides two: it may be broken too, which is what is looked for.
const MISSING_DIVISOR: usize = 12;
/// The fewest names of one beginning that are enough if many files have them, and the fewest uses that are many: a name that is no file and
/// fits by chance is not used so often.
const MIN_USED: usize = 3;
const MIN_USES: usize = 20;
/// The most ways of one word. A project has one for each of its parts.
const MAX_WAYS: usize = 8;
/// The most files of one ending of a path that are compared; more common ones say nothing.
const MAX_NAMESAKES: usize = 12;
/// The most names of one word that are looked up. Each takes some questions to the tree.
const MAX_LOOKED_UP: usize = 600;

/// The learned ways, by ending of the file, word and scheme.
pub(super) struct LearnedForms {
    forms: FxHashMap<FormKey, WordForm>,
}

/// Names that are alike: after the same word in files of one ending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct FormKey {
    ending: String,
    word: String,
    is_quoted: bool,
    scheme: String,
}

/// The ways of names that are alike.
struct WordForm {
    ways: Vec<Way>,
    /// Beginnings of names, nearly all of which lead to files in one of the ways; `None` if nearly all names do, whatever their beginning.
    starts: Option<FxHashSet<String>>,
}

/// A way from a name to a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    /// True if dots or colons separate the names of directories.
    is_dotted: bool,
    /// True if the ending of the program's own files is left out.
    omits_ending: bool,
    base: Base,
}

/// The directory from which a name leads to a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Base {
    /// The directory of the file that has the name.
    Own,
    /// This one, for names that begin with this segment, which is left out; empty if none is.
    Fixed { directory: String, left_out: String },
}

impl ProjectIndex for LearnedForms {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut files: BTreeMap<String, Vec<&String>> = BTreeMap::new();
        for path in tree.files() {
            let ending = extension(path);
            if !ending.is_empty() && has_no_rules(project, path) && !is_vendored(path) && !is_fixture(path) {
                files.entry(ending.as_str().to_owned()).or_default().push(path);
            }
        }
        let mut forms = FxHashMap::default();
        for (ending, paths) in files.into_iter().filter(|(_, paths)| paths.len() >= MIN_FOUND) {
            let mut uses: BTreeMap<FormKey, Vec<(&str, String)>> = BTreeMap::new();
            for path in paths.iter().step_by(paths.len().div_ceil(MAX_FILES)) {
                let Some(text) = tree.read_shared(path) else { continue };
                for reference in find_references(head(&text, MAX_SEARCHED_BYTES)) {
                    let names = uses.entry(FormKey::new(&ending, &reference)).or_default();
                    let is_known = |(file, name): &(&str, String)| file == path && name == reference.name;
                    if !names.last().is_some_and(is_known) {
                        names.push((path, reference.name.to_owned()));
                    }
                }
            }
            forms.extend(
                uses.into_iter().filter_map(|(key, names)| Some((key, WordForm::learn(project, &ending, &names)?))),
            );
        }
        Self { forms }
    }
}

impl FormKey {
    fn new(ending: &str, reference: &Reference<'_>) -> Self {
        Self {
            ending: ending.to_owned(),
            word: reference.word.to_owned(),
            is_quoted: reference.is_quoted,
            scheme: reference.scheme.to_owned(),
        }
    }
}

impl LearnedForms {
    /// The paths to which a name of a file can lead, the likeliest first; `None` if too few names like it lead to files, or if it leads to
    /// one in another way, unless a commit moved the file to which it led.
    pub(super) fn paths_of(&self, project: &Project, file: &str, reference: &Reference<'_>) -> Option<Vec<String>> {
        if self.forms.is_empty() {
            return None;
        }
        let ending = extension(file);
        let ending = ending.as_str();
        let form = self.forms.get(&FormKey::new(ending, reference))?;
        let paths: Vec<String> = form.ways.iter().filter_map(|way| way.path_of(file, reference.name, ending)).collect();
        let is_known = form.starts.as_ref().is_none_or(|starts| starts.contains(start_of(reference.name)));
        let is_found = || paths.iter().any(|path| project.tree().kind(path).is_some());
        let is_elsewhere = || {
            let ways =
                form.ways.iter().filter_map(|way| path_in(reference.name, way.is_dotted, way.omits_ending, ending));
            let mut ends = ways.filter_map(|path| strip_parent_steps(path.trim_start_matches('/')));
            // The first name can be that of the directory in which the project is installed.
            let inside =
                |end: &str| end.split_once('/').filter(|(_, rest)| rest.contains('/')).map(|(_, rest)| rest.to_owned());
            let is_end = |end: &str| project.find_by_suffix(end).is_some();
            ends.any(|end| is_end(&end) || inside(&end).is_some_and(|rest| is_end(&rest)))
        };
        let was_moved = || project.index::<FileMoves>().have_any(&paths);
        let is_mistyped = || form.has_mistyped_start(project.tree(), file, reference.name, ending);
        let is_told =
            !paths.is_empty() && (is_known && (is_found() || !is_elsewhere()) || was_moved() || is_mistyped());
        is_told.then_some(paths)
    }
}

impl WordForm {
    /// Returns whether a name leads to a file if a typo in its beginning is corrected.
    fn has_mistyped_start(&self, tree: &dyn Tree, file: &str, name: &str, ending: &str) -> bool {
        let start = start_of(name);
        let near = self.starts.iter().flatten().filter(|known| is_typo(start, known));
        near.map(|known| name.replacen(start, known, 1))
            .any(|name| self.ways.iter().any(|way| way.leads_to_file(tree, file, &name, ending)))
    }

    /// Learns the ways of names, each with the file that has it; `None` if they lead to no files.
    fn learn(project: &Project, ending: &str, names: &[(&str, String)]) -> Option<Self> {
        let tree = project.tree();
        let names: Vec<&(&str, String)> = names.iter().step_by(names.len().div_ceil(MAX_LOOKED_UP)).collect();
        let mut open: Vec<&(&str, String)> = names.clone();
        let mut ways: Vec<Way> = Vec::new();
        while ways.len() < MAX_WAYS {
            let mut counts: BTreeMap<Way, FxHashSet<&str>> = BTreeMap::new();
            for (file, name) in open.iter().copied() {
                for way in possible_ways(project, file, name, ending) {
                    counts.entry(way).or_default().insert(name);
                }
            }
            // The most used one; of equal ones the first.
            let best = counts.into_iter().rev().max_by_key(|(_, names)| names.len());
            let Some((way, _)) = best.filter(|(_, names)| names.len() >= MIN_FOUND) else { break };
            open.retain(|(file, name)| !way.leads_to_file(tree, file, name, ending));
            ways.push(way);
        }
        let starts = known_starts(tree, &ways, &names, ending);
        starts.as_ref().is_none_or(|starts| !starts.is_empty()).then_some(Self { ways, starts })
    }
}

/// The beginnings of names, nearly all of which lead to files; `None` if nearly all names do. What a commit moved says nothing against a way.
fn known_starts(tree: &dyn Tree, ways: &[Way], names: &[&(&str, String)], ending: &str) -> Option<FxHashSet<String>> {
    let mut counts: FxHashMap<&str, [NameCount; 2]> = FxHashMap::default();
    for (file, name) in names.iter().copied() {
        let is_own = |way: &Way| way.path_of(file, name, ending).as_deref() == Some(file);
        let is_found = ways.iter().any(|way| way.leads_to_file(tree, file, name, ending));
        let is_moved =
            || ways.iter().any(|way| way.path_of(file, name, ending).is_some_and(|path| tree.moved(&path).is_some()));
        if is_found || ways.iter().any(is_own) || !is_moved() {
            let count = &mut counts.entry(start_of(name)).or_default()[usize::from(is_found)];
            count.names.insert(name);
            count.uses += 1;
        }
    }
    let sum = |at: usize| counts.values().map(|both| both[at].names.len()).sum();
    if holds(sum(0), sum(1)) {
        return None;
    }
    let is_known = |[missing, found]: &[NameCount; 2]| {
        let is_used = found.uses >= MIN_USES && missing.uses <= found.uses / MISSING_DIVISOR;
        holds(missing.names.len(), found.names.len()) || is_used && found.names.len() >= MIN_USED
    };
    Some(counts.iter().filter(|(_, both)| is_known(both)).map(|(start, _)| (*start).to_owned()).collect())
}

/// Names that lead to files, or that do not.
#[derive(Default)]
struct NameCount<'n> {
    names: FxHashSet<&'n str>,
    uses: usize,
}

/// Returns whether so few of the distinct names lead to no file that the others show the way.
fn holds(missing: usize, found: usize) -> bool {
    found >= MIN_FOUND && missing <= 2.min(found / MIN_FOUND) + found / MISSING_DIVISOR
}

/// The part of a name that says to which library it belongs: its first segment, a step of a relative path, or nothing for a single name.
fn start_of(name: &str) -> &str {
    if name.starts_with("./") || name.starts_with("../") {
        return ".";
    }
    let from = usize::from(name.starts_with('/'));
    let end = name[from..].find(['/', '\\', ':', '.']).map_or(0, |end| from + end);
    &name[..end]
}

/// The ways in which a name leads to a file other than its own.
fn possible_ways(project: &Project, file: &str, name: &str, ending: &str) -> Vec<Way> {
    let mut ways = Vec::new();
    for (is_dotted, omits_ending) in [(false, false), (false, true), (true, true)] {
        let Some(path) = path_in(name, is_dotted, omits_ending, ending) else { continue };
        let way = |base| Way { is_dotted, omits_ending, base };
        let own = way(Base::Own);
        if own.leads_to_file(project.tree(), file, name, ending) {
            ways.push(own);
        }
        if path.starts_with('.') {
            continue;
        }
        let path = path.trim_start_matches('/');
        let mut rests = vec![("", path)];
        rests.extend(path.split_once('/'));
        for (left_out, rest) in rests {
            let there = project.find_all_by_suffix(rest, MAX_NAMESAKES + 1);
            for found in there.iter().filter(|found| **found != file && there.len() <= MAX_NAMESAKES) {
                let directory = found[..found.len() - rest.len()].trim_end_matches('/').to_owned();
                ways.push(way(Base::Fixed { directory, left_out: left_out.to_owned() }));
            }
        }
    }
    ways
}

/// A name as the end of a path; `None` if it cannot be read so.
fn path_in(name: &str, is_dotted: bool, omits_ending: bool, ending: &str) -> Option<String> {
    let path = match (is_dotted, name.contains('/')) {
        (true, true) => return None,
        (true, false) if !name.contains(['.', ':', '\\']) => return None,
        (true, false) => name.replace("::", "/").replace(['.', '\\'], "/"),
        (false, _) if name.contains([':', '\\']) => return None,
        (false, _) => name.to_owned(),
    };
    Some(if omits_ending { format!("{path}.{ending}") } else { path })
}

impl Way {
    /// The path to which a name of a file leads.
    fn path_of(&self, file: &str, name: &str, ending: &str) -> Option<String> {
        let path = path_in(name, self.is_dotted, self.omits_ending, ending)?;
        match &self.base {
            Base::Own if path.starts_with('/') => None,
            Base::Own => join(parent(file), &path),
            Base::Fixed { .. } if path.starts_with('.') => None,
            Base::Fixed { directory, left_out } => {
                let path = path.trim_start_matches('/');
                let rest =
                    if left_out.is_empty() { path } else { path.strip_prefix(left_out.as_str())?.strip_prefix('/')? };
                join(directory, rest)
            }
        }
    }

    /// Returns whether a name leads to a file other than its own.
    fn leads_to_file(&self, tree: &dyn Tree, file: &str, name: &str, ending: &str) -> bool {
        let path = self.path_of(file, name, ending);
        path.is_some_and(|path| path != file && tree.kind(&path) == Some(Kind::File))
    }
}
