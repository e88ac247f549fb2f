//! Raises the number of files that this process may have open. Called by the HTTP server, which bounds its connections
//! by it.

/// Upper bound, because some systems report no limit. More than the server ever needs.
const MAX_OPEN_FILES: usize = 1 << 16;

/// Raises the limit of open files to the system's maximum and returns it. Many systems start at 1,024 and allow more.
#[cfg(unix)]
pub fn raise() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(MAX_OPEN_FILES as u64);
    let now = limit.current.unwrap_or(u64::MAX);
    if now < wanted && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum }).is_ok() {
        return wanted as usize;
    }
    usize::try_from(now).unwrap_or(usize::MAX).min(MAX_OPEN_FILES)
}

/// Returns the upper bound, because Windows has no such limit.
#[cfg(not(unix))]
pub fn raise() -> usize {
    MAX_OPEN_FILES
}
