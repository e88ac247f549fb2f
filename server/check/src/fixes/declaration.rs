//! Fixes of a literal that has a declared name with a typo, where the file of the declaration has another name.

use pathfinder_languages::find_near_name;
use pathfinder_literals::{Checked, Missing, Rewriting};

use super::{BrokenEstimate, Fix};

/// Probability of the only declared name that differs by a typo. Chosen, not fitted.
const NEAR_NAME_CONFIDENCE: f32 = 0.97;

/// The fix of a literal by the only declared name that differs by a typo; `None` for other literals.
pub(super) fn find_fix(
    text: &str,
    rewriting: &Rewriting<'_>,
    literal: &Checked,
    missing: &Missing,
    estimate: &BrokenEstimate,
) -> Option<Fix> {
    let near = find_near_name(rewriting.project(), text, literal, missing)?;
    let corrected = replace_name(rewriting.text_at(&literal.range)?, &near.written, &near.name)?;
    let new = rewriting.rewrite_as(literal, corrected, &near.file)?;
    Some(Fix {
        literal: new.literal,
        path: near.file,
        followers: new.followers,
        confidence: NEAR_NAME_CONFIDENCE,
        preferred: estimate.is_certain() && !estimate.can_be_deliberate(),
        signals: Vec::new(),
    })
}

/// A text with a whole name replaced; `None` if it does not have the name, or has it twice.
fn replace_name(text: &str, old: &str, new: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_whole = |at: &usize| !text[..*at].ends_with(is_part) && !text[at + old.len()..].starts_with(is_part);
    let mut places = text.match_indices(old).map(|(at, _)| at).filter(is_whole);
    let at = places.next().filter(|_| places.next().is_none())?;
    Some([&text[..at], new, &text[at + old.len()..]].concat())
}
