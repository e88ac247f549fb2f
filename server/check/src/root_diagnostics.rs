//! Diagnostics of one root: findings in its files on disk, kept up to date while files change. The LSP server has one per
//! root.
//!
//! The module knows nothing of editors. The caller checks an open document with [`RootDiagnostics::checker`] and stores its
//! mentions with [`RootDiagnostics::set_mentions`].

#[cfg(all(test, unix))]
mod tests;
mod word_search;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard, RwLock};
use pathfinder_core::index::Change;
use pathfinder_core::{Kind, RelPath};
use pathfinder_languages::is_configuration;
use pathfinder_literals::path::is_within;
use pathfinder_literals::{Checked, ReverseDependencies};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::{Checker, FileAnalysis, Finding, Options, Statistics, digest, own_files};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::paths;

/// Files that are checked before their results are stored: few enough to show progress, enough that the threads rarely wait
/// for the lock.
const BATCH_SIZE: usize = 64;

/// Findings and mentions of one root's files.
pub struct RootDiagnostics {
    current: RwLock<(Arc<WorkspaceSnapshot>, Arc<Checker>)>,
    options: Arc<Options>,
    results: Mutex<FileResults>,
}

#[derive(Default)]
struct FileResults {
    mentions: ReverseDependencies,
    /// Findings on disk by file; only files that have any.
    findings: BTreeMap<String, Arc<[Finding]>>,
    /// Files with missing literals, reported or not.
    missing: BTreeSet<String>,
    /// Hash of each checked file's contents, to recognize moved files.
    digests: FxHashMap<String, u64>,
    /// Files that are open in the editor: the mentions of the document count, not those of the file.
    open_texts: BTreeSet<String>,
    /// Increases with each change of the tree.
    revision: u64,
}

/// Files to check again after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AffectedFiles {
    /// These files: sorted, relative to the root.
    Listed(Vec<String>),
    /// All files, because configuration has changed.
    All,
}

impl RootDiagnostics {
    /// Makes the diagnostics of a snapshot with one root, without checking any file.
    pub fn new(workspace: &Arc<WorkspaceSnapshot>, options: Arc<Options>) -> Self {
        let checker = Checker::new(workspace, &options).with_statistics(Arc::default());
        let current = RwLock::new((Arc::clone(workspace), Arc::new(checker)));
        Self { current, options, results: Mutex::default() }
    }

    /// Moves to a snapshot of the same tree with more history; the statistics for probabilities start anew.
    pub fn set_snapshot(&self, workspace: &Arc<WorkspaceSnapshot>) {
        self.set_snapshot_with(workspace, Arc::default());
    }

    fn set_snapshot_with(&self, workspace: &Arc<WorkspaceSnapshot>, statistics: Arc<Statistics>) {
        let checker = Arc::new(Checker::new(workspace, &self.options).with_statistics(statistics));
        *self.current.write() = (Arc::clone(workspace), checker);
        self.results().revision += 1;
    }

    /// Returns the files with missing literals, reported or not.
    pub fn files_with_missing(&self) -> Vec<String> {
        self.results().missing.iter().cloned().collect()
    }

    /// Takes over the results of earlier diagnostics of the same root.
    pub fn adopt(&self, other: &Self) {
        let other = other.results();
        *self.results() = FileResults {
            mentions: other.mentions.clone(),
            findings: other.findings.clone(),
            missing: other.missing.clone(),
            digests: other.digests.clone(),
            open_texts: other.open_texts.clone(),
            revision: other.revision,
        };
    }

    /// Drops the results of files that are no longer checked. Returns those that had findings.
    pub fn forget_unlisted(&self) -> Vec<String> {
        let files: BTreeSet<String> = self.files().into_iter().collect();
        let mut results = self.results();
        let gone: Vec<String> = results.findings.keys().filter(|file| !files.contains(*file)).cloned().collect();
        results.forget(&gone.iter().map(String::as_str).collect());
        gone
    }

