//! Arguments of `pathfinder model`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::{OutputFormat, SettingFlags};

/// Arguments of `pathfinder model`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

/// Subcommands of `pathfinder model`.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Load a model and print its facts
    Info(ModelLocation),
    /// Load a model in every precision, and compare the results
    Verify(ModelLocation),
}

/// A model, and how to print facts about it.
#[derive(Debug, ClapArgs)]
pub(crate) struct ModelLocation {
    /// Directory of the model [default: the configured model]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) settings: SettingFlags,
}
