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
    let new = rewriting.rewrite_name(literal, (&near.written, &near.name), &near.file)?;
    Some(Fix {
        literal: new.literal,
        path: near.file,
        followers: new.followers,
        confidence: NEAR_NAME_CONFIDENCE,
        preferred: estimate.is_certain() && !estimate.can_be_deliberate(),
        signals: Vec::new(),
    })
}
