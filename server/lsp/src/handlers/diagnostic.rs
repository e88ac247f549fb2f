//! Pull diagnostics: `textDocument/diagnostic` and `workspace/diagnostic`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tower_lsp_server::ls_types::notification::Notification;
use tower_lsp_server::ls_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, ProgressToken, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::super::editor::ServerPhase;
use super::super::lsp_error::LspError;
use super::super::publish_event::PublishEvent;
use super::super::server_snapshot::{ServerSnapshot, StateData};
use super::super::server_state::ServerState;
use super::super::{to_proto, uri};

/// Longest time that a workspace report waits for a change. Clients ask again soon after each answer (VS Code after two
/// seconds), so an immediate answer would make them poll.
const LONG_POLL_TIMEOUT: Duration = Duration::from_mins(5);
/// Document reports in one partial result.
const PARTIAL_RESULT_SIZE: usize = 200;

/// The `$/progress` notification of a partial result.
enum PartialResult {}

impl Notification for PartialResult {
    type Params = PartialResultProgress;
    const METHOD: &'static str = "$/progress";
}

/// Parameters of a partial result.
#[derive(serde::Serialize, serde::Deserialize)]
struct PartialResultProgress {
    token: ProgressToken,
    value: WorkspaceDiagnosticReport,
}

/// Returns the report of a document, and starts to look for fixes.
pub(crate) fn document(state: &ServerSnapshot, params: &DocumentDiagnosticParams) -> DocumentDiagnosticReportResult {
    let analysis = state.analyze(params.text_document.uri.as_str());
    if let Some(analysis) = &analysis {
        // The client will soon ask for code actions.
        let (state, analysis) = (state.clone(), Arc::clone(analysis));
        tokio::task::spawn_blocking(move || {
            if let Some(analysis) = state.find_fixes(&analysis) {
                state.send(PublishEvent::FixesFound(analysis));
            }
        });
    }
    let items = analysis.map(|analysis| to_proto::diagnostics(&analysis, state)).unwrap_or_default();
    let result_id = result_id_of(&items);
    let report = if params.previous_result_id.as_ref() == Some(&result_id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
        })
    };
    DocumentDiagnosticReportResult::Report(report)
}

fn result_id_of(items: &[Diagnostic]) -> String {
    format!("{:016x}", to_proto::fingerprint(items))
}

/// Returns the workspace report as soon as it differs from what the client has.
pub(crate) fn workspace(
    state: &mut ServerState,
    params: WorkspaceDiagnosticParams,
) -> impl Future<Output = Result<WorkspaceDiagnosticReportResult, LspError>> + use<> {
    if !state.has_pulled_workspace {
        state.modify(|data| data.has_pulled_workspace = true);
        // The client pulls from now on: diagnostics that were published are cleared.
        state.send(PublishEvent::WorkspacePulled);
    }
    wait_for_report(state.snapshot(), params)
}

async fn wait_for_report(
    snapshot: ServerSnapshot,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult, LspError> {
    // Keyed by path, because clients spell URIs differently.
    let known_ids: BTreeMap<PathBuf, String> = params
        .previous_result_ids
        .into_iter()
        .filter_map(|known| Some((uri::to_path(known.uri.as_str())?, known.value)))
        .collect();
    let mut revision = snapshot.diagnostics_revision.clone();
    let until = tokio::time::Instant::now() + LONG_POLL_TIMEOUT;
    loop {
        revision.borrow_and_update();
        let state = snapshot.latest();
        let items = file_reports(&state, &known_ids);
        let is_new =
            |item: &WorkspaceDocumentDiagnosticReport| matches!(item, WorkspaceDocumentDiagnosticReport::Full(_));
        let timed_out = tokio::time::Instant::now() >= until;
        let has_new = items.iter().any(is_new);
        // Once, so that the client knows that all is checked. It has no ids to send later: each request looks like its first.
        let is_first_clean = !has_new
            && known_ids.is_empty()
            && state.status.state == ServerPhase::Ready
            && !state.has_reported_clean.swap(true, Ordering::Relaxed);
        if has_new || is_first_clean || timed_out || state.is_ending() {
            return Ok(send_report(&state, params.partial_result_params.partial_result_token, items).await);
        }
        tokio::select! {
            _ = revision.changed() => {}
            () = tokio::time::sleep_until(until) => {}
        }
    }
}

/// Sends the report; in parts if the client gave a token for partial results.
async fn send_report(
    state: &StateData,
    token: Option<ProgressToken>,
    items: Vec<WorkspaceDocumentDiagnosticReport>,
) -> WorkspaceDiagnosticReportResult {
    let Some(token) = token else {
        return WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items });
    };
    for part in items.chunks(PARTIAL_RESULT_SIZE) {
        let value = WorkspaceDiagnosticReport { items: part.to_vec() };
        state.editor.notify::<PartialResult>(PartialResultProgress { token: token.clone(), value }).await;
    }
    WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items: Vec::new() })
}

/// Returns the reports of files that are not open, and empty ones for files that have become clean. Open documents have
/// reports of their own.
fn file_reports(state: &StateData, known_ids: &BTreeMap<PathBuf, String>) -> Vec<WorkspaceDocumentDiagnosticReport> {
    let mut all = Vec::new();
    let mut remaining = known_ids.clone();
    for diagnostics in state.root_diagnostics.iter() {
        let root = diagnostics.root();
        let preferences = state.preferences_of(&root);
        if !preferences.has_diagnostics || !preferences.has_workspace_diagnostics {
            continue;
        }
        for (file, findings) in diagnostics.findings() {
            let path = root.join(&file);
            let Some(uri) = uri::from_path(&path).filter(|_| state.documents.find_by_path(&path).is_none()) else {
                continue;
            };
            let items: Vec<Diagnostic> = findings
                .iter()
                .filter(|finding| preferences.reports(finding))
                .map(|finding| to_proto::diagnostic_on_disk(finding, &root, state.editor.capabilities()))
                .collect();
            if items.is_empty() {
                continue;
            }
            let result_id = result_id_of(&items);
            all.push(if remaining.remove(&path).as_ref() == Some(&result_id) {
                let report = UnchangedDocumentDiagnosticReport { result_id };
                WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version: None,
                    unchanged_document_diagnostic_report: report,
                })
            } else {
                full_report(uri, items, Some(result_id))
            });
        }
    }
    let nothing = result_id_of(&[]);
    for (path, result_id) in remaining {
        // A clean file is reported once. Open documents are reported separately.
        if result_id != nothing
            && state.documents.find_by_path(&path).is_none()
            && let Some(uri) = uri::from_path(&path)
        {
            all.push(full_report(uri, Vec::new(), Some(nothing.clone())));
        }
    }
    all
}

fn full_report(
    uri: tower_lsp_server::ls_types::Uri,
    items: Vec<Diagnostic>,
    result_id: Option<String>,
) -> WorkspaceDocumentDiagnosticReport {
    let report = FullDocumentDiagnosticReport { result_id, items };
    WorkspaceDocumentDiagnosticReport::Full(WorkspaceFullDocumentDiagnosticReport {
        uri,
        version: None,
        full_document_diagnostic_report: report,
    })
}
