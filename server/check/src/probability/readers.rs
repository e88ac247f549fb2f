//! Evidence by the reader of a page: the host of the code shows a readme where it lies, a program shows a page as a part of another, and a
//! server or a build puts it where its links work.

use pathfinder_languages::shown_headings;
use pathfinder_literals::path::{extension, join, name, parent};
use pathfinder_literals::report::has_test_result;
use pathfinder_literals::{Checked, Code, Missing, Source, Verdict};

use rustc_hash::FxHashSet;

use super::builds;
use super::evidence::Evidence;
use super::form::{FileRole, LiteralForm, LiteralStart, hash};
use super::statistics::{LanguageStatistics, case_key, loose_file_key};
use super::stood::is_month_old;
use crate::source_tree::SourceTree;

/// So many links of a file broke when it was moved; fewer can have been overlooked.
const MIN_STRAY_LINKS: usize = 3;
/// Literals of a file that are compared with one: a list of more is alike throughout, and each is compared with all.
const MAX_COMPARED_LITERALS: usize = 500;

/// So many of the sampled files, or other literals of a file, do not differ from the disk in letter case by mistake.
const MIN_LOOSE_FILES: u32 = 8;

/// Returns whether letter case makes no difference where a file is read: it is a script of Windows, many others differ from the disk in
/// case, or many literals of the file or of another one.
pub(super) fn is_case_loose<'r>(
    others: &LanguageStatistics,
    file: &str,
    (literals, missing): (&[Checked], &Missing),
    renamed: impl FnOnce() -> &'r FxHashSet<String>,
) -> bool {
    if missing.code != Code::CaseMismatch {
        return false;
    }
    let renamed = renamed();
    if renamed.contains(&missing.wanted) {
        return false;
    }
    matches!(extension(file).as_str(), "bat" | "cmd" | "ps1")
        || others.files_missing(file, case_key()) >= MIN_LOOSE_FILES
        || others.files_missing(file, loose_file_key()) > 0
        || has_loose_case(literals, renamed)
}

/// Returns whether many literals of a file differ from the disk in letter case.
pub(super) fn has_loose_case(literals: &[Checked], renamed: &FxHashSet<String>) -> bool {
    let differs = |one: &&Checked| {
        let missing = if let Verdict::Missing(missing) = &one.verdict { Some(missing) } else { None };
        missing.is_some_and(|missing| missing.code == Code::CaseMismatch && !renamed.contains(&missing.wanted))
    };
    literals.iter().filter(differs).nth(MIN_LOOSE_FILES as usize).is_some()
}

/// The paths that recent commits renamed in nothing but letter case. What they broke says nothing of where it is read.
pub(super) fn renamed_in_case(tree: &dyn SourceTree) -> FxHashSet<String> {
    let moves = tree.recent_moves().into_iter();
    moves.filter(|(from, moved)| from.eq_ignore_ascii_case(&moved.to)).map(|(from, _)| from).collect()
}

/// The evidence of a file that a test reads, for a miss in it: beside it is one that is called the expected or the actual output, which says nothing
/// of what moved (`is_moved`), or a page has the name of another file beside it, of which a test makes it.
pub(super) fn input_evidence(
    tree: &dyn SourceTree,
    source: &Source<'_>,
    (is_page, is_moved): (bool, bool),
) -> Option<Evidence> {
    const OF_PAGES: [&str; 9] = ["css", "html", "js", "jsx", "map", "mjs", "scss", "ts", "tsx"];
    let own = name(source.path());
    let stem = own.split('.').next().unwrap_or(own);
    let is_origin = |other: &String| {
        other.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'))
            && !OF_PAGES.contains(&extension(other).as_str())
    };
    let names = tree.names(source.directory());
    if !is_moved && has_test_result(&names, own) {
        return Some(Evidence::Recorded);
    }
    (is_page && names.iter().any(is_origin)).then_some(Evidence::InFixture)
}

/// Files beside a page that are searched for its name; a directory with more holds no page of a program.
const MAX_SIBLINGS: usize = 64;

/// A larger program is generated, or does much else.
const MAX_PROGRAM_BYTES: usize = 64 << 10;

/// Headings that a page needs in the pages beside it, to be one of several that make up a page; one may have moved there.
const MIN_OTHER_HEADINGS: usize = 2;

