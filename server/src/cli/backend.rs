//! Who answers a command: a process that has the engine of these roots in memory, or else this one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use pathfinder_core::FindRequest;
use serde_json::value::RawValue;

use super::args::Scope;
use crate::find::find;
use crate::share::methods::{ask_find, ask_resolve};
use crate::share::{Peer, Place, join};
use crate::snapshot::WorkspaceSnapshot;
use crate::symbols;
use crate::wire::line::{self, NoId};
use crate::wire::request::Defaults;

/// Who asks many questions waits for all declarations, but not for ever.
const SYMBOLS_TIMEOUT: Duration = Duration::from_mins(1);

/// See the module's text.
pub(super) enum CommandBackend<'a> {
    /// Another process, as long as it answers.
    Remote(Arc<Peer>, &'a Scope),
    /// This one, with the trees read.
    Local(Box<WorkspaceSnapshot>),
    /// This one, with the trees read and what their files declare.
    LocalWithSymbols(Box<WorkspaceSnapshot>),
}

/// The other process, if there is one that answers as this one would. Several roots are named in answers as they were given, and
/// numbered in that order: those each command reads itself.
pub(super) fn connect(scope: &Scope) -> Option<Arc<Peer>> {
    let place = Place::of(&scope.roots, &scope.overrides()).ok().filter(Place::is_single)?;
    join(&place, || ()).inspect_err(|why| tracing::info!(%why, "asks nobody else")).ok()
}

impl<'a> CommandBackend<'a> {
    /// Looks for who answers.
    ///
    /// # Errors
    /// When there is nobody else and the roots cannot be used.
    pub(super) fn open(scope: &'a Scope) -> anyhow::Result<Self> {
        match connect(scope) {
            Some(peer) => Ok(Self::Remote(peer, scope)),
            None => Ok(Self::Local(Box::new(open_local(scope)?))),
        }
    }

    /// The same for who asks what files declare.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(super) fn open_with_symbols(scope: &'a Scope) -> anyhow::Result<Self> {
        match connect(scope) {
            Some(peer) => Ok(Self::Remote(peer, scope)),
            None => Ok(Self::LocalWithSymbols(Box::new(open_local_with_symbols(scope)?))),
        }
    }

    /// Answers a line of a batch.
    ///
    /// # Errors
    /// When the other process is gone and the roots cannot be used.
    pub(super) fn resolve(&mut self, line: &[u8], defaults: Defaults) -> anyhow::Result<Box<RawValue>> {
        if let Self::Remote(peer, scope) = self {
            let asked = std::str::from_utf8(line).ok().and_then(|line| ask_resolve(peer, line, NoId::Null, defaults));
            if let Some(answer) = asked {
                return Ok(answer);
            }
            *self = Self::Local(Box::new(open_local(scope)?));
        }
        line::resolved(self.snapshot()?, line, NoId::Null, defaults).context("the answer cannot be written")
    }

    /// Answers a line of a batch of `find`.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub(super) fn find(&mut self, line: &[u8], defaults: &FindRequest) -> anyhow::Result<Box<RawValue>> {
        if let Self::Remote(peer, scope) = self {
            let asked = std::str::from_utf8(line).ok().and_then(|line| ask_find(peer, line, NoId::Null, defaults));
            if let Some(answer) = asked {
                return Ok(answer);
            }
            *self = Self::LocalWithSymbols(Box::new(open_local_with_symbols(scope)?));
        }
        let workspace = self.snapshot()?;
        line::found(workspace, line, NoId::Null, defaults, |request| find(workspace, request))
            .context("the answer cannot be written")
    }

    fn snapshot(&self) -> anyhow::Result<&WorkspaceSnapshot> {
        match self {
            Self::Local(workspace) | Self::LocalWithSymbols(workspace) => Ok(workspace),
            Self::Remote(..) => anyhow::bail!("the roots were not read"),
        }
    }
}

fn open_local(scope: &Scope) -> anyhow::Result<WorkspaceSnapshot> {
    let workspace = scope.open()?;
    workspace.keep();
    Ok(workspace)
}

fn open_local_with_symbols(scope: &Scope) -> anyhow::Result<WorkspaceSnapshot> {
    let before = symbols::recall(&scope.open()?);
    let workspace = symbols::read(&before, SYMBOLS_TIMEOUT, &|_| true);
    symbols::keep(&workspace, &before);
    workspace.keep();
    Ok(workspace)
}
