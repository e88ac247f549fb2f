//! `Writer`: a thread that writes to somebody who may not read.

use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// The end of such a thread, for as long as one wants to wait for it. The process does not.
#[derive(Debug)]
pub(crate) struct Writer(Receiver<()>);

impl Writer {
    /// Runs `write` in a thread of its own.
    pub(crate) fn spawn(write: impl FnOnce() + Send + 'static) -> Self {
        let (told, end) = channel();
        thread::spawn(move || {
            write();
            drop(told);
        });
        Self(end)
    }

    /// Waits until it has ended, or so long.
    pub(crate) fn wait(self, patience: Duration) {
        // Nothing is ever sent: the channel closes.
        _ = self.0.recv_timeout(patience);
    }
}
