//! Converts between the system's paths and core's paths, which are bytes with `/` between segments.
//!
//! On Unix a name is bytes, and nothing is lost. On Windows names are UTF-16, and core sees them as UTF-8. A name
//! without a UTF-8 form is indexed lossily and cannot be probed.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

pub(crate) use pathfinder_core::path::split;

/// The bytes of a name or path.
#[cfg(unix)]
pub fn from_os_str(text: &OsStr) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt as _;
    Cow::Borrowed(text.as_bytes())
}

/// The bytes of a name or path.
#[cfg(not(unix))]
pub fn from_os_str(text: &OsStr) -> Cow<'_, [u8]> {
    let text = text.to_string_lossy();
    if text.contains('\\') {
        Cow::Owned(text.replace('\\', "/").into_bytes())
    } else {
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }
}

/// Returns the path that these bytes name; `None` if they cannot name anything on this system.
#[cfg(unix)]
pub fn to_path(bytes: &[u8]) -> Option<&Path> {
    use std::os::unix::ffi::OsStrExt as _;
    Some(Path::new(OsStr::from_bytes(bytes)))
}

/// Returns the path that these bytes name; `None` if they cannot name anything on this system.
#[cfg(not(unix))]
pub fn to_path(bytes: &[u8]) -> Option<&Path> {
    std::str::from_utf8(bytes).ok().map(Path::new)
}

/// Returns `directory/name`, or `name` alone if `directory` is the root (empty).
pub fn join(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() { name.to_vec() } else { [directory, name].join(&b'/') }
}
