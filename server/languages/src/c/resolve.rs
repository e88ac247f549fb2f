//! Resolves one include: the file it leads to, or the reason why it may be missing.

use pathfinder_literals::path::{extension, has_scheme, is_within, join, name, parent, strip_parent_steps};
use pathfinder_literals::report::{find_moved_target, is_vendored, severity_in, unknown};
use pathfinder_literals::{Kind, Lookup, Missing, Reason, Report, Resolution, Severity, Target, Verdict, Want};

use crate::cmake::index::CmakeIndex;
use crate::file_moves::FileMoves;

use super::build_files::BuildFiles;
use super::condition_names::is_named_by_condition;
use super::external::{generated_by, is_external_directory, is_external_name, is_known_header};
use super::first_party::is_first_party;
use super::headers::HeaderIndex;
use super::left_headers;
use super::namesakes::resolve_namesake;
use super::other_includes::{is_among_own, is_among_own_angles};
use super::scan::{Include, IncludeCondition, IncludeForm};
use super::search_path::{SearchPath, is_explicitly_relative};
use super::typo::{HeaderTypo, find_typo, generated_typo};

/// Paths of an undecided include that are kept for the search for typos: those of the likeliest directories.
const MAX_TRIED_PATHS: usize = 8;
/// Paths of an include in angle brackets that are compared with moves.
const MAX_MOVED: usize = 64;
/// Names of directories that usually are include directories.
const ROOT_NAMES: [&str; 10] =
    ["", "include", "includes", "inc", "src", "source", "Source", "Sources", "lib", "headers"];

/// The verdict on one include, given all of its file.
pub(super) fn resolve(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
) -> Resolution {
    let written = &report.source.text()[include.range.clone()];
    match include.form {
        IncludeForm::Macro => return unknown(Reason::Dynamic),
        IncludeForm::Next => return unknown(Reason::Elsewhere),
        IncludeForm::Quoted | IncludeForm::Angle => {}
    }
    if written.starts_with('/') || has_scheme(written) || written.contains(['$', '@', '{', '%', '<', '*', '\u{1a}']) {
        return unknown(Reason::Elsewhere);
    }
    // Only compilers for Windows accept a backslash as separator.
    let path = written.replace('\\', "/");
    if let Some(found) = search.find_file(&path, include.form) {
        let first = search.candidates(&path, include.form).flatten().take(1).collect();
        return (Verdict::Found(Target { path: found }), first);
    }
    let (verdict, tried) = resolve_missing(report, search, (include, all), &path);
    // No file of the project is what a header of the system was meant to name (`<poll.h>` beside `pool.h`). Where a variable
    // of the build names include directories, a header elsewhere is found by them, also if the file was once beside it.
    let is_settled = match verdict {
        Verdict::Unknown(Reason::Undecided(_)) => {
            report.project.index::<BuildFiles>().has_variable_directories(report.source.path())
                || is_known_header(&path)
        }
        Verdict::Unknown(_) => is_known_header(&path),
        _ => false,
    };
    (verdict, if is_settled { Vec::new() } else { tried })
}

