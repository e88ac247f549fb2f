//! `pathfinder bench`: prints the results of `crate::bench`.

use std::io::Write as _;

use super::args::{BenchArgs, OutputFormat};
use super::{Exit, write_json, write_text};
use crate::bench;

/// Runs the benchmark and prints the results. Progress goes to stderr, since it takes minutes.
pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    // A closed stderr is no reason to stop.
    let note = |text: &str| drop(writeln!(anstream::stderr(), "{text}"));
    let report = bench::run(&args.options(), &note)?;
    match args.format {
        OutputFormat::Json => write_json(&report)?,
        OutputFormat::Text => write_text(&report.markdown())?,
    }
    Ok(Exit::Answered)
}
