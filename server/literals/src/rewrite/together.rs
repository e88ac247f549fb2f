//! Verifies the new spellings of many literals of a file in one check of its text, as after the move of a directory.

use std::collections::HashMap;
use std::ops::Range;

use super::style::LiteralStyle;
use super::{Rewriting, accepts};
use crate::check::check_at_current_path;
use crate::checked::{Checked, Verdict};
use crate::package_declaration::import_by_declaration;
use crate::source::Source;

/// Least number of literals that are verified together. Fewer cost as much alone.
const MIN_LITERALS: usize = 4;
/// Part of a file's literals that costs as much, one by one, as all of them in one check, in a language that can check one alone.
const ONE_LITERAL_PARTS: usize = 16;
/// Spellings of each literal that are verified together, in as many checks: the right one is among the first three if there is one.
const MAX_ROUNDS: usize = 3;

/// A literal with its target and the spellings that may lead there.
struct Attempt<'l> {
    literal: &'l Checked,
    target: &'l str,
    style: LiteralStyle<'l>,
    spellings: Vec<String>,
    /// The number of spellings that do not lead to the target.
    failed: usize,
    leads: bool,
}

impl Attempt<'_> {
    /// The spelling that leads to the target, or the next to verify.
    fn spelling(&self) -> Option<&str> {
        self.spellings.get(self.failed).map(String::as_str)
    }
}

