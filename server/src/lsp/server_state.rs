//! `Desk`: what all handlers share: the texts that are open, the roots that are looked after, the client.

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
use crate::check::{Finding, MENDED};
use crate::root_diagnostics::{RootDiagnostics, relative};
use crate::settings::Overrides;
use crate::workspace::Workspace;

/// See the module's text.
pub(super) struct ServerState {
    pub(super) editor: Editor,
    pub(super) workspace: Workspace,
    /// Whether the roots were given when the server was started: then the client has no say in them.
    pub(super) cli_roots: Option<Vec<PathBuf>>,
    /// The settings that it was started with.
    pub(super) flags: Overrides,
    documents: Mutex<Documents>,
    root_diagnostics: RwLock<Arc<[Arc<RootDiagnostics>]>>,
    /// Held by who moves surveys on: what one takes in must not be undone by another who began earlier.
    update_lock: Mutex<()>,
    preferences: RwLock<Preferences>,
    events: mpsc::UnboundedSender<PublishEvent>,
    /// Whether it is known by now which roots there are, or that there are none.
    pub(super) has_known_roots: watch::Sender<bool>,
    /// Whether all files of the first roots were read, so that it is known which of them name a path.
    pub(super) has_checked_all: watch::Sender<bool>,
    /// Goes up whenever anything may be wrong that was not, or the other way round.
    pub(super) diagnostics_revision: watch::Sender<u64>,
    /// Whether the client asks for the diagnostics of the whole workspace.
    pub(super) has_pulled_workspace: AtomicBool,
    status: Mutex<Status>,
    /// What is wrong with settings of the roots.
    pub(super) settings_errors: Mutex<Vec<String>>,
    /// How many tokens of progress were given out.
    pub(super) next_progress_token: AtomicUsize,
    /// For what is begun by threads that are not part of it.
    pub(super) runtime: tokio::runtime::Handle,
    /// Ends what runs in the background.
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

