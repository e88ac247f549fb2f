//! What a word comes to: `${CMAKE_CURRENT_SOURCE_DIR}/x` and the project's own variables.

use super::index::CmakeIndex;
use crate::language::html::site::ancestors;
use crate::path::{is_dynamic, join, name};
use crate::report::Report;

/// How often a variable may lead to another one: more is a circle.
const MAX_EXPANSIONS: usize = 4;

/// More candidates than this say nothing.
const MAX_CANDIDATES: usize = 32;

/// The paths that a word can stand for.
#[derive(Debug)]
pub(super) struct ExpandedArgument {
    /// Relative to the root; `None` leads out of it.
    pub(super) paths: Vec<Option<String>>,
    /// What is written behind the variable.
    pub(super) rest: String,
    /// These are all: nothing else can be meant.
    pub(super) is_sure: bool,
}

/// A word without a variable, as seen from the directory of its file.
pub(super) fn expand_plain(report: &Report<'_>, word: &str) -> ExpandedArgument {
    let directory = report.source.directory();
    // What is included runs where it is included.
    let is_sure = name(report.source.path()) == "CMakeLists.txt";
    ExpandedArgument { paths: vec![join(directory, word)], rest: word.to_owned(), is_sure }
}

/// A word of which a variable is the head. `None` if what it comes to cannot be known.
pub(super) fn expand_variable(report: &Report<'_>, word: &str) -> Option<ExpandedArgument> {
    expand(report, word, report.source.directory(), MAX_EXPANSIONS)
}

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
    let index = report.project.fact::<CmakeIndex>();
    // A project that is built from a subdirectory sets even `CMAKE_SOURCE_DIR`.
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
            let (mut all, mut is_sure) = (Vec::new(), true);
            for (value, from) in index.values(variable) {
                // A value that is not known may be any directory.
                let value = expand(report, value, from, depth)?;
                is_sure &= value.is_sure;
                all.extend(value.paths);
            }
            if is_own && matches!(variable, "CMAKE_SOURCE_DIR" | "PROJECT_SOURCE_DIR") {
                // Set by one of several projects, and not for the others.
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
