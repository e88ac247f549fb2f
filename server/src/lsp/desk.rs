//! `Desk`: what all handlers share: the texts that are open, the roots that are looked after, the client.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use pathfinder_core::RelPath;
use pathfinder_literals::{Checked, Verdict};
use tokio::sync::{mpsc, watch};
use tower_lsp_server::ls_types::Uri;

use super::documents::{Documents, Look, TEXT_MAX};
use super::editor::{Editor, State, Status};
use super::preferences::Preferences;
use super::work::{Why, Work};
use crate::check::{Finding, MAX_FIXED_FINDINGS};
use crate::root_diagnostics::{RootDiagnostics, relative};
use crate::settings::Overrides;
use crate::workspace::Workspace;

/// See the module's text.
pub(super) struct Desk {
    pub(super) editor: Editor,
    pub(super) workspace: Workspace,
    /// Whether the roots were given when the server was started: then the client has no say in them.
    pub(super) fixed: Option<Vec<PathBuf>>,
    /// The settings that it was started with.
    pub(super) flags: Overrides,
    documents: Mutex<Documents>,
    surveys: RwLock<Arc<[Arc<RootDiagnostics>]>>,
    /// Held by who moves surveys on: what one takes in must not be undone by another who began earlier.
    turn: Mutex<()>,
    preferences: RwLock<Preferences>,
    work: mpsc::UnboundedSender<Work>,
    /// Whether it is known by now which roots there are, or that there are none.
    pub(super) known: watch::Sender<bool>,
    /// Whether all files of the first roots were read, so that it is known which of them name a path.
    pub(super) is_surveyed: watch::Sender<bool>,
    /// Goes up whenever anything may be wrong that was not, or the other way round.
    pub(super) news: watch::Sender<u64>,
    /// Whether the client asks for the diagnostics of the whole workspace.
    pub(super) pulls_workspace: AtomicBool,
    status: Mutex<Status>,
    /// What is wrong with settings of the roots.
    pub(super) complaints: Mutex<Vec<String>>,
    /// How many tokens of progress were given out.
    pub(super) tokens: AtomicUsize,
    /// For what is begun by threads that are not part of it.
    pub(super) runtime: tokio::runtime::Handle,
    /// Ends what runs in the background.
    pub(super) stop: Arc<AtomicBool>,
}

impl Desk {
    pub(super) fn new(
        editor: Editor,
        workspace: Workspace,
        fixed: Option<Vec<PathBuf>>,
        flags: Overrides,
        work: mpsc::UnboundedSender<Work>,
    ) -> Self {
        let status = Status {
            state: State::Indexing,
            files: 0,
            broken: 0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            message: None,
        };
        Self {
            editor,
            workspace,
            fixed,
            flags,
            documents: Mutex::default(),
            surveys: RwLock::new(Arc::new([])),
            turn: Mutex::default(),
            preferences: RwLock::default(),
            work,
            known: watch::Sender::new(false),
            is_surveyed: watch::Sender::new(false),
            news: watch::Sender::new(0),
            pulls_workspace: AtomicBool::new(false),
            status: Mutex::new(status),
            complaints: Mutex::default(),
            tokens: AtomicUsize::new(0),
            runtime: tokio::runtime::Handle::current(),
            stop: Arc::default(),
        }
    }

