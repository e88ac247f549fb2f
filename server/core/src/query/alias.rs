//! Parses first segments that stand for a directory: home, variables, import aliases, diff prefixes.

use super::cost;
use super::note::Note;

/// Names of variables that hold the home directory.
const HOMES: &[&str] = &["HOME", "USERPROFILE", "HOMEPATH", "env:HOME", "env:USERPROFILE"];

/// Parts of variable names that usually hold the project's own directory.
const ROOTS: &[&str] = &["workspace", "project", "root", "pwd", "repo", "source_dir", "manifest_dir", "toplevel"];

/// A first segment that stands for a directory whose path the text does not contain.
#[derive(Debug, PartialEq)]
pub(super) enum Start<'a> {
    /// The home directory, followed by this rest.
    Home(&'a str),
    /// An unknown directory, followed by `rest`. `is_certain`: no file name looks like this variable.
    Variable { rest: &'a str, cost: f32, is_certain: bool },
}

/// Parses `~/x`, `$HOME/x`, `${VAR}/x`, `%VAR%/x`, `$(VAR)/x`, `${{ expression }}/x`, `$VAR$/x`, `<rootDir>/x`.
pub(super) fn parse_start(text: &str) -> Option<Start<'_>> {
    if let Some(rest) = text.strip_prefix('~') {
        if rest.is_empty() || rest.starts_with('/') {
            return Some(Start::Home(rest));
        }
        // `~user/x`; `~$lock.docx` has no separator.
        let (_, rest) = rest.split_once('/')?;
        return Some(Start::Variable { rest, cost: cost::VARIABLE, is_certain: false });
    }
    let (name, rest) = split_variable(text)?;
    let name = name.trim();
    if HOMES.contains(&name) {
        return Some(Start::Home(rest));
    }
    if name.is_empty() || rest.trim_matches('/').is_empty() {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let cost = if ROOTS.iter().any(|part| lower.contains(part)) { cost::VARIABLE_ROOT } else { cost::VARIABLE };
    // `$postId/edit.tsx` is the name of a route; shell variables are in capitals.
    let is_certain = !text.starts_with('$') || text.starts_with(['{', '(']) || !name.contains(char::is_lowercase);
    Some(Start::Variable { rest, cost, is_certain })
}

/// Splits a leading variable off: its name, and the text behind it.
fn split_variable(text: &str) -> Option<(&str, &str)> {
    for (open, close) in [("${{", "}}"), ("${", "}"), ("$(", ")"), ("%", "%"), ("<", ">")] {
        if let Some(rest) = text.strip_prefix(open) {
            return rest.split_once(close).filter(|(_, rest)| rest.is_empty() || rest.starts_with('/'));
        }
    }
    let rest = text.strip_prefix('$')?;
    let (name, rest) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let name = name.strip_suffix('$').unwrap_or(name);
    name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:".contains(&b)).then_some((name, rest))
}

/// One directory that an alias can stand for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alias {
    /// The alias with its separator.
    mark: &'static str,
    /// The segments that replace it.
    pub(super) segments: &'static [&'static str],
    pub(super) note: Note,
    pub(super) cost: f32,
}

const fn alias(mark: &'static str, segments: &'static [&'static str], note: Note, cost: f32) -> Alias {
    Alias { mark, segments, note, cost }
}

/// Aliases of bundlers and frameworks, and the prefixes that git puts before both sides of a diff.
const ALIASES: &[Alias] = &[
    alias("@/", &["src"], Note::Alias, cost::ALIAS_SOURCE),
    alias("@/", &[], Note::Alias, cost::ALIAS_ROOT),
    alias("~/", &["src"], Note::Alias, cost::ALIAS_ROOT + cost::MODULE_SOURCE),
    alias("~/", &[], Note::Alias, cost::ALIAS_ROOT),
    alias("#/", &["src"], Note::Alias, cost::ALIAS_SOURCE),
    alias("#/", &[], Note::Alias, cost::ALIAS_ROOT),
    alias("@@/", &[], Note::Alias, cost::ALIAS_ROOT),
    alias("~~/", &[], Note::Alias, cost::ALIAS_ROOT),
    alias("$lib/", &["src", "lib"], Note::Alias, cost::ALIAS_SOURCE),
    alias("a/", &[], Note::DiffPrefix, cost::DIFF_PREFIX),
    alias("b/", &[], Note::DiffPrefix, cost::DIFF_PREFIX),
    alias("i/", &[], Note::DiffPrefix, cost::DIFF_MNEMONIC),
    alias("w/", &[], Note::DiffPrefix, cost::DIFF_MNEMONIC),
    alias("c/", &[], Note::DiffPrefix, cost::DIFF_MNEMONIC),
    alias("o/", &[], Note::DiffPrefix, cost::DIFF_MNEMONIC),
];

/// Every alias that the text begins with, with the text behind it.
pub(super) fn find_aliases(text: &str) -> impl Iterator<Item = (Alias, &str)> {
    ALIASES.iter().filter_map(|&alias| {
        let rest = text.strip_prefix(alias.mark)?;
        (!rest.trim_matches('/').is_empty()).then_some((alias, rest))
    })
}

/// Returns whether the text starts with an alias mark that no directory has as its name.
pub(super) fn has_alias_mark(text: &str) -> bool {
    ["~/", "@/", "#/", "@@/", "~~/"].iter().any(|mark| text.starts_with(mark))
}