/// The verdict on an include that none of its candidates resolves.
fn resolve_missing(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
    path: &str,
) -> Resolution {
    let (project, source) = (report.project, report.source);
    // Most are needed for few includes.
    let candidates = || search.candidates(path, include.form);
    // A typo can be in the name of a header in any searched directory.
    let because = |reason: Reason| (Verdict::Unknown(reason), candidates().flatten().take(MAX_TRIED_PATHS).collect());
    if include.condition == IncludeCondition::Optional && source.text().contains("__has_include") {
        // The name stands twice in the file: no slip of the hand.
        return unknown(Reason::Optional);
    }
    if path.contains("//") || include.range.len() != path.len() || !path.is_ascii() {
        return because(Reason::Dynamic);
    }
    if let Some(outcome) = resolve_typo(report, search, (include, all), path) {
        return outcome;
    }
    let severity = severity(report, include);
    let left = || left_headers::resolve(report, include, &strip_parent_steps(path)?, severity);
    if include.condition == IncludeCondition::Optional {
        // A header that a commit moved was in this directory.
        let own = (include.form == IncludeForm::Quoted).then(|| join(source.directory(), path));
        let moved = find_moved_target(project, Want::File, severity, path, own);
        return moved.or_else(left).unwrap_or_else(|| because(Reason::Optional));
    }
    if let Some(by) = generated_by(project, path) {
        return because(Reason::Produced(by));
    }
    // `../lib/a.h` is relative to the file itself, even if a file could be generated below an include directory.
    let is_own_relative = include.form == IncludeForm::Quoted && is_explicitly_relative(path);
    let generator = if is_own_relative {
        candidates().take(1).flatten().find_map(|path| project.generated_by(&path))
    } else {
        search.find_generator(path, include.form)
    };
    if let Some(reason) = generator {
        let moved = find_moved_from_own(report, search, include, path, &reason);
        return moved.or_else(left).unwrap_or_else(|| because(reason));
    }
    let verdict =
        |severity: Severity, wanted: Option<String>| Lookup::new(project, Want::File).verdict(severity, [wanted]);
    let own = join(source.directory(), path);
    let Some(tail) = strip_parent_steps(path) else { return because(Reason::Outside) };
    let kind = |path: Option<String>| project.tree().kind(&path?);
    let is_directory = |path| kind(path) == Some(Kind::Directory);
    if is_own_relative {
        // A file copied from another project keeps includes that only that project has.
        let is_copy =
            include.condition != IncludeCondition::Always && !is_directory(join(source.directory(), parent(path)));
        // The include can be relative to a directory that only a variable names (Catch2).
        if !is_copy
            && project.index::<BuildFiles>().has_variable_directories(source.path())
            && let Some(other) = project.find_by_suffix(&tail)
        {
            return because(Reason::Undecided(other.to_owned()));
        }
        return if is_copy { because(Reason::Optional) } else { verdict(severity, own) };
    }
    if let Some(other) = project.find_by_suffix(&tail) {
        let missing = resolve_namesake(report, search, (include, all), (path, &tail), other);
        return missing.unwrap_or_else(|| because(Reason::Undecided(other.to_owned())));
    }
    let (directory, last) = (parent(&tail), name(&tail));
    let head = tail.split('/').next().unwrap_or_default();
    let headers = project.index::<HeaderIndex>();
    if directory.is_empty() {
        if include.form != IncludeForm::Quoted || is_external_name(&tail) {
            let moved = || find_moved_own_angle(report, search, (include, all), path);
            return (!is_external_name(&tail)).then(moved).flatten().unwrap_or_else(|| because(Reason::Elsewhere));
        }
        let (verdict, tried) = verdict(severity, own);
        return match verdict {
            Verdict::Missing(missing) if missing.instead.is_some() => (Verdict::Missing(missing), tried),
            Verdict::Missing(_) if include.condition > IncludeCondition::Platform => because(Reason::Optional),
            // System headers are often quoted in code that only that system compiles.
            Verdict::Missing(_) if !is_own_header(report, search, (include, all), last) => {
                // The file existed in an include directory.
                let moved = || search.candidates_moved(path, include.form);
                let all = (!is_known_header(&tail)).then(moved).into_iter().flatten();
                let moved = find_moved_target(project, Want::File, severity, path, all);
                moved.or_else(left).unwrap_or_else(|| because(Reason::Elsewhere))
            }
            verdict => (verdict, tried),
        };
    }
    if include.form == IncludeForm::Quoted && is_directory(join(source.directory(), directory)) {
        return verdict(severity, own);
    }
    let build = project.index::<BuildFiles>();
    if let Some(moved) = find_moved_from_any(report, include, path, &tail) {
        return moved;
    }
    // An include directory of another part of the repository serves that part only (protobuf's `upb`, which has a
    // `base`).
    let top = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let is_searched = |root: &str| build.is_searched(root) && top(root) == top(source.path());
    let is_root = |root: &&str| ROOT_NAMES.contains(&name(root)) || is_searched(root);
    if let Some(root) = headers.roots_containing(directory).find(is_root)
        && !is_external_directory(head)
    {
        return verdict(severity, join(root, &tail));
    }
    // The header moved out of a directory that no longer exists.
    let is_moved = include.form == IncludeForm::Quoted
        && include.condition < IncludeCondition::Optional
        && project.find_by_suffix(last).is_some()
        && (headers.is_in_family(last) || headers.is_in_family(head) || is_renamed(report, directory, last));
    if is_moved {
        return verdict(severity, own);
    }
    let moved = find_moved_header(report, search, include, path)
        .or_else(|| find_moved_own_angle(report, search, (include, all), path))
        .or_else(|| left().filter(|_| !is_external_directory(head)));
    moved.unwrap_or_else(|| leave_open(headers, &tail, candidates().flatten()))
}

