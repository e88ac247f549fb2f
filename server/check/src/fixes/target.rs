//! Finds and ranks the targets that a missing literal may stand for.

use std::cmp::Reverse;

use memchr::memmem::Finder;
use pathfinder_core::{Op, Request};
use pathfinder_literals::{Checked, Kind, Missing, Want};
use rustc_hash::FxHashSet;

use super::super::probability::{Slip, find_slip};
use super::FixContext;
use super::copies::is_in_other_copy;
use super::paths::{
    ancestors, extension, is_below, is_index, is_similar_to, is_test_case, join, name, parent, steps_between,
    without_extension,
};
use super::read_cache::{MAX_SEARCHED_BYTES, has_prose, is_own_index};
use super::signals::FixSignals;
use super::surroundings::LiteralSurroundings;
use super::words::{expected_words, statement};

/// Candidates that the engine is asked for. Evidence in the file can raise one of the last ones.
const MAX_CANDIDATES: usize = 60;
/// Files of the wanted directory that are considered as well. In a list of all modules the unlisted file is the
/// target, whatever its name.
const MAX_SIBLINGS: usize = 300;
/// Wanted directories whose files are considered: a class can be in any source root.
const MAX_DIRECTORIES: usize = 16;
/// Directories of the other literals' targets whose files are considered.
const MAX_COMMON_DIRECTORIES: usize = 3;
/// Entries of the parent directory, and of each directory in it.
const MAX_NEIGHBOURS: usize = 40;
/// Targets beyond the engine's candidates. Each one is scored, but not read.
const MAX_SIBLING_TARGETS: usize = 1000;
/// Targets that are kept after scoring by path.
const MAX_TARGETS: usize = 150;
/// Targets whose contents are read.
const MAX_READ_TARGETS: usize = 40;
/// Files that are searched for the expected names if no target has them, nearest first. A package has about as many;
/// more would take too long.
const MAX_SEARCHED_FILES: usize = 300;
/// Files from which those are chosen; sorting more takes too long.
const MAX_LISTED_FILES: usize = 20_000;
/// Files that are taken from that search.
const MAX_DECLARING_FILES: usize = 5;

/// Longest path, in segments, for which targets are guessed. Every target is compared with all of its words, and a
/// longer path is no typo in a real tree.
const MAX_SEGMENTS: usize = 64;

/// Languages whose files list paths of the project, such as the workflows and scripts that run for them, and addresses: a script says from
/// which one it is fetched.
const LISTS: [&str; 4] = ["sh", "url", "words", "yaml"];

/// The kinds of literals that are missing only if git's history has their target, or if one letter tells them from a module. No other
/// target is possible.
const MODULE_PATHS: [&str; 2] = ["rust.bound", "rust.use"];

/// A possible target of a missing literal.
#[derive(Clone, Debug)]
pub(super) struct FixTarget {
    /// Relative to the root.
    pub(super) path: String,
    pub(super) signals: FixSignals,
}

