//! Finds fixes for a broken literal: the targets it may stand for, and the new spelling for each.
//!
//! Targets come from git's history first, then from the engine, which resolves the path that the literal names. Other
//! evidence in the file ranks the candidates. `Rewriting` writes the new spelling, and only a spelling that the
//! literal's own resolver accepts is offered.
//!
//! # From a missing literal to a fix
//!
//! A missing literal names the path that it stands for first. If git history or the disk's own spelling knows the new
//! path, that is the target. Otherwise the engine answers for the named path as for any failed path. Further targets
//! come from the directories that were tried and their neighbours, the targets of other literals in the file, and the
//! literal seen from parent directories of the file.
//!
//! Signals rank the targets: the engine's score; name, place and extension; targets of the file's other literals;
//! declarations that match the imported names; declarations of the old name, because guards and classes outlive a
//! rename; and whether one change also fixes the file's other broken literals. The weights are a choice model, fitted
//! to real broken literals.
//!
//! # Writing a fix
//!
//! No language is asked how to write a fix. The old text and its path are aligned from the end. Shared segments, the
//! text before them (lead), the directory where they start (base) and the omitted ending give the spelling of another
//! target; other literals of the file give other leads. Each spelling is put into the text and checked again. It is
//! offered only if the literal then resolves to the target and nothing else became missing. A wrong guess costs time
//! and never yields a wrong fix.

mod anchor;
mod confidence;
mod copies;
mod declaration;
mod names;
mod paths;
mod read_cache;
mod signals;
mod surroundings;
mod target;
mod word_table;
mod words;

use std::ops::Range;

use pathfinder_core::distance::edits_within;
use pathfinder_core::generated::is_marked_generated;
use pathfinder_literals::path::{ancestors, name, parent};
use pathfinder_literals::{Checked, Code, Kind, Missing, Rewriting, Rewritten, Source};
use serde::{Deserialize, Serialize};

use super::probability::{BrokenEstimate, is_month_old};
use super::source_tree::{HistoryVerdict, SourceTree};
use super::static_names;
pub(super) use confidence::lower_confidence;
pub(super) use names::Names;
use pathfinder_project::snapshot::WorkspaceSnapshot;
use paths::{extension, extension_similarity, is_below};
pub(super) use read_cache::{NameCache, ReadCache};
use signals::Signal;
use target::{below, find_targets};
pub(super) use words::expected_words;

/// Fixes offered for one literal: a menu that fits one glance.
pub(super) const MAX_FIXES: usize = 5;
/// Fixes offered for one literal if explanations are wanted. As many are ranked in any case.
pub(super) const MAX_EXPLAINED_FIXES: usize = 20;

/// Places of a missing name that git's history is asked for; a language with more tries endings.
const MAX_EARLIER_PLACES: usize = 8;

/// A fix of a broken literal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// The new text of the literal.
    pub literal: String,
    /// The path it then leads to, relative to the root.
    pub path: String,
    /// Edits of other literals that belong to the fix: byte ranges in the file and new texts, in source order. They begin with a
    /// name that this literal binds, or it is a name and they are the module that it is imported from.
    pub followers: Vec<(Range<usize>, String)>,
    /// Probability that this is the right target: 0–1.
    pub confidence: f32,
    /// True if it is certain enough to be applied without review.
    pub preferred: bool,
    /// The signals behind its rank, by name.
    #[serde(deserialize_with = "static_names::read_weights")]
    pub signals: Vec<(&'static str, f32)>,
}

impl Fix {
    /// Returns the new text for people, given the old one: a name that stays has the module before it that changes.
    pub fn shown(&self, written: &str) -> String {
        match self.followers.first() {
            Some((_, module)) if self.literal == written => format!("{written} from {module}"),
            _ => self.literal.clone(),
        }
    }
}

/// The file of a broken literal, and what the search for fixes needs of it.
pub(super) struct FixContext<'a> {
    pub(super) workspace: &'a WorkspaceSnapshot,
    pub(super) tree: &'a dyn SourceTree,
    /// Relative to the root.
    pub(super) file: &'a str,
    /// The text of the file.
    pub(super) source: &'a Source<'a>,
    /// Every literal in it.
    pub(super) all: &'a [Checked],
    /// Data that was read for this file so far.
    pub(super) cache: &'a ReadCache<'a>,
    /// The number of fixes to return.
    pub(super) max_fixes: usize,
}

/// Constructs that name what is below a directory, where `../` leads nowhere. A list of what lies there has no place for a file that left it;
/// one of ignored files cannot even name it. `CMake` asks where to build a directory that is not below, a library that is required by its
/// name is not read from a path, and the tool of a directive reads from a directory of its own.
const BELOW: [&str; 4] = ["words.path", "cmake.subdirectory", "ruby.require", "md.directive"];

