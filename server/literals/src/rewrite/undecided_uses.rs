//! Edits of literals that no rule of their language resolves, but that name a moved file by its path: `@/components/Card.vue` behind an
//! alias of which nothing is known, `docs/setup.md` from the root, `app.models.user` below an unknown source directory.
//!
//! A finding needs a rule that says where a literal leads. Here the move is certain and only the question is whether this literal means
//! the moved file: its names must be the last ones of that file's path and of no other. The new text names the new path in the same
//! form, from the same directory.

use super::move_edits::MoveRewriter;
use super::spellings::generate_spellings;
use super::style::LiteralStyle;
use crate::checked::{Checked, Reason, Verdict};
use crate::path::{extension, is_within, name, parent};
use crate::project::Project;
use crate::source::Source;

/// Names that a path needs if the directory that it starts from is not known. One name is a word.
const MIN_NAMES: usize = 2;
/// Names that a module needs, as modules of dependencies have two.
const MIN_MODULE_NAMES: usize = 3;
/// Most moved files that a literal is compared with. A move of more is one of a whole tree, in which most paths stay right.
const MAX_MOVED_FILES: usize = 500;

/// Returns the files that moves move, by their old paths.
pub(super) fn moved_files<'p>(before: &'p Project, moves: &[(String, String)]) -> Vec<&'p str> {
    let files = before.tree().files();
    let below = |(from, _): &(String, String)| {
        let from = from.clone();
        let start = files.partition_point(|file| *file < from);
        let here = files[start..].iter().map(String::as_str).take_while({
            let from = from.clone();
            move |file| file.starts_with(&from)
        });
        here.filter(move |file| is_within(file, &from))
    };
    moves.iter().flat_map(below).take(MAX_MOVED_FILES).collect()
}

impl MoveRewriter<'_> {
    /// Returns the new text of a literal that names one of the moved `files`, although its verdict is unknown or missing.
    pub(super) fn rewrite_undecided(&self, source: &Source<'_>, literal: &Checked, files: &[&str]) -> Option<String> {
        let is_open = match &literal.verdict {
            Verdict::Unknown(reason) => {
                matches!(
                    reason,
                    Reason::Elsewhere
                        | Reason::NotInstalled
                        | Reason::Produced(_)
                        | Reason::Undecided(_)
                        | Reason::Doubtful(_)
                )
            }
            Verdict::Missing(missing) => missing.instead.is_none(),
            Verdict::Found(_) => false,
        };
        let skipped = source.offset();
        let written = source.text().get(literal.range.start - skipped..literal.range.end - skipped)?;
        if !is_open || written.starts_with('.') || written.contains(['*', ':', ' ', '{']) {
            return None;
        }
        // Comparing whole paths takes long, and a move can have hundreds of files.
        let last = written.split(['#', '?']).next()?.rsplit('/').next()?;
        let stem = if written.contains('/') { last.split('.').next()? } else { last.rsplit('.').next()? };
        if stem.is_empty() {
            return None;
        }
        let has_name = |file: &&&str| name(file).starts_with(stem) || name(parent(file)) == last;
        let (file, style) = files.iter().filter(has_name).find_map(|file| {
            let style = LiteralStyle::infer(written, file, source);
            names_only(self.before, &style, file).then_some((*file, style))
        })?;
        let target = self.moved_path(file);
        let style = LiteralStyle { base: self.moved_path(&style.base), relative_to: None, ..style };
        let new = generate_spellings(&style, &target, source, &[]).into_iter().find(|new| new != written)?;
        let now = LiteralStyle::infer(&new, &target, source);
        let is_same_form = (&now.lead, &now.base, now.separator) == (&style.lead, &style.base, style.separator);
        (is_same_form && names_only(self.after, &now, &target)).then_some(new)
    }
}

/// Returns whether a literal of this style names this file of a tree and can name no other.
pub(super) fn names_only(project: &Project, style: &LiteralStyle<'_>, file: &str) -> bool {
    if !has_path_form(style) {
        return false;
    }
    let is_rooted = is_rooted(style);
    if is_rooted && style.base.is_empty() {
        return true;
    }
    // Without an extension or an alias, the first name of a path can be a package.
    let path = style.written.strip_suffix(style.suffix).unwrap_or(style.written);
    let suffix = file.get(style.base.len()..).unwrap_or_default().trim_start_matches('/');
    (!is_rooted || !extension(path).is_empty() && extension(path) == extension(file))
        && project.find_all_by_suffix(suffix, 2).len() == 1
}

/// Returns whether a literal of this style has enough names to mean one file: a path from a root, one behind an alias, or a module.
pub(super) fn has_path_form(style: &LiteralStyle<'_>) -> bool {
    let is_alias =
        style.separator == '/' && style.lead.starts_with(['@', '~', '#', '$']) && style.lead.matches('/').count() == 1;
    let is_module = style.separator == '.' && style.lead.is_empty() && style.common >= MIN_MODULE_NAMES;
    style.common >= MIN_NAMES && (is_rooted(style) || is_alias || is_module)
}

/// Returns whether a literal of this style is a path from some root.
pub(super) fn is_rooted(style: &LiteralStyle<'_>) -> bool {
    style.separator == '/' && matches!(style.lead.as_str(), "" | "/")
}
