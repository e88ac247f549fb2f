//! Answers one request from a `WorkspaceSnapshot`, and measures the time.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pathfinder_core::frecency::Visits;
use pathfinder_core::{Answer, Request, RequestError, Stage};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::WorkspaceSnapshot;
use super::file_contents::FileContents;
use pathfinder_vfs::clock::Stopwatch;
use pathfinder_vfs::roots;

/// The reason why a request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AskError {
    /// The request is invalid, or a root is gone.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A bug in this program. The snapshot stays usable, as a request never changes it.
    #[error("internal error ({0}): this is a defect of pathfinder, please report it with the request")]
    Panicked(String),
}

/// Time that an answer took.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// From the request to the answer.
    pub total: Duration,
    /// Time of each stage that ran. Only the answering process knows it.
    #[serde(skip)]
    pub stages: Vec<(Stage, Duration)>,
}

impl WorkspaceSnapshot {
    /// Answers a request. A panic becomes an error of this request only.
    pub fn ask(&self, request: &Request) -> (Result<Answer, AskError>, Timing) {
        let start = Stopwatch::start();
        let mut stages = Vec::with_capacity(Stage::ALL.len());
        let mut last = Duration::ZERO;
        let contents = FileContents { workspace: self };
        let mut result = catch_panic(|| {
            self.engine.resolve_observed(request, &*self.probe, &contents, &mut |stage| {
                let now = start.elapsed();
                stages.push((stage, now.saturating_sub(last)));
                last = now;
            })
        });
        if self.has_pending_history()
            && let Ok(answer) = &mut result
            && self.needs_history(request)
        {
            answer.why.push_str("; git history is still being read");
        }
        let total = start.elapsed();
        tracing::debug!(failed_path = %request.failed_path, ?total, failed = result.is_err(), "asked");
        (result, Timing { total, stages })
    }

    /// Returns whether git history could change the answer; it cannot if the path exists.
    pub fn needs_history(&self, request: &Request) -> bool {
        catch_panic(|| self.engine.needs_history(request, &*self.probe)).unwrap_or(false)
    }

    /// Returns a snapshot for a process in another directory (canonical path).
    #[must_use]
    pub fn with_current_dir(&self, directory: &Path) -> Self {
        let cwd = roots::within(self.opened.iter().map(|opened| &opened.root), directory);
        Self { engine: self.engine.with_cwd(cwd), probe: Arc::clone(&self.probe), opened: Arc::clone(&self.opened) }
    }

    /// Returns a snapshot without recorded visits: a command's answer should not depend on other processes.
    #[must_use]
    pub fn without_visits(&self) -> Self {
        self.with_visits(&vec![Visits::default(); self.opened.len()], 0)
    }
}

/// Runs `answer`, and converts a panic to an error of this request.
///
/// # Errors
/// The request's own error, or the panic's message.
pub fn catch_panic<T>(answer: impl FnOnce() -> Result<T, RequestError>) -> Result<T, AskError> {
    // Safe after a panic: a request only reads the engine and the probe.
    match catch_unwind(AssertUnwindSafe(answer)) {
        Ok(result) => Ok(result?),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            Err(AskError::Panicked(text.unwrap_or("no message").to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AskError, catch_panic};
    use pathfinder_core::RequestError;

    #[test]
    fn turns_a_panic_into_an_error_of_one_request() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let plain: Result<(), _> = catch_panic::<()>(|| panic!("index out of bounds"));
        let formatted = catch_panic::<()>(|| panic!("{} is too many", 7));
        std::panic::set_hook(quiet);
        assert_eq!(plain, Err(AskError::Panicked("index out of bounds".to_owned())));
        assert_eq!(formatted, Err(AskError::Panicked("7 is too many".to_owned())));
        assert_eq!(catch_panic::<()>(|| Err(RequestError::EmptyPath)), Err(AskError::Request(RequestError::EmptyPath)));
    }
}
