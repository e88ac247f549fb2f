//! Answers questions on a workspace: those of this process, and those of the leader's clients.

pub mod choice;
mod completion;
mod directory;
mod resource;
mod withheld;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pathfinder_core::{Probe as _, Request, Status};

use super::backend::LocalEngine;
use super::connection::ServedEngine;
use super::question::{
    Audience, EngineError, EngineReply, EngineRequest, FindQuestion, Found, ReindexCounts, ResolveQuestion, Resolved,
    Retried, RetryQuestion, RetryResult, RootStatus, SuggestQuestion,
};
use crate::suggestion::{Suggestion, suggest};
pub use completion::MAX_COMPLETIONS;
use pathfinder_project::retry::{RetryAction, RetryOutcome, retry};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_project::workspace::{Workspace, WorkspaceAnswer, WorkspaceError};
use pathfinder_project::{contents, find};
use pathfinder_protocol::paths::RootName;
use pathfinder_vfs::clock::Stopwatch;

/// The engine of a server.
pub struct WorkspaceEngine<'a> {
    workspace: &'a Workspace,
    /// The asking process's current directory, canonical, if it is another process.
    directory: Option<&'a Path>,
}

impl<'a> WorkspaceEngine<'a> {
    /// Creates the engine for questions of this process.
    pub fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, directory: None }
    }

    fn resolve(&self, question: ResolveQuestion) -> Result<Resolved, EngineError> {
        let ResolveQuestion { request, audience, chosen, is_used } = question;
        if audience == Audience::Command {
            let snapshot = self.workspace.snapshot()?;
            let _query = self.workspace.begin_query();
            let snapshot = self.seen_by_command(&snapshot);
            let (answer, timing) = snapshot.ask(&request);
            return Ok(Resolved { answer: answer?, timing, roots: RootName::list(&snapshot), directory: None });
        }
        let (asked, roots) = self.ask(&request, chosen.as_deref())?;
        if let (Status::Exists | Status::Resolved, Some((root, path)), true) =
            (asked.answer.status, &asked.answer.path, is_used)
        {
            self.workspace.record_use(&asked.workspace, *root, path);
        }
        Ok(to_resolved(asked, roots))
    }

    /// Answers an agent's request. Withheld entries are removed, and the user's choice replaces the answer.
    fn ask(&self, request: &Request, chosen: Option<&str>) -> Result<(WorkspaceAnswer, Vec<RootName>), EngineError> {
        let mut asked = self.workspace.ask_from(request, self.directory)?;
        withheld::redact(&asked.workspace, &mut asked.answer);
        let roots = RootName::list(&asked.workspace);
        if let Some(chosen) = chosen {
            choice::apply(&mut asked.answer, request.op, &roots, chosen);
        }
        Ok((asked, roots))
    }

    fn find(&self, question: &FindQuestion) -> Result<Found, EngineError> {
        let FindQuestion { request, audience } = question;
        if *audience == Audience::Command {
            let snapshot = self.workspace.snapshot()?;
            let _query = self.workspace.begin_query();
            let snapshot = self.seen_by_command(&snapshot);
            let found = find::find(&snapshot, request);
            self.workspace.note_directories(&snapshot, request);
            let answer = found.answer?;
            // A command waits for all files, so an incomplete answer is an error here.
            let is_complete = answer.declared.0 == answer.declared.1 && contents::is_complete(&snapshot);
            if !answer.strong && !is_complete {
                return Err(EngineError::unanswered("files are still being read"));
            }
            return Ok(Found { answer, took: found.took, roots: RootName::list(&snapshot) });
        }
        let (snapshot, found) = self.workspace.find(request)?;
        let mut answer = found.answer?;
        answer.hits.retain(|hit| withheld::is_shown(&snapshot, hit.root, &hit.path));
        Ok(Found { answer, took: found.took, roots: RootName::list(&snapshot) })
    }

    fn retry(&self, question: &RetryQuestion) -> Result<Retried, EngineError> {
        let RetryQuestion { request, options, chosen, allow_ignored } = question;
        let (asked, roots) = self.ask(request, chosen.as_deref())?;
        let (snapshot, answer) = (&*asked.workspace, &asked.answer);
        // The kind of an exactly named entry may be shown, its contents may not.
        let shows_contents = !matches!(options.action, RetryAction::Stat) || request.evidence.is_some();
        let withheld = match (answer.status, &answer.path) {
            (Status::Exists, Some((root, path))) if shows_contents => {
                withheld::find_withheld(snapshot, *root, path, *allow_ignored)
            }
            _ => None,
        };
        let outcome = match withheld {
            Some(why) => RetryResult::Withheld(why),
            None => RetryResult::Tried(retry(snapshot, &asked.request, answer, *options)),
        };
        if let RetryResult::Tried(RetryOutcome::Succeeded { root, path, .. }) = &outcome {
            self.workspace.record_use(snapshot, *root, path);
        }
        Ok(Retried { resolved: to_resolved(asked, roots), outcome })
    }

    fn suggest(&self, question: &SuggestQuestion) -> Result<Suggestion, EngineError> {
        let SuggestQuestion { directory, request } = question;
        let snapshot = self.workspace.snapshot()?;
        let _query = self.workspace.begin_query();
        Ok(suggest(&snapshot.with_current_dir(directory), directory, request))
    }

    fn roots(&self) -> Result<Vec<RootStatus>, EngineError> {
        let snapshot = self.workspace.snapshot()?;
        Ok((0..snapshot.opened().len()).map(|at| describe_root(&snapshot, at)).collect())
    }

    fn reindex(&self) -> Result<ReindexCounts, EngineError> {
        let start = Stopwatch::start();
        let snapshot = self.workspace.reindex()?;
        let stats = snapshot.engine().roots().iter().map(|root| root.snapshot.stats());
        let (files, directories) = stats.fold((0, 0), |sum, stats| (sum.0 + stats.files, sum.1 + stats.directories));
        Ok(ReindexCounts { files, directories, took: start.elapsed() })
    }

    /// Returns the snapshot as a command of the asking process would open it.
    fn seen_by_command(&self, snapshot: &WorkspaceSnapshot) -> WorkspaceSnapshot {
        let snapshot = snapshot.without_visits();
        match self.directory {
            Some(directory) => snapshot.with_current_dir(directory),
            None => snapshot,
        }
    }

    fn try_answer(&self, question: EngineRequest) -> Result<EngineReply, EngineError> {
        Ok(match question {
            EngineRequest::Resolve(question) => EngineReply::Resolved(Box::new(self.resolve(*question)?)),
            EngineRequest::Find(question) => EngineReply::Found(Box::new(self.find(&question)?)),
            EngineRequest::Retry(question) => EngineReply::Retried(Box::new(self.retry(&question)?)),
            EngineRequest::Suggest(question) => EngineReply::Suggested(Box::new(self.suggest(&question)?)),
            EngineRequest::Complete(question) => {
                EngineReply::Completed(completion::complete(self.workspace, &question)?)
            }
            EngineRequest::ReadResource(question) => EngineReply::Resource(resource::read(self.workspace, &question)?),
            EngineRequest::SummarizeDirectory(directory) => {
                EngineReply::Directory(directory::summarize(&*self.workspace.snapshot()?, &directory))
            }
            EngineRequest::Roots => EngineReply::Roots(self.roots()?),
            EngineRequest::Reindex => EngineReply::Reindexed(self.reindex()?),
        })
    }
}

