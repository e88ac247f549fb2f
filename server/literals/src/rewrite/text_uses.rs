//! Texts that name a moved file although no language reads them as literals: a header in a string of a generator, an import in the code
//! of a page, a `require` in a script without an extension.
//!
//! Nothing resolves such a text. It follows the move only if it stands alone in quotes or angle brackets and names the file in a form in
//! which the move edits literals that were resolved, or by its whole path.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::endings::Omission;
use super::move_edits::{Edit, MoveRewriter};
use super::style::{LiteralStyle, separator_text};
use super::undecided_uses::moved_files;
use crate::path::{ancestors, extension, is_within, join, name};
use crate::project::Project;
use crate::report::{is_fixture, is_vendored};
use crate::source::Source;

/// Forms that are learned from one move. A project has few.
const MAX_FORMS: usize = 16;
/// Edits of one file that are learned from.
const MAX_LEARNED_EDITS: usize = 64;
/// Larger texts are data.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The form of literals that do not depend on the path of their file: `lead`, then the path below `base` without an ending.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextForm {
    lead: String,
    base: String,
    separator: char,
    has_extension: bool,
}

/// The texts that name moved files, with the new ones.
#[derive(Debug, Default)]
pub struct MovedTexts {
    texts: HashMap<String, MovedText>,
    /// Modules of Swift, which a manifest names by their directories.
    modules: HashMap<String, String>,
}

#[derive(Debug)]
struct MovedText {
    new: String,
    /// True if the text is a path from the root, which another directory can have as well.
    is_whole_path: bool,
}

impl MovedTexts {
    /// Returns whether no text names a moved file.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.modules.is_empty()
    }

    /// Adds the module that an edit of a manifest of Swift names anew: imports name it alike.
    pub fn learn_module(&mut self, path: &str, text: &str, edits: &[Edit]) {
        if name(path) != "Package.swift" {
            return;
        }
        let is_name =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        for edit in edits {
            let (Some(old), Some(new)) = (text.get(edit.range.clone()), &edit.literal) else { continue };
            if is_name(old) && is_name(new) {
                self.modules.insert(old.to_owned(), new.clone());
            }
        }
    }

    /// Adds the modules that others have learned.
    #[must_use]
    pub fn with_modules(self, other: Self) -> Self {
        Self { modules: other.modules, ..self }
    }

    /// Returns the edits of imports and of references in manifests that name a module.
    fn module_edits(&self, path: &str, bytes: &[u8]) -> Vec<Edit> {
        let mut edits = Vec::new();
        if extension(path) != "swift" || self.modules.is_empty() {
            return edits;
        }
        let mut add = |range: Range<usize>| {
            let new = std::str::from_utf8(&bytes[range.clone()]).ok().and_then(|name| self.modules.get(name));
            edits.extend(new.map(|new| Edit { range, literal: Some(new.clone()) }));
        };
        if name(path).starts_with("Package") {
            quoted_texts(bytes).for_each(add);
            return edits;
        }
        let mut at = 0;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let start = at;
            at += line.len();
            let Ok(line) = std::str::from_utf8(line) else { continue };
            // Attributes and modifiers stand before the word, and nothing behind the name but its members and a comment.
            let Some((before, rest)) = line.split_once("import ") else { continue };
            let is_modifier = |word: &str| {
                word.starts_with('@') || matches!(word, "public" | "internal" | "package" | "private" | "fileprivate")
            };
            if before.split_whitespace().all(is_modifier) {
                let name = rest.trim_start();
                let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
                let start = start + line.len() - name.len();
                add(start..start + end);
            }
        }
        edits
    }

    /// Returns whether one of the texts stands in quotes in a file.
    pub fn are_in(&self, bytes: &[u8]) -> bool {
        let is_one =
            |range: Range<usize>| std::str::from_utf8(&bytes[range]).is_ok_and(|text| self.texts.contains_key(text));
        let has_module = |name: &String| memchr::memmem::find(bytes, name.as_bytes()).is_some();
        bytes.len() <= MAX_TEXT_BYTES && (quoted_texts(bytes).any(is_one) || self.modules.keys().any(has_module))
    }
}

impl TextForm {
    fn write(&self, path: &str) -> Option<String> {
        let stem = if self.has_extension { path } else { Omission::Extension.omit(path)? };
        let rest = if self.base.is_empty() { stem } else { stem.strip_prefix(&self.base)?.strip_prefix('/')? };
        Some(format!("{}{}", self.lead, rest.replace('/', separator_text(self.separator))))
    }
}

