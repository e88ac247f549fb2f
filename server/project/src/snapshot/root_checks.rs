//! Checks roots before they are opened.

use std::path::PathBuf;

use super::{SnapshotError, load_settings};
use crate::settings::Overrides;
use pathfinder_vfs::environment;
use pathfinder_vfs::paths;
use pathfinder_vfs::roots::{self, RootDir, RootSet};

/// Checks roots and settings as [`super::WorkspaceSnapshot::open`] does, without a walk.
///
/// # Errors
/// If a root or a setting cannot be used.
pub fn check_roots_and_settings(given: &[PathBuf], flags: &Overrides) -> Result<(), SnapshotError> {
    let RootSet { dirs, .. } = roots::find(given, &roots::current_dir_for(given)?)?;
    dirs.iter().try_for_each(|root| load_settings(flags, root).map(drop))
}

/// Refuses roots that are too wide to be a project, if the user did not give them. Clients start servers anywhere, and
/// reading a home directory can take minutes and gigabytes. No root means the default root.
///
/// # Errors
/// If a root cannot be used, or is the whole disk or the user's home.
pub fn refuse_too_wide(offered: &[PathBuf]) -> Result<(), SnapshotError> {
    let RootSet { dirs, .. } = roots::find(offered, &roots::current_dir_for(offered)?)?;
    let home = environment::home().and_then(|home| paths::real(&home).ok());
    let wide = |root: &&RootDir| root.canonical.parent().is_none() || home.as_ref() == Some(&root.canonical);
    match dirs.iter().find(wide) {
        Some(root) => Err(SnapshotError::TooWide(root.given.clone())),
        None => Ok(()),
    }
}
