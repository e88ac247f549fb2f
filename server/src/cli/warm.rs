//! Who answers a command: a process that has the engine of these roots in memory, or else this one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use pathfinder_core::FindRequest;
use serde_json::value::RawValue;

use super::args::Scope;
use crate::find::find;
use crate::share::methods::{ask_find, ask_resolve};
use crate::share::{Endpoint, EngineClient, join};
use crate::snapshot::WorkspaceSnapshot;
use crate::symbols;
use crate::wire::line::{self, NoId};
use crate::wire::request::Defaults;

/// Who asks many questions waits for all declarations, but not for ever.
const READ: Duration = Duration::from_mins(1);

/// See the module's text.
pub(super) enum Warm<'a> {
    /// Another process, as long as it answers.
    Host(Arc<EngineClient>, &'a Scope),
    /// This one, with the trees read.
    Own(Box<WorkspaceSnapshot>),
    /// This one, with the trees read and what their files declare.
    Declared(Box<WorkspaceSnapshot>),
}

/// The other process, if there is one that answers as this one would. Several roots are named in answers as they were given, and
/// numbered in that order: those each command reads itself.
pub(super) fn host(scope: &Scope) -> Option<Arc<EngineClient>> {
    let place = Endpoint::new(&scope.roots, &scope.given()).ok().filter(Endpoint::is_single)?;
    join(&place, || ()).inspect_err(|why| tracing::info!(%why, "asks nobody else")).ok()
}

impl<'a> Warm<'a> {
    /// Looks for who answers.
    ///
    /// # Errors
    /// When there is nobody else and the roots cannot be used.
    pub(super) fn of(scope: &'a Scope) -> anyhow::Result<Self> {
        match host(scope) {
            Some(peer) => Ok(Self::Host(peer, scope)),
            None => Ok(Self::Own(Box::new(opened(scope)?))),
        }
    }

    /// The same for who asks what files declare.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub(super) fn declaring(scope: &'a Scope) -> anyhow::Result<Self> {
        match host(scope) {
            Some(peer) => Ok(Self::Host(peer, scope)),
            None => Ok(Self::Declared(Box::new(declared(scope)?))),
        }
    }

    /// Answers a line of a batch.
    ///
    /// # Errors
    /// When the other process is gone and the roots cannot be used.
    pub(super) fn resolve(&mut self, line: &[u8], defaults: Defaults) -> anyhow::Result<Box<RawValue>> {
        if let Self::Host(peer, scope) = self {
            let asked = std::str::from_utf8(line).ok().and_then(|line| ask_resolve(peer, line, NoId::Null, defaults));
            if let Some(answer) = asked {
                return Ok(answer);
            }
            *self = Self::Own(Box::new(opened(scope)?));
        }
        line::answer_resolve(self.snapshot()?, line, NoId::Null, defaults).context("the answer cannot be written")
    }

    /// Answers a line of a batch of `find`.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub(super) fn find(&mut self, line: &[u8], defaults: &FindRequest) -> anyhow::Result<Box<RawValue>> {
        if let Self::Host(peer, scope) = self {
            let asked = std::str::from_utf8(line).ok().and_then(|line| ask_find(peer, line, NoId::Null, defaults));
            if let Some(answer) = asked {
                return Ok(answer);
            }
            *self = Self::Declared(Box::new(declared(scope)?));
        }
        let workspace = self.snapshot()?;
        line::answer_find(workspace, line, NoId::Null, defaults, |request| find(workspace, request))
            .context("the answer cannot be written")
    }

    fn snapshot(&self) -> anyhow::Result<&WorkspaceSnapshot> {
        match self {
            Self::Own(workspace) | Self::Declared(workspace) => Ok(workspace),
            Self::Host(..) => anyhow::bail!("the roots were not read"),
        }
    }
}

fn opened(scope: &Scope) -> anyhow::Result<WorkspaceSnapshot> {
    let workspace = scope.open()?;
    workspace.keep();
    Ok(workspace)
}

fn declared(scope: &Scope) -> anyhow::Result<WorkspaceSnapshot> {
    let before = symbols::with_cached(&scope.open()?);
    let workspace = symbols::read(&before, READ, &|_| true);
    symbols::save_changed(&workspace, &before);
    workspace.keep();
    Ok(workspace)
}
