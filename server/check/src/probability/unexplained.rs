//! Evidence on a miss that nothing explains: git's history never had the path, and no existing one is a typo away.
//!
//! Of such misses in 70 healthy repositories, read one by one, those of pages of text were mostly broken. Those below were mostly
//! right where they are used: a page is filled and published by a program, a configuration is read from another directory, and
//! a test or an example stands for another project.

use pathfinder_literals::{Code, Missing, Project};

use super::LiteralForm;
use super::evidence::Evidence;
use super::form::{FileRole, LiteralStart};
use super::statistics::{LanguageStatistics, hash};

/// As many other files that lead elsewhere by bare names follow a rule: of documents that one commit moved, history tells.
const MIN_FLAT_FILES: u32 = 4;

/// The key under which files are counted that miss a path of which exactly one file of the tree has the name.
pub(super) fn flat_key(project: &Project, text: &str, wanted: &str) -> Option<u64> {
    let path = text.split(['#', '?']).next().unwrap_or(text);
    path.rsplit_once('.').filter(|_| !path.contains(['/', '\\']))?;
    let is_elsewhere = matches!(project.find_all_by_suffix(path, 2).as_slice(), [other] if *other != wanted);
    is_elsewhere.then(|| hash(&"flat"))
}

/// Returns what speaks against a miss that the evidence so far does not explain.
pub(super) fn doubt(
    form: &LiteralForm<'_>,
    missing: &Missing,
    evidence: &[Evidence],
    is_flat: impl FnOnce() -> bool,
) -> Option<Evidence> {
    let has = |any: &[Evidence]| any.iter().any(|one| evidence.contains(one));
    if missing.code == Code::MissingAnchor
        || missing.instead.is_some()
        || !has(&[Evidence::HistoryNever, Evidence::HistoryNotLately])
        || has(&[Evidence::SlipOne, Evidence::SlipTwo])
    {
        return None;
    }
    let has_namesake = has(&[Evidence::SameTail, Evidence::SameName, Evidence::SameNames]);
    let is_absent = has(&[Evidence::DirectoryMissing, Evidence::DirectoriesMissing]);
    let is_code = has(&[Evidence::Relative, Evidence::Named]);
    if form.start() == LiteralStart::Name && is_flat() {
        return Some(Evidence::FlatNames);
    }
    let is_material = matches!(form.role(), FileRole::Fixture | FileRole::Example);
    let is_of_program = has(&[Evidence::Attribute]) && (is_absent || is_material)
        || has(&[Evidence::Configuration]) && has_namesake
        || is_code && matches!(form.role(), FileRole::Fixture | FileRole::Test | FileRole::Example);
    is_of_program.then_some(Evidence::Unexplained)
}

/// Returns whether many other files miss paths of which one file has the name, in any directory: their documents are
/// named without directories.
pub(super) fn are_names_flat(others: &LanguageStatistics, file: &str, key: Option<u64>) -> bool {
    key.is_some_and(|key| others.files_missing(file, key) >= MIN_FLAT_FILES)
}

#[cfg(test)]
mod tests {
    use pathfinder_literals::{Code, Missing, Severity, Want};

    use super::super::evidence::Evidence as E;
    use super::{LiteralForm, doubt};

    #[test]
    fn doubts_what_nothing_explains() {
        let missing = Missing {
            code: Code::MissingPath,
            severity: Severity::Warning,
            reason: String::new(),
            wanted: "a/b.c".to_owned(),
            want: Want::File,
            instead: None,
        };
        let check = |file: &str, text: &str, evidence: &[E], is_flat: bool, expect: Option<E>| {
            let form = LiteralForm::new("md.link", text, file);
            assert_eq!(doubt(&form, &missing, evidence, || is_flat), expect, "{file} {text} {evidence:?}");
        };
        let never = E::HistoryNever;
        check("a.html", "lib/x.js", &[never, E::Attribute, E::DirectoryMissing], false, Some(E::Unexplained));
        check("a.html", "x.js", &[never, E::Attribute], false, None);
        check("tests/expected/a.html", "x.js", &[never, E::Attribute], false, Some(E::Unexplained));
        check("a.html", "lib/x.js", &[E::HistoryHad, E::Attribute, E::DirectoryMissing], false, None);
        check("a.html", "lib/x.js", &[never, E::SlipOne, E::Attribute, E::DirectoryMissing], false, None);
        check("Makefile", "a/x.y", &[never, E::Configuration, E::SameName], false, Some(E::Unexplained));
        check("Makefile", "a/x.y", &[never, E::Configuration], false, None);
        check("src/a.ts", "./b", &[never, E::Relative], false, None);
        check("examples/a.ts", "./b", &[never, E::Relative], false, Some(E::Unexplained));
        check("docs/a.md", "b.md", &[never, E::PageFile, E::SameName], true, Some(E::FlatNames));
        check("docs/a.md", "c/b.md", &[never, E::PageFile, E::SameName], true, None);
        check("docs/a.md", "b.md", &[never, E::PageFile, E::SameName], false, None);
    }
}
