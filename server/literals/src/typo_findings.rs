//! Reports literals with a typo that a language's own rules leave undecided. [`check`](fn@crate::check) calls it last.
//!
//! A rule leaves a literal undecided because a build, a site or a test could explain the missing target. None of these explains
//! a name that differs by one typo from the only file beside it and that occurs nowhere else in the project.

use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::generated::is_template_of;
use crate::literal_kind::LiteralKind;
use crate::lookup::count_existing;
use crate::path::{extension, is_within, join, name, parent};
use crate::project::Project;
use crate::source::Source;
use crate::spellings::split_stem;
use crate::tree::Kind;
use crate::typo::{is_respelling, is_typo};

/// Maximum number of tried paths per literal that are compared. Further ones differ only in their extension.
const MAX_COMPARED_PATHS: usize = 16;
/// Maximum number of literals of one file whose paths are guessed. A file with more undecided ones is not of this tree.
const MAX_GUESSED_LITERALS: usize = 200;
/// Maximum number of directories in which one literal is looked for: a site has one for its files, seldom a second.
const MAX_BASES: usize = 4;
/// Maximum number of bytes between the two names of a copy: some lines.
const MAX_COPY_BYTES: usize = 300;
/// Names shorter than this differ by a letter from those of other files by chance.
const MIN_MISSPELT_BYTES: usize = 8;
/// Maximum number of literals whose directories are asked; those of a file differ little.
const MAX_ASKED_LITERALS: usize = 100;

/// Reports undecided literals that have a typo, and raises hints that have one to warnings.
pub(crate) fn apply(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    let before: Vec<(usize, Vec<String>)> = guess_paths(source, project, found);
    let mistyped: Vec<(usize, Missing)> = found
        .iter()
        .enumerate()
        .filter_map(|(at, literal)| Some((at, typo_finding(source, project, found, literal)?)))
        .collect();
    // A guess tells of nothing but a typo.
    for (at, tried) in before {
        if !mistyped.iter().any(|(mistyped, _)| *mistyped == at) {
            found[at].tried = tried;
        }
    }
    for (at, missing) in mistyped {
        found[at].verdict = Verdict::Missing(missing);
    }
}

/// Sets the paths of undecided literals for which their rule has tried none, or none in a directory that exists, where it is a guess from
/// which directory they are read: that of the file, those in which the file's other literals of the kind are, or those that end as the
/// literal's directory does. Returns the paths that they had before.
fn guess_paths(source: &Source<'_>, project: &Project, found: &mut [Checked]) -> Vec<(usize, Vec<String>)> {
    let text_of = |literal: &Checked| source.text_at(&literal.range);
    // Headers of the system have the names of others.
    let is_header = |literal: &Checked| literal.kind.language() == "c";
    let has_directory = |path: &String| project.tree().kind(parent(path)) == Some(Kind::Directory);
    let is_open = |literal: &Checked| {
        !is_header(literal) && allows_typo(project, &literal.verdict) && !literal.tried.iter().any(has_directory)
    };
    let open = (0..found.len()).filter(|at| is_open(&found[*at]));
    let path_at =
        |at: usize| path_of(text_of(&found[at])?).or_else(|| name_of_page(found[at].kind, text_of(&found[at])?));
    let named = open.filter_map(|at| Some((at, path_at(at)?)));
    let named: Vec<(usize, &str)> = named.take(MAX_GUESSED_LITERALS).collect();
    let mut before = Vec::with_capacity(named.len());
    for (at, path) in named {
        let kind = found[at].kind;
        let others = found.iter().filter(|other| other.kind == kind).take(MAX_ASKED_LITERALS);
        let bases = others.filter_map(|other| match &other.verdict {
            Verdict::Found(target) => target.path.strip_suffix(path_of(text_of(other)?)?),
            _ => None,
        });
        let mut bases: Vec<&str> = bases.filter(|base| base.is_empty() || base.ends_with('/')).collect();
        bases.sort_unstable();
        bases.dedup();
        bases.truncate(MAX_BASES);
        let is_relative = text_of(&found[at]).is_some_and(|text| !text.starts_with('/'));
        let own = if is_relative { join(source.directory(), path) } else { None };
        let directory = Some(parent(path)).filter(|directory| !directory.is_empty());
        let ending =
            directory.map(|directory| project.find_all_by_suffix(directory, MAX_BASES + 1)).unwrap_or_default();
        let ending = Some(ending).filter(|directories| directories.len() <= MAX_BASES).unwrap_or_default();
        let ending = ending.into_iter().map(|directory| format!("{directory}/{}", name(path)));
        let mut tried = found[at].tried.clone();
        tried.extend(bases.iter().filter_map(|base| join(base, path)).chain(own).chain(ending));
        tried.dedup();
        before.push((at, std::mem::replace(&mut found[at].tried, tried)));
    }
    before
}

