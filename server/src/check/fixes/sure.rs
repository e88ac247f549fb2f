//! How sure the first fix is, told from how far it is ahead and what speaks for it.

use std::sync::LazyLock;

use pathfinder_core::table;

use super::Fix;
use super::evidence::{Signal, Signals};

/// At or above this probability a fix is applied without being looked at. `models/literals/fit.py` prints what that costs in
/// repositories that the table was not fitted to: 1 in 506 here, 4 in 582 at 0.99, which is more than may be.
pub(crate) const PREFERRED: f32 = 0.995;

/// What is known for sure: git's history, or the disk's own spelling. See `MOVED` in the engine.
const TOLD: f32 = 0.995;

/// At or above this probability a slip of one letter that only one path fits is mended without being looked at.
const SLIP: f32 = 0.9;

/// Most that a fix has which nothing but likeness speaks for. Of such first fixes in repositories that were read 5 of 76 were
/// right, so none is shown.
pub(super) const UNSUPPORTED: f32 = 0.4;

/// Whether the first is the only one that has all the names which the construct expects, or it alone has the name that was asked for.
fn is_the_only_whole(of: &[Signals]) -> bool {
    let is_whole = |signals: &&Signals| signals.get(Signal::Whole) > 0.0;
    let first = &of[0];
    is_whole(&first) && of.iter().filter(is_whole).count() == 1 || first.get(Signal::Only) > 0.0
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
pub(super) fn judge(fixes: &mut [Fix], of: &[Signals]) {
    let Some(first) = of.first() else { return };
    let points = first.points();
    // What the others, and there being nothing right, have of the first one's odds.
    let shares: Vec<f32> = of.iter().map(|signals| (signals.points() - points).exp()).collect();
    let others = shares[1..].iter().sum::<f32>() + (CURVE.none - points).exp();
    let confidence = if first.get(Signal::Told) > 0.0 {
        TOLD
    } else {
        1.0 / (1.0 + (-(CURVE.bias - CURVE.odds * others.ln())).exp())
    };
    // What is only alike is seldom right: most targets that are missing are gone.
    let confidence = if first.is_supported() { confidence } else { confidence.min(UNSUPPORTED) };
    for (fix, share) in fixes.iter_mut().zip(&shares) {
        fix.confidence = ((1.0 - confidence) * share / others.max(f32::MIN_POSITIVE)).min(confidence);
    }
    fixes[0].confidence = confidence;
    let is_slip = first.get(Signal::Slip) >= 1.0;
    let is_confirmed = first.get(Signal::Told) > 0.0 || is_the_only_whole(of);
    fixes[0].preferred = is_slip && confidence >= SLIP || is_confirmed && confidence >= PREFERRED;
}

/// Lowers what is said of fixes whose rivals were not all put to the proof: a likelier one could be among those.
pub(in crate::check) fn lower(fixes: &mut [Fix]) {
    for fix in fixes {
        fix.confidence = fix.confidence.min(UNSUPPORTED);
        fix.preferred = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{CURVE, UNSUPPORTED, judge, lower};
    use crate::check::fixes::Fix;
    use crate::check::fixes::evidence::Signals;

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
        judge(&mut fixes, &[Signals::told(), Signals::default()]);
        assert!(fixes[0].preferred && fixes[0].confidence > 0.98 && fixes[1].confidence < 0.01);
        // Two that nothing speaks for.
        judge(&mut fixes, &[Signals::default(), Signals::default()]);
        assert!(!fixes[0].preferred && fixes[0].confidence < 0.7, "{fixes:?}");
        judge(&mut fixes, &[Signals::told(), Signals::default()]);
        lower(&mut fixes);
        assert!(!fixes[0].preferred && fixes[0].confidence <= UNSUPPORTED && fixes[1].confidence < 0.01, "{fixes:?}");
        assert!(CURVE.odds > 0.0);
        judge(&mut [], &[]);
    }
}
