//! `LearnedBases`: the directories that calls and constants stand for, learned from the literals that are joined to them.
//!
//! The value of `theme_directory()` is unknown to a checker. But if the literals behind it, nearly all, are paths of files below
//! one directory, it stands for that directory. The base of an installation that lies outside never reaches this share.

use std::sync::Arc;

use parking_lot::Mutex;
use pathfinder_literals::path::{ancestors, extension, is_within, join, parent, strip_parent_steps};
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{Kind, Project, ProjectIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use super::joined_literals::{self, depends_on_file, is_path_literal, normalize_base};

/// Files that are read: a bound for the time that a hostile tree costs. Larger applications are learned in part.
const MAX_FILES: usize = 8 << 10;
/// Bytes that are read: 8 KiB for each of the files.
const MAX_BYTES: usize = 64 << 20;
/// Other literals that must be files below a base. The number is a choice and not measured: one or two common names such as
/// `index.php` are in many directories, five different paths seldom are.
const MIN_FILES: usize = 5;
/// Files per other missing literal below a base: nine in ten, the lowest share that says "nearly all". A commit can break several
/// includes at once.
const MIN_FILES_PER_MISSING: usize = 9;
/// Literals that are kept of one expression, the first ones by path. Each directory that is asked for goes through them all.
const MAX_USES: usize = 1 << 14;
/// Literals of one expression and directory that are compared. A directory needs no more to be known.
const MAX_LITERALS: usize = 256;
/// Literals whose files elsewhere in the tree suggest a base: a base that is right contains nearly all of them.
const MAX_SAMPLES: usize = 8;
/// Files with the path of one sample. Copies of a project have as many.
const MAX_SUFFIX_MATCHES: usize = 8;
/// Levels above a file at which the base of an expression with `__FILE__` can be. Each is one more lookup per literal.
const MAX_LEVELS: usize = 4;
/// Cached decisions, one per expression and directory.
const MAX_DECISIONS: usize = 1 << 14;

/// The place that an expression can stand for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// A directory of the tree.
    Directory(String),
    /// A directory that many levels above the directory of the file.
    Above(usize),
}

impl Place {
    /// The directory for an expression in a file.
    fn directory(&self, file: &str) -> Option<String> {
        match self {
            Self::Directory(directory) => Some(directory.clone()),
            Self::Above(levels) => ancestors(parent(file)).nth(*levels).map(str::to_owned),
        }
    }
}

/// A place with the literals that are files below it and those that are missing.
#[derive(Debug)]
struct Candidate {
    place: Place,
    found: FxHashSet<u32>,
    missing: FxHashSet<u32>,
}

/// The candidates of one expression, which several threads read.
type SharedCandidates = Arc<Vec<Candidate>>;

/// A literal at its file.
#[derive(Clone, Copy, Debug)]
struct LiteralUse {
    file: u32,
    literal: u32,
    is_optional: bool,
}

/// A directory that an expression stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct LearnedBase {
    /// The directory.
    pub(super) directory: String,
    /// True if the share is reached among the literals with the same extension, too.
    pub(super) is_sure_of_extension: bool,
}

/// The literals that are joined to each expression, as an index.
#[derive(Debug, Default)]
pub(crate) struct LearnedBases {
    uses: FxHashMap<String, Vec<LiteralUse>>,
    literals: Vec<String>,
    numbers: FxHashMap<String, u32>,
    /// The candidates of an expression below a directory.
    decisions: Mutex<FxHashMap<(String, String), SharedCandidates>>,
}

impl ProjectIndex for LearnedBases {
    fn build(project: &Project) -> Self {
        let tree = project.tree();
        let mut bases = Self::default();
        let mut bytes = 0;
        let files = tree.files().iter().enumerate().filter(|(_, path)| extension(path) == "php" && !is_vendored(path));
        for (file, path) in files.take(MAX_FILES) {
            let Some(text) = tree.read_shared(path) else { continue };
            bytes += text.len();
            if bytes > MAX_BYTES {
                break;
            }
            bases.add_file(file as u32, &text);
        }
        bases.uses.retain(|_, uses| count_literals(uses) >= MIN_FILES);
        bases
    }
}

