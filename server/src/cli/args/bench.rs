//! Arguments of `pathfinder bench`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::OutputFormat;
use crate::bench::{BenchOptions, SIZE_RANGE, SIZES, Stage};

pub(super) const EXAMPLES: &str = "\
Generates trees of these sizes, always the same, and measures this program and the installed ones of
fd, rg, git and fzf in alternation. Prints tables in Markdown. The libraries nucleo and frizbee take
part in builds with --features peers. A million files take a gigabyte of disk and some minutes.
Writes only to the directory of the trees.

Examples:
  pathfinder bench --sizes 3261,30000
  pathfinder bench --dir /mnt/bench --only query --format json > query.json

Exit status: 0 measured, 2 bad usage or failure.";

/// `pathfinder bench`.
#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Files per tree, 100 to 10000000
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = SIZES, value_parser = size)]
    sizes: Vec<usize>,
    /// Runs of each command
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    runs: u16,
    /// Empty or new directory for the trees, which are kept and reused [default: a temporary one]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Parts to measure
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_values_t = [StageName::Walk, StageName::Query, StageName::Single])]
    only: Vec<StageName>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
}

/// [`Stage`] by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StageName {
    /// Read a whole tree
    Walk,
    /// Ask a process that has read the tree
    Query,
    /// Ask one question, from the start of a process to its end
    Single,
}

impl BenchArgs {
    /// The options for [`crate::bench::run`].
    pub(crate) fn options(&self) -> BenchOptions {
        let stage = |part: &StageName| match part {
            StageName::Walk => Stage::Walk,
            StageName::Query => Stage::Query,
            StageName::Single => Stage::Single,
        };
        BenchOptions {
            sizes: self.sizes.clone(),
            runs: usize::from(self.runs),
            directory: self.dir.clone(),
            stages: self.only.iter().map(stage).collect(),
        }
    }
}

fn size(text: &str) -> Result<usize, String> {
    let (least, most) = (SIZE_RANGE.start(), SIZE_RANGE.end());
    text.parse()
        .ok()
        .filter(|size| SIZE_RANGE.contains(size))
        .ok_or_else(|| format!("must be a number from {least} to {most}"))
}
