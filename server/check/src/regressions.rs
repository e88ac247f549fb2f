//! Finds regressions: literals that a change breaks, also in files that it did not touch. Called by `pathfinder check
//! --since` and `--if-deleted`.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::RelPath;
use pathfinder_core::history::PathHistory;
use pathfinder_literals::{LiteralKind, Severity, Source, Verdict};

use super::source_tree::{CommitTree, DeletionOverlay, DiskTree, MAX_FILE_BYTES};
use super::{CheckReport, Checker, Finding, Options};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::commit::{self, CommitError, Commits, TreeEntries};

/// Time limit for reading git's history. Without the recorded moves, moved findings would count as new, and on a busy
/// machine the default second is too short. The largest known histories take five seconds.
const HISTORY_TIMEOUT: Duration = Duration::from_secs(30);

/// The reason why a change cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum RegressionError {
    /// The base commit cannot be read.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The two commits have no common ancestor.
    #[error("{0} and HEAD have no common ancestor")]
    Unrelated(String),
    /// The path to be deleted does not exist.
    #[error("{0} does not exist, so no path depends on it")]
    NotThere(String),
}

/// Finds literals that are broken on disk, or would be after a merge with `revision`, but not in their common
/// ancestor.
///
/// # Errors
/// If the revision cannot be found or read.
pub fn broken_since(
    workspace: &Arc<WorkspaceSnapshot>,
    options: &Arc<Options>,
    files: &[String],
    revision: &str,
    done: &mut (dyn FnMut() + Send),
) -> Result<CheckReport, RegressionError> {
    let root = &workspace.opened()[0].root;
    let commits = Arc::new(Commits::open(root)?);
    let (theirs, head) = (commits.find(revision)?, commits.find("HEAD")?);
    let base = commits.merge_base(head, theirs).ok_or_else(|| RegressionError::Unrelated(revision.to_owned()))?;
    let base_entries = commits.entries(base)?;
    let tree_of = |entries: TreeEntries| CommitTree::new(Arc::clone(&commits), entries, &root.canonical);
    let recorded = |entries: TreeEntries| Checker::from_tree(Arc::new(tree_of(entries)), options);

    let workspace = &Arc::new(workspace.with_history(HISTORY_TIMEOUT));
    let old_names = find_old_names(workspace, &base_entries);
    let disk = DiskTree::new(Arc::clone(workspace)).with_earlier(base_entries.clone());
    let now = Checker::for_run_of(disk, workspace, options).with_doubtful().with_moves(&old_names);
    let mut report = now.check(files, &mut |_| done());
    let before = recorded(base_entries.clone());
    let old_name = |file: &str| old_names.get(file).map_or(file, String::as_str).to_owned();
    retain_new(&mut report, &before, old_name);
    if base == theirs {
        return Ok(report);
    }

    let (ours, theirs) = (commits.entries(head)?, commits.entries(theirs)?);
    let moved = |path: &str| find_current_path(workspace, path);
    let blend = |base, own, other| commits.merge_files(base, own, other, MAX_FILE_BYTES);
    let merged = commit::merge_entries(&base_entries, &ours, &theirs, moved, blend);
    // The first check covered files that the other side has not touched.
    let touched: Vec<String> =
        merged.iter().filter(|(path, entry)| ours.get(*path) != Some(entry)).map(|(path, _)| path.clone()).collect();
    let (ours, theirs) = (recorded(ours), recorded(theirs));
    let merged = Arc::new(tree_of(merged).with_earlier(base_entries));
    let mut after = Checker::from_tree(merged, options).check(&touched, &mut |_| ());
    retain_new(&mut after, &theirs, old_name);
    // In files that both sides changed, the first check found what this side breaks.
    retain_new(&mut after, &ours, str::to_owned);
    for mut finding in after.findings {
        finding.reason = format!("{}, once this is merged with {revision}", finding.reason);
        report.missing += usize::from(finding.severity != Severity::Hint);
        report.findings.push(finding);
    }
    report.findings.sort_by(|a, b| (&a.file, a.range.start).cmp(&(&b.file, b.range.start)));
    Ok(report)
}

