//! Ends a server that nobody needs any more.

use std::thread;
use std::time::Duration;

/// How often the parent is looked at. A closed stdin is noticed at once; this is for a parent that died and left its
/// end of the pipe to somebody else.
const EVERY: Duration = Duration::from_secs(2);

/// How long a server may take to end after its input has ended. Whatever it is doing then is given up: a client that closes its
/// side waits for the end of the process, and a second is where people begin to notice.
const LAST_MOMENT: Duration = Duration::from_millis(900);

/// Ends the process with this status within a second, whatever its threads wait for. What is to be kept, and answers on their way, have until then.
#[expect(clippy::exit, reason = "a thread that hangs in a system call can be ended in no other way")]
pub(crate) fn end_soon(status: i32) {
    thread::spawn(move || {
        thread::sleep(LAST_MOMENT);
        tracing::warn!("the input has ended, and something still waits: it is given up");
        std::process::exit(status);
    });
}

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
