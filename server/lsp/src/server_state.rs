//! State that all LSP handlers share: open documents, the diagnostics of the roots, preferences and the client.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pathfinder_core::RelPath;
use pathfinder_literals::{Checked, Verdict};
use tokio::sync::{mpsc, watch};
use tower_lsp_server::ls_types::Uri;

use super::documents::{DocumentAnalysis, Documents, MAX_TEXT_BYTES};
use super::editor::{Editor, ServerPhase, Status};
use super::preferences::Preferences;
use super::publisher::{DirtyReason, PublishEvent};
use pathfinder_check::root_diagnostics::{RootDiagnostics, relative};
use pathfinder_check::{Finding, MAX_FIXED_FINDINGS};
use pathfinder_project::settings::Overrides;
use pathfinder_project::workspace::Workspace;

/// The server's shared state. Each part has its own lock; `update_lock` is taken before the others.
pub(super) struct ServerState {
    /// The client.
    pub(super) editor: Editor,
    /// The open roots.
    pub(super) workspace: Workspace,
    /// Roots from the command line; if present, the client cannot change the roots.
    pub(super) cli_roots: Option<Vec<PathBuf>>,
    /// Settings from the command line.
    pub(super) flags: Overrides,
    documents: Mutex<Documents>,
    root_diagnostics: RwLock<Arc<[Arc<RootDiagnostics>]>>,
    /// Held while a root's diagnostics move to another snapshot, so that no update overwrites a later one.
    update_lock: Mutex<()>,
    preferences: RwLock<Preferences>,
    events: mpsc::UnboundedSender<PublishEvent>,
    /// True once the roots are known, or it is known that there are none.
    pub(super) has_known_roots: watch::Sender<bool>,
    /// True once all files of the first roots were checked, so that the files that mention a path are known.
    pub(super) has_checked_all: watch::Sender<bool>,
    /// Increases whenever diagnostics may have changed; long-polling requests wait for it.
    pub(super) diagnostics_revision: watch::Sender<u64>,
    /// True once the client has pulled workspace diagnostics.
    pub(super) has_pulled_workspace: AtomicBool,
    status: Mutex<Status>,
    /// Errors in the settings of the roots that were already shown.
    pub(super) settings_errors: Mutex<Vec<String>>,
    /// The number in the next progress token.
    pub(super) next_progress_token: AtomicUsize,
    /// The runtime, for threads that are not part of it.
    pub(super) runtime: tokio::runtime::Handle,
    /// Ends background work when set.
    pub(super) stop: Arc<AtomicBool>,
}

impl ServerState {
    pub(super) fn new(
        editor: Editor,
        workspace: Workspace,
        cli_roots: Option<Vec<PathBuf>>,
        flags: Overrides,
        events: mpsc::UnboundedSender<PublishEvent>,
    ) -> Self {
        let status = Status {
            state: ServerPhase::Indexing,
            files: 0,
            broken: 0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            message: None,
        };
        Self {
            editor,
            workspace,
            cli_roots,
            flags,
            documents: Mutex::default(),
            root_diagnostics: RwLock::new(Arc::new([])),
            update_lock: Mutex::default(),
            preferences: RwLock::default(),
            events,
            has_known_roots: watch::Sender::new(false),
            has_checked_all: watch::Sender::new(false),
            diagnostics_revision: watch::Sender::new(0),
            has_pulled_workspace: AtomicBool::new(false),
            status: Mutex::new(status),
            settings_errors: Mutex::default(),
            next_progress_token: AtomicUsize::new(0),
            runtime: tokio::runtime::Handle::current(),
            stop: Arc::default(),
        }
    }

