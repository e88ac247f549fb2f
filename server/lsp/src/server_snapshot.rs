//! Immutable snapshots of the state, for all that runs beside the main loop: requests, the publisher, threads.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use pathfinder_core::RelPath;
use pathfinder_literals::{Checked, Verdict};
use tokio::sync::{mpsc, watch};
use tower_lsp_server::ls_types::Uri;

use super::documents::{DocumentAnalysis, Documents, MAX_TEXT_BYTES};
use super::editor::{Editor, Status};
use super::folder_aliases::FolderAliases;
use super::lsp_error::LspError;
use super::preferences::Preferences;
use super::publish_event::{DirtyReason, PublishEvent};
use super::server_state::{ServerState, Updates};
use pathfinder_check::root_diagnostics::{RootDiagnostics, relative};
use pathfinder_check::{Finding, findings_within_budget};
use pathfinder_project::workspace::Workspace;
use pathfinder_vfs::paths;

/// Longest time that a request waits for the roots to be read. After that it is answered without them.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(30);

/// The diagnostics of each root; no root lies inside another.
pub(super) type RootList = Arc<[Arc<RootDiagnostics>]>;

/// The data of a snapshot. A clone shares all large parts.
#[derive(Clone)]
pub(super) struct StateData {
    /// The client.
    pub(super) editor: Editor,
    /// The open roots.
    pub(super) workspace: Workspace,
    /// The open documents.
    pub(super) documents: Arc<Documents>,
    /// The diagnostics of each root.
    pub(super) root_diagnostics: RootList,
    /// The user's preferences.
    pub(super) preferences: Preferences,
    /// The preferences of roots that have their own, by canonical path.
    pub(super) root_preferences: Arc<BTreeMap<PathBuf, Preferences>>,
    /// The status that the client knows.
    pub(super) status: Status,
    /// Folders that the client opened through symbolic links.
    pub(super) folder_aliases: Arc<FolderAliases>,
    /// True once the roots are known, or it is known that there are none.
    pub(super) has_known_roots: bool,
    /// True once all files of the first roots were checked, so that the files that mention a path are known.
    pub(super) has_checked_all: bool,
    /// True once the client has pulled workspace diagnostics.
    pub(super) has_pulled_workspace: bool,
    /// True once the client was told that the workspace has no diagnostics. Later requests wait for a change.
    pub(super) has_reported_clean: Arc<AtomicBool>,
    /// Increases whenever diagnostics may have changed; long-polling requests wait for it.
    pub(super) diagnostics_revision: watch::Receiver<u64>,
    /// Changes of the state.
    pub(super) updates: Updates,
    pub(super) events: mpsc::UnboundedSender<PublishEvent>,
    /// Held while diagnostics of roots are replaced or move to another workspace snapshot, so that no thread overwrites a
    /// later one. Never taken by the main loop, so that its holder may wait for an update.
    pub(super) update_lock: Arc<Mutex<()>>,
    /// Ends background work when set.
    pub(super) stop: Arc<AtomicBool>,
}

/// The state at one moment. A clone is cheap.
#[derive(Clone)]
pub(super) struct ServerSnapshot {
    data: Arc<StateData>,
    latest: watch::Receiver<Arc<StateData>>,
}

impl Deref for ServerSnapshot {
    type Target = StateData;

    fn deref(&self) -> &StateData {
        &self.data
    }
}

impl ServerSnapshot {
    /// Creates the first snapshot. `latest` gives the data of later ones.
    pub(super) fn new(data: Arc<StateData>, latest: watch::Receiver<Arc<StateData>>) -> Self {
        Self { data, latest }
    }

    /// Replaces the data by that of a later moment.
    pub(super) fn replace_data(&mut self, data: Arc<StateData>) {
        self.data = data;
    }

    /// Returns the data of this moment.
    pub(super) fn latest(&self) -> Arc<StateData> {
        Arc::clone(&self.latest.borrow())
    }

    /// Returns the snapshot of this moment.
    pub(super) fn refreshed(&self) -> Self {
        Self { data: self.latest(), latest: self.latest.clone() }
    }

    /// Waits until the latest state satisfies a condition, or the timeout. Does not wait if no roots are open. Returns the
    /// latest state with the documents of this snapshot, to which the positions in a request belong.
    pub(super) async fn wait_for(
        mut self,
        timeout: Duration,
        condition: impl FnMut(&Arc<StateData>) -> bool + Send,
    ) -> Self {
        if self.workspace.is_open() {
            _ = tokio::time::timeout(timeout, self.latest.wait_for(condition)).await;
            let data = StateData { documents: Arc::clone(&self.documents), ..StateData::clone(&self.latest()) };
            self.data = Arc::new(data);
        }
        self
    }

