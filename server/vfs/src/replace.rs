//! Creates files and replaces their contents atomically. Called by fixes and by the installer of hooks.

#[cfg(unix)]
mod dir_handle;

use std::io;
use std::path::{Path, PathBuf};

/// Reasons why a file was not replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceError {
    /// Its contents changed since they were read.
    #[error("it was changed meanwhile; run the command again")]
    Changed,
    /// It, or a link's target, does not exist any more.
    #[error("it is gone")]
    Gone,
    /// A link leads out of the root.
    #[error("it is a link that leads out of the root")]
    Outside,
    /// It is read-only.
    #[error("it is read-only")]
    ReadOnly,
    /// The system refused; the file is unchanged.
    #[error("it could not be written: {0}")]
    Io(#[from] io::Error),
}

/// Creates a file with these contents and its missing parent directories below `base` (canonical). Links are not
/// followed.
///
/// # Errors
/// If the path exists, leads through a link, or the system refuses.
pub fn create(base: &Path, path: &Path, contents: &[u8]) -> io::Result<()> {
    create_with_mode(base, path, contents, 0o666)
}

/// Creates a file as [`create`] does, which can be run.
///
/// # Errors
/// As [`create`].
pub fn create_executable(base: &Path, path: &Path, contents: &[u8]) -> io::Result<()> {
    create_with_mode(base, path, contents, 0o777)
}

#[cfg_attr(not(unix), expect(unused_variables, reason = "Windows has no modes"))]
fn create_with_mode(base: &Path, path: &Path, contents: &[u8], mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::io::Write as _;
        let (directory, name) = dir_handle::DirHandle::open(base)?.parent_of(path, true)?;
        directory.create(&name, mode)?.write_all(contents)
    }
    #[cfg(not(unix))]
    {
        use std::io::Write as _;
        let path = base.join(path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::File::create_new(path)?.write_all(contents)
    }
}

/// Returns the nearest existing directory (canonical) above a file, and the rest of the file's path.
///
/// # Errors
/// If no directory above it exists.
pub fn nearest_directory(file: &Path) -> io::Result<(PathBuf, PathBuf)> {
    let there = file.ancestors().skip(1).find_map(|above| Some((dunce::canonicalize(above).ok()?, above)));
    let (base, above) = there.ok_or(io::ErrorKind::NotFound)?;
    let rest = file.strip_prefix(above).map_err(io::Error::other)?;
    Ok((base, rest.to_path_buf()))
}

/// Returns whether a path is a symbolic link.
pub fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink())
}

/// Removes a file that still has the contents `before`. Of a link, only the link is removed.
///
/// # Errors
/// If its contents are others, or it cannot be removed.
pub fn remove(file: &Path, before: &[u8]) -> Result<(), ReplaceError> {
    let there = super::regular_file::read(file, before.len() as u64).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => ReplaceError::Changed,
        _ => to_replace_error(error),
    })?;
    if there != before {
        return Err(ReplaceError::Changed);
    }
    std::fs::remove_file(file).map_err(to_replace_error)
}

/// Replaces `before` by `after` in a file below `root` (canonical). A link stays a link and its target is replaced. The
/// file keeps its mode and, if permitted, its owner.
///
/// The new contents are written to a temporary file, which is renamed over the old one. Readers see one or the other,
/// and a full disk leaves the old file. On Unix all of this happens below open directories, none of them opened through
/// a link. A directory that is swapped for a link meanwhile cannot lead out of the root. On Windows, where creating
/// links needs a privilege, paths are used.
///
/// # Errors
/// If the file was not replaced.
pub fn replace(root: &Path, path: impl AsRef<Path>, before: &[u8], after: &[u8]) -> Result<(), ReplaceError> {
    let target = dunce::canonicalize(root.join(path)).map_err(to_replace_error)?;
    let inside = target.strip_prefix(root).map_err(|_| ReplaceError::Outside)?;
    replace_below(root, inside, before, after)
}

/// Writes `contents` to a file called `name` beside `file`, with the mode of `file`. Replaces an existing entry of that
/// name without following it.
///
/// # Errors
/// If the copy was not written.
pub fn copy_beside(file: &Path, name: &std::ffi::OsStr, contents: &[u8]) -> io::Result<()> {
    let real = dunce::canonicalize(file)?;
    #[cfg(unix)]
    {
        let own = real.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let like = dir_handle::DirHandle::open(real.parent().unwrap_or(Path::new("/")))?.metadata(own)?;
        let directory = dir_handle::DirHandle::open(&dunce::canonicalize(file.parent().unwrap_or(Path::new(".")))?)?;
        let mut new = directory.create_beside()?;
        new.write(contents, &like)?;
        new.replace(name)
    }
    #[cfg(not(unix))]
    {
        let (directory, like) = (file.parent().unwrap_or(Path::new(".")), std::fs::metadata(real)?);
        let mut new = tempfile::Builder::new().prefix(".pathfinder-").tempfile_in(directory)?;
        std::io::Write::write_all(&mut new, contents)?;
        new.as_file().set_permissions(like.permissions())?;
        new.persist(directory.join(name)).map_err(|error| error.error).map(drop)
    }
}