/// Finds literals that would be broken without these files and directories.
///
/// # Errors
/// If one of them does not exist.
pub fn broken_if_deleted(
    workspace: &Arc<WorkspaceSnapshot>,
    options: &Arc<Options>,
    files: &[String],
    gone: &[String],
    done: &mut (dyn FnMut() + Send),
) -> Result<CheckReport, RegressionError> {
    use pathfinder_literals::Tree as _;
    let disk = Arc::new(DiskTree::new(Arc::clone(workspace)));
    if let Some(absent) = gone.iter().find(|path| disk.kind(path).is_none()) {
        return Err(RegressionError::NotThere(absent.clone()));
    }
    let without = Arc::new(DeletionOverlay::new(disk.clone(), gone.to_vec()));
    let before = Arc::new(Checker::from_tree(disk, options));
    let mut report = Checker::from_tree(without, options).with_deleted(gone, &before).check(files, &mut |_| done());
    retain_new(&mut report, &before, str::to_owned);
    Ok(report)
}

/// Keeps the findings that a file, under its old name, did not have before.
fn retain_new(report: &mut CheckReport, before: &Checker, old_name: impl Fn(&str) -> String) {
    let mut by_file: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for finding in std::mem::take(&mut report.findings) {
        by_file.entry(finding.file.clone()).or_default().push(finding);
    }
    report.missing = 0;
    for (file, findings) in by_file {
        let old = old_name(&file);
        let mut had = FileBaseline::read(before, &old);
        for finding in findings {
            let key = (finding.kind, finding.literal.clone());
            // A literal that used to resolve is broken now, however often its kind is missing.
            if !finding.estimate.is_reported() && !had.found.contains(&key) {
                continue;
            }
            if let Some(left) = had.missing.get_mut(&key).filter(|left| **left > 0) {
                *left -= 1;
                continue;
            }
            report.missing += usize::from(finding.severity != Severity::Hint);
            report.findings.push(finding);
        }
    }
}

/// The state of a file's literals before a change, by kind and text.
#[derive(Default)]
struct FileBaseline {
    /// The number of broken occurrences.
    missing: HashMap<(LiteralKind, String), usize>,
    /// Literals that resolved.
    found: HashSet<(LiteralKind, String)>,
}

impl FileBaseline {
    fn read(before: &Checker, file: &str) -> Self {
        let mut baseline = Self::default();
        let Some(bytes) = before.bytes(file) else { return baseline };
        for finding in before.judge_all(file, &bytes).findings {
            *baseline.missing.entry((finding.kind, finding.literal)).or_default() += 1;
        }
        let Some(source) = Source::new(file, &bytes) else { return baseline };
        for literal in before.literals(&source) {
            if matches!(literal.verdict, Verdict::Found(_)) {
                baseline.found.insert((literal.kind, String::from_utf8_lossy(&bytes[literal.range]).into_owned()));
            }
        }
        baseline
    }
}

/// Maps the current names of files to their names in these entries, as far as git's history knows.
fn find_old_names(workspace: &WorkspaceSnapshot, entries: &TreeEntries) -> HashMap<String, String> {
    let snapshot = &workspace.engine().roots()[0].snapshot;
    let gone = entries.keys().filter(|path| snapshot.get(path.as_bytes()).is_none());
    gone.filter_map(|path| Some((find_current_path(workspace, path)?, path.clone()))).collect()
}

/// The current location of a path that no longer exists.
fn find_current_path(workspace: &WorkspaceSnapshot, path: &str) -> Option<String> {
    let root = &workspace.engine().roots()[0];
    let there = |path: &RelPath| root.snapshot.get(path.as_bytes()).is_some();
    match root.renames.look_up(&RelPath::from(path), there)? {
        PathHistory::Moved { to, .. } if there(&to) => Some(to.text().into_owned()),
        _ => None,
    }
}
