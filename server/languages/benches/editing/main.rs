//! Measures the latency in an editor: one edit in a file of each language, and one rename in a project.
//!
//! `cargo bench -p pathfinder-languages --bench editing` prints medians, 95th percentiles and maxima in milliseconds,
//! for files of 200, 5,000 and 20,000 lines. `-- WORD…` selects the measurements whose name has all words: `-- .rs 20000`,
//! `-- rename`. The files are built from `editing/samples.txt`.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "a benchmark measures time")]

mod memory_tree;
mod renames;
mod samples;

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_literals::{Document, Project};

use memory_tree::BenchTree;
use samples::{Sample, files, samples};

/// Lines of the edited files.
const LINE_COUNTS: [usize; 3] = [200, 5_000, 20_000];
/// Number of edits of each kind per file. Each is undone.
const EDITS_PER_KIND: usize = 10;

/// Reproducible random random (Knuth's linear congruential generator).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Returns a number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// Measures wall time, and CPU time of this thread, which does not grow on a busy machine.
pub(crate) struct Stopwatch {
    clock: Instant,
    cpu_start: Duration,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { cpu_start: thread_cpu_time(), clock: Instant::now() }
    }

    pub(crate) fn stop(&self) -> [Duration; 2] {
        [self.clock.elapsed(), thread_cpu_time().saturating_sub(self.cpu_start)]
    }
}

/// Returns the CPU time of this thread.
#[cfg(unix)]
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Not measured on this platform.
#[cfg(not(unix))]
fn thread_cpu_time() -> Duration {
    Duration::ZERO
}

/// Prints one row of results.
pub(crate) fn report(label: &str, times: &[[Duration; 2]], more: &str) {
    let row = |index: usize| {
        let mut times: Vec<Duration> = times.iter().map(|time| time[index]).collect();
        times.sort_unstable();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
        format!("p50 {:7.2} p95 {:7.2} max {:7.2}", at(50), at(95), at(100))
    };
    println!("{label:28} {} ms, work {} ms; {more}", row(0), row(1));
}

/// Returns an edit: a range of the text and its replacement.
fn make_edit(kind: usize, text: &str, literals: &[Range<usize>], random: &mut Random) -> (Range<usize>, String) {
    let at = text.floor_char_boundary(random.below(text.len()));
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    match kind {
        0 => (at..at, "x".to_owned()),
        1 if !literals.is_empty() => {
            let range = &literals[random.below(literals.len())];
            let at = text.floor_char_boundary(range.start + random.below(range.len() + 1));
            (at..at, "x".to_owned())
        }
        2 => (line..text[line..].find('\n').map_or(text.len(), |length| line + length + 1), String::new()),
        _ => (line..line, "\n".to_owned()),
    }
}

fn measure_edits(sample: &Sample, lines: usize) {
    let text = sample.text(lines);
    let mut texts = files(sample);
    texts.insert(sample.path.to_owned(), text.clone());
    let project = Project::new(Arc::new(BenchTree::new(texts)), pathfinder_languages::ALL);
    // Builds the indexes of the project, which are not measured.
    Document::new(sample.path, text.as_str()).check(&project);
    let mut document = Document::new(sample.path, text);
    let start = Instant::now();
    let checked = document.check(&project);
    let whole = start.elapsed();
    let literals: Vec<Range<usize>> = checked.iter().map(|literal| literal.range.clone()).collect();
    let mut random = Random(7);
    let mut times = Vec::with_capacity(8 * EDITS_PER_KIND);
    // Each edit is undone, so that at most one place of the text is broken.
    for index in 0..4 * EDITS_PER_KIND {
        let (range, with) = make_edit(index % 4, document.text(), &literals, &mut random);
        let was = document.text()[range.clone()].to_owned();
        for (range, with) in [(range.clone(), &with), (range.start..range.start + with.len(), &was)] {
            let stopwatch = Stopwatch::start();
            document.edit(range, with);
            document.check(&project);
            times.push(stopwatch.stop());
        }
    }
    let scratch = format!("scratch {:7.2}  {} literals", whole.as_secs_f64() * 1e3, literals.len());
    report(&format!("{} {lines}", sample.path), &times, &scratch);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted = |name: &str| words.iter().all(|word| name.contains(word.as_str()));
    for lines in LINE_COUNTS {
        for sample in samples().iter().filter(|sample| wanted(&format!("{} {lines}", sample.path))) {
            measure_edits(sample, lines);
        }
    }
    for count in renames::FILE_COUNTS {
        if wanted(&format!("rename {count}")) {
            renames::measure(count);
        }
    }
}
