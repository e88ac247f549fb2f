//! `LiteralStyle`: how a literal is written, inferred from its text and its target.

use std::borrow::Cow;

use super::endings::{Omission, with_extension, without_index, without_partial_underscore};
use crate::checked::{Checked, Missing};
use crate::path::{extension, join, name, parent, percent_decoded};
use crate::source::Source;

/// The style of a literal.
///
/// The literal is `lead`, then segments in common with the target, then `suffix`. The target is `base`, then the same
/// segments, then the omitted ending.
#[derive(Clone, Debug)]
pub(super) struct LiteralStyle<'l> {
    /// The text of the literal.
    pub(super) written: &'l str,
    /// The text before the common segments, with its last separator: `./`, `../../`, `@/`, `/`, `github.com/a/b/`, `..`.
    pub(super) lead: String,
    /// The directory in which the common segments begin, relative to the root.
    pub(super) base: String,
    /// The separator between segments; `:` stands for `::`, and `;` for the single colon of a Gradle project.
    pub(super) separator: char,
    /// The number of segments that literal and target have in common.
    pub(super) common: usize,
    /// The part of the target that is not written.
    pub(super) omitted: Omission,
    /// The name of the index file, if it is omitted.
    pub(super) index: Option<String>,
    /// Query and fragment, with a slash before them if there is one.
    pub(super) suffix: &'l str,
    /// True if the literal is percent-encoded.
    pub(super) is_encoded: bool,
    /// For a relative literal: the directory that it is relative to.
    pub(super) relative_to: Option<String>,
}

impl<'l> LiteralStyle<'l> {
    /// Infers the style of a literal with the text `written` that names `target`.
    pub(super) fn infer(written: &'l str, target: &str, source: &Source<'_>) -> Self {
        let mut best: Option<Self> = None;
        for cut in path_ends(written) {
            for separator in ['/', '\\', '.', ':', ';'] {
                for omitted in Omission::ALL {
                    let Some(style) = Self::align(written, cut, separator, omitted, target) else { continue };
                    if best.as_ref().is_none_or(|best| style.common > best.common) {
                        best = Some(style);
                    }
                }
            }
        }
        let mut style = best.unwrap_or_else(|| Self {
            written,
            lead: String::new(),
            base: source.directory().to_owned(),
            separator: '/',
            common: 0,
            omitted: Omission::Nothing,
            index: None,
            suffix: "",
            is_encoded: false,
            relative_to: None,
        });
        style.relative_to = style.find_relative_base(source);
        style
    }

    /// Aligns text and target for one choice of cut, separator and omission; `None` if they have no segment in common.
    fn align(written: &'l str, cut: usize, separator: char, omitted: Omission, target: &str) -> Option<Self> {
        let path = written[..cut].trim_end_matches('/');
        let suffix = &written[path.len()..];
        let (mark, path) = split_mark(path);
        // Dots are separators only in literals without slashes and backslashes.
        if separator == '.' && path.contains(['/', '\\'])
            || separator == '\\' && !path.contains('\\')
            || separator == ':' && !path.contains("::")
            || separator == ';' && (mark != ":" || !path.contains(':') || path.contains("::"))
        {
            return None;
        }
        let decoded = percent_decoded(path);
        let is_encoded = matches!(decoded, Cow::Owned(_));
        let stem = omitted.omit(target)?;
        let without_underscore = without_partial_underscore(stem);
        // `a.js` names the output of `a.ts`.
        let had = extension(path);
        let has_other_extension = omitted == Omission::Nothing
            && !had.is_empty()
            && had != extension(target)
            // `a.md#b` has a fragment, which a fix keeps or is none.
            && !had.contains(['#', '?']);
        let compiled = has_other_extension.then(|| with_extension(target, &had)).flatten();
        let segments: Vec<&str> = decoded.split(separator_text(separator)).collect();
        let common = [Some(stem), without_underscore.as_deref(), compiled.as_deref()]
            .into_iter()
            .flatten()
            .map(|stem| count_common(&segments, stem))
            .max()?;
        if common == 0 {
            return None;
        }
        let before = &segments[..segments.len() - common];
        let mut lead: String = before.iter().flat_map(|segment| [*segment, separator_text(separator)]).collect();
        lead.insert_str(0, mark);
        if separator == '.' && before.iter().any(|segment| !segment.is_empty()) {
            // `a.b.c`: a package name before the common segments.
            lead = format!("{mark}{}.", before.join("."));
        }
        let mut base = stem;
        for _ in 0..common {
            base = parent(base);
        }
        let base = base.to_owned();
        let index = (omitted == Omission::Index).then(|| name(target).to_owned());
        Some(Self { written, lead, base, separator, common, omitted, index, suffix, is_encoded, relative_to: None })
    }

