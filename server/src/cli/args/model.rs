//! What can be asked of a model.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use super::{OutputFormat, SettingFlags};

/// `pathfinder model`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

/// What can be done with a model.
#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Load it, and say what is understood of it
    Info(ModelLocation),
    /// Load it in every precision and with every runtime that is there, and hold what they say against one another
    Verify(ModelLocation),
}

/// Which model.
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
