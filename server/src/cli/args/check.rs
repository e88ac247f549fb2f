//! Arguments of `pathfinder check` and `pathfinder fix`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::{Explain, Scope};

pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  pathfinder check                          the whole project
  pathfinder check docs README.md           some files and directories
  pathfinder check --fix                    fix what is certain, report the rest
  pathfinder check --fix --stdin-filename docs/guide.md -   fix a text on stdin
  pathfinder check --explain docs/guide.md  the reasons of each verdict
  pathfinder check --format sarif --output-file paths.sarif
  pathfinder check --write-baseline known.json    accept what is broken today
  pathfinder check --baseline known.json          report only what is new

A comment with pathfinder-ignore suppresses findings on its line and the next one;
pathfinder-ignore-file in the first lines of a file suppresses them in the whole file.
The table [check] in pathfinder.toml takes ignore, ignore_literals and severity.

Exit status: 0 no findings, 1 findings (with --diff: changes), 2 bad usage or failure.";

pub(super) const FIX_EXAMPLES: &str = "\
Examples:
  pathfinder fix --dry-run              show the changes
  pathfinder fix docs                   apply the certain fixes below docs
  pathfinder fix --min-confidence 0.9   also apply fixes that are probably right

Exit status: 0 no broken path is left, 1 some are left, 2 bad usage or failure.";

/// Arguments of `pathfinder check`.
#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct CheckArgs {
    /// Files and directories to check, relative to the current directory; - with --stdin-filename [default: the whole root]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Report only what broke since the common ancestor with REV, or would in a merge with REV
    #[arg(long, value_name = "REV", conflicts_with = "if_deleted")]
    pub(crate) since: Option<String>,
    /// Report what would break without this file or directory; repeatable
    #[arg(long, value_name = "PATH")]
    pub(crate) if_deleted: Vec<PathBuf>,
    // Fixes of a file are chosen together, so a filter of findings cannot apply to them.
    /// Apply the certain fixes, then report what is left
    #[arg(long, conflicts_with_all = ["since", "if_deleted", "include_kind", "exclude_kind", "baseline"])]
    pub(crate) fix: bool,
    /// Print the certain fixes as a unified diff and write nothing
    #[arg(long, conflicts_with_all = ["since", "if_deleted", "fix", "format", "output_file", "statistics", "include_kind", "exclude_kind", "baseline"])]
    pub(crate) diff: bool,
    /// Check again after each change, until interrupted
    #[arg(long, conflicts_with_all = ["since", "if_deleted", "diff", "stdin_filename", "output_file", "write_baseline"])]
    pub(crate) watch: bool,
    /// Skip files that match this glob, relative to the root; repeatable
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Report only these kinds, such as md.link or md; repeatable, comma-separated
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) include_kind: Vec<String>,
    /// Do not report these kinds; repeatable, comma-separated
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) exclude_kind: Vec<String>,
    /// Check the text on stdin as if it were this file; with --fix, the fixed text goes to stdout and the rest to stderr
    #[arg(long, value_name = "FILE", conflicts_with_all = ["since", "if_deleted"])]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Do not report the findings in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Write all findings into this file, for --baseline
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "diff", "since", "if_deleted", "stdin_filename", "include_kind", "exclude_kind", "output_file", "statistics", "exclude", "paths"])]
    pub(crate) write_baseline: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: CheckFormat,
    /// Write the findings into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,
    /// Print the number of findings of each code and kind instead
    #[arg(long)]
    pub(crate) statistics: bool,
    /// Print findings only
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Exit with 0 even if there are findings
    #[arg(long)]
    pub(crate) exit_zero: bool,
    /// Also report paths that are often missing on purpose
    #[arg(long)]
    pub(crate) hints: bool,
    /// Print why each path is broken or unknown; `all` prints every reason
    #[arg(long, value_enum, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "brief")]
    pub(crate) explain: Option<Explain>,
    /// Print absolute paths; text is relative to the current directory if that lies inside the root
    #[arg(long, conflicts_with = "diff")]
    pub(crate) absolute: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

impl CheckArgs {
    /// Returns whether all findings of the root are looked for.
    pub(crate) fn is_whole_run(&self) -> bool {
        let globs_and_kinds = [&self.exclude, &self.include_kind, &self.exclude_kind];
        self.paths.is_empty()
            && globs_and_kinds.iter().all(|given| given.is_empty())
            && self.since.is_none()
            && self.if_deleted.is_empty()
            && self.stdin_filename.is_none()
    }

    /// Returns whether stdout has the fixed text of stdin, so that findings have to go elsewhere.
    pub(crate) fn prints_fixed_text(&self) -> bool {
        self.fix && self.stdin_filename.is_some()
    }

    /// Refuses flags that the format cannot follow.
    pub(crate) fn refuse_unused_flags(&self) -> anyhow::Result<()> {
        let is_text = matches!(self.format, CheckFormat::Text | CheckFormat::Concise);
        anyhow::ensure!(
            is_text || !self.absolute,
            "--absolute is for text only: other formats have paths relative to the root"
        );
        anyhow::ensure!(
            !self.statistics || matches!(self.format, CheckFormat::Text | CheckFormat::Json),
            "--statistics has the formats text and json only"
        );
        // As other checkers have it. A file of this name is `./-`.
        let names_stdin = self.paths.iter().any(|path| path.as_os_str() == "-");
        if self.stdin_filename.is_some() {
            anyhow::ensure!(
                self.paths.is_empty() || names_stdin && self.paths.len() == 1,
                "--stdin-filename checks stdin only: name no paths, or -"
            );
        } else {
            anyhow::ensure!(!names_stdin, "- is stdin: name its file with --stdin-filename");
        }
        Ok(())
    }
}

/// Arguments of `pathfinder fix`.
#[derive(Debug, ClapArgs)]
pub(crate) struct FixArgs {
    /// Files and directories to fix, relative to the current directory [default: the whole root]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Print the changes as a unified diff and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also apply fixes of at least this confidence, 0 to 1 [default: only certain fixes]
    #[arg(long, value_name = "P", value_parser = probability)]
    pub(crate) min_confidence: Option<f32>,
    /// Print absolute paths; text is relative to the current directory if that lies inside the root
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) absolute: bool,
    #[command(flatten)]
    pub(crate) scope: Scope,
}

/// A number from 0 to 1.
fn probability(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

/// The output format of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Plain text
    #[default]
    Text,
    /// One line of text per finding
    Concise,
    /// One line of JSON per finding, then a summary
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations, for GitHub Actions
    Github,
    /// Code quality report, for GitLab
    Gitlab,
    /// `JUnit` XML, for test reports
    Junit,
    /// One line of JSON per finding, for reviewdog
    Rdjsonl,
}
