//! Ends a server that nobody needs any more.

use std::time::Duration;

/// How often the parent is looked at. A closed stdin is noticed at once; this is for a parent that died and left its
/// end of the pipe to somebody else.
const EVERY: Duration = Duration::from_secs(2);

/// Ends when the process that started this one, at this moment, has ended.
pub(crate) fn orphaned() -> impl Future<Output = ()> {
    let parent = parent();
    async move {
        loop {
            tokio::time::sleep(EVERY).await;
            // The orphan gets another parent: the first process, or whoever collects orphans.
            if self::parent() != parent {
                return;
            }
        }
    }
}

#[cfg(unix)]
fn parent() -> u32 {
    std::os::unix::process::parent_id()
}

/// Windows does not give orphans a new parent: there the closed stdin is all there is.
#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

/// Ends when the process is asked to end. From this call on that does not kill it, whoever waits for the result.
#[cfg(unix)]
pub(crate) fn terminated() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()));
    async move {
        let (Ok(mut terminate), Ok(mut interrupt)) = signals else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

/// Ends when the process is asked to end.
#[cfg(not(unix))]
pub(crate) async fn terminated() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