/// Kinds of literal that a recorded move is no reason to change unasked: those that select build outputs may be missing in a
/// working project, and a program may use its strings in another tree.
const UNSURE_MOVES: [&str; 8] = [
    "code.name",
    "code.string",
    "json.package.files",
    "json.package.workspaces",
    "json.tsconfig.include",
    "words.moved",
    "words.string",
    "yaml.pnpm.packages",
];

/// The fixes of a missing literal, likeliest first. `estimate` says how likely the literal is broken.
pub(super) fn find_fixes(
    context: &FixContext<'_>,
    rewriting: &Rewriting<'_>,
    literal: &Checked,
    missing: &Missing,
    estimate: &BrokenEstimate,
) -> Vec<Fix> {
    // No target is rewritten then.
    if rewriting.is_exhausted() {
        return Vec::new();
    }
    if missing.code == Code::MissingAnchor {
        return anchor::find_fixes(context, rewriting, literal, missing);
    }
    if let Some(fix) = declaration::find_fix(context.source.text(), rewriting, literal, missing, estimate) {
        return vec![fix];
    }
    let mut fixes: Vec<Fix> = Vec::new();
    let (mut signals_of, mut rest) = (Vec::new(), Vec::new());
    for target in find_targets(context, literal, missing) {
        if signals_of.len() + rest.len() >= MAX_EXPLAINED_FIXES {
            break;
        }
        // The others would share what the known target leaves, half a percent.
        let is_told = || missing.instead.is_some() && fixes.first().map(|fix| &fix.path) == missing.instead.as_ref();
        if fixes.len() >= context.max_fixes || is_told() {
            rest.push(target.signals);
            continue;
        }
        // An anchor that a file does not have is not offered there.
        if missing.instead.as_ref() != Some(&target.path) && anchor::lacks_fragment(context, literal, &target.path) {
            continue;
        }
        let other = || rewrite_to_twin(context, rewriting, literal, missing, &target.path);
        let Some(new) = rewriting.rewrite_with_followers(literal, &target.path).or_else(other) else { continue };
        if fixes.iter().all(|known| known.literal != new.literal) {
            let signals = target.signals.list();
            signals_of.push(target.signals);
            let Rewritten { literal, followers } = new;
            fixes.push(Fix { literal, path: target.path, followers, confidence: 0.0, preferred: false, signals });
        }
    }
    signals_of.extend(rest);
    confidence::assign_confidence(&mut fixes, &signals_of);
    if let Some(first) = fixes.first_mut() {
        let is_same_kind = is_same_kind_of_file(literal, missing, &first.path);
        let is_slip = signals_of.first().is_some_and(|signals| signals.get(Signal::Slip) >= 1.0);
        // The move of another file of the name, which was gone before the literal was written.
        let is_refuted = missing.code == Code::MovedPath && estimate.has_other_history();
        let has_rival = missing.code == Code::MovedPath
            && (has_rival(context, &missing.wanted, &first.path)
                || is_put_away(&missing.wanted, &first.path)
                || has_twin(context.tree, &missing.wanted, &first.path)
                || is_old_renaming(context, literal, &missing.wanted, &first.path));
        let is_unsure = UNSURE_MOVES.contains(&literal.kind.as_str()) && !is_link(context, literal);
        let is_unsure = is_unsure || estimate.is_lone_value();
        let can_have_moved = !is_unsure && !estimate.has_never_worked();
        // A literal that leaves the root and still finds a file may be right for code that runs from a deeper
        // directory.
        let is_there = missing.instead.is_none() && context.tree.kind(&missing.wanted) == Some(Kind::File);
        // A name that a file had is not mistyped: the file is gone.
        let had = |path: &String| match context.tree.history(path) {
            HistoryVerdict::Had => true,
            HistoryVerdict::HadDirectory => extension(path).is_empty(),
            _ => false,
        };
        let places = || std::iter::once(&missing.wanted).chain(&literal.tried).take(MAX_EARLIER_PLACES);
        let has_moved_there = || context.tree.moved(&missing.wanted).is_some_and(|moved| moved.to == first.path);
        let was_there = missing.instead.is_none() && !has_moved_there() && places().any(had);
        // A file that stood beside it before it was removed is another one.
        let is_neighbor = was_there && places().any(|path| context.tree.were_together(path, &first.path));
        // A generator writes the file anew, and the literal may be right in the source it is written from.
        let is_generated = is_marked_generated(context.source.text());
        // If history has the target and no spelling leads there, another file is none: `mod a;` for a file that left the module.
        let is_other = missing.instead.as_ref().is_some_and(|path| *path != first.path);
        // A build puts the old file together from the part that it became: `a.md` from `a-prefix.md`.
        let is_part = missing.instead.as_ref().is_some_and(|path| is_only_part(context.tree, path, &missing.wanted));
        // The file of the exact name became another one, and one whose name differs in case stood beside it.
        let was_beside = missing.code == Code::CaseMismatch
            && context.tree.moved(&missing.wanted).is_some_and(|moved| moved.to != first.path);
        let is_open = !is_refuted
            && !leads_to_old_version(context.file, &first.path)
            && !has_rival
            && !was_beside
            && !is_part
            && !is_there
            && !was_there
            && !is_generated
            && !is_other;
        let can_be_applied =
            estimate.is_certain() && !estimate.can_be_deliberate() && !estimate.is_of_unknown_form() && is_open;
        let lacks_anchor = anchor::lacks_fragment(context, literal, &first.path)
            && !anchor::lacked_before_move(context, missing, &first.path);
        let is_left = BELOW.contains(&literal.kind.as_str())
            && first.literal.starts_with("../")
            && !is_written_above(context, literal);
        first.preferred &= can_be_applied && is_same_kind && !lacks_anchor && !is_left && (is_slip || can_have_moved);
        // A word of a script or of data that is the end of the new path works from another working directory, and one in a text that has
        // the new path too can be a record of the move.
        let is_word = [".path", ".string", ".value"].iter().any(|construct| literal.kind.as_str().ends_with(construct));
        let is_end = || first.path.strip_suffix(&missing.wanted).is_some_and(|base| base.ends_with('/'));
        let can_be_meant = is_word && (is_end() || context.source.text().contains(&first.path))
            || is_from_root(rewriting.text_at(&literal.range), missing, first);
        first.preferred = first.preferred && !can_be_meant && !has_stood_in_use(context, literal, missing);
        if lacks_anchor
            || is_refuted
            || is_neighbor
            || is_slip && was_there
            || is_left && context.file.ends_with("ignore")
        {
            first.confidence = first.confidence.min(confidence::MAX_UNSUPPORTED_CONFIDENCE);
        }
        let is_completed = extension(&missing.wanted).is_empty()
            && first.path.strip_prefix(&missing.wanted).is_some_and(|rest| rest.starts_with('.'));
        let has_other_extension = extension_similarity(extension(&missing.wanted), extension(&first.path)) == 0.0;
        if !is_same_kind && !is_completed && has_other_extension {
            first.confidence = first.confidence.min(confidence::MAX_UNSUPPORTED_CONFIDENCE);
        }
    }
    fixes
}

