//! Fixes: where a literal that leads nowhere was meant to lead, and how that is written there.
//!
//! What was meant comes from git's history first, then from the engine, which is asked for the path that the literal
//! names. How it is written comes from `Rewriting`: only what the literal's own resolver then finds is offered.

use pathfinder_core::{Answer, Op, Request};
use pathfinder_literals::{Checked, Missing, Rewriting, Want};

use super::world::World;
use crate::session::Session;

/// Fixes of one literal that are offered at most: a menu that one can take in at a glance.
const MOST: usize = 5;
/// Candidates that are looked at. Those whose spelling no resolver takes fall away, mostly because they are of another
/// kind than the construct takes.
const CANDIDATES: usize = 20;

/// A way to mend a literal.
#[derive(Clone, Debug)]
pub(crate) struct Fix {
    /// What to write in its place.
    pub(crate) literal: String,
    /// What it then leads to, relative to the root.
    pub(crate) path: String,
    /// Probability that this is what was meant: 0–1.
    pub(crate) confidence: f32,
    /// Whether it is sure enough to be applied without being looked at.
    pub(crate) preferred: bool,
}

/// The fixes of a missing literal, the likeliest first.
pub(super) fn fixes(
    session: &Session,
    world: &dyn World,
    rewriting: &Rewriting<'_>,
    file: &str,
    literal: &Checked,
    missing: &Missing,
) -> Vec<Fix> {
    let mut fixes: Vec<Fix> = Vec::new();
    for (path, confidence) in targets(session, world, file, missing) {
        if fixes.len() >= MOST {
            break;
        }
        let Some(spelling) = rewriting.rewrite(literal, &path) else { continue };
        if fixes.iter().all(|known| known.literal != spelling) {
            fixes.push(Fix { literal: spelling, path, confidence, preferred: false });
        }
    }
    fixes
}

/// What may have been meant, the likeliest first, with its probability.
fn targets(session: &Session, world: &dyn World, file: &str, missing: &Missing) -> Vec<(String, f32)> {
    /// What history or the disk's own spelling leads to: see `MOVED` in the engine.
    const KNOWN: f32 = 0.99;
    let mut all: Vec<(String, f32)> = missing.instead.iter().map(|path| (path.clone(), KNOWN)).collect();
    let Some(answer) = ask(session, file, missing) else { return all };
    let mut left = 1.0;
    for candidate in &answer.candidates {
        let path = candidate.path.text().into_owned();
        let fits = match (world.kind(&path), missing.want) {
            (Some(pathfinder_literals::Kind::Directory), Want::File) => false,
            (Some(pathfinder_literals::Kind::File), Want::Directory) => false,
            (kind, _) => kind.is_some(),
        };
        if !fits || path == file || all.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let confidence = if all.is_empty() { answer.confidence } else { left / 2.0 };
        left = (left - confidence).max(0.0);
        all.push((path, confidence));
    }
    all
}

fn ask(session: &Session, file: &str, missing: &Missing) -> Option<Answer> {
    let slash = if missing.want == Want::Directory { "/" } else { "" };
    let request = Request {
        op: if missing.want == Want::Directory { Op::List } else { Op::Read },
        from_file: Some(file.to_owned()),
        limit: CANDIDATES,
        ..Request::new(format!("{}{slash}", missing.wanted))
    };
    session.ask(&request).0.ok()
}
