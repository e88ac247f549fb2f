//! `Rewriting`: a literal written anew so that it leads to another target, as the file's author would have written it.
//!
//! No language is asked how it spells a path. What was written and what it named tell the style (where it is seen from,
//! what is put before it, which ending is left out); a few spellings of the new target follow from it, and the language's
//! own check says which of them holds. So a spelling is offered only if it is proven.

mod ending;
mod form;
mod moving;
mod spell;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::ops::Range;

use crate::checked::{Checked, Reason, Verdict};
use crate::project::Project;
use crate::slip::is_slip;
use crate::source::Source;
use form::Form;
pub use moving::{Edit, Moving};

/// Spellings of one target that are put to the proof at most. Each is a check of the whole file; the right one is among
/// the first three where there is one at all.
const PROOFS: usize = 12;
/// Bytes of text that all proofs of one file may check together. A file of usual size never gets there; in one of megabytes, or of
/// thousands of broken literals, the first ones are mended and the others only reported.
const WORK: usize = 16 * 1024 * 1024;
/// What a literal counts in a proof: to look up one that is missing takes as long as to read so many bytes.
const LITERAL: usize = 256;
/// What each path counts that is tried for a literal: a module of a package with many source directories is looked for in each of them.
const PATH: usize = 16;
/// Paths that are tried for a literal and are counted in it already: few constructs have more.
const USUAL_PATHS: usize = 64;

/// The literals of one file, for being rewritten.
pub struct Rewriting<'a> {
    source: &'a Source<'a>,
    project: &'a Project,
    /// What a check of this text gave.
    all: &'a [Checked],
    /// What one proof counts, in bytes.
    cost: usize,
    /// Bytes that proofs have checked so far.
    work: Cell<usize>,
    proofs: Cell<usize>,
}

impl<'a> Rewriting<'a> {
    /// For a file in which these literals were found.
    pub fn new(source: &'a Source<'a>, project: &'a Project, all: &'a [Checked]) -> Self {
        let literals = all.iter().map(|literal| LITERAL + PATH * literal.tried.len().saturating_sub(USUAL_PATHS));
        let cost = source.text().len() + literals.sum::<usize>();
        Self { source, project, all, cost, work: Cell::new(0), proofs: Cell::new(0) }
    }

    /// How many spellings were put to the proof so far.
    pub fn proofs(&self) -> usize {
        self.proofs.get()
    }

    /// Whether spellings were left out because the file's proofs take too long together.
    pub fn is_exhausted(&self) -> bool {
        self.work.get() >= WORK
    }

    /// The literal, missing as it is, written so that it leads to `target` (relative to the root); `None` if no spelling
    /// of it does, or only ones that make something else missing.
    pub fn rewrite(&self, literal: &Checked, target: &str) -> Option<String> {
        let written = self.written(&literal.range)?;
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        let form = Form::of(written, &missing.wanted, self.source);
        self.respell(literal, &form, target)
    }

    /// The literal with another fragment of the page that it names; `None` if that is not there either.
    pub fn rewrite_fragment(&self, literal: &Checked, fragment: &str) -> Option<String> {
        let written = self.written(&literal.range)?;
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        let (page, _) = written.split_once('#')?;
        let spelling = format!("{page}#{fragment}");
        let form = Form::of(written, &missing.wanted, self.source);
        self.proves(literal, &spelling, &missing.wanted, &form).then_some(spelling)
    }

    /// The literal, written in a form so that it leads to `target`.
    fn respell(&self, literal: &Checked, form: &Form<'_>, target: &str) -> Option<String> {
        // A pattern names more than the one file that it was found by.
        if self.work.get() >= WORK || form.written.contains('*') {
            return None;
        }
        let spellings = spell::spellings(form, target, self.source, &self.siblings(literal));
        let new = spellings.into_iter().filter(|spelling| spelling != form.written).take(PROOFS);
        new.into_iter().find(|spelling| self.proves(literal, spelling, target, form))
    }

    /// How other literals of the file that are of the same kind are written.
    fn siblings(&self, literal: &Checked) -> Vec<Form<'a>> {
        /// Styles differ between files, hardly within one.
        const MOST: usize = 8;
        /// Literals that are looked at for that: this is asked for every target of every literal.
        const SEEN: usize = 100;
        let same = self.all.iter().filter(|other| other.kind == literal.kind && other.range != literal.range);
        let forms = same.filter_map(|other| match &other.verdict {
            Verdict::Found(target) => Some(Form::of(self.written(&other.range)?, &target.path, self.source)),
            _ => None,
        });
        let mut all: Vec<Form<'a>> = Vec::new();
        for form in forms.take(SEEN) {
            if form.is_aligned() && !form.is_relative() && !all.iter().any(|known| known.same_style(&form)) {
                all.push(form);
            }
            if all.len() >= MOST {
                break;
            }
        }
        all
    }

    fn written(&self, range: &Range<usize>) -> Option<&'a str> {
        let skipped = self.source.offset();
        self.source.text().get(range.start.checked_sub(skipped)?..range.end.checked_sub(skipped)?)
    }

    /// Whether the literal leads to the target when it is written so, and nothing else is missing that was not.
    fn proves(&self, literal: &Checked, spelling: &str, target: &str, form: &Form<'_>) -> bool {
        let skipped = self.source.offset();
        let text = self.source.text();
        let (start, end) = (literal.range.start - skipped, literal.range.end - skipped);
        let work = self.work.get().saturating_add(self.cost);
        self.work.set(work);
        if work > WORK {
            return false;
        }
        self.proofs.set(self.proofs.get() + 1);
        let edited = [&text[..start], spelling, &text[end..]].concat();
        let source = self.source.edited(&(start..end), spelling, &edited);
        let (start, end) = (start, start + spelling.len());
        let mut is_there = false;
        let moved =
            |at: usize| if at >= end { at + literal.range.len() - spelling.len() + skipped } else { at + skipped };
        for now in crate::at_present(&source, self.project) {
            let is_it = now.range == (start..end);
            match now.verdict {
                Verdict::Found(found) if is_it => is_there |= leads_to(form, &found.path, target),
                // The build decides where it is looked for; the mistyped name was looked for in the same places.
                Verdict::Unknown(Reason::Undecided(path)) if is_it && path == target => {
                    is_there |= is_slip(form.written, spelling);
                }
                Verdict::Missing(_) if is_it => return false,
                Verdict::Missing(_) => {
                    let was = moved(now.range.start)..moved(now.range.end);
                    // In the order of their places, as `check` gives them.
                    let order = |known: &Checked| (known.range.start, known.range.end).cmp(&(was.start, was.end));
                    let known = self.all.binary_search_by(order).ok().map(|at| &self.all[at].verdict);
                    if !matches!(known, Some(Verdict::Missing(_))) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        is_there
    }
}

/// Whether what was found is the target: itself, or the page or module that a directory stands for.
fn leads_to(form: &Form<'_>, found: &str, target: &str) -> bool {
    found == target || form.without_index(found) == Some(target) || form.without_index(target) == Some(found)
}
