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

use super::programs::{HOME, InstalledPrograms, isolated_command};
use super::tree::{self, GeneratedTree, SEED};

/// Says that a directory is ours.
const MARKER_FILE: &str = "made-by-pathfinder-bench";
/// What a directory of this form holds: another number has trees made again.
const FORMAT_VERSION: u32 = 1;
/// The object of an empty file, which git needs to list one. It is never looked at.
const EMPTY_BLOB: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// What is younger than ten seconds is never taken to be as it was: a tree that was just made would be walked again, and not brought up
/// to date as one that people work in.
const SETTLE_TIME: Duration = Duration::from_secs(11);
/// A smaller tree is for trying the benchmark out.
const MIN_SETTLE_FILES: usize = 1_000;

/// See the module's text.
pub(super) struct TreeLayout {
    top: PathBuf,
    directory: PathBuf,
}

/// Takes a directory for trees: a new one, an empty one, or one that was taken before.
///
/// # Errors
/// When it holds anything else, or cannot be made.
pub(super) fn claim_directory(directory: &Path) -> anyhow::Result<PathBuf> {
    let shown = directory.display();
    fs::create_dir_all(directory).with_context(|| format!("{shown} cannot be made"))?;
    let mut names = Vec::new();
    for entry in directory.read_dir().with_context(|| format!("{shown} cannot be read"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_directory = entry.file_type()?.is_dir();
        let ours = match name.as_str() {
            MARKER_FILE => !is_directory,
            HOME => is_directory,
            size => is_directory && size.parse::<usize>().is_ok(),
        };
        ensure!(ours, "{shown} has {name}, which is not of a benchmark: give a directory that is empty or new");
        names.push(name);
    }
    if !names.is_empty() && !names.iter().any(|name| name == MARKER_FILE) {
        bail!("{shown} is not empty, and no benchmark has made it: give a directory that is empty or new");
    }
    fs::write(directory.join(MARKER_FILE), "Trees for pathfinder bench. All of it can be removed.\n")
        .with_context(|| format!("{shown} cannot be written"))?;
    let directory = dunce::canonicalize(directory)?;
    fs::create_dir_all(directory.join(HOME))?;
    Ok(directory)
}

impl TreeLayout {
    /// The tree of this size: as it was made before, or else made now.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(super) fn create(top: &Path, size: usize, programs: &InstalledPrograms) -> anyhow::Result<Self> {
        let layout = Self { top: top.to_owned(), directory: top.join(size.to_string()) };
        // Written last: without it the tree is not whole.
        let stamp = layout.directory.join("stamp");
        let wanted = format!("form {FORMAT_VERSION} size {size} seed {SEED} git {}\n", programs.git.is_ok());
        if fs::read_to_string(&stamp).is_ok_and(|there| there == wanted) {
            return Ok(layout);
        }
        if layout.directory.exists() {
            fs::remove_dir_all(&layout.directory)?;
        }
        let GeneratedTree { mut files, ignored } = GeneratedTree::generate(size, SEED);
        let tree = layout.tree();
        write(&tree, files.iter().chain(&ignored)).with_context(|| format!("{} cannot be written", tree.display()))?;
        drop(ignored);
        // Peers read it in the order in which git lists it.
        files.sort_unstable();
        fs::write(layout.list_file(), files.join("\n") + "\n")?;
        if programs.git.is_ok() {
            layout.track(&files)?;
        }
        if size >= MIN_SETTLE_FILES {
            thread::sleep(SETTLE_TIME);
        }
        fs::write(stamp, wanted)?;
        Ok(layout)
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
            let mut command = isolated_command("git", &self.top);
            command.args(args).current_dir(self.tree()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        // No templates: their hooks are nothing that is measured.
        ensure!(git(&["init", "--quiet", "--template="]).status()?.success(), "git init has failed");
        let mut child = git(&["update-index", "-z", "--index-info"]).stdin(Stdio::piped()).spawn()?;
        let mut lines = Vec::new();
        for path in files {
            lines.extend_from_slice(format!("100644 {EMPTY_BLOB} 0\t{path}\0").as_bytes());
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