/// Returns whether a page of today would lead to one of an old version.
fn leads_to_old_version(page: &str, target: &str) -> bool {
    let is_kept = |path: &str| path.split('/').any(|name| name == "versioned_docs");
    is_kept(target) && !is_kept(page)
}

/// Returns whether a fix names its target from the root, though the literal was read from a directory that has the target too: what reads
/// the literal looks there.
fn is_from_root(written: Option<&str>, missing: &Missing, fix: &Fix) -> bool {
    let base = written.and_then(|written| missing.wanted.strip_suffix(written));
    let is_base = |base: &str| base.ends_with('/') && fix.path.starts_with(base);
    base.is_some_and(is_base) && fix.literal == fix.path
}

/// Returns whether a string of a program is a link of the page that it prints: `<a href='help.php'>`.
fn is_link(context: &FixContext<'_>, literal: &Checked) -> bool {
    let start = literal.range.start.checked_sub(context.source.offset());
    let before = start.and_then(|at| context.source.text().get(..at)).unwrap_or_default();
    let before = before.strip_suffix(['"', '\'']).map(|before| before.trim_end_matches('\\')).unwrap_or_default();
    [" href=", " src=", " action="].iter().any(|attribute| before.ends_with(attribute))
}

/// Returns whether programs have read a literal for a month, and its path was missing: it is not read, or read from elsewhere, so that no
/// edit is sure. A page can be broken for years, and its readers pass over the link.
fn has_stood_in_use(context: &FixContext<'_>, literal: &Checked, missing: &Missing) -> bool {
    const PAGES: [&str; 7] = ["adoc", "html", "md", "mdx", "rst", "svg", "tex"];
    !PAGES.contains(&literal.kind.language()) && is_month_old(context.tree, context.source, literal, missing)
}

