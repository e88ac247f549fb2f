//! Resolves includes whose name another header of the tree has: in a directory that the compiler may search, or that it does not.

use pathfinder_literals::path::{extension, is_within, join, name, parent};
use pathfinder_literals::report::is_vendored;
use pathfinder_literals::{Kind, Lookup, Report, Resolution, Verdict, Want};

use crate::file_moves::FileMoves;

use super::build_files::BuildFiles;
use super::external::is_external_name;
use super::headers::is_header;
use super::resolve::severity;
use super::scan::{Include, IncludeCondition, IncludeForm};
use super::search_path::SearchPath;

/// The verdict on an include whose name another header of the tree has, in a directory that the compiler does not search; `None` if it may
/// search that.
pub(super) fn resolve_namesake(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
    (path, tail): (&str, &str),
    other: &str,
) -> Option<Resolution> {
    let (project, source) = (report.project, report.source);
    if include.form != IncludeForm::Quoted {
        return None;
    }
    let (build, severity) = (project.index::<BuildFiles>(), severity(report, include));
    // If a system has the name too, the system's header is used.
    let is_certain = include.condition == IncludeCondition::Always
        && !is_external_name(tail)
        && build.compile_command(source.path()).is_some_and(|command| command.is_complete);
    if is_certain {
        return Some(Lookup::new(project, Want::File).verdict(severity, search.candidates(path, include.form)));
    }
    let own = join(source.directory(), path);
    let verdict = || Lookup::new(project, Want::File).verdict(severity, [own.clone()]);
    if was_beside(report, own.as_deref(), tail) || has_left(report, all, own.as_deref(), tail) {
        return Some(verdict());
    }
    let is_below = is_named_by_directory(report, other, tail, all);
    // A commit moved it down from a directory that is searched.
    let led_there = |path: &String| project.tree().moved(path).is_some_and(|moved| moved.to == other);
    if is_below && let Some(wanted) = search.candidates(path, include.form).flatten().find(led_there) {
        return Some(Lookup::new(project, Want::File).verdict(severity, [Some(wanted)]));
    }
    if !is_below && !matches!(name(parent(parent(other))), "include" | "inc") {
        return None;
    }
    let outcome = verdict();
    let is_open = || build.has_variable_directories(source.path()) || build.is_searched(parent(other));
    let is_moved = matches!(&outcome.0, Verdict::Missing(missing) if missing.instead.is_some());
    (is_moved || came_along(report, path, other) || is_below && !is_open()).then_some(outcome)
}

/// Returns whether a header was beside the file until both moved.
fn came_along(report: &Report<'_>, path: &str, header: &str) -> bool {
    let tree = report.project.tree();
    let beside = |origin: &String| join(parent(origin), path).and_then(|path| tree.moved(&path));
    tree.origins(report.source.path()).iter().filter_map(beside).any(|moved| moved.to == header)
}

/// Returns whether a header is in no directory that the compiler searches, since those beside it are included with the name of their
/// directory: `include/lib/a.h` as `lib/a.h`, by this file or by each other.
fn is_named_by_directory(report: &Report<'_>, header: &str, tail: &str, all: &[Include]) -> bool {
    /// Neighbours that are read; those of a library include each other in one way.
    const MAX_NEIGHBORS: usize = 6;
    /// The includes of a header are in its first bytes.
    const MAX_BYTES: usize = 8 << 10;
    let (project, tree) = (report.project, report.project.tree());
    let Some(base) = header.strip_suffix(tail).map(|base| base.trim_end_matches('/')) else { return false };
    let is_file = |path: &str| join(base, path).is_some_and(|path| tree.kind(&path) == Some(Kind::File));
    let own = name(base);
    let is_prefixed =
        |written: &str| written.strip_prefix(own).and_then(|rest| rest.strip_prefix('/')).is_some_and(is_file);
    if base.is_empty()
        || project.find_all_by_suffix(tail, 2).len() > 1
        || project.index::<BuildFiles>().is_searched(base)
    {
        return false;
    }
    let text = report.source.text();
    let others = || all.iter().map(|other| &text[other.range.clone()]).filter(|other| *other != tail);
    // Another header of the directory is included without its name.
    if others().any(|other| is_file(other) && !is_prefixed(other)) {
        return false;
    }
    let names_it = |path: String| {
        tree.read_shared(&path).is_some_and(|text| {
            let head = pathfinder_literals::path::head(&text, MAX_BYTES);
            let includes = head.lines().filter(|line| line.trim_start().starts_with("#include"));
            includes.filter_map(|line| line.split('"').nth(1)).any(is_prefixed)
        })
    };
    others().any(is_prefixed)
        || tree
            .names(base)
            .iter()
            .filter(|name| is_header(name))
            .take(MAX_NEIGHBORS)
            .filter_map(|name| join(base, name))
            .any(names_it)
}

