//! Ends a server whose client or parent process is gone. The LSP and MCP servers use it.

use std::thread;
use std::time::Duration;

/// Interval at which the parent is checked. A closed stdin is noticed at once; this is for a parent that died and left its
/// end of the pipe to another process.
const PARENT_INTERVAL: Duration = Duration::from_secs(2);

/// Longest time from the end of the input to the exit; work that takes longer is given up. A client that closes its side
/// waits for the process, and users notice a second.
const EXIT_TIMEOUT: Duration = Duration::from_millis(900);

/// Ends the process with this status within a second, even if threads hang. Saving caches and sending answers may take
/// until then.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "a thread that hangs in a system call can be ended in no other way"
)]
pub fn end_soon(status: i32) {
    thread::spawn(move || {
        thread::sleep(EXIT_TIMEOUT);
        tracing::warn!("the input has ended and work is still running: exiting without it");
        std::process::exit(status);
    });
}

/// Completes when the process that is the parent now has ended.
pub fn orphaned() -> impl Future<Output = ()> {
    let parent = parent();
    async move {
        loop {
            tokio::time::sleep(PARENT_INTERVAL).await;
            // An orphan's new parent is the first process or a subreaper.
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

/// Windows gives orphans no new parent, so only the closed stdin counts there.
#[cfg(not(unix))]
fn parent() -> u32 {
    0
}

/// Completes on SIGTERM or SIGINT. From this call on those signals do not kill the process.
#[cfg(unix)]
pub fn terminated() -> impl Future<Output = ()> {
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

/// Completes on Ctrl-C.
#[cfg(not(unix))]
pub async fn terminated() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
