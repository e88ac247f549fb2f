//! How sure the first fix is, told from how far it is ahead and what speaks for it.

use std::sync::LazyLock;

use super::Fix;
use super::evidence::{Signal, Signals, table};

/// At or above this probability a fix is applied without being looked at. `models/literals/fit.py` prints what that costs in
/// repositories that the table was not fitted to.
pub(crate) const PREFERRED: f32 = 0.98;

/// What is known for sure: git's history, or the disk's own spelling. See `MOVED` in the engine.
const TOLD: f32 = 0.99;

/// One number of the table: what the logarithm of the first one's odds is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Curve {
    bias: f32,
    /// Per unit of the odds' logarithm that the others leave it.
    odds: f32,
    has: f32,
    name: f32,
    in_place: f32,
    engine: f32,
}

static CURVE: LazyLock<Curve> = LazyLock::new(|| {
    let mut curve = Curve::default();
    for (name, value) in table(include_str!("confidence.txt")) {
        match name {
            "bias" => curve.bias = value,
            "odds" => curve.odds = value,
            "has" => curve.has = value,
            "name" => curve.name = value,
            "in_place" => curve.in_place = value,
            "engine" => curve.engine = value,
            _ => {}
        }
    }
    curve
});

/// Gives each fix its probability, and says of the first whether it is sure. `of` are their signals.
pub(super) fn judge(fixes: &mut [Fix], of: &[Signals]) {
    let Some(first) = of.first() else { return };
    let told = first.get(Signal::Told) > 0.0;
    // What of the probability the others have, by their points.
    let shares: Vec<f32> = of.iter().map(|signals| (signals.points() - first.points()).exp()).collect();
    let others: f32 = shares[1..].iter().sum();
    let confidence = if told { TOLD } else { alone(first, others) };
    for (fix, share) in fixes.iter_mut().zip(&shares) {
        fix.confidence = if others > 0.0 { (1.0 - confidence) * share / others.max(share * 1.0) } else { 0.0 };
    }
    fixes[0].confidence = confidence;
    fixes[0].preferred = confidence >= PREFERRED;
}

/// The probability of the first, whose others have this many times its odds together.
fn alone(first: &Signals, others: f32) -> f32 {
    /// As far ahead as anything is ever told.
    const FAR: f32 = 12.0;
    let odds = if others > 0.0 { (-others.ln()).min(FAR) } else { FAR };
    let Curve { bias, odds: per_odds, has, name, in_place, engine } = *CURVE;
    let sum = bias
        + per_odds * odds
        + has * first.get(Signal::Has)
        + name * first.get(Signal::Name)
        + in_place * first.get(Signal::InPlace)
        + engine * first.get(Signal::Engine);
    1.0 / (1.0 + (-sum).exp())
}