    /// Returns whether the literal has a segment in common with its target.
    pub(super) fn is_aligned(&self) -> bool {
        self.common > 0
    }

    /// Returns whether the literal is the name of its target without the ending and nothing else, so that its separator is not known.
    pub(super) fn is_bare_name(&self) -> bool {
        let is_name = !self.written.contains(['/', '\\', '.', ':']) && self.suffix.is_empty();
        is_name && self.common == 1 && !matches!(self.omitted, Omission::Nothing)
    }

    /// Returns whether the base of the literal depends on the path of its file.
    pub(super) fn is_relative(&self) -> bool {
        self.relative_to.is_some()
    }

    /// Returns the directory of an index file, by the index name of this literal or by convention.
    pub(super) fn without_index<'p>(&self, path: &'p str) -> Option<&'p str> {
        let is_index = self.index.as_deref() == Some(name(path));
        if is_index { Some(parent(path)) } else { without_index(path) }
    }

    /// Returns whether both styles have the same lead, base and separator.
    pub(super) fn has_same_base(&self, other: &Self) -> bool {
        (&self.lead, &self.base, self.separator) == (&other.lead, &other.base, other.separator)
    }

    /// Returns the directory that a relative literal is relative to: that of the file, or one near it.
    fn find_relative_base(&self, source: &Source<'_>) -> Option<String> {
        let directory = source.directory();
        if self.separator == '.' {
            // `.a` is beside the file, `..a` one further up.
            let ups = self.lead.len().checked_sub(1).filter(|_| self.lead.bytes().all(|byte| byte == b'.'))?;
            return (join(directory, &"../".repeat(ups)).as_ref() == Some(&self.base)).then(|| directory.to_owned());
        }
        // The names of modules are not those of directories, so that `super::a` is not like `../a`.
        if self.separator == ':' {
            return None;
        }
        let lead = self.lead.replace('\\', "/");
        if !lead.split('/').all(|segment| matches!(segment, "" | "." | "..")) || lead.starts_with('/') {
            return None;
        }
        let stem = source.path().rsplit_once('.').map_or(source.path(), |(stem, _)| stem);
        // Sites serve a page as a directory of its own; some tools run in the parent directory.
        let near = [directory, stem, parent(directory)];
        let fits = |place: &&str| join(place, &lead).as_ref() == Some(&self.base);
        // Without `./` or `../`, the literal is as likely relative to a root.
        let near = if lead.is_empty() { &near[..1] } else { &near[..] };
        near.iter().copied().find(fits).map(str::to_owned)
    }
}

/// Returns the byte offsets at which the path of a literal can end: its end, or before a query or fragment.
fn path_ends(written: &str) -> impl Iterator<Item = usize> {
    let marks = [Some(written.len()), written.find('#'), written.find('?')];
    marks.into_iter().flatten().filter(|at| *at > 0)
}

pub(super) fn separator_text(separator: char) -> &'static str {
    match separator {
        '.' => ".",
        '\\' => "\\",
        ':' => "::",
        ';' => ":",
        _ => "/",
    }
}

/// Returns the number of equal segments at the end. `.` and `..` do not count.
fn count_common(segments: &[&str], path: &str) -> usize {
    let ends = segments.iter().rev().zip(path.rsplit('/'));
    ends.take_while(|(a, b)| **a == *b && !matches!(**a, "" | "." | "..")).count()
}

/// Splits off a mark that is written before a path and is no part of it: `all:` of Go's patterns, the colon of a Gradle project.
fn split_mark(path: &str) -> (&str, &str) {
    let at = path.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(path.len());
    let is_mark =
        path[at..].starts_with(':') && path[at + 1..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
    if is_mark { path.split_at(at + 1) } else { ("", path) }
}

/// The path that a literal would have had beside its target, of those that were tried: an address from the root of a site is that of a file
/// in any of several directories (`/a.png` of `public/a.png`), and keeps that of its target. A typo was made in one segment.
pub(super) fn wanted_beside<'l>(literal: &'l Checked, written: &str, missing: &'l Missing, target: &str) -> &'l str {
    let differing = |path: &str| {
        let is_as_deep = path.matches('/').count() == target.matches('/').count();
        is_as_deep.then(|| path.split('/').zip(target.split('/')).filter(|(one, other)| one != other).count())
    };
    let is_beside = |path: &&String| parent(path) == parent(target);
    let beside = literal.tried.iter().find(is_beside).filter(|_| written.starts_with('/'));
    let corrected = || literal.tried.iter().find(|path| differing(path) == Some(1));
    let is_typo_elsewhere = missing.instead.is_none() && differing(&missing.wanted) != Some(1);
    beside.or_else(|| corrected().filter(|_| is_typo_elsewhere)).unwrap_or(&missing.wanted)
}
