//! `MoveRewriter`: the edits that keep literals correct when files or directories move. `workspace/willRenameFiles` uses it.

use std::ops::Range;

use super::endings::is_declaration_of;
use super::joined::JoinedLiterals;
use super::style::LiteralStyle;
use super::undecided_uses::moved_files;
use super::{Rewriting, Rewritten};
use crate::check::check;
use crate::checked::{Checked, Verdict};
use crate::package_declaration::{PackageRename, rename_package, text_after_move};
use crate::path::{extension, is_within, name, parent, without_query};
use crate::project::Project;
use crate::reverse_dependencies::is_index_file;
use crate::source::Source;

/// Files of one directory whose moves are compared, for each literal that leads to the module or package of the directory.
const MAX_FOLLOWED_FILES: usize = 64;

/// An edit of one literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Byte range of the literal in the file.
    pub range: Range<usize>,
    /// The new text; `None` if no spelling leads to the moved target.
    pub literal: Option<String>,
}

/// Computes the edits for a set of simultaneous moves.
pub struct MoveRewriter<'a> {
    /// The project before the moves.
    pub before: &'a Project,
    /// The project after the moves: the moved entries exist only at their new paths.
    pub after: &'a Project,
    /// Old and new paths of the moved files and directories, relative to the root. None lies inside another.
    pub moves: &'a [(String, String)],
}

