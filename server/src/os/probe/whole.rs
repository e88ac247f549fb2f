//! Whole files and whole directories, for who checks what is written in them.

use std::io::Read as _;

use cap_std::fs::Metadata;
use pathfinder_core::RelPath;

use super::DiskProbe;
use super::contents::{ContentsError, open};
use crate::os::bytes;

impl DiskProbe {
    /// All bytes of a regular file; `None` if it is none, cannot be read, or has more than `most`.
    pub(crate) fn whole(&self, root: usize, path: &RelPath, most: u64) -> Option<Vec<u8>> {
        let read = self.at(root, path, |dir, path, _| {
            let (file, length) = open(dir, path)?;
            if length > most {
                return Err(ContentsError::Special("too large"));
            }
            let mut bytes = Vec::with_capacity(length as usize);
            // It may grow while it is read.
            file.take(most + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        read.ok().filter(|bytes| bytes.len() as u64 <= most)
    }

    /// The names in a directory; empty if it is none.
    pub(crate) fn names(&self, root: usize, path: &RelPath) -> Vec<String> {
        let names = self.at(root, path, |dir, path, entry: &Metadata| {
            if !entry.is_dir() {
                return Err(ContentsError::NotADirectory);
            }
            let list = if path.as_os_str().is_empty() { dir.entries()? } else { dir.read_dir(path)? };
            Ok(list.filter_map(Result::ok).map(|entry| entry.file_name()).collect::<Vec<_>>())
        });
        names.unwrap_or_default().iter().map(|name| String::from_utf8_lossy(&bytes::of(name)).into_owned()).collect()
    }
}
