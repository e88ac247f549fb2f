//! A file's contents replaced as a whole, or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Why a file was left as it is.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplaceError {
    /// It is not what it was when it was read.
    #[error("it was changed meanwhile; run the command again")]
    Changed,
    /// It, or what a link leads to, is not there any more.
    #[error("it is gone")]
    Gone,
    /// A link leads out of the root.
    #[error("it is a link that leads out of the root")]
    Outside,
    /// Nobody may write to it.
    #[error("it is read-only")]
    ReadOnly,
    /// The disk said no; the file is as it was.
    #[error("it could not be written: {0}")]
    Io(#[from] io::Error),
}

/// Makes an empty file where nothing is, with the directories that it needs.
///
/// # Errors
/// When something is there, or the disk says no.
pub(crate) fn create(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    File::create_new(path).map(drop)
}

/// Puts `after` in the place of `before` in a file below `root` (canonical). A link stays one: what it leads to is
/// replaced. The file keeps its mode and, where that is allowed, its owner.
///
/// The new contents are written beside the file and renamed into its place, so that whoever reads sees one or the other,
/// and a full disk costs nothing.
///
/// # Errors
/// When the file was left as it is.
pub(crate) fn replace(root: &Path, path: &str, before: &[u8], after: &[u8]) -> Result<(), ReplaceError> {
    let target = dunce::canonicalize(root.join(path)).map_err(gone)?;
    if !target.starts_with(root) {
        return Err(ReplaceError::Outside);
    }
    let metadata = fs::metadata(&target).map_err(gone)?;
    if metadata.permissions().readonly() {
        return Err(ReplaceError::ReadOnly);
    }
    // A rename asks only for the directory's permission; that of the file counts as well.
    match OpenOptions::new().write(true).open(&target) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Err(ReplaceError::ReadOnly),
        opened => drop(opened?),
    }
    let directory = target.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let mut file = tempfile::Builder::new().prefix(".pathfinder-").tempfile_in(directory)?;
    file.write_all(after)?;
    keep(file.as_file(), &metadata)?;
    file.as_file().sync_all()?;
    if fs::read(&target).map_err(gone)? != before {
        return Err(ReplaceError::Changed);
    }
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// The new file is what the old one was.
fn keep(file: &File, metadata: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let now = file.metadata()?;
        if (now.uid(), now.gid()) != (metadata.uid(), metadata.gid()) {
            // Only the superuser may give a file away; anybody else's stays their own.
            let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
        }
    }
    file.set_permissions(metadata.permissions())
}

fn gone(error: io::Error) -> ReplaceError {
    match error.kind() {
        io::ErrorKind::NotFound => ReplaceError::Gone,
        _ => ReplaceError::Io(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[track_caller]
    fn check(prepare: impl FnOnce(&Path), expect: &str, contents: &str) {
        let directory = tempfile::tempdir().expect("a directory");
        let root = dunce::canonicalize(directory.path()).expect("a path");
        fs::write(root.join("a.md"), "old").expect("a file");
        prepare(&root);
        let result = replace(&root, "a.md", b"old", b"new");
        assert_eq!(result.map_or_else(|error| error.to_string(), |()| "replaced".to_owned()), expect);
        assert_eq!(fs::read_to_string(root.join("a.md")).unwrap_or_default(), contents);
        let left = fs::read_dir(&root).expect("a directory").filter_map(Result::ok);
        let left = left.filter(|entry| entry.file_name().to_string_lossy().starts_with(".pathfinder-"));
        assert_eq!(left.count(), 0, "nothing is left beside it");
    }

    #[test]
    fn all_or_nothing() {
        check(|_| (), "replaced", "new");
        check(
            |root| fs::write(root.join("a.md"), "other").expect("written"),
            "it was changed meanwhile; run the command again",
            "other",
        );
        check(|root| fs::remove_file(root.join("a.md")).expect("removed"), "it is gone", "");
        let mode = |root: &Path, mode| fs::set_permissions(root.join("a.md"), fs::Permissions::from_mode(mode));
        check(|root| mode(root, 0o444).expect("a mode"), "it is read-only", "old");
    }

    #[test]
    fn links_and_modes_stay() {
        let directory = tempfile::tempdir().expect("a directory");
        let root = dunce::canonicalize(directory.path()).expect("a path");
        fs::create_dir(root.join("real")).expect("a directory");
        fs::write(root.join("real/a.sh"), "old").expect("a file");
        fs::set_permissions(root.join("real/a.sh"), fs::Permissions::from_mode(0o750)).expect("a mode");
        std::os::unix::fs::symlink("real/a.sh", root.join("a.sh")).expect("a link");
        replace(&root, "a.sh", b"old", b"new").expect("replaced");
        assert!(fs::symlink_metadata(root.join("a.sh")).expect("there").is_symlink());
        assert_eq!(fs::read_to_string(root.join("real/a.sh")).expect("there"), "new");
        let mode = fs::metadata(root.join("real/a.sh")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o750);
        let outside = tempfile::NamedTempFile::new().expect("a file");
        std::os::unix::fs::symlink(outside.path(), root.join("out.md")).expect("a link");
        assert!(matches!(replace(&root, "out.md", b"", b"new"), Err(ReplaceError::Outside)));
    }
}
