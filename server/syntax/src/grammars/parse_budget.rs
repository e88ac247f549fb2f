//! `ParseBudget`: the time limit for parsing or querying a text. Valid code takes time in proportion to its length. On other
//! text the parser's error recovery can take quadratic time.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time that any text gets: 40,000 random characters took up to 0.9 s in the slowest grammar, valid code never a tenth.
const MIN_TIME: Duration = Duration::from_secs(1);
/// The time that each byte adds: more than twice the need of valid code. A text of 4 MB that is not code ends after 3 s.
const TIME_PER_BYTE: Duration = Duration::from_nanos(500);

/// Most calls of [`ParseBudget::is_exhausted`] that read the clock once. The parser calls it every 100 steps, which take about
/// 10 µs; reading the CPU time of a thread is a system call.
const CALLS_PER_CLOCK_READ: u32 = 32;
/// Calls take longer than this together only where each step reads the rest of the text, for the end of a comment that has none.
/// Then 100 steps can take a second, and each call reads the clock.
const MAX_TIME_PER_CLOCK_READ: Duration = Duration::from_millis(20);

/// True once a budget of this process was used up.
static WAS_EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// Returns whether a text took too long in this process. Another run may have more time for it.
pub fn was_exhausted() -> bool {
    WAS_EXHAUSTED.load(Ordering::Relaxed)
}

/// The remaining time. It is CPU time of this thread, so that a busy machine changes no answer.
pub(crate) struct ParseBudget {
    end: Duration,
    last_read: Cell<Duration>,
    /// Calls between the last two reads of the clock.
    interval: Cell<u32>,
    /// Calls until the next one.
    waiting: Cell<u32>,
}

impl ParseBudget {
    /// Starts the budget for a text of so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let more = TIME_PER_BYTE.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
        let now = thread_cpu_time();
        Self { end: now + MIN_TIME + more, last_read: Cell::new(now), interval: Cell::new(1), waiting: Cell::new(0) }
    }

    /// Returns whether the budget is used up.
    pub(crate) fn is_exhausted(&self) -> bool {
        if let Some(waiting) = self.waiting.get().checked_sub(1) {
            self.waiting.set(waiting);
            return false;
        }
        let now = thread_cpu_time();
        let is_slow = now.saturating_sub(self.last_read.replace(now)) > MAX_TIME_PER_CLOCK_READ;
        let interval = if is_slow { 1 } else { CALLS_PER_CLOCK_READ.min(self.interval.get() * 2) };
        self.interval.set(interval);
        self.waiting.set(interval - 1);
        let is = now >= self.end;
        if is {
            WAS_EXHAUSTED.store(true, Ordering::Relaxed);
        }
        is
    }
}

/// The CPU time of this thread.
#[cfg(unix)]
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The wall time since the first call, as no CPU time per thread is available here.
#[cfg(not(unix))]
#[expect(clippy::disallowed_types, reason = "a budget is measured by a clock, and this package has no `vfs` below it")]
fn thread_cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
