//! `Package`: a package name from project metadata, with its directory.

use crate::path::RelPath;

/// A name under which other files may refer to a directory (`@acme/ui`, `serde`, `github.com/acme/tool`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    /// The name as written in the metadata file.
    pub name: String,
    /// The directory that holds the metadata file.
    pub directory: RelPath,
}
