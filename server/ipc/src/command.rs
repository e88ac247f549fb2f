//! `CommandEngine`: the engine of a process that asks a few questions and ends: the leader's as long as it answers, then its own.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::PathBuf;
use std::sync::Arc;

use super::backend::{Backend, BackendError, LocalEngine};
use super::client::EngineClient;
use super::endpoint::Endpoint;
use super::join::join;
use super::question::{
    EngineError, EngineReply, EngineRequest, FindQuestion, Found, ResolveQuestion, Resolved, SuggestQuestion,
};
use crate::suggestion::suggest;
use pathfinder_project::find::{find, find_once};
use pathfinder_project::settings::Overrides;
use pathfinder_project::snapshot::{SnapshotError, WorkspaceSnapshot};
use pathfinder_protocol::paths::RootName;

/// The engine of a command or a hook. Its own engine is opened only if it is needed.
pub struct CommandEngine<'a> {
    roots: &'a [PathBuf],
    flags: Overrides,
    is_hook: bool,
    client: OnceCell<Option<Arc<EngineClient>>>,
    /// True after the leader left a question unanswered.
    is_leader_lost: Cell<bool>,
    own: OnceCell<SnapshotEngine>,
    open: Box<dyn Fn() -> Result<SnapshotEngine, SnapshotError> + 'a>,
}

/// The engine of this process: a snapshot of the roots. Answers what commands and hooks ask.
pub struct SnapshotEngine {
    snapshot: WorkspaceSnapshot,
    /// True if the snapshot has all declarations.
    has_symbols: bool,
    /// Stores the declarations that a question has read.
    keep_symbols: RefCell<Option<Box<dyn FnOnce()>>>,
}

impl<'a> CommandEngine<'a> {
    /// Creates the engine of a command; `open` opens its own.
    ///
    /// A leader is asked only about a single root: answers name several roots as given and by position.
    pub fn for_command(
        roots: &'a [PathBuf],
        flags: Overrides,
        open: impl Fn() -> Result<SnapshotEngine, SnapshotError> + 'a,
    ) -> Self {
        Self {
            roots,
            flags,
            is_hook: false,
            client: OnceCell::new(),
            is_leader_lost: Cell::new(false),
            own: OnceCell::new(),
            open: Box::new(open),
        }
    }

    /// Creates the engine of a hook; `open` opens its own.
    pub fn for_hook(
        roots: &'a [PathBuf],
        flags: Overrides,
        open: impl Fn() -> Result<SnapshotEngine, SnapshotError> + 'a,
    ) -> Self {
        Self { is_hook: true, ..Self::for_command(roots, flags, open) }
    }

    /// Connects to a leader, or opens the own engine.
    ///
    /// # Errors
    /// If there is no leader and the roots cannot be used.
    pub fn prepare(&self) -> Result<(), SnapshotError> {
        if self.leader().is_some() { Ok(()) } else { self.own().map(drop) }
    }

    /// Asks a question. Only the own engine gives explanations.
    ///
    /// # Errors
    /// If no leader answers and the roots cannot be used.
    pub fn ask<T>(
        &self,
        explain: bool,
        question: impl Fn(Backend<'_>) -> Result<T, BackendError>,
    ) -> Result<Result<T, EngineError>, SnapshotError> {
        if !explain && let Some(client) = self.leader() {
            match question(Backend::Remote(client)) {
                Ok(answer) => return Ok(Ok(answer)),
                Err(BackendError::Engine(error)) if !error.may_be_answered_elsewhere() => return Ok(Err(error)),
                Err(_) => self.is_leader_lost.set(true),
            }
        }
        Ok(question(Backend::Local(self.own()?)).map_err(|error| match error {
            BackendError::Engine(error) => error,
            BackendError::Lost(lost) => EngineError::unanswered(lost.to_string()),
        }))
    }

    /// Returns the own engine, if it has answered.
    pub fn opened(&self) -> Option<&SnapshotEngine> {
        self.own.get()
    }

    fn leader(&self) -> Option<&EngineClient> {
        let client = self.client.get_or_init(|| {
            let endpoint = Endpoint::new(self.roots, &self.flags);
            if self.is_hook {
                let joined = endpoint.and_then(|endpoint| join(&endpoint, None, None));
                return joined.inspect_err(|error| tracing::debug!(%error, "uses no shared engine")).ok();
            }
            let joined = join(&endpoint.ok().filter(Endpoint::is_single)?, None, None);
            joined.inspect_err(|error| tracing::info!(%error, "no shared engine")).ok()
        });
        client.as_deref().filter(|_| !self.is_leader_lost.get())
    }

    fn own(&self) -> Result<&SnapshotEngine, SnapshotError> {
        if let Some(own) = self.own.get() {
            return Ok(own);
        }
        let own = (self.open)()?;
        Ok(self.own.get_or_init(|| own))
    }
}

impl SnapshotEngine {
    /// Creates an engine that reads declarations for a single question.
    pub fn new(snapshot: WorkspaceSnapshot) -> Self {
        Self { snapshot, has_symbols: false, keep_symbols: RefCell::default() }
    }

    /// Creates an engine whose snapshot has all declarations.
    pub fn with_symbols(snapshot: WorkspaceSnapshot) -> Self {
        Self { has_symbols: true, ..Self::new(snapshot) }
    }

    /// Stores what was read. Called after the answer is printed.
    pub fn keep(&self) {
        self.snapshot.keep();
        if let Some(keep) = self.keep_symbols.take() {
            keep();
        }
    }

    /// Returns whether there is git history that is not read yet.
    pub fn has_pending_history(&self) -> bool {
        self.snapshot.has_pending_history()
    }

    fn resolve(&self, question: &ResolveQuestion) -> Result<Resolved, EngineError> {
        let (answer, timing) = self.snapshot.ask(&question.request);
        Ok(Resolved { answer: answer?, timing, roots: RootName::list(&self.snapshot), directory: None })
    }

    fn find(&self, question: &FindQuestion) -> Result<Found, EngineError> {
        let found = if self.has_symbols {
            find(&self.snapshot, &question.request)
        } else {
            let (found, keep) = find_once(&self.snapshot, &question.request);
            self.keep_symbols.replace(Some(Box::new(keep)));
            found
        };
        Ok(Found { answer: found.answer?, took: found.took, roots: RootName::list(&self.snapshot) })
    }
}

impl LocalEngine for SnapshotEngine {
    fn answer(&self, question: EngineRequest) -> EngineReply {
        let reply = match question {
            EngineRequest::Resolve(question) => self.resolve(&question).map(|it| EngineReply::Resolved(Box::new(it))),
            EngineRequest::Find(question) => self.find(&question).map(|it| EngineReply::Found(Box::new(it))),
            EngineRequest::Suggest(question) => {
                let SuggestQuestion { directory, request } = *question;
                Ok(EngineReply::Suggested(Box::new(suggest(&self.snapshot, &directory, &request))))
            }
            EngineRequest::Retry(_)
            | EngineRequest::Complete(_)
            | EngineRequest::ReadResource(_)
            | EngineRequest::SummarizeDirectory(_)
            | EngineRequest::Roots
            | EngineRequest::Reindex => Err(EngineError::unanswered("only a server answers this")),
        };
        reply.unwrap_or_else(EngineReply::Failed)
    }
}
