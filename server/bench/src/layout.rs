//! `TreeLayout`: the files and directories that belong to one generated tree.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use rayon::prelude::*;

use crate::programs::{HOME, InstalledPrograms, isolated_command};
use crate::tree::{self, GeneratedTree, SEED};

/// Marker file of a directory that this program owns.
const MARKER_FILE: &str = "made-by-pathfinder-bench";
/// Format of a tree's directory. Another number has trees generated again.
const FORMAT_VERSION: u32 = 1;
/// Object id of an empty file, which git needs to list one. It is never read.
const EMPTY_BLOB: &str = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

/// The index never trusts entries younger than ten seconds. A tree that was just written would be walked again
/// instead of brought up to date like one in use.
const SETTLE_TIME: Duration = Duration::from_secs(11);
/// Smallest tree for which `SETTLE_TIME` is waited; a smaller one only tries the benchmark out.
const MIN_SETTLE_FILES: usize = 1_000;

/// Paths of one generated tree, its file list and its caches.
pub(crate) struct TreeLayout {
    top: PathBuf,
    directory: PathBuf,
}

/// Takes a directory for trees: a new one, an empty one, or one that this program used before.
///
/// # Errors
/// If it holds anything else, or cannot be created.
pub(crate) fn claim_directory(directory: &Path) -> anyhow::Result<PathBuf> {
    let shown = directory.display();
    fs::create_dir_all(directory).with_context(|| format!("cannot create {shown}"))?;
    let mut names = Vec::new();
    for entry in directory.read_dir().with_context(|| format!("cannot read {shown}"))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_directory = entry.file_type()?.is_dir();
        let ours = match name.as_str() {
            MARKER_FILE => !is_directory,
            HOME => is_directory,
            size => is_directory && size.parse::<usize>().is_ok(),
        };
        ensure!(
            ours,
            "{shown} contains {name}, which `pathfinder-bench` did not create: give an empty or new directory"
        );
        names.push(name);
    }
    if !names.is_empty() && !names.iter().any(|name| name == MARKER_FILE) {
        bail!("{shown} is not empty, and `pathfinder-bench` did not create it: give an empty or new directory");
    }
    fs::write(directory.join(MARKER_FILE), "Trees of `pathfinder-bench`; safe to delete.\n")
        .with_context(|| format!("cannot write {shown}"))?;
    let directory = dunce::canonicalize(directory)?;
    fs::create_dir_all(directory.join(HOME))?;
    Ok(directory)
}

impl TreeLayout {
    /// Returns the tree of this size; generates it if it does not exist yet.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn create(top: &Path, size: usize, programs: &InstalledPrograms) -> anyhow::Result<Self> {
        let layout = Self { top: top.to_owned(), directory: top.join(size.to_string()) };
        // Written last: without it the tree is incomplete.
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
        write(&tree, files.iter().chain(&ignored)).with_context(|| format!("cannot write {}", tree.display()))?;
        drop(ignored);
        // Peers read the list in the order in which git lists it.
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
    pub(crate) fn tree(&self) -> PathBuf {
        self.directory.join("tree")
    }

    /// File that lists all paths that are not ignored, one per line.
    pub(crate) fn list_file(&self) -> PathBuf {
        self.directory.join("list")
    }

    /// Reads the list of paths.
    ///
    /// # Errors
    /// If the file is gone.
    pub(crate) fn list(&self) -> anyhow::Result<Vec<String>> {
        let text = fs::read_to_string(self.list_file()).context("cannot read the list of files")?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// A cache directory of this name.
    pub(crate) fn cache(&self, name: &str) -> PathBuf {
        self.directory.join("cache").join(name)
    }

    /// Empties and returns a cache directory of this name.
    ///
    /// # Errors
    /// If it cannot be emptied.
    pub(crate) fn empty_cache(&self, name: &str) -> anyhow::Result<PathBuf> {
        let cache = self.cache(name);
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        fs::create_dir_all(&cache)?;
        Ok(cache)
    }

    /// The directory above all trees.
    pub(crate) fn top(&self) -> &Path {
        &self.top
    }

    /// Adds the files to git's index without reading one of them.
    fn track(&self, files: &[String]) -> anyhow::Result<()> {
        let git = |args: &[&str]| {
            let mut command = isolated_command("git", &self.top);
            command.args(args).current_dir(self.tree()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        // No templates: their hooks are not part of the measurement.
        ensure!(git(&["init", "--quiet", "--template="]).status()?.success(), "git init failed");
        let mut child = git(&["update-index", "-z", "--index-info"]).stdin(Stdio::piped()).spawn()?;
        let mut lines = Vec::new();
        for path in files {
            lines.extend_from_slice(format!("100644 {EMPTY_BLOB} 0\t{path}\0").as_bytes());
        }
        let written = child.stdin.take().map(|mut stdin| stdin.write_all(&lines));
        ensure!(child.wait()?.success(), "git update-index failed");
        Ok(written.transpose().map(drop)?)
    }
}

/// Writes the files below a directory, in parallel.
fn write<'a>(tree: &Path, files: impl Iterator<Item = &'a String> + Clone) -> anyhow::Result<()> {
    let directories: BTreeSet<_> = files.clone().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
    fs::create_dir_all(tree)?;
    directories.into_iter().try_for_each(|directory| fs::create_dir_all(tree.join(directory)))?;
    let files: Vec<_> = files.collect();
    files.par_iter().try_for_each(|path| fs::write(tree.join(path), tree::contents(path)))?;
    Ok(())
}
