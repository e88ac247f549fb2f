//! Publishes diagnostics to the client: of open documents after a pause in typing, and of files that are not open.
//!
//! `lsp::run` starts it as one task, so that the diagnostics of a document are sent in order. Handlers and background
//! threads send it [`PublishEvent`]s. The task analyzes no document itself. It waits while the client does
//! not read: events queue up meanwhile, and each is then handled with the latest state.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;
use tower_lsp_server::ls_types::Uri;

use super::documents::DocumentAnalysis;
use super::editor::{ServerPhase, Status};
use super::publish_event::{DirtyReason, PublishEvent};
use super::server_snapshot::{ServerSnapshot, StateData};
use super::server_state::ServerState;
use super::to_proto;
use super::uri;
use pathfinder_check::Checker;

/// Files that are not open whose diagnostics are published. Clients hold all of them, and a longer list of problems is of no use.
const MAX_PUBLISHED_FILES: usize = 2000;
/// Pause in typing before fixes are looked for. That takes longer than finding what is broken and would slow down typing.
/// A request for code actions computes the fixes that it needs at once.
const FIX_DELAY: Duration = Duration::from_millis(400);
/// Continuous typing delays an analysis by at most this many debounce times, so that diagnostics appear meanwhile too.
const MAX_DEBOUNCES: u32 = 5;

/// Schedule of one open document.
#[derive(Default)]
struct PublishState {
    /// The time of the next analysis.
    analyze_at: Option<Instant>,
    /// The time of the first change that no analysis has seen.
    dirty_since: Option<Instant>,
    /// True while a thread analyzes the document.
    is_analyzing: bool,
    /// True if diagnostics were published for it, or for its file before it was opened.
    has_published: bool,
    /// An analysis whose fixes are still to be found, and when to begin.
    pending_fixes: Option<(Instant, Arc<DocumentAnalysis>)>,
    /// True if it was edited since the last analysis.
    is_edited: bool,
    /// The checker of the last analysis.
    last_checker: Option<Arc<Checker>>,
}

impl PublishState {
    /// Returns when there is something to do next.
    fn next_deadline(&self) -> Option<Instant> {
        let analysis = self.analyze_at.filter(|_| !self.is_analyzing);
        analysis.into_iter().chain(self.pending_fixes.as_ref().map(|(at, _)| *at)).min()
    }
}

