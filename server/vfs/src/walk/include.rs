//! `IncludeDir`: one entry of `INCLUDE_DIRS`, a directory that is listed without ignore rules.

use std::path::{Component, Path, PathBuf};

use super::super::bytes;

/// A directory name or a relative path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IncludeDir {
    path: PathBuf,
    /// The path, `/` separated.
    bytes: Vec<u8>,
}

impl IncludeDir {
    /// Parses the usable entries. Empty names, absolute paths, `..` and `.git` are left out, because they cannot name a
    /// listed directory.
    pub(super) fn parse_all(texts: &[String]) -> Vec<Self> {
        texts.iter().filter_map(|text| Self::parse(text)).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut path = PathBuf::new();
        for component in Path::new(text.trim()).components() {
            match component {
                Component::CurDir => {}
                Component::Normal(name) if name != super::git::DOT_GIT => path.push(name),
                _ => {
                    tracing::warn!("INCLUDE_DIRS: {text:?} is not the name of a directory below a root");
                    return None;
                }
            }
        }
        let bytes = bytes::from_os_str(path.as_os_str()).into_owned();
        (!bytes.is_empty()).then_some(Self { path, bytes })
    }

    /// Returns whether `path` (relative to the root) ends with this name or path.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        path.strip_suffix(self.bytes.as_slice()).is_some_and(|rest| rest.is_empty() || rest.ends_with(b"/"))
    }

    /// Returns its path relative to the root if `directory` (`relative` to the root) contains it, reached through no
    /// symbolic link.
    pub(super) fn find_in(&self, directory: &Path, relative: &[u8]) -> Option<Vec<u8>> {
        let mut path = directory.to_path_buf();
        for component in self.path.components() {
            path.push(component);
            if !path.symlink_metadata().is_ok_and(|entry| entry.is_dir()) {
                return None;
            }
        }
        Some(bytes::join(relative, &self.bytes))
    }
}
