//! Clocks: of elapsed time, of a thread's CPU time, and of the calendar.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A moment of the monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts at this moment.
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since the start.
    pub fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    /// Returns the time since the start in milliseconds.
    pub fn elapsed_ms(self) -> u64 {
        u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Returns the seconds since 1970. No commit and no use of a file is older.
pub fn unix_time() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// Returns the CPU time of the current thread so far; other load on the machine does not change it.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Always zero: the CPU time is only logged, and not available on this system.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    Duration::ZERO
}
