//! `SearchPath`: the directories in which a compiler looks for the includes of one file. `resolve` tries them in order.

use std::cell::{OnceCell, RefCell};

use pathfinder_literals::path::{ancestors, join, parent};
use pathfinder_literals::{Kind, Project, Reason, Source};
use rustc_hash::FxHashMap;

use super::build_files::{BuildFiles, is_file};
use super::scan::IncludeForm;

/// Directories that are searched below each directory above the file.
const USUAL_DIRECTORIES: [&str; 5] = ["", "include", "src", "inc", "lib"];

/// The include directories of one file, in the order of a compiler. They are found once per file, and joined with an
/// include one by one: most includes are found in one of the first.
pub(super) struct SearchPath<'a> {
    own: &'a str,
    /// The directories of the file's compile command.
    listed: &'a [String],
    usual: Vec<String>,
    /// Those of them that exist, for each directory above the file, with its number.
    existing: OnceCell<Vec<(usize, Vec<String>)>>,
    /// The directories of all build files, those nearest to the file first.
    searched: Vec<&'a str>,
    build: &'a BuildFiles,
    project: &'a Project,
    /// For the directory that an include names: whether each directory of [`Self::own_directories`] can have it, as far as that
    /// was asked. The includes of a file name few directories.
    branches: RefCell<FxHashMap<String, Vec<Option<bool>>>>,
    /// The files that its includes lead to, by form and path. A missing include is compared with the others of its file.
    files: RefCell<FxHashMap<IncludeForm, FxHashMap<String, Option<String>>>>,
}

impl<'a> SearchPath<'a> {
    pub(super) fn new(source: &'a Source<'_>, project: &'a Project) -> Self {
        let own = source.directory();
        let build = project.index::<BuildFiles>();
        let command = build.compile_command(source.path());
        let listed = command.map_or(&[][..], |command| &command.directories);
        if command.is_some_and(|command| command.is_complete) {
            return Self {
                own,
                listed,
                usual: Vec::new(),
                existing: OnceCell::new(),
                searched: Vec::new(),
                build,
                project,
                branches: RefCell::default(),
                files: RefCell::default(),
            };
        }
        let usual = ancestors(own).flat_map(|above| USUAL_DIRECTORIES.map(|below| join(above, below)));
        let searched = build.directories_near(source.path());
        let (existing, branches, files) = (OnceCell::new(), RefCell::default(), RefCell::default());
        Self { own, listed, usual: usual.flatten().collect(), existing, searched, build, project, branches, files }
    }

    /// The directories that a compile command or a build file declares for a file, in order.
    pub(super) fn declared(source: &Source<'_>, project: &Project) -> Vec<String> {
        let build = project.index::<BuildFiles>();
        let command = build.compile_command(source.path());
        let listed = command.iter().flat_map(|command| command.directories.iter().cloned());
        let is_complete = command.is_some_and(|command| command.is_complete);
        let others = if is_complete { Vec::new() } else { build.directories_near(source.path()) };
        let named = others.into_iter().filter(|directory| build.is_named(directory));
        listed.chain(named.map(str::to_owned)).collect()
    }

    /// The paths that an include can lead to, in order. `None` is a path that leads out of the root.
    pub(super) fn candidates(&self, path: &str, form: IncludeForm) -> impl Iterator<Item = Option<String>> {
        self.directories(path, form).map(move |directory| join(directory, path))
    }

    /// The candidates without those in directories of the build, unless git moved one of these away.
    pub(super) fn candidates_moved(&self, path: &str, form: IncludeForm) -> impl Iterator<Item = Option<String>> {
        // All files have the same ones of the build.
        let has_moved = !self.searched.is_empty() && self.build.has_moved(self.project.tree(), path);
        let searched = if has_moved { &self.searched[..] } else { &[] };
        let own = self.own_directories(path, form).map(|(_, directory)| directory);
        own.chain(searched.iter().copied()).map(move |directory| join(directory, path))
    }

    /// The first of the candidates that is no directory.
    pub(super) fn find_file(&self, path: &str, form: IncludeForm) -> Option<String> {
        if let Some(known) = self.files.borrow().get(&form).and_then(|files| files.get(path)) {
            return known.clone();
        }
        let found = self.look_up(path, form);
        self.files.borrow_mut().entry(form).or_default().insert(path.to_owned(), found.clone());
        found
    }

