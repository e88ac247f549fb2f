//! `BenchReport`: the results as JSON, and as the Markdown tables of `BENCHMARKS.md`.

use std::fmt::Write as _;

use serde::Serialize;

use crate::machine::Machine;
use crate::programs::{ExternalProgram, InstalledPrograms};
use crate::table::{BenchTable, write_tables};
use crate::{interleaved, query, single, walk};

/// The results of one benchmark.
#[derive(Debug, Serialize)]
pub(crate) struct BenchReport {
    #[serde(flatten)]
    machine: Machine,
    /// The programs that were measured, with their versions.
    versions: Vec<String>,
    runs: usize,
    pub(crate) walk: Vec<BenchTable<interleaved::CommandTimings>>,
    pub(crate) query: Vec<BenchTable<query::QueryTimings>>,
    pub(crate) single: Vec<BenchTable<interleaved::CommandTimings>>,
}

impl BenchReport {
    pub(crate) fn new(machine: Machine, programs: &InstalledPrograms, runs: usize) -> Self {
        let mut versions = vec![format!("pathfinder {} ({})", programs.own_version, programs.own.display())];
        let said = |name: &str, program: &Result<ExternalProgram, String>| match program {
            Ok(program) => format!("{name} {}", program.version),
            Err(why) => format!("{name} {why}"),
        };
        versions.push(said("fd", &programs.fd));
        versions.push(said("rg", &programs.rg));
        versions.push(said("git", &programs.git));
        versions.push(said("fzf", &programs.fzf));
        #[cfg(feature = "peers")]
        versions.extend(locked_versions());
        Self { machine, versions, runs, walk: Vec::new(), query: Vec::new(), single: Vec::new() }
    }

    /// Records the machine's load after the last run.
    pub(crate) fn end(&mut self) {
        self.machine.record_end_load();
    }

    /// Tables in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut out = format!("{}; {}.\n", self.machine.text(), self.versions.join(", "));
        let runs = self.runs;
        let processes = ["wall ms", "processor ms", "peak MB"];
        if !self.walk.is_empty() {
            let what = format!(
                "medians of {runs} runs in alternation, after a warm-up. *Of fd*: wall time relative to fd, the median of pairs."
            );
            heading(&mut out, "Reading a tree", &what);
            let reference_name = format!("of {}", walk::REFERENCE);
            let columns = [&["files", ""], &processes[..], &[&*reference_name]].concat();
            write_tables(&mut out, &columns, &self.walk, interleaved::CommandTimings::cells);
        }
        if !self.query.is_empty() {
            let what = "each asked once, on one thread, in alternation; right first by kind of mistake. fzf reads the list for each question, and is asked fewer.";
            heading(&mut out, "Questions", what);
            let reference_name = format!("of {}", query::REFERENCE);
            let kinds = ["typo", "directory", "bare name", "part of the path"];
            let columns =
                [&["files", "", "p50 ms", "p99 ms", "max ms"], &kinds[..], &["bytes a path", &reference_name]].concat();
            write_tables(&mut out, &columns, &self.query, query::QueryTimings::cells);
        }
        if !self.single.is_empty() {
            let what = format!(
                "from the start of a process to its end, medians of {runs} runs of four questions in alternation."
            );
            heading(&mut out, "One question", &what);
            let reference_name = format!("of {}", single::REFERENCE);
            let columns = [&["files", ""], &processes[..], &[&*reference_name]].concat();
            write_tables(&mut out, &columns, &self.single, interleaved::CommandTimings::cells);
        }
        out
    }
}

fn heading(out: &mut String, name: &str, what: &str) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "\n**{name}**: {what}\n");
}

/// Versions of the built-in libraries, from the lock file.
#[cfg(feature = "peers")]
fn locked_versions() -> Vec<String> {
    let build = if cfg!(debug_assertions) { " (debug build: times are meaningless)" } else { "" };
    let name_and_version = |name: &&str| {
        let start = format!("name = \"{name}\"\nversion = \"");
        let (_, rest) = include_str!("../../../Cargo.lock").split_once(&start)?;
        Some(format!("{name} {}{build}", rest.split('"').next()?))
    };
    ["frizbee", "nucleo-matcher"].iter().filter_map(name_and_version).collect()
}
