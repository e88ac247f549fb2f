//! The command line of `pathfinder-bench`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};

/// Trees from a small project to a large monorepo.
const SIZES: [usize; 4] = [3_261, 30_000, 100_000, 1_000_000];
/// Allowed tree sizes. A smaller tree has too few names for the questions; a larger one mostly tests the file system.
const SIZE_RANGE: RangeInclusive<usize> = 100..=10_000_000;

const EXAMPLES: &str = "\
Generates trees of these sizes, always the same, and measures pathfinder and the installed ones of
fd, rg, git and fzf in alternation. Prints tables in Markdown. The libraries nucleo and frizbee take
part in builds with --features peers. A million files take a gigabyte of disk and some minutes.
Writes only to the directory of the trees.

Examples:
  pathfinder-bench --sizes 3261,30000
  pathfinder-bench --dir /mnt/bench --only query --format json > query.json

Exit status: 0 measured, 2 bad usage or failure.";

/// Compare the speed of pathfinder with fd, rg, git and fzf
#[derive(Debug, Parser)]
#[command(after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct BenchArgs {
    /// Files per tree, 100 to 10000000
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = SIZES, value_parser = size)]
    pub(crate) sizes: Vec<usize>,
    /// Runs of each command
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) runs: u16,
    /// Empty or new directory for the trees, which are kept and reused [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// The pathfinder to measure [default: the one beside this program, else the one in PATH]
    #[arg(long, value_name = "FILE")]
    pub(crate) program: Option<PathBuf>,
    /// Parts to measure
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_values_t = [Stage::Walk, Stage::Query, Stage::Single])]
    pub(crate) only: Vec<Stage>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
}

/// A part of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// Read a whole tree
    Walk,
    /// Ask a process that has read the tree
    Query,
    /// Ask one question, from the start of a process to its end
    Single,
}

/// The form of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Plain text
    #[default]
    Text,
    /// One line of JSON
    Json,
}

fn size(text: &str) -> Result<usize, String> {
    let (least, most) = (SIZE_RANGE.start(), SIZE_RANGE.end());
    text.parse()
        .ok()
        .filter(|size| SIZE_RANGE.contains(size))
        .ok_or_else(|| format!("must be a number from {least} to {most}"))
}