    /// The open texts. Nobody waits for anything while holding them, nor looks into a text.
    pub(super) fn documents(&self) -> MutexGuard<'_, Documents> {
        self.documents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The roots, none inside another.
    pub(super) fn surveys(&self) -> Arc<[Arc<RootDiagnostics>]> {
        Arc::clone(&self.surveys.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The turn to move surveys on. Nothing that takes long is done meanwhile.
    pub(super) fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_surveys(&self, surveys: Vec<Arc<RootDiagnostics>>) {
        *self.surveys.write().unwrap_or_else(PoisonError::into_inner) = surveys.into();
        self.known.send_replace(true);
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
    pub(super) fn give(&self, work: Work) {
        _ = self.work.send(work);
    }

    /// The root that a file is in, and its path there. Links are resolved: clients name files as people opened them.
    pub(super) fn place(&self, path: &Path) -> Option<(Arc<RootDiagnostics>, String)> {
        let surveys = self.surveys();
        let below = |path: &Path| {
            surveys.iter().find_map(|diagnostics| Some((Arc::clone(diagnostics), relative(&diagnostics.root(), path)?)))
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
    pub(super) fn look(&self, uri: &str) -> Option<Arc<Look>> {
        let text = self.documents().text(uri)?;
        let (diagnostics, file) = self.place(text.path.as_deref()?)?;
        let moment = diagnostics.moment();
        let checker = diagnostics.checker();
        if let Some(before) = &text.before
            && before.version == text.version
            && Arc::ptr_eq(&before.checker, &checker)
        {
            return Some(Arc::clone(before));
        }
        if text.document.text().len() > TEXT_MAX || !diagnostics.wants(&file) || checker.ignores(&file) {
            return None;
        }
        let mut text = text;
        text.document = text.document.at(file);
        // The tree may be another one since.
        text.document.forget();
        let (literals, findings) = checker.analyze_document(&mut text.document);
        let chosen = text.before.as_ref().and_then(|before| chosen(before, &literals));
        let look = Arc::new(text.looked(diagnostics, checker, literals, findings));
        if let Some(target) = chosen {
            self.notice(&look.diagnostics.root().join(target));
        }
        if self.documents().keep(&look) {
            // Who has taken in meanwhile what happened did not know what this text mentions.
            if !look.diagnostics.set_mentions(look.document.path(), &look.literals, moment) {
                self.touch(&look.uri, Why::Around);
            }
            self.release(uri, &look.diagnostics.root(), look.document.path());
        }
        Some(look)
    }

    /// Has a file count as it is on disk, unless the text of this URI is open.
    pub(super) fn release(&self, uri: &str, root: &Path, file: &str) {
        let is_open = || self.documents().is_open(uri);
        // Mostly it is: whoever looks at a text does not wait for the turn.
        if is_open() {
            return;
        }
        // Who takes over roots at this moment would not know of it.
        let _turn = self.turn();
        if !is_open()
            && let Some(diagnostics) = self.surveys().iter().find(|diagnostics| diagnostics.root() == root)
        {
            diagnostics.release(file);
        }
    }

    /// Looks for the fixes of what is wrong in a text, for as long as it is the one that is open; the same look with them.
    /// `None` if there are none that were not known.
    pub(super) fn mend(&self, look: &Look) -> Option<Arc<Look>> {
        let worth_it: Vec<&Finding> = look.findings.iter().take(MAX_FIXED_FINDINGS).collect();
        let any = look.mend(&worth_it, &|| self.documents().is_current(look));
        any.then(|| self.keep(look))
    }

    /// The same for what lies within a range of bytes only.
    pub(super) fn mend_within(&self, look: &Arc<Look>, bytes: &Range<usize>) -> Arc<Look> {
        let is_within = |finding: &&Finding| finding.range.start <= bytes.end && bytes.start <= finding.range.end;
        let within: Vec<&Finding> = look.findings.iter().filter(is_within).take(MAX_FIXED_FINDINGS).collect();
        look.mend(&within, &|| true);
        self.keep(look)
    }

    fn keep(&self, look: &Look) -> Arc<Look> {
        let mended = Arc::new(look.mended());
        self.documents().keep(&mended);
        mended
    }

    /// Something was opened, edited or chosen: that is history, which decides between what is otherwise equal.
    pub(super) fn notice(&self, path: &Path) {
        let Ok(snapshot) = self.workspace.current() else { return };
        for (at, opened) in snapshot.opened().iter().enumerate() {
            if let Some(file) = relative(&opened.root.canonical, path) {
                self.workspace.note(&snapshot, at, &RelPath::from(file.as_str()));
            }
        }
    }

    /// What was used last below a root (canonical), by whomever, newest first.
    pub(super) fn used_below(&self, root: &Path) -> Vec<String> {
        self.workspace.last_used().iter().filter_map(|path| relative(root, Path::new(path))).collect()
    }

    /// Changes what is told of the state of things, and tells it.
    pub(super) fn tell(&self, change: impl FnOnce(&mut Status)) {
        let mut status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
        let before = status.clone();
        change(&mut status);
        if *status != before {
            self.give(Work::Status(status.clone()));
        }
    }

    /// The state of things.
    pub(super) fn status(&self) -> Status {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has an open text looked at.
    pub(super) fn touch(&self, uri: &Uri, why: Why) {
        self.give(Work::Touched { uri: uri.clone(), why });
    }

    /// Has all open texts looked at, because what is around them has changed.
    pub(super) fn touch_all(&self) {
        for uri in self.documents().uris() {
            self.touch(&uri, Why::Around);
        }
    }
}

/// The target of a fix that was offered before and that is there now: somebody has chosen it.
fn chosen(before: &Look, literals: &[Checked]) -> Option<String> {
    let offered = before.findings.iter().flat_map(|finding| finding.fixes.iter().map(move |fix| (finding, fix)));
    let mut offered = offered.filter(|(finding, fix)| {
        let here = literals.iter().filter(|it| it.range.start == finding.range.start && it.kind == finding.kind);
        here.clone().any(|it| matches!(&it.verdict, Verdict::Found(target) if target.path == fix.path))
    });
    offered.next().map(|(_, fix)| fix.path.clone())
}