impl MoveRewriter<'_> {
    /// Returns the edits for a file, in source order. `path` is the path of the file before the moves.
    pub fn edits(&self, path: &str, bytes: &[u8]) -> Vec<Edit> {
        let moved = self.moved_path(path);
        let (Some(old), Some(new)) = (Source::new(path, bytes), Source::new(&moved, bytes)) else { return Vec::new() };
        let was = check(&old, self.before);
        let resolved = was.iter().filter_map(|literal| match &literal.verdict {
            Verdict::Found(target) => Some((literal, target.path.as_str())),
            _ => None,
        });
        let own = self.package_rename(&old, &moved).map(|own| {
            let range = own.range.start + old.offset()..own.range.end + old.offset();
            Edit { range, literal: Some(own.written) }
        });
        // Keeps literals of moved files, and literals with moved targets. All others stay correct.
        let is_own = |literal: &Checked| own.as_ref().is_some_and(|own| own.range == literal.range);
        let affected: Vec<(&Checked, &str)> = resolved
            .filter(|(literal, target)| (moved != path || self.moved_path(target) != *target) && !is_own(literal))
            // `/` is where a site begins, and no name of what moved. A path from there does not depend on the page.
            .filter(|(literal, target)| {
                let path = path_of(&old, literal);
                path != "/" && (!path.starts_with('/') || self.moved_path(target) != *target)
            })
            .filter(|(_, target)| !self.is_left_behind(target))
            .collect();
        let files = moved_files(self.before, self.moves);
        let undecided = was.iter().filter(|literal| !is_own(literal)).filter_map(|literal| {
            Some(Edit { range: literal.range.clone(), literal: Some(self.rewrite_undecided(&old, literal, &files)?) })
        });
        let mut others: Vec<Edit> = own.iter().cloned().chain(undecided).collect();
        if affected.is_empty() {
            others.sort_by_key(|edit| edit.range.start);
            return others;
        }
        let now = check(&new, self.after);
        let (rewriting, moved_source) = (Rewriting::new(&new, self.after, &now), &new);
        let edits = affected.into_iter().filter_map(|(literal, target)| {
            let is_exact = keeps_extension(path_of(&old, literal), target, &self.moved_path(target));
            let directory = target;
            let target = self.moved_path(target);
            let leads_there = |found: &str| {
                found == target || self.has_moved_index(directory, found) || is_declaration_of(&target, found)
            };
            let is_right =
                |now: &&Checked| is_exact && matches!(&now.verdict, Verdict::Found(found) if leads_there(&found.path));
            if now.iter().filter(|now| now.range == literal.range).any(|now| is_right(&now)) {
                return None;
            }
            let style = self.style(&old, &new, literal)?;
            if self.is_ambiguous_include(&style, literal) {
                return None;
            }
            let by_package = self.import_after_move(style.written, directory, &target);
            let new = rewriting.respell(literal, &style, &target, by_package).filter(|new| new.followers.is_empty());
            // A package publishes its own files. Those that stayed in its earlier directory are to be moved too.
            let leads_out = |new: &Rewritten| new.literal.starts_with("../") && !style.written.starts_with("..");
            if name(path) == "package.json" && moved != path && new.as_ref().is_some_and(leads_out) {
                return None;
            }
            if new.is_none()
                && let Some((range, module)) =
                    self.edit_of_continued(&old, moved_source, &rewriting, literal, directory, &target)
            {
                return Some((literal, Edit { range, literal: Some(module) }));
            }
            Some((literal, Edit { range: literal.range.clone(), literal: new.map(|new| new.literal) }))
        });
        let mut edits: Vec<(&Checked, Edit)> = edits.collect();
        // The literal that another one continues has an edit of its own if its target moved too.
        let is_own = |(literal, edit): &(&Checked, Edit)| literal.range == edit.range;
        let edited = edits.iter().filter(|it| is_own(it) && it.1.literal.is_some()).map(|(_, edit)| edit.range.clone());
        let edited: Vec<Range<usize>> = edited.collect();
        edits.retain(|it| is_own(it) || !edited.contains(&it.1.range));
        // Several names can continue one literal.
        let mut known: Vec<Range<usize>> = Vec::new();
        edits.retain(|it| {
            let is_new = is_own(it) || !known.contains(&it.1.range);
            known.extend((!is_own(it)).then(|| it.1.range.clone()));
            is_new
        });
        self.respell_after_edits(&old, &new, bytes, &mut edits);
        let renamed = edits.iter().filter(|it| is_own(it));
        let uses = renamed.filter_map(|(literal, edit)| self.before.edit_uses(&old, literal, edit.literal.as_deref()?));
        others.extend(uses.flatten().map(|(range, new)| Edit { range, literal: Some(new) }));
        let mut edits: Vec<Edit> = others.into_iter().chain(edits.into_iter().map(|(_, edit)| edit)).collect();
        edits.sort_by_key(|edit| edit.range.start);
        edits
    }

    /// Returns the new name of a file's declared package, if the tree after the moves has it.
    fn package_rename(&self, source: &Source<'_>, moved: &str) -> Option<PackageRename> {
        let (languages, tree) = (self.before.languages(), self.before.tree());
        let rename = rename_package(languages, tree, source, moved)?;
        // After a move on disk, the file has its old declaration.
        let text = text_after_move(languages, tree, source.path(), moved, &tree.read(source.path())?)?;
        (self.after.tree().read(moved)? == text).then_some(rename)
    }

    /// Returns an import of a name in a moved file whose declared package changes.
    fn import_after_move(&self, written: &str, from: &str, to: &str) -> Option<String> {
        if from == to {
            return None;
        }
        let text = self.before.tree().read(from)?;
        self.package_rename(&Source::new(from, text.as_bytes())?, to)?.apply_to_import(written)
    }

    /// Spells the literals anew that begin with a name which other edits bind. Those that are right after these edits stay.
    fn respell_after_edits(
        &self,
        old: &Source<'_>,
        new: &Source<'_>,
        bytes: &[u8],
        edits: &mut [(&Checked, Edit)],
    ) -> Option<()> {
        let follows =
            |literal: &Checked, edit: &Edit| edit.literal.is_none() && self.before.follows_binding(literal.kind);
        let is_bound = edits.iter().any(|(_, edit)| edit.literal.is_some());
        if !is_bound || !edits.iter().any(|(literal, edit)| follows(literal, edit)) {
            return None;
        }
        let (mut text, mut at, mut starts) = (Vec::with_capacity(bytes.len()), 0, Vec::with_capacity(edits.len()));
        for (_, Edit { range, literal }) in &*edits {
            text.extend_from_slice(bytes.get(at..range.start)?);
            starts.push(text.len());
            text.extend_from_slice(literal.as_ref().map_or(&bytes[range.clone()], String::as_bytes));
            at = range.end;
        }
        text.extend_from_slice(&bytes[at..]);
        let edited = Source::new(new.path(), &text)?;
        let now = check(&edited, self.after);
        let rewriting = Rewriting::new(&edited, self.after, &now);
        for ((literal, edit), start) in
            edits.iter_mut().zip(starts).filter(|((literal, edit), _)| follows(literal, edit))
        {
            let Verdict::Found(target) = &literal.verdict else { continue };
            let Some(style) = self.style(old, new, literal) else { continue };
            let target = self.moved_path(&target.path);
            let there = Checked { range: start..start + literal.range.len(), ..literal.clone() };
            let is_right = |now: &Checked| matches!(&now.verdict, Verdict::Found(found) if found.path == target);
            if !now.iter().any(|now| now.range == there.range && is_right(now)) {
                let new = rewriting.respell(&there, &style, &target, None).filter(|new| new.followers.is_empty());
                edit.literal = new.map(|new| new.literal);
            }
        }
        Some(())
    }

    /// Returns the edit of the literal that this one continues, after which this one leads to `target` as it is.
    fn edit_of_continued(
        &self,
        old: &Source<'_>,
        new: &Source<'_>,
        rewriting: &Rewriting<'_>,
        literal: &Checked,
        was: &str,
        target: &str,
    ) -> Option<(Range<usize>, String)> {
        let joined = JoinedLiterals::find(self.after, new, literal)?;
        let style = self.style_of(&joined.written, old, new, literal)?;
        let declared = self.import_after_move(&joined.written, was, target);
        rewriting.respell_joined(literal, &joined, &style, target, declared)?.followers.pop()
    }

    /// Returns the style of a literal, translated to the paths after the moves.
    fn style<'t>(&self, old: &Source<'_>, new: &'t Source<'_>, literal: &Checked) -> Option<LiteralStyle<'t>> {
        let skipped = new.offset();
        let written = new.text().get(literal.range.start - skipped..literal.range.end - skipped)?;
        self.style_of(written, old, new, literal)
    }

    /// Returns the style of a text that leads to the target of a literal, translated to the paths after the moves.
    fn style_of<'t>(
        &self,
        written: &'t str,
        old: &Source<'_>,
        new: &Source<'_>,
        literal: &Checked,
    ) -> Option<LiteralStyle<'t>> {
        let Verdict::Found(target) = &literal.verdict else { return None };
        let style = LiteralStyle::infer(written, &target.path, old);
        let relative_to = style
            .relative_to
            .as_deref()
            .map(|from| if from == old.directory() { new.directory().to_owned() } else { self.moved_path(from) });
        let base = base_of_own_module(&style, old, new).unwrap_or_else(|| self.moved_path(&style.base));
        Some(LiteralStyle { base, relative_to, ..style })
    }

    /// Returns whether an include resolves to several files in include directories. The build chooses among them, and its choice
    /// is not known.
    fn is_ambiguous_include(&self, style: &LiteralStyle<'_>, literal: &Checked) -> bool {
        self.before.has_search_directories(literal.kind)
            && !style.is_relative()
            && self.before.find_all_by_suffix(style.written, 2).len() > 1
    }

    /// Returns whether the index file of a directory, for which a literal names the directory, moved to another one.
    fn has_moved_index(&self, from: &str, to: &str) -> bool {
        self.moves
            .iter()
            .any(|(old, new)| is_index_file(old) && parent(old) == from && parent(new) == to && name(old) == name(new))
    }

    /// Returns whether the file of a module or package stays where all other files of its directory leave, some to another directory of the
    /// same name. It goes there too: git records no move of an empty file or of one that was edited much.
    fn is_left_behind(&self, path: &str) -> bool {
        let directory = parent(path);
        if !matches!(name(path), "mod.rs" | "__init__.py") || directory.is_empty() || self.moved_path(path) != path {
            return false;
        }
        let files = self.before.tree().files();
        let inside = format!("{directory}/");
        let start = files.partition_point(|file| *file < inside);
        let here = files[start..].iter().take_while(|file| file.starts_with(&inside));
        let mut follows = false;
        for (count, file) in here.filter(|file| *file != path).enumerate() {
            let new = self.moved_path(file);
            if new == *file || count >= MAX_FOLLOWED_FILES {
                return false;
            }
            follows |= parent(file) == directory && name(parent(&new)) == name(directory);
        }
        follows
    }

    /// Returns the path after the moves.
    pub(super) fn moved_path(&self, path: &str) -> String {
        let own = self.moves.iter().find(|(from, _)| is_within(path, from));
        own.map_or_else(|| path.to_owned(), |(from, to)| format!("{to}{}", &path[from.len()..]))
    }
}

