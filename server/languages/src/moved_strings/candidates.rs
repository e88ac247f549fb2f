//! Recognises lists of paths that a program looks for.

use std::ops::Range;

use pathfinder_literals::path::{ancestors, extension, join};
use pathfinder_literals::{Project, Source};
use rustc_hash::FxHashSet;

/// Returns whether a text has the same path with several other endings, of which no file ever was: a program lists what it looks for, and which of
/// them is there says nothing.
pub(super) fn is_among_candidates(source: &Source<'_>, project: &Project, string: &Range<usize>) -> bool {
    /// Fewer can be typos.
    const MIN_OTHERS: usize = 2;
    /// A program that looks for more endings says no more by them.
    const MAX_OTHERS: usize = 16;
    let (text, tree) = (source.text(), project.tree());
    let path = &text[string.clone()];
    let ending = extension(path);
    let Some(stem) = path.strip_suffix(ending.as_str()).filter(|stem| stem.len() > 1 && stem.ends_with('.')) else {
        return false;
    };
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
    let others = memchr::memmem::find_iter(text.as_bytes(), stem).filter_map(|at| {
        let rest = &text[at + stem.len()..];
        let other = &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric())?];
        let is_other = text[..at].ends_with(is_quote) && rest[other.len()..].starts_with(is_quote);
        (is_other && other != ending.as_str()).then(|| format!("{stem}{other}"))
    });
    let never = |path: &str| {
        ancestors(source.directory())
            .filter_map(|at| join(at, path))
            .all(|path| tree.kind(&path).is_none() && tree.moved(&path).is_none() && !tree.was_there(&path))
    };
    let others: FxHashSet<String> = others.take(MAX_OTHERS).collect();
    others.len() >= MIN_OTHERS && others.iter().filter(|other| never(other)).count() >= MIN_OTHERS
}
