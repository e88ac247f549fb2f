//! `Language`: the interface to one language or file format. `pathfinder-languages` implements it, and a `Project` gets all of
//! its languages when it is created.

use std::ops::Range;

use crate::checked::Checked;
use crate::literal_kind::LiteralKind;
use crate::package_declaration::PackageDeclaration;
use crate::project::Project;
use crate::source::Source;

/// A language or a file format.
///
/// A language reports the byte range of a literal and its candidate paths, in order; `Lookup` tries them. Its data about a
/// whole tree is a `ProjectIndex`.
pub trait Language: Sync {
    /// Returns its name.
    fn name(&self) -> &'static str;

    /// Returns the kinds of the literals that [`check`](Self::check) appends.
    fn kinds(&self) -> &'static [LiteralKind];

    /// Returns whether the language reads a file, by its path.
    fn claims(&self, path: &str) -> bool;

    /// Appends every literal of a file with its verdict. It must not panic on any input.
    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>);

    /// Returns the manifest that publishes a missing path, so that its build generates the path. Called for literals of any
    /// language, before [`generated_by`](Self::generated_by).
    fn published_by(&self, _path: &str, _project: &Project) -> Option<String> {
        None
    }

    /// Returns the rule or script of its build that generates a missing path. Called for literals of any language.
    fn generated_by(&self, _path: &str, _project: &Project) -> Option<String> {
        None
    }

    /// Returns whether the build searches several directories for targets of this kind, so that equal names are ambiguous.
    fn has_search_directories(&self, _kind: LiteralKind) -> bool {
        false
    }

    /// Returns the directories that the build files declare to be searched for targets of this kind, those nearest to a file first.
    fn search_directories(&self, _kind: LiteralKind, _source: &Source<'_>, _project: &Project) -> Vec<String> {
        Vec::new()
    }

    /// Returns whether a literal of this kind begins with a name that another literal of its file binds, so that its spelling follows
    /// that one's.
    fn follows_binding(&self, _kind: LiteralKind) -> bool {
        false
    }

    /// Returns whether [`check`](Self::check) leaves out literals that the source does not [want](Source::wants), because the verdict on
    /// each depends on no other one's. A rewriting then checks only the rewritten literal, unless its text can change how the rest is read.
    fn checks_one_literal(&self) -> bool {
        false
    }

    /// Returns whether a literal of this kind can have a text: the name of a module has no slash. Others are not verified, since a text
    /// that the grammar does not accept is parsed for long.
    fn can_have_text(&self, _kind: LiteralKind, _text: &str) -> bool {
        true
    }

    /// Returns whether the text of a literal of this kind is the name of a module that the language, a system or a well-known library has.
    fn is_known_name(&self, _kind: LiteralKind, _text: &str) -> bool {
        false
    }

    /// Returns the range in the text of the literal that this one at `range` continues, so that both make up one path: the module of
    /// `from a import b` for `b`, if the statement has no other name.
    fn continued_literal(
        &self,
        _source: &Source<'_>,
        _kind: LiteralKind,
        _range: &Range<usize>,
    ) -> Option<Range<usize>> {
        None
    }

    /// Returns whether literals of this kind can bind a name that the file uses, so that [`edit_uses`](Self::edit_uses) is asked.
    fn has_uses(&self, _kind: LiteralKind) -> bool {
        false
    }

    /// Returns the edits that the uses of a name need which a literal binds, if its text becomes `new`; `None` if it is not known which those
    /// are. Literals that [follow a binding](Self::follows_binding) are not among them.
    fn edit_uses(&self, _source: &Source<'_>, _literal: &Checked, _new: &str) -> Option<Vec<(Range<usize>, String)>> {
        Some(Vec::new())
    }

    /// Returns the configurations that declare an address of a page, each with its lines that can be the declaration: redirects, lists of
    /// pages. `None` if a page declares it itself.
    fn address_declarations(&self, _address: &str, _project: &Project) -> Option<Vec<(String, String)>> {
        Some(Vec::new())
    }

    /// Returns whether the project has pages of a site that it does not configure: the site has its redirects elsewhere.
    fn has_unconfigured_site(&self, _project: &Project) -> bool {
        false
    }

    /// Returns the declaration of a file's package, if packages of this language have directories of their names.
    fn package_declaration(&self, _source: &Source<'_>) -> Option<PackageDeclaration> {
        None
    }

    /// Returns whether the project caches the headings of a document, because a verdict used them.
    fn has_cached_headings(&self, _path: &str, _project: &Project) -> bool {
        false
    }
}