/// Looks in git's history for a header in angle brackets among others of the project from its directory.
fn find_moved_own_angle(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
    path: &str,
) -> Option<Resolution> {
    // One that a recent commit renamed in a searched directory was the project's. With a directory it can be that of a system.
    let moves = report.project.index::<FileMoves>();
    let is_renamed = |path: &String| {
        let to = || report.project.tree().moved(path).map(|moved| moved.to);
        moves.was_moved(path) && to().is_some_and(|to| parent(&to) == parent(path))
    };
    let has_moved = || {
        let candidates = search.candidates_moved(path, include.form).flatten();
        !path.contains('/') && candidates.take(MAX_MOVED).any(|path| is_renamed(&path))
    };
    let is_own = || is_among_own_angles(report, search, (include, all), path) || has_moved();
    if include.form != IncludeForm::Angle || !is_own() {
        return None;
    }
    find_moved_target(
        report.project,
        Want::File,
        severity(report, include),
        path,
        search.candidates_moved(path, include.form),
    )
}

/// Looks in git's history for a header that left a directory of the include's name, below whatever other one. No header of its name is there.
fn find_moved_from_any(report: &Report<'_>, include: &Include, path: &str, tail: &str) -> Option<Resolution> {
    let head = tail.split('/').next().unwrap_or_default();
    if include.form != IncludeForm::Quoted || is_external_directory(head) {
        return None;
    }
    let roots = report.project.index::<HeaderIndex>().roots_containing(parent(tail));
    let left = roots.filter_map(|root| join(root, tail)).map(Some);
    find_moved_target(report.project, Want::File, severity(report, include), path, left)
}

/// The verdict on a header that nothing of the tree explains. Whatever directory the build searches, it can be mistyped in one that ends
/// as it does: those come first.
fn leave_open(headers: &HeaderIndex, tail: &str, searched: impl Iterator<Item = String>) -> Resolution {
    let below = headers.roots_containing(parent(tail)).filter_map(|root| join(root, tail));
    (Verdict::Unknown(Reason::Elsewhere), below.chain(searched).take(MAX_TRIED_PATHS).collect())
}

/// Returns whether a quoted header without a directory belongs to the project.
fn is_own_header(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
    last: &str,
) -> bool {
    has_sibling(report, last)
        || is_first_party(report.project.index::<HeaderIndex>(), report.source.path(), last)
        || is_among_own(report, search, include, all)
}

