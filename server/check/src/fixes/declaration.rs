//! Fixes of an import that has a declared name with a typo, where the file of the declaration has another name.

use pathfinder_languages::find_near_declaration;
use pathfinder_literals::path::name;
use pathfinder_literals::{Checked, Missing, Rewriting};

use super::{BrokenEstimate, Fix};

/// Probability of the only name of a package that differs by a typo. Chosen, not fitted.
const NEAR_NAME_CONFIDENCE: f32 = 0.97;

/// The fix of an import by the only name of its package that differs by a typo; `None` for other literals.
pub(super) fn find_fix(
    text: &str,
    rewriting: &Rewriting<'_>,
    literal: &Checked,
    missing: &Missing,
    estimate: &BrokenEstimate,
) -> Option<Fix> {
    let near = find_near_declaration(rewriting.project(), text, literal, missing)?;
    let written = name(&missing.wanted).split('.').next()?;
    let segments = rewriting.text_at(&literal.range)?.split('.');
    let corrected: Vec<&str> =
        segments.map(|segment| if segment == written { near.name.as_str() } else { segment }).collect();
    let new = rewriting.rewrite_as(literal, corrected.join("."), &near.file)?;
    Some(Fix {
        literal: new.literal,
        path: near.file,
        followers: new.followers,
        confidence: NEAR_NAME_CONFIDENCE,
        preferred: estimate.is_certain() && !estimate.can_be_deliberate(),
        signals: Vec::new(),
    })
}
