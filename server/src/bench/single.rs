//! One question, from the start of a process to its end.

mod engine;

use std::path::Path;
use std::process::Command;

use super::contest::{Attempt, Contender, Figures, contest};
use super::mistakes::{KINDS, Question};
use super::place::Place;
use super::programs::{Programs, started, timed};
use super::table::Row;
use engine::Engine;

/// What all are held against: what people type.
pub(super) const AGAINST: &str = "git ls-files into fzf -f";

/// Each attempt asks another one of these, a question of each kind.
const ASKED: usize = KINDS.len();

pub(super) fn measure(place: &Place, programs: &Programs, asked: &[Question], runs: usize) -> Vec<Row<Figures>> {
    let asked = &asked[..asked.len().min(ASKED)];
    let Some(first) = asked.first() else { return Vec::new() };
    let resolve = |cache: &Path, failed: &str| {
        let mut command = programs.own(place.top(), cache);
        command.args(["resolve", "--root"]).arg(place.tree()).arg("--").arg(failed);
        command
    };
    let alone = |mut command: Command| timed(command.env("PATHFINDER_SHARE", "off"));
    let engine = Engine::start(place, programs, &first.failed).map_err(|error| format!("{error:#}"));
    let fresh = turns(asked, |failed| alone(resolve(&place.empty_cache("fresh")?, failed)));
    let kept = turns(asked, |failed| alone(resolve(&place.cache("kept"), failed)));
    let warm = engine
        .as_ref()
        .map_err(Clone::clone)
        .map(|_| turns(asked, |failed| timed(&mut resolve(&place.cache(engine::CACHE), failed))));
    let pipe = needed(programs).map(|()| {
        turns(asked, |failed| {
            let mut command = started("sh", place.top());
            let script = "git -c core.quotepath=off ls-files | fzf -f \"$1\" | head -n 1";
            timed(command.args(["-c", script, "sh", failed]).current_dir(place.tree()))
        })
    });
    let of = |name: &str, attempt| Contender { name: name.to_owned(), attempt };
    let contenders = vec![
        of("pathfinder resolve, nothing kept", Ok(fresh)),
        of("pathfinder resolve, kept", Ok(kept)),
        of("pathfinder resolve, live engine", warm),
        of(AGAINST, pipe),
    ];
    contest(contenders, runs * asked.len(), AGAINST)
}

/// Asks one question after the other.
fn turns<'a>(
    asked: &'a [Question],
    mut ask: impl FnMut(&str) -> anyhow::Result<super::programs::Sample> + 'a,
) -> Attempt<'a> {
    let mut all = asked.iter().cycle();
    Box::new(move || all.next().map_or_else(|| anyhow::bail!("there is no question"), |question| ask(&question.failed)))
}

/// All that the pipe is made of.
fn needed(programs: &Programs) -> Result<(), String> {
    for (name, program) in [("git", &programs.git), ("fzf", &programs.fzf), ("sh", &programs.sh)] {
        program.as_ref().map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}
