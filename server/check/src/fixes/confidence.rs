//! Computes the confidence of fixes from the lead of the first one and the signals for it.

use std::sync::LazyLock;

use pathfinder_core::table;

use super::Fix;
use super::signals::{FixSignals, Signal};

/// Fixes of at least this probability are applied without review. `models/literals/fit.py` prints the cost in
/// repositories outside the fit: 1 wrong of 506 here; 4 of 582 at 0.99, which is too many.
pub(crate) const PREFERRED_CONFIDENCE: f32 = 0.995;

/// Confidence of a target that git's history or the disk's own spelling gives. See `MOVED` in the engine.
const KNOWN_TARGET_CONFIDENCE: f32 = 0.995;

/// From this probability on, the only path that is one letter away is applied without review.
const SLIP_CONFIDENCE: f32 = 0.9;

/// Highest confidence of a fix that only similarity supports. Of such first fixes in examined repositories 5 of 76
/// were right, so none is shown.
pub(super) const MAX_UNSUPPORTED_CONFIDENCE: f32 = 0.4;

/// Returns whether the first target alone declares all expected names, or alone has the wanted name.
fn is_only_complete(signals: &[FixSignals]) -> bool {
    let is_whole = |signals: &&FixSignals| signals.get(Signal::Whole) > 0.0;
    let first = &signals[0];
    is_whole(&first) && signals.iter().filter(is_whole).count() == 1 || first.get(Signal::Only) > 0.0
}

/// Parameters of the logistic curve for the first fix.
#[derive(Clone, Copy, Debug, Default)]
struct Curve {
    /// Points of the case that no target is right.
    none: f32,
    bias: f32,
    /// Weight of the log odds against the other targets and none.
    odds: f32,
}

static CURVE: LazyLock<Curve> = LazyLock::new(|| {
    let mut curve = Curve::default();
    for (name, value) in table::lines(include_str!("confidence.txt")) {
        match name {
            "none" => curve.none = value,
            "bias" => curve.bias = value,
            "odds" => curve.odds = value,
            _ => {}
        }
    }
    curve
});

/// Sets the confidence of each fix, and whether the first is preferred. `signals` holds those of the fixes and then
/// those of further targets, so that the confidence does not depend on how many fixes are shown.
pub(super) fn assign_confidence(fixes: &mut [Fix], signals: &[FixSignals]) {
    let Some(first) = signals.first() else { return };
    let points = first.points();
    // Odds of the other targets and of none, relative to the first one.
    let shares: Vec<f32> = signals.iter().map(|signals| (signals.points() - points).exp()).collect();
    let others = shares[1..].iter().sum::<f32>() + (CURVE.none - points).exp();
    let confidence = if first.get(Signal::KnownTarget) > 0.0 {
        KNOWN_TARGET_CONFIDENCE
    } else {
        1.0 / (1.0 + (-(CURVE.bias - CURVE.odds * others.ln())).exp())
    };
    // Similarity alone is seldom right: most missing targets are gone.
    let confidence = if first.is_supported() { confidence } else { confidence.min(MAX_UNSUPPORTED_CONFIDENCE) };
    for (fix, share) in fixes.iter_mut().zip(&shares) {
        fix.confidence = ((1.0 - confidence) * share / others.max(f32::MIN_POSITIVE)).min(confidence);
    }
    fixes[0].confidence = confidence;
    let is_slip = first.get(Signal::Slip) >= 1.0;
    let is_confirmed = first.get(Signal::KnownTarget) > 0.0 || is_only_complete(signals);
    fixes[0].preferred = is_slip && confidence >= SLIP_CONFIDENCE || is_confirmed && confidence >= PREFERRED_CONFIDENCE;
}

/// Lowers the confidence of fixes whose rivals were not all tested, since a likelier one may be among those.
pub(crate) fn lower_confidence(fixes: &mut [Fix]) {
    for fix in fixes {
        fix.confidence = fix.confidence.min(MAX_UNSUPPORTED_CONFIDENCE);
        fix.preferred = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{CURVE, MAX_UNSUPPORTED_CONFIDENCE, assign_confidence, lower_confidence};
    use crate::fixes::Fix;
    use crate::fixes::signals::FixSignals;

    #[test]
    fn prefers_a_target_from_history() {
        let fix = |path: &str| Fix {
            literal: path.to_owned(),
            path: path.to_owned(),
            followers: Vec::new(),
            confidence: 0.0,
            preferred: false,
            signals: Vec::new(),
        };
        let mut fixes = [fix("a"), fix("b")];
        assign_confidence(&mut fixes, &[FixSignals::known_target(), FixSignals::default()]);
        assert!(fixes[0].preferred && fixes[0].confidence > 0.98 && fixes[1].confidence < 0.01);
        // Two targets without any support.
        assign_confidence(&mut fixes, &[FixSignals::default(), FixSignals::default()]);
        assert!(!fixes[0].preferred && fixes[0].confidence < 0.7, "{fixes:?}");
        assign_confidence(&mut fixes, &[FixSignals::known_target(), FixSignals::default()]);
        lower_confidence(&mut fixes);
        assert!(
            !fixes[0].preferred && fixes[0].confidence <= MAX_UNSUPPORTED_CONFIDENCE && fixes[1].confidence < 0.01,
            "{fixes:?}"
        );
        assert!(CURVE.odds > 0.0);
        assign_confidence(&mut [], &[]);
    }
}
