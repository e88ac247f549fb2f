//! `Report`: what was measured, for programs, and as it stands in `BENCHMARKS.md`.

use std::fmt::Write as _;

use serde::Serialize;

use super::machine::Machine;
use super::programs::{Program, Programs};
use super::{contest, query, single, walk};

/// See the module's text.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    #[serde(flatten)]
    machine: Machine,
    /// Who took part.
    versions: Vec<String>,
    runs: usize,
    pub(super) walk: Vec<Table<contest::Figures>>,
    pub(super) query: Vec<Table<query::Figures>>,
    pub(super) single: Vec<Table<contest::Figures>>,
}

/// What was measured on one tree.
#[derive(Debug, Serialize)]
pub(super) struct Table<T> {
    pub(super) files: usize,
    pub(super) rows: Vec<Row<T>>,
}

/// What was measured of one, or why nothing was.
#[derive(Debug, Serialize)]
pub(super) struct Row<T> {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) outcome: Outcome<T>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Outcome<T> {
    Measured(T),
    Absent { absent: String },
}

impl<T> Row<T> {
    /// The row of who was asked, or could not be.
    pub(super) fn of<A>(name: String, asked: Result<A, String>, figures: impl FnOnce() -> T) -> Self {
        let outcome = asked.map_or_else(|absent| Outcome::Absent { absent }, |_| Outcome::Measured(figures()));
        Self { name, outcome }
    }
}

impl Report {
    pub(super) fn new(machine: Machine, programs: &Programs, runs: usize) -> Self {
        let build = if cfg!(debug_assertions) { " (a debug build: its times say nothing)" } else { "" };
        let mut versions = vec![format!("pathfinder {}{build}", env!("CARGO_PKG_VERSION"))];
        let said = |name: &str, program: &Result<Program, String>| match program {
            Ok(program) => format!("{name} {}", program.version),
            Err(why) => format!("{name} {why}"),
        };
        versions.push(said("fd", &programs.fd));
        versions.push(said("rg", &programs.rg));
        versions.push(said("git", &programs.git));
        versions.push(said("fzf", &programs.fzf));
        #[cfg(feature = "peers")]
        versions.extend(locked());
        Self { machine, versions, runs, walk: Vec::new(), query: Vec::new(), single: Vec::new() }
    }

    /// When all was measured.
    pub(super) fn end(&mut self) {
        self.machine.end();
    }

    /// Tables in Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut out = format!("{}; {}.\n", self.machine.text(), self.versions.join(", "));
        let runs = self.runs;
        let processes = ["wall ms", "processor ms", "peak MB"];
        if !self.walk.is_empty() {
            let what = format!(
                "medians of {runs} runs in turns, after one that is not counted. *Of fd*: wall time as a part of that of fd, the median of pairs."
            );
            heading(&mut out, "Reading a tree", &what);
            let against = format!("of {}", walk::AGAINST);
            let columns = [&["files", ""], &processes[..], &[&*against]].concat();
            table(&mut out, &columns, &self.walk, contest::Figures::cells);
        }
        if !self.query.is_empty() {
            let what = "each asked once, one thread, in turns; right first by kind of mistake. fzf reads the list for each question, and is asked a few.";
            heading(&mut out, "Questions", what);
            let against = format!("of {}", query::AGAINST);
            let kinds = ["typo", "directory", "bare name", "part of the path"];
            let columns =
                [&["files", "", "p50 ms", "p99 ms", "max ms"], &kinds[..], &["bytes a path", &against]].concat();
            table(&mut out, &columns, &self.query, query::Figures::cells);
        }
        if !self.single.is_empty() {
            let what =
                format!("from the start of a process to its end, medians of {runs} runs of four questions in turns.");
            heading(&mut out, "One question", &what);
            let against = format!("of {}", single::AGAINST);
            let columns = [&["files", ""], &processes[..], &[&*against]].concat();
            table(&mut out, &columns, &self.single, contest::Figures::cells);
        }
        out
    }
}

fn heading(out: &mut String, name: &str, what: &str) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(out, "\n**{name}**: {what}\n");
}

fn table<T>(out: &mut String, columns: &[&str], tables: &[Table<T>], cells: impl Fn(&T) -> Vec<String>) {
    let mut line = |cells: Vec<String>| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    line(columns.iter().map(|name| (*name).to_owned()).collect());
    line(vec!["---".to_owned(); columns.len()]);
    for table in tables {
        for row in &table.rows {
            let mut all = vec![grouped(table.files), row.name.clone()];
            match &row.outcome {
                Outcome::Measured(figures) => all.extend(cells(figures)),
                Outcome::Absent { absent } => all.push(absent.clone()),
            }
            // What was not measured has a reason and nothing else.
            all.resize(columns.len(), String::new());
            line(all);
        }
    }
}

/// A number of three digits that say something, and no more than three behind the point.
pub(super) fn short(number: f64) -> String {
    let digits = match number {
        _ if number >= 100.0 => 0,
        _ if number >= 10.0 => 1,
        _ if number >= 1.0 => 2,
        _ => 3,
    };
    format!("{number:.digits$}")
}

/// Thousands apart.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The libraries that were built in, of the versions that are locked.
#[cfg(feature = "peers")]
fn locked() -> Vec<String> {
    let lock: toml::Table = include_str!("../../../Cargo.lock").parse().unwrap_or_default();
    let packages = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
    let of = |package: &toml::Value| {
        let name = package.get("name")?.as_str()?;
        let version = package.get("version")?.as_str()?;
        ["frizbee", "nucleo-matcher"].contains(&name).then(|| format!("{name} {version}"))
    };
    packages.filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::{grouped, short};

    #[test]
    fn numbers() {
        assert_eq!([0.0123, 1.234, 56.78, 1422.4].map(short), ["0.012", "1.23", "56.8", "1422"]);
        assert_eq!([5, 3_261, 1_000_000].map(grouped), ["5", "3,261", "1,000,000"]);
    }
}
