//! Runs commands in alternation, so that other load on the machine meets all of them alike.

use std::time::Duration;

use serde::Serialize;

use crate::sample::RunSample;
use crate::table::{Row, short};

/// Runs a command once and measures it.
pub(crate) type TimedRun<'a> = Box<dyn FnMut() -> anyhow::Result<RunSample> + 'a>;

/// A command to measure, or the reason why it cannot run.
pub(crate) struct BenchCommand<'a> {
    pub(crate) name: String,
    pub(crate) timed_run: Result<TimedRun<'a>, String>,
}

/// Medians of all runs of one command.
#[derive(Debug, Serialize)]
pub(crate) struct CommandTimings {
    runs: usize,
    wall_ms: f64,
    processor_ms: f64,
    peak_mb: f64,
    /// Wall time divided by the reference command's, as the median over pairs of runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

/// Runs each command once as a warm-up and then `runs` times, in alternation. `reference_name` names the reference command.
pub(crate) fn run_interleaved(
    commands: Vec<BenchCommand<'_>>,
    runs: usize,
    reference_name: &str,
) -> Vec<Row<CommandTimings>> {
    let mut measured: Vec<_> = commands.into_iter().map(|entry| (entry, Vec::new())).collect();
    for run in 0..=runs {
        for (entry, samples) in &mut measured {
            let Ok(timed_run) = &mut entry.timed_run else { continue };
            match timed_run() {
                Ok(sample) if run > 0 => samples.push(sample),
                Ok(_) => {}
                Err(error) => entry.timed_run = Err(format!("{error:#}")),
            }
        }
    }
    let walls = |samples: &[RunSample]| samples.iter().map(|sample| sample.wall).collect::<Vec<_>>();
    let reference = measured.iter().find(|(it, _)| it.name == reference_name && it.timed_run.is_ok());
    let reference = reference.map(|(_, samples)| walls(samples)).unwrap_or_default();
    let row = |(entry, samples): (BenchCommand<'_>, Vec<RunSample>)| {
        Row::new(entry.name, entry.timed_run, || timings(&samples, &walls(&samples), &reference))
    };
    measured.into_iter().map(row).collect()
}

fn timings(samples: &[RunSample], walls: &[Duration], reference: &[Duration]) -> CommandTimings {
    let median_of = |value: &dyn Fn(&RunSample) -> f64| median(samples.iter().map(value).collect());
    CommandTimings {
        runs: samples.len(),
        wall_ms: median_of(&|sample| milliseconds(sample.wall)),
        processor_ms: median_of(&|sample| milliseconds(sample.processor)),
        peak_mb: median_of(&|sample| sample.peak as f64 / 1e6),
        ratio: ratio(walls, reference),
    }
}

/// Median of the ratios between runs that happened next to each other.
pub(crate) fn ratio(own: &[Duration], other: &[Duration]) -> Option<f64> {
    let pairs =
        own.iter().zip(other).map(|(own, other)| own.as_secs_f64() / other.as_secs_f64().max(f64::MIN_POSITIVE));
    let pairs: Vec<_> = pairs.collect();
    (!pairs.is_empty()).then(|| median(pairs))
}

pub(crate) fn median(values: Vec<f64>) -> f64 {
    percentile(values, 0.5)
}

/// Returns the smallest value that at least the given share of all values does not exceed; 0 for no values.
pub(crate) fn percentile(mut values: Vec<f64>, part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let rank = (values.len() as f64 * part).ceil() as usize;
    values.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

pub(crate) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl CommandTimings {
    /// The cells of a table row: wall and processor time, peak, ratio.
    pub(crate) fn cells(&self) -> Vec<String> {
        let peak = format!("{:.0}", self.peak_mb);
        let ratio = self.ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}"));
        vec![short(self.wall_ms), short(self.processor_ms), peak, ratio]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computes_percentiles_and_ratios() {
        let rank = |values: &[f64], part| percentile(values.to_vec(), part).to_string();
        assert_eq!(rank(&[3.0, 1.0, 2.0], 0.5), "2");
        assert_eq!(rank(&(1..=200).map(f64::from).collect::<Vec<_>>(), 0.99), "198");
        assert_eq!(rank(&[], 0.99), "0");
        let times = |all: [u64; 3]| all.map(Duration::from_millis);
        assert_eq!(ratio(&times([1, 4, 90]), &times([2, 2, 2])), Some(2.0));
        assert_eq!(ratio(&times([1, 4, 90]), &[]), None);
    }
}
