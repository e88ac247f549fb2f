//! `Stages`: the time of each stage of reading roots. Together they cover the whole run.

use std::fmt::Write as _;
use std::time::Duration;

use serde::Serialize;

use super::milliseconds;
use crate::cli::render::HEAD;
use pathfinder_project::snapshot::LoadedRoot;

/// Milliseconds of each stage, summed over all roots.
#[derive(Debug, Default, Serialize)]
pub(super) struct Stages {
    /// Finding roots and reading settings.
    roots: f64,
    /// Reading the cached trees, and meanwhile the times of their directories.
    kept: f64,
    /// Walking, or bringing the cached tree up to date.
    walk: f64,
    packages: f64,
    build: f64,
    /// The rest of reading git's history after the tree was read.
    history: f64,
    /// Writing the cache.
    pub(super) keep: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbols: Option<f64>,
    /// Time outside of all stages.
    rest: f64,
    whole: f64,
}

impl Stages {
    /// The stages of opening the roots.
    pub(super) fn new(opened: &[LoadedRoot]) -> Self {
        let sum = |time: &dyn Fn(&LoadedRoot) -> Duration| milliseconds(opened.iter().map(time).sum());
        Self {
            roots: sum(&|root| root.times.roots),
            kept: sum(&|root| root.times.cache),
            walk: sum(&|root| root.listing.read.saturating_sub(root.listing.packages)),
            packages: sum(&|root| root.listing.packages),
            build: sum(&|root| root.listing.build),
            history: sum(&|root| root.times.waited),
            ..Self::default()
        }
    }

    /// Adds the time for declarations, if they were read, and the whole time.
    pub(super) fn end(&mut self, symbols: Option<Duration>, whole: Duration) {
        self.symbols = symbols.map(milliseconds);
        self.whole = milliseconds(whole);
        let known: f64 = self.by_name().into_iter().map(|(_, time)| time).sum();
        self.rest = ((self.whole - known) * 1e3).round() / 1e3;
    }

    /// The stages in order, with their names.
    fn by_name(&self) -> Vec<(&'static str, f64)> {
        let mut all = vec![
            ("roots found", self.roots),
            ("cached trees", self.kept),
            ("walk", self.walk),
            ("packages", self.packages),
            ("build", self.build),
            ("git's history", self.history),
            ("write cache", self.keep),
        ];
        all.extend(self.symbols.map(|time| ("declarations", time)));
        all
    }

    /// Formats the stages as text.
    pub(super) fn text(&self) -> String {
        let mut out = format!("{HEAD}stages{HEAD:#}\n");
        for (name, time) in self.by_name().into_iter().chain([("other", self.rest), ("total", self.whole)]) {
            // Writing to a `String` cannot fail.
            let _ = writeln!(out, "  {name:<15} {time:>12.1} ms");
        }
        out
    }
}
