//! CPU time of a thread, for the log; other load on the machine does not change it.

use std::time::Duration;

/// The CPU time of the current thread so far.
#[cfg(unix)]
pub(super) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Always zero: the CPU time is only logged, and not available on this system.
#[cfg(not(unix))]
pub(super) fn thread_time() -> Duration {
    Duration::ZERO
}
