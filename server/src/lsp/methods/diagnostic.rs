//! Diagnostics that the client asks for: of a document, and of the whole workspace.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::notification::Notification;
use tower_lsp_server::ls_types::{
    Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, ProgressToken, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDiagnosticReportResult, WorkspaceDocumentDiagnosticReport,
    WorkspaceFullDocumentDiagnosticReport, WorkspaceUnchangedDocumentDiagnosticReport,
};

use super::super::desk::Desk;
use super::super::editor::State;
use super::super::work::Work;
use super::super::{encode, uri};

/// How long an answer waits for something to change: clients ask again at once, and there is no end of it otherwise.
const WAIT: Duration = Duration::from_mins(5);
/// Reports in one part of an answer.
const PART: usize = 200;

/// Parts of an answer.
enum Part {}

impl Notification for Part {
    type Params = PartParams;
    const METHOD: &'static str = "$/progress";
}

#[derive(serde::Serialize, serde::Deserialize)]
struct PartParams {
    token: ProgressToken,
    value: WorkspaceDiagnosticReport,
}

pub(in crate::lsp) fn document(desk: &Arc<Desk>, params: &DocumentDiagnosticParams) -> DocumentDiagnosticReportResult {
    let look = desk.look(params.text_document.uri.as_str());
    if let Some(look) = &look {
        // Actions will soon be asked for.
        let (desk, look) = (Arc::clone(desk), Arc::clone(look));
        tokio::task::spawn_blocking(move || desk.mend(&look));
    }
    let shown = desk.preferences().diagnostics;
    let items: Vec<Diagnostic> = look
        .filter(|_| shown)
        .map(|look| look.findings.iter().map(|finding| encode::diagnostic(&look, finding, desk.editor.can())).collect())
        .unwrap_or_default();
    let result_id = id(&items);
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

fn id(items: &[Diagnostic]) -> String {
    format!("{:016x}", encode::fingerprint(items))
}

/// Waits until there is something to say that the client does not know.
pub(in crate::lsp) async fn workspace(
    desk: &Arc<Desk>,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult> {
    if !desk.pulls_workspace.swap(true, Ordering::Relaxed) {
        // From now on the client asks: what was said without being asked is taken back.
        desk.give(Work::Yield);
    }
    // Clients write URIs in their own way.
    let known: BTreeMap<PathBuf, String> = params
        .previous_result_ids
        .into_iter()
        .filter_map(|known| Some((uri::path(known.uri.as_str())?, known.value)))
        .collect();
    let mut news = desk.news.subscribe();
    let until = tokio::time::Instant::now() + WAIT;
    loop {
        news.borrow_and_update();
        let items = reports(desk, &known);
        let is_news =
            |item: &WorkspaceDocumentDiagnosticReport| matches!(item, WorkspaceDocumentDiagnosticReport::Full(_));
        let timed_out = tokio::time::Instant::now() >= until;
        let first = known.is_empty() && desk.status().state == State::Ready;
        if items.iter().any(is_news) || first || timed_out || desk.is_ending() {
            return Ok(answer(desk, params.partial_result_params.partial_result_token, items).await);
        }
        tokio::select! {
            _ = news.changed() => {}
            () = tokio::time::sleep_until(until) => {}
        }
    }
}

/// In parts, where the client wants them so.
async fn answer(
    desk: &Desk,
    token: Option<ProgressToken>,
    items: Vec<WorkspaceDocumentDiagnosticReport>,
) -> WorkspaceDiagnosticReportResult {
    let Some(token) = token else {
        return WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items });
    };
    for part in items.chunks(PART) {
        let value = WorkspaceDiagnosticReport { items: part.to_vec() };
        desk.editor.notify::<Part>(PartParams { token: token.clone(), value }).await;
    }
    WorkspaceDiagnosticReportResult::Report(WorkspaceDiagnosticReport { items: Vec::new() })
}

/// What is wrong in files that are not open, and what has ceased to be. Texts that are open have an answer of their own.
fn reports(desk: &Desk, known: &BTreeMap<PathBuf, String>) -> Vec<WorkspaceDocumentDiagnosticReport> {
    let mut all = Vec::new();
    let mut left = known.clone();
    let preferences = desk.preferences();
    for diagnostics in desk.surveys().iter().filter(|_| preferences.diagnostics && preferences.workspace) {
        let root = diagnostics.root();
        for (file, findings) in diagnostics.findings() {
            let path = root.join(&file);
            let Some(uri) = uri::of(&path).filter(|_| desk.documents().uri_of(&path).is_none()) else { continue };
            let items: Vec<Diagnostic> =
                findings.iter().map(|finding| encode::diagnostic_on_disk(finding, &root, desk.editor.can())).collect();
            let result_id = id(&items);
            all.push(if left.remove(&path).as_ref() == Some(&result_id) {
                let report = UnchangedDocumentDiagnosticReport { result_id };
                WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
                    uri,
                    version: None,
                    unchanged_document_diagnostic_report: report,
                })
            } else {
                full(uri, items, Some(result_id))
            });
        }
    }
    let nothing = id(&[]);
    for (path, result_id) in left {
        // Said once. Texts that are open are told of by themselves.
        if result_id != nothing
            && desk.documents().uri_of(&path).is_none()
            && let Some(uri) = uri::of(&path)
        {
            all.push(full(uri, Vec::new(), Some(nothing.clone())));
        }
    }
    all
}

fn full(
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
