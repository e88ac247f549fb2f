//! Measures reading a whole tree: this program with and without its cache, and programs that list files.

use crate::interleaved::{BenchCommand, CommandTimings, TimedRun, run_interleaved};
use crate::layout::TreeLayout;
use crate::programs::{ExternalProgram, InstalledPrograms, isolated_command};
use crate::sample::run_timed;
use crate::table::Row;

/// The reference: it walks the tree as this program does.
pub(crate) const REFERENCE: &str = "fd";

pub(crate) fn measure(layout: &TreeLayout, programs: &InstalledPrograms, runs: usize) -> Vec<Row<CommandTimings>> {
    let own = |cache: &std::path::Path| {
        let mut command = programs.own(layout.top(), cache);
        command.args(["index", "--root"]).arg(layout.tree());
        command
    };
    let peer =
        |program: &Result<ExternalProgram, String>, args: &'static [&'static str]| -> Result<TimedRun<'_>, String> {
            let command = program.clone()?.command;
            Ok(Box::new(move || run_timed(isolated_command(command, layout.top()).args(args).arg(layout.tree()))))
        };
    let fresh: TimedRun<'_> = Box::new(|| run_timed(&own(&layout.empty_cache("fresh")?)));
    let kept: TimedRun<'_> = Box::new(|| run_timed(&own(&layout.cache("kept"))));
    let git = |program: ExternalProgram| -> TimedRun<'_> {
        Box::new(move || {
            run_timed(
                isolated_command(program.command, layout.top()).args(["ls-files", "-z"]).current_dir(layout.tree()),
            )
        })
    };
    let entry = |name: &str, timed_run| BenchCommand { name: name.to_owned(), timed_run };
    let commands = vec![
        entry("pathfinder index, nothing kept", Ok(fresh)),
        entry("pathfinder index, kept", Ok(kept)),
        // The files that this program reads: hidden ones too, without git's own.
        entry(REFERENCE, peer(&programs.fd, &["--hidden", "--exclude", ".git", "."])),
        entry("rg --files", peer(&programs.rg, &["--files", "--hidden", "--glob", "!.git"])),
        entry("git ls-files (only what is tracked)", programs.git.clone().map(git)),
    ];
    run_interleaved(commands, runs, REFERENCE)
}
