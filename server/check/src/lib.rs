//! Checks the files of a root: finds every path literal, decides whether its target exists, and looks for fixes.
//! Called by the command line, the LSP server and `crate::fix`.
//!
//! A [`Checker`] reads one `SourceTree`: the disk, a commit, or the disk after a rename or deletion.
//! `regressions` compares two trees.

#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests write files and look at the clock"))]

mod budget;
mod emptied_packages;
mod file;
mod finding;
pub mod fix;
mod fixes;
mod kind_filter;
mod name_index;
mod options;
mod ordered;
mod probability;
mod regressions;
mod result_cache;
pub mod root_diagnostics;
pub mod rules;
mod source_tree;
mod static_names;
mod suppress;
mod uses;

use std::collections::{BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use pathfinder_literals::{Checked, Document, Kind, Project, Source};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use tracing::{Level, debug, enabled, trace};

use budget::RunBudget;
pub use budget::findings_within_budget;
use emptied_packages::EmptiedPackages;
pub use finding::{CheckReport, FileReport, Finding, UnknownLiteral};
pub use fixes::Fix;
use fixes::NameCache;
pub use kind_filter::{KindFilter, UnknownKind};
pub use options::{CHECK_SETTINGS, CheckSetting, CheckValue, Options, ignore_literal};
use ordered::in_order;
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::clock::{self, Stopwatch};
pub use probability::BrokenEstimate;
pub(crate) use probability::Statistics;
use probability::sampled_files;
pub use regressions::{broken_if_deleted, broken_since};
pub use result_cache::{KeptResult, ResultCache};
pub use source_tree::own_files;
use source_tree::{DeletionOverlay, DiskTree, RenameOverlay, SourceTree};
pub use suppress::comment;
use uses::Deletion;

/// The analysis of one file.
#[derive(Debug, Default)]
pub struct FileAnalysis {
    /// Every literal, in the order of position.
    pub literals: Vec<Checked>,
    /// The findings of the file.
    pub findings: Vec<Finding>,
    /// Digest of the contents; `None` if the file could not be read.
    pub digest: Option<u64>,
}

/// A hash that differs between different contents, except for unlikely collisions.
pub fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Checks files of one source tree.
pub struct Checker {
    tree: Arc<dyn SourceTree>,
    project: Project,
    options: Arc<Options>,
    /// The snapshot that suggests fixes; `None` if no fixes are wanted.
    fixing: Option<Arc<WorkspaceSnapshot>>,
    /// Go packages that a change has emptied; `None` if no change is examined.
    emptied_packages: Option<EmptiedPackages>,
    /// The shares of literals that resolve; `None` if every missing literal is reported, however likely it is broken.
    statistics: Option<Arc<Statistics>>,
    /// Names in the files of the tree; `None` if files can change between two queries.
    names: Option<NameCache>,
    /// Deleted paths: literals that led to one of them are missing, and unknown ones that may use one are counted.
    deletion: Option<Deletion>,
    /// True if missing literals that are unlikely to be broken stay among the findings, because the caller filters
    /// them.
    has_doubtful: bool,
}

impl Checker {
    /// Checks a snapshot's first root as it is on disk.
    pub fn new(workspace: &Arc<WorkspaceSnapshot>, options: &Arc<Options>) -> Self {
        let disk = Arc::new(DiskTree::new(Arc::clone(workspace)));
        Self { fixing: Some(Arc::clone(workspace)), ..Self::from_tree(disk, options) }
    }

    /// Estimates by these statistics how likely a missing literal is broken.
    pub(crate) fn with_statistics(self, statistics: Arc<Statistics>) -> Self {
        Self { statistics: Some(statistics), ..self }
    }

    /// The statistics of how often literals resolve, as far as they have been read.
    pub(crate) fn statistics(&self) -> Option<Arc<Statistics>> {
        self.statistics.clone()
    }

    /// Returns the statistics after a change of the tree, and the languages whose statistics differ. `self` reads the
    /// tree after the change. `affected` lists files whose analysis may have changed.
    pub(crate) fn statistics_after(&self, affected: &BTreeSet<String>) -> (Arc<Statistics>, FxHashSet<&'static str>) {
        let Some(before) = &self.statistics else { return Default::default() };
        let after = before.after_change(affected);
        let differing = after.find_differing(before, &*self.tree, &self.project);
        (Arc::new(after), differing)
    }

    /// Closes the repository if no check has read it since the last call. Returns whether it was closed.
    pub(crate) fn release_unused(&self) -> bool {
        self.tree.release_unused()
    }

    /// Checks a snapshot's first root in one run during which no file changes. Texts of other files are read once.
    pub fn for_run(workspace: &Arc<WorkspaceSnapshot>, options: &Arc<Options>) -> Self {
        Self::for_run_of(DiskTree::new(Arc::clone(workspace)), workspace, options)
    }

    /// Checks the files of a tree on disk, none of which changes meanwhile.
    fn for_run_of(disk: DiskTree, workspace: &Arc<WorkspaceSnapshot>, options: &Arc<Options>) -> Self {
        workspace.engine().roots()[0].snapshot.prepare_lookups();
        let disk = Arc::new(disk.with_text_cache());
        Self {
            fixing: Some(Arc::clone(workspace)),
            statistics: Some(Arc::default()),
            names: Some(NameCache::default()),
            ..Self::from_tree(disk, options)
        }
    }

    /// Also finds imports of packages that these moves (new name to old name) have emptied.
    fn with_moves(self, moves: &HashMap<String, String>) -> Self {
        let emptied_packages = Some(EmptiedPackages::from_moves(&*self.tree, moves));
        Self { emptied_packages, ..self }
    }

    /// Checks a tree without looking for fixes.
    fn from_tree<W: SourceTree + 'static>(tree: Arc<W>, options: &Arc<Options>) -> Self {
        let project = Project::new(tree.clone(), pathfinder_languages::ALL).with_settings(options.configured.clone());
        Self {
            tree,
            project,
            options: Arc::clone(options),
            fixing: None,
            emptied_packages: None,
            statistics: None,
            names: None,
            deletion: None,
            has_doubtful: false,
        }
    }

    /// Keeps missing literals that are unlikely to be broken among the findings.
    fn with_doubtful(self) -> Self {
        Self { has_doubtful: true, ..self }
    }

    /// Takes these paths, which the tree of `before` has, as deleted.
    fn with_deleted(self, deleted: &[String], before: &Arc<Self>) -> Self {
        Self { deletion: Some(Deletion { paths: deleted.to_vec(), before: Arc::clone(before) }), ..self }
    }

    /// Checks these files (relative to the root) in parallel. `each` gets each file's report in the order of the
    /// files, as soon as all reports before it are there.
    pub fn check(&self, files: &[String], each: &mut (dyn FnMut(&FileReport) + Send)) -> CheckReport {
        let start = Stopwatch::start();
        // A panic in one file does not end the check; the report names the file as failed.
        // The time of a thread takes a system call.
        let is_timed = enabled!(Level::TRACE);
        let thread_time = || if is_timed { clock::thread_time() } else { Duration::ZERO };
        let guarded = |check: &dyn Fn() -> FileReport| {
            let start = thread_time();
            let report = catch_unwind(AssertUnwindSafe(check));
            let report = report.unwrap_or_else(|_| FileReport { has_panicked: true, ..FileReport::default() });
            FileReport { cpu: thread_time().saturating_sub(start), ..report }
        };
        // A missing literal is weighed by how often literals of its kind resolve, so files with one wait for the
        // statistics.
        let sampled = self.sampled_files();
        let first = |file: &String| guarded(&|| self.check_without_findings(file, sampled.contains(file.as_str())));
        let first: Vec<FileReport> = files.par_iter().map(first).collect();
        if let Some(statistics) = &self.statistics {
            let waiting = files.iter().zip(&first).filter(|(_, report)| report.waits).map(|(file, _)| file.as_str());
            let literals = files.iter().zip(&first).filter(|(file, _)| sampled.contains(file.as_str()));
            let literals = literals.filter_map(|(file, report)| Some((file.as_str(), report.literals.as_deref()?)));
            statistics.prepare(waiting, &literals.collect(), &*self.tree, &self.project);
        }
        let first: Vec<Mutex<FileReport>> = first.into_iter().map(Mutex::new).collect();
        let take = |at: usize| std::mem::take(&mut *first[at].lock());
        let mut all = CheckReport::default();
        let budget = RunBudget::default();
        in_order(
            files.len(),
            |at| {
                let report = take(at);
                let report = match &report.literals {
                    Some(literals) if report.waits => {
                        let second = guarded(&|| self.check_literals(at, &files[at], literals, &budget));
                        FileReport { cpu: report.cpu + second.cpu, ..second }
                    }
                    _ => FileReport { literals: None, ..report },
                };
                // A file without findings, or whose check panicked, must not keep the others waiting.
                budget.enter(at, 0);
                report
            },
            |at, report| {
                trace!(file = files[at], cpu_us = report.cpu.as_micros(), "file checked");
                each(&report);
                all.add(&files[at], report);
            },
        );
        all.elapsed = start.elapsed();
        let counted = self.tree.counts();
        debug!(stats = counted.stats, reads = counted.reads, proofs = all.proofs, points = budget.spent(), "checked");
        all
    }

    /// Checks a text as the contents of a file (relative to the root), which need not exist.
    pub fn check_text(&self, file: &str, text: &[u8]) -> CheckReport {
        let start = Stopwatch::start();
        let mut all = CheckReport::default();
        if let Some(statistics) = &self.statistics {
            statistics.prepare([file].into_iter(), &FxHashMap::default(), &*self.tree, &self.project);
        }
        let report = catch_unwind(AssertUnwindSafe(|| self.check_bytes(file, text)));
        all.add(file, report.unwrap_or_else(|_| FileReport { has_panicked: true, ..FileReport::default() }));
        all.elapsed = start.elapsed();
        all
    }

    /// The bytes of a file; `None` if its language is unknown, or it is too large or absent.
    pub fn bytes(&self, file: &str) -> Option<Vec<u8>> {
        pathfinder_languages::for_path(file).next()?;
        self.tree.bytes(file)
    }

    /// The bytes of a file of any language; `None` if it is too large or absent.
    pub fn bytes_of_any(&self, file: &str) -> Option<Vec<u8>> {
        self.tree.bytes(file)
    }

    /// Analyzes files on disk in parallel, with fixes. A file that cannot be checked gets an empty analysis.
    pub(crate) fn analyze_all(&self, files: &[&str]) -> Vec<FileAnalysis> {
        let analyses: Vec<Option<FileAnalysis>> =
            files.par_iter().map(|file| self.analyze_without_findings(file)).collect();
        if let Some(statistics) = &self.statistics {
            let waiting = files.iter().zip(&analyses).filter(|(_, analyses)| analyses.is_none()).map(|(file, _)| *file);
            statistics.prepare(waiting, &FxHashMap::default(), &*self.tree, &self.project);
        }
        let analyze = |(file, analyses): (&&str, Option<FileAnalysis>)| analyses.unwrap_or_else(|| self.analyze(file));
        files.par_iter().zip(analyses).map(analyze).collect()
    }

    /// Analyzes a file in which nothing is missing; `None` for any other file.
    fn analyze_without_findings(&self, file: &str) -> Option<FileAnalysis> {
        let report = catch_unwind(AssertUnwindSafe(|| {
            let Some(bytes) = self.bytes(file) else { return Some(FileAnalysis::default()) };
            let digest = Some(digest(&bytes));
            let Some(source) = Source::new(file, &bytes) else {
                return Some(FileAnalysis { digest, ..FileAnalysis::default() });
            };
            let literals = pathfinder_literals::check(&source, &self.project);
            if literals.iter().any(|literal| self.can_be_broken(file, literal)) {
                return None;
            }
            let findings = self.judge(file, &bytes, &source, &literals).findings;
            findings.is_empty().then_some(FileAnalysis { literals, findings, digest })
        }));
        report.unwrap_or_default()
    }

    /// Analyzes a file on disk, with fixes. The result is empty if it cannot be checked.
    pub fn analyze(&self, file: &str) -> FileAnalysis {
        let analysis = catch_unwind(AssertUnwindSafe(|| {
            let bytes = self.bytes(file)?;
            let digest = Some(digest(&bytes));
            let Some(source) = Source::new(file, &bytes) else {
                return Some(FileAnalysis { digest, ..FileAnalysis::default() });
            };
            let literals = pathfinder_literals::check(&source, &self.project);
            let mut findings = self.judge(file, &bytes, &source, &literals).findings;
            let most = findings_within_budget(&findings).len();
            self.add_fixes(&source, &literals, &mut findings, most);
            Some(FileAnalysis { literals, findings, digest })
        }));
        analysis.ok().flatten().unwrap_or_default()
    }

    /// Reports everything that is missing in a file on disk, however likely it is broken, without fixes.
    pub fn report(&self, file: &str) -> FileReport {
        self.bytes(file).map_or_else(FileReport::default, |bytes| self.judge_all(file, &bytes))
    }

    /// Returns the literals and findings of an edited text, without fixes; empty if it is no text.
    pub fn analyze_document(&self, document: &mut Document) -> (Arc<[Checked]>, Vec<Finding>) {
        let literals = document.check(&self.project);
        let Some(source) = document.source() else { return (literals, Vec::new()) };
        let findings = self.judge(document.path(), document.text().as_bytes(), &source, &literals).findings;
        (literals, findings)
    }

    /// A checker for the same tree after these moves (from, to).
    #[must_use]
    pub fn after_moves(&self, moves: &[(String, String)]) -> Self {
        self.after_moves_and_edits(moves, HashMap::new())
    }

    /// A checker for the same tree after these moves (from, to), with texts of files that are edited together with them, by their paths
    /// after the moves.
    #[must_use]
    pub fn after_moves_and_edits(&self, moves: &[(String, String)], edited: HashMap<String, String>) -> Self {
        let overlay = RenameOverlay::new(Arc::clone(&self.tree), moves.to_vec(), edited);
        Self::from_tree(Arc::new(overlay), &self.options)
    }

    /// A checker for the same tree without these files and directories.
    #[must_use]
    pub fn without(&self, gone: &[String]) -> Self {
        Self::from_tree(Arc::new(DeletionOverlay::new(Arc::clone(&self.tree), gone.to_vec())), &self.options)
    }

    /// Returns whether the project ignores a path, existing or not. Ignored files get no findings.
    pub fn ignores(&self, file: &str) -> bool {
        self.tree.is_tracked(file) != Some(true) && self.tree.is_ignored(file)
    }

    /// The kind of entry at a path, links followed.
    pub fn kind(&self, path: &str) -> Option<Kind> {
        self.tree.kind(path)
    }

    /// The names in a directory.
    pub fn names(&self, directory: &str) -> Arc<[String]> {
        self.tree.names(directory)
    }

    /// The project data that decides where literals lead.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The files whose literals the statistics need, so that no file is checked for them a second time.
    fn sampled_files(&self) -> FxHashSet<&str> {
        // The statistics know nothing of emptied packages.
        let is_used = self.statistics.is_some() && self.emptied_packages.is_none();
        if is_used { sampled_files(&*self.tree) } else { FxHashSet::default() }
    }

    /// Checks a file that has nothing to report; for any other file only finds its literals. `keeps_literals` if they are
    /// wanted in any case.
    fn check_without_findings(&self, file: &str, keeps_literals: bool) -> FileReport {
        let Some(bytes) = self.bytes(file) else { return FileReport::default() };
        let Some(source) = Source::new(file, &bytes) else { return FileReport::default() };
        let literals = self.literals(&source);
        let can_be_broken = literals.iter().any(|literal| self.can_be_broken(file, literal));
        let report = if can_be_broken { None } else { Some(self.judge(file, &bytes, &source, &literals)) };
        match report.filter(|report| report.findings.is_empty()) {
            Some(report) => FileReport { literals: keeps_literals.then_some(literals), ..report },
            None => FileReport { waits: true, literals: Some(literals), ..FileReport::default() },
        }
    }

    /// Checks a file whose literals are known. Looks for fixes as far as the earlier files left budget.
    fn check_literals(&self, at: usize, file: &str, literals: &[Checked], budget: &RunBudget) -> FileReport {
        let Some(bytes) = self.bytes(file) else { return FileReport::default() };
        let Some(source) = Source::new(file, &bytes) else { return FileReport::default() };
        let allow = |points: usize| budget.enter(at, points);
        // The file may have been written since its literals were found.
        if literals.last().is_some_and(|last| last.range.end > bytes.len()) {
            return self.check_within(file, &bytes, &allow);
        }
        self.report_literals(file, &bytes, &source, literals, &allow)
    }
}
