//! Runs a write in a detached thread, because the reader of a pipe may not read.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Handle of the thread, to wait for its end with a timeout. The process does not wait for the thread.
#[derive(Debug)]
pub struct Writer(Receiver<()>);

impl Writer {
    /// Runs `write` in a new thread.
    pub fn spawn(write: impl FnOnce() + Send + 'static) -> Self {
        let (sender, receiver) = channel();
        thread::spawn(move || {
            write();
            drop(sender);
        });
        Self(receiver)
    }

    /// Waits until the thread has ended, or the timeout.
    pub fn wait(self, timeout: Duration) {
        // The channel carries no values: it closes when the thread ends.
        _ = self.0.recv_timeout(timeout);
    }
}
