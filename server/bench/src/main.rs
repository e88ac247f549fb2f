//! `pathfinder-bench`: measures pathfinder and its peers on generated trees. Runs alternate, so that all meet the same
//! machine load.
//!
//! A peer that is not installed becomes a row that says so. All trees lie below one directory. Programs start without
//! the user's settings, because those decide which files are read.

mod args;
mod interleaved;
mod layout;
mod machine;
#[cfg(feature = "peers")]
mod matchers;
mod mistakes;
mod programs;
mod query;
mod report;
mod sample;
mod single;
mod table;
mod tree;
mod walk;

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;

use args::{BenchArgs, OutputFormat, Stage};
use layout::TreeLayout;
use machine::Machine;
use mistakes::generate_questions;
use programs::InstalledPrograms;
use report::BenchReport;
use table::BenchTable;

/// Questions of each kind. All four kinds give 200, so that the 99th percentile is not the slowest question.
const QUESTIONS_PER_KIND: usize = 50;

fn main() -> ExitCode {
    let mut raw_args = std::env::args_os();
    if raw_args.nth(1).is_some_and(|first| first == sample::MEASURE) {
        return sample::measure_for_parent(raw_args);
    }
    let args = BenchArgs::parse();
    match measure(&args).and_then(|report| print(&report, args.format)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            note(&format!("error: {error:#}"));
            // Bad usage ends with the same status, by clap.
            ExitCode::from(2)
        }
    }
}

/// Runs the benchmark.
///
/// # Errors
/// If the trees cannot be written, or pathfinder cannot be started.
fn measure(args: &BenchArgs) -> anyhow::Result<BenchReport> {
    let temporary;
    let top = if let Some(directory) = &args.dir {
        directory
    } else {
        temporary = tempfile::tempdir().context("cannot create a temporary directory: give a directory with --dir")?;
        &temporary.path().to_owned()
    };
    let top = layout::claim_directory(top)?;
    let programs = InstalledPrograms::find(args.program.as_deref(), &top)?;
    let runs = usize::from(args.runs);
    let mut report = BenchReport::new(Machine::detect(), &programs, runs);
    for &size in &args.sizes {
        note(&format!("{size} files: prepares the tree"));
        let layout = TreeLayout::create(&top, size, &programs)?;
        if args.only.contains(&Stage::Walk) {
            note(&format!("{size} files: reads the tree"));
            report.walk.push(BenchTable { files: size, rows: walk::measure(&layout, &programs, runs) });
        }
        if args.only.contains(&Stage::Single) {
            note(&format!("{size} files: asks one question per process"));
            let asked = generate_questions(&layout.list()?, QUESTIONS_PER_KIND);
            report.single.push(BenchTable { files: size, rows: single::measure(&layout, &programs, &asked, runs) });
        }
        if args.only.contains(&Stage::Query) {
            note(&format!("{size} files: asks questions"));
            let list = layout.list()?;
            let asked = generate_questions(&list, QUESTIONS_PER_KIND);
            report.query.push(BenchTable { files: size, rows: query::measure(&layout, &programs, &list, &asked) });
        }
    }
    report.end();
    Ok(report)
}

/// Writes a line to stderr: progress, since a benchmark takes minutes, or an error. A closed stderr is no reason to stop.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes the results to stdout.
///
/// # Errors
/// If stdout is closed.
fn print(report: &BenchReport, format: OutputFormat) -> anyhow::Result<()> {
    let text = match format {
        OutputFormat::Json => serde_json::to_string(report)? + "\n",
        OutputFormat::Text => report.markdown(),
    };
    Ok(io::stdout().write_all(text.as_bytes())?)
}
