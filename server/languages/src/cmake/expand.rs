//! Expands an argument to paths: `${CMAKE_CURRENT_SOURCE_DIR}/x` and the project's own variables.

use super::index::CmakeIndex;
use pathfinder_literals::Report;
use pathfinder_literals::path::{ancestors, is_dynamic, join, name};

/// A variable that refers to others more often than this refers to itself.
const MAX_EXPANSIONS: usize = 4;

/// With more candidates than this no verdict is possible.
const MAX_CANDIDATES: usize = 32;

/// The paths that an argument can stand for.
#[derive(Debug)]
pub(super) struct ExpandedArgument {
    /// Relative to the root; `None` if a path leads out of it.
    pub(super) paths: Vec<Option<String>>,
    /// The text after the variable.
    pub(super) rest: String,
    /// True if no other path is possible.
    pub(super) is_sure: bool,
}

/// Expands an argument without a variable, relative to the directory of the file.
pub(super) fn expand_plain(report: &Report<'_>, word: &str) -> ExpandedArgument {
    let is_sure = name(report.source.path()) == "CMakeLists.txt";
    let paths = working_directories(report).iter().map(|directory| join(directory, word)).collect();
    ExpandedArgument { paths, rest: word.to_owned(), is_sure }
}

/// The directories in which a file runs, likeliest first: that of the list that includes it, which is one around the file.
fn working_directories(report: &Report<'_>) -> Vec<String> {
    let directory = report.source.directory();
    let own = std::iter::once(directory.to_owned());
    if name(report.source.path()) == "CMakeLists.txt" {
        return own.collect();
    }
    let mut all: Vec<String> = lists_around(report, directory).into_iter().chain(own).collect();
    all.dedup();
    all
}

/// The directories with a list of the build, from this one up.
fn lists_around(report: &Report<'_>, directory: &str) -> Vec<String> {
    let has_list = |here: &&str| {
        let tree = report.project.tree();
        join(here, "CMakeLists.txt").is_some_and(|path| tree.kind(&path).is_some())
    };
    ancestors(directory).filter(has_list).map(str::to_owned).collect()
}

/// Expands an argument that begins with a variable. `None` if its value is unknown.
pub(super) fn expand_variable(report: &Report<'_>, word: &str) -> Option<ExpandedArgument> {
    expand(report, word, report.source.directory(), MAX_EXPANSIONS)
}

/// Expands a variable, following at most `depth` others.
fn expand(report: &Report<'_>, word: &str, directory: &str, depth: usize) -> Option<ExpandedArgument> {
    let depth = depth.checked_sub(1)?;
    let (variable, rest) = word.strip_prefix("${")?.split_once('}')?;
    if is_dynamic(rest)
        || rest.contains(['$', '@', '*', '<', '>', ';', '\\', '"', '['])
        || !(rest.is_empty() || rest.starts_with('/'))
    {
        return None;
    }
    let is_list = name(report.source.path()) == "CMakeLists.txt";
    let lists = || lists_around(report, directory);
    let index = report.project.index::<CmakeIndex>();
    // A project that is built from a subdirectory can set even `CMAKE_SOURCE_DIR`.
    let is_own = index.values(variable, directory).next().is_some();
    let (directories, is_sure): (Vec<Option<String>>, bool) = match if is_own { "" } else { variable } {
        "CMAKE_CURRENT_LIST_DIR" => (vec![Some(directory.to_owned())], true),
        "CMAKE_CURRENT_SOURCE_DIR" if directory == report.source.directory() => {
            (working_directories(report).into_iter().map(Some).collect(), is_list)
        }
        "CMAKE_CURRENT_SOURCE_DIR" => (vec![Some(directory.to_owned())], is_list),
        "CMAKE_SOURCE_DIR" | "PROJECT_SOURCE_DIR" | "CMAKE_HOME_DIRECTORY" => {
            (lists().into_iter().map(Some).collect(), true)
        }
        name if name.ends_with("_SOURCE_DIR") => {
            let all = index.projects(name.trim_end_matches("_SOURCE_DIR"));
            (all.iter().cloned().map(Some).collect(), true)
        }
        _ => {
            let (mut all, mut is_sure) = (Vec::new(), !index.is_computed(variable));
            for value in index.values(variable, directory) {
                // An unknown value can be any directory.
                let value = expand(report, &value.text, &value.directory, depth)?;
                is_sure &= value.is_sure;
                all.extend(value.paths);
            }
            if is_own && matches!(variable, "CMAKE_SOURCE_DIR" | "PROJECT_SOURCE_DIR") {
                // One of several projects sets it; the others keep the default.
                all.extend(lists().into_iter().map(Some));
                is_sure = false;
            }
            (all, is_sure)
        }
    };
    if directories.is_empty() || directories.len() > MAX_CANDIDATES {
        return None;
    }
    let paths = directories.into_iter().map(|directory| join(&directory?, rest)).collect();
    Some(ExpandedArgument { paths, rest: rest.to_owned(), is_sure })
}
