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
    /// Load it, and say what is understood of it
    Info(ModelLocation),
    /// Load it in every precision and with every runtime that is there, and hold what they say against one another
    Verify(ModelLocation),
}

/// A model, and how to print facts about it.
#[derive(Debug, ClapArgs)]
pub(crate) struct ModelLocation {
    /// The model's directory [default: the one that is set, else the one that is built in]
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    #[command(flatten)]
    pub(crate) settings: SettingFlags,
}
