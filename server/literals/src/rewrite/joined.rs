//! Rewrites a literal together with the one that it continues: the module and the name of `from a import b`, which lead to
//! `a/b.py` as one path, or package and name of `import a.{B, C}`. `Rewriting` and `MoveRewriter` call it when the name alone cannot lead to the target.

use std::ops::Range;

use super::acceptance::leads_to;
use super::followers::Rewritten;
use super::style::LiteralStyle;
use super::{MAX_VERIFIED_SPELLINGS, Rewriting, spellings};
use crate::check::check_at_current_path;
use crate::checked::{Checked, Verdict};
use crate::project::Project;
use crate::source::Source;

/// Two literals of a file that make up one path.
pub(super) struct JoinedLiterals {
    /// The byte range of the first one in the text.
    first: Range<usize>,
    /// Both as one path.
    pub(super) written: String,
}

impl JoinedLiterals {
    /// Returns the literal with the one that it continues; `None` if it continues none.
    pub(super) fn find(project: &Project, source: &Source<'_>, literal: &Checked) -> Option<Self> {
        let skipped = source.offset();
        let range = literal.range.start.checked_sub(skipped)?..literal.range.end.checked_sub(skipped)?;
        let first = project.continued_literal(source, literal, &range)?;
        let (module, name) = (source.text().get(first.clone())?, source.text().get(range)?);
        let separator = if module.ends_with('.') { "" } else { "." };
        Some(Self { written: format!("{module}{separator}{name}"), first })
    }
}

impl Rewriting<'_> {
    /// Returns the new text of a literal that leads to `target`, with the edit of the literal that it continues. The name that
    /// it binds stays, since the rest of the file uses it. `declared` is the whole path by the package that the target declares.
    pub(super) fn respell_joined(
        &self,
        literal: &Checked,
        joined: &JoinedLiterals,
        style: &LiteralStyle<'_>,
        target: &str,
        declared: Option<String>,
    ) -> Option<Rewritten> {
        let name = self.text_at(&literal.range)?;
        let spellings = spellings::generate_spellings(style, target, self.source, &[]);
        let split = declared.into_iter().chain(spellings).filter(|spelling| *spelling != joined.written).filter_map(
            |spelling| {
                let at = spelling.rfind('.')?;
                let is_dots = spelling[..at].bytes().all(|byte| byte == b'.');
                let module = &spelling[..if is_dots { at + 1 } else { at }];
                let is_module = module.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
                (is_module && spelling[at + 1..] == *name).then(|| module.to_owned())
            },
        );
        let module = split
            .take(MAX_VERIFIED_SPELLINGS)
            .find(|module| self.leads_joined(literal, joined, module, style, target))?;
        let skipped = self.source.offset();
        let first = joined.first.start + skipped..joined.first.end + skipped;
        Some(Rewritten { literal: name.to_owned(), followers: vec![(first, module)] })
    }

    /// Returns whether the literal leads to the target after `module` replaces the literal that it continues, and no other
    /// literal becomes missing.
    fn leads_joined(
        &self,
        literal: &Checked,
        joined: &JoinedLiterals,
        module: &str,
        style: &LiteralStyle<'_>,
        target: &str,
    ) -> bool {
        if !self.spend(self.cost) {
            return false;
        }
        self.proofs.set(self.proofs.get() + 1);
        let text = self.source.text();
        let edited = [&text[..joined.first.start], module, &text[joined.first.end..]].concat();
        let source = self.source.with_edit(&joined.first, module, &edited);
        let skipped = self.source.offset();
        // The place at which a literal behind the edited one is afterwards.
        let shifted = |range: &Range<usize>| {
            let start = range.start - skipped - joined.first.len() + module.len();
            start..start + range.len()
        };
        let range = shifted(&literal.range);
        let now = check_at_current_path(&source, self.project);
        self.source.adopt_trees(&source, &joined.first, module);
        // The other names of `import a.{B, C}` stay right.
        let behind = self.literals.iter().filter(|other| other.range.start >= joined.first.end + skipped);
        let found: Vec<Range<usize>> = behind
            .filter(|other| matches!(other.verdict, Verdict::Found(_)))
            .map(|other| shifted(&other.range))
            .collect();
        let is_found = |now: &Checked| matches!(now.verdict, Verdict::Found(_));
        if !found.iter().all(|range| now.iter().any(|now| now.range == *range && is_found(now))) {
            return false;
        }
        let count = |all: &[Checked]| all.iter().filter(|it| matches!(it.verdict, Verdict::Missing(_))).count();
        let is_there = |now: &Checked| {
            now.range == range && matches!(&now.verdict, Verdict::Found(found) if leads_to(style, &found.path, target))
        };
        count(&now) <= count(self.literals) && now.iter().any(is_there)
    }
}
