//! How sure the first fix is, told from how far it is ahead and what speaks for it.

use std::sync::LazyLock;

use pathfinder_core::table;

use super::Fix;
use super::signals::{FixSignals, Signal};

/// At or above this probability a fix is applied without being looked at. `models/literals/fit.py` prints what that costs in
/// repositories that the table was not fitted to: 1 in 506 here, 4 in 582 at 0.99, which is more than may be.
pub(crate) const PREFERRED_CONFIDENCE: f32 = 0.995;

/// What is known for sure: git's history, or the disk's own spelling. See `MOVED` in the engine.
const KNOWN_TARGET_CONFIDENCE: f32 = 0.995;

/// At or above this probability a slip of one letter that only one path fits is mended without being looked at.
const SLIP_CONFIDENCE: f32 = 0.9;

/// Most that a fix has which nothing but likeness speaks for. Of such first fixes in repositories that were read 5 of 76 were
/// right, so none is shown.
pub(super) const MAX_UNSUPPORTED_CONFIDENCE: f32 = 0.4;

/// Whether the first is the only one that has all the names which the construct expects, or it alone has the name that was asked for.
fn is_only_complete(signals: &[FixSignals]) -> bool {
    let is_whole = |signals: &&FixSignals| signals.get(Signal::Whole) > 0.0;
    let first = &signals[0];
    is_whole(&first) && signals.iter().filter(is_whole).count() == 1 || first.get(Signal::Only) > 0.0
}

/// What the logarithm of the first one's odds is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Curve {
    /// Points of there being nothing right among them.
    none: f32,
    bias: f32,
    /// Per unit of the logarithm of its odds against the others and none.
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

/// Gives each fix its probability, and says of the first whether it is sure. `of` are their signals, and after those the
/// signals of what else was looked at: how sure one is does not depend on how many are shown.
pub(super) fn assign_confidence(fixes: &mut [Fix], signals: &[FixSignals]) {
    let Some(first) = signals.first() else { return };
    let points = first.points();
    // What the others, and there being nothing right, have of the first one's odds.
    let shares: Vec<f32> = signals.iter().map(|signals| (signals.points() - points).exp()).collect();
    let others = shares[1..].iter().sum::<f32>() + (CURVE.none - points).exp();
    let confidence = if first.get(Signal::KnownTarget) > 0.0 {
        KNOWN_TARGET_CONFIDENCE
    } else {
        1.0 / (1.0 + (-(CURVE.bias - CURVE.odds * others.ln())).exp())
    };
    // What is only alike is seldom right: most targets that are missing are gone.
    let confidence = if first.is_supported() { confidence } else { confidence.min(MAX_UNSUPPORTED_CONFIDENCE) };
    for (fix, share) in fixes.iter_mut().zip(&shares) {
        fix.confidence = ((1.0 - confidence) * share / others.max(f32::MIN_POSITIVE)).min(confidence);
    }
    fixes[0].confidence = confidence;
    let is_slip = first.get(Signal::Slip) >= 1.0;
    let is_confirmed = first.get(Signal::KnownTarget) > 0.0 || is_only_complete(signals);
    fixes[0].preferred = is_slip && confidence >= SLIP_CONFIDENCE || is_confirmed && confidence >= PREFERRED_CONFIDENCE;
}

/// Lowers what is said of fixes whose rivals were not all put to the proof: a likelier one could be among those.
pub(in crate::check) fn lower_confidence(fixes: &mut [Fix]) {
    for fix in fixes {
        fix.confidence = fix.confidence.min(MAX_UNSUPPORTED_CONFIDENCE);
        fix.preferred = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{CURVE, MAX_UNSUPPORTED_CONFIDENCE, assign_confidence, lower_confidence};
    use crate::check::fixes::Fix;
    use crate::check::fixes::signals::FixSignals;

    #[test]
    fn history_is_sure() {
        let fix = |path: &str| Fix {
            literal: path.to_owned(),
            path: path.to_owned(),
            confidence: 0.0,
            preferred: false,
            signals: Vec::new(),
        };
        let mut fixes = [fix("a"), fix("b")];
        assign_confidence(&mut fixes, &[FixSignals::known_target(), FixSignals::default()]);
        assert!(fixes[0].preferred && fixes[0].confidence > 0.98 && fixes[1].confidence < 0.01);
        // Two that nothing speaks for.
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
