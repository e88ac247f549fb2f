//! Packages that files declare themselves to be in: `package a.b;`, `namespace A\B;`, `package b // import "a/b"`. Their names follow the directories of the files.
//!
//! `MoveRewriter` edits the declaration of a moved file, and the tree after the moves has the texts with these edits: other files
//! import a type by its declared package.

use std::ops::Range;

use crate::language::Language;
use crate::path::{corresponding_base, extension, join, name, parent};
use crate::source::Source;
use crate::tree::Tree;

/// Maximum number of files of the new directory that are read for their package. Nearly always the first one declares it.
const MAX_NEIGHBORS: usize = 4;

/// The package that a file declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageDeclaration {
    /// The byte ranges of the names in the text, in order: one, or those of nested clauses, of which each is within the one before.
    pub names: Vec<Range<usize>>,
    /// The separator between the segments of the name.
    pub separator: char,
}

impl PackageDeclaration {
    /// Returns the range from the first name to the last one; `None` without a name.
    fn range(&self) -> Option<Range<usize>> {
        Some(self.names.first()?.start..self.names.last()?.end)
    }

    /// Returns the whole name.
    fn name(&self, text: &str) -> Option<String> {
        let names: Option<Vec<&str>> = self.names.iter().map(|range| text.get(range.clone())).collect();
        Some(names?.join(&self.separator.to_string()))
    }

    /// Returns the text of the declaration with another name. The first and the last clauses of which the name stays keep it.
    fn with_name(&self, text: &str, new: &str) -> Option<String> {
        let mut rest: Vec<&str> = new.split(self.separator).collect();
        let clauses: Option<Vec<Vec<&str>>> =
            self.names.iter().map(|range| Some(text.get(range.clone())?.split(self.separator).collect())).collect();
        let mut clauses = clauses?;
        let count = clauses.len();
        let head = clauses[..count - 1].iter().take_while(|clause| take(&mut rest, clause, true)).count();
        let tail = clauses[head + 1..].iter().rev().take_while(|clause| take(&mut rest, clause, false)).count();
        // The names between belong to the first clause that changes; what follows it is within them.
        for clause in &mut clauses[head..count - tail] {
            *clause = std::mem::take(&mut rest);
        }
        let mut written = String::new();
        for (at, clause) in clauses.iter().enumerate().filter(|(_, clause)| !clause.is_empty()) {
            if !written.is_empty() {
                written.push_str(text.get(self.names[at - 1].end..self.names[at].start)?);
            }
            written.push_str(&clause.join(&self.separator.to_string()));
        }
        Some(written)
    }
}

/// Takes the segments of a clause from the beginning or the end of a name, unless nothing would be left.
fn take(rest: &mut Vec<&str>, clause: &[&str], is_first: bool) -> bool {
    let fits = if is_first { rest.starts_with(clause) } else { rest.ends_with(clause) };
    let is_taken = fits && rest.len() > clause.len();
    if is_taken {
        let kept = if is_first { clause.len()..rest.len() } else { 0..rest.len() - clause.len() };
        *rest = rest[kept].to_vec();
    }
    is_taken
}

/// A new name for the declared package of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageRename {
    /// The byte range of the old declaration in the text.
    pub(crate) range: Range<usize>,
    /// The text of the new declaration.
    pub(crate) written: String,
    old: String,
    new: String,
}

impl PackageRename {
    /// Returns the text of an import from the old package as an import from the new one.
    pub(crate) fn apply_to_import(&self, written: &str) -> Option<String> {
        let rest = written.strip_prefix(self.old.as_str())?;
        rest.starts_with(['.', '\\']).then(|| format!("{}{rest}", self.new))
    }
}

/// Returns the import of a type by the package that its file `target` declares. `written` is the import by the earlier path `was`.
pub(crate) fn import_by_declaration(
    languages: &[&dyn Language],
    tree: &dyn Tree,
    written: &str,
    was: &str,
    target: &str,
) -> Option<String> {
    let mut languages = languages.iter().filter(|language| language.claims(target)).peekable();
    languages.peek()?;
    let text = tree.read(target)?;
    let source = Source::new(target, text.as_bytes())?;
    let declaration = languages.find_map(|language| language.package_declaration(&source))?;
    let (package, separator) = (declaration.name(source.text())?, declaration.separator);
    let type_name = |path: &str| name(path).split('.').next().unwrap_or_default().to_owned();
    let (old, new) = (type_name(was), type_name(target));
    let segments: Vec<&str> = written.split(separator).collect();
    let Some(at) = segments.iter().position(|segment| *segment == old).filter(|at| *at > 0) else {
        // A function is imported without the name of its file.
        let (around, member) = written.rsplit_once(separator)?;
        let was_around = parent(was).ends_with(&around.replace(separator, "/"));
        return was_around.then(|| format!("{package}{separator}{member}"));
    };
    let own = [package.as_str(), new.as_str()];
    Some(own.iter().chain(&segments[at + 1..]).copied().collect::<Vec<_>>().join(&separator.to_string()))
}

/// Returns the text of a file after it moves from `from` to `to`. `None` if no declaration in it changes.
pub fn text_after_move(
    languages: &[&dyn Language],
    tree: &dyn Tree,
    from: &str,
    to: &str,
    text: &str,
) -> Option<String> {
    let PackageRename { range, written, .. } =
        rename_package(languages, tree, &Source::new(from, text.as_bytes())?, to)?;
    // The text of a tree can begin with a byte order mark.
    let skipped = text.len() - text.trim_start_matches('\u{feff}').len();
    let (start, end) = (skipped + range.start, skipped + range.end);
    Some([text.get(..start)?, written.as_str(), text.get(end..)?].concat())
}

