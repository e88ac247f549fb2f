//! `CommandBackend`: answers a command's questions through a shared engine in another process, or through this
//! process's own snapshot.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use pathfinder_core::FindRequest;
use serde_json::value::RawValue;

use super::args::Scope;
use crate::contents;
use crate::find::find;
use crate::share::methods::{ask_find, ask_resolve};
use crate::share::{Endpoint, EngineClient, join};
use crate::snapshot::WorkspaceSnapshot;
use crate::symbols;
use crate::wire::line::{self, NoId};
use crate::wire::request::Defaults;

/// Time limit for reading declarations: a batch waits for all of them, within reason.
const SYMBOLS_TIMEOUT: Duration = Duration::from_mins(1);

/// The source of a command's answers.
pub(super) enum CommandBackend<'a> {
    /// Another process, as long as it answers.
    Remote(Arc<EngineClient>, &'a Scope),
    /// This process, with the trees read.
    Local(Box<WorkspaceSnapshot>),
    /// This process, with the trees and the declarations of their files read.
    LocalWithSymbols(Box<WorkspaceSnapshot>),
}

/// Connects to another process that would answer as this one would. Only for a single root: answers name several
/// roots as given and by position, so each command reads those itself.
pub(super) fn connect(scope: &Scope) -> Option<Arc<EngineClient>> {
    let place = Endpoint::new(&scope.roots, &scope.overrides()).ok().filter(Endpoint::is_single)?;
    join(&place, || ()).inspect_err(|why| tracing::info!(%why, "no shared engine")).ok()
}

impl<'a> CommandBackend<'a> {
    /// Connects to a shared engine, or reads the roots.
    ///
    /// # Errors
    /// If no engine is shared and the roots cannot be used.
    pub(super) fn open(scope: &'a Scope) -> anyhow::Result<Self> {
        match connect(scope) {
            Some(peer) => Ok(Self::Remote(peer, scope)),
            None => Ok(Self::Local(Box::new(open_local(scope)?))),
        }
    }

    /// Connects to a shared engine, or reads the roots with the declarations of their files.
    ///
    /// # Errors
    /// If no engine is shared and the roots cannot be used.
    pub(super) fn open_with_symbols(scope: &'a Scope) -> anyhow::Result<Self> {
        match connect(scope) {
            Some(peer) => Ok(Self::Remote(peer, scope)),
            None => Ok(Self::LocalWithSymbols(Box::new(open_local_with_symbols(scope)?))),
        }
    }

    /// Answers a line of `resolve --batch`.
    ///
    /// # Errors
    /// If the other process is gone and the roots cannot be used.
    pub(super) fn resolve(&mut self, line: &[u8], defaults: Defaults) -> anyhow::Result<Box<RawValue>> {
        if let Self::Remote(peer, scope) = self {
            let asked = std::str::from_utf8(line).ok().and_then(|line| ask_resolve(peer, line, NoId::Null, defaults));
            if let Some(answer) = asked {
                return Ok(answer);
            }
            *self = Self::Local(Box::new(open_local(scope)?));
        }
        line::answer_resolve(self.snapshot()?, line, NoId::Null, defaults).context("cannot write the answer")
    }

    /// Answers a line of `find --batch`.
    ///
    /// # Errors
    /// If the other process is gone and the roots cannot be used.
    pub(super) fn find(&mut self, line: &[u8], defaults: &FindRequest) -> anyhow::Result<Box<RawValue>> {
        if let Self::Remote(peer, scope) = self {
            let asked = std::str::from_utf8(line).ok().and_then(|line| ask_find(peer, line, NoId::Null, defaults));
            if let Some(answer) = asked {
                return Ok(answer);
            }
            *self = Self::LocalWithSymbols(Box::new(open_local_with_symbols(scope)?));
        }
        let workspace = self.snapshot()?;
        line::answer_find(workspace, line, NoId::Null, defaults, |request| find(workspace, request))
            .context("cannot write the answer")
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
    let before = symbols::with_cached(&scope.open()?);
    let workspace = symbols::read(&before, SYMBOLS_TIMEOUT, &|_| true);
    symbols::save_changed(&workspace, &before);
    let workspace = contents::with_subjects(&contents::read(&workspace, SYMBOLS_TIMEOUT));
    workspace.keep();
    Ok(workspace)
}
