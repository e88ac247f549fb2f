//! `check`: the literals of one file with their verdicts, from all languages that claim it.

use crate::checked::{Checked, Reason, Verdict};
use crate::interpreter::path_of_output;
use crate::language::Language;
use crate::project::Project;
use crate::report::says_missing;
use crate::source::Source;
use crate::{corrected_imports, earlier_paths, settings, typo_findings};

/// Returns every literal of one file with its verdict, in source order. A file of an unknown language has none; broken
/// input has fewer, and never fails.
pub fn check(source: &Source<'_>, project: &Project) -> Vec<Checked> {
    let mut found = check_at_current_path(source, project);
    earlier_paths::apply(source, project, &mut found);
    keep_only_moves(source, project, &mut found);
    typo_findings::apply(source, project, &mut found);
    corrected_imports::apply(source, project, &mut found, check_at_current_path);
    found
}

/// Leaves literals of a template undecided unless their targets moved: the file that is made of it may stand elsewhere.
fn keep_only_moves(source: &Source<'_>, project: &Project, found: &mut [Checked]) {
    if path_of_output(source.path()).is_none() {
        return;
    }
    let reads_itself = |language: &&&dyn Language| language.claims(source.path());
    let own: Vec<&str> = project.languages().iter().filter(reads_itself).map(|language| language.name()).collect();
    let is_missing =
        |literal: &Checked| matches!(&literal.verdict, Verdict::Missing(missing) if missing.instead.is_none());
    for literal in found.iter_mut().filter(|literal| is_missing(literal) && !own.contains(&literal.kind.language())) {
        literal.verdict = Verdict::Unknown(Reason::Optional);
    }
}

/// Checks a file without the lookups from its earlier paths and without typo detection.
pub(crate) fn check_at_current_path(source: &Source<'_>, project: &Project) -> Vec<Checked> {
    let mut found = Vec::new();
    for language in project.languages_of(source) {
        match path_of_output(source.path()).filter(|_| !language.claims(source.path())) {
            Some(output) => language.check(&source.read_as(output), project, &mut found),
            None => language.check(source, project, &mut found),
        }
    }
    found.sort_by_key(|checked| (checked.range.start, checked.range.end));
    // Two languages can report the same range (HTML in Markdown). A verdict `Found` of either wins.
    found.dedup_by(|later, first| {
        let same = later.range == first.range;
        if same && matches!(later.verdict, Verdict::Found(_)) {
            std::mem::swap(later, first);
        }
        same
    });
    for checked in &mut found {
        // Tests and examples name what is not there, and name it so.
        if matches!(&checked.verdict, Verdict::Missing(missing) if missing.instead.is_none())
            && source.text_at(&checked.range).is_some_and(says_missing)
        {
            checked.verdict = Verdict::Unknown(Reason::Optional);
        }
        settings::apply(project.settings(), source, project, checked);
    }
    found
}
