//! Checks ignore files before the `ignore` crate opens them, because it would block on a pipe or read a device for
//! ever.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ignore::gitignore::GitignoreBuilder;

use super::super::git::{DOT_GIT, MAX_IGNORE_FILE_BYTES, MAX_POINTER_BYTES};
use super::super::regular_file;

/// Names of the ignore files that a walk obeys; of one directory, later ones take precedence.
pub(crate) const IGNORE_FILE_NAMES: [&str; 2] = [GITIGNORE, IGNORE];

/// Name of git's ignore file.
pub(super) const GITIGNORE: &str = ".gitignore";

/// Name of the ignore file that only searching programs read.
pub(super) const IGNORE: &str = ".ignore";

/// Returns the name of an ignore file in a directory that must not be opened, if there is one.
pub(super) fn find_unusable(directory: &Path) -> Option<&'static str> {
    IGNORE_FILE_NAMES.into_iter().find(|name| is_unusable(&directory.join(name), MAX_IGNORE_FILE_BYTES))
}

/// Returns whether `ignore` must not enter a directory below the root, because it would open a file there that may
/// never end.
pub(super) fn blocks_walk(directory: &Path) -> bool {
    find_unusable(directory).is_some() || has_unusable_exclude(directory)
}

/// Returns whether a repository's private ignore file, or a file that leads to it, must not be opened. `directory` is
/// the top of the worktree; without a repository the result is false.
pub(super) fn has_unusable_exclude(directory: &Path) -> bool {
    match find_private_rules(directory) {
        Ok(Some(exclude)) => is_unusable(&exclude, MAX_IGNORE_FILE_BYTES),
        Ok(None) => false,
        Err(()) => true,
    }
}

/// Returns the path of a repository's private ignore file, which need not exist; `None` without a repository in
/// `directory`.
pub(super) fn private_rules(directory: &Path) -> Option<PathBuf> {
    find_private_rules(directory).ok().flatten()
}

/// Implements [`private_rules`] by the steps of `ignore`, which resolves relative paths against the current directory.
/// Fails if a file that leads to it cannot be read.
fn find_private_rules(directory: &Path) -> Result<Option<PathBuf>, ()> {
    let dot_git = directory.join(DOT_GIT);
    let Ok(metadata) = fs::metadata(&dot_git) else { return Ok(None) };
    if metadata.is_dir() {
        return Ok(Some(exclude_path(&dot_git)));
    }
    if !metadata.is_file() {
        // `ignore` does not open it.
        return Ok(None);
    }
    let text = regular_file::read(&dot_git, MAX_POINTER_BYTES).map_err(drop)?;
    let Some(own) = first_line(&text).and_then(|line| line.strip_prefix("gitdir: ").map(PathBuf::from)) else {
        return Ok(None);
    };
    let common = match regular_file::read(&own.join("commondir"), MAX_POINTER_BYTES) {
        Ok(text) => {
            first_line(&text).map(|line| if line.starts_with('.') { own.join(line) } else { PathBuf::from(line) })
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => None,
        Err(_) => return Err(()),
    };
    Ok(common.map(|common| exclude_path(&common)))
}

/// Adds the rules of a file if it is regular and not too large. To git, braces are plain signs: only `.ignore` can have alternatives.
pub(crate) fn add_file(builder: &mut GitignoreBuilder, file: &Path) {
    let text = match regular_file::read(file, MAX_IGNORE_FILE_BYTES) {
        Ok(text) => text,
        Err(error) => return tracing::debug!(?file, %error, "ignore file skipped"),
    };
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&text);
    let has_alternatives = file.file_name().is_some_and(|name| name == IGNORE);
    for line in text.split(|&byte| byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let plain = |line: &str| if has_alternatives { line.to_owned() } else { without_alternatives(line) };
        // A malformed line does not affect the others, as in git.
        let added =
            std::str::from_utf8(line).map(|line| builder.add_line(Some(file.to_path_buf()), &plain(line)).map(drop));
        if !matches!(added, Ok(Ok(()))) {
            tracing::debug!(?file, "ignore file is partly invalid");
        }
    }
}

/// A rule in which no brace has a meaning: a set of one sign, unless it is escaped or in a set already. `ignore` and `globset`, which read
/// the rules, have no option for it.
fn without_alternatives(rule: &str) -> String {
    let mut out = String::with_capacity(rule.len());
    let (mut is_escaped, mut is_in_set) = (false, false);
    for sign in rule.chars() {
        let is_plain = !is_escaped;
        is_escaped = is_plain && sign == '\\';
        match sign {
            '{' | '}' if is_plain && !is_in_set => {
                out.extend(['[', sign, ']']);
                continue;
            }
            '[' if is_plain => is_in_set = true,
            ']' if is_plain => is_in_set = false,
            _ => {}
        }
        out.push(sign);
    }
    out
}

/// Returns whether an entry exists and is neither a directory nor a regular file of at most `max_bytes`. Links are
/// followed, because shared rules may be linked, and only their effect is visible.
fn is_unusable(path: &Path, max_bytes: u64) -> bool {
    fs::metadata(path).is_ok_and(|entry| !entry.is_dir() && regular_file::check(&entry, max_bytes).is_err())
}

fn exclude_path(git_directory: &Path) -> PathBuf {
    git_directory.join("info").join("exclude")
}

fn first_line(text: &[u8]) -> Option<&str> {
    std::str::from_utf8(text.split(|&byte| byte == b'\n').next()?).ok().filter(|line| !line.is_empty())
}
