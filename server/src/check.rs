//! Checks files of a root: every path literal in them, whether what it names is there, and how it can be mended.
//!
//! A [`Checker`] looks at one [`World`]: the disk, a commit, or the disk without some path. [`change`] holds
//! two worlds against one another.

mod change;
mod file;
mod finding;
mod fixes;
mod options;
mod suppress;
mod world;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use pathfinder_literals::Project;
use rayon::prelude::*;

use crate::session::Session;
pub(crate) use change::{if_deleted, since};
use finding::FileReport;
pub(crate) use finding::{Finding, Report, Untold};
pub(crate) use fixes::Fix;
pub(crate) use options::Options;
pub(crate) use world::own_files;
use world::{Disk, World};

/// Checks files of one world.
pub(crate) struct Checker {
    world: Arc<dyn World>,
    project: Project,
    options: Arc<Options>,
    /// Who is asked what was meant; `None` where nothing is to be mended.
    fixing: Option<Arc<Session>>,
}

impl Checker {
    /// For a session's first root as it is on disk.
    pub(crate) fn new(session: &Arc<Session>, options: &Arc<Options>) -> Self {
        let disk = Arc::new(Disk::new(Arc::clone(session)));
        Self { fixing: Some(Arc::clone(session)), ..Self::of(disk, options) }
    }

    /// For a world in which nothing is to be mended.
    fn of<W: World + 'static>(world: Arc<W>, options: &Arc<Options>) -> Self {
        let project = Project::new(world.clone()).configured(options.configured.clone());
        Self { world, project, options: Arc::clone(options), fixing: None }
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

    fn check_file(&self, file: &str) -> FileReport {
        self.bytes(file).map_or_else(FileReport::default, |bytes| self.check_bytes(file, &bytes))
    }
}
