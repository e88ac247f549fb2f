//! Arguments of `pathfinder bench`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::OutputFormat;
use crate::bench::{BenchOptions, SIZE_RANGE, SIZES, Stage};

pub(super) const EXAMPLES: &str = "\
Makes trees of these sizes, the same each time, and measures this program and those that are
installed beside it in turns: fd, rg, git and fzf. It prints tables in Markdown. nucleo and frizbee
are libraries: they take part where the program was built with --features peers. A million files
take a gigabyte of disk and some minutes to make. Nothing is written outside of the directory.

Examples:
  pathfinder bench --sizes 3261,30000
  pathfinder bench --dir /mnt/bench --only query --format json > query.json

Exit status: 0 measured, 2 bad usage or failure.";

/// `pathfinder bench`.
#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// How many files the trees have, 100 to 10000000
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = SIZES, value_parser = size)]
    sizes: Vec<usize>,
    /// How often each command is run
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    runs: u16,
    /// An empty or new directory for the trees; they stay, and are used again [default: a temporary one that is removed]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// What to measure
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_values_t = [StageName::Walk, StageName::Query, StageName::Single])]
    only: Vec<StageName>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
}

/// [`Stage`] by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StageName {
    /// Reading a tree
    Walk,
    /// Questions to who has read it
    Query,
    /// One question, from the start of a process to its end
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