/// Returns whether a page is shown as a part of another: a program shows it, or links to headings of its own lead to headings of
/// several pages beside it, or of the page that stands for the directory above.
pub(super) fn is_part_of_page(tree: &dyn SourceTree, source: &Source<'_>, literals: &[Checked]) -> bool {
    let own_anchor = |literal: &Checked| {
        let is_missing = matches!(&literal.verdict, Verdict::Missing(missing) if missing.code == Code::MissingAnchor);
        source.text_at(&literal.range).filter(|_| is_missing)?.strip_prefix('#').map(str::to_owned)
    };
    let wanted: FxHashSet<String> = literals.iter().take(MAX_COMPARED_LITERALS).filter_map(own_anchor).collect();
    let is_page = |other: &&String| *other != name(source.path()) && matches!(extension(other).as_str(), "md" | "mdx");
    let shown_in = |directory: &str, is_meant: fn(&str) -> bool| {
        let names = tree.names(directory);
        let mut found: FxHashSet<&str> = FxHashSet::default();
        for page in names.iter().filter(is_page).filter(|page| is_meant(page)).take(MAX_SIBLINGS) {
            let text = join(directory, page).and_then(|path| tree.read(&path)).unwrap_or_default();
            found.extend(shown_headings(&text, wanted.iter().map(String::as_str)));
        }
        found.len()
    };
    let here = source.directory();
    let is_index = |page: &str| page.starts_with("index.");
    is_shown_by_program(tree, source.path())
        || wanted.len() > MIN_OTHER_HEADINGS && shown_in(here, |_| true) >= MIN_OTHER_HEADINGS
        // The page of a component shows its examples, which have pages of their own.
        || !here.is_empty() && !wanted.is_empty() && shown_in(parent(here), is_index) == wanted.len()
}

/// Returns whether a program beside a page, or in `src` beside its directory, names it, and so can show it as a part of another text:
/// `//go:embed page.md`, `#[doc = include_str!("../docs/page.md")]`.
pub(super) fn is_shown_by_program(tree: &dyn SourceTree, file: &str) -> bool {
    let (own, here) = (name(file), parent(file));
    let sources = join(parent(here), "src").filter(|_| !here.is_empty());
    !own.to_ascii_lowercase().starts_with("readme")
        && (program_names(tree, here, own) || sources.is_some_and(|sources| program_names(tree, &sources, own)))
}

/// Returns whether a program explains a missing target of a page: `is_read` tells whether it writes the page's text elsewhere, and one
/// beside the page or in the directory above can answer for another page: `server.handle("/login.html", login)`. `may_ask` bounds that.
pub(super) fn is_of_program(
    tree: &dyn SourceTree,
    source: &Source<'_>,
    construct: Evidence,
    missing: &Missing,
    is_read: impl FnOnce() -> bool,
    may_ask: impl FnOnce() -> bool,
) -> bool {
    let (here, wanted) = (source.directory(), &missing.wanted);
    match construct {
        Evidence::PageFile | Evidence::PageName => is_read(),
        Evidence::Attribute if matches!(extension(wanted).as_str(), "htm" | "html") && may_ask() => {
            [here, parent(here)].into_iter().any(|directory| program_names(tree, directory, name(wanted)))
        }
        _ => false,
    }
}

/// Returns whether one of the programs of a directory has a word.
fn program_names(tree: &dyn SourceTree, directory: &str, word: &str) -> bool {
    const PROGRAMS: [&str; 14] =
        ["c", "cc", "cpp", "cs", "go", "java", "js", "kt", "php", "py", "rb", "rs", "swift", "ts"];
    let names = tree.names(directory);
    let mut programs = names.iter().filter(|other| PROGRAMS.contains(&extension(other).as_str())).take(MAX_SIBLINGS);
    programs.any(|other| {
        let text = join(directory, other).and_then(|path| tree.read(&path));
        text.is_some_and(|text| text.len() <= MAX_PROGRAM_BYTES && builds::has_word(text.as_bytes(), word))
    })
}