    /// Runs slow work in a blocking thread, after the roots are read if there are any.
    ///
    /// # Errors
    /// If the work panics.
    pub(super) async fn read<T: Send + 'static>(
        self,
        run: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, LspError> {
        let state =
            if self.has_known_roots { self } else { self.wait_for(ROOTS_TIMEOUT, |it| it.has_known_roots).await };
        state.run_blocking(run).await
    }

    /// Runs slow work in a blocking thread.
    ///
    /// # Errors
    /// If the work panics.
    pub(super) async fn run_blocking<T: Send + 'static>(
        &self,
        run: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> Result<T, LspError> {
        let state = self.clone();
        tokio::task::spawn_blocking(move || run(&state)).await.map_err(|error| {
            tracing::error!(%error, "a request panicked");
            LspError::defect()
        })
    }

    /// Returns the root that a file lies in and its path there. Resolves symbolic links, since clients use the path that
    /// the user opened.
    pub(super) fn locate(&self, path: &Path) -> Option<(Arc<RootDiagnostics>, String)> {
        let below = |path: &Path| {
            self.root_diagnostics
                .iter()
                .find_map(|diagnostics| Some((Arc::clone(diagnostics), relative(&diagnostics.root(), path)?)))
        };
        below(path).or_else(|| below(&paths::real_or_new(path)?))
    }

    /// Returns the analysis of an open document; computes it if the text or the tree has changed.
    ///
    /// `None` if the document is not open, in no root, too large, or of a kind that is not checked. Takes as long as
    /// checking the text, so async threads must not call it.
    pub(super) fn analyze(&self, uri: &str) -> Option<Arc<DocumentAnalysis>> {
        let mut text = self.documents.text(uri)?;
        // Another request may have analyzed this version since.
        self.latest().documents.add_analysis(&mut text);
        let (diagnostics, file) = self.locate(text.path.as_deref()?)?;
        let revision = diagnostics.revision();
        let checker = diagnostics.checker();
        if let Some(before) = &text.last_analysis
            && before.version == text.version
            && Arc::ptr_eq(&before.checker, &checker)
        {
            return Some(Arc::clone(before));
        }
        if text.document.text().len() > MAX_TEXT_BYTES || !diagnostics.wants(&file) || checker.ignores(&file) {
            return None;
        }
        text.document = text.document.at(file);
        // The document may cache results of an older tree.
        text.document.forget();
        let (literals, findings) = checker.analyze_document(&mut text.document);
        let accepted_fix = text.last_analysis.as_ref().and_then(|before| accepted_fix(before, &literals));
        let analysis = Arc::new(text.into_analysis(diagnostics, checker, literals, findings));
        if let Some(target) = accepted_fix {
            self.record_use(&analysis.diagnostics.root().join(target));
        }
        if self.latest().documents.is_current(&analysis) {
            self.store_analysis(&analysis);
            // An update of the tree meanwhile did not know the mentions of this text.
            if !analysis.diagnostics.set_mentions(analysis.document.path(), &analysis.literals, revision) {
                self.mark_dirty(&analysis.uri, DirtyReason::Dependency);
            }
            self.close_document(uri, &analysis.diagnostics.root(), analysis.document.path());
        }
        Some(analysis)
    }

    /// Uses a file's contents on disk again, unless a document with this URI is open.
    pub(super) fn close_document(&self, uri: &str, root: &Path, file: &str) {
        // The usual case, without the lock: an analysis should not wait for an update.
        if self.latest().documents.is_open(uri) {
            return;
        }
        // Checked again under the lock: an update at this moment would adopt the old state.
        let _guard = self.update_lock();
        let state = self.latest();
        if !state.documents.is_open(uri)
            && let Some(diagnostics) = state.root_diagnostics.iter().find(|diagnostics| diagnostics.root() == root)
        {
            diagnostics.close_document(file);
        }
    }

    /// Finds fixes for an analysis while it is current. Returns the analysis with them, or `None` if no new fix was found.
    pub(super) fn find_fixes(&self, analysis: &DocumentAnalysis) -> Option<Arc<DocumentAnalysis>> {
        let findings = findings_within_budget(&*analysis.findings);
        let any = analysis.find_fixes(&findings, &|| self.latest().documents.is_current(analysis));
        any.then(|| self.store_with_fixes(analysis))
    }

    /// Finds the fixes of an analysis while it is current. Returns it with them, and with those that another request found meanwhile.
    pub(super) fn with_fixes(&self, analysis: &DocumentAnalysis) -> Arc<DocumentAnalysis> {
        self.find_fixes(analysis).unwrap_or_else(|| Arc::new(analysis.with_known_fixes()))
    }

