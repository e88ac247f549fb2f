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
    let directory = report.source.directory();
    // An included file runs in the directory that includes it.
    let is_sure = name(report.source.path()) == "CMakeLists.txt";
    ExpandedArgument { paths: vec![join(directory, word)], rest: word.to_owned(), is_sure }
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
    let tree = report.project.tree();
    let lists = || {
        let all = ancestors(directory)
            .filter(|here| join(here, "CMakeLists.txt").is_some_and(|path| tree.kind(&path).is_some()));
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let index = report.project.index::<CmakeIndex>();
    // A project that is built from a subdirectory can set even `CMAKE_SOURCE_DIR`.
    let is_own = !index.values(variable).is_empty();
    let (directories, is_sure): (Vec<Option<String>>, bool) = match if is_own { "" } else { variable } {
        "CMAKE_CURRENT_LIST_DIR" => (vec![Some(directory.to_owned())], true),
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
            for (value, from) in index.values(variable) {
                // An unknown value can be any directory.
                let value = expand(report, value, from, depth)?;
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