/// Returns the new name of a file's package after the file moves to `to`. `None` if the declaration stays right, or the old one does not
/// agree with the directory of the file. `tree` is the tree before the move.
pub(crate) fn rename_package(
    languages: &[&dyn Language],
    tree: &dyn Tree,
    source: &Source<'_>,
    to: &str,
) -> Option<PackageRename> {
    let (directory, new_directory) = (source.directory(), parent(to));
    if directory == new_directory {
        return None;
    }
    let declared = |source: &Source<'_>| {
        let mut languages = languages.iter().filter(|language| language.claims(source.path()));
        let declaration = languages.find_map(|language| language.package_declaration(source))?;
        let name = declaration.name(source.text())?;
        Some((declaration, name))
    };
    let (declaration, old) = declared(source)?;
    let separator = declaration.separator;
    let segments: Vec<&str> = old.split(separator).collect();
    let common = segments.iter().rev().zip(directory.rsplit('/')).take_while(|(a, b)| **a == *b).count();
    if common == 0 {
        return None;
    }
    let mut neighbors = tree.names(new_directory).to_vec();
    neighbors.retain(|name| extension(name) == extension(to));
    let neighbors = neighbors.iter().take(MAX_NEIGHBORS).filter_map(|name| {
        let path = join(new_directory, name).filter(|path| path != to)?;
        declared(&Source::new(&path, tree.read(&path)?.as_bytes())?).map(|(_, name)| name)
    });
    let new = match neighbors.into_iter().next() {
        Some(name) => name,
        None => name_in(&segments, common, separator, directory, new_directory)?,
    };
    if new == old {
        return None;
    }
    let written = declaration.with_name(source.text(), &new)?;
    Some(PackageRename { range: declaration.range()?, written, old, new })
}

/// Returns the package name in another directory. The last `common` segments of the old name are the last ones of the old directory.
fn name_in(segments: &[&str], common: usize, separator: char, directory: &str, new_directory: &str) -> Option<String> {
    let (lead, below) = segments.split_at(segments.len() - common);
    let below = below.join("/");
    let base = directory.strip_suffix(below.as_str())?.trim_end_matches('/');
    let is_base = |rest: &&str| base.is_empty() || rest.is_empty() || rest.starts_with('/');
    let rest = new_directory.strip_prefix(base).filter(is_base);
    let is_below = |rest: &str| rest.is_empty() || rest.ends_with('/');
    if (rest.is_none() || lead.is_empty()) && new_directory.strip_suffix(below.as_str()).is_some_and(is_below) {
        // The file went to another source directory and stays in its package.
        return Some(segments.join(&separator.to_string()));
    }
    let rest: Vec<&str> = match rest {
        Some(rest) => rest.split('/').filter(|segment| !segment.is_empty()).collect(),
        // Another source directory; a package that omits directories can omit others there.
        None if lead.is_empty() => {
            if let Some(base) = corresponding_base(base, &format!("{new_directory}/")) {
                new_directory.get(base.len() + 1..)?.split('/').collect()
            } else {
                // A source directory of another layout, in which the first name of the package is that of one directory.
                let all: Vec<&str> = new_directory.split('/').collect();
                let first = *segments.first()?;
                let at = all.iter().position(|segment| *segment == first)?;
                (all.iter().filter(|segment| **segment == first).count() == 1).then(|| all[at..].to_vec())?
            }
        }
        None => return None,
    };
    // In a new layout of the sources, directories such as `src/main/java` are no part of the package.
    let has_same_root = rest.first() == below.split('/').next().as_ref() || rest.len() == common;
    if lead.is_empty() && !has_same_root {
        return None;
    }
    // An import path has names of directories, the others have identifiers.
    let is_name = |segment: &str| {
        separator == '/'
            || segment.starts_with(|first: char| first.is_alphabetic() || first == '_')
                && segment.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let all = || lead.iter().chain(&rest).copied();
    (all().next().is_some() && rest.iter().all(|segment| is_name(segment)))
        .then(|| all().collect::<Vec<_>>().join(&separator.to_string()))
}

#[cfg(test)]
mod tests {
    use super::PackageDeclaration;

    #[test]
    fn renames_nested_clauses() {
        let check = |text: &str, new: &str, expect: &str| {
            let names = text.split('\n').map(|line| {
                let start = line.as_ptr() as usize - text.as_ptr() as usize + "package ".len();
                start..start + line.len() - "package ".len()
            });
            let declaration = PackageDeclaration { names: names.collect(), separator: '.' };
            let written = declaration.with_name(text, new).map(|written| format!("package {written}"));
            assert_eq!(written.as_deref(), Some(expect), "{text} {new}");
        };
        check("package a.b", "c.d.e", "package c.d.e");
        check("package a\npackage b", "a.c", "package a\npackage c");
        check("package a\npackage b", "a.c.b", "package a\npackage c.b");
        check("package a\npackage b\npackage c", "a.d.c", "package a\npackage d\npackage c");
        check("package a\npackage b\npackage c", "a.c", "package a\npackage c");
        check("package a\npackage b", "c.b", "package c\npackage b");
        check("package a\npackage b", "a", "package a");
    }
}