/// Runs the publisher until all senders of `events` are gone. Increases `revision` whenever diagnostics may have changed.
pub(super) async fn run(
    snapshot: ServerSnapshot,
    mut events: UnboundedReceiver<PublishEvent>,
    revision: watch::Sender<u64>,
) {
    let mut documents: BTreeMap<String, (Uri, PublishState)> = BTreeMap::new();
    // Files that are not open and have published diagnostics.
    let mut files: BTreeSet<String> = BTreeSet::new();
    let refresh = Arc::new(Notify::new());
    let refreshing = tokio::spawn(send_refreshes(snapshot.clone(), Arc::clone(&refresh)));
    loop {
        let next = documents.values().filter_map(|(_, document)| document.next_deadline()).min();
        let event = tokio::select! {
            event = events.recv() => event,
            () = sleep_until(next) => {
                for (uri, document) in documents.values_mut() {
                    if let Some((_, analysis)) = document.pending_fixes.take_if(|(at, _)| *at <= Instant::now()) {
                        start_fixes(&snapshot, analysis);
                    }
                    if !document.is_analyzing && document.analyze_at.is_some_and(|at| at <= Instant::now()) {
                        (document.analyze_at, document.dirty_since, document.is_analyzing) = (None, None, true);
                        spawn_analysis(&snapshot, uri.clone());
                    }
                }
                continue;
            }
        };
        let state = snapshot.latest();
        match event {
            None => return refreshing.abort(),
            Some(PublishEvent::Dirty { uri, reason }) => {
                if state.editor.capabilities().has_pull_diagnostics {
                    // The client pulls after its own edits; only the server knows about changed dependencies.
                    if reason == DirtyReason::Dependency {
                        refresh.notify_one();
                    }
                    continue;
                }
                let now = Instant::now();
                let wait = if reason == DirtyReason::Edited { state.preferences.debounce } else { Duration::ZERO };
                let (_, document) =
                    documents.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, PublishState::default()));
                document.pending_fixes = None;
                document.is_edited |= reason == DirtyReason::Edited;
                let since = *document.dirty_since.get_or_insert(now);
                document.analyze_at = Some((now + wait).min(since + wait * MAX_DEBOUNCES));
            }
            Some(PublishEvent::Opened { uri }) => {
                // Diagnostics of the document replace those of the file on disk.
                if !files.remove(uri.as_str()) {
                    continue;
                }
                if state.editor.capabilities().has_pull_diagnostics {
                    state.editor.publish(uri, Vec::new(), None).await;
                } else {
                    // A document that cannot be analyzed has none: those of the file are cleared then.
                    let (_, document) =
                        documents.entry(uri.as_str().to_owned()).or_insert_with(|| (uri, PublishState::default()));
                    document.has_published = true;
                }
            }
            Some(PublishEvent::FixesFound(analysis)) => {
                let document = documents.get(analysis.uri.as_str()).map(|(_, document)| document);
                publish_fixes(&state, document, &analysis, &refresh).await;
            }
            Some(PublishEvent::Analyzed { uri, analysis }) => {
                let Some((_, document)) = documents.get_mut(uri.as_str()) else { continue };
                document.is_analyzing = false;
                document.last_checker = analysis.as_ref().map(|analysis| Arc::clone(&analysis.checker));
                if let Some(analysis) = analysis {
                    document.has_published = true;
                    publish_document(&state, &analysis).await;
                    let pause = if std::mem::take(&mut document.is_edited) { FIX_DELAY } else { Duration::ZERO };
                    document.pending_fixes = Some((Instant::now() + pause, analysis));
                } else if std::mem::take(&mut document.has_published) {
                    state.editor.publish(uri, Vec::new(), None).await;
                }
            }
            Some(PublishEvent::Closed { uri }) => {
                documents.remove(uri.as_str());
                if !state.editor.capabilities().has_pull_diagnostics {
                    state.editor.publish(uri, Vec::new(), None).await;
                }
            }
            Some(PublishEvent::FileChanged { root, file }) => {
                revision.send_modify(|revision| *revision += 1);
                publish_file(&state, &mut files, &root, &file).await;
            }
            Some(PublishEvent::Deleted { root, path }) => {
                let Some(uri) = uri::from_path(&root.join(path)) else { continue };
                clear_deleted(&state, &mut files, &uri).await;
                revision.send_modify(|revision| *revision += 1);
            }
            Some(PublishEvent::Status(status)) => publish_status(&state, status, &revision).await,
            Some(PublishEvent::WorkspacePulled) => {
                for uri in std::mem::take(&mut files) {
                    if let Ok(uri) = uri.parse() {
                        state.editor.publish(uri, Vec::new(), None).await;
                    }
                }
            }
        }
    }
}

/// Sends `workspace/diagnostic/refresh`: one request at a time, however many changes there are.
async fn send_refreshes(snapshot: ServerSnapshot, wanted: Arc<Notify>) {
    loop {
        wanted.notified().await;
        snapshot.latest().editor.refresh().await;
    }
}

async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}

/// Analyzes a document in a blocking thread, without fixes: diagnostics should not wait for them.
fn spawn_analysis(snapshot: &ServerSnapshot, uri: Uri) {
    let snapshot = snapshot.clone();
    tokio::task::spawn_blocking(move || {
        let state = snapshot.refreshed();
        let analysis = catch_unwind(AssertUnwindSafe(|| state.analyze(uri.as_str()))).unwrap_or_default();
        state.send(PublishEvent::Analyzed { uri, analysis });
    });
}