    /// Drops all results because the root is gone. Returns the files that had findings.
    pub fn forget_all(&self) -> Vec<String> {
        let mut results = self.results();
        let revision = results.revision + 1;
        std::mem::replace(&mut *results, FileResults { revision, ..FileResults::default() })
            .findings
            .into_keys()
            .collect()
    }

    /// Returns the checker for the present tree.
    pub fn checker(&self) -> Arc<Checker> {
        Arc::clone(&self.current.read().1)
    }

    /// Closes the repository if nothing was checked with it since the last call. Returns whether it was closed.
    pub fn release_unused(&self) -> bool {
        self.checker().release_unused()
    }

    /// Returns the present snapshot, which has one root.
    pub fn snapshot(&self) -> Arc<WorkspaceSnapshot> {
        Arc::clone(&self.current.read().0)
    }

    /// Returns the root's canonical path.
    pub fn root(&self) -> PathBuf {
        self.snapshot().opened()[0].root.canonical.clone()
    }

    /// Returns whether a file is reported on.
    pub fn wants(&self, file: &str) -> bool {
        self.options.wants(file)
    }

    /// Returns the findings on disk by file.
    pub fn findings(&self) -> BTreeMap<String, Arc<[Finding]>> {
        self.results().findings.clone()
    }

    /// Returns the findings of one file on disk.
    pub fn findings_of(&self, file: &str) -> Arc<[Finding]> {
        self.results().findings.get(file).cloned().unwrap_or_default()
    }

    /// Returns the number of files in the root.
    pub fn file_count(&self) -> usize {
        self.snapshot().engine().roots()[0].snapshot.stats().files
    }

    /// Returns all files that are checked.
    pub fn files(&self) -> Vec<String> {
        let mut files = own_files(&self.snapshot());
        files.retain(|file| self.wants(file));
        files
    }

    /// Returns the number of changes so far. Callers read it before [`checker`](Self::checker).
    pub fn revision(&self) -> u64 {
        self.results().revision
    }

    /// Stores the mentions of an open document. Returns true if the tree has not changed since `revision`.
    pub fn set_mentions(&self, file: &str, literals: &[Checked], revision: u64) -> bool {
        let mut results = self.results();
        results.open_texts.insert(file.to_owned());
        results.mentions.set(file, literals);
        results.revision == revision
    }

    /// Uses a file's contents on disk again, from its next check on.
    pub fn close_document(&self, file: &str) {
        self.results().open_texts.remove(file);
    }

    /// Checks files on disk in parallel until `stop` is set. `done` gets each file and whether its findings changed. Files
    /// that are not in the tree have no findings, even if they exist.
    pub fn check(&self, files: &[String], stop: &AtomicBool, done: &(dyn Fn(&str, bool) + Sync)) {
        let (mut left, mut size) = (files, BATCH_SIZE);
        while !left.is_empty() && !stop.load(Ordering::Relaxed) {
            let batch = &left[..size.min(left.len())];
            let revision = self.revision();
            let (workspace, checker) = self.current.read().clone();
            let tree = &workspace.engine().roots()[0].snapshot;
            let is_listed = |file: &String| tree.get(file.as_bytes()).is_some();
            let listed: Vec<&str> = batch.iter().filter(|file| is_listed(file)).map(String::as_str).collect();
            let mut known_of: FxHashMap<&str, FileAnalysis> =
                listed.iter().copied().zip(checker.analyze_all(&listed)).collect();
            let looked: Vec<FileAnalysis> =
                batch.iter().map(|file| known_of.remove(file.as_str()).unwrap_or_default()).collect();
            let mut results = self.results();
            if results.revision != revision {
                // The tree has changed, so these results may be older than stored ones. Smaller batches are less likely to
                // meet a change.
                size = (size / 2).max(1);
                continue;
            }
            (left, size) = (&left[batch.len()..], (size * 2).min(BATCH_SIZE));
            let mut changed = Vec::with_capacity(batch.len());
            for (file, looked) in batch.iter().zip(looked) {
                if !results.open_texts.contains(file) {
                    results.mentions.set(file, &looked.literals);
                }
                if looked.literals.iter().any(|literal| checker.can_be_broken(file, literal)) {
                    results.missing.insert(file.clone());
                } else {
                    results.missing.remove(file);
                }
                match looked.digest {
                    Some(digest) => _ = results.digests.insert(file.clone(), digest),
                    None => _ = results.digests.remove(file),
                }
                changed.push(results.replace(file, looked.findings));
            }
            drop(results);
            for (file, changed) in batch.iter().zip(changed) {
                done(file, changed);
            }
        }
    }

