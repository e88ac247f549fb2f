//! Rewrites the literals that begin with a name which a rewritten literal binds: after `use crate::b;` instead of `use crate::a;`,
//! `a::f()` is missing and becomes `b::f()`. So one fix has all edits that it needs.

use std::cell::Cell;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Rewriting;
use crate::check::check_at_current_path;
use crate::checked::{Checked, Verdict};
use crate::source::Source;

/// The new text of a literal, and the edits that other literals of the file then need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewritten {
    /// The new text of the literal.
    pub literal: String,
    /// Byte ranges in the file and their new texts, in source order: literals that begin with a name which this one binds, or
    /// the one that it continues.
    pub followers: Vec<(Range<usize>, String)>,
}

impl Rewriting<'_> {
    /// Returns the text of a missing literal that leads to `target`, with the edits of the literals that begin with a name which
    /// it binds, and of the uses of that name. `None` if no spelling does so without breaking another literal or a use.
    pub fn rewrite_with_followers(&self, literal: &Checked, target: &str) -> Option<Rewritten> {
        /// The uses of a name are looked for in the syntax tree, which takes as long as so many checks of the text.
        const USES_COST: usize = 2;
        let mut new = self.rewrite_literal(literal, target)?;
        if self.project.has_uses(literal.kind) && !self.spend(USES_COST * self.source.text().len()) {
            return None;
        }
        new.followers.extend(self.project.edit_uses(self.source, literal, &new.literal)?);
        new.followers.sort_by_key(|(range, _)| range.start);
        Some(new)
    }

    /// Returns the edits of `followers`, which are missing in the edited text with the literals `now`, with ranges in that text.
    /// `None` if one of them cannot be rewritten, or if another literal is missing then.
    pub(super) fn rewrite_followers(
        &self,
        edited: &Source<'_>,
        now: &[Checked],
        followers: &[usize],
    ) -> Option<Vec<(Range<usize>, String)>> {
        let verified_bytes = Cell::new(self.verified_bytes.get());
        let rewriting = Rewriting { verified_bytes, ..Rewriting::new(edited, self.project, now) };
        // Equal texts stand for one module, so the first answer holds for all.
        let mut spelled: FxHashMap<&str, String> = FxHashMap::default();
        let mut edits = Vec::with_capacity(followers.len());
        for follower in followers.iter().map(|at| &now[*at]) {
            let written = rewriting.text_at(&follower.range)?;
            let Verdict::Missing(missing) = &follower.verdict else { return None };
            if !spelled.contains_key(written) {
                spelled.insert(written, rewriting.rewrite(follower, missing.instead.as_deref()?)?);
            }
            edits.push((follower.range.clone(), spelled.get(written)?.clone()));
        }
        self.verified_bytes.set(rewriting.verified_bytes.get() + self.cost);
        self.proofs.set(self.proofs.get() + rewriting.proofs.get() + 1);
        let text = replace_all(edited.text(), &edits);
        let after = Source::new(edited.path(), text.as_bytes())?;
        let is_missing = |literal: &&Checked| matches!(literal.verdict, Verdict::Missing(_));
        let left = check_at_current_path(&after, self.project);
        (left.iter().filter(is_missing).count() + edits.len() <= now.iter().filter(is_missing).count()).then_some(edits)
    }
}

/// Returns a text with these edits, which are in source order.
fn replace_all(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let (mut all, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in edits {
        all.push_str(&text[at..range.start]);
        all.push_str(new);
        at = range.end;
    }
    all.push_str(&text[at..]);
    all
}
