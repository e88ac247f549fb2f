//! `pathfinder index`: reads all roots and says what is in them and how long that took.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use super::args::{Format, Scope};
use super::render::{HEAD, WARN, printable};
use super::{Exit, write_json, write_text};
use crate::session::Session;

#[derive(Debug, Serialize)]
struct Report {
    roots: Vec<RootReport>,
    files: usize,
    directories: usize,
    elapsed_ms: f64,
}

#[derive(Debug, Serialize)]
struct RootReport {
    path: String,
    files: usize,
    directories: usize,
    names: usize,
    packages: usize,
    bytes: usize,
    bytes_per_path: f64,
    unreadable: usize,
    walk_ms: f64,
    build_ms: f64,
}

/// Indexes the roots and prints what came of it.
pub(crate) fn run(scope: &Scope, stats: bool, format: Format) -> anyhow::Result<Exit> {
    let session = scope.open()?;
    session.keep();
    let report = report(&session);
    match format {
        Format::Json => write_json(&report)?,
        Format::Text => write_text(&text(&report, stats))?,
    }
    Ok(Exit::Answered)
}

fn report(session: &Session) -> Report {
    let root = |(root, opened): (&pathfinder_core::Root, &crate::session::Opened)| {
        let stats = root.snapshot.stats();
        let paths = stats.files + stats.directories;
        RootReport {
            path: root.given.clone(),
            files: stats.files,
            directories: stats.directories,
            names: stats.names,
            packages: stats.packages,
            bytes: stats.bytes,
            bytes_per_path: tenths(stats.bytes as f64 / paths.max(1) as f64),
            unreadable: opened.listing.unreadable.count,
            walk_ms: milliseconds(opened.listing.read),
            build_ms: milliseconds(opened.listing.build),
        }
    };
    let roots: Vec<_> = session.engine().roots().iter().zip(session.opened()).map(root).collect();
    Report {
        files: roots.iter().map(|root| root.files).sum(),
        directories: roots.iter().map(|root| root.directories).sum(),
        elapsed_ms: tenths(roots.iter().map(|root| root.walk_ms + root.build_ms).sum()),
        roots,
    }
}

fn text(report: &Report, stats: bool) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    for root in &report.roots {
        let path = printable(&root.path);
        let (files, directories, walk, build) = (root.files, root.directories, root.walk_ms, root.build_ms);
        if !stats {
            let _ = writeln!(
                out,
                "{path}: {files} files, {directories} directories, walked in {walk:.1} ms, built in {build:.1} ms"
            );
            continue;
        }
        let _ = writeln!(out, "{HEAD}{path}{HEAD:#}");
        for (name, value) in [
            ("files", files),
            ("directories", directories),
            ("names", root.names),
            ("packages", root.packages),
            ("bytes", root.bytes),
        ] {
            let _ = writeln!(out, "  {name:<15} {value:>12}");
        }
        let _ = writeln!(out, "  bytes per path  {:>12.1}", root.bytes_per_path);
        let _ = writeln!(out, "  walk            {walk:>12.1} ms");
        let _ = writeln!(out, "  build           {build:>12.1} ms");
        let style = if root.unreadable > 0 { WARN } else { anstyle::Style::new() };
        let _ = writeln!(out, "  {style}unreadable      {:>12}{style:#}", root.unreadable);
    }
    out
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
