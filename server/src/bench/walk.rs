//! Reading a whole tree: this program with and without what it has kept, and who lists files.

use super::contest::{Attempt, Contender, Figures, contest};
use super::place::Place;
use super::programs::{Program, Programs, started, timed};
use super::table::Row;

/// What all are held against: it walks as this program does.
pub(super) const AGAINST: &str = "fd";

pub(super) fn measure(place: &Place, programs: &Programs, runs: usize) -> Vec<Row<Figures>> {
    let own = |cache: &std::path::Path| {
        let mut command = programs.own(place.top(), cache);
        command.args(["index", "--root"]).arg(place.tree());
        command
    };
    let peer = |program: &Result<Program, String>, args: &'static [&'static str]| -> Result<Attempt<'_>, String> {
        let command = program.clone()?.command;
        Ok(Box::new(move || timed(started(command, place.top()).args(args).arg(place.tree()))))
    };
    let fresh: Attempt<'_> = Box::new(|| timed(&mut own(&place.empty_cache("fresh")?)));
    let kept: Attempt<'_> = Box::new(|| timed(&mut own(&place.cache("kept"))));
    let git = |program: Program| -> Attempt<'_> {
        Box::new(move || {
            timed(started(program.command, place.top()).args(["ls-files", "-z"]).current_dir(place.tree()))
        })
    };
    let of = |name: &str, attempt| Contender { name: name.to_owned(), attempt };
    let contenders = vec![
        of("pathfinder index, nothing kept", Ok(fresh)),
        of("pathfinder index, kept", Ok(kept)),
        // What this program reads: hidden files too, and nothing of git's own.
        of(AGAINST, peer(&programs.fd, &["--hidden", "--exclude", ".git", "."])),
        of("rg --files", peer(&programs.rg, &["--files", "--hidden", "--glob", "!.git"])),
        of("git ls-files (only what is tracked)", programs.git.clone().map(git)),
    ];
    contest(contenders, runs, AGAINST)
}
