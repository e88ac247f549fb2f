//! Selects the files to check from what the command line names.

use std::io::{IsTerminal as _, Read as _};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pathfinder_check::{Options, own_files};
use pathfinder_literals::path::is_within;
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::replace::is_link;
use pathfinder_vfs::roots;

use crate::cli::output::print_warning;

/// Smallest number of files for a progress bar; fewer are done too soon to see it.
const MIN_PROGRESS_FILES: usize = 2000;

/// Largest text that is read from stdin; larger files are not checked on disk either.
const MAX_STDIN_BYTES: u64 = 4 << 20;

/// The files to check: all files of the root, or the given ones (relative to the current directory). A directory
/// stands for all files below it.
pub(in crate::cli) fn select_files(
    workspace: &WorkspaceSnapshot,
    root: &Path,
    paths: &[PathBuf],
    options: &Options,
) -> anyhow::Result<Vec<String>> {
    let mut all = own_files(workspace);
    if !paths.is_empty() {
        let given = paths.iter().filter_map(|path| relative_target(root, path).transpose());
        let given = given.collect::<anyhow::Result<Vec<String>>>()?;
        all.retain(|file| given.iter().any(|given| is_covered(given, file)));
        // An ignored file is checked if it is named.
        let named = given.into_iter().filter(|path| root.join(path).is_file());
        all.extend(named);
        all.sort_unstable();
        all.dedup();
    }
    all.retain(|file| options.wants(file));
    Ok(all)
}

/// The file or directory that a path from the command line leads to, relative to the root. `None`, after a warning, for a
/// link of the root that leads to nothing in it: tools such as pre-commit name all tracked files, and links are among them.
fn relative_target(root: &Path, path: &Path) -> anyhow::Result<Option<String>> {
    let there = dunce::canonicalize(path);
    let is_inside = there.as_ref().is_ok_and(|there| there.starts_with(root));
    if !is_inside && link_location(path).is_some_and(|link| link.starts_with(root)) {
        let reason = there.map_or_else(
            |error| format!("its target cannot be read: {error}"),
            |_| "it leads out of the root".to_owned(),
        );
        print_warning(&format!("the link {} is not checked: {reason}", path.display()));
        return Ok(None);
    }
    below(root, path, &there.with_context(|| format!("cannot read {}", path.display()))?).map(Some)
}

/// The location of a path from the command line, relative to the root. That of a link is its own, not its target's.
pub(super) fn relative_location(root: &Path, path: &Path) -> anyhow::Result<String> {
    let there = link_location(path).map_or_else(|| dunce::canonicalize(path), Ok);
    below(root, path, &there.with_context(|| format!("cannot read {}", path.display()))?)
}

/// The location of a path that is a link, also if it is written as a directory; `None` for all other paths.
fn link_location(path: &Path) -> Option<PathBuf> {
    let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let location = dunce::canonicalize(directory).ok()?.join(path.file_name()?);
    is_link(&location).then_some(location)
}

/// A path from the command line that need not exist, relative to the root.
pub(super) fn relative_path_to_be(root: &Path, path: &Path) -> anyhow::Result<String> {
    let full = dunce::canonicalize(roots::current_dir()?)?.join(path);
    // Its directory may be new as well; the part that exists decides where symbolic links lead.
    let is_there = |directory: &&Path| directory.symlink_metadata().is_ok();
    let known = full.ancestors().find(is_there).unwrap_or(root);
    let there = dunce::canonicalize(known).with_context(|| format!("cannot read {}", known.display()))?;
    let rest = full.strip_prefix(known).unwrap_or(Path::new(""));
    if rest.components().any(|part| !matches!(part, Component::Normal(_))) {
        bail!("{} leads through a directory that does not exist", path.display());
    }
    if rest.as_os_str().is_empty() && there.is_dir() {
        bail!("{} is a directory: name a file", path.display());
    }
    below(root, path, &if rest.as_os_str().is_empty() { there } else { there.join(rest) })
}

fn below(root: &Path, path: &Path, there: &Path) -> anyhow::Result<String> {
    let Ok(relative) = there.strip_prefix(root) else {
        bail!("{} is not below the root {}: give its root with --root", path.display(), root.display());
    };
    let text = relative.to_str().with_context(|| format!("{} is not UTF-8", path.display()))?;
    Ok(text.replace(std::path::MAIN_SEPARATOR, "/"))
}

fn is_covered(given: &str, file: &str) -> bool {
    given.is_empty() || is_within(file, given)
}

/// The text on stdin.
pub(super) fn read_stdin() -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    std::io::stdin().lock().take(MAX_STDIN_BYTES + 1).read_to_end(&mut text).context("cannot read stdin")?;
    anyhow::ensure!(text.len() as u64 <= MAX_STDIN_BYTES, "stdin has more than {MAX_STDIN_BYTES} bytes");
    Ok(text)
}

/// A bar for so many files; hidden outside of a terminal.
pub(in crate::cli) fn progress_bar(files: usize) -> ProgressBar {
    if files < MIN_PROGRESS_FILES || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