/// Finds the fixes of an analysis in a blocking thread, before the client asks for code actions.
fn start_fixes(snapshot: &ServerSnapshot, analysis: Arc<DocumentAnalysis>) {
    snapshot.updates.send(move |state: &mut ServerState| {
        // The pause in typing is long enough for the parse that was put off.
        if state.modify_documents(|documents| documents.reparse_deferred(&analysis)) {
            state.mark_dirty(&analysis.uri, DirtyReason::Opened);
            return;
        }
        let state = state.snapshot();
        tokio::task::spawn_blocking(move || {
            if let Some(analysis) = catch_unwind(AssertUnwindSafe(|| state.find_fixes(&analysis))).unwrap_or_default() {
                state.send(PublishEvent::FixesFound(analysis));
            }
        });
    });
}

/// Publishes an analysis again, now that its messages name fixes; a client that pulls is asked to do so.
async fn publish_fixes(
    state: &StateData,
    document: Option<&PublishState>,
    analysis: &Arc<DocumentAnalysis>,
    refresh: &Notify,
) {
    if state.editor.capabilities().has_pull_diagnostics {
        if analysis.findings.iter().any(|finding| finding.likely().is_some()) {
            refresh.notify_one();
        }
        return;
    }
    // Drops fixes for a tree that has changed while they were looked for.
    let is_last = |checker: &Arc<Checker>| Arc::ptr_eq(checker, &analysis.checker);
    if document.is_some_and(|document| document.last_checker.as_ref().is_some_and(is_last)) {
        publish_document(state, analysis).await;
    }
}

/// Publishes the diagnostics of an open document, unless it has changed since the analysis.
async fn publish_document(state: &StateData, analysis: &DocumentAnalysis) {
    if !state.documents.is_current(analysis) {
        return;
    }
    let diagnostics = to_proto::diagnostics(analysis, state);
    state.editor.publish(analysis.uri.clone(), diagnostics, Some(analysis.version)).await;
}

/// Tells the client the status.
async fn publish_status(state: &StateData, status: Status, revision: &watch::Sender<u64>) {
    // A request that came during a check learns that it has ended, though it may have found nothing.
    if status.state == ServerPhase::Ready {
        revision.send_modify(|revision| *revision += 1);
    }
    state.editor.status(status).await;
}

/// Clears the diagnostics of a deleted path and of all files below it.
async fn clear_deleted(state: &StateData, files: &mut BTreeSet<String>, deleted: &Uri) {
    let below = format!("{}/", deleted.as_str());
    let gone = |file: &&String| *file == deleted.as_str() || file.starts_with(&below);
    let gone: Vec<String> = files.iter().filter(gone).cloned().collect();
    for file in gone {
        files.remove(&file);
        if let Ok(uri) = file.parse() {
            state.editor.publish(uri, Vec::new(), None).await;
        }
    }
}

/// Publishes the diagnostics of a file that is not open; nothing if the client pulls workspace diagnostics.
async fn publish_file(state: &StateData, files: &mut BTreeSet<String>, root: &Path, file: &str) {
    let path = root.join(file);
    if state.has_pulled_workspace || state.documents.find_by_path(&path).is_some() {
        return;
    }
    let Some(uri) = uri::from_path(&path) else { return };
    let name = uri.as_str().to_owned();
    let preferences = state.preferences_of(root);
    // A root that is no longer open has no findings.
    let diagnostics = state.root_diagnostics.iter().find(|diagnostics| diagnostics.root() == root);
    let findings = diagnostics.map(|diagnostics| diagnostics.findings_of(file)).unwrap_or_default();
    let findings: Vec<_> = findings.iter().filter(|finding| preferences.reports(finding)).collect();
    if findings.is_empty() || !preferences.has_workspace_diagnostics {
        if files.remove(&name) {
            state.editor.publish(uri, Vec::new(), None).await;
        }
        return;
    }
    if !files.contains(&name) && files.len() >= MAX_PUBLISHED_FILES {
        return;
    }
    files.insert(name);
    let client = state.editor.capabilities();
    let diagnostics = findings.into_iter().map(|finding| to_proto::diagnostic_on_disk(finding, root, client)).collect();
    state.editor.publish(uri, diagnostics, None).await;
}
