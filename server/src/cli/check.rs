//! `pathfinder check`: reports broken path literals.

mod baseline;
mod concise;
mod github;
mod gitlab;
mod junit;
mod output;
mod rdjsonl;
mod reuse;
mod sarif;
mod selection;
mod statistics;
mod text;
mod watch;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use pathfinder_literals::Severity;

use super::args::{CheckArgs, Scope};
use super::fix;
use super::output::{Exit, print_error, write_bytes};
use super::progress::Progress;
use super::text_paths::TextPaths;
use baseline::{Baseline, KnownFindings};
use output::Output;
use pathfinder_check::{
    CheckReport, Checker, Finding, KindFilter, Options, ResultCache, broken_if_deleted, broken_since,
};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::memory;
use reuse::Reuse;
pub(super) use selection::{progress_bar, select_files};

/// Time limit for reading git's history, which is stored for the next run. The probability that a missing path is
/// broken depends on it, so partial history would make two runs differ.
const HISTORY_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads the roots with all of git's history, unless the settings turn history off.
pub(super) fn open(scope: &Scope) -> anyhow::Result<Arc<WorkspaceSnapshot>> {
    open_from(scope, None)
}

/// Reads the roots as [`open`] does, starting from a snapshot.
fn open_from(scope: &Scope, before: Option<&WorkspaceSnapshot>) -> anyhow::Result<Arc<WorkspaceSnapshot>> {
    scope.refuse_too_wide()?;
    let progress = Progress::start("reading the tree");
    let workspace = scope.open_from(before)?;
    let workspace = if workspace.has_pending_history() { workspace.with_history(HISTORY_TIMEOUT) } else { workspace };
    drop(progress);
    let workspace = Arc::new(workspace);
    workspace.keep();
    Ok(workspace)
}

/// Checks files and prints the findings.
pub(crate) fn run(args: &CheckArgs, scope: &Scope) -> anyhow::Result<Exit> {
    if scope.roots.len() > 1 {
        bail!("check takes one root: give --root once");
    }
    args.refuse_unused_flags()?;
    if let Some(file) = &args.write_baseline {
        // Before the work, and before fixes.
        Baseline::refuse_other_file(file)?;
    }
    let scope = &scope.for_paths(&args.paths);
    if args.watch {
        return watch::run(args, scope);
    }
    memory::keep_freed_memory();
    let Some(cache) = reuse::open_cache(args, scope)? else { return run_once(args, &open(scope)?) };
    let workspace = match reuse::find(&cache, scope)? {
        Reuse::Report(root, report) => return print_kept(args, &root, report),
        Reuse::Tree(before) => open_from(scope, Some(&before))?,
        Reuse::Nothing => open(scope)?,
    };
    run_and_keep(args, &workspace, Some(&cache))
}

/// Prints the report that an earlier run left, as that run did.
fn print_kept(args: &CheckArgs, root: &Path, report: CheckReport) -> anyhow::Result<Exit> {
    let mut output = Output::new(args, root, Filter::new(args)?);
    output.findings(&report.findings);
    finish(args, output, report, fix::FixCount::default())
}

/// Checks the files of a snapshot once.
fn run_once(args: &CheckArgs, workspace: &Arc<WorkspaceSnapshot>) -> anyhow::Result<Exit> {
    run_and_keep(args, workspace, None)
}