    /// Finds fixes for the findings that touch a byte range.
    pub(super) fn find_fixes_within(
        &self,
        analysis: &Arc<DocumentAnalysis>,
        bytes: &Range<usize>,
    ) -> Arc<DocumentAnalysis> {
        let is_within = |finding: &&Finding| finding.range.start <= bytes.end && bytes.start <= finding.range.end;
        let within = findings_within_budget(analysis.findings.iter().filter(is_within));
        analysis.find_fixes(&within, &|| true);
        self.store_with_fixes(analysis)
    }

    fn store_with_fixes(&self, analysis: &DocumentAnalysis) -> Arc<DocumentAnalysis> {
        let with_fixes = Arc::new(analysis.with_known_fixes());
        self.store_analysis(&with_fixes);
        with_fixes
    }

    fn store_analysis(&self, analysis: &Arc<DocumentAnalysis>) {
        let analysis = Arc::clone(analysis);
        self.updates.send(move |state| state.store_analysis(&analysis));
    }
}

impl StateData {
    /// Locks updates of the diagnostics. Callers then read the latest state, and do nothing slow while they hold the lock.
    pub(super) fn update_lock(&self) -> MutexGuard<'_, ()> {
        self.update_lock.lock()
    }

    /// Returns the preferences of a root.
    pub(super) fn preferences_of(&self, root: &Path) -> &Preferences {
        self.root_preferences.get(root).unwrap_or(&self.preferences)
    }

    /// Returns whether a finding in a root is reported.
    pub(super) fn reports(&self, root: &Path, finding: &Finding) -> bool {
        self.preferences_of(root).reports(finding)
    }

    /// Returns the number of reported findings: of open documents as they are in the editor, of other files as on disk.
    pub(super) fn count_broken(&self) -> usize {
        let analyses: Vec<&Arc<DocumentAnalysis>> = self.documents.analyses().collect();
        let open: BTreeSet<(PathBuf, &str)> =
            analyses.iter().map(|it| (it.diagnostics.root(), it.document.path())).collect();
        let count = |root: &Path, findings: &[Finding]| findings.iter().filter(|it| self.reports(root, it)).count();
        let in_editor: usize = analyses.iter().map(|it| count(&it.diagnostics.root(), &it.findings)).sum();
        let on_disk = self.root_diagnostics.iter().map(|diagnostics| {
            let root = diagnostics.root();
            if !self.preferences_of(&root).has_workspace_diagnostics {
                return 0;
            }
            let findings = diagnostics.findings();
            let closed = findings.iter().filter(|(file, _)| !open.contains(&(root.clone(), file.as_str())));
            closed.map(|(_, findings)| count(&root, findings)).sum()
        });
        in_editor + on_disk.sum::<usize>()
    }

    /// Returns whether the server is shutting down.
    pub(super) fn is_ending(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends an event to the publisher; does nothing if the publisher has ended.
    pub(super) fn send(&self, event: PublishEvent) {
        _ = self.events.send(event);
    }

    /// Asks the publisher to analyze a document again.
    pub(super) fn mark_dirty(&self, uri: &Uri, reason: DirtyReason) {
        self.send(PublishEvent::Dirty { uri: uri.clone(), reason });
    }

    /// Changes the status, and sends it to the client if it differs.
    pub(super) fn update_status(&self, change: impl FnOnce(&mut Status) + Send + 'static) {
        self.updates.send(|state: &mut ServerState| state.change_status(change));
    }

    /// Records that a file was opened, edited or chosen. The history breaks ties between equal candidates.
    pub(super) fn record_use(&self, path: &Path) {
        let Ok(snapshot) = self.workspace.current() else { return };
        for (at, opened) in snapshot.opened().iter().enumerate() {
            if let Some(file) = relative(&opened.root.canonical, path) {
                self.workspace.record_use(&snapshot, at, &RelPath::from(file.as_str()));
            }
        }
    }

    /// Returns the recently used paths below a root (canonical path), newest first; uses by agents count too.
    pub(super) fn recently_used_below(&self, root: &Path) -> Vec<String> {
        self.workspace.recent_paths().iter().filter_map(|path| relative(root, Path::new(path))).collect()
    }
}

/// Returns the target of an offered fix that the text now contains: the user has accepted it.
fn accepted_fix(before: &DocumentAnalysis, literals: &[Checked]) -> Option<String> {
    let offered = before.findings.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix)));
    let mut offered = offered.filter(|(finding, fix)| {
        let here = literals.iter().filter(|it| it.range.start == finding.range.start && it.kind == finding.kind);
        here.clone().any(|it| matches!(&it.verdict, Verdict::Found(target) if target.path == fix.path))
    });
    offered.next().map(|(_, fix)| fix.path.clone())
}