/// Returns the text for a known target that no text leads to, because a file beside it comes first that moved from another path which the
/// literal can name: the declarations of a script, which have its name.
fn rewrite_to_twin(
    context: &FixContext<'_>,
    rewriting: &Rewriting<'_>,
    literal: &Checked,
    missing: &Missing,
    target: &str,
) -> Option<Rewritten> {
    /// JavaScript tries some thirty endings.
    const MAX_TWIN_PLACES: usize = 64;
    if missing.code != Code::MovedPath || missing.instead.as_deref() != Some(target) {
        return None;
    }
    let stem = |path: &str| {
        let name = name(path);
        name.split('.').next().unwrap_or(name).to_owned()
    };
    let is_twin = |to: &String| to != target && parent(to) == parent(target) && stem(to) == stem(target);
    let moved = literal.tried.iter().take(MAX_TWIN_PLACES).filter_map(|path| Some(context.tree.moved(path)?.to));
    moved.filter(is_twin).find_map(|to| rewriting.rewrite_with_followers(literal, &to))
}

/// Returns whether a file was renamed by an addition to its whole name, to put it away or to make a template of it: `a.yml.disabled`,
/// `a.yml.example`. Its readers do without it.
fn is_put_away(wanted: &str, to: &str) -> bool {
    !extension(wanted).is_empty() && name(to).strip_prefix(name(wanted)).is_some_and(|rest| rest.starts_with('.'))
}

/// Returns whether a file that git says moved has one of its name beside the new directory that it did not have beside it before: two files
/// were made of one, as `v1/a.sol` and `v2/a.sol`.
fn has_twin(tree: &dyn SourceTree, wanted: &str, to: &str) -> bool {
    /// More directories beside another one are a list of alike things.
    const MAX_DIRECTORIES: usize = 64;
    let (directory, own) = (parent(to), name(to));
    if directory.is_empty() || paths::is_index(to) {
        return false;
    }
    let names = tree.names(parent(directory));
    // A file that was moved there itself was made of no other.
    let has_moved = |twin: &String| tree.recent_moves().iter().any(|(from, moved)| moved.to == *twin && from != wanted);
    let is_twin = |twin: &String| {
        twin != wanted && tree.kind(twin) == Some(Kind::File) && !tree.were_together(wanted, twin) && !has_moved(twin)
    };
    let others = names.iter().filter(|other| **other != name(directory)).take(MAX_DIRECTORIES);
    others.map(|other| paths::join(parent(directory), &format!("{other}/{own}"))).any(|twin| is_twin(&twin))
}

/// Returns whether another path is as likely meant as the one that git says a path moved to: a file of the name below the directory of
/// the literal's file, which the move left, an entry beside the new one that has words of the old name where the new one has none, or
/// the directory of the new one, if a letter tells its name from the old one.
fn has_rival(context: &FixContext<'_>, wanted: &str, to: &str) -> bool {
    /// Shorter names are like others by chance.
    const MIN_LIKE_BYTES: usize = 5;
    let directory = parent(context.file);
    let is_left = is_below(wanted, directory) && !is_below(to, directory) && !paths::is_index(wanted);
    if is_left && below(context.tree.files(), directory).iter().any(|file| name(file) == name(wanted)) {
        return true;
    }
    let is_long = name(wanted).len() >= MIN_LIKE_BYTES;
    let is_like = |above: &str| {
        is_long && parent(above) == parent(wanted) && edits_within(above.as_bytes(), wanted.as_bytes(), 1).is_some()
    };
    if ancestors(parent(to)).any(is_like) {
        return true;
    }
    let words_of = |path: &str| paths::words(paths::without_extension(name(path)));
    let old = words_of(wanted);
    let is_kept = |name: &str| words_of(name).iter().any(|word| old.contains(word));
    let is_whole = |name: &str| {
        let words = words_of(name);
        !words.is_empty() && words.iter().all(|word| old.contains(word))
    };
    // A directory that its files left can still be there.
    let is_other = |other: &str| name(to) != other && name(wanted) != other;
    // A file that stood beside it before is another one.
    let is_new = |other: &str| !context.tree.were_together(wanted, &paths::join(parent(to), other));
    let is_rival =
        |other: &String| is_other(other) && extension(other) == extension(wanted) && is_whole(other) && is_new(other);
    parent(wanted) == parent(to) && !is_kept(to) && context.tree.names(parent(to)).iter().any(is_rival)
}