/// The targets of a missing literal, likeliest first.
pub(super) fn find_targets(context: &FixContext<'_>, literal: &Checked, missing: &Missing) -> Vec<FixTarget> {
    let is_module_path = MODULE_PATHS.contains(&literal.kind.as_str());
    if missing.instead.is_some() && is_module_path || missing.wanted.split('/').nth(MAX_SEGMENTS).is_some() {
        let known_target = missing.instead.iter().cloned();
        return known_target.map(|path| FixTarget { path, signals: FixSignals::known_target() }).collect();
    }
    let surroundings = LiteralSurroundings::new(context, literal, missing);
    if is_module_path {
        let slip = find_slip(context.tree, literal.tried.iter().map(String::as_str));
        return slip.map(|slip| mistyped_target(slip, &surroundings)).into_iter().collect();
    }
    let mut all: Vec<(String, FixSignals, bool)> = Vec::new();
    // A list of paths can have its own; code does not import itself.
    let own = (!LISTS.contains(&literal.kind.language())).then(|| context.file.to_owned());
    let mut seen: FxHashSet<String> = own.into_iter().collect();
    let is_loaded = |index: &str| context.tree.read_shared(index).is_none_or(|text| loads(&text, index, context.file));
    // An index that was one where the literal led is loaded as before.
    let was_index = |path: &str| name(path) == name(&missing.wanted);
    let is_circular = |path: &str| is_own_index(path, context.file) && !was_index(path) && is_loaded(path);
    let known_target = missing.instead.as_ref().filter(|path| !is_circular(path));
    if let Some(path) = known_target {
        seen.insert(path.clone());
        all.push((path.clone(), FixSignals::known_target(), false));
    }
    let answer = context.workspace.ask(&request(context, missing)).0.ok();
    let asked = answer.iter().flat_map(|answer| &answer.candidates);
    let asked = asked.map(|candidate| (candidate.path.text().into_owned(), Some(candidate.score)));
    let besides = sibling_paths(context, missing, &surroundings)
        .into_iter()
        .chain(missing.instead.clone())
        .map(|path| (path, None));
    let names = |directory: &str| context.tree.names(directory).to_vec();
    let (is_module, wanted) = (literal.kind.as_str() == "rust.mod", missing.wanted.as_str());
    for (path, score) in asked.chain(besides) {
        let kind = context.tree.kind(&path);
        let fits = match (kind, missing.want) {
            (None, _) | (Some(Kind::Directory), Want::File) | (Some(Kind::File), Want::Directory) => false,
            (Some(_), _) => true,
        };
        let is_taken = is_module && (surroundings.is_named(&path) || is_crate_root(context, &path))
            || is_source_of_header(&path, wanted)
            || path != wanted && is_own_index(&path, context.file) && is_loaded(&path)
            || is_in_other_copy(names, context.file, wanted, &path);
        if fits && !is_taken && seen.insert(path.clone()) {
            let is_directory = kind == Some(Kind::Directory);
            let mut signals = FixSignals::measure(&path, is_directory, score.unwrap_or_default(), &surroundings);
            signals.set_together(surroundings.fixed_share(&path, |path| context.tree.kind(path).is_some()));
            // The engine knows no ignored files. Asking git takes longer than scoring, so only the leading targets
            // are checked.
            all.push((path, signals, score.is_none()));
        }
    }
    // A typo outweighs the other evidence.
    let tried = || std::iter::once(wanted).chain(literal.tried.iter().map(String::as_str).filter(|it| *it != wanted));
    if known_target.is_none()
        && let Some(slip) = find_slip(context.tree, tried()).filter(|slip| !slip.is_other_word)
    {
        if seen.insert(slip.path.clone()) {
            let is_directory = context.tree.kind(&slip.path) == Some(Kind::Directory);
            all.push((slip.path.clone(), FixSignals::measure(&slip.path, is_directory, 0.0, &surroundings), true));
        }
        let slips = all.iter_mut().filter(|(path, ..)| *path == slip.path);
        // Only code names a target once. A second name for one that a single letter tells apart is no name of its own.
        let is_again = slip.is_typo && literal.kind.is_of_page();
        slips.for_each(|(path, signals, _)| {
            signals.set_slip(slip.edits, surroundings.is_named(path) && !is_again);
        });
    }
    if known_target.is_none()
        && let Some(longer) = find_with_extension(&all, wanted)
    {
        all[longer].1.set_slip(1, false);
    }
    let is_name = |path: &str| name(path) == name(&missing.wanted);
    if all.iter().filter(|(path, ..)| is_name(path)).count() == 1 {
        all.iter_mut().filter(|(path, ..)| is_name(path)).for_each(|(_, signals, _)| signals.set_only_name());
    }
    // The sort is stable, so equal targets keep the engine's order.
    all.sort_by_cached_key(|(_, signals, _)| descending(signals.points()));
    all.truncate(MAX_TARGETS);
    let all = all.into_iter().filter(|(path, _, is_unknown)| !is_unknown || !context.tree.is_ignored(path));
    let mut all: Vec<(String, FixSignals)> = all.map(|(path, signals, _)| (path, signals)).collect();
    let skipped = context.source.offset();
    let range = literal.range.start - skipped..literal.range.end - skipped;
    let words = if has_prose(context.file) { expected_words(context.source.text(), &range) } else { Vec::new() };
    let has = |path: &str| (!words.is_empty()).then(|| context.cache.names(context, path).share(&words));
    let is_whole = |path: &str| has(path).is_some_and(|share| share >= 1.0);
    // Only names in the statement itself, since many files have the same members.
    let said = statement(context.source.text(), &range);
    let is_said = words.iter().all(|word| context.source.text()[said.clone()].contains(word.as_str()));
    if is_said && !words.is_empty() && !all.iter().take(MAX_READ_TARGETS).any(|(path, _)| is_whole(path)) {
        // A file with all expected names is always read.
        let at = all.len().min(MAX_READ_TARGETS);
        for path in find_declaring_files(context, missing, &words, &seen) {
            let signals = FixSignals::measure(&path, false, 0.0, &surroundings);
            all.insert(at.min(all.len()), (path, signals));
        }
    }
    let paths: Vec<&str> =
        all.iter().take(MAX_READ_TARGETS + MAX_DECLARING_FILES).map(|(path, _)| path.as_str()).collect();
    let declares = context.cache.compare_declarations(context, &missing.wanted, &paths);
    let has: Vec<Option<f32>> = paths.iter().map(|path| has(path)).collect();
    for (((_, signals), declares), has) in all.iter_mut().zip(declares).zip(has) {
        signals.set_contents(has, declares);
    }
    all.sort_by_cached_key(|(_, signals)| descending(signals.points()));
    all.into_iter().map(|(path, signals)| FixTarget { path, signals }).collect()
}