impl LocalEngine for WorkspaceEngine<'_> {
    fn answer(&self, question: EngineRequest) -> EngineReply {
        self.try_answer(question).unwrap_or_else(EngineReply::Failed)
    }
}

/// The engine of this process as long as it has the roots that clients ask about.
pub(super) struct RootsEngine {
    pub(super) workspace: Arc<Workspace>,
    /// The roots as they were given.
    pub(super) roots: Vec<PathBuf>,
}

impl ServedEngine for RootsEngine {
    fn is_open(&self) -> bool {
        self.workspace.is_open() && self.workspace.roots() == self.roots
    }

    fn answer(&self, directory: &Path, question: EngineRequest) -> EngineReply {
        let reply = WorkspaceEngine { workspace: &self.workspace, directory: Some(directory) }.answer(question);
        // Other roots may have been opened meanwhile.
        if self.is_open() { reply } else { EngineReply::Failed(WorkspaceError::Closed.into()) }
    }
}

fn to_resolved(asked: WorkspaceAnswer, roots: Vec<RootName>) -> Resolved {
    let directory = directory::find_deepest(&asked.workspace, &asked.request.failed_path);
    Resolved { answer: asked.answer, timing: asked.timing, roots, directory }
}

fn describe_root(snapshot: &WorkspaceSnapshot, at: usize) -> RootStatus {
    let stats = snapshot.engine().roots()[at].snapshot.stats();
    let opened = &snapshot.opened()[at];
    let path = &opened.root.canonical;
    RootStatus {
        path: path.to_string_lossy().into_owned(),
        is_lossy: path.to_str().is_none(),
        files: stats.files,
        directories: stats.directories,
        unreadable: opened.listing.unreadable.count,
        is_gone: snapshot.probe().root_gone(at).is_some(),
    }
}
