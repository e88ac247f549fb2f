//! Asking a session: one request → one answer, and what that took.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use pathfinder_core::frecency::Visits;
use pathfinder_core::{Answer, Request, RequestError, Stage};
use thiserror::Error;

use super::WorkspaceSnapshot;
use crate::os::roots;

/// Why one request has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum AskError {
    /// The request is unusable, or a root has gone.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A defect of this program. The session goes on: a snapshot is never changed by a request.
    #[error("internal error ({0}): this is a defect of pathfinder, please report it with the request")]
    Panicked(String),
}

/// How long one answer took, and its parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Timing {
    /// From the request to the answer.
    pub(crate) total: Duration,
    /// The stages that were gone through, each with its own time.
    pub(crate) stages: Vec<(Stage, Duration)>,
}

impl WorkspaceSnapshot {
    /// Answers one request, and says how long that took. A panic inside is an error of this request only.
    pub(crate) fn ask(&self, request: &Request) -> (Result<Answer, AskError>, Timing) {
        let start = Instant::now();
        let mut stages = Vec::with_capacity(Stage::ALL.len());
        let mut last = start;
        let mut result = caught(|| {
            self.engine.resolve_observed(request, &*self.probe, &mut |stage| {
                let now = Instant::now();
                stages.push((stage, now - last));
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

    /// Whether git's history could make another answer: what exists is the answer whatever history says.
    pub(crate) fn needs_history(&self, request: &Request) -> bool {
        caught(|| self.engine.needs_history(request, &*self.probe)).unwrap_or(false)
    }

    /// The same session for who is in another directory (canonical) than this process.
    pub(crate) fn with_current_dir(&self, directory: &Path) -> Self {
        let cwd = roots::within(self.opened.iter().map(|opened| &opened.root), directory);
        Self { engine: self.engine.seen_from(cwd), probe: Arc::clone(&self.probe), opened: Arc::clone(&self.opened) }
    }

    /// The same session for a command, to which it does not matter what others have used.
    pub(crate) fn without_visits(&self) -> Self {
        self.with_visits(&vec![Visits::default(); self.opened.len()], 0)
    }
}

/// Answers; a panic is an error of this request only.
///
/// # Errors
/// What the request is answered with instead.
pub(crate) fn caught<T>(answer: impl FnOnce() -> Result<T, RequestError>) -> Result<T, AskError> {
    // Nothing that a request could leave half done outlives it: engine and probe are only read.
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
    use super::{AskError, caught};
    use pathfinder_core::RequestError;

    #[test]
    fn turns_a_panic_into_an_error_of_one_request() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let plain: Result<(), _> = caught::<()>(|| panic!("index out of bounds"));
        let formatted = caught::<()>(|| panic!("{} is too many", 7));
        std::panic::set_hook(quiet);
        assert_eq!(plain, Err(AskError::Panicked("index out of bounds".to_owned())));
        assert_eq!(formatted, Err(AskError::Panicked("7 is too many".to_owned())));
        assert_eq!(caught::<()>(|| Err(RequestError::EmptyPath)), Err(AskError::Request(RequestError::EmptyPath)));
    }
}