#[cfg(unix)]
fn replace_below(root: &Path, inside: &Path, before: &[u8], after: &[u8]) -> Result<(), ReplaceError> {
    let (directory, name) =
        dir_handle::DirHandle::open(root).and_then(|it| it.parent_of(inside, false)).map_err(to_replace_error)?;
    let metadata = directory.metadata(&name).map_err(to_replace_error)?;
    if metadata.permissions().readonly() {
        return Err(ReplaceError::ReadOnly);
    }
    // A rename needs only the directory's permission; the file's own permission must count as well.
    directory.try_writing(&name).map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => ReplaceError::ReadOnly,
        _ => to_replace_error(error),
    })?;
    let mut new = directory.create_beside()?;
    new.write(after, &metadata)?;
    if directory.read(&name, before.len()).map_err(to_replace_error)? != before {
        return Err(ReplaceError::Changed);
    }
    new.replace(&name)?;
    Ok(())
}

#[cfg(not(unix))]
fn replace_below(root: &Path, inside: &Path, before: &[u8], after: &[u8]) -> Result<(), ReplaceError> {
    use std::io::Write as _;
    let target = root.join(inside);
    let metadata = std::fs::metadata(&target).map_err(to_replace_error)?;
    if metadata.permissions().readonly() {
        return Err(ReplaceError::ReadOnly);
    }
    let directory = target.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    let mut file = tempfile::Builder::new().prefix(".pathfinder-").tempfile_in(directory)?;
    file.write_all(after)?;
    file.as_file().set_permissions(metadata.permissions())?;
    file.as_file().sync_all()?;
    let there = super::regular_file::read(&target, before.len() as u64).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => ReplaceError::Changed,
        _ => to_replace_error(error),
    })?;
    if there != before {
        return Err(ReplaceError::Changed);
    }
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

fn to_replace_error(error: io::Error) -> ReplaceError {
    match error.kind() {
        io::ErrorKind::NotFound => ReplaceError::Gone,
        // A link or a file has replaced a directory since the path was resolved.
        #[cfg(unix)]
        _ if matches!(error.raw_os_error(), Some(libc::ELOOP | libc::ENOTDIR)) => ReplaceError::Changed,
        _ => ReplaceError::Io(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::atomic::{AtomicBool, Ordering};

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
    fn replaces_fully_or_not_at_all() {
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
    fn removes_only_what_was_read() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("a.md");
        for there in ["other", "longer than before"] {
            fs::write(&file, there).expect("a file");
            assert!(matches!(remove(&file, b"after"), Err(ReplaceError::Changed)), "{there}");
            assert_eq!(fs::read_to_string(&file).expect("there"), there);
        }
        fs::write(&file, "after").expect("a file");
        remove(&file, b"after").expect("removed");
        assert!(matches!(remove(&file, b"after"), Err(ReplaceError::Gone)));
    }

    #[test]
    fn keeps_links_and_modes() {
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

    /// A directory becomes a link after the path was resolved.
    #[test]
    fn refuses_a_directory_that_became_a_link() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = dunce::canonicalize(directory.path()).expect("a path");
        let (root, outside) = (place.join("root"), place.join("outside"));
        fs::create_dir_all(root.join("a")).expect("directories");
        fs::create_dir(&outside).expect("a directory");
        fs::write(outside.join("f.md"), "old").expect("a file");
        fs::remove_dir(root.join("a")).expect("removed");
        std::os::unix::fs::symlink(&outside, root.join("a")).expect("a link");
        let replaced = replace_below(&root, Path::new("a/f.md"), b"old", b"new");
        assert!(matches!(replaced, Err(ReplaceError::Changed)), "{replaced:?}");
        assert!(create(&root, Path::new("a/new.md"), b"new").is_err());
        std::os::unix::fs::symlink(outside.join("dangling.md"), root.join("link.md")).expect("a link");
        assert!(create(&root, Path::new("link.md"), b"new").is_err());
        assert!(create(&root, Path::new("../outside/new.md"), b"new").is_err());
        let there: Vec<_> = fs::read_dir(&outside).expect("a directory").filter_map(Result::ok).collect();
        assert_eq!((there.len(), fs::read_to_string(outside.join("f.md")).expect("there").as_str()), (1, "old"));
    }

    /// Another thread keeps swapping the directory for a link out of the root.
    #[test]
    fn never_writes_outside_during_a_race() {
        let directory = tempfile::tempdir().expect("a directory");
        let place = dunce::canonicalize(directory.path()).expect("a path");
        let (root, outside) = (place.join("root"), place.join("outside"));
        for at in [root.join("a"), outside.clone()] {
            fs::create_dir_all(&at).expect("directories");
            fs::write(at.join("f.md"), "old").expect("a file");
        }
        std::os::unix::fs::symlink(&outside, root.join("link")).expect("a link");
        let ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    _ = fs::rename(root.join("a"), root.join("b"));
                    _ = fs::rename(root.join("link"), root.join("a"));
                    _ = fs::rename(root.join("a"), root.join("link"));
                    _ = fs::rename(root.join("b"), root.join("a"));
                }
            });
            for _ in 0..ROUNDS {
                if replace(&root, "a/f.md", b"old", b"new").is_ok() {
                    _ = replace(&root, "a/f.md", b"new", b"old");
                }
                assert_eq!(fs::read_to_string(outside.join("f.md")).expect("there"), "old");
            }
            ended.store(true, Ordering::Relaxed);
        });
    }

    /// Rounds of the race: an implementation by paths mostly loses it long before the last one.
    const ROUNDS: usize = 3000;
}