/// Looks for a header in git's history that a submodule or an ignored directory could have as well: it moved out of the repository's own
/// directories.
fn find_moved_from_own(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    include: &Include,
    path: &str,
    reason: &Reason,
) -> Option<Resolution> {
    let moved = match reason {
        Reason::Submodule(_) | Reason::Ignored(_) => find_moved_header(report, search, include, path)?,
        // A file of git that moved lately is written by hand.
        Reason::Produced(_) => {
            let moves = report.project.index::<FileMoves>();
            let all = search.candidates(path, include.form).flatten().filter(|path| moves.was_moved(path));
            find_moved_target(report.project, Want::File, severity(report, include), path, all.map(Some))?
        }
        _ => return None,
    };
    let is_ignored = |path: &str| matches!(reason, Reason::Ignored(_)) && report.project.tree().is_ignored(path);
    let is_own = matches!(&moved.0, Verdict::Missing(missing) if !is_ignored(&missing.wanted));
    is_own.then_some(moved)
}

/// Looks for the header in git's history: one that moved away from the directory of the file or from an include directory.
fn find_moved_header(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    include: &Include,
    path: &str,
) -> Option<Resolution> {
    let (project, tail) = (report.project, strip_parent_steps(path)?);
    let (own, build) = (join(report.source.directory(), path), project.index::<BuildFiles>());
    let head = tail.split('/').next().unwrap_or_default();
    if include.condition >= IncludeCondition::Optional || is_external_directory(head) {
        return None;
    }
    let is_own = |path: &String| {
        may_have_moved(include, build, path, own.as_deref(), &tail) || has_moved_within(report, include, path, &tail)
    };
    let all = search.candidates_moved(path, include.form).flatten().filter(is_own).map(Some);
    let moved = find_moved_target(project, Want::File, severity(report, include), path, all);
    // A header that became a copy of another project's, or was one, is the system's where the copy is not searched.
    let is_foreign = |(verdict, tried): &Resolution| match verdict {
        Verdict::Missing(missing) => missing.instead.iter().chain(tried).any(|path| is_vendored(path)),
        _ => false,
    };
    let is_named_only = include.form != IncludeForm::Quoted;
    moved.filter(|moved| !is_named_only || !is_foreign(moved))
}

/// Returns whether a header at this path was one of the tree, if git moved it: one beside the file, or in an include directory. In
/// another directory, it and `<x/y.h>` are two headers of one name.
fn may_have_moved(include: &Include, build: &BuildFiles, path: &str, own: Option<&str>, tail: &str) -> bool {
    let base = path.strip_suffix(tail).map(|base| base.trim_end_matches('/'));
    include.form == IncludeForm::Quoted && own == Some(path)
        || base.is_some_and(|base| matches!(name(base), "include" | "inc") || build.is_searched(base))
}

/// Returns whether a recent commit moved a header below a directory around the file, from which the include names it with its own
/// directory: `lib/tools/a.h` to `lib/common/a.h`.
fn has_moved_within(report: &Report<'_>, include: &Include, path: &str, tail: &str) -> bool {
    let project = report.project;
    let base = path.strip_suffix(tail).map_or("", |base| base.trim_end_matches('/'));
    include.form == IncludeForm::Quoted
        && tail.contains('/')
        && !base.is_empty()
        && is_within(report.source.path(), base)
        && project.index::<FileMoves>().was_moved(path)
        && project.tree().moved(path).is_some_and(|moved| is_within(&moved.to, base))
}

/// The severity of a missing file under this include's condition.
pub(super) fn severity(report: &Report<'_>, include: &Include) -> Severity {
    let severity = if include.condition == IncludeCondition::Always { Severity::Error } else { Severity::Warning };
    severity_in(report.source.path(), severity)
}

