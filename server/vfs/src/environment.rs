//! The environment of this process: variables, the home directory, the current directory.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, io};

/// Returns an environment variable.
pub fn variable(name: &str) -> Option<OsString> {
    env::var_os(name)
}

/// Returns the user's home directory.
pub fn home() -> Option<PathBuf> {
    env::home_dir()
}

/// Returns the home directory as its variable names it, for paths that begin with it; `None` if it is not absolute UTF-8.
pub fn home_variable() -> Option<String> {
    let home = variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" })?;
    home.into_string().ok().filter(|home| Path::new(home).is_absolute())
}

/// Returns the directory for temporary files.
pub fn temp_directory() -> PathBuf {
    env::temp_dir()
}

/// Returns the version of this program, and what tells its file from every other build: place, size and times. `None` if
/// the file was replaced since the start.
pub fn program_build() -> Option<String> {
    let program = env::current_exe().ok()?;
    let metadata = program.metadata().ok()?;
    let modified = metadata.modified().ok()?;
    #[cfg(unix)]
    let more = {
        use std::os::unix::fs::MetadataExt as _;
        (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
    };
    #[cfg(not(unix))]
    let more = ();
    Some(format!("{} {} {} {modified:?} {more:?}", env!("CARGO_PKG_VERSION"), program.display(), metadata.len()))
}

/// Makes a directory the current one.
///
/// # Errors
/// If the directory cannot be entered.
pub fn enter(directory: impl AsRef<Path>) -> io::Result<()> {
    env::set_current_dir(directory)
}
