//! Checks files of a root: every path literal in them, and whether what it names is there.

mod options;
mod suppress;
mod trace;
mod world;

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_core::RelPath;
use pathfinder_literals::{Checked, Code, Kind, Missing, Project, Severity, Source, Target, Tree as _, Verdict};
use rayon::prelude::*;

use crate::session::Session;
pub(crate) use options::Options;
use suppress::Suppressions;
pub(crate) use trace::Untold;
use world::World;
pub(crate) use world::own_files;

/// Larger files are data, or were made by a tool: nobody mends a path in them by hand.
const FILE_MAX: u64 = 4 << 20;

/// A literal that leads nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// Relative to the root.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in bytes.
    pub(crate) column: usize,
    /// In bytes of the file.
    pub(crate) range: Range<usize>,
    /// As it is written.
    pub(crate) literal: String,
    /// The line that it begins in, and where in it, in bytes: for people.
    pub(crate) text: String,
    pub(crate) kind: &'static str,
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    pub(crate) reason: String,
    /// What was looked for, in order, relative to the root.
    pub(crate) tried: Vec<String>,
}

/// What came of a check.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// By file and place.
    pub(crate) findings: Vec<Finding>,
    /// Literals of which nobody can say, by file and place; none unless traces are wanted.
    pub(crate) untold: Vec<Untold>,
    /// Ignore comments that suppress nothing: (file, line).
    pub(crate) useless: Vec<(String, usize)>,
    /// Files whose check ended in a defect of this program.
    pub(crate) failed: Vec<String>,
    pub(crate) files: usize,
    pub(crate) found: usize,
    pub(crate) missing: usize,
    pub(crate) unknown: usize,
    pub(crate) elapsed: Duration,
}

/// What came of one file.
#[derive(Default)]
struct FileReport {
    findings: Vec<Finding>,
    untold: Vec<Untold>,
    useless: Vec<usize>,
    failed: bool,
    found: usize,
    missing: usize,
    unknown: usize,
}

/// Checks these files (relative to the session's first root), in parallel; `done` is called after each.
pub(crate) fn check(session: &Arc<Session>, files: &[String], options: &Options, done: &(dyn Fn() + Sync)) -> Report {
    let start = Instant::now();
    let world = Arc::new(World::new(Arc::clone(session)));
    let project = Project::new(world.clone()).configured(options.configured.clone());
    let reports: Vec<FileReport> = files
        .par_iter()
        .map(|file| {
            // One file that trips a parser is not the end of the check, but it is said that it was not checked.
            let report = catch_unwind(AssertUnwindSafe(|| check_file(session, (&world, &project), options, file)));
            done();
            report.unwrap_or_else(|_| FileReport { failed: true, ..FileReport::default() })
        })
        .collect();
    let mut all = Report { files: files.len(), ..Report::default() };
    for (file, report) in files.iter().zip(reports) {
        if report.failed {
            all.failed.push(file.clone());
        }
        all.findings.extend(report.findings);
        all.untold.extend(report.untold);
        all.useless.extend(report.useless.into_iter().map(|line| (file.clone(), line)));
        all.found += report.found;
        all.missing += report.missing;
        all.unknown += report.unknown;
    }
    all.elapsed = start.elapsed();
    all
}

fn check_file(session: &Session, (world, project): (&World, &Project), options: &Options, file: &str) -> FileReport {
    let mut report = FileReport::default();
    if pathfinder_literals::language::of(file).next().is_none() {
        return report;
    }
    let Some(bytes) = session.probe().whole(0, &RelPath::from(file), FILE_MAX) else { return report };
    let Some(source) = Source::new(file, &bytes) else { return report };
    let lines = line_starts(&bytes);
    let mut suppressions = Suppressions::of(source.text());
    for Checked { kind, range, verdict, tried } in pathfinder_literals::check(&source, project) {
        let missing = match verdict {
            Verdict::Found(target) => {
                report.found += 1;
                let Some(missing) = untracked(world, file, target) else { continue };
                missing
            }
            Verdict::Unknown(reason) => {
                report.unknown += 1;
                if options.explain {
                    report.untold.push(Untold::new(file, &bytes, &lines, (kind, range), reason, tried));
                }
                continue;
            }
            Verdict::Missing(missing) => missing,
        };
        let literal = String::from_utf8_lossy(&bytes[range.clone()]).into_owned();
        let Some(severity) = options.severity(missing.code, missing.severity, &literal) else { continue };
        let line = lines.partition_point(|start| *start <= range.start);
        if suppressions.suppress(line) {
            continue;
        }
        // A hint is no claim.
        report.missing += usize::from(severity != Severity::Hint);
        let begin = lines[line - 1];
        let end = lines.get(line).copied().unwrap_or(bytes.len());
        report.findings.push(Finding {
            file: file.to_owned(),
            line,
            column: range.start - begin + 1,
            literal,
            text: String::from_utf8_lossy(&bytes[begin..end]).trim_end().to_owned(),
            range,
            kind,
            code: missing.code,
            severity,
            reason: missing.reason,
            tried,
        });
    }
    report.useless = suppressions.useless();
    report
}

/// What is there on this machine, and not in the repository that the file is in: the next one who checks it out lacks it.
/// Often it is only not added yet.
fn untracked(world: &World, file: &str, target: Target) -> Option<Missing> {
    let Target { path } = target;
    let lacks = |path: &str| world.is_tracked(path) == Some(false);
    if lacks(file) || !lacks(&path) || world.kind(&path) != Some(Kind::File) {
        return None;
    }
    let reason = format!("{path} is there, but git does not have it");
    let (code, severity) = (Code::UntrackedTarget, Severity::Hint);
    Some(Missing { code, severity, reason, wanted: path.clone(), instead: Some(path) })
}

/// Where each line begins. A carriage return alone ends none, as for compilers.
fn line_starts(bytes: &[u8]) -> Vec<usize> {
    std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1)).collect()
}