/// Returns whether the extension of a literal stays correct after that of its target changes.
///
/// Imports of compiled files name the output: `./a.js` for `a.ts`. A resolver that takes `./a.js` for `a.jsx`, or `./a` for `a.mjs`, is
/// only tolerant.
fn keeps_extension(written: &str, old: &str, new: &str) -> bool {
    let (had, has) = (extension(old), extension(new));
    if had == has {
        return true;
    }
    if extension(written) == had {
        return matches!(has.as_str(), "ts" | "tsx" | "mts" | "cts");
    }
    had != "js" || !matches!(has.as_str(), "mjs" | "cjs")
}

/// Returns the directory that a path of modules starts from after the move, if it starts from the module of its file: `self::a`,
/// `super::b`.
fn base_of_own_module(style: &LiteralStyle<'_>, old: &Source<'_>, new: &Source<'_>) -> Option<String> {
    let lead = style.lead.strip_suffix("::").filter(|_| style.separator == ':')?;
    if !lead.split("::").all(|name| matches!(name, "self" | "super")) {
        return None;
    }
    let start = |path: &str| {
        let is_of_directory = matches!(name(path), "lib.rs" | "main.rs" | "mod.rs");
        let own = if is_of_directory { parent(path) } else { path.strip_suffix(".rs").unwrap_or(path) };
        lead.split("::").filter(|name| *name == "super").fold(own, |at, _| parent(at)).to_owned()
    };
    (start(old.path()) == style.base).then(|| start(new.path()))
}

/// Returns the text of a literal without query and fragment.
fn path_of<'t>(source: &'t Source<'_>, literal: &Checked) -> &'t str {
    let skipped = source.offset();
    let written = source.text().get(literal.range.start - skipped..literal.range.end - skipped).unwrap_or_default();
    without_query(written)
}
