//! `RootDir`: determines the roots of a request from its arguments and the current directory.

use std::path::{Component, Path, PathBuf};
use std::{env, fs, io};

use pathfinder_core::query::RootPaths;
use thiserror::Error;

use super::{bytes, git};

/// Reasons why a directory cannot serve as a root. The messages name it as it was given.
#[derive(Debug, Error)]
pub enum RootError {
    /// It does not exist.
    #[error("root {0:?}: no such directory")]
    Missing(String),
    /// It is not a directory.
    #[error("root {0:?}: not a directory")]
    NotADirectory(String),
    /// It cannot be listed.
    #[error("root {given:?}: cannot be read: {reason}")]
    Unreadable {
        /// The root as it was given.
        given: String,
        /// The system's error. Not a `source`, because a printed chain of causes would repeat it.
        reason: io::Error,
    },
    /// Its ignore file is a pipe, a device or too large: reading it might never end.
    #[error("root {given:?}: its {name} is not a readable file; remove it or replace it with a regular file")]
    IgnoreFile {
        /// The root as it was given.
        given: String,
        /// Name of the ignore file.
        name: &'static str,
    },
    /// The process has no usable current directory, so relative paths mean nothing.
    #[error("the current directory cannot be read: {0}")]
    CurrentDirectory(io::Error),
}

/// A root that exists and can be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootDir {
    /// The root as the user gave it (lossy if it is not UTF-8); the canonical path if the user gave none.
    pub given: String,
    /// Absolute path without symbolic links.
    pub canonical: PathBuf,
    /// Other absolute spellings that lead to the root through symbolic links, in the order met.
    aliases: Vec<String>,
}

impl RootDir {
    /// Returns the root's absolute spellings, by which absolute paths below it are recognised.
    pub fn place(&self) -> RootPaths {
        let mut absolute = vec![to_text(&self.canonical)];
        absolute.extend(self.aliases.iter().cloned());
        RootPaths { absolute }
    }

    fn add_alias(&mut self, spelling: &Path) {
        let spelling = to_text(spelling);
        if spelling != to_text(&self.canonical) && !self.aliases.contains(&spelling) {
            self.aliases.push(spelling);
        }
    }
}

/// The roots, none inside another, and the position of the current directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootSet {
    /// The roots in the order given.
    pub dirs: Vec<RootDir>,
    /// (root, relative path, `/` separated, lossy) of the current directory, if it lies in a root.
    pub cwd: Option<(usize, String)>,
}

/// Returns the current directory as the shell shows it: `$PWD` if it is valid, because it keeps the symbolic links that
/// users and agents write; else the system's answer.
///
/// # Errors
/// [`RootError::CurrentDirectory`] if it was removed or may not be read.
pub fn current_dir() -> Result<PathBuf, RootError> {
    let physical = env::current_dir().map_err(RootError::CurrentDirectory)?;
    let shown = env::var_os("PWD").map(PathBuf::from).filter(|path| path.is_absolute());
    Ok(shown.filter(|path| dunce::canonicalize(path).is_ok_and(|it| it == physical)).unwrap_or(physical))
}

/// Returns the current directory for these roots. If all of them are absolute it is not needed, so a server whose own
/// directory was removed can use them.
///
/// # Errors
/// Those of [`current_dir`].
pub fn current_dir_for(given: &[PathBuf]) -> Result<PathBuf, RootError> {
    let is_needed = given.is_empty() || given.iter().any(|root| !root.is_absolute());
    current_dir().or_else(|error| if is_needed { Err(error) } else { Ok(PathBuf::from(std::path::MAIN_SEPARATOR_STR)) })
}

/// Returns the git worktree that all of these paths lie in, for a command that is given paths outside of the current directory's
/// worktree: its files say where it begins. `None` if the current directory lies in a worktree too, or if there is not one.
pub fn worktree_of(paths: &[PathBuf]) -> Option<PathBuf> {
    let cwd = dunce::canonicalize(current_dir().ok()?).ok()?;
    if git::worktree_top(&cwd).is_some() {
        return None;
    }
    let tops = paths.iter().map(|path| {
        let there = dunce::canonicalize(cwd.join(path)).ok()?;
        git::worktree_top(&there).map(Path::to_owned)
    });
    let mut tops = tops.collect::<Option<Vec<PathBuf>>>()?;
    tops.dedup();
    tops.pop().filter(|_| tops.is_empty())
}

