//! `Backend`: the engine that answers a question, with a method for each kind of question.

use super::client::{EngineClient, LeaderLost};
use super::question::{
    Completion, CompletionQuestion, DirectorySummary, EngineError, EngineReply, EngineRequest, ExistingDirectory,
    FindQuestion, Found, ReindexCounts, ResolveQuestion, Resolved, ResourceAnswer, ResourceQuestion, Retried,
    RetryQuestion, RootStatus, SuggestQuestion,
};
use crate::suggestion::Suggestion;

/// The engine that answers a question.
#[derive(Clone, Copy)]
pub enum Backend<'a> {
    /// This process.
    Local(&'a dyn LocalEngine),
    /// The leader, another process.
    Remote(&'a EngineClient),
}

/// The engine of this process.
pub trait LocalEngine {
    /// Answers a question. Blocks.
    fn answer(&self, question: EngineRequest) -> EngineReply;
}

/// Reason for a question without an answer.
#[derive(Debug, thiserror::Error)]
pub enum BackendError {
    /// The engine has no answer.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The leader is lost, and the question must go to another backend.
    #[error(transparent)]
    Lost(#[from] LeaderLost),
}

impl Backend<'_> {
    /// Returns the process id of the leader; `None` for this process.
    pub fn leader_pid(self) -> Option<u32> {
        match self {
            Self::Local(_) => None,
            Self::Remote(client) => Some(client.leader_info().pid),
        }
    }

    /// Returns the right path for a wrong one.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn resolve(self, question: &ResolveQuestion) -> Result<Resolved, BackendError> {
        match self.ask(EngineRequest::Resolve(Box::new(question.clone())))? {
            EngineReply::Resolved(resolved) => Ok(*resolved),
            other => Err(unexpected(other)),
        }
    }

    /// Returns files for a query.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn find(self, question: &FindQuestion) -> Result<Found, BackendError> {
        match self.ask(EngineRequest::Find(question.clone()))? {
            EngineReply::Found(found) => Ok(*found),
            other => Err(unexpected(other)),
        }
    }

    /// Reads, lists or stats an entry under its right path.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn retry(self, question: &RetryQuestion) -> Result<Retried, BackendError> {
        match self.ask(EngineRequest::Retry(Box::new(question.clone())))? {
            EngineReply::Retried(retried) => Ok(*retried),
            other => Err(unexpected(other)),
        }
    }

    /// Returns the suggestion for a path of an agent's call.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn suggest(self, question: &SuggestQuestion) -> Result<Suggestion, BackendError> {
        match self.ask(EngineRequest::Suggest(Box::new(question.clone())))? {
            EngineReply::Suggested(suggestion) => Ok(*suggestion),
            other => Err(unexpected(other)),
        }
    }

    /// Completes a typed path.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn complete(self, question: &CompletionQuestion) -> Result<Completion, BackendError> {
        match self.ask(EngineRequest::Complete(question.clone()))? {
            EngineReply::Completed(completion) => Ok(completion),
            other => Err(unexpected(other)),
        }
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn read_resource(self, question: &ResourceQuestion) -> Result<ResourceAnswer, BackendError> {
        match self.ask(EngineRequest::ReadResource(question.clone()))? {
            EngineReply::Resource(resource) => Ok(resource),
            other => Err(unexpected(other)),
        }
    }

    /// Lists the names in a directory; `None` if it has none.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn summarize_directory(self, directory: ExistingDirectory) -> Result<Option<DirectorySummary>, BackendError> {
        match self.ask(EngineRequest::SummarizeDirectory(directory))? {
            EngineReply::Directory(summary) => Ok(summary),
            other => Err(unexpected(other)),
        }
    }

    /// Returns the state of each root.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn roots(self) -> Result<Vec<RootStatus>, BackendError> {
        match self.ask(EngineRequest::Roots)? {
            EngineReply::Roots(roots) => Ok(roots),
            other => Err(unexpected(other)),
        }
    }

    /// Reads the roots again.
    ///
    /// # Errors
    /// If the engine has no answer, or the leader is gone.
    pub fn reindex(self) -> Result<ReindexCounts, BackendError> {
        match self.ask(EngineRequest::Reindex)? {
            EngineReply::Reindexed(counts) => Ok(counts),
            other => Err(unexpected(other)),
        }
    }

    fn ask(self, question: EngineRequest) -> Result<EngineReply, LeaderLost> {
        match self {
            Self::Local(engine) => Ok(engine.answer(question)),
            Self::Remote(client) => client.ask(question),
        }
    }
}

/// Converts a reply that is no answer. A leader that answers another question counts as gone.
fn unexpected(reply: EngineReply) -> BackendError {
    match reply {
        EngineReply::Failed(error) => error.into(),
        _ => LeaderLost::Disconnected.into(),
    }
}
