//! Checks files of a root: every path literal in them, whether what it names is there, and how it can be mended.
//!
//! A [`Checker`] looks at one [`World`]: the disk, a commit, or the disk without some path. [`change`] holds
//! two worlds against one another.

mod change;
mod emptied;
mod file;
mod finding;
mod fixes;
mod options;
mod suppress;
mod world;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use pathfinder_literals::{Checked, Document, Kind, Project, Source};
use rayon::prelude::*;

use crate::session::Session;
pub(crate) use change::{if_deleted, since};
use emptied::Emptied;
pub(crate) use file::MENDED;
use finding::FileReport;
pub(crate) use finding::{Finding, Report, Untold};
pub(crate) use fixes::Fix;
pub(crate) use options::{Options, ignore_literal};
pub(crate) use suppress::comment;
use world::{AfterMoves, Disk, Without, World};
pub(crate) use world::{own_files, within};

/// What is in one file.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// Every literal, in the order of their places.
    pub(crate) literals: Vec<Checked>,
    /// What is wrong.
    pub(crate) findings: Vec<Finding>,
    /// Of its contents; `None` if it could not be read.
    pub(crate) digest: Option<u64>,
}

/// A number that files with other contents do not have, as good as always.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Checks files of one world.
pub(crate) struct Checker {
    world: Arc<dyn World>,
    project: Project,
    options: Arc<Options>,
    /// Who is asked what was meant; `None` where nothing is to be mended.
    fixing: Option<Arc<Session>>,
    /// What a change left of packages, where one is looked at.
    emptied: Option<Emptied>,
}

impl Checker {
    /// For a session's first root as it is on disk.
    pub(crate) fn new(session: &Arc<Session>, options: &Arc<Options>) -> Self {
        let disk = Arc::new(Disk::new(Arc::clone(session)));
        Self { fixing: Some(Arc::clone(session)), ..Self::of(disk, options) }
    }

    /// The same after a change that moved these files: what they are called now, and what they were called.
    fn after(self, moves: &HashMap<String, String>) -> Self {
        let emptied = Some(Emptied::of(&*self.world, moves));
        Self { emptied, ..self }
    }

    /// For a world in which nothing is to be mended.
    fn of<W: World + 'static>(world: Arc<W>, options: &Arc<Options>) -> Self {
        let project = Project::new(world.clone()).configured(options.configured.clone());
        Self { world, project, options: Arc::clone(options), fixing: None, emptied: None }
    }

    /// Checks these files (relative to the root), in parallel; `done` is called after each.
    pub(crate) fn check(&self, files: &[String], done: &(dyn Fn() + Sync)) -> Report {
        let start = Instant::now();
        let reports: Vec<FileReport> = files
            .par_iter()
            .map(|file| {
                // One file that trips a parser is not the end of the check, but it is said that it was not checked.
                let report = catch_unwind(AssertUnwindSafe(|| self.check_file(file)));
                done();
                report.unwrap_or_else(|_| FileReport { failed: true, ..FileReport::default() })
            })
            .collect();
        let mut all = Report::default();
        for (file, report) in files.iter().zip(reports) {
            all.add(file, report);
        }
        all.elapsed = start.elapsed();
        all
    }

    /// The bytes of a file that this checks; `None` if it is in no known language, too large, or not there.
    pub(crate) fn bytes(&self, file: &str) -> Option<Vec<u8>> {
        pathfinder_literals::language::of(file).next()?;
        self.world.bytes(file)
    }

    /// A file as it is on disk, fixes included. Nothing is in it if it cannot be checked.
    pub(crate) fn look(&self, file: &str) -> Looked {
        let looked = catch_unwind(AssertUnwindSafe(|| {
            let bytes = self.bytes(file)?;
            let digest = Some(digest(&bytes));
            let Some(source) = Source::new(file, &bytes) else { return Some(Looked { digest, ..Looked::default() }) };
            let literals = pathfinder_literals::check(&source, &self.project);
            let mut findings = self.judge(file, &bytes, &source, &literals).findings;
            self.mend(&source, &literals, &mut findings);
            Some(Looked { literals, findings, digest })
        }));
        looked.ok().flatten().unwrap_or_default()
    }

    /// What is reported of a file as it is on disk, without fixes.
    pub(crate) fn report(&self, file: &str) -> FileReport {
        self.bytes(file).map_or_else(FileReport::default, |bytes| self.judge_bytes(file, &bytes))
    }

    /// A text that is being edited: its literals, and what is wrong with them, without fixes. Nothing if it is none.
    pub(crate) fn look_at(&self, document: &mut Document) -> (Arc<[Checked]>, Vec<Finding>) {
        let literals = document.check(&self.project);
        let Some(source) = document.source() else { return (literals, Vec::new()) };
        let findings = self.judge(document.path(), document.text().as_bytes(), &source, &literals).findings;
        (literals, findings)
    }

    /// Who checks the same world after these moves (from, to).
    pub(crate) fn after_moves(&self, moves: &[(String, String)]) -> Self {
        Self::of(Arc::new(AfterMoves::new(Arc::clone(&self.world), moves.to_vec())), &self.options)
    }

    /// Who checks the same world without these files and directories.
    pub(crate) fn without(&self, gone: &[String]) -> Self {
        Self::of(Arc::new(Without::new(Arc::clone(&self.world), gone.to_vec())), &self.options)
    }

    /// Whether the project ignores a file, be it there or not: nothing is reported of what is ignored.
    pub(crate) fn ignores(&self, file: &str) -> bool {
        self.world.is_tracked(file) != Some(true) && self.world.is_ignored(file)
    }

    /// What is at a path, links followed.
    pub(crate) fn kind(&self, path: &str) -> Option<Kind> {
        self.world.kind(path)
    }

    /// The names in a directory.
    pub(crate) fn names(&self, directory: &str) -> Arc<[String]> {
        self.world.names(directory)
    }

    /// What decides where literals lead.
    pub(crate) fn project(&self) -> &Project {
        &self.project
    }

    fn check_file(&self, file: &str) -> FileReport {
        self.bytes(file).map_or_else(FileReport::default, |bytes| self.check_bytes(file, &bytes))
    }
}