/// Returns whether all links of a file broke when git moved it, more than a month ago: this one, at least two more that begin alike, and
/// none leads to another file since.
pub(super) fn is_left_in_file(
    tree: &dyn SourceTree,
    source: &Source<'_>,
    literals: &[Checked],
    literal: &Checked,
    missing: &Missing,
) -> bool {
    let directory = |literal: &Checked| {
        let text = source.text_at(&literal.range)?;
        Some(text.rsplit_once('/').map_or("", |(directory, _)| directory))
    };
    let own = directory(literal);
    let leads_elsewhere = |other: &Checked| matches!(&other.verdict, Verdict::Found(to) if to.path != source.path());
    let strays = |other: &&Checked| matches!(&other.verdict, Verdict::Missing(missing) if is_stray(tree, missing));
    let compared = || literals.iter().take(MAX_COMPARED_LITERALS);
    let alike = compared().filter(|other| directory(other) == own);
    is_stray(tree, missing)
        && alike.filter(strays).nth(MIN_STRAY_LINKS - 1).is_some()
        && !compared().any(leads_elsewhere)
        && is_month_old(tree, source, literal, missing)
}

/// Returns whether a page that moved more than a month ago is still read from its earlier directory: at least three of its links of which
/// rules say nothing lead to files from there, and from the directory of today to none.
pub(super) fn is_read_from_earlier(
    tree: &dyn SourceTree,
    source: &Source<'_>,
    literals: &[Checked],
    literal: &Checked,
    missing: &Missing,
) -> bool {
    if !is_stray(tree, missing) {
        return false;
    }
    let is_there = |directory: &str, text: &str| join(directory, text).is_some_and(|path| tree.kind(&path).is_some());
    let leads_from = |directory: &str, other: &&Checked| {
        matches!(other.verdict, Verdict::Unknown(_))
            && source.text_at(&other.range).is_some_and(|text| {
                !text.starts_with(['/', '.']) && is_there(directory, text) && !is_there(source.directory(), text)
            })
    };
    let is_base = |origin: &String| {
        let compared = literals.iter().take(MAX_COMPARED_LITERALS);
        compared.filter(|other| leads_from(parent(origin), other)).nth(MIN_STRAY_LINKS - 1).is_some()
    };
    tree.origins(source.path()).iter().any(is_base) && is_month_old(tree, source, literal, missing)
}

/// The key under which files are counted that have links which begin as this one does and broke when the files moved.
pub(super) fn stray_key(text: &str) -> u64 {
    hash(&("stray", text.rsplit_once('/').map_or("", |(directory, _)| directory)))
}

/// The key under which files are counted that have any such link.
pub(super) fn stray_file_key() -> u64 {
    hash(&"stray file")
}

/// Returns whether a literal led to a file from an earlier place of its own file.
pub(super) fn is_stray(tree: &dyn SourceTree, missing: &Missing) -> bool {
    let to = missing.instead.as_ref().filter(|_| missing.code == Code::MovedPath);
    to.is_some_and(|to| tree.moved(&missing.wanted).is_none_or(|moved| moved.to != *to))
}

/// Returns whether the host of the code shows a page where it lies, and its link is read from there: a readme.
pub(super) fn is_shown_in_place(file: &str, form: &LiteralForm<'_>, evidence: &[Evidence]) -> bool {
    let is_readme = || name(file).split('.').next().is_some_and(|stem| stem.eq_ignore_ascii_case("readme"));
    evidence.contains(&Evidence::PageFile)
        && form.start() != LiteralStart::Slash
        && form.role() == FileRole::Plain
        && is_readme()
}

#[cfg(test)]
mod tests {
    use super::super::evidence::Evidence as E;
    use super::{LiteralForm, is_shown_in_place};

    #[test]
    fn recognises_readmes() {
        let check = |file: &str, text: &str, evidence: &[E], expect: bool| {
            let form = LiteralForm::new("md.link", text, file);
            assert_eq!(is_shown_in_place(file, &form, evidence), expect, "{file} {text} {evidence:?}");
        };
        check("a/README.md", "b.md", &[E::PageFile], true);
        check("a/readme.ja.md", "b.md", &[E::PageFile], true);
        check("a/page.md", "b.md", &[E::PageFile], false);
        check("a/README.md", "/a/b.md", &[E::PageFile], false);
        check("tests/data/README.md", "b.md", &[E::PageFile], false);
        check("a/README.md", "b", &[E::PageName], false);
    }
}
