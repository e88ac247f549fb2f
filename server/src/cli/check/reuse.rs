//! Reuses the report of an earlier run, if it is certain that another run would have the same one.

use std::path::PathBuf;
use std::sync::Arc;

use pathfinder_check::{CheckReport, ResultCache};
use pathfinder_project::snapshot::{WorkspaceSnapshot, find_single_root};

use crate::cli::args::{CheckArgs, Scope};

/// The remains of an earlier run.
pub(super) enum Reuse {
    /// The canonical root, and its report.
    Report(PathBuf, CheckReport),
    /// A report that is not valid any more. The tree was read to find that out.
    Tree(Arc<WorkspaceSnapshot>),
    /// No report.
    Nothing,
}

/// Opens the cache for a run; `None` if its report is not kept. Runs over parts of a tree are short, and those that fix,
/// compare or read stdin depend on more than the tree.
pub(super) fn open_cache(args: &CheckArgs, scope: &Scope) -> anyhow::Result<Option<ResultCache>> {
    let is_plain = args.paths.is_empty()
        && args.since.is_none()
        && args.if_deleted.is_empty()
        && args.stdin_filename.is_none()
        && !args.fix
        && !args.diff;
    if !is_plain {
        return Ok(None);
    }
    scope.refuse_too_wide()?;
    let request = format!("{:?} {} {}", args.exclude, args.hints, args.explain.is_some());
    let Some((root, settings)) = find_single_root(&scope.roots, &scope.overrides())? else { return Ok(None) };
    Ok(ResultCache::new(root, settings, &request))
}

/// Looks for a report that an earlier run left.
pub(super) fn find(cache: &ResultCache, scope: &Scope) -> anyhow::Result<Reuse> {
    let Some(kept) = cache.load() else { return Ok(Reuse::Nothing) };
    let workspace = Arc::new(scope.open_without_history()?);
    workspace.keep();
    let report = cache.reuse(kept, &workspace);
    let root = || workspace.opened()[0].root.canonical.clone();
    Ok(report.map_or_else(|| Reuse::Tree(Arc::clone(&workspace)), |report| Reuse::Report(root(), report)))
}