/// Returns whether a path was renamed more than a month ago to one without a word of it, or with another word for one that the text beside
/// the literal has too: `[InterfaceItem](InterfaceItem.md)`. Git tells that by the contents, and files with like contents need not be the same; a
/// renaming of today is what the literal waits for.
fn is_old_renaming(context: &FixContext<'_>, literal: &Checked, wanted: &str, to: &str) -> bool {
    let words_of = |path: &str| paths::words(paths::without_extension(name(path)));
    let old = words_of(wanted);
    let new = [words_of(to), words_of(parent(to))].concat();
    let are_like = |a: &String, b: &String| a.starts_with(b.as_str()) || b.starts_with(a.as_str());
    let is_like = |word: &String| old.iter().any(|old| are_like(old, word));
    let is_replaced = || {
        let named = paths::words(&words::text_beside(context.source, &literal.range));
        words_of(to).iter().any(|word| !is_like(word))
            && old.iter().any(|old| named.contains(old) && !new.iter().any(|word| are_like(old, word)))
    };
    // A manifest names its own directory.
    parent(context.file) != to && (!new.iter().any(is_like) || is_replaced()) && context.tree.was_there_a_month_ago(to)
}

/// Returns whether a literal leaves its directory as it is written.
fn is_written_above(context: &FixContext<'_>, literal: &Checked) -> bool {
    let at = literal.range.start - context.source.offset();
    context.source.text().get(at..).is_some_and(|text| text.starts_with("../"))
}

/// Returns whether a path is a part of what the missing path had.
fn is_only_part(tree: &dyn SourceTree, path: &str, whole: &str) -> bool {
    is_part_of(path, whole) || is_one_of_several(tree, path, whole) || is_divided(tree, path, whole)
}

/// Returns whether a file's name says that it is a part or the source of another one beside it.
fn is_part_of(path: &str, whole: &str) -> bool {
    const PARTS: [&str; 14] = [
        "base", "body", "footer", "fragment", "head", "header", "in", "intro", "part", "partial", "prefix", "source",
        "suffix", "template",
    ];
    let (stem, whole_stem) = (paths::without_extension(path), paths::without_extension(whole));
    let added = stem.strip_prefix(whole_stem).and_then(|rest| rest.strip_prefix(['-', '_', '.']));
    added.is_some_and(|added| PARTS.contains(&added))
}

/// Returns whether a file was taken apart, and the path is only one of what came of it: `a.x.md` of `a.md`, beside `a.y.md`.
fn is_one_of_several(tree: &dyn SourceTree, path: &str, whole: &str) -> bool {
    let whole_stem = paths::without_extension(name(whole));
    let is_from_whole = |other: &str| {
        let rest = paths::without_extension(other).strip_prefix(whole_stem);
        extension(other) == extension(whole) && rest.is_some_and(|rest| rest.starts_with(['-', '_', '.']))
    };
    let own = name(path);
    // A file that stood beside the whole one, or moved there itself, did not come of it.
    let is_new = |other: &String| {
        let other = paths::join(parent(path), other);
        !tree.were_together(whole, &other)
            && !tree.recent_moves().iter().any(|(from, moved)| moved.to == other && from != whole)
    };
    let names = tree.names(parent(path));
    is_from_whole(own) && names.iter().any(|other| other != own && is_from_whole(other) && is_new(other))
}

/// Returns whether commits moved a directory's files to several directories, and this one has at most three in four of them.
fn is_divided(tree: &dyn SourceTree, directory: &str, whole: &str) -> bool {
    if tree.kind(directory) != Some(Kind::Directory) {
        return false;
    }
    let moves = tree.recent_moves();
    let left = moves.iter().filter(|(from, _)| is_below(from, whole));
    let (mut all, mut elsewhere) = (0, 0);
    for (_, moved) in left {
        all += 1;
        elsewhere += usize::from(!is_below(&moved.to, directory));
    }
    elsewhere * 4 >= all && elsewhere > 0
}

/// Returns whether a path has the extension of the named path or of one that was tried for it. An image never
/// replaces the name of its checksum.
fn is_same_kind_of_file(literal: &Checked, missing: &Missing, path: &str) -> bool {
    let tried = || std::iter::once(&missing.wanted).chain(&literal.tried);
    missing.instead.as_deref() == Some(path) || tried().any(|tried| extension(tried) == extension(path))
}

#[cfg(test)]
mod tests {
    use super::is_part_of;

    #[test]
    fn recognises_parts_of_files() {
        let check =
            |path: &str, whole: &str, expect: bool| assert_eq!(is_part_of(path, whole), expect, "{path} {whole}");
        check("docs/builtins-prefix.md", "docs/builtins.md", true);
        check("src/a.template.h", "src/a.h", true);
        check("src/base.h", "src/a.h", false);
        check("src/a-b.h", "src/a.h", false);
        check("lib/a-prefix.md", "docs/a.md", false);
    }
}
