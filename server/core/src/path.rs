//! `RelPath`: a path relative to a root, as bytes; the form of all paths in this package. Functions that split such paths.

use std::borrow::Cow;
use std::fmt;

/// A path relative to its root: `/` between segments, no leading or trailing `/`, no `.` or `..`.
/// Empty is the root itself. It is bytes, because file systems do not guarantee UTF-8.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RelPath(Vec<u8>);

/// Writes text, because a list of numbers is unreadable in a log or failed test.
impl fmt::Debug for RelPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RelPath({})", self.0.escape_ascii())
    }
}

impl RelPath {
    /// Wraps bytes that already have this form.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Checks bytes from outside; `None` if they do not have this form.
    pub fn plain(bytes: &[u8]) -> Option<Self> {
        let sound = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
        (bytes.is_empty() || bytes.split(|&byte| byte == b'/').all(sound)).then(|| Self::new(bytes))
    }

    /// The bytes, as on disk.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns whether [`text`](Self::text) loses bytes, so that it cannot be used to open the file.
    pub fn is_lossy(&self) -> bool {
        std::str::from_utf8(&self.0).is_err()
    }
}

impl From<&str> for RelPath {
    fn from(text: &str) -> Self {
        Self(text.as_bytes().to_vec())
    }
}

/// Splits a path into directory and name. The directory is empty for an entry of the root.
pub fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

/// Returns the directory of a path; empty for an entry of the root.
pub fn parent(path: &[u8]) -> &[u8] {
    split(path).0
}

/// Returns the last segment of a path.
pub fn name(path: &[u8]) -> &[u8] {
    split(path).1
}