    /// The open texts. Nobody waits for anything while holding them, nor looks into a text.
    pub(super) fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The roots, none inside another.
    pub(super) fn root_diagnostics(&self) -> Arc<[Arc<RootDiagnostics>]> {
        Arc::clone(&self.root_diagnostics.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The turn to move surveys on. Nothing that takes long is done meanwhile.
    pub(super) fn update_lock(&self) -> MutexGuard<'_, ()> {
        self.update_lock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_root_diagnostics(&self, all_diagnostics: Vec<Arc<RootDiagnostics>>) {
        *self.root_diagnostics.write().unwrap_or_else(PoisonError::into_inner) = all_diagnostics.into();
        self.has_known_roots.send_replace(true);
    }

    pub(super) fn preferences(&self) -> Preferences {
        self.preferences.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_preferences(&self, preferences: Preferences) {
        *self.preferences.write().unwrap_or_else(PoisonError::into_inner) = preferences;
    }

    /// Whether it was told to end.
    pub(super) fn is_ending(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Gives work to the publisher. It may be gone at the very end.
    pub(super) fn send(&self, event: PublishEvent) {
        _ = self.events.send(event);
    }

    /// The root that a file is in, and its path there. Links are resolved: clients name files as people opened them.
    pub(super) fn locate(&self, path: &Path) -> Option<(Arc<RootDiagnostics>, String)> {
        let all_diagnostics = self.root_diagnostics();
        let below = |path: &Path| {
            all_diagnostics
                .iter()
                .find_map(|diagnostics| Some((Arc::clone(diagnostics), relative(&diagnostics.root(), path)?)))
        };
        below(path).or_else(|| {
            // What is not there yet has a directory that is.
            let parent = path.parent()?;
            let real = dunce::canonicalize(path)
                .ok()
                .or_else(|| Some(dunce::canonicalize(parent).ok()?.join(path.file_name()?)))?;
            below(&real)
        })
    }

    /// What is in an open text as it is now; looked at anew if it has changed. `None` if it is not open, in no root, or
    /// nothing that is looked into. Takes as long as a check of the text: not for threads that others wait for.
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
        // The tree may be another one since.
        text.document.forget();
        let (literals, findings) = checker.look_at(&mut text.document);
        let accepted_fix = text.last_analysis.as_ref().and_then(|before| accepted_fix(before, &literals));
        let analysis = Arc::new(text.into_analysis(diagnostics, checker, literals, findings));
        if let Some(target) = accepted_fix {
            self.record_use(&analysis.diagnostics.root().join(target));
        }
        if self.documents().store_analysis(&analysis) {
            // Who has taken in meanwhile what happened did not know what this text mentions.
            if !analysis.diagnostics.set_mentions(analysis.document.path(), &analysis.literals, revision) {
                self.mark_dirty(&analysis.uri, DirtyReason::Dependency);
            }
            self.close_document(uri, &analysis.diagnostics.root(), analysis.document.path());
        }
        Some(analysis)
    }

    /// Has a file count as it is on disk, unless the text of this URI is open.
    pub(super) fn close_document(&self, uri: &str, root: &Path, file: &str) {
        let is_open = || self.documents().is_open(uri);
        // Mostly it is: whoever looks at a text does not wait for the turn.
        if is_open() {
            return;
        }
        // Who takes over roots at this moment would not know of it.
        let _guard = self.update_lock();
        if !is_open()
            && let Some(diagnostics) = self.root_diagnostics().iter().find(|diagnostics| diagnostics.root() == root)
        {
            diagnostics.close_document(file);
        }
    }

    /// Looks for the fixes of what is wrong in a text, for as long as it is the one that is open; the same look with them.
    /// `None` if there are none that were not known.
    pub(super) fn find_fixes(&self, analysis: &DocumentAnalysis) -> Option<Arc<DocumentAnalysis>> {
        let findings: Vec<&Finding> = analysis.findings.iter().take(MENDED).collect();
        let any = analysis.find_fixes(&findings, &|| self.documents().is_current(analysis));
        any.then(|| self.store(analysis))
    }

    /// The same for what lies within a range of bytes only.
    pub(super) fn find_fixes_within(
        &self,
        analysis: &Arc<DocumentAnalysis>,
        bytes: &Range<usize>,
    ) -> Arc<DocumentAnalysis> {
        let is_within = |finding: &&Finding| finding.range.start <= bytes.end && bytes.start <= finding.range.end;
        let within: Vec<&Finding> = analysis.findings.iter().filter(is_within).take(MENDED).collect();
        analysis.find_fixes(&within, &|| true);
        self.store(analysis)
    }

    fn store(&self, analysis: &DocumentAnalysis) -> Arc<DocumentAnalysis> {
        let with_fixes = Arc::new(analysis.with_known_fixes());
        self.documents().store_analysis(&with_fixes);
        with_fixes
    }

    /// Something was opened, edited or chosen: that is history, which decides between what is otherwise equal.
    pub(super) fn record_use(&self, path: &Path) {
        let Ok(snapshot) = self.workspace.current() else { return };
        for (at, opened) in snapshot.opened().iter().enumerate() {
            if let Some(file) = relative(&opened.root.canonical, path) {
                self.workspace.record_use(&snapshot, at, &RelPath::from(file.as_str()));
            }
        }
    }

    /// What was used last below a root (canonical), by whomever, newest first.
    pub(super) fn recently_used_below(&self, root: &Path) -> Vec<String> {
        self.workspace.recent_paths().iter().filter_map(|path| relative(root, Path::new(path))).collect()
    }

    /// Changes what is told of the state of things, and tells it.
    pub(super) fn update_status(&self, change: impl FnOnce(&mut Status)) {
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        let before = status.clone();
        change(&mut status);
        if *status != before {
            self.send(PublishEvent::Status(status.clone()));
        }
    }

    /// The state of things.
    pub(super) fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has an open text looked at.
    pub(super) fn mark_dirty(&self, uri: &Uri, reason: DirtyReason) {
        self.send(PublishEvent::Dirty { uri: uri.clone(), reason });
    }

    /// Has all open texts looked at, because what is around them has changed.
    pub(super) fn mark_all_dirty(&self) {
        for uri in self.documents().uris() {
            self.mark_dirty(&uri, DirtyReason::Dependency);
        }
    }
}

/// The target of a fix that was offered before and that is there now: somebody has chosen it.
fn accepted_fix(before: &DocumentAnalysis, literals: &[Checked]) -> Option<String> {
    let offered = before.findings.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix)));
    let mut offered = offered.filter(|(finding, fix)| {
        let here = literals.iter().filter(|it| it.range.start == finding.range.start && it.kind == finding.kind);
        here.clone().any(|it| matches!(&it.verdict, Verdict::Found(target) if target.path == fix.path))
    });
    offered.next().map(|(_, fix)| fix.path.clone())
}
