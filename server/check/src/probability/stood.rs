//! Detects a miss that has stood: git had the same line and the same miss a month before its newest commit. Code that is built and
//! tested does not stay broken for so long; a page, a list or a configuration can.

use pathfinder_literals::{Checked, Code, Missing, Source};

use super::evidence::Evidence;
use super::form::FileRole;
use super::statistics::{LanguageStatistics, path_key};
use crate::source_tree::SourceTree;

/// A longer line is not written by hand; so much of it around the literal is compared.
const MAX_DISTANCE_BYTES: usize = 512;
/// Paths that a literal tries are compared up to this number: a path with each of the extensions of a language.
const MAX_PATHS: usize = 16;

/// Languages whose files are compiled before anything runs.
const COMPILED: [&str; 8] = ["c", "cs", "go", "java", "kotlin", "rust", "scala", "swift"];

/// Returns the evidence that a miss has stood for a month, given the literal's construct.
pub(super) fn age_evidence(
    construct: Evidence,
    tree: &dyn SourceTree,
    others: &LanguageStatistics,
    miss: (&Source<'_>, &Checked, &Missing),
) -> impl Iterator<Item = Evidence> {
    let (source, literal, missing) = miss;
    let stood = has_stood(construct, tree, others, miss).then_some(Evidence::Stood);
    let in_other_case = stood.filter(|_| missing.code == Code::CaseMismatch).map(|_| Evidence::StoodInOtherCase);
    let changed = stood.filter(|_| is_compiled(literal) && tree.was_changed_since(source.path(), &missing.wanted));
    let searched = leads_there_by_search(tree, miss, stood.is_some()).then_some(Evidence::Searched);
    [stood, in_other_case, changed.map(|_| Evidence::Changed), searched].into_iter().flatten()
}

/// Returns whether a literal is in a file that is compiled before anything runs.
pub(super) fn is_compiled(literal: &Checked) -> bool {
    COMPILED.contains(&literal.kind.language())
}

/// Returns whether a header moved, more than a month ago, to a path that ends as the literal is written: a search path leads to it. It
/// leads to `../a.h` as well, but only a miss that has stood shows that there is one.
fn leads_there_by_search(
    tree: &dyn SourceTree,
    (source, literal, missing): (&Source<'_>, &Checked, &Missing),
    has_stood: bool,
) -> bool {
    let Some(to) = missing.instead.as_ref().filter(|_| literal.kind.language() == "c") else { return false };
    let ends = |text: &str| {
        let tail = text.trim_start_matches("../");
        (has_stood || !text.starts_with('.')) && to.strip_suffix(tail).is_some_and(|above| above.ends_with('/'))
    };
    source.text_at(&literal.range).is_some_and(ends) && tree.was_there_a_month_ago(to)
}

/// Drops what other evidence refutes.
pub(super) fn drop_refuted(kind: &str, evidence: &mut Vec<Evidence>) {
    // A template that an installed package has as well is read from there once the own one is gone.
    // So is a header, which a search path finds in a submodule or in another repository.
    // So is a class, which a processor writes from another one.
    let is_compiled = kind.split('.').next().is_some_and(|language| COMPILED.contains(&language));
    // So is a class of PHP that many files use: a dependency has it.
    let is_from_elsewhere = kind.starts_with("template.") || kind.starts_with("php.") || is_compiled;
    if is_from_elsewhere && evidence.contains(&Evidence::Stood) {
        evidence.retain(|it| *it != Evidence::HistoryHad);
    }
    // Nor is it the one that a commit renamed before the file was written, where all builds since have done without it.
    if kind.starts_with("c.") && evidence.contains(&Evidence::Stood) && evidence.contains(&Evidence::TakenOver) {
        evidence.retain(|it| *it != Evidence::TargetKnown);
    }
    // An optional import names what other versions have, so that the project's own history explains it, and not the miss.
    if evidence.contains(&Evidence::RuleOptional) && evidence.contains(&Evidence::Stood) {
        evidence.retain(|it| *it != Evidence::HistoryHad);
    }
    // So does a comment that keeps the compiler from saying it.
    if evidence.contains(&Evidence::Silenced) && !evidence.contains(&Evidence::TargetKnown) {
        evidence.retain(|it| !matches!(it, Evidence::HistoryHad | Evidence::SlipTwo));
    }
    // A script puts the page beside what it writes, or a site has all its pages elsewhere, so that the file of an earlier place is not meant.
    if evidence.iter().any(|it| matches!(it, Evidence::BuildMakes | Evidence::AllMoved | Evidence::StillNamed)) {
        evidence.retain(|it| *it != Evidence::TargetKnown);
    }
}

/// Returns whether a miss of code has stood for a month.
fn has_stood(
    construct: Evidence,
    tree: &dyn SourceTree,
    others: &LanguageStatistics,
    (source, literal, missing): (&Source<'_>, &Checked, &Missing),
) -> bool {
    /// So many files of PHP, of a sample, do not all go unused: a class is loaded only where it is used.
    const MIN_FILES_OF_CLASS: u32 = 5;
    let is_code = matches!(construct, Evidence::Relative | Evidence::Named | Evidence::Mock);
    let (language, name) = literal.kind.as_str().split_once('.').unwrap_or_default();
    // A word of a file without rules may have no reader, and a browser or an editor does without an absent file.
    if !is_code || language == "words" || matches!(name, "url" | "reference") {
        return false;
    }
    let is_used = || others.files_missing(source.path(), path_key(&missing.wanted)) >= MIN_FILES_OF_CLASS;
    if language == "php" && !is_used() {
        return false;
    }
    // Nothing compiles an example in Python, and no test runs it.
    if language == "py" && FileRole::from_path(source.path()) == FileRole::Example {
        return false;
    }
    is_month_old(tree, source, literal, missing)
}

/// Returns whether git had the line of a literal, and its miss, a month before the newest commit.
pub(crate) fn is_month_old(tree: &dyn SourceTree, source: &Source<'_>, literal: &Checked, missing: &Missing) -> bool {
    // A path that exists today does not satisfy the literal, so it did not then.
    let tried = literal.tried.iter().map(String::as_str).filter(|path| tree.kind(path).is_none());
    let paths: Vec<&str> = std::iter::once(missing.wanted.as_str()).chain(tried).take(MAX_PATHS).collect();
    let line = line_of(source, literal);
    // A target that a commit of this month moved was there before it, in whatever directory the literal led to.
    let is_new = || missing.instead.as_ref().is_some_and(|to| !tree.was_there_a_month_ago(to));
    // If git knows the target, the move of the file may have broken the literal.
    !line.is_empty() && !is_new() && tree.missed_a_month_ago(source.path(), line, &paths, missing.instead.is_none())
}

/// The line of a literal without spaces around it.
pub(super) fn line_of<'s>(source: &'s Source<'_>, literal: &Checked) -> &'s str {
    line_around(source.text(), literal.range.start.saturating_sub(source.offset()))
}

/// The line with this offset without spaces around it.
fn line_around(text: &str, at: usize) -> &str {
    let (start, end) =
        (text.floor_char_boundary(at.saturating_sub(MAX_DISTANCE_BYTES)), at.saturating_add(MAX_DISTANCE_BYTES));
    let (Some(before), Some(after)) = (text.get(start..at), text.get(at..text.floor_char_boundary(end))) else {
        return "";
    };
    let from = before.rfind('\n').map_or(start, |line| start + line + 1);
    let to = after.find('\n').map_or(at + after.len(), |line| at + line);
    text[from..to].trim()
}

#[cfg(test)]
mod tests {
    use super::super::evidence::Evidence as E;
    use super::{drop_refuted, line_around};

    #[test]
    fn drops_what_is_refuted() {
        let check = |kind: &str, evidence: &[E], expect: &[E]| {
            let mut left = evidence.to_vec();
            drop_refuted(kind, &mut left);
            assert_eq!(left, expect, "{kind}");
        };
        check("c.include", &[E::HistoryHad, E::Stood], &[E::Stood]);
        check("c.include", &[E::HistoryHad], &[E::HistoryHad]);
        check("c.include", &[E::TargetKnown, E::TakenOver, E::Stood], &[E::TakenOver, E::Stood]);
        check("c.include", &[E::TargetKnown, E::Stood], &[E::TargetKnown, E::Stood]);
        check("js.import", &[E::TargetKnown, E::Stood], &[E::TargetKnown, E::Stood]);
        check("java.import", &[E::HistoryHad, E::Stood], &[E::Stood]);
        check("php.use", &[E::HistoryHad, E::Stood], &[E::Stood]);
        check("template.extends", &[E::HistoryHad, E::Stood], &[E::Stood]);
        check("py.import", &[E::HistoryHad, E::Stood], &[E::HistoryHad, E::Stood]);
        check("py.import", &[E::RuleOptional, E::HistoryHad, E::Stood], &[E::RuleOptional, E::Stood]);
        check("py.import", &[E::RuleOptional, E::HistoryHad], &[E::RuleOptional, E::HistoryHad]);
        check("md.link", &[E::TargetKnown, E::BuildMakes], &[E::BuildMakes]);
        check("html.href", &[E::TargetKnown, E::AllMoved], &[E::AllMoved]);
        check("ts.import", &[E::HistoryHad, E::Silenced], &[E::Silenced]);
        check("ts.import", &[E::TargetKnown, E::Silenced], &[E::TargetKnown, E::Silenced]);
    }

    #[test]
    fn finds_the_line() {
        let check = |text: &str, at: usize, expect: &str| assert_eq!(line_around(text, at), expect, "{text:?} {at}");
        check("a\n  import 'b';\r\nc", 6, "import 'b';");
        check("import 'b'", 0, "import 'b'");
        check("a\nb\n", 4, "");
        check("", 0, "");
        check("é", 1, "");
        check("a", 5, "");
    }
}
