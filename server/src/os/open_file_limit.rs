//! How many files this process may have open at the same time.

/// More than anybody needs: some systems name no limit.
const MAX_OPEN_FILES: usize = 1 << 16;

/// How many files may be open, after the limit was raised as far as that goes. Many systems begin with 1,024 and allow a
/// program to have more.
#[cfg(unix)]
pub(crate) fn raise() -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = limit.maximum.unwrap_or(u64::MAX).min(MAX_OPEN_FILES as u64);
    let now = limit.current.unwrap_or(u64::MAX);
    if now < wanted && setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum }).is_ok() {
        return wanted as usize;
    }
    usize::try_from(now).unwrap_or(usize::MAX).min(MAX_OPEN_FILES)
}

/// Windows has no such limit.
#[cfg(not(unix))]
pub(crate) fn raise() -> usize {
    MAX_OPEN_FILES
}
