//! State of the server, owned by the main loop. Everything else reads immutable [`ServerSnapshot`]s of it, and sends changes
//! to the main loop as [`Updates`].

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::{mpsc, oneshot, watch};
use tower_lsp_server::ls_types::Uri;

use super::client_capabilities::ClientCapabilities;
use super::documents::{DocumentAnalysis, Documents};
use super::editor::{Editor, ServerPhase, Status};
use super::preferences::Preferences;
use super::publish_event::{DirtyReason, PublishEvent};
use super::server_snapshot::{RootList, ServerSnapshot, StateData};
use pathfinder_project::settings::Overrides;
use pathfinder_project::workspace::Workspace;

/// A change of the state.
pub(super) type Update = Box<dyn FnOnce(&mut ServerState) + Send>;

/// Sends changes of the state to the main loop, which runs them in the order in which they are sent.
#[derive(Clone)]
pub(super) struct Updates(mpsc::UnboundedSender<Update>);

impl Updates {
    /// Creates the channel of the main loop.
    pub(super) fn channel() -> (Self, mpsc::UnboundedReceiver<Update>) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (Self(sender), receiver)
    }

    /// Sends a change; does nothing if the main loop has ended.
    pub(super) fn send(&self, update: impl FnOnce(&mut ServerState) + Send + 'static) {
        _ = self.0.send(Box::new(update));
    }

    /// Waits until all changes so far are applied, or the main loop has ended. Async threads must not call it.
    pub(super) fn wait(&self) {
        let (sender, receiver) = oneshot::channel();
        self.send(|_| _ = sender.send(()));
        _ = receiver.blocking_recv();
    }
}

/// The server's state. Each change of it is published at once, so that every event that is sent after a change finds it.
pub(super) struct ServerState {
    snapshot: ServerSnapshot,
    published: watch::Sender<Arc<StateData>>,
    /// Roots from the command line; if present, the client cannot change the roots.
    pub(super) cli_roots: Option<Vec<PathBuf>>,
    /// Settings from the command line.
    pub(super) flags: Overrides,
    /// True once `initialize` was handled: its capabilities count from then on.
    pub(super) is_initialized: bool,
}

impl Deref for ServerState {
    type Target = ServerSnapshot;

    fn deref(&self) -> &ServerSnapshot {
        &self.snapshot
    }
}

impl ServerState {
    /// Creates the state of a server without roots. `diagnostics_revision` is the publisher's.
    pub(super) fn new(
        editor: Editor,
        cli_roots: Option<Vec<PathBuf>>,
        flags: Overrides,
        updates: Updates,
        events: mpsc::UnboundedSender<PublishEvent>,
        diagnostics_revision: watch::Receiver<u64>,
    ) -> Self {
        let status = Status {
            state: ServerPhase::Indexing,
            files: 0,
            broken: 0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            message: None,
        };
        let data = Arc::new(StateData {
            editor,
            workspace: Workspace::new(flags.clone()),
            documents: Arc::default(),
            root_diagnostics: RootList::default(),
            preferences: Preferences::default(),
            root_preferences: Arc::default(),
            status,
            folder_aliases: Arc::default(),
            has_known_roots: false,
            has_checked_all: false,
            has_pulled_workspace: false,
            has_reported_clean: Arc::default(),
            diagnostics_revision,
            updates,
            events,
            update_lock: Arc::default(),
            stop: Arc::new(AtomicBool::new(false)),
        });
        let (published, latest) = watch::channel(Arc::clone(&data));
        let snapshot = ServerSnapshot::new(data, latest);
        Self { snapshot, published, cli_roots, flags, is_initialized: false }
    }

    /// Returns the state as it is now, for work beside the main loop.
    pub(super) fn snapshot(&self) -> ServerSnapshot {
        self.snapshot.clone()
    }

    /// Changes the data of the snapshots to come.
    pub(super) fn modify<T>(&mut self, change: impl FnOnce(&mut StateData) -> T) -> T {
        let mut data = StateData::clone(&self.snapshot);
        let result = change(&mut data);
        let data = Arc::new(data);
        self.published.send_replace(Arc::clone(&data));
        self.snapshot.replace_data(data);
        result
    }

    /// Changes the open documents.
    pub(super) fn modify_documents<T>(&mut self, change: impl FnOnce(&mut Documents) -> T) -> T {
        self.modify(|data| change(Arc::make_mut(&mut data.documents)))
    }

    /// Sets the client's capabilities, until `initialize` was handled.
    pub(super) fn set_capabilities(&mut self, capabilities: ClientCapabilities) {
        if !self.is_initialized {
            self.modify(|data| data.editor.set_capabilities(capabilities));
        }
    }

    /// Replaces the diagnostics of all roots.
    pub(super) fn set_root_diagnostics(&mut self, root_diagnostics: RootList) {
        self.modify(|data| (data.root_diagnostics, data.has_known_roots) = (root_diagnostics, true));
    }

    /// Changes the status, and sends it to the client if it differs.
    pub(super) fn change_status(&mut self, change: impl FnOnce(&mut Status)) {
        let mut status = self.status.clone();
        change(&mut status);
        if status != self.status {
            self.modify(|data| data.status.clone_from(&status));
            self.send(PublishEvent::Status(status));
        }
    }

    /// Stores an analysis if the text has not changed since.
    pub(super) fn store_analysis(&mut self, analysis: &Arc<DocumentAnalysis>) {
        let before = self.documents.analyses().find(|it| it.uri == analysis.uri).map(|it| it.findings.len());
        self.modify_documents(|documents| documents.store_analysis(analysis));
        // Counting looks at all files with findings, so that it waits for a change.
        if self.status.state == ServerPhase::Ready && before != Some(analysis.findings.len()) {
            let broken = self.count_broken();
            self.change_status(|status| status.broken = broken);
        }
    }

    /// Asks the publisher to analyze a document again.
    pub(super) fn mark_dirty(&self, uri: &Uri, reason: DirtyReason) {
        self.send(PublishEvent::Dirty { uri: uri.clone(), reason });
    }

    /// Asks the publisher to analyze all open documents again, because the tree has changed.
    pub(super) fn mark_all_dirty(&self) {
        for uri in self.documents.uris() {
            self.mark_dirty(&uri, DirtyReason::Dependency);
        }
    }
}
