//! `ParseBudget`: how long a text may take. Parsing healthy code takes time in proportion to its length; a text that is no
//! code makes the parser mend it, and that can take the square of the length.

use std::time::Duration;

/// What any text has: 40,000 random characters took up to 0.9 s in the slowest grammar, healthy code never a tenth.
const MIN_TIME: Duration = Duration::from_secs(1);
/// What each byte adds: more than twice what healthy code needs. A text of 4 MB that is no code ends after three seconds.
const TIME_PER_BYTE: Duration = Duration::from_nanos(500);

/// Time that is running out. It is the time that this thread has worked, so that a busy machine changes no answer.
pub(crate) struct ParseBudget {
    end: Duration,
}

impl ParseBudget {
    /// For a text of so many bytes, from now on.
    pub(crate) fn new(bytes: usize) -> Self {
        let more = TIME_PER_BYTE.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX));
        Self { end: thread_cpu_time() + MIN_TIME + more }
    }

    /// Whether it is used up.
    pub(crate) fn is_exhausted(&self) -> bool {
        thread_cpu_time() >= self.end
    }
}

/// How long this thread has worked.
#[cfg(unix)]
fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// How long it is since this was first asked: nothing better is at hand.
#[cfg(not(unix))]
fn thread_cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
