//! Reads the package names that project metadata (`Cargo.toml`, `package.json` …) gives to directories. Called by
//! `listing` and, after changes, by `workspace::watch`.

mod package_names;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use pathfinder_core::index::{Change, Package, Snapshot};
use pathfinder_core::{Kind, RelPath};
use rayon::prelude::*;

use super::roots::RootDir;
use super::{bytes, regular_file};
use package_names::MetadataFormat;

/// Size limit of a metadata file. Hand-written ones have some kB, and `package.json`, which tools extend, stays far
/// below it. A larger file is data under a well-known name.
const MAX_METADATA_BYTES: u64 = 1024 * 1024;

/// Length limit of a name: npm allows 214 bytes, and Go's module paths, which are URLs, stay below this.
const MAX_NAME_BYTES: usize = 512;

/// Returns whether a file of this name may name a package.
pub(super) fn is_metadata(name: &[u8]) -> bool {
    MetadataFormat::from_file_name(name).is_some()
}

/// Returns the snapshot `now` with updated packages. It came from `before` by `changes`; the contents of the `written`
/// files changed too.
pub fn update(root: &RootDir, before: &Snapshot, now: Snapshot, changes: &[Change], written: &[RelPath]) -> Snapshot {
    let all = changes.iter().map(Change::path).chain(written);
    let metadata = all.filter(|path| is_metadata(bytes::split(path.as_bytes()).1));
    let mut touched: BTreeSet<Vec<u8>> = metadata.map(|path| bytes::split(path.as_bytes()).0.to_vec()).collect();
    // Removing a directory removes the packages below it.
    let is_left = |package: &Package| {
        let directory = package.directory.as_bytes();
        directory.is_empty() || now.get(directory) == Some(Kind::Directory)
    };
    if changes.iter().any(|change| matches!(change, Change::Removed(_))) {
        let gone = before.packages().iter().filter(|package| !is_left(package));
        touched.extend(gone.map(|package| package.directory.as_bytes().to_vec()));
    }
    if touched.is_empty() {
        return now;
    }
    let files = touched.iter().flat_map(|directory| {
        let files = now.children(directory).into_iter().filter(|(name, kind)| *kind == Kind::File && is_metadata(name));
        files.map(|(name, _)| RelPath::new(bytes::join(directory, &name))).collect::<Vec<_>>()
    });
    let mut packages: Vec<Package> = before.packages().to_vec();
    packages.retain(|package| !touched.contains(package.directory.as_bytes()));
    packages.extend(read(root, &files.collect::<Vec<_>>()));
    now.with_packages(packages)
}

/// Reads the package names in these files (relative to the root); sorted, without duplicates.
///
/// An empty, too large, unreadable or malformed file gives no names, because nothing else depends on it.
pub fn read(root: &RootDir, files: &[RelPath]) -> Vec<Package> {
    let mut packages: Vec<Package> =
        files.par_iter().flat_map_iter(|file| read_file_packages(&root.canonical, file)).collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn read_file_packages(root: &Path, file: &RelPath) -> Vec<Package> {
    let (directory, name) = bytes::split(file.as_bytes());
    let names = MetadataFormat::from_file_name(name).zip(bytes::to_path(file.as_bytes())).and_then(|(format, path)| {
        let text = read_text(&root.join(path))
            .inspect_err(|error| tracing::debug!(file = %file.text(), %error, "package metadata skipped"))
            .ok()??;
        let mut names = format
            .names(&text)
            .inspect_err(|error| tracing::debug!(file = %file.text(), %error, "package metadata skipped"))
            .unwrap_or_default();
        names.extend(format.name_in_file_name(&String::from_utf8_lossy(name)));
        Some(names)
    });
    names
        .unwrap_or_default()
        .into_iter()
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty() && name.len() <= MAX_NAME_BYTES)
        .map(|name| Package { name, directory: RelPath::new(directory) })
        .collect()
}

/// Reads a file's text without byte order mark; `None` if it is empty or not a regular file any more.
fn read_text(path: &Path) -> io::Result<Option<String>> {
    // One system call rules out empty files, which are common, and links.
    let entry = path.symlink_metadata()?;
    if !entry.is_file() || entry.len() == 0 {
        return Ok(None);
    }
    let text = regular_file::read_to_string(path, MAX_METADATA_BYTES)?;
    Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)))
}