/// The target of a slip that is the only possible one.
fn mistyped_target(slip: Slip, surroundings: &LiteralSurroundings<'_>) -> FixTarget {
    let mut signals = FixSignals::measure(&slip.path, false, 0.0, surroundings);
    signals.set_slip(slip.edits, false);
    FixTarget { path: slip.path, signals }
}

/// Returns whether a file beside the one that declares modules begins a crate or its build, and is a module of none.
fn is_crate_root(context: &FixContext<'_>, path: &str) -> bool {
    let directory = parent(path);
    match name(path) {
        "lib.rs" | "main.rs" => directory == parent(context.file) && matches!(name(context.file), "lib.rs" | "main.rs"),
        "build.rs" => context.tree.kind(&join(directory, "Cargo.toml")) == Some(Kind::File),
        _ => false,
    }
}

/// Returns whether a path is a source in place of a header of C: a header that is gone became no source.
fn is_source_of_header(path: &str, wanted: &str) -> bool {
    matches!(extension(wanted), "h" | "hh" | "hpp" | "hxx")
        && matches!(extension(path), "c" | "cc" | "cpp" | "cxx" | "m" | "mm")
}

/// A key that sorts numbers like the reverse of [`f32::total_cmp`].
fn descending(points: f32) -> Reverse<i32> {
    let bits = points.to_bits().cast_signed();
    // A negative number with larger bits is smaller.
    Reverse(if bits < 0 { bits ^ i32::MAX } else { bits })
}

/// Returns the position of the only target whose path is the wanted one and an extension. To omit it is a slip like one letter.
fn find_with_extension(targets: &[(String, FixSignals, bool)], wanted: &str) -> Option<usize> {
    let mut found = (0..targets.len()).filter(|at| {
        let ending = targets[*at].0.strip_prefix(wanted).and_then(|rest| rest.strip_prefix('.'));
        ending.is_some_and(|ending| !ending.is_empty() && !ending.contains(['.', '/', '-', '_']))
    });
    let first = found.next()?;
    (extension(wanted).is_empty() && found.next().is_none()).then_some(first)
}

