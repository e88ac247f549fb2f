//! `FileMoves`: the files that recent commits moved, and what strings say of them.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, count_names, is_within, join, name, parent, strip_parent_steps};
use pathfinder_literals::{Lookup, Project, ProjectIndex, Resolution, Severity, Source, Verdict, Want};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::path_words;

/// Moved files with the same two last names that are compared; more common names say nothing.
const MAX_NAMESAKES: usize = 8;

/// Names of a path that is a whole one behind any directories. Two are the end of many paths.
pub(crate) const MIN_WHOLE_NAMES: usize = 3;
/// Files that each package of a language has.
const PACKAGE_FILES: [&str; 7] =
    ["Cargo.toml", "composer.json", "go.mod", "package.json", "pom.xml", "pyproject.toml", "setup.py"];

/// The recent moves of files, by the last two names of their paths.
#[derive(Default)]
pub(crate) struct FileMoves {
    /// Earlier paths.
    earlier: FxHashMap<u64, Vec<String>>,
    /// Hashes of later paths.
    later: FxHashSet<u64>,
    /// Later paths.
    later_paths: FxHashSet<String>,
    /// The directories of the earlier paths.
    directories: FxHashSet<String>,
}

impl ProjectIndex for FileMoves {
    fn build(project: &Project) -> Self {
        let mut moves = Self::default();
        for (from, moved) in project.tree().recent_moves() {
            moves.later.insert(end_of(&moved.to));
            moves.later_paths.insert(moved.to.clone());
            moves.directories.insert(parent(&from).to_owned());
            let paths = moves.earlier.entry(end_of(&from)).or_default();
            if paths.len() <= MAX_NAMESAKES {
                paths.push(from);
            }
        }
        moves
    }
}

impl FileMoves {
    /// Returns the earlier paths of files that have the same last two names, unless those are too common.
    fn namesakes(&self, path: &str) -> &[String] {
        self.earlier
            .get(&end_of(path))
            .map(Vec::as_slice)
            .filter(|paths| paths.len() <= MAX_NAMESAKES)
            .unwrap_or_default()
    }

    /// Returns the earlier paths of files below any directory that end with these names.
    pub(crate) fn ending_with(&self, end: &str) -> impl Iterator<Item = &String> {
        let is_end = move |path: &&String| path.strip_suffix(end).is_some_and(|base| base.ends_with('/'));
        self.namesakes(end).iter().filter(is_end)
    }

    /// Returns whether a string of a file in a directory ends as the path of a moved file does, before or after the move.
    pub(crate) fn may_name(&self, literal: &str, directory: &str) -> bool {
        let is_end = |path: &str| self.earlier.contains_key(&end_of(path)) || self.later.contains(&end_of(path));
        // The steps of `../list.txt` hide the second name.
        let has_one_name = !literal.trim_start_matches(['.', '/']).contains('/');
        is_end(literal)
            || has_one_name && ancestors(directory).filter_map(|at| join(at, literal)).any(|path| is_end(&path))
    }

    /// Returns whether no file moved lately.
    pub(crate) fn is_empty(&self) -> bool {
        self.earlier.is_empty()
    }

    /// Returns whether recent commits moved files out of a directory.
    pub(crate) fn has_lost_from(&self, directory: &str) -> bool {
        self.directories.contains(directory)
    }

    /// Returns whether a recent commit moved the file of this name out of a directory, or one to it.
    pub(crate) fn stood_in(&self, directory: &str, name: &str) -> bool {
        join(directory, name).is_some_and(|path| self.was_moved(&path) || self.later.contains(&end_of(&path)))
    }

    /// Returns whether a recent commit moved the file at this path.
    pub(crate) fn was_moved(&self, path: &str) -> bool {
        self.earlier.get(&end_of(path)).is_some_and(|paths| paths.iter().any(|earlier| earlier == path))
    }

    /// Returns whether a recent commit moved a file from any of these paths.
    pub(crate) fn have_any(&self, paths: &[String]) -> bool {
        paths.iter().any(|path| self.was_moved(path))
    }

    /// Returns the range of a string without the directories in front that only another root has, such as a container or the runfiles of a build:
    /// the rest is the whole path of a file, which a recent commit moved.
    pub(crate) fn without_other_root(
        &self,
        source: &Source<'_>,
        project: &Project,
        range: Range<usize>,
    ) -> Range<usize> {
        let (text, tree) = (&source.text()[range.clone()], project.tree());
        let is_whole = |path: &str| {
            let is_old = || self.was_moved(path) && tree.had_text_at_origin(source.path(), path, path) != Some(false);
            count_names(path) >= MIN_WHOLE_NAMES && (self.later_paths.contains(path) || is_old())
        };
        let Some(at) = text.match_indices('/').map(|(at, _)| at).find(|at| is_whole(&text[at + 1..])) else {
            return range;
        };
        let is_there = |path: &str| strip_parent_steps(path).is_none_or(|tail| project.find_by_suffix(&tail).is_some());
        if is_there(text) || is_there(&text[..at]) { range } else { range.start + at + 1..range.end }
    }

