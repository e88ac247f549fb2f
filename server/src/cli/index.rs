//! `pathfinder index`: reads all roots, and prints counts and times.

mod stages;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use pathfinder_core::symbols::SymbolLocation;
use serde::Serialize;

use super::args::{IndexArgs, OutputFormat, Scope};
use super::output::{Exit, write_json, write_text};
use super::progress::Progress;
use super::render::{HEAD, WARN, printable};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_project::symbols;
use pathfinder_vfs::listing::ListingSource;
use stages::Stages;

#[derive(Debug, Serialize)]
struct IndexReport {
    roots: Vec<IndexedRoot>,
    files: usize,
    directories: usize,
    elapsed_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols_ms: Option<f64>,
    stages_ms: Stages,
}

#[derive(Debug, Serialize)]
struct IndexedRoot {
    path: String,
    files: usize,
    directories: usize,
    names: usize,
    packages: usize,
    bytes: usize,
    bytes_per_path: f64,
    unreadable: usize,
    /// Number of these whose paths are too long.
    #[serde(skip_serializing_if = "is_zero")]
    too_long: usize,
    walk_ms: f64,
    build_ms: f64,
    /// The whole time for git's history; the tree is read meanwhile.
    history_ms: f64,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<SymbolsReport>,
}

/// Counts of the declarations in a root's files.
#[derive(Debug, Serialize)]
struct SymbolsReport {
    files: usize,
    symbols: usize,
    names: usize,
    bytes: usize,
    bytes_per_symbol: f64,
}

/// Indexes the roots and prints the report.
pub(crate) fn run(scope: &Scope, args: &IndexArgs) -> anyhow::Result<Exit> {
    let process_start = Instant::now();
    scope.refuse_too_wide()?;
    let progress = Progress::start("reading the tree");
    let mut workspace = scope.open()?;
    drop(progress);
    let mut stages = Stages::new(workspace.opened());
    let start = Instant::now();
    workspace.keep();
    stages.keep = milliseconds(start.elapsed());
    let start = Instant::now();
    if args.symbols || args.list_symbols {
        // The command asked for all declarations, so it waits for them.
        let _progress = Progress::start("reading declarations");
        let before = symbols::with_cached(&workspace);
        workspace = symbols::read(&before, Duration::MAX, &|_| true);
        symbols::save_changed(&workspace, &before);
    }
    if args.list_symbols {
        write_text(&list(&workspace))?;
        return Ok(Exit::Answered);
    }
    let declarations = args.symbols.then(|| start.elapsed());
    stages.end(declarations, process_start.elapsed());
    let report = report(&workspace, declarations, stages);
    match args.format {
        OutputFormat::Json => write_json(&report)?,
        OutputFormat::Text => write_text(&text(&report, args.stats))?,
    }
    Ok(Exit::Answered)
}

/// Lists every declaration on a line of its own, by path.
fn list(workspace: &WorkspaceSnapshot) -> String {
    let mut out = String::new();
    for root in workspace.engine().roots() {
        let mut places: Vec<_> = root.symbols.locations().collect();
        places.sort_unstable_by_key(|place| (place.file, place.symbol.line, place.symbol.name));
        for SymbolLocation { file, symbol } in places {
            let _ =
                writeln!(out, "{}:{} {} {}", printable(file), symbol.line, symbol.kind.name(), printable(symbol.name));
        }
    }
    out
}

fn report(workspace: &WorkspaceSnapshot, symbols: Option<Duration>, stages: Stages) -> IndexReport {
    let root = |(root, opened): (&pathfinder_core::Root, &pathfinder_project::snapshot::LoadedRoot)| {
        let stats = root.snapshot.stats();
        let paths = stats.files + stats.directories;
        IndexedRoot {
            path: root.given.clone(),
            files: stats.files,
            directories: stats.directories,
            names: stats.names,
            packages: stats.packages,
            bytes: stats.bytes,
            bytes_per_path: tenths(stats.bytes as f64 / paths.max(1) as f64),
            unreadable: opened.listing.unreadable.count,
            too_long: opened.listing.unreadable.too_long,
            walk_ms: milliseconds(opened.listing.read),
            build_ms: milliseconds(opened.listing.build),
            history_ms: milliseconds(opened.times.history),
            source: match opened.listing.source {
                ListingSource::Walk => "walked",
                ListingSource::CaughtUp(_) => "brought up to date",
                ListingSource::Tracked => "tracked",
            },
            symbols: symbols.map(|_| {
                let stats = root.symbols.stats();
                SymbolsReport {
                    files: stats.files,
                    symbols: stats.symbols,
                    names: stats.names,
                    bytes: stats.bytes,
                    bytes_per_symbol: tenths(stats.bytes as f64 / stats.symbols.max(1) as f64),
                }
            }),
        }
    };
    let roots: Vec<_> = workspace.engine().roots().iter().zip(workspace.opened()).map(root).collect();
    IndexReport {
        files: roots.iter().map(|root| root.files).sum(),
        directories: roots.iter().map(|root| root.directories).sum(),
        elapsed_ms: tenths(roots.iter().map(|root| root.walk_ms + root.build_ms).sum()),
        symbols_ms: symbols.map(milliseconds),
        stages_ms: stages,
        roots,
    }
}

fn text(report: &IndexReport, stats: bool) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    for root in &report.roots {
        let path = printable(&root.path);
        let (files, directories, walk, build) = (root.files, root.directories, root.walk_ms, root.build_ms);
        if !stats {
            let _ = write!(
                out,
                "{path}: {files} files, {directories} directories, walked in {walk:.1} ms, indexed in {build:.1} ms"
            );
            let symbols = root.symbols.as_ref();
            let _ = symbols.map_or(Ok(()), |symbols| write!(out, ", {} symbols in {}", symbols.symbols, symbols.files));
            if root.too_long > 0 {
                let _ = write!(out, "; {WARN}{} not indexed: paths too long{WARN:#}", directories_of(root.too_long));
            }
            out.push('\n');
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
        if let (Some(symbols), Some(elapsed)) = (&root.symbols, report.symbols_ms) {
            let _ = writeln!(out, "  symbol files    {:>12}", symbols.files);
            let _ = writeln!(out, "  symbols         {:>12}", symbols.symbols);
            let _ = writeln!(out, "  symbol bytes    {:>12}", symbols.bytes);
            let _ = writeln!(out, "  bytes per symbol{:>12.1}", symbols.bytes_per_symbol);
            let _ = writeln!(out, "  declarations    {elapsed:>12.1} ms");
        }
        let style = if root.unreadable > 0 { WARN } else { anstyle::Style::new() };
        let _ = writeln!(out, "  {style}unreadable      {:>12}{style:#}", root.unreadable);
        if root.too_long > 0 {
            let _ = writeln!(out, "  {WARN}path too long   {:>12}{WARN:#}", root.too_long);
        }
        let _ = writeln!(out, "  tree            {:>12}", root.source);
    }
    if stats {
        out.push_str(&report.stages_ms.text());
    }
    out
}

fn directories_of(count: usize) -> String {
    format!("{count} {}", if count == 1 { "directory" } else { "directories" })
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
