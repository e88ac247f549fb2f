//! `Place`: where a tree is on disk, and what belongs to it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use rayon::prelude::*;

use super::programs::{HOME, Programs, started};
use super::tree::{self, SEED, Tree};

/// Says that a directory is ours.
const MARK: &str = "made-by-pathfinder-bench";
/// What a directory of this form holds: another number has trees made again.
const FORM: u32 = 1;
/// The object of an empty file, which git needs to list one. It is never looked at.
const EMPTY: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// What is younger than ten seconds is never taken to be as it was: a tree that was just made would be walked again, and not brought up
/// to date as one that people work in.
const SETTLED: Duration = Duration::from_secs(11);
/// A smaller tree is for trying the benchmark out.
const SETTLED_MIN: usize = 1_000;

/// See the module's text.
pub(super) struct Place {
    top: PathBuf,
    directory: PathBuf,
}

/// Takes a directory for trees: a new one, an empty one, or one that was taken before.
///
/// # Errors
/// When it holds anything else, or cannot be made.
pub(super) fn open(directory: &Path) -> anyhow::Result<PathBuf> {
    let shown = directory.display();
    fs::create_dir_all(directory).with_context(|| format!("{shown} cannot be made"))?;
    let mut names = Vec::new();
    for entry in directory.read_dir().with_context(|| format!("{shown} cannot be read"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_directory = entry.file_type()?.is_dir();
        let ours = match name.as_str() {
            MARK => !is_directory,
            HOME => is_directory,
            size => is_directory && size.parse::<usize>().is_ok(),
        };
        ensure!(ours, "{shown} has {name}, which is not of a benchmark: give a directory that is empty or new");
        names.push(name);
    }
    if !names.is_empty() && !names.iter().any(|name| name == MARK) {
        bail!("{shown} is not empty, and no benchmark has made it: give a directory that is empty or new");
    }
    fs::write(directory.join(MARK), "Trees for pathfinder bench. All of it can be removed.\n")
        .with_context(|| format!("{shown} cannot be written"))?;
    let directory = dunce::canonicalize(directory)?;
    fs::create_dir_all(directory.join(HOME))?;
    Ok(directory)
}

impl Place {
    /// The tree of this size: as it was made before, or else made now.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn make(top: &Path, size: usize, programs: &Programs) -> anyhow::Result<Self> {
        let place = Self { top: top.to_owned(), directory: top.join(size.to_string()) };
        // Written last: without it the tree is not whole.
        let stamp = place.directory.join("stamp");
        let wanted = format!("form {FORM} size {size} seed {SEED} git {}\n", programs.git.is_ok());
        if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
            return Ok(place);
        }
        if place.directory.exists() {
            fs::remove_dir_all(&place.directory)?;
        }
        let Tree { mut files, ignored } = Tree::of(size, SEED);
        let tree = place.tree();
        write(&tree, files.iter().chain(&ignored)).with_context(|| format!("{} cannot be written", tree.display()))?;
        drop(ignored);
        // Peers read it in the order in which git lists it.
        files.sort_unstable();
        fs::write(place.list_file(), files.join("\n") + "\n")?;
        if programs.git.is_ok() {
            place.track(&files)?;
        }
        if size >= SETTLED_MIN {
            thread::sleep(SETTLED);
        }
        fs::write(stamp, wanted)?;
        Ok(place)
    }

    /// The root of the tree.
    pub(super) fn tree(&self) -> PathBuf {
        self.directory.join("tree")
    }

    /// A file with all paths that are not ignored, a line each.
    pub(super) fn list_file(&self) -> PathBuf {
        self.directory.join("list")
    }

    /// These paths.
    ///
    /// # Errors
    /// When somebody has taken the file away.
    pub(super) fn list(&self) -> anyhow::Result<Vec<String>> {
        let text = fs::read_to_string(self.list_file()).context("the list of files cannot be read")?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// A cache directory of this name.
    pub(super) fn cache(&self, name: &str) -> PathBuf {
        self.directory.join("cache").join(name)
    }

    /// The same with nothing in it.
    ///
    /// # Errors
    /// When it cannot be emptied.
    pub(super) fn empty_cache(&self, name: &str) -> anyhow::Result<PathBuf> {
        let cache = self.cache(name);
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        fs::create_dir_all(&cache)?;
        Ok(cache)
    }

    /// What is above all places.
    pub(super) fn top(&self) -> &Path {
        &self.top
    }

    /// Has git track the files, without reading one of them.
    fn track(&self, files: &[String]) -> anyhow::Result<()> {
        let git = |args: &[&str]| {
            let mut command = started("git", &self.top);
            command.args(args).current_dir(self.tree()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        // No templates: their hooks are nothing that is measured.
        ensure!(git(&["init", "--quiet", "--template="]).status()?.success(), "git init has failed");
        let mut child = git(&["update-index", "-z", "--index-info"]).stdin(Stdio::piped()).spawn()?;
        let mut lines = Vec::new();
        for path in files {
            lines.extend_from_slice(format!("100644 {EMPTY} 0\t{path}\0").as_bytes());
        }
        let written = child.stdin.take().map(|mut stdin| stdin.write_all(&lines));
        ensure!(child.wait()?.success(), "git update-index has failed");
        Ok(written.transpose().map(drop)?)
    }
}

/// Writes the files below a directory.
fn write<'a>(tree: &Path, files: impl Iterator<Item = &'a String> + Clone) -> anyhow::Result<()> {
    let directories: BTreeSet<_> = files.clone().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    fs::create_dir_all(tree)?;
    directories.into_iter().try_for_each(|directory| fs::create_dir_all(tree.join(directory)))?;
    let files: Vec<_> = files.collect();
    files.par_iter().try_for_each(|path| fs::write(tree.join(path), tree::contents(path)))?;
    Ok(())
}
