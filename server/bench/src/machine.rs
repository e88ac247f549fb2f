//! Describes the machine: processors, system, date and load. Values that only Linux reports are left out elsewhere.

use std::fs;

use serde::Serialize;

/// Facts that every benchmark number depends on.
#[derive(Debug, Serialize)]
pub(crate) struct Machine {
    /// Processors that this process may use.
    cores: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    processor: Option<String>,
    system: String,
    date: String,
    load_before: Option<f64>,
    load_after: Option<f64>,
}

impl Machine {
    pub(crate) fn detect() -> Self {
        let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = about.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: processor.map(|(_, name)| name.to_owned()),
            system: format!("{} {}", std::env::consts::OS, release.trim()).trim().to_owned(),
            date: jiff::Timestamp::now().strftime("%F").to_string(),
            load_before: load(),
            load_after: None,
        }
    }

    /// Records the load after the last run.
    pub(crate) fn record_end_load(&mut self) {
        self.load_after = load();
    }

    pub(crate) fn text(&self) -> String {
        let processor = self.processor.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        let load = |load: Option<f64>| load.map_or("unknown".to_owned(), |load| format!("{load:.1}"));
        let (before, after) = (load(self.load_before), load(self.load_after));
        let Self { cores, system, date, .. } = self;
        format!("{date}, {cores} cores{processor}, {system}, load {before} before and {after} after")
    }
}

/// The load average over one minute.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// Processor time of a process so far, in clock ticks.
pub(crate) fn cpu_ticks(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // After the name, which may hold any character, the 12th and 13th number are user and system time.
    let mut numbers = stat.rsplit_once(") ")?.1.split(' ').skip(11);
    Some(numbers.next()?.parse::<u64>().ok()? + numbers.next()?.parse::<u64>().ok()?)
}