    /// Finds the answer of [`Self::find_file`].
    fn look_up(&self, path: &str, form: IncludeForm) -> Option<String> {
        let tree = self.project.tree();
        let is_file = |path: &String| is_file(tree, path);
        // A step up can leave a directory that does not exist.
        if path.contains("..") {
            return self.candidates(path, form).flatten().find(is_file);
        }
        let below = parent(path);
        let mut all = self.branches.borrow_mut();
        if !all.contains_key(below) {
            all.insert(below.to_owned(), vec![None; 1 + self.listed.len() + self.usual.len()]);
        }
        let known = all.get_mut(below)?;
        let can_have = |directory: &str| join(directory, below).is_some_and(|path| tree.can_have_entries(&path));
        let near = self.own_directories(path, form).find_map(|(at, directory)| {
            let can_have = *known[at].get_or_insert_with(|| can_have(directory));
            if can_have { join(directory, path).filter(is_file) } else { None }
        });
        near.or_else(|| {
            // All files are asked for once in the directories of the build.
            let having = self.build.having(tree, path);
            let has = |directory: &&&str| having.iter().any(|other| other == **directory);
            join(self.searched.iter().find(has).filter(|_| !having.is_empty())?, path)
        })
    }

    /// The reason why a file may be generated at one of the candidates of an include.
    pub(super) fn find_generator(&self, path: &str, form: IncludeForm) -> Option<Reason> {
        let generated = |directory: &str| self.project.generated_by(&join(directory, path)?);
        let beside = (form == IncludeForm::Quoted).then_some(self.own).into_iter();
        let mut first = beside.chain(self.listed.iter().map(String::as_str));
        first.find_map(generated).or_else(|| self.find_usual_generator(path, form)).or_else(|| {
            let searched = self.searched.iter().map(|directory| join(directory, path));
            self.build.find_generator(self.project, path, searched)
        })
    }

    /// The reason why a file may be generated in one of the usual directories. The files below a directory above them share them, so
    /// the project keeps what was found: nothing, mostly.
    fn find_usual_generator(&self, path: &str, form: IncludeForm) -> Option<Reason> {
        if is_plain(path, form) || self.usual.is_empty() {
            return None;
        }
        // A rule such as `lib` ignores a directory below each one. No build fills those that only their usual name suggests.
        let is_there = |usual: &&String| usual.is_empty() || self.project.tree().kind(usual) == Some(Kind::Directory);
        let existing = self.existing.get_or_init(|| {
            let usual = self.usual.chunks(USUAL_DIRECTORIES.len());
            let usual = usual.map(|all| all.iter().filter(is_there).cloned().collect());
            ancestors(self.own).map(|above| self.build.number(above)).zip(usual).collect()
        });
        let mut above: Vec<&(usize, Vec<String>)> = existing.iter().collect();
        self.build.remove_ungenerated(path, &mut above);
        for (directory, usual) in above {
            let mut all = usual.iter().filter_map(|directory| join(directory, path));
            if let Some(reason) = all.find_map(|path| self.project.generated_by(&path)) {
                return Some(reason);
            }
            self.build.add_ungenerated(path, *directory);
        }
        None
    }

    /// The directories in which an include is looked up, in order.
    fn directories(&self, path: &str, form: IncludeForm) -> impl Iterator<Item = &str> {
        self.own_directories(path, form).map(|(_, directory)| directory).chain(self.searched.iter().copied())
    }

    /// Those that are not searched for all files, with their positions.
    fn own_directories(&self, path: &str, form: IncludeForm) -> impl Iterator<Item = (usize, &str)> {
        let own = (form == IncludeForm::Quoted).then_some((0, self.own));
        let usual = if is_plain(path, form) { &[][..] } else { &self.usual };
        let at = |from: usize| move |(at, directory)| (from + at, directory);
        let (listed, usual) = (self.listed.iter().map(String::as_str), usual.iter().map(String::as_str));
        own.into_iter().chain(listed.enumerate().map(at(1))).chain(usual.enumerate().map(at(1 + self.listed.len())))
    }
}

/// Returns whether an include is not looked up in the usual directories: `<x.h>` belongs to the system unless an include directory
/// has it.
fn is_plain(path: &str, form: IncludeForm) -> bool {
    form == IncludeForm::Angle && !path.contains('/') || is_explicitly_relative(path)
}

/// Returns whether a path begins with a step relative to the file.
pub(super) fn is_explicitly_relative(path: &str) -> bool {
    path.starts_with("./") || path.starts_with("../")
}
