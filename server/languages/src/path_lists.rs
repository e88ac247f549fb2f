//! Checks text files that list paths, one in a line: a manifest of what a package has, a list of sources or of links.
//!
//! No name tells such a list. A file nearly all of whose lines are paths of the project, from its directory or from the root, is one; a line that
//! git had, or that one typo parts from a file, is stale or mistyped. Programs write such lists too, of what is not there yet: of others nothing is
//! said.

use std::ops::Range;

use pathfinder_literals::path::{extension, join, name};
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{
    Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Severity, Source, Verdict, Want,
};

use crate::moved_strings::is_input;
use crate::path_words;

/// Lines of one list that are looked up. A longer one is written by a program.
const MAX_LINES: usize = 2_000;
/// Lines after which a text is known to be no list.
const SAMPLE_LINES: usize = 20;
/// Paths that a list must have; a few can be in any text.
const MIN_PATHS: usize = 6;
/// One line of so many may lead nowhere.
const LINES_PER_OTHER: usize = 4;

/// Lists of paths.
pub(crate) struct PathLists;

mod kinds {
    pathfinder_literals::literal_kinds! {
        /// Line of a text file that lists paths of the project.
        LINE = "list.path";
    }
}

impl Language for PathLists {
    fn name(&self) -> &'static str {
        "path-lists"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        const ENDINGS: [&str; 5] = ["files", "list", "lst", "manifest", "txt"];
        const NAMES: [&str; 3] = ["FILES", "MANIFEST", "Manifest"];
        (ENDINGS.contains(&extension(path).as_str()) || NAMES.contains(&name(path))) && name(path) != "CMakeLists.txt"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        if is_vendored(source.path()) || is_input(source.path()) {
            return;
        }
        let bases = [source.directory(), ""];
        let Some(base) = bases.into_iter().find(|base| is_list(source.text(), project, base)) else { return };
        let mut report = Report::new(source, project, found);
        for range in lines_of(source.text()).flatten().take(MAX_LINES) {
            let line = &source.text()[range.clone()];
            let Some(path) = join(base, line) else { continue };
            let tree = project.tree();
            let (verdict, tried) = Lookup::new(project, Want::Any).verdict(Severity::Warning, [Some(path.clone())]);
            let verdict = match verdict {
                Verdict::Missing(missing) => {
                    let is_stale = match &missing.instead {
                        Some(to) => {
                            path_words::is_same_kind(&path, to) && !tree.was_left_at_move(source.path(), &path, line)
                        }
                        None => tree.was_there(&path),
                    };
                    // A typo tells it as well.
                    if is_stale { Verdict::Missing(missing) } else { Verdict::Unknown(Reason::Elsewhere) }
                }
                verdict => verdict,
            };
            report.add(kinds::LINE, range.start, range.len(), (verdict, tried));
        }
    }
}

/// Returns whether nearly all lines of a text are paths below a directory.
fn is_list(text: &str, project: &Project, base: &str) -> bool {
    let (mut lines, mut paths) = (0, 0);
    for line in lines_of(text).take(MAX_LINES) {
        let is_there = |range: Range<usize>| {
            join(base, &text[range]).is_some_and(|path| !path.is_empty() && project.tree().kind(&path).is_some())
        };
        lines += 1;
        paths += usize::from(line.is_some_and(is_there));
        if lines >= SAMPLE_LINES && paths * 2 < lines {
            return false;
        }
    }
    paths >= MIN_PATHS && (lines - paths) * LINES_PER_OTHER <= lines
}

/// The byte ranges of the lines of a text that are no comments, without the spaces and the `./` around them; `None` for one that is no path.
fn lines_of(text: &str) -> impl Iterator<Item = Option<Range<usize>>> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_./+-@".contains(&byte);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
    lines.map(move |line| {
        let path = line.trim_start_matches("./");
        let at = path.as_ptr() as usize - text.as_ptr() as usize;
        let is_path = path.bytes().all(is_part) && path.contains(['/', '.']) && !path.starts_with('/');
        is_path.then_some(at..at + path.len())
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_lists() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let tree = names.map(|name| format!("pkg/lib/{name}.rb\n")).concat() + "moved pkg/lib/old.rb pkg/lib/h.rb\n";
        let lines = names.map(|name| format!("lib/{name}.rb\n")).concat();
        let rows = names.map(|name| format!("list.path lib/{name}.rb → pkg/lib/{name}.rb\n")).concat();
        let text = format!("# files\n{lines}./lib/old.rb\nlib/made.rb\n");
        let all = format!("{rows}list.path lib/old.rb → moved\nlist.path lib/made.rb → unknown elsewhere");
        check(&tree, "pkg/Manifest.txt", &text, &all);
        // Not from there, too many others, too few.
        check(&tree, "other/Manifest.txt", &text, "");
        check(&tree, "pkg/x.txt", &format!("{lines}{}", "some text\n".repeat(4)), "");
        check(&tree, "pkg/x.txt", "lib/a.rb\nlib/b.rb\nlib/old.rb\n", "");
        check(&tree, "pkg/testdata/x.txt", &text, "");
    }
}