    /// Moves to a snapshot after these changes and with new contents of `written`. The snapshot may contain later changes:
    /// a removed path that exists again is checked.
    pub fn change(&self, workspace: &Arc<WorkspaceSnapshot>, changes: &[Change], written: &[String]) -> AffectedFiles {
        let tree = &workspace.engine().roots()[0].snapshot;
        let paths = changes.iter().map(|change| change.path().text().into_owned());
        let (here, gone): (Vec<String>, Vec<String>) = paths.partition(|path| tree.get(path.as_bytes()).is_some());
        let paths = || here.iter().chain(&gone);
        let is_config = written.iter().chain(paths()).any(|path| is_configuration(path));
        let before = self.checker();
        let headings = written.iter().any(|path| before.project().knows_headings_of(path));
        if !changes.is_empty() || is_config || headings {
            let statistics = if is_config { None } else { before.statistics() };
            self.set_snapshot_with(workspace, statistics.unwrap_or_default());
        }
        let after = self.checker();
        // Before taking the lock: the first call lists the files of the project.
        let asked = (!is_config).then(paths).into_iter().flatten();
        let touched = ReverseDependencies::affected_paths(asked.map(String::as_str), before.project(), after.project());
        let mut results = self.results();
        // Makes running checks of the earlier tree start again.
        results.revision += 1;
        results.forget(&gone.iter().map(String::as_str).collect());
        if is_config {
            return AffectedFiles::All;
        }
        let mut affected: BTreeSet<String> = written.iter().cloned().collect();
        affected.extend(results.mentions.dependents_of_all(&touched).into_iter().map(str::to_owned));
        // Literals of other files may name headings of this one.
        for path in written {
            affected.extend(results.mentions.files_linking_to(path).into_iter().map(str::to_owned));
        }
        drop(results);
        affected.extend(here.into_iter().filter(|path| tree.get(path.as_bytes()) != Some(Kind::Directory)));
        affected.extend(self.update_statistics(&affected));
        affected.retain(|file| self.wants(file));
        AffectedFiles::Listed(affected.into_iter().collect())
    }

    /// Returns changes that stand for paths that the tree lacks, as far as a check may have looked them up on disk: a literal
    /// may name an ignored file, and a file may come and go between two readings of the tree.
    pub fn looked_up(&self, unlisted: &[RelPath]) -> Vec<Change> {
        let results = self.results();
        let tried = unlisted.iter().filter(|path| results.mentions.has_tried(&path.text()));
        tried.cloned().map(Change::Removed).collect()
    }

    /// Updates the statistics of resolving literals for these files. Returns the other files whose findings change by that.
    fn update_statistics(&self, affected: &BTreeSet<String>) -> Vec<String> {
        let (workspace, checker) = self.current.read().clone();
        let (statistics, languages) = checker.statistics_after(affected);
        if languages.is_empty() {
            return Vec::new();
        }
        self.set_snapshot_with(&workspace, statistics);
        let checker = self.checker();
        let is_of =
            |file: &String| pathfinder_languages::for_path(file).next().is_some_and(|it| languages.contains(it.name()));
        let mut files = self.files_with_missing();
        files.retain(|file| is_of(file) && !affected.contains(file));
        let places = |all: &[Finding]| all.iter().map(|it| (it.range.clone(), it.code)).collect::<Vec<_>>();
        let is_other = |file: &String| {
            let now = checker.bytes(file).map_or_else(Vec::new, |bytes| checker.judge_bytes(file, &bytes));
            places(&now) != places(&self.findings_of(file))
        };
        files.into_par_iter().filter(is_other).collect()
    }