/// The text of a literal of a page that is a name without an ending, such as `LICENSE`.
fn name_of_page(kind: LiteralKind, text: &str) -> Option<&str> {
    let is_name = text.bytes().all(|byte| byte.is_ascii_uppercase() || b"_-".contains(&byte));
    (kind.is_of_page() && is_name && !text.is_empty()).then_some(text)
}

/// The path that a literal says, without what an address has around it; `None` if it does not end as the name of a file does, or is no
/// plain path.
fn path_of(text: &str) -> Option<&str> {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let path = path.strip_prefix("./").unwrap_or(path).trim_start_matches('/');
    // An alias, or a package of a scope, is no directory.
    if path.starts_with('@') {
        return None;
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./+@ ".contains(&byte);
    let is_plain = path.bytes().all(is_part) && !path.starts_with("..") && !path.contains("//");
    let ending = extension(path);
    let is_file = (1..=6).contains(&ending.len()) && ending.starts_with(|first: char| first.is_ascii_alphabetic());
    (is_plain && is_file).then_some(path)
}

/// Returns the finding for a literal that has a typo.
fn typo_finding(source: &Source<'_>, project: &Project, all: &[Checked], literal: &Checked) -> Option<Missing> {
    if !allows_typo(project, &literal.verdict) {
        return None;
    }
    let typo = find_typo(project, &literal.tried)?;
    // A library, or a theme, and the project can have one name in two styles, and a site writes the address of a page in a style of its own.
    let is_elsewhere = literal.verdict == Verdict::Unknown(Reason::Elsewhere);
    let is_library =
        is_elsewhere && (literal.kind.construct() == "import" || literal.kind.as_str() == "template.include");
    let is_page = || literal.kind.is_of_page() && source.text_at(&literal.range).and_then(path_of).is_none();
    if (is_library || is_page()) && differ_in_style(&typo.wanted, &typo.existing) {
        return None;
    }
    if let Verdict::Missing(missing) = &literal.verdict {
        return Some(Missing { severity: Severity::Warning, ..missing.clone() });
    }
    let is_named = |other: &Checked| matches!(&other.verdict, Verdict::Found(target) if target.path == typo.existing);
    let tree = project.tree();
    // The ignored path is a build output, and the similar file is not.
    let is_generated = tree.is_ignored(&typo.wanted) && !tree.is_ignored(&typo.existing);
    // A page of an address can be made by a program, whatever directories have its templates.
    let is_address = literal.kind.is_of_page() && matches!(&literal.verdict, Verdict::Unknown(Reason::Undecided(_)));
    if is_address && tree.kind(&typo.existing) == Some(Kind::Directory) {
        return None;
    }
    // A page names a file as often as it likes, and so do scripts and data but for a copy. In code, a second name for a file is that of
    // another.
    let is_script = matches!(literal.kind.construct(), "path" | "source" | "value" | "string");
    // The steps of a workflow name a program again and again.
    let is_step = literal.kind.construct().rsplit('.').next() == Some("run");
    let is_near = |other: &Checked| {
        if is_step {
            are_in_one_command(source, literal, other)
        } else {
            !is_script || may_be_copied(source, literal, other)
        }
    };
    // A package names its entry under several keys, a style sheet a picture wherever it shows it, Zig a file for each name that it takes
    // from it, and each block of code in a document begins anew.
    let is_picture = ["css.url", "less.url", "scss.url"].contains(&literal.kind.as_str());
    let is_repeated = ["block.", "json.package.", "zig."].iter().any(|start| literal.kind.as_str().starts_with(start));
    let is_free = literal.kind.is_of_page() || is_picture || is_repeated || is_misspelt(&typo);
    if is_generated || !is_free && all.iter().any(|other| is_near(other) && is_named(other)) {
        return None;
    }
    let missing = |code, reason: String, instead| {
        let TypoMatch { wanted, .. } = &typo;
        Missing { code, severity: Severity::Warning, reason, wanted: wanted.clone(), want: Want::Any, instead }
    };
    Some(match tree.moved(&typo.wanted) {
        // A commit mended the name of the file.
        Some(moved) if moved.to == typo.existing && !is_template_of(&moved.to, &typo.wanted) => {
            missing(Code::MovedPath, format!("moved to {} in {}", moved.to, moved.commit), Some(moved.to))
        }
        Some(_) => return None,
        None => missing(Code::MissingPath, format!("{} does not exist", typo.wanted), None),
    })
}

/// Returns whether a name is misspelt rather than that of another file: a long one with a letter too many, one missing, or two in the
/// wrong order. Another letter makes other words: `reader`, `header`.
fn is_misspelt(typo: &TypoMatch) -> bool {
    let stem = |path| name(path).split('.').next().unwrap_or_default().len();
    let sorted = |path: &str| {
        let mut letters: Vec<char> = path.chars().collect();
        letters.sort_unstable();
        letters
    };
    let lengths = (typo.wanted.len(), typo.existing.len());
    stem(&typo.existing) >= MIN_MISSPELT_BYTES
        && (lengths.0 != lengths.1 || sorted(&typo.wanted) == sorted(&typo.existing))
}

/// Returns whether one of two paths can be made from the other: they stand in one command, or are values in neighbouring lines.
fn may_be_copied(source: &Source<'_>, one: &Checked, other: &Checked) -> bool {
    let is_value = |literal: &Checked| {
        let before = source.text().get(..start_of(source, literal)).unwrap_or_default();
        let before = before.trim_end_matches(['"', '\'', '`']);
        // `--file=a.txt` is part of a command.
        let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
        let is_option = word.starts_with("--") && word.ends_with('=');
        !is_option && before.trim_end_matches([' ', '\t']).ends_with([':', '-', '=', '[', '(', '{', ','])
    };
    are_in_one_command(source, one, other) || is_near(source, one, other) && is_value(one) && is_value(other)
}

/// Returns whether two literals stand in one command. A backslash continues it.
fn are_in_one_command(source: &Source<'_>, one: &Checked, other: &Checked) -> bool {
    let (one_start, other_start) = (start_of(source, one), start_of(source, other));
    let between = source.text().get(one_start.min(other_start)..one_start.max(other_start));
    is_near(source, one, other) && between.is_some_and(|between| !between.replace("\\\n", "").contains('\n'))
}

/// Returns whether the distance of two literals is that of two names of a copy.
fn is_near(source: &Source<'_>, one: &Checked, other: &Checked) -> bool {
    start_of(source, one).abs_diff(start_of(source, other)) < MAX_COPY_BYTES
}

/// The offset of a literal in the text of its source.
fn start_of(source: &Source<'_>, literal: &Checked) -> usize {
    literal.range.start.saturating_sub(source.offset())
}

/// Returns whether two paths have the same letters and digits, and differ at most in case and in what separates their words.
pub fn differ_in_style(one: &str, other: &str) -> bool {
    let letters = |path: &str| -> Vec<char> {
        path.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(other)
}

/// Returns whether a verdict allows a typo finding: an undecided literal, or a hint.
fn allows_typo(project: &Project, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Missing(missing) => {
            missing.severity == Severity::Hint && missing.code == Code::MissingPath && missing.instead.is_none()
        }
        // The literal may name a file of exactly this name in another directory.
        Verdict::Unknown(Reason::Undecided(by)) => project.tree().kind(by).is_none(),
        Verdict::Unknown(Reason::Produced(_) | Reason::Ignored(_) | Reason::Elsewhere | Reason::Optional) => true,
        Verdict::Unknown(_) | Verdict::Found(_) => false,
    }
}

/// Returns whether exactly one existing path differs from one of these missing ones by a typo, and no other name of the project
/// explains it.
pub fn is_mistyped(project: &Project, tried: &[String]) -> bool {
    find_typo(project, tried).is_some()
}

/// The existing path for which [`is_mistyped`] is true.
pub fn find_corrected(project: &Project, tried: &[String]) -> Option<String> {
    find_typo(project, tried).map(|typo| typo.existing)
}

/// As [`is_mistyped`], where the existing path is that of a file.
pub fn is_mistyped_file(project: &Project, tried: &[String]) -> bool {
    find_typo(project, tried).is_some_and(|typo| project.tree().kind(&typo.existing) == Some(Kind::File))
}

/// A missing path and the existing path that it differs from by a typo.
#[derive(Debug, PartialEq, Eq)]
struct TypoMatch {
    wanted: String,
    existing: String,
}

/// Returns the match if one correction of one segment makes an existing path of a tried one. In several directories, and with several
/// endings, it is the same.
fn find_typo(project: &Project, tried: &[String]) -> Option<TypoMatch> {
    let mut existing: Vec<(String, usize)> = Vec::new();
    let mut first = None;
    for path in tried.iter().take(MAX_COMPARED_PATHS) {
        for (other, at) in existing_lookalikes(project, path) {
            // A directory is the same path as its index file.
            let is_same = |known: &str| is_within(known, &other) || is_within(&other, known);
            let is_known = |(known, start): &(String, usize)| {
                is_same(known) || correction(known, *start) == correction(&other, at)
            };
            if !existing.iter().any(is_known) {
                first.get_or_insert_with(|| TypoMatch { wanted: path.clone(), existing: other.clone() });
                existing.push((other, at));
            }
        }
    }
    first.filter(|_| existing.len() == 1)
}

/// The part of an existing path by which a missing one is corrected, from the offset of the segment that differs; without the ending, of
/// which `.d.ts` is one.
pub fn correction(existing: &str, at: usize) -> &str {
    let part = &existing[at..];
    let stem = part.rsplit_once('.').map_or(part, |(stem, _)| stem);
    let stem = stem.strip_suffix(".d").unwrap_or(stem);
    // A package and a module beside it have one name.
    stem.strip_suffix("/__init__").unwrap_or(stem)
}

/// Returns the existing paths that differ from `path` by a typo in its first missing segment, with the offset of that.
fn existing_lookalikes(project: &Project, path: &str) -> Vec<(String, usize)> {
    let tree = project.tree();
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    let existing = &ends[..count_existing(tree, path, &ends)];
    let last = existing.iter().rev().find(|at| tree.kind(&path[..**at]) == Some(Kind::Directory));
    let start = last.map_or(0, |at| at + 1);
    let (before, rest) = path.split_at(start);
    let (segment, rest) = rest.split_once('/').map_or((rest, None), |(segment, rest)| (segment, Some(rest)));
    let (stem, ending) = split_stem(segment);
    // A name that occurs elsewhere in the project is no typo.
    if stem.is_empty() || project.has_name(stem) || project.find_by_suffix(segment).is_some() {
        return Vec::new();
    }
    let spellings = project.spellings(before.trim_end_matches('/'));
    let is_near = |other: &&String| {
        let (other, end) = split_stem(name(other));
        // An underscore in front makes another name: `_version` is what `version` reads.
        let is_private = stem.trim_start_matches('_') == other.trim_start_matches('_');
        end == ending && (is_typo(stem, other) || is_respelling(stem, other)) && !is_plural(stem, other) && !is_private
    };
    let there = spellings.with_digits_of(segment).filter(is_near).map(|other| match rest {
        Some(rest) => format!("{before}{other}/{rest}"),
        None => format!("{before}{other}"),
    });
    there.filter(|path| tree.kind(path).is_some()).map(|path| (path, start)).collect()
}

/// Returns whether one word is the plural of the other. Then neither is a typo.
pub fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}