impl Rewriting<'_> {
    /// Verifies the spellings of missing literals with their targets. A literal that leads to its target in the text
    /// with all new spellings needs no verification of its own. Where one of them makes another literal missing, nothing is known.
    pub fn verify_together(&self, wanted: &[(&Checked, &str)]) {
        let least = if self.checks_one_literal { self.literals.len() / ONE_LITERAL_PARTS } else { 0 };
        if wanted.len() < MIN_LITERALS.max(least) {
            return;
        }
        let mut attempts: Vec<Attempt<'_>> =
            wanted.iter().filter_map(|(literal, target)| self.attempt(literal, target)).collect();
        attempts.sort_by_key(|attempt| attempt.literal.range.start);
        attempts.dedup_by(|later, first| later.literal.range.start < first.literal.range.end);
        for _ in 0..MAX_ROUNDS {
            if attempts.iter().all(|attempt| attempt.leads || attempt.spelling().is_none()) {
                break;
            }
            if !self.spend(self.cost) || self.verify_all(&mut attempts).is_none() {
                return;
            }
        }
        let mut together = self.together.borrow_mut();
        for attempt in attempts {
            let start = attempt.literal.range.start;
            let tried = if attempt.leads { attempt.failed + 1 } else { attempt.failed };
            for (at, spelling) in attempt.spellings.into_iter().take(tried).enumerate() {
                together.insert((start, spelling, attempt.target.to_owned()), at == attempt.failed);
            }
        }
    }

    /// Returns what a literal would be rewritten to.
    fn attempt<'l>(&'l self, literal: &'l Checked, target: &'l str) -> Option<Attempt<'l>> {
        let written = self.text_at(&literal.range)?;
        let Verdict::Missing(missing) = &literal.verdict else { return None };
        let style = LiteralStyle::infer(written, &missing.wanted, self.source);
        let (languages, tree) = (self.project.languages(), self.project.tree());
        let declared = import_by_declaration(languages, tree, written, &missing.wanted, target);
        let spellings = self.spellings_of(literal, &style, target, declared);
        Some(Attempt { literal, target, style, spellings, failed: 0, leads: false })
    }

    /// Checks the text with the spelling of each attempt. `None` if another literal is missing then.
    fn verify_all(&self, attempts: &mut [Attempt<'_>]) -> Option<()> {
        let (skipped, text) = (self.source.offset(), self.source.text());
        let mut edited = String::with_capacity(text.len());
        // Ends of the edits in the new and in the old text.
        let mut ends = Vec::new();
        let mut places: HashMap<(usize, usize), usize> = HashMap::new();
        let mut copied = 0;
        for (at, attempt) in attempts.iter().enumerate() {
            let Some(spelling) = attempt.spelling() else { continue };
            let Range { start, end } = attempt.literal.range;
            edited.push_str(&text[copied..start - skipped]);
            let start = edited.len();
            edited.push_str(spelling);
            copied = end - skipped;
            places.insert((start, edited.len()), at);
            ends.push((edited.len(), copied));
        }
        edited.push_str(&text[copied..]);
        self.proofs.set(self.proofs.get() + 1);
        let source = Source::new(self.source.path(), edited.as_bytes())?;
        let mut leading = Vec::new();
        for now in check_at_current_path(&source, self.project) {
            if let Some(&at) = places.get(&(now.range.start, now.range.end)) {
                let attempt = &attempts[at];
                let leads =
                    attempt.spelling().is_some_and(|spelling| accepts(&attempt.style, &now, spelling, attempt.target));
                leading.extend(leads.then_some(at));
            } else if matches!(now.verdict, Verdict::Missing(_)) {
                let before = ends[..ends.partition_point(|(new, _)| *new <= now.range.start)].last();
                let (new, old) = before.copied().unwrap_or_default();
                // `check` returns literals in source order.
                let was = (now.range.start + old - new + skipped, now.range.end + old - new + skipped);
                let place = |known: &Checked| (known.range.start, known.range.end);
                let known = self.literals.binary_search_by_key(&was, place).ok()?;
                matches!(self.literals[known].verdict, Verdict::Missing(_)).then_some(())?;
            }
        }
        for (at, attempt) in attempts.iter_mut().enumerate() {
            if leading.contains(&at) {
                attempt.leads = true;
            } else if attempt.spelling().is_some() {
                attempt.failed += 1;
                attempt.leads = false;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicUsize;

    use super::Rewriting;
    use crate::checked::Checked;
    use crate::language::Language;
    use crate::project::Project;
    use crate::rewrite::tests::{KIND, Lines};
    use crate::source::Source;
    use crate::testing::MemoryTree;

    /// Rewrites the missing lines of a file in `b`, each with its target, and returns the new ones and how many texts were checked.
    fn rewrite(lines: &str, targets: &[&str]) -> (Vec<Option<String>>, usize) {
        static LINES: Lines = Lines(AtomicUsize::new(0), KIND, false);
        static ALL: [&dyn Language; 1] = [&LINES];
        let project = Project::new(Arc::new(MemoryTree::new("b/c/1.md\nb/c/2.md\nb/c/3.md\nd/4.md\nb/here.md")), &ALL);
        let source = Source::new("b/list", lines.as_bytes()).expect("a text");
        let literals = crate::check::check(&source, &project);
        let rewriting = Rewriting::new(&source, &project, &literals);
        let missing = literals.iter().filter(|literal| literal.range.len() < "here.md".len());
        let wanted: Vec<(&Checked, &str)> = missing.zip(targets.iter().copied()).collect();
        rewriting.verify_together(&wanted);
        let new = wanted.iter().map(|(literal, target)| rewriting.rewrite(literal, target)).collect();
        (new, rewriting.proofs())
    }

    #[test]
    fn verifies_many_literals_in_one_text() {
        let check = |lines: &str, targets: &[&str], expect: &[&str], proofs: usize| {
            let (new, tested) = rewrite(lines, targets);
            let new: Vec<&str> = new.iter().map(|text| text.as_deref().unwrap_or("-")).collect();
            assert_eq!((new.as_slice(), tested), (expect, proofs), "{lines}");
        };
        let targets = ["b/c/1.md", "b/c/2.md", "b/c/3.md", "d/4.md"];
        let new = ["c/1.md", "c/2.md", "c/3.md", "../d/4.md"];
        check("1.md\nhere.md\n2.md\n3.md\n4.md\nhere.md", &targets, &new, 1);
        // Too few, and one that is nowhere: its spellings are verified in further texts.
        check("1.md\nhere.md\n2.md", &targets[..2], &new[..2], 2);
        check(
            "1.md\n2.md\n3.md\n4.md",
            &["b/c/1.md", "b/c/2.md", "b/c/3.md", "d/5.md"],
            &["c/1.md", "c/2.md", "c/3.md", "-"],
            2,
        );
    }
}