/// Returns whether the text of the index file of a package names a file, or the directory below it that has the file. An index that
/// names neither can be imported by the file.
fn loads(text: &str, index: &str, file: &str) -> bool {
    let below = file.strip_prefix(parent(index)).map_or(file, |rest| rest.trim_start_matches('/'));
    let module = without_extension(below.split('/').next().unwrap_or_default());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.split(|c| !is_part(c)).any(|word| word == module)
}

/// The nearest files of the same language that declare all of these words.
fn find_declaring_files(
    context: &FixContext<'_>,
    missing: &Missing,
    words: &[String],
    seen: &FxHashSet<String>,
) -> Vec<String> {
    let ending = extension(context.file);
    let is_similar = is_similar_to(ending);
    let is_of_kind = |path: &&str| is_similar(extension(path)) && !is_test_case(name(path)) && !seen.contains(*path);
    let mut files: Vec<&str> = Vec::new();
    // Looks for the nearest ancestor directory with enough files.
    for above in ancestors(parent(&missing.wanted)) {
        let below = below(context.tree.files(), above);
        if below.len() > MAX_LISTED_FILES {
            break;
        }
        files = below.iter().map(String::as_str).filter(is_of_kind).collect();
        if files.len() >= MAX_SEARCHED_FILES {
            break;
        }
    }
    files.sort_by_cached_key(|path| steps_between(parent(&missing.wanted), parent(path)));
    let finders: Vec<Finder<'_>> = words.iter().map(Finder::new).collect();
    let has = |path: &&str| {
        let text = context.tree.read_shared(path);
        let text = text.as_deref().unwrap_or_default();
        text.len() <= MAX_SEARCHED_BYTES && finders.iter().all(|word| word.find(text.as_bytes()).is_some()) && {
            context.cache.names(context, path).share(words) >= 1.0
        }
    };
    files.into_iter().take(MAX_SEARCHED_FILES).filter(has).take(MAX_DECLARING_FILES).map(str::to_owned).collect()
}

/// The part of a sorted list of paths that lies in a directory or below it.
pub(super) fn below<'f>(files: &'f [String], directory: &str) -> &'f [String] {
    if directory.is_empty() {
        return files;
    }
    let from = files.partition_point(|file| file.as_str() < format!("{directory}/").as_str());
    let count = files[from..].partition_point(|file| is_below(file, directory));
    &files[from..from + count]
}

/// Targets that the engine does not return: entries of the wanted directories and their parents, paths seen from
/// other directories, siblings of the other literals' targets, and targets of literals of other kinds.
fn sibling_paths(context: &FixContext<'_>, missing: &Missing, surroundings: &LiteralSurroundings<'_>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    // The wanted path may exist and only be spelled wrong.
    all.push(missing.wanted.clone());
    for rest in surroundings.steps() {
        let like = |found: &&String| without_extension(found) == name(rest);
        let there = context.tree.names(parent(rest));
        all.extend(there.iter().filter(like).map(|found| join(parent(rest), found)));
        let inside = context.tree.names(rest);
        all.extend(inside.iter().filter(|name| is_index(name)).map(|name| join(rest, name)));
    }
    if let Some(directory) = surroundings.directory() {
        let inside = context.tree.names(directory);
        all.extend(inside.iter().take(MAX_SIBLINGS).map(|name| join(directory, name)));
    }
    let asked = surroundings
        .asked()
        .take(MAX_DIRECTORIES)
        .map(|directory| if context.tree.kind(directory).is_none() { parent(directory) } else { directory });
    for directory in asked.chain(surroundings.common().take(MAX_COMMON_DIRECTORIES)) {
        let names = context.tree.names(directory);
        all.extend(names.iter().take(MAX_SIBLINGS).map(|name| join(directory, name)));
        if all.len() > MAX_SIBLING_TARGETS {
            break;
        }
    }
    // A file often moves to the parent directory, or to another directory in it.
    let above = parent(parent(&missing.wanted));
    for name in context.tree.names(above).iter().take(MAX_NEIGHBOURS) {
        let path = join(above, name);
        if context.tree.kind(&path) == Some(Kind::Directory) {
            let names = context.tree.names(&path);
            all.extend(names.iter().take(MAX_NEIGHBOURS).map(|name| join(&path, name)));
        }
        all.push(path);
        if all.len() > MAX_SIBLING_TARGETS {
            break;
        }
    }
    // Or into a directory beside it.
    let there = parent(&missing.wanted);
    for name in context.tree.names(there).iter().take(MAX_NEIGHBOURS) {
        let below = join(there, name);
        if all.len() <= MAX_SIBLING_TARGETS && context.tree.kind(&below) == Some(Kind::Directory) {
            let names = context.tree.names(&below);
            all.extend(names.iter().take(MAX_NEIGHBOURS).map(|name| join(&below, name)));
        }
    }
    all.extend(surroundings.elsewhere.iter().take(MAX_SIBLINGS).map(|path| (*path).to_owned()));
    all
}

