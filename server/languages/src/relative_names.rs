//! Strings that name, from the directory of their program and without its ending, a file that a recent commit moved: `load("../lib/view")`.
//!
//! Languages name modules so, and what replaces modules in tests. The steps from the program say that the string is a path, and git says of
//! which file. No rule for the call is needed.

use std::ops::Range;

use pathfinder_literals::path::{count_names, extension, join, strip_parent_steps};
use pathfinder_literals::{Lookup, Missing, Project, ProjectIndex, Resolution, Severity, Source, Verdict, Want};
use rustc_hash::FxHashMap;

use crate::moved_strings::{MAX_STRINGS, find_quoted};
use crate::path_words;

/// Names of a whole path behind steps that lead out of the tree. One alone is the end of many.
const MIN_WHOLE_NAMES: usize = 2;

/// The recent moves of files, by their paths without the ending.
pub(crate) struct RelativeNames {
    /// Earlier paths.
    earlier: FxHashMap<String, String>,
    /// Later paths.
    later: FxHashMap<String, String>,
}

impl ProjectIndex for RelativeNames {
    fn build(project: &Project) -> Self {
        let (mut earlier, mut later) = (FxHashMap::default(), FxHashMap::default());
        for (from, moved) in project.tree().recent_moves() {
            later.insert(without_ending(&moved.to).to_owned(), moved.to);
            earlier.insert(without_ending(&from).to_owned(), from);
        }
        Self { earlier, later }
    }
}

impl RelativeNames {
    /// Returns the strings that name, or named, a moved file, with the verdicts on them.
    pub(crate) fn find(&self, source: &Source<'_>, project: &Project) -> Vec<(Range<usize>, Resolution)> {
        let text = source.text();
        let is_relative = |range: &Range<usize>| {
            let word = &text[range.clone()];
            word.starts_with("./") || word.starts_with("../")
        };
        let strings = if self.earlier.is_empty() { None } else { Some(find_quoted(text, b'/')) };
        let strings = strings.into_iter().flatten().filter(is_relative).take(MAX_STRINGS);
        strings.filter_map(|range| Some((range.clone(), self.resolve(source, project, &range)?))).collect()
    }

    /// Returns the verdict on the string in this range.
    fn resolve(&self, source: &Source<'_>, project: &Project, string: &Range<usize>) -> Option<Resolution> {
        let literal = &source.text()[string.clone()];
        let look_up = |path: &str| Lookup::new(project, Want::File).verdict(Severity::Warning, [Some(path.to_owned())]);
        let from_file = join(source.directory(), literal);
        let is_there = |path: &str| project.tree().kind(path).is_some() || project.find_with_extension(path).is_some();
        // Steps that lead nowhere are those of another directory; the names after them can be a whole path.
        let tail = strip_parent_steps(literal).filter(|tail| count_names(tail) >= MIN_WHOLE_NAMES);
        let whole = tail.filter(|_| literal.starts_with("../"));
        let paths = [from_file, whole];
        let mut paths = paths.iter().flatten();
        if let Some(there) = paths.clone().find(|path| is_there(path)) {
            return self.later.get(there).map(|path| look_up(path));
        }
        let from = paths.find_map(|path| self.earlier.get(path))?;
        let (verdict, tried) = look_up(from);
        let Verdict::Missing(Missing { instead: Some(to), .. }) = &verdict else { return None };
        let tree = project.tree();
        let is_told = extension(from) == extension(to)
            && !path_words::is_record(source, string, to)
            && tree.had_text_at_origin(source.path(), from, literal) != Some(false)
            && !tree.was_left_at_move(source.path(), from, literal);
        is_told.then_some((verdict, tried))
    }
}

/// A path without what follows the last dot of its name.
fn without_ending(path: &str) -> &str {
    let ending = extension(path).len();
    if ending == 0 { path } else { path[..path.len() - ending].trim_end_matches('.') }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn follows_names_without_an_ending() {
        let tree = "lib/new/view.js\nlib/same.js\nexternal/migrate-2/migrate.js\nmoved lib/view.js lib/new/view.js\n\
                    moved external/migrate-1/migrate.js external/migrate-2/migrate.js\nmoved lib/same.ts lib/new/same.ts";
        let check = |text: &str, rows: &str| check(tree, "test/x.coffee", text, rows);
        check("v = proxyquire '../lib/view', {}\n", "code.name ../lib/view → moved");
        check("v = load '../lib/new/view'\n", "code.name ../lib/new/view → lib/new/view.js");
        check("'../../../external/migrate-1/migrate'\n", "code.name ../../../external/migrate-1/migrate → moved");
        // A file of another ending, a name that no step makes a path, and a record of the move.
        check("'../lib/same'\n", "");
        check("'lib/view'\n", "");
        check("'../lib/view': '../lib/new/view'\n", "code.name ../lib/new/view → lib/new/view.js");
    }
}
