//! `pathfinder doctor`: reports the settings, the roots, what is running, and problems with their remedies.

mod checks;
mod engine;
mod installed;

use std::fmt::Write as _;
use std::path::Path;

use serde::Serialize;

use super::args::{OutputFormat, Scope};
use super::output::{Exit, write_json, write_text};
use super::render::{GOOD, HEAD, WARN, printable};
use checks::Problem;
use engine::SharedEngine;
use installed::InstalledParts;
use pathfinder_ipc::Edge;
use pathfinder_project::snapshot::{LoadedRoot, WorkspaceSnapshot};

#[derive(Debug, Serialize)]
struct DoctorReport {
    version: &'static str,
    roots: Vec<DoctorRoot>,
    running: RunningServices,
    installed: InstalledParts,
    problems: Vec<Problem>,
}

#[derive(Debug, Serialize)]
struct DoctorRoot {
    path: String,
    canonical: String,
    git_worktree: Option<String>,
    files: usize,
    directories: usize,
    packages: usize,
    unreadable: usize,
    walk_ms: u64,
    /// A sentence.
    history: &'static str,
    settings: Vec<SettingValue>,
}

#[derive(Debug, Serialize)]
struct SettingValue {
    name: &'static str,
    value: String,
    source: String,
}

/// Servers and services for these roots.
#[derive(Debug, Serialize)]
struct RunningServices {
    /// A sentence, as in the next fields.
    mcp_server: String,
    language_server: String,
    engine: SharedEngine,
    model: String,
    watching: String,
}

/// Runs all checks and prints the report.
pub(crate) fn run(scope: &Scope, format: OutputFormat) -> anyhow::Result<Exit> {
    let workspace = scope.open()?;
    let report = report(&workspace, scope);
    match format {
        OutputFormat::Json => write_json(&report)?,
        OutputFormat::Text => write_text(&text(&report))?,
    }
    Ok(if report.problems.is_empty() { Exit::Answered } else { Exit::Negative })
}

fn report(workspace: &WorkspaceSnapshot, scope: &Scope) -> DoctorReport {
    let mut problems = Vec::new();
    let mut roots = Vec::new();
    let mut directories = 0;
    for (root, opened) in workspace.engine().roots().iter().zip(workspace.opened()) {
        let stats = root.snapshot.stats();
        directories += stats.directories + 1;
        checks::check_root(opened, stats.files + stats.directories, &mut problems);
        roots.push(DoctorRoot {
            path: opened.root.given.clone(),
            canonical: opened.root.canonical.display().to_string(),
            git_worktree: checks::find_worktree(&opened.root.canonical).map(|top| top.display().to_string()),
            files: stats.files,
            directories: stats.directories,
            packages: opened.listing.snapshot.packages().len(),
            unreadable: opened.listing.unreadable.count,
            walk_ms: opened.listing.read.as_millis().try_into().unwrap_or(u64::MAX),
            history: history(opened),
            settings: settings(opened),
        });
    }
    let roots_on_disk: Vec<&Path> = workspace.opened().iter().map(|opened| opened.root.canonical.as_path()).collect();
    let watching = checks::check_watches(&roots_on_disk, directories, &mut problems);
    if let Some(first) = workspace.opened().first() {
        checks::check_cache(first.settings.cache_dir.as_deref(), &mut problems);
    }
    let model = checks::check_model(workspace.opened().first().map(|opened| &opened.settings), &mut problems);
    let engine = engine::find(scope, &mut problems);
    let running = RunningServices {
        mcp_server: engine.describe(Edge::Agent),
        language_server: engine.describe(Edge::Editor),
        engine,
        model,
        watching,
    };
    let installed = installed::find(roots_on_disk.first().copied().unwrap_or(Path::new(".")));
    DoctorReport { version: env!("CARGO_PKG_VERSION"), roots, running, installed, problems }
}

/// Describes how much of git's history is known.
fn history(opened: &LoadedRoot) -> &'static str {
    if opened.settings.history.is_zero() {
        "off (history_ms is 0)"
    } else if opened.has_full_history() {
        "read completely"
    } else {
        "none, or not read completely; the next start continues"
    }
}

fn settings(opened: &LoadedRoot) -> Vec<SettingValue> {
    let shown = opened.settings.shown();
    shown
        .map(|(setting, value, source)| SettingValue { name: setting.name, value, source: source.to_string() })
        .collect()
}

fn text(report: &DoctorReport) -> String {
    let mut out = format!("{HEAD}pathfinder {}{HEAD:#}\n", report.version);
    // Writing to a `String` cannot fail.
    for root in &report.roots {
        let _ = writeln!(out, "\n{HEAD}root {}{HEAD:#}", printable(&root.path));
        let worktree = root.git_worktree.as_deref().unwrap_or("none");
        for (name, value) in [
            ("directory", printable(&root.canonical)),
            ("git worktree", printable(worktree)),
            ("files", root.files.to_string()),
            ("directories", root.directories.to_string()),
            ("packages", root.packages.to_string()),
            ("unreadable", root.unreadable.to_string()),
            ("read in", format!("{} ms", root.walk_ms)),
            ("git history", root.history.to_owned()),
        ] {
            let _ = writeln!(out, "  {name:<16} {value}");
        }
        let _ = writeln!(out, "\n  {HEAD}settings{HEAD:#}");
        for setting in &root.settings {
            let (value, source) = (printable(&setting.value), printable(&setting.source));
            let _ = writeln!(out, "  {:<16} {value}  ({source})", setting.name);
        }
    }
    let _ = writeln!(out, "\n{HEAD}running{HEAD:#}");
    let running = &report.running;
    for (name, state) in [
        ("shared engine", &running.engine.summary()),
        ("socket", &running.engine.socket),
        ("model", &running.model),
        ("watching", &running.watching),
    ] {
        let _ = writeln!(out, "  {name:<16} {}", printable(state));
    }
    let _ = writeln!(out, "\n{HEAD}set up{HEAD:#}");
    let InstalledParts { hooks, agents, editors } = &report.installed;
    for (name, parts, else_run) in [
        ("hooks", hooks, "`pathfinder hook install AGENT` adds one"),
        ("agents", agents, "`pathfinder mcp install AGENT` adds one"),
        ("editors", editors, "docs/editors.md has each editor's steps"),
    ] {
        let _ = writeln!(out, "  {name:<16} {}", printable(&installed::names(parts, else_run)));
    }
    let _ = writeln!(out, "\n{HEAD}problems{HEAD:#}");
    if report.problems.is_empty() {
        let _ = writeln!(out, "  {GOOD}none{GOOD:#}");
    }
    for problem in &report.problems {
        let _ = writeln!(out, "  {WARN}{}{WARN:#}: {}", problem.code, printable(&problem.message));
        let _ = writeln!(out, "    {}", printable(&problem.remedy));
    }
    out
}