fn request(context: &FixContext<'_>, missing: &Missing) -> Request {
    let (op, slash) = if missing.want == Want::Directory { (Op::List, "/") } else { (Op::Read, "") };
    let from_file = Some(context.file.to_owned());
    // The tables of fixes are fitted without a model.
    Request {
        op,
        from_file,
        lexical: true,
        limit: MAX_CANDIDATES,
        ..Request::new(format!("{}{slash}", missing.wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::{descending, is_own_index, is_source_of_header, loads};

    #[test]
    fn sorts_numbers_in_descending_order() {
        let mut numbers = [0.5, -0.0, 0.0, -3.25, f32::MAX, -0.25, 7.0, f32::NEG_INFINITY, 1e-20];
        numbers.sort_by_cached_key(|number| descending(*number));
        assert!(numbers.is_sorted_by(|a, b| b.total_cmp(a).is_le()), "{numbers:?}");
    }

    #[test]
    fn recognizes_the_index_file_of_a_package() {
        assert!(is_own_index("httpx/__init__.py", "httpx/client.py") && is_own_index("src/mod.rs", "src/a/b.rs"));
        assert!(is_own_index("lib/index.ts", "lib/a/b.tsx"));
        // Another package, and pages, which may name any file.
        assert!(!is_own_index("httpx/__init__.py", "tests/client.py") && !is_own_index("lib/index.ts", "lib/a.md"));
        assert!(!is_own_index("docs/README.md", "docs/a.md") && !is_own_index("lib/b.ts", "lib/a.ts"));
    }

    #[test]
    fn recognizes_what_an_index_file_loads() {
        let check = |text: &str, file: &str, expect: bool| {
            assert_eq!(loads(text, "scrapy/spiders/__init__.py", file), expect, "{text} {file}");
        };
        check("from scrapy.spiders.crawl import CrawlSpider", "scrapy/spiders/crawl.py", true);
        check("from . import sub", "scrapy/spiders/sub/crawl.py", true);
        check("import crawler\nclass Spider: pass", "scrapy/spiders/crawl.py", false);
        check("", "scrapy/spiders/sub/crawl.py", false);
        assert!(loads("export * from './use-x';", "lib/index.ts", "lib/use-x.ts"));
    }

    #[test]
    fn takes_no_source_for_a_header() {
        let check = |path, wanted, expect| assert_eq!(is_source_of_header(path, wanted), expect, "{path} {wanted}");
        check("src/a.c", "src/a.h", true);
        check("src/b.cpp", "src/a.hpp", true);
        check("src/a.hpp", "src/a.h", false);
        check("src/b.c", "src/a.c", false);
    }
}