/// The verdict if the include is one typo away from exactly one header of the tree, and no tool generates it.
fn resolve_typo(
    report: &Report<'_>,
    search: &SearchPath<'_>,
    (include, all): (&Include, &[Include]),
    path: &str,
) -> Option<Resolution> {
    let project = report.project;
    let tail = strip_parent_steps(path)?;
    // In angle brackets, a name alone is a library's, and so is a directory that the project does not have; unless others of the file
    // are headers of the project.
    let directory = parent(&tail);
    let is_own = || {
        !directory.is_empty()
            && !is_external_directory(tail.split('/').next().unwrap_or_default())
            && project.find_by_suffix(directory).is_some()
    };
    if include.form != IncludeForm::Quoted && !is_own() && !is_among_own_angles(report, search, (include, all), path) {
        return None;
    }
    // Another directory may be an include directory that has the file.
    if project.find_by_suffix(&tail).is_some() {
        return None;
    }
    let typo = find_typo(project, report.source.directory(), path, &tail)?;
    let (text, start) = (report.source.text(), include.range.start);
    if include.condition != IncludeCondition::Always
        && is_named_by_condition(text, start, name(path), name(&typo.intended))
    {
        return None;
    }
    if project.index::<CmakeIndex>().adds_target(name(path)) {
        return Some(unknown(Reason::Produced("CMake".to_owned())));
    }
    let typo = as_searched(report, search, typo, path);
    let generated =
        |path: &str| generated_by(project, path).map(Reason::Produced).or_else(|| project.generated_by(path));
    if let Some(reason) = generated_typo(&typo, generated) {
        return Some((Verdict::Unknown(reason), vec![typo.written_path]));
    }
    let missing = Missing::new(typo.written_path.clone(), Want::File, severity(report, include));
    Some((Verdict::Missing(missing), vec![typo.written_path]))
}

/// The header that the compiler picks among several of the intended name.
fn as_searched(report: &Report<'_>, search: &SearchPath<'_>, typo: HeaderTypo, path: &str) -> HeaderTypo {
    let count = path.split('/').count();
    let start = typo.intended.rmatch_indices('/').nth(count - 1).map_or(0, |(at, _)| at + 1);
    let suffix = &typo.intended[start..];
    let tree = report.project.tree();
    let candidates = (!is_explicitly_relative(path)).then(|| search.candidates(suffix, IncludeForm::Quoted));
    let intended = candidates.into_iter().flatten().flatten().find(|path| tree.kind(path) == Some(Kind::File));
    let wanted = intended.as_ref().and_then(|intended| join(intended.strip_suffix(suffix)?, path));
    intended.zip(wanted).map_or(typo, |(intended, written_path)| HeaderTypo { intended, written_path })
}

/// Returns whether the only file of this name lies in a directory whose name contains the written one, or is contained in it:
/// `c-ares/x.h` is now `ares/x.h`. No library is included by a name that each project gives to its directory of headers.
fn is_renamed(report: &Report<'_>, directory: &str, last: &str) -> bool {
    /// Shorter words occur in names by chance.
    const MIN_WORD_BYTES: usize = 4;
    let [there] = report.project.find_all_by_suffix(last, 2)[..] else { return false };
    let (now, was) = (name(parent(there)), name(directory));
    let is_part =
        |whole: &str, part: &str| part.len() >= MIN_WORD_BYTES && whole.split(['-', '_']).any(|word| word == part);
    matches!(directory, "include" | "inc")
        || now != was && !is_external_directory(was) && (is_part(now, was) || is_part(was, now))
}

/// Returns whether the directory has a file of this name with another extension: `x.c`, or `x.hpp` instead of `x.h`.
fn has_sibling(report: &Report<'_>, last: &str) -> bool {
    const EXTENSIONS: [&str; 12] = ["c", "cc", "cpp", "cu", "cxx", "h", "hh", "hpp", "hxx", "inl", "m", "mm"];
    let (project, directory) = (report.project, report.source.directory());
    let stem = last.strip_suffix(&format!(".{}", extension(last))).unwrap_or(last);
    let is_file = |name: &str| join(directory, name).is_some_and(|path| project.tree().kind(&path) == Some(Kind::File));
    let names = project.names_with_prefix(directory, &format!("{stem}."));
    names.iter().any(|name| EXTENSIONS.contains(&&name[stem.len() + 1..]) && is_file(name))
}