    /// Locks the open documents. Callers neither wait nor analyze while they hold the lock.
    pub(super) fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the diagnostics of each root; no root lies inside another.
    pub(super) fn root_diagnostics(&self) -> Arc<[Arc<RootDiagnostics>]> {
        Arc::clone(&self.root_diagnostics.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Locks updates of the diagnostics. Callers do nothing slow while they hold the lock.
    pub(super) fn update_lock(&self) -> MutexGuard<'_, ()> {
        self.update_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the diagnostics of all roots. Called under the update lock.
    pub(super) fn set_root_diagnostics(&self, all_diagnostics: Vec<Arc<RootDiagnostics>>) {
        *self.root_diagnostics.write().unwrap_or_else(PoisonError::into_inner) = all_diagnostics.into();
        self.has_known_roots.send_replace(true);
    }

    /// Returns the user's preferences.
    pub(super) fn preferences(&self) -> Preferences {
        self.preferences.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the user's preferences.
    pub(super) fn set_preferences(&self, preferences: Preferences) {
        *self.preferences.write().unwrap_or_else(PoisonError::into_inner) = preferences;
    }

    /// Returns whether the server is shutting down.
    pub(super) fn is_ending(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sends an event to the publisher; does nothing if the publisher has ended.
    pub(super) fn send(&self, event: PublishEvent) {
        _ = self.events.send(event);
    }

    /// Returns the root that a file lies in and its path there. Resolves symbolic links, since clients use the path that
    /// the user opened.
    pub(super) fn locate(&self, path: &Path) -> Option<(Arc<RootDiagnostics>, String)> {
        let all_diagnostics = self.root_diagnostics();
        let below = |path: &Path| {
            all_diagnostics
                .iter()
                .find_map(|diagnostics| Some((Arc::clone(diagnostics), relative(&diagnostics.root(), path)?)))
        };
        below(path).or_else(|| {
            // A path that does not exist yet has a parent directory that does.
            let parent = path.parent()?;
            let real = dunce::canonicalize(path)
                .ok()
                .or_else(|| Some(dunce::canonicalize(parent).ok()?.join(path.file_name()?)))?;
            below(&real)
        })
    }

    /// Returns the analysis of an open document; computes it if the text or the tree has changed.
    ///
    /// `None` if the document is not open, in no root, too large, or of a kind that is not checked. Takes as long as
    /// checking the text, so async threads must not call it.
    pub(super) fn analyze(&self, uri: &str) -> Option<Arc<DocumentAnalysis>> {
        let text = self.documents().text(uri)?;
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
        let mut text = text;
        text.document = text.document.at(file);
        // The document may cache results of an older tree.
        text.document.forget();
        let (literals, findings) = checker.analyze_document(&mut text.document);
        let accepted_fix = text.last_analysis.as_ref().and_then(|before| accepted_fix(before, &literals));
        let analysis = Arc::new(text.into_analysis(diagnostics, checker, literals, findings));
        if let Some(target) = accepted_fix {
            self.record_use(&analysis.diagnostics.root().join(target));
        }
        if self.documents().store_analysis(&analysis) {
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
        let is_open = || self.documents().is_open(uri);
        // The usual case, without the lock: an analysis should not wait for an update.
        if is_open() {
            return;
        }
        // Checked again under the lock: an update at this moment would adopt the old state.
        let _guard = self.update_lock();
        if !is_open()
            && let Some(diagnostics) = self.root_diagnostics().iter().find(|diagnostics| diagnostics.root() == root)
        {
            diagnostics.close_document(file);
        }
    }

    /// Finds fixes for an analysis while it is current. Returns the analysis with them, or `None` if no new fix was found.
    pub(super) fn find_fixes(&self, analysis: &DocumentAnalysis) -> Option<Arc<DocumentAnalysis>> {
        let findings: Vec<&Finding> = analysis.findings.iter().take(MAX_FIXED_FINDINGS).collect();
        let any = analysis.find_fixes(&findings, &|| self.documents().is_current(analysis));
        any.then(|| self.store(analysis))
    }

    /// Finds fixes for the findings that touch a byte range.
    pub(super) fn find_fixes_within(
        &self,
        analysis: &Arc<DocumentAnalysis>,
        bytes: &Range<usize>,
    ) -> Arc<DocumentAnalysis> {
        let is_within = |finding: &&Finding| finding.range.start <= bytes.end && bytes.start <= finding.range.end;
        let within: Vec<&Finding> = analysis.findings.iter().filter(is_within).take(MAX_FIXED_FINDINGS).collect();
        analysis.find_fixes(&within, &|| true);
        self.store(analysis)
    }

    fn store(&self, analysis: &DocumentAnalysis) -> Arc<DocumentAnalysis> {
        let with_fixes = Arc::new(analysis.with_known_fixes());
        self.documents().store_analysis(&with_fixes);
        with_fixes
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

    /// Changes the status, and sends it to the client if it differs.
    pub(super) fn update_status(&self, change: impl FnOnce(&mut Status)) {
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        let before = status.clone();
        change(&mut status);
        if *status != before {
            self.send(PublishEvent::Status(status.clone()));
        }
    }

    /// Returns the current status.
    pub(super) fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the publisher to analyze a document again.
    pub(super) fn mark_dirty(&self, uri: &Uri, reason: DirtyReason) {
        self.send(PublishEvent::Dirty { uri: uri.clone(), reason });
    }

    /// Asks the publisher to analyze all open documents again, because the tree has changed.
    pub(super) fn mark_all_dirty(&self) {
        for uri in self.documents().uris() {
            self.mark_dirty(&uri, DirtyReason::Dependency);
        }
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
