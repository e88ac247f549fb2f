//! `pathfinder check`: path literals that lead nowhere.

mod github;
mod sarif;
mod text;

use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pathfinder_literals::Severity;

use super::args::{Check, CheckFormat};
use super::{Exit, complain, write_bytes, write_json, write_text};
use crate::check::{Checker, Options, Report, if_deleted, own_files, since};
use crate::session::Session;
use crate::wire::finding::{WireFinding, WireSummary, WireUntold};

/// Files from which on a progress bar is drawn: fewer are done before one has looked.
const MANY: usize = 2000;

/// Checks files and prints what leads nowhere.
pub(crate) fn run(args: &Check, scope: &super::args::Scope) -> anyhow::Result<Exit> {
    if scope.roots.len() > 1 {
        bail!("check looks at one root at a time: give --root once");
    }
    let session = Arc::new(scope.open()?);
    session.keep();
    let root = session.opened()[0].root.canonical.clone();
    let options = Arc::new(Options::load(&root, args.hints)?.explained(args.explain));
    let files = wanted(&session, &root, &args.paths, &options)?;
    let bar = bar(files.len());
    let done = || bar.inc(1);
    let report = if let Some(revision) = &args.since {
        since(&session, &options, &files, revision, &done)?
    } else if args.if_deleted.is_empty() {
        Checker::new(&session, &options).check(&files, &done)
    } else {
        let gone = args.if_deleted.iter().map(|path| below(&root, path)).collect::<anyhow::Result<Vec<String>>>()?;
        if_deleted(&session, &options, &files, &gone, &done)?
    };
    bar.finish_and_clear();
    print(&report, args.format, args.explain)?;
    for file in &report.failed {
        complain("Internal", &format!("{file} was not checked: this is a defect of pathfinder, please report it"));
    }
    if !report.failed.is_empty() {
        return Ok(Exit::Failed);
    }
    let clean = report.findings.iter().all(|finding| finding.severity == Severity::Hint);
    Ok(if clean { Exit::Answered } else { Exit::Negative })
}

fn print(report: &Report, format: CheckFormat, explain: bool) -> anyhow::Result<()> {
    match format {
        CheckFormat::Text => write_text(&text::report(report, explain)),
        CheckFormat::Json => {
            let mut lines = Vec::new();
            for finding in &report.findings {
                serde_json::to_writer(&mut lines, &WireFinding::new(finding, explain))?;
                lines.push(b'\n');
            }
            for untold in &report.untold {
                serde_json::to_writer(&mut lines, &WireUntold::from(untold))?;
                lines.push(b'\n');
            }
            serde_json::to_writer(&mut lines, &WireSummary::from(report))?;
            lines.push(b'\n');
            write_bytes(&lines)
        }
        CheckFormat::Sarif => write_json(&sarif::log(report)?),
        CheckFormat::Github => write_text(&github::annotations(report)),
    }
}

/// The files to check: all of the root, or those given (relative to the current directory), a directory standing for
/// all below it.
pub(super) fn wanted(
    session: &Session,
    root: &Path,
    paths: &[PathBuf],
    options: &Options,
) -> anyhow::Result<Vec<String>> {
    let mut all = own_files(session);
    if !paths.is_empty() {
        let given = paths.iter().map(|path| below(root, path)).collect::<anyhow::Result<Vec<String>>>()?;
        all.retain(|file| given.iter().any(|given| covers(given, file)));
        // A file that the project ignores is checked if it is asked for by name.
        let named = given.into_iter().filter(|path| root.join(path).is_file());
        all.extend(named);
        all.sort_unstable();
        all.dedup();
    }
    all.retain(|file| options.wants(file));
    Ok(all)
}

/// A path given on the command line, relative to the root.
fn below(root: &Path, path: &Path) -> anyhow::Result<String> {
    let there = dunce::canonicalize(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let Ok(relative) = there.strip_prefix(root) else {
        bail!("{} is not below the root {}", path.display(), root.display());
    };
    let text = relative.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(text.replace(std::path::MAIN_SEPARATOR, "/"))
}

fn covers(given: &str, file: &str) -> bool {
    given.is_empty() || file.strip_prefix(given).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

pub(super) fn bar(files: usize) -> ProgressBar {
    if files < MANY || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
