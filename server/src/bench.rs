//! `pathfinder bench`: measures this program and its peers on generated trees. Runs alternate, so that all meet the
//! same machine load.
//!
//! A peer that is not installed becomes a row that says so. All trees lie below one directory. Programs start without
//! the user's settings, because those decide which files are read.

mod interleaved;
mod layout;
mod machine;
#[cfg(feature = "peers")]
mod matchers;
mod mistakes;
mod programs;
mod query;
mod report;
mod single;
mod table;
mod tree;
mod walk;

use std::path::PathBuf;

use anyhow::Context as _;

use layout::TreeLayout;
use machine::Machine;
use mistakes::generate_questions;
use pathfinder_vfs::memory;
use programs::InstalledPrograms;
pub(crate) use report::BenchReport;
use table::BenchTable;

/// Trees from a small project to a large monorepo.
pub(crate) const SIZES: [usize; 4] = [3_261, 30_000, 100_000, 1_000_000];
/// Allowed tree sizes. A smaller tree has too few names for the questions; a larger one mostly tests the file system.
pub(crate) const SIZE_RANGE: std::ops::RangeInclusive<usize> = 100..=10_000_000;
/// Questions of each kind. All four kinds give 200, so that the 99th percentile is not the slowest question.
const QUESTIONS_PER_KIND: usize = 50;

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Reads a whole tree.
    Walk,
    /// Asks a process that has already read the tree.
    Query,
    /// Asks one question, timed from the start of a process to its end.
    Single,
}

/// The options of `pathfinder bench`.
#[derive(Debug)]
pub(crate) struct BenchOptions {
    pub(crate) sizes: Vec<usize>,
    pub(crate) runs: usize,
    /// Directory of the trees; a temporary one if `None`.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) stages: Vec<Stage>,
}

/// Runs the benchmark. `note` gets a line about each step.
///
/// # Errors
/// If the trees cannot be written, or this program cannot be started.
pub(crate) fn run(options: &BenchOptions, note: &dyn Fn(&str)) -> anyhow::Result<BenchReport> {
    let temporary;
    let top = if let Some(directory) = &options.directory {
        directory
    } else {
        temporary = tempfile::tempdir().context("cannot create a temporary directory: give a directory with --dir")?;
        &temporary.path().to_owned()
    };
    let top = layout::claim_directory(top)?;
    let programs = InstalledPrograms::find(&top)?;
    let mut report = BenchReport::new(Machine::detect(), &programs, options.runs);
    for &size in &options.sizes {
        note(&format!("{size} files: prepares the tree"));
        let layout = TreeLayout::create(&top, size, &programs)?;
        // A child's peak starts at this process's resident size, so free memory is given back first.
        memory::trim_heap();
        if options.stages.contains(&Stage::Walk) {
            note(&format!("{size} files: reads the tree"));
            report.walk.push(BenchTable { files: size, rows: walk::measure(&layout, &programs, options.runs) });
        }
        if options.stages.contains(&Stage::Single) {
            note(&format!("{size} files: asks one question per process"));
            let asked = generate_questions(&layout.list()?, QUESTIONS_PER_KIND);
            memory::trim_heap();
            report
                .single
                .push(BenchTable { files: size, rows: single::measure(&layout, &programs, &asked, options.runs) });
        }
        if options.stages.contains(&Stage::Query) {
            note(&format!("{size} files: asks questions"));
            let list = layout.list()?;
            let asked = generate_questions(&list, QUESTIONS_PER_KIND);
            report.query.push(BenchTable { files: size, rows: query::measure(&layout, &programs, &list, &asked) });
        }
    }
    report.end();
    Ok(report)
}