impl MoveRewriter<'_> {
    /// Adds the forms of the literals of a file that a move edits.
    pub fn learn_forms(&self, path: &str, bytes: &[u8], edits: &[Edit], forms: &mut BTreeSet<TextForm>) {
        let Some(source) = Source::new(path, bytes) else { return };
        let files = moved_files(self.before, self.moves);
        for edit in edits.iter().take(MAX_LEARNED_EDITS) {
            let (start, end) = (edit.range.start - source.offset(), edit.range.end - source.offset());
            let (Some(new), Some(written)) = (&edit.literal, source.text().get(start..end)) else { continue };
            if written.starts_with('.') || forms.len() >= MAX_FORMS {
                continue;
            }
            let named = files
                .iter()
                .filter(|file| Omission::Extension.omit(name(file)).is_some_and(|stem| written.contains(stem)));
            let form = named.filter_map(|file| {
                let style = LiteralStyle::infer(written, file, &source);
                let has_extension = match style.omitted {
                    Omission::Nothing => true,
                    Omission::Extension => false,
                    Omission::Extensions | Omission::Index => return None,
                };
                let is_free = style.is_aligned() && !style.is_relative() && style.suffix.is_empty();
                let form = TextForm { lead: style.lead, base: style.base, separator: style.separator, has_extension };
                let is_right = form.write(file).as_deref() == Some(written)
                    && form.write(&self.moved_path(file)).as_ref() == Some(new);
                (is_free && is_right && matches!(form.separator, '/' | '.')).then_some(form)
            });
            forms.extend(form.take(1));
        }
    }

    /// Returns the texts that name moved files in these forms, or by their paths from the root.
    pub fn texts(&self, forms: &BTreeSet<TextForm>) -> MovedTexts {
        let whole = TextForm { lead: String::new(), base: String::new(), separator: '/', has_extension: true };
        let mut texts: HashMap<String, MovedText> = HashMap::new();
        let mut ambiguous: BTreeSet<String> = BTreeSet::new();
        for file in moved_files(self.before, self.moves) {
            let target = self.moved_path(file);
            if extension(file) != extension(&target) {
                continue;
            }
            for form in forms.iter().chain([&whole]) {
                // The directory of an index file, or its own name, can stand for it.
                if !form.has_extension && (is_omitted(file) || is_omitted(&target)) {
                    continue;
                }
                let (Some(old), Some(new)) = (form.write(file), form.write(&target)) else { continue };
                let is_whole_path = form == &whole;
                let below = file.get(form.base.len()..).unwrap_or_default().trim_start_matches('/');
                let is_only = self.before.find_all_by_suffix(below, 2).len() == 1;
                let is_path = below.contains('/') || form.has_extension && !is_whole_path;
                if old == new || !is_path || !is_only {
                    continue;
                }
                if texts.get(&old).is_some_and(|known| known.new != new) {
                    ambiguous.insert(old);
                    continue;
                }
                texts.insert(old, MovedText { new, is_whole_path });
            }
        }
        texts.retain(|old, _| !ambiguous.contains(old));
        MovedTexts { texts, modules: HashMap::new() }
    }

    /// Returns the edits of texts in a file that are no part of its literals.
    pub fn text_edits(&self, texts: &MovedTexts, path: &str, bytes: &[u8]) -> Vec<Edit> {
        if texts.is_empty() || bytes.len() > MAX_TEXT_BYTES || is_record(path) {
            return Vec::new();
        }
        let modules = texts.module_edits(path, bytes);
        let found = quoted_texts(bytes).filter_map(|range| {
            let text = std::str::from_utf8(&bytes[range.clone()]).ok()?;
            // A name alone is a path only where a compiler searches for it.
            let is_searched = range.start.checked_sub(1).is_some_and(|at| bytes[at] == b'<');
            let moved = texts.texts.get(text).filter(|_| is_searched || text.contains(['/', '.']) && !is_name(text))?;
            // The path from the root can be one from a directory around the file, or from that of another project.
            let is_own = moved.is_whole_path && (is_document(path) || has_own(self.before, path, text));
            (!is_own).then(|| Edit { range, literal: Some(moved.new.clone()) })
        });
        let edits: Vec<Edit> = modules.into_iter().chain(found).collect();
        if edits.is_empty() {
            return edits;
        }
        let Some(source) = Source::new(path, bytes) else { return Vec::new() };
        let literals = crate::check::check_at_current_path(&source, self.before);
        let overlaps =
            |edit: &Edit| literals.iter().any(|it| it.range.start < edit.range.end && edit.range.start < it.range.end);
        edits.into_iter().filter(|edit| !overlaps(edit)).collect()
    }
}

/// Returns the ranges of texts without spaces that stand alone in quotes or angle brackets.
fn quoted_texts(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let starts = memchr::memchr3_iter(b'"', b'\'', b'<', bytes);
    starts.filter_map(move |at| {
        let close = if bytes[at] == b'<' { b'>' } else { bytes[at] };
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-@~+".contains(byte) || !byte.is_ascii();
        let length = bytes[at + 1..].iter().take_while(|byte| is_part(byte)).count();
        let end = at + 1 + length;
        (length > 0 && bytes.get(end) == Some(&close)).then_some(at + 1..end)
    })
}

/// Returns whether a module is named by the directory of this file.
fn is_omitted(path: &str) -> bool {
    matches!(name(path).split('.').next(), Some("__init__" | "index" | "init" | "mod"))
}

/// Returns whether a text is one name with an extension.
fn is_name(text: &str) -> bool {
    !text.contains('/') && text.matches('.').count() < 2
}

/// Returns whether a file tells of the past, or belongs to another project.
fn is_record(path: &str) -> bool {
    let name = name(path).to_ascii_lowercase();
    let records = ["change", "history", "news", "release", "upgrading", "migrat"];
    records.iter().any(|word| name.starts_with(word)) || is_fixture(path) || is_vendored(path)
}

/// Returns whether a file is a text for people, whose paths can be those of the reader's project.
fn is_document(path: &str) -> bool {
    matches!(extension(path).as_str(), "md" | "mdx" | "markdown" | "rst" | "adoc" | "txt" | "html" | "tex" | "org")
}

/// Returns whether a path leads to an entry from a directory around a file, other than the root.
fn has_own(project: &Project, file: &str, text: &str) -> bool {
    let directory = crate::path::parent(file);
    ancestors(directory).filter(|at| !at.is_empty() && is_within(directory, at)).any(|at| {
        let first = text.split('/').next().unwrap_or(text);
        join(at, first).is_some_and(|path| project.tree().kind(&path).is_some())
    })
}