/// The number of distinct literals.
fn count_literals(uses: &[LiteralUse]) -> usize {
    uses.iter().map(|one| one.literal).collect::<FxHashSet<u32>>().len()
}

impl LearnedBases {
    /// Adds the joined literals of a file.
    fn add_file(&mut self, file: u32, text: &str) {
        for joined in joined_literals::find(text) {
            let base = normalize_base(&text[joined.base.clone()]);
            let next = self.literals.len() as u32;
            let literal = *self.numbers.entry(joined.literal.to_owned()).or_insert(next);
            if literal == next {
                self.literals.push(joined.literal.to_owned());
            }
            let uses = self.uses.entry(base).or_default();
            if uses.len() < MAX_USES {
                uses.push(LiteralUse { file, literal, is_optional: joined.is_optional });
            }
        }
    }

    /// Returns the directory that an expression before a literal of a file stands for.
    pub(super) fn find(&self, project: &Project, file: &str, base: &str, literal: &str) -> Option<LearnedBase> {
        let base = normalize_base(base);
        let uses = self.uses.get(&base).filter(|_| is_path_literal(literal))?;
        let number = self.numbers.get(literal).copied();
        // An expression with the file's own place stands for the same steps in all files.
        let scopes = ancestors(parent(file)).filter(|scope| scope.is_empty() || !depends_on_file(&base));
        let in_scope = |scope: &str| {
            let candidates = self.candidates(project, &base, uses, scope);
            let held = candidates.iter().filter(|candidate| candidate.holds(number, |_| true));
            let mut held: Vec<(String, &Candidate)> =
                held.filter_map(|candidate| Some((candidate.place.directory(file)?, candidate))).collect();
            // A file belongs to the copy of a project that is around it.
            if held.len() > 1 {
                held.retain(|(directory, _)| is_below(file, directory));
                held.sort_by_key(|(directory, _)| std::cmp::Reverse(directory.len()));
            }
            let (directory, candidate) = held.into_iter().next()?;
            let ending = extension(literal);
            let is_alike = |literal: u32| extension(&self.literals[literal as usize]) == ending;
            Some(LearnedBase { directory, is_sure_of_extension: candidate.holds(number, is_alike) })
        };
        // Most trees are one project, whose directory is compared once. Only a literal that is no file there asks for each
        // directory around its file: it can be of a project within the project.
        let is_file = |learned: &LearnedBase| learned.find_file(project, literal).is_some();
        let whole = in_scope("").filter(|learned| is_below(file, &learned.directory) && is_file(learned));
        whole.or_else(|| scopes.into_iter().find_map(in_scope))
    }

    /// The places that an expression can stand for in the files below a directory.
    fn candidates(&self, project: &Project, base: &str, uses: &[LiteralUse], scope: &str) -> SharedCandidates {
        let key = (base.to_owned(), scope.to_owned());
        if let Some(known) = self.decisions.lock().get(&key) {
            return Arc::clone(known);
        }
        let files = project.tree().files();
        let path = |one: &LiteralUse| files.get(one.file as usize).map_or("", String::as_str);
        let mut seen = FxHashSet::default();
        let below: Vec<LiteralUse> = uses
            .iter()
            .filter(|one| is_below(path(one), scope))
            .filter(|one| seen.insert(one.literal))
            .take(MAX_LITERALS)
            .copied()
            .collect();
        let optional: FxHashSet<u32> = uses.iter().filter(|one| one.is_optional).map(|one| one.literal).collect();
        let evaluate = |places: Vec<Place>| -> Vec<Candidate> {
            places.into_iter().filter_map(|place| self.evaluate(project, place, &below, &optional)).collect()
        };
        let mut candidates = Vec::new();
        if below.len() >= MIN_FILES {
            candidates = evaluate(places_around(base, scope));
            if candidates.is_empty() && !depends_on_file(base) {
                candidates = evaluate(self.places_elsewhere(project, &below));
            }
        }
        let candidates = Arc::new(candidates);
        let mut decisions = self.decisions.lock();
        if decisions.len() < MAX_DECISIONS {
            decisions.insert(key, Arc::clone(&candidates));
        }
        candidates
    }

