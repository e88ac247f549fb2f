//! The checks of `pathfinder doctor`: each finds problems and says how to solve them.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use pathfinder_project::settings::Settings;
use pathfinder_project::similarity::ModelConfig;
use pathfinder_project::snapshot::LoadedRoot;
use pathfinder_rerank::ModelError;
use pathfinder_vfs::watch::{self, Watch};

/// A slower walk delays every start. A tree of 100,000 files on a local disk takes well under a second, so the cause
/// is a network mount, or a root with far more than one project.
const SLOW_WALK: Duration = Duration::from_secs(5);

/// Characters of an example path: two lines of a terminal.
const MAX_EXAMPLE_CHARS: usize = 160;

/// A problem that needs action.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Problem {
    /// Stable name of the problem.
    pub(super) code: &'static str,
    /// The problem in a sentence.
    pub(super) message: String,
    /// The action that solves it, in a sentence.
    pub(super) remedy: String,
}

impl Problem {
    /// A problem with its remedy.
    pub(super) fn new(code: &'static str, message: String, remedy: &str) -> Self {
        Self { code, message, remedy: remedy.to_owned() }
    }
}

/// Checks an indexed root with this number of paths.
pub(super) fn check_root(opened: &LoadedRoot, paths: usize, problems: &mut Vec<Problem>) {
    let name = &opened.root.given;
    let home = std::env::home_dir().and_then(|home| dunce::canonicalize(home).ok());
    if opened.root.canonical.parent().is_none() {
        let message = format!("the root {name} is the whole file system");
        problems.push(Problem::new("root-too-wide", message, "Give the project's directory with --root."));
    } else if home.is_some_and(|home| home == opened.root.canonical) {
        let message = format!("the root {name} is your home directory");
        problems.push(Problem::new("root-too-wide", message, "Give the project's directory with --root."));
    }
    if paths == 0 {
        let message = format!("the root {name} has no files");
        let remedy = "Check the directory; index ignored directories with --include-dirs.";
        problems.push(Problem::new("root-empty", message, remedy));
    }
    let unreadable = &opened.listing.unreadable;
    let count = unreadable.count - unreadable.too_long.min(unreadable.count);
    let examples: Vec<_> = unreadable.examples.iter().take(3).map(|path| shorten(&path.text())).collect();
    if unreadable.too_long > 0 {
        let count = unreadable.too_long;
        let message = format!(
            "{count} directories in {name} are not indexed: their paths are too long for the system, such as {}",
            examples.join(", ")
        );
        let remedy =
            "Shorten the names above them, or add them to .gitignore. Files in them are neither found nor checked.";
        problems.push(Problem::new("path-too-long", message, remedy));
    }
    if count > 0 {
        let message = format!("{count} directories in {name} cannot be read, such as {}", examples.join(", "));
        let remedy = "Change their permissions, or add them to .gitignore. Files in them are not found.";
        problems.push(Problem::new("unreadable", message, remedy));
    }
    if opened.listing.read > SLOW_WALK {
        let message = format!("reading {name} took {:.1} s", opened.listing.read.as_secs_f64());
        let remedy = "Use a smaller root, add generated files to .gitignore, or move it to a local disk.";
        problems.push(Problem::new("slow-walk", message, remedy));
    }
}

/// Shortens a long path in the middle.
fn shorten(path: &str) -> String {
    let characters = path.chars().count();
    if characters <= MAX_EXAMPLE_CHARS {
        return path.to_owned();
    }
    let half = MAX_EXAMPLE_CHARS / 2;
    let (start, end) = (path.chars().take(half), path.chars().skip(characters - half));
    start.chain("…".chars()).chain(end).collect()
}

/// The top of the git worktree around a directory.
pub(super) fn find_worktree(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|place| place.join(".git").exists())
}

