//! CPU time of a thread, which a busy machine does not change.

use std::time::Duration;

/// How long this thread has worked.
#[cfg(unix)]
pub(super) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Zero: it is only told in the log, and not known here.
#[cfg(not(unix))]
pub(super) fn thread_time() -> Duration {
    Duration::ZERO
}
