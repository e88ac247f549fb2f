//! Measures one question, from the start of a process to its end.

mod server;

use std::path::Path;
use std::process::Command;

use crate::interleaved::{BenchCommand, CommandTimings, TimedRun, run_interleaved};
use crate::layout::TreeLayout;
use crate::mistakes::{BenchQuestion, MISTAKE_KINDS};
use crate::programs::{InstalledPrograms, isolated_command};
use crate::sample::{RunSample, run_timed};
use crate::table::Row;
use server::ServerProcess;

/// The reference: the command that a user would type.
pub(crate) const REFERENCE: &str = "git ls-files into fzf -f";

/// Number of questions: one of each kind. Each run asks the next one.
const MAX_QUESTIONS: usize = MISTAKE_KINDS.len();

pub(crate) fn measure(
    layout: &TreeLayout,
    programs: &InstalledPrograms,
    asked: &[BenchQuestion],
    runs: usize,
) -> Vec<Row<CommandTimings>> {
    let asked = &asked[..asked.len().min(MAX_QUESTIONS)];
    let Some(first) = asked.first() else { return Vec::new() };
    let resolve = |cache: &Path, failed: &str| {
        let mut command = programs.own(layout.top(), cache);
        command.args(["resolve", "--root"]).arg(layout.tree()).arg("--").arg(failed);
        command
    };
    let alone = |mut command: Command| run_timed(command.env("PATHFINDER_SHARE", "off"));
    let engine = ServerProcess::start(layout, programs, &first.failed).map_err(|error| format!("{error:#}"));
    let fresh = in_turn(asked, |failed| alone(resolve(&layout.empty_cache("fresh")?, failed)));
    let kept = in_turn(asked, |failed| alone(resolve(&layout.cache("kept"), failed)));
    let warm = engine
        .as_ref()
        .map_err(Clone::clone)
        .map(|_| in_turn(asked, |failed| run_timed(&resolve(&layout.cache(server::CACHE), failed))));
    let pipe = find_pipe_programs(programs).map(|()| {
        in_turn(asked, |failed| {
            let mut command = isolated_command("sh", layout.top());
            let script = "git -c core.quotepath=off ls-files | fzf -f \"$1\" | head -n 1";
            run_timed(command.args(["-c", script, "sh", failed]).current_dir(layout.tree()))
        })
    });
    let entry = |name: &str, timed_run| BenchCommand { name: name.to_owned(), timed_run };
    let commands = vec![
        entry("pathfinder resolve, nothing kept", Ok(fresh)),
        entry("pathfinder resolve, kept", Ok(kept)),
        entry("pathfinder resolve, live engine", warm),
        entry(REFERENCE, pipe),
    ];
    run_interleaved(commands, runs * asked.len(), REFERENCE)
}

/// A run that asks the questions in turn, one per call.
fn in_turn<'a>(
    asked: &'a [BenchQuestion],
    mut ask: impl FnMut(&str) -> anyhow::Result<RunSample> + 'a,
) -> TimedRun<'a> {
    let mut all = asked.iter().cycle();
    Box::new(move || all.next().map_or_else(|| anyhow::bail!("no questions"), |question| ask(&question.failed)))
}

/// Checks that every program of the pipeline is installed.
fn find_pipe_programs(programs: &InstalledPrograms) -> Result<(), String> {
    for (name, program) in [("git", &programs.git), ("fzf", &programs.fzf), ("sh", &programs.sh)] {
        program.as_ref().map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}