    /// Returns the files that may mention this path or one below it, and the files below it; sorted.
    pub fn files_naming(&self, path: &str) -> Vec<String> {
        let files = own_files(&self.snapshot());
        let below: Vec<&String> = files[files.partition_point(|file| file.as_str() < path)..]
            .iter()
            .take_while(|file| file.starts_with(path))
            .filter(|file| is_within(file, path))
            .collect();
        let results = self.results();
        let mut named: BTreeSet<String> =
            results.mentions.files_linking_to(path).into_iter().map(str::to_owned).collect();
        for file in below {
            named.extend(results.mentions.files_linking_to(file).into_iter().map(str::to_owned));
            // Directories between count too.
            for (at, _) in file.match_indices('/').filter(|(at, _)| *at > path.len()) {
                named.extend(results.mentions.files_linking_to(&file[..at]).into_iter().map(str::to_owned));
            }
            named.insert(file.clone());
        }
        named.retain(|file| self.wants(file));
        named.into_iter().collect()
    }

    /// Returns the files in which literals would break without these paths, with their number. Files below the paths are
    /// left out.
    pub fn broken_without(&self, gone: &[String]) -> Vec<(String, usize)> {
        let checker = self.checker();
        let without = checker.without(gone);
        let named: BTreeSet<String> = gone.iter().flat_map(|path| self.files_naming(path)).collect();
        let left = named.into_iter().filter(|file| !gone.iter().any(|gone| is_within(file, gone)));
        let broken = left.filter_map(|file| {
            let (now, then) = (checker.report(&file), without.report(&file));
            let more = then.missing.saturating_sub(now.missing);
            (more > 0).then_some((file, more))
        });
        broken.collect()
    }

    /// Returns whether a removed path is now at another one: a file with the same contents, or a directory with the same
    /// files. Callers ask before they apply the change.
    pub fn is_same(&self, gone: &str, here: &str, kind: Kind) -> bool {
        let root = self.root();
        match kind {
            // Uses the stored hash: the snapshot may already contain the change.
            Kind::File => {
                let known = self.results().digests.get(gone).copied();
                known.is_some_and(|known| self.checker().bytes(here).is_some_and(|bytes| digest(&bytes) == known))
            }
            Kind::Directory => {
                let files = own_files(&self.snapshot());
                let mut below = files.iter().filter_map(|file| file.strip_prefix(gone)?.strip_prefix('/')).peekable();
                below.peek().is_some() && below.all(|file| paths::is_file(&root.join(here).join(file)))
            }
            Kind::Symlink => false,
        }
    }

    fn results(&self) -> MutexGuard<'_, FileResults> {
        self.results.lock()
    }
}

impl FileResults {
    /// Stores the findings of a file. Returns whether they differ from before.
    fn replace(&mut self, file: &str, findings: Vec<Finding>) -> bool {
        let before = self.findings.get(file);
        let same = before.map_or(findings.is_empty(), |before| **before == *findings);
        if findings.is_empty() {
            self.findings.remove(file);
        } else {
            self.findings.insert(file.to_owned(), findings.into());
        }
        !same
    }

    /// Drops the results of these paths and of everything below them.
    fn forget(&mut self, gone: &BTreeSet<&str>) {
        if gone.is_empty() {
            return;
        }
        let is_gone = |file: &str| {
            let mut above = file.match_indices('/').map(|(at, _)| &file[..at]);
            gone.contains(file) || above.any(|directory| gone.contains(directory))
        };
        let silent: Vec<String> = self.findings.keys().filter(|file| is_gone(file)).cloned().collect();
        for file in &silent {
            self.findings.remove(file);
        }
        for file in silent.iter().map(String::as_str).chain(gone.iter().copied()) {
            // An open document keeps its mentions.
            if !self.open_texts.contains(file) {
                self.mentions.remove(file);
            }
        }
        self.missing.retain(|file| !is_gone(file));
        self.digests.retain(|file, _| !is_gone(file));
    }
}

/// Returns a path relative to a root, with `/`; `None` if it is outside or not UTF-8.
pub fn relative(root: &Path, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(root).ok()?.to_str()?;
    Some(relative.replace(std::path::MAIN_SEPARATOR, "/"))
}
