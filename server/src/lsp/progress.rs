//! Progress of long work, for clients that show it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tower_lsp_server::ls_types::notification::Progress as ProgressNotification;
use tower_lsp_server::ls_types::request::WorkDoneProgressCreate;
use tower_lsp_server::ls_types::{
    NumberOrString, ProgressParams, ProgressParamsValue, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressCreateParams, WorkDoneProgressEnd, WorkDoneProgressReport,
};

use super::desk::Desk;

/// Less is done before one has looked.
const LEAST: usize = 500;

/// Progress of one piece of work; silent where the work is short or the client shows none.
pub(super) struct Progress {
    told: Option<(tokio::sync::mpsc::UnboundedSender<WorkDoneProgress>, usize)>,
    /// In percent.
    last: AtomicUsize,
}

impl Progress {
    /// Of so many steps.
    pub(super) fn begin(desk: &Arc<Desk>, title: &str, steps: usize) -> Self {
        let silent = Self { told: None, last: AtomicUsize::new(0) };
        if steps < LEAST || !desk.editor.can().progress {
            return silent;
        }
        let (sender, mut values) = tokio::sync::mpsc::unbounded_channel();
        let editor = desk.editor.clone();
        let token = NumberOrString::String(format!("pathfinder/{}", desk.tokens.fetch_add(1, Ordering::Relaxed)));
        desk.runtime.spawn(async move {
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
        Self { told: Some((sender, steps)), last: AtomicUsize::new(0) }
    }

    /// So many steps are done.
    pub(super) fn at(&self, done: usize) {
        let Some((sender, steps)) = &self.told else { return };
        let percent = done * 100 / steps;
        if self.last.fetch_max(percent, Ordering::Relaxed) < percent {
            let percentage = Some(percent as u32);
            let report = WorkDoneProgressReport { cancellable: Some(false), message: None, percentage };
            _ = sender.send(WorkDoneProgress::Report(report));
        }
    }

    /// It is done.
    pub(super) fn end(self) {
        if let Some((sender, _)) = self.told {
            _ = sender.send(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }
}