/// Checks the files of a snapshot once, and keeps the report.
fn run_and_keep(
    args: &CheckArgs,
    workspace: &Arc<WorkspaceSnapshot>,
    cache: Option<&ResultCache>,
) -> anyhow::Result<Exit> {
    if cache.is_some() {
        workspace.probe().start_log();
    }
    let root = workspace.opened()[0].root.canonical.clone();
    let options = Options::load(&root, args.hints)?.with_explanations(args.explain.is_some());
    let options = Arc::new(options.with_excluded(&args.exclude)?);
    if let Some(file) = &args.stdin_filename {
        return check_stdin(args, workspace, &root, &options, file);
    }
    let files = select_files(workspace, &root, &args.paths, &options)?;
    if args.diff {
        return Ok(diff_exit(args, fix::print_diff(workspace, &options, &files)?));
    }
    let fixed = if args.fix { fix::apply_certain(workspace, &options, &files)? } else { fix::FixCount::default() };
    let filter = Filter::new(args)?;
    let mut output = Output::new(args, &root, filter);
    let bar = progress_bar(files.len());
    let mut done = || bar.inc(1);
    let report = if let Some(revision) = &args.since {
        broken_since(workspace, &options, &files, revision, &mut done)?
    } else if args.if_deleted.is_empty() {
        let checker = Checker::for_run(workspace, &options);
        let report = checker.check(&files, &mut |report| {
            bar.inc(1);
            bar.suspend(|| output.findings(&report.findings));
        });
        if cache.is_some() {
            // The process ends: freeing hundreds of thousands of cached paths one by one would only delay it.
            std::mem::forget(checker);
        }
        report
    } else {
        let relative = |path: &std::path::PathBuf| selection::relative_location(&root, path);
        let gone = args.if_deleted.iter().map(relative).collect::<anyhow::Result<Vec<String>>>()?;
        broken_if_deleted(workspace, &options, &files, &gone, &mut done)?
    };
    bar.finish_and_clear();
    if let Some(cache) = cache {
        cache.save(workspace, &report);
    }
    if args.since.is_some() || !args.if_deleted.is_empty() {
        output.findings(&report.findings);
    }
    finish(args, output, report, fixed)
}

/// The exit status of a run with `--diff`.
fn diff_exit(args: &CheckArgs, exit: Exit) -> Exit {
    if args.exit_zero && exit == Exit::Negative { Exit::Answered } else { exit }
}

/// Checks the text on stdin as if it were this file. Fixes go to stdout, and no file is written.
fn check_stdin(
    args: &CheckArgs,
    workspace: &Arc<WorkspaceSnapshot>,
    root: &Path,
    options: &Arc<Options>,
    file: &Path,
) -> anyhow::Result<Exit> {
    let file = selection::relative_path_to_be(root, file)?;
    let mut text = selection::read_stdin()?;
    if args.diff {
        return Ok(diff_exit(args, fix::print_text_diff(workspace, options, &file, text)?));
    }
    let mut fixed = fix::FixCount::default();
    if args.fix {
        (text, fixed) = fix::fix_text(workspace, options, &file, text);
        // Also without fixes: an editor replaces its text by what is printed.
        write_bytes(&text)?;
    }
    let mut output = Output::new(args, root, Filter::new(args)?);
    let report = if options.wants(&file) {
        Checker::for_run(workspace, options).check_text(&file, &text)
    } else {
        CheckReport::default()
    };
    output.findings(&report.findings);
    finish(args, output, report, fixed)
}

/// Prints what follows the findings, and returns the exit status.
fn finish(args: &CheckArgs, output: Output<'_>, mut report: CheckReport, fixed: fix::FixCount) -> anyhow::Result<Exit> {
    let failed = std::mem::take(&mut report.failed);
    if let Some(file) = &args.write_baseline {
        let known = Baseline::from_findings(&report.findings);
        known.write(file)?;
        super::output::write_text(&format!(
            "{} written to {}\n",
            text::plural(known.len(), "finding"),
            file.display()
        ))?;
    } else {
        let is_clean = output.end(report, fixed)?;
        if failed.is_empty() {
            return Ok(if is_clean || args.exit_zero { Exit::Answered } else { Exit::Negative });
        }
    }
    for file in &failed {
        print_error("Internal", &format!("cannot check {file}: this is a bug in pathfinder, please report it"));
    }
    Ok(if failed.is_empty() { Exit::Answered } else { Exit::Failed })
}

/// Decides which findings are reported, beyond the project's settings.
struct Filter {
    kinds: KindFilter,
    known: Option<KnownFindings>,
}

impl Filter {
    fn new(args: &CheckArgs) -> anyhow::Result<Self> {
        let known = args.baseline.as_deref().map(Baseline::read).transpose()?;
        let kinds = KindFilter::new(&args.include_kind, &args.exclude_kind)?;
        Ok(Self { kinds, known: known.map(KnownFindings::new) })
    }

    /// Returns the findings that are reported. Takes each finding once, in order.
    fn reported(&mut self, findings: &[Finding]) -> Vec<Finding> {
        let mut is_reported = |finding: &&Finding| {
            self.kinds.accepts(finding.kind) && self.known.as_mut().is_none_or(|known| !known.take(finding))
        };
        findings.iter().filter(|finding| is_reported(finding)).cloned().collect()
    }
}

/// Returns whether a finding makes a claim, so that it counts.
fn is_claim(finding: &Finding) -> bool {
    finding.severity != Severity::Hint
}