/// Returns the roots for arguments typed in `cwd` (absolute).
///
/// Without arguments the root is the git worktree around `cwd`, else `cwd` itself. `RootSet` inside of other roots are
/// dropped. Repeated roots keep their first spelling.
///
/// # Errors
/// If `cwd` or a root is missing, is not a directory, or cannot be listed.
pub fn find(given: &[PathBuf], cwd: &Path) -> Result<RootSet, RootError> {
    let cwd_canonical = dunce::canonicalize(cwd).map_err(RootError::CurrentDirectory)?;
    let mut dirs: Vec<RootDir> = Vec::with_capacity(given.len().max(1));
    if given.is_empty() {
        dirs.push(default_root(cwd, &cwd_canonical)?);
    }
    for path in given {
        let root = open(path, cwd)?;
        match dirs.iter_mut().find(|known| known.canonical == root.canonical) {
            Some(known) => root.aliases.iter().for_each(|alias| known.add_alias(Path::new(alias))),
            None => dirs.push(root),
        }
    }
    let all: Vec<PathBuf> = dirs.iter().map(|root| root.canonical.clone()).collect();
    dirs.retain(|root| !all.iter().any(|outer| *outer != root.canonical && root.canonical.starts_with(outer)));

    let cwd = within(dirs.iter(), &cwd_canonical);
    Ok(RootSet { dirs, cwd })
}

/// Returns (root, relative path, `/` separated, lossy) of a directory (canonical), if it lies in one of these roots.
pub fn within<'a>(mut dirs: impl Iterator<Item = &'a RootDir>, directory: &Path) -> Option<(usize, String)> {
    let mut index = 0;
    dirs.find_map(|root| {
        let below = directory.strip_prefix(&root.canonical).ok();
        index += 1;
        Some((index - 1, String::from_utf8_lossy(&bytes::from_os_str(below?.as_os_str())).into_owned()))
    })
}

/// Returns the git worktree around a directory (canonical), if there is one.
pub fn worktree_around(directory: &Path) -> Option<PathBuf> {
    git::worktree_top(directory).map(Path::to_path_buf)
}

/// Checks that `path` is a directory that can be listed.
///
/// # Errors
/// The variant with the reason and `given`.
pub(crate) fn check_listable(path: &Path, given: &str) -> Result<(), RootError> {
    fs::read_dir(path).map(drop).map_err(|error| to_root_error(given, error))
}

/// Returns the root for one argument.
fn open(path: &Path, cwd: &Path) -> Result<RootDir, RootError> {
    let given = to_text(path);
    if given.is_empty() {
        // Joining an empty argument gives the current directory. More likely a variable in a script was not set.
        return Err(RootError::Missing(given));
    }
    let absolute = cwd.join(path);
    let target = dunce::canonicalize(&absolute).map_err(|error| to_root_error(&given, error))?;
    check_listable(&target, &given)?;
    let mut root = RootDir { given, canonical: target, aliases: Vec::new() };
    // Dropping `x/..` by text is wrong if `x` is a symbolic link; such a spelling is left out.
    let spelling = without_dots(&absolute);
    if dunce::canonicalize(&spelling).is_ok_and(|it| it == root.canonical) {
        root.add_alias(&spelling);
    }
    Ok(root)
}

/// Returns the root if no argument is given.
fn default_root(cwd: &Path, cwd_canonical: &Path) -> Result<RootDir, RootError> {
    let top = git::worktree_top(cwd_canonical).unwrap_or(cwd_canonical);
    let given = to_text(top);
    check_listable(top, &given)?;
    let mut root = RootDir { given, canonical: top.to_path_buf(), aliases: Vec::new() };
    let up = cwd_canonical.components().count() - top.components().count();
    if let Some(spelling) = cwd.ancestors().nth(up).filter(|it| dunce::canonicalize(it).is_ok_and(|it| it == top)) {
        root.add_alias(spelling);
    }
    Ok(root)
}

pub(crate) fn to_root_error(given: &str, error: io::Error) -> RootError {
    match error.kind() {
        io::ErrorKind::NotFound => RootError::Missing(given.to_owned()),
        io::ErrorKind::NotADirectory => RootError::NotADirectory(given.to_owned()),
        _ => RootError::Unreadable { given: given.to_owned(), reason: error },
    }
}

/// Removes `.` and `..` from `path` by text alone.
fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = clean.pop(),
            other => clean.push(other),
        }
    }
    clean
}

fn to_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