    /// Directories with files that a few literals fit.
    fn places_elsewhere(&self, project: &Project, below: &[LiteralUse]) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::new();
        let samples = below.iter().filter_map(|one| strip_parent_steps(&self.literals[one.literal as usize]));
        for sample in samples.take(MAX_SAMPLES) {
            for path in project.find_all_by_suffix(&sample, MAX_SUFFIX_MATCHES) {
                let directory = path[..path.len() - sample.len()].trim_end_matches('/');
                let place = Place::Directory(directory.to_owned());
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
        places
    }

    /// Looks each literal up below a place; `None` if too few are files there.
    fn evaluate(
        &self,
        project: &Project,
        place: Place,
        below: &[LiteralUse],
        optional: &FxHashSet<u32>,
    ) -> Option<Candidate> {
        let tree = project.tree();
        let (mut found, mut missing) = (FxHashSet::default(), Vec::new());
        for (index, one) in below.iter().enumerate() {
            let file = tree.files().get(one.file as usize)?;
            let path = join(&place.directory(file)?, &self.literals[one.literal as usize]);
            match path {
                Some(path) if tree.kind(&path) == Some(Kind::File) => _ = found.insert(one.literal),
                path => missing.push((one.literal, path)),
            }
            // Half of the first literals are files, or the rest is not worth a look.
            if missing.len() > MAX_SAMPLES && missing.len() * 2 > index {
                return None;
            }
        }
        if found.len() < MIN_FILES {
            return None;
        }
        let mut candidate = Candidate { place, found, missing: FxHashSet::default() };
        for (literal, path) in missing {
            let is_there = path.as_deref().is_some_and(|path| tree.was_there(path) || tree.moved(path).is_some());
            let can_be_missing = optional.contains(&literal)
                || super::is_installed(&self.literals[literal as usize])
                || path.is_some_and(|path| project.generated_by(&path).is_some());
            if is_there {
                candidate.found.insert(literal);
            } else if !can_be_missing {
                candidate.missing.insert(literal);
            }
        }
        Some(candidate)
    }
}

/// The directories from a scope up to the root, or the steps up from each file.
fn places_around(base: &str, scope: &str) -> Vec<Place> {
    if depends_on_file(base) {
        return (0..=MAX_LEVELS).map(Place::Above).collect();
    }
    ancestors(scope).map(|above| Place::Directory(above.to_owned())).collect()
}

impl LearnedBase {
    /// Returns the path of a literal, if it is a file.
    pub(super) fn find_file(&self, project: &Project, literal: &str) -> Option<String> {
        join(&self.directory, literal).filter(|path| project.tree().kind(path) == Some(Kind::File))
    }
}

/// Returns whether a file lies below a directory, which can be the root.
fn is_below(file: &str, directory: &str) -> bool {
    directory.is_empty() || is_within(file, directory)
}

impl Candidate {
    /// Returns whether enough literals are files, without regard to the one that is checked.
    fn holds(&self, checked: Option<u32>, is_counted: impl Fn(u32) -> bool) -> bool {
        let count = |all: &FxHashSet<u32>| {
            let others = all.iter().filter(|literal| Some(**literal) != checked);
            others.filter(|literal| is_counted(**literal)).count()
        };
        let (found, missing) = (count(&self.found), count(&self.missing));
        found >= MIN_FILES && found >= missing * MIN_FILES_PER_MISSING
    }
}