    /// Returns the verdict on the string in this range: it is a path from the file, from a directory above it or from a directory that both the
    /// earlier and the later path of a file begin with. A name alone is one from the file.
    pub(crate) fn resolve(&self, source: &Source<'_>, project: &Project, string: &Range<usize>) -> Option<Resolution> {
        let literal = &source.text()[string.clone()];
        let tail = strip_parent_steps(literal)?;
        let directories = ancestors(source.directory()).take(if literal.contains('/') { usize::MAX } else { 1 });
        let from_here: Vec<String> = directories.filter_map(|directory| join(directory, literal)).collect();
        let look_up = |path: &str| Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(path.to_owned())]);
        let from_file = from_here.iter().find(|path| self.was_moved(path));
        let here = from_here.iter().find(|path| project.tree().kind(path).is_some()).map(String::as_str);
        let elsewhere = project.find_all_by_suffix(&tail, 2);
        let is_left = || {
            let from = from_file?;
            Some(path_words::is_left_behind(source, project, literal, from, &project.tree().moved(from)?.to))
        };
        if here.is_some() || !elsewhere.is_empty() && is_left() != Some(true) {
            let is_whole = |path: &&str| elsewhere.len() == 1 && ends_with(path, literal, &tail);
            let path = here.or_else(|| elsewhere.first().copied().filter(is_whole));
            let came = |path: &&str| self.later.contains(&end_of(path));
            let is_free = || !path_words::is_joined_to(source.text(), string.start);
            return path.filter(|path| came(&literal) || here == Some(*path) && came(path) && is_free()).map(look_up);
        }
        let is_near = |path: &&String| is_near(project, source, path, &tail);
        let known = from_file.or_else(|| self.find_by_end(project, literal, &tail).filter(is_near));
        let path = known.or_else(|| self.find_departed(source, project, literal, &tail).filter(is_near))?;
        let (verdict, tried) = look_up(path);
        let Verdict::Missing(missing) = &verdict else { return None };
        let base = if from_file.is_some() || known.is_none() { "" } else { path.strip_suffix(&tail)? };
        let before = source.text()[..string.start].trim_end_matches(['"', '\'', '`', ' ']);
        // A file that was renamed in its directory is joined to another one by an expression alone.
        let is_joined = |to: &str| {
            let is_taken = parent(to) != parent(path) || before.ends_with([',', '/', '+']);
            !literal.contains('/') && is_taken && path_words::names_directory(source.text(), name(parent(to)))
        };
        let is_meant = |to: &str| {
            path_words::is_same_kind(path, to)
                && !is_joined(to)
                && to.strip_prefix(base).is_some_and(|written| !is_beside(source.text(), string, written))
        };
        // The author of the move saw the string and left it. A string that the new path ends with stands there for that.
        let is_left =
            |to: &str| !to.ends_with(tail.as_str()) && project.tree().was_left_at_move(source.path(), path, literal);
        let is_moved = |to: &str| is_meant(to) && !is_left(to);
        missing.instead.as_deref().is_some_and(is_moved).then_some((verdict, tried))
    }

    /// Returns the earlier path of a file that a string names from an unknown directory, if all such files have changed the same way.
    fn find_by_end(&self, project: &Project, literal: &str, tail: &str) -> Option<&String> {
        let paths = self.namesakes(tail);
        let changed = |path: &String| {
            let base = &path[..path.len() - tail.len()];
            project.tree().moved(path).and_then(|moved| Some(moved.to.strip_prefix(base)?.to_owned()))
        };
        let mut ends = paths.iter().filter(|path| ends_with(path, literal, tail));
        let first = ends.next()?;
        let to = changed(first)?;
        ends.all(|path| changed(path).as_ref() == Some(&to)).then_some(first)
    }

    /// Returns the earlier path of the only file that a string names from an unknown directory, if the file left that directory after the
    /// string was written.
    fn find_departed(&self, source: &Source<'_>, project: &Project, literal: &str, tail: &str) -> Option<&String> {
        let mut ends = self.namesakes(tail).iter().filter(|path| ends_with(path, literal, tail));
        let (path, None) = (ends.next()?, ends.next()) else { return None };
        let is_as_old = || project.tree().had_text_at_origin(source.path(), path, literal) == Some(true);
        (tail.contains('/') && is_as_old()).then_some(path)
    }
}

/// Returns whether a file can mean another one by the last names of its path. Two names, such as `assets/main.ts`, are in many packages: the file is
/// in the same one, or names that.
fn is_near(project: &Project, source: &Source<'_>, path: &str, tail: &str) -> bool {
    let base = path[..path.len() - tail.len()].trim_end_matches('/');
    let is_package = |directory: &&str| {
        let has = |name: &str| join(directory, name).is_some_and(|path| project.tree().kind(&path).is_some());
        PACKAGE_FILES.iter().any(|name| has(name))
    };
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let names = |package: &str| {
        let text = source.text();
        let is_whole = |at: usize| !text[..at].ends_with(is_part) && !text[at + package.len()..].starts_with(is_part);
        text.match_indices(package).any(|(at, _)| is_whole(at))
    };
    let is_near = |package: &str| package.is_empty() || is_within(source.path(), package) || names(package);
    count_names(tail) > 2 || ancestors(base).find(is_package).is_none_or(is_near)
}

/// Returns whether a path ends with the names of a string, `tail`, below a directory. Steps to parent directories that lead to nothing are
/// those of an unknown working directory, such as that of a build; the names after them can be a whole path.
fn ends_with(path: &str, string: &str, tail: &str) -> bool {
    let has_steps = string.starts_with("../") && tail.contains('/');
    path.strip_suffix(tail).is_some_and(|base| base.ends_with('/') || has_steps && base.is_empty())
}

/// Returns whether the string beside that in this range, without a word between them, has a text: `"old": "new"` records the move.
fn is_beside(text: &str, string: &Range<usize>, other: &str) -> bool {
    let is_between = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '/' | '.');
    let after = text[string.end..].trim_start_matches(is_between);
    let before = text[..string.start].trim_end_matches('/').trim_end_matches(is_between);
    after.starts_with(other) || before.ends_with(other)
}

/// A hash of the last two names of a path.
pub(crate) fn end_of(path: &str) -> u64 {
    use std::hash::BuildHasher as _;
    rustc_hash::FxBuildHasher.hash_one((name(parent(path)), name(path)))
}