/// Returns whether a recent commit renamed the header of this path in the directory of the file, so that the include led to it, and every
/// header of the old name is in another part of the repository.
fn was_beside(report: &Report<'_>, own: Option<&str>, tail: &str) -> bool {
    /// More headers of a name are common to many parts.
    const MAX_NAMESAKES: usize = 8;
    let project = report.project;
    let Some(own) = own.filter(|own| project.index::<FileMoves>().was_moved(own)) else { return false };
    let Some(moved) = project.tree().moved(own) else { return false };
    let others = project.find_all_by_suffix(tail, MAX_NAMESAKES + 1);
    let around = parent(report.source.directory());
    !is_external_name(tail)
        && extension(&moved.to) == extension(own)
        && name(&moved.to) != name(own)
        && others.len() <= MAX_NAMESAKES
        && !others.iter().any(|other| is_within(other, around))
}

/// Returns whether a recent commit took the header of this path away from the file, to a directory that no build file and no other include
/// of the file searches.
fn has_left(report: &Report<'_>, all: &[Include], own: Option<&str>, tail: &str) -> bool {
    let (project, build) = (report.project, report.project.index::<BuildFiles>());
    let tree = project.tree();
    let Some(own) = own.filter(|own| project.index::<FileMoves>().was_moved(own)) else { return false };
    let Some(to) = tree.moved(own).map(|moved| moved.to) else { return false };
    let Some(base) = to.strip_suffix(tail).and_then(|base| base.strip_suffix('/')) else { return false };
    let text = report.source.text();
    let reaches = |other: &Include| {
        let written = &text[other.range.clone()];
        let is_file = |directory: &str| {
            join(directory, written).is_some_and(|path| path != to && tree.kind(&path) == Some(Kind::File))
        };
        is_file(base) && !is_file(report.source.directory())
    };
    // Builds search the directories of copies of other projects.
    !is_vendored(&to)
        && !is_external_name(tail)
        && !matches!(name(base), "include" | "inc")
        && !build.is_searched(base)
        && !build.has_variable_directories(report.source.path())
        && project.find_all_by_suffix(tail, 2).len() == 1
        && !all.iter().any(reaches)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn follows_headers_that_moved_down() {
        let tree = "CMakeLists.txt = set_target_properties(x PROPERTIES A ${B})\\ninclude_directories(include ${B})\ninclude/util.h\n\
                    include/gen/writer.h\ninclude/gen/reader.h\nmoved include/writer.h include/gen/writer.h";
        let includes = "#include \"util.h\"\n#include \"gen/reader.h\"\n#include \"writer.h\"\n";
        let expect = "c.include util.h → include/util.h\nc.include gen/reader.h → include/gen/reader.h\n";
        check(tree, "source/gen/a.cc", includes, &format!("{expect}c.include writer.h → moved"));
        let stays = tree.replace("\nmoved include/writer.h include/gen/writer.h", "");
        check(&stays, "source/gen/a.cc", includes, &format!("{expect}c.include writer.h → unknown undecided"));
    }
}
