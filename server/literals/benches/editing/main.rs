//! How long an editor waits: one edit in a file of each language, and one rename in a project.
//!
//! `cargo bench -p pathfinder-literals --bench editing` prints medians, 95th percentiles and the longest in milliseconds,
//! for files of 200, 5,000 and 20,000 lines. `-- WORD…` takes only what has one of the words in its name (`-- .rs 20000`
//! takes what has both; `-- rename` the renames). The files are made of `editing/samples.txt`.

#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

mod renames;
mod samples;
mod tree;

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_literals::{Document, Project};

use samples::{Sample, files, samples};
use tree::Memory;

/// Lines of the files that are edited.
const LINES: [usize; 3] = [200, 5_000, 20_000];
/// Places in each file at which each kind of edit is made and taken back.
const PLACES: usize = 10;

/// Numbers that look random and are the same every time (Knuth's linear congruential generator).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    /// One below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

/// What one edit took: by the clock, and of it this thread's work, which a busy machine does not make more of.
pub(crate) struct Watch {
    clock: Instant,
    worked: Duration,
}

impl Watch {
    pub(crate) fn start() -> Self {
        Self { worked: worked(), clock: Instant::now() }
    }

    pub(crate) fn stop(&self) -> [Duration; 2] {
        [self.clock.elapsed(), worked().saturating_sub(self.worked)]
    }
}

/// How long this thread has worked.
#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Not known here.
#[cfg(not(unix))]
fn worked() -> Duration {
    Duration::ZERO
}

/// Prints what was measured.
pub(crate) fn report(what: &str, times: &[[Duration; 2]], more: &str) {
    let row = |which: usize| {
        let mut times: Vec<Duration> = times.iter().map(|time| time[which]).collect();
        times.sort_unstable();
        let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
        format!("p50 {:7.2} p95 {:7.2} max {:7.2}", at(50), at(95), at(100))
    };
    println!("{what:28} {} ms, work {} ms; {more}", row(0), row(1));
}

/// What somebody does: a range of the text, and what is written in its place.
fn edit(kind: usize, text: &str, literals: &[Range<usize>], numbers: &mut Numbers) -> (Range<usize>, String) {
    let at = text.floor_char_boundary(numbers.below(text.len()));
    let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
    match kind {
        0 => (at..at, "x".to_owned()),
        1 if !literals.is_empty() => {
            let range = &literals[numbers.below(literals.len())];
            let at = text.floor_char_boundary(range.start + numbers.below(range.len() + 1));
            (at..at, "x".to_owned())
        }
        2 => (line..text[line..].find('\n').map_or(text.len(), |length| line + length + 1), String::new()),
        _ => (line..line, "\n".to_owned()),
    }
}

fn edits(sample: &Sample, lines: usize) {
    let text = sample.text(lines);
    let mut texts = files(sample);
    texts.insert(sample.path.to_owned(), text.clone());
    let project = Project::new(Arc::new(Memory::new(texts)));
    // What the project reads once is not what is measured.
    Document::new(sample.path, text.as_str()).check(&project);
    let mut document = Document::new(sample.path, text);
    let start = Instant::now();
    let checked = document.check(&project);
    let whole = start.elapsed();
    let literals: Vec<Range<usize>> = checked.iter().map(|literal| literal.range.clone()).collect();
    let mut numbers = Numbers(7);
    let mut times = Vec::with_capacity(8 * PLACES);
    // Each edit is taken back: what an editor shows is broken in one place at most.
    for index in 0..4 * PLACES {
        let (range, with) = edit(index % 4, document.text(), &literals, &mut numbers);
        let was = document.text()[range.clone()].to_owned();
        for (range, with) in [(range.clone(), &with), (range.start..range.start + with.len(), &was)] {
            let watch = Watch::start();
            document.edit(range, with);
            document.check(&project);
            times.push(watch.stop());
        }
    }
    let scratch = format!("scratch {:7.2}  {} literals", whole.as_secs_f64() * 1e3, literals.len());
    report(&format!("{} {lines}", sample.path), &times, &scratch);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let wanted = |name: &str| words.iter().all(|word| name.contains(word.as_str()));
    for lines in LINES {
        for sample in samples().iter().filter(|sample| wanted(&format!("{} {lines}", sample.path))) {
            edits(sample, lines);
        }
    }
    for count in renames::FILES {
        if wanted(&format!("rename {count}")) {
            renames::measure(count);
        }
    }
}
