//! `Progress`: a line on stderr for work that lasts, on a terminal only. stdout stays as it is.

use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work is done before a line about it can be read.
const MIN_SHOWN: Duration = Duration::from_secs(1);

/// Time between two pictures of the spinner, as in other tools.
const TICK: Duration = Duration::from_millis(100);

/// A line that appears after a second, and goes when this value is dropped.
pub(crate) struct Progress {
    /// Dropped to end the thread; `None` if there is no terminal.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Starts the line for work such as `reading the tree`.
    pub(crate) fn start(work: &'static str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { running: None };
        }
        let (end, ended) = channel();
        let thread = thread::spawn(move || {
            if ended.recv_timeout(MIN_SHOWN) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr()).with_elapsed(MIN_SHOWN);
            let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            line.set_message(work);
            line.enable_steady_tick(TICK);
            // Fails when the sender is dropped, which is the end of the work.
            _ = ended.recv();
            line.finish_and_clear();
        });
        Self { running: Some((end, thread)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.running.take() {
            drop(end);
            // The line is cleared before anything else is printed.
            _ = thread.join();
        }
    }
}
