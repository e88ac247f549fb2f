//! Other processes of this program.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};

/// Starts this program again, with its own process group and without pipes, and does not wait for it.
///
/// # Errors
/// If the process cannot be started.
pub fn start_detached(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> io::Result<()> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}
