//! `pathfinder bench`: this program beside others, on trees that it makes.

use std::io::Write as _;

use super::args::{BenchArgs, OutputFormat};
use super::{Exit, write_json, write_text};
use crate::bench;

/// Measures, and prints what came of it. On the way it says on stderr what it does: it takes minutes.
pub(crate) fn run(wanted: &BenchArgs) -> anyhow::Result<Exit> {
    // That stderr is gone is no reason to stop.
    let note = |text: &str| drop(writeln!(anstream::stderr(), "{text}"));
    let report = bench::run(&wanted.options(), &note)?;
    match wanted.format {
        OutputFormat::Json => write_json(&report)?,
        OutputFormat::Text => write_text(&report.markdown())?,
    }
    Ok(Exit::Answered)
}
