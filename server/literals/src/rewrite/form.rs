//! `Form`: how a literal is written, told from what it says and what that named.

use std::borrow::Cow;

use super::ending::{Omitted, without_index, without_mark};
use crate::path::{join, name, parent, percent_decoded};
use crate::source::Source;

/// See the module's text. A literal is `lead`, then segments that the target has too, then `behind`; the target is
/// `base`, then the same segments, then what the literal omits.
#[derive(Clone, Debug)]
pub(super) struct Form<'l> {
    /// As it is written.
    pub(super) written: &'l str,
    /// What stands before the segments, with its last separator: `./`, `../../`, `@/`, `/`, `github.com/a/b/`, `..`.
    pub(super) lead: String,
    /// The directory that the segments begin in, relative to the root.
    pub(super) base: String,
    /// Between segments.
    pub(super) separator: char,
    /// How many segments literal and target have in common.
    pub(super) common: usize,
    /// What of the target is not written.
    pub(super) omitted: Omitted,
    /// The name of the file that stands for its directory, where that is omitted.
    pub(super) index: Option<String>,
    /// Query and fragment, and a slash before them.
    pub(super) behind: &'l str,
    /// Whether characters are written as `%20`.
    pub(super) is_encoded: bool,
    /// For a relative one: the directory that it is seen from.
    pub(super) seen_from: Option<String>,
}

impl<'l> Form<'l> {
    /// The form of what is written in a file and names `target`.
    pub(super) fn of(written: &'l str, target: &str, source: &Source<'_>) -> Self {
        let mut best: Option<Self> = None;
        for cut in cuts(written) {
            for separator in ['/', '\\', '.'] {
                for omitted in Omitted::ALL {
                    let Some(form) = Self::aligned(written, cut, separator, omitted, target) else { continue };
                    if best.as_ref().is_none_or(|best| form.common > best.common) {
                        best = Some(form);
                    }
                }
            }
        }
        let mut form = best.unwrap_or_else(|| Self {
            written,
            lead: String::new(),
            base: source.directory().to_owned(),
            separator: '/',
            common: 0,
            omitted: Omitted::Nothing,
            index: None,
            behind: "",
            is_encoded: false,
            seen_from: None,
        });
        form.seen_from = form.where_from(source);
        form
    }

    /// The form with these choices; `None` if they make no sense.
    fn aligned(written: &'l str, cut: usize, separator: char, omitted: Omitted, target: &str) -> Option<Self> {
        let path = written[..cut].trim_end_matches('/');
        let behind = &written[path.len()..];
        // Dots separate only what has no other separator.
        if separator == '.' && path.contains(['/', '\\']) || separator == '\\' && !path.contains('\\') {
            return None;
        }
        let decoded = percent_decoded(path);
        let is_encoded = matches!(decoded, Cow::Owned(_));
        let stem = omitted.omit(target)?;
        let unmarked = without_mark(stem);
        let segments: Vec<&str> = decoded.split(separator).collect();
        let common =
            [Some(stem), unmarked.as_deref()].into_iter().flatten().map(|stem| common(&segments, stem)).max()?;
        if common == 0 {
            return None;
        }
        let before = &segments[..segments.len() - common];
        let mut lead: String = before.iter().flat_map(|segment| [*segment, separator_text(separator)]).collect();
        if separator == '.' && before.iter().any(|segment| !segment.is_empty()) {
            // `a.b.c`: some package before what is here.
            lead = before.join(".") + ".";
        }
        let mut base = stem;
        for _ in 0..common {
            base = parent(base);
        }
        let base = base.to_owned();
        let index = (omitted == Omitted::Index).then(|| name(target).to_owned());
        Some(Self { written, lead, base, separator, common, omitted, index, behind, is_encoded, seen_from: None })
    }

    /// Whether anything of the literal was found again in what it names.
    pub(super) fn is_aligned(&self) -> bool {
        self.common > 0
    }

    /// Whether it is seen from a directory that depends on where the file is.
    pub(super) fn is_relative(&self) -> bool {
        self.seen_from.is_some()
    }

    /// The directory that a path stands for, if it is written so here or anywhere.
    pub(super) fn without_index<'p>(&self, path: &'p str) -> Option<&'p str> {
        let is_index = self.index.as_deref() == Some(name(path));
        if is_index { Some(parent(path)) } else { without_index(path) }
    }

    /// Whether both say where they begin in the same way.
    pub(super) fn same_style(&self, other: &Self) -> bool {
        (&self.lead, &self.base, self.separator) == (&other.lead, &other.base, other.separator)
    }

    /// The directory that a relative literal is seen from: that of the file, or one near it.
    fn where_from(&self, source: &Source<'_>) -> Option<String> {
        let directory = source.directory();
        if self.separator == '.' {
            // `.a` is beside the file, `..a` one further up.
            let ups = self.lead.len().checked_sub(1).filter(|_| self.lead.bytes().all(|byte| byte == b'.'))?;
            return (join(directory, &"../".repeat(ups)).as_ref() == Some(&self.base)).then(|| directory.to_owned());
        }
        let lead = self.lead.replace('\\', "/");
        if !lead.split('/').all(|segment| matches!(segment, "" | "." | "..")) || lead.starts_with('/') {
            return None;
        }
        let stem = source.path().rsplit_once('.').map_or(source.path(), |(stem, _)| stem);
        // A page is served as a directory of its own; a tool is run in the directory above.
        let near = [directory, stem, parent(directory)];
        let fits = |place: &&str| join(place, &lead).as_ref() == Some(&self.base);
        // Without a step, it is as likely seen from some root.
        let near = if lead.is_empty() { &near[..1] } else { &near[..] };
        near.iter().copied().find(fits).map(str::to_owned)
    }
}

/// Where the path of a literal can end: at its end, or before a query or fragment.
fn cuts(written: &str) -> impl Iterator<Item = usize> {
    let marks = [Some(written.len()), written.find('#'), written.find('?')];
    marks.into_iter().flatten().filter(|at| *at > 0)
}

fn separator_text(separator: char) -> &'static str {
    match separator {
        '.' => ".",
        '\\' => "\\",
        _ => "/",
    }
}

/// How many last segments are the same. Steps are no segments.
fn common(segments: &[&str], path: &str) -> usize {
    let ends = segments.iter().rev().zip(path.rsplit('/'));
    ends.take_while(|(a, b)| **a == *b && !matches!(**a, "" | "." | "..")).count()
}