/// Describes how changes below these roots (canonical) are noticed; reports a problem if they are not watched.
pub(super) fn check_watches(roots: &[&Path], directories: usize, problems: &mut Vec<Problem>) -> String {
    let watchman = || Watch::start(|_| ()).and_then(|watch| watch.ask_watchman(roots));
    if let Some(by) = watch::prefers_watchman(directories).then(watchman).and_then(Result::ok) {
        return format!("{by}, {directories} directories");
    }
    let remedy = "Raise fs.inotify.max_user_watches (or max_user_instances) with sysctl, or use a smaller root. Until then \
                  servers notice changes some seconds late.";
    // Tries to watch one directory, since other processes may have taken all watches.
    let tried = watch::check_limit(directories).and_then(|()| Watch::start(|_| ()).map(drop));
    match tried {
        Ok(()) => match watch::limit() {
            Some(limit) => format!("{directories} directories; the system allows {limit}"),
            None => format!("{directories} directories"),
        },
        Err(reason) => {
            problems.push(Problem::new("too-few-watches", reason, remedy));
            "by the times of directories".to_owned()
        }
    }
}

/// Describes the model; reports a problem if it cannot be used.
pub(super) fn check_model(settings: Option<&Settings>, problems: &mut Vec<Problem>) -> String {
    let Some(choice) = settings.and_then(ModelConfig::from_settings) else {
        return "none; the order is by names and history".to_owned();
    };
    match choice.open() {
        Ok(model) => {
            let facts = model.facts();
            let version = facts.configuration.version.as_deref().map_or(String::new(), |version| format!(" {version}"));
            format!("{}{version}, {} on {}", facts.name, facts.precision.name(), pathfinder_rerank::RUNTIME)
        }
        Err(error) => {
            let (code, remedy) = if matches!(error, ModelError::Library { .. }) {
                (
                    "library-unusable",
                    "Until then names and history decide the order; `--rerank off` says that this is meant.",
                )
            } else {
                let remedy =
                    "Run `pathfinder model info DIR` for details. Until then names and history decide the order.";
                ("model-unusable", remedy)
            };
            problems.push(Problem::new(code, error.to_string(), remedy));
            "cannot be used; the order is by names and history".to_owned()
        }
    }
}

/// Checks that the cache directory can be written. Leaves nothing behind.
pub(super) fn check_cache(directory: Option<&Path>, problems: &mut Vec<Problem>) {
    let remedy = "Give a writable directory with --cache-dir or PATHFINDER_CACHE_DIR.";
    let Some(directory) = directory else {
        let message = "there is no cache directory: neither HOME nor --cache-dir is set".to_owned();
        problems.push(Problem::new("cache-unusable", message, remedy));
        return;
    };
    if let Err(error) = check_writable(directory) {
        let message = format!("the cache directory {} cannot be written: {error}", directory.display());
        problems.push(Problem::new("cache-unusable", message, remedy));
    }
}

/// Tries the directory itself, or the nearest existing one above it.
fn check_writable(directory: &Path) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let directory = here.join(directory);
    for place in directory.ancestors() {
        match fs::metadata(place) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(found) if !found.is_dir() => return Err(io::Error::from(ErrorKind::NotADirectory)),
            Ok(_) => {
                let probe = place.join(format!(".pathfinder-doctor-{}", std::process::id()));
                OpenOptions::new().write(true).create_new(true).open(&probe)?;
                return fs::remove_file(probe);
            }
        }
    }
    Err(io::Error::from(ErrorKind::NotFound))
}

#[cfg(test)]
mod tests {
    use super::{check_cache, check_writable};

    #[test]
    fn accepts_a_cache_that_can_be_created_without_creating_it() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("a/b");
        check_writable(&directory).unwrap();
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn reports_a_cache_below_a_file() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("file"), "").unwrap();
        for directory in [Some(place.path().join("file/b")), Some(place.path().join("file")), None] {
            let mut problems = Vec::new();
            check_cache(directory.as_deref(), &mut problems);
            assert_eq!(problems.len(), 1, "{directory:?}");
            assert_eq!(problems[0].code, "cache-unusable");
        }
    }
}
