//! `pathfinder check`: reports broken path literals.

mod github;
mod sarif;
mod text;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pathfinder_literals::Severity;
use pathfinder_literals::path::is_within;

use super::args::{CheckArgs, CheckFormat};
use super::output::{Exit, print_error, write_bytes, write_json, write_text};
use pathfinder_check::{CheckReport, Checker, Finding, Options, broken_if_deleted, broken_since, own_files};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_protocol::finding::{WireFinding, WireSummary, WireUnknownLiteral};

/// Time limit for reading git's history, which is stored for the next run. The probability that a missing path is
/// broken depends on it, so partial history would make two runs differ.
const HISTORY_TIMEOUT: Duration = Duration::from_secs(10);

/// The snapshot with all of git's history, unless the settings turn history off.
pub(super) fn with_history(workspace: WorkspaceSnapshot) -> WorkspaceSnapshot {
    if workspace.has_pending_history() { workspace.with_history(HISTORY_TIMEOUT) } else { workspace }
}

/// Smallest number of files for a progress bar; fewer are done too soon to see it.
const MIN_PROGRESS_FILES: usize = 2000;

/// Checks files and prints the findings.
pub(crate) fn run(args: &CheckArgs, scope: &super::args::Scope) -> anyhow::Result<Exit> {
    if scope.roots.len() > 1 {
        bail!("check takes one root: give --root once");
    }
    let workspace = Arc::new(with_history(scope.open()?));
    workspace.keep();
    let root = workspace.opened()[0].root.canonical.clone();
    let options = Arc::new(Options::load(&root, args.hints)?.with_explanations(args.explain));
    let files = select_files(&workspace, &root, &args.paths, &options)?;
    let bar = progress_bar(files.len());
    let mut output = Output { format: args.format, explain: args.explain, failed: None };
    let mut done = || bar.inc(1);
    let report = if let Some(revision) = &args.since {
        broken_since(&workspace, &options, &files, revision, &mut done)?
    } else if args.if_deleted.is_empty() {
        Checker::for_run(&workspace, &options).check(&files, &mut |report| {
            bar.inc(1);
            bar.suspend(|| output.findings(&report.findings));
        })
    } else {
        let gone =
            args.if_deleted.iter().map(|path| relative_path(&root, path)).collect::<anyhow::Result<Vec<String>>>()?;
        broken_if_deleted(&workspace, &options, &files, &gone, &mut done)?
    };
    bar.finish_and_clear();
    if args.since.is_some() || !args.if_deleted.is_empty() {
        output.findings(&report.findings);
    }
    output.end(&report)?;
    for file in &report.failed {
        print_error("Internal", &format!("cannot check {file}: this is a bug in pathfinder, please report it"));
    }
    if !report.failed.is_empty() {
        return Ok(Exit::Failed);
    }
    let clean = report.findings.iter().all(|finding| finding.severity == Severity::Hint);
    Ok(if clean { Exit::Answered } else { Exit::Negative })
}

/// Prints findings as they come.
struct Output {
    format: CheckFormat,
    explain: bool,
    /// The first error of printing; nothing is printed after it.
    failed: Option<anyhow::Error>,
}

impl Output {
    /// Prints findings, unless the format is a single document. [`Self::end`] returns the first error.
    fn findings(&mut self, findings: &[Finding]) {
        if self.failed.is_none() && !findings.is_empty() {
            self.failed = self.print(findings).err();
        }
    }

    fn print(&self, findings: &[Finding]) -> anyhow::Result<()> {
        match self.format {
            CheckFormat::Text => write_text(&text::findings(findings, self.explain)),
            CheckFormat::Json => write_bytes(&lines(findings.iter().map(|it| WireFinding::new(it, self.explain)))?),
            CheckFormat::Github => write_text(&github::annotations(findings)),
            CheckFormat::Sarif => Ok(()),
        }
    }

    /// Prints what follows the findings.
    fn end(self, report: &CheckReport) -> anyhow::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.format {
            CheckFormat::Text => write_text(&text::summary(report)),
            CheckFormat::Json => {
                let mut all = lines(report.unknown_literals.iter().map(WireUnknownLiteral::from))?;
                all.extend(lines([WireSummary::from(report)])?);
                write_bytes(&all)
            }
            CheckFormat::Sarif => write_json(&sarif::log(report)),
            CheckFormat::Github => Ok(()),
        }
    }
}

/// Serializes each item as one line of JSON.
fn lines(all: impl IntoIterator<Item = impl serde::Serialize>) -> anyhow::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for one in all {
        serde_json::to_writer(&mut lines, &one)?;
        lines.push(b'\n');
    }
    Ok(lines)
}

/// The files to check: all files of the root, or the given ones (relative to the current directory). A directory
/// stands for all files below it.
pub(super) fn select_files(
    workspace: &WorkspaceSnapshot,
    root: &Path,
    paths: &[PathBuf],
    options: &Options,
) -> anyhow::Result<Vec<String>> {
    let mut all = own_files(workspace);
    if !paths.is_empty() {
        let given = paths.iter().map(|path| relative_path(root, path)).collect::<anyhow::Result<Vec<String>>>()?;
        all.retain(|file| given.iter().any(|given| is_covered(given, file)));
        // An ignored file is checked if it is named.
        let named = given.into_iter().filter(|path| root.join(path).is_file());
        all.extend(named);
        all.sort_unstable();
        all.dedup();
    }
    all.retain(|file| options.wants(file));
    Ok(all)
}

/// A path from the command line, relative to the root.
fn relative_path(root: &Path, path: &Path) -> anyhow::Result<String> {
    let there = dunce::canonicalize(path).with_context(|| format!("cannot read {}", path.display()))?;
    let Ok(relative) = there.strip_prefix(root) else {
        bail!("{} is not below the root {}: give its root with --root", path.display(), root.display());
    };
    let text = relative.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(text.replace(std::path::MAIN_SEPARATOR, "/"))
}

fn is_covered(given: &str, file: &str) -> bool {
    given.is_empty() || is_within(file, given)
}

pub(super) fn progress_bar(files: usize) -> ProgressBar {
    if files < MIN_PROGRESS_FILES || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
