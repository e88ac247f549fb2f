//! Work-done progress, for clients that show it.

use std::sync::atomic::{AtomicUsize, Ordering};

use tower_lsp_server::ls_types::notification::Progress as ProgressNotification;
use tower_lsp_server::ls_types::request::WorkDoneProgressCreate;
use tower_lsp_server::ls_types::{
    NumberOrString, ProgressParams, ProgressParamsValue, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::server_snapshot::StateData;

/// Least number of steps to report: less work ends before the user notices.
const MIN_STEPS: usize = 500;

/// The number in the next token.
static NEXT_TOKEN: AtomicUsize = AtomicUsize::new(0);

/// Progress of one task; reports nothing if the task is short or the client shows no progress.
pub(super) struct Progress {
    reporting: Option<(tokio::sync::mpsc::UnboundedSender<WorkDoneProgress>, usize)>,
    /// In percent.
    last_percent: AtomicUsize,
}

impl Progress {
    /// Begins a task with this many steps.
    pub(super) fn begin(state: &StateData, title: &str, steps: usize) -> Self {
        let silent = Self { reporting: None, last_percent: AtomicUsize::new(0) };
        if steps < MIN_STEPS || !state.editor.capabilities().has_progress {
            return silent;
        }
        let (sender, mut values) = tokio::sync::mpsc::unbounded_channel();
        let editor = state.editor.clone();
        let token = NumberOrString::String(format!("pathfinder/{}", NEXT_TOKEN.fetch_add(1, Ordering::Relaxed)));
        state.editor.spawn(async move {
            let params = WorkDoneProgressCreateParams { token: token.clone() };
            if editor.request::<WorkDoneProgressCreate>(params).await.is_none() {
                return;
            }
            while let Some(value) = values.recv().await {
                let value = ProgressParamsValue::WorkDone(value);
                editor.notify::<ProgressNotification>(ProgressParams { token: token.clone(), value }).await;
            }
        });
        _ = sender.send(WorkDoneProgress::Begin(WorkDoneProgressBegin {
            title: title.to_owned(),
            cancellable: Some(false),
            message: None,
            percentage: Some(0),
        }));
        Self { reporting: Some((sender, steps)), last_percent: AtomicUsize::new(0) }
    }

    /// Reports how many steps are done.
    pub(super) fn report(&self, done: usize) {
        let Some((sender, steps)) = &self.reporting else { return };
        let percent = done * 100 / steps;
        if self.last_percent.fetch_max(percent, Ordering::Relaxed) < percent {
            let percentage = Some(percent as u32);
            let report = WorkDoneProgressReport { cancellable: Some(false), message: None, percentage };
            _ = sender.send(WorkDoneProgress::Report(report));
        }
    }

    /// Ends the task.
    pub(super) fn end(self) {
        if let Some((sender, _)) = self.reporting {
            _ = sender.send(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }
}
