//! `Output`: prints findings as they come, and what follows them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use pathfinder_check::{CheckReport, Finding};
use pathfinder_protocol::finding::{WireFinding, WireSummary, WireUnknownLiteral};

use super::{Filter, TextPaths, concise, github, gitlab, is_claim, junit, rdjsonl, sarif, statistics, text};
use crate::cli::args::{CheckArgs, CheckFormat};
use crate::cli::fix::FixCount;
use crate::cli::output::{write_bytes, write_bytes_to_stderr, write_text, write_text_to_stderr};

/// Numbers of a run besides those of its report.
#[derive(Debug, Default)]
pub(super) struct Summary {
    pub(super) fixed: FixCount,
    /// Literals that were judged, also those that are not reported.
    pub(super) checked: usize,
}

/// Prints findings.
pub(super) struct Output<'a> {
    args: &'a CheckArgs,
    root: PathBuf,
    paths: TextPaths,
    filter: Filter,
    /// All findings that are reported.
    reported: Vec<Finding>,
    /// Text for `--output-file`.
    collected: Vec<u8>,
    /// The first error of printing; nothing is printed after it.
    failed: Option<anyhow::Error>,
}

impl<'a> Output<'a> {
    pub(super) fn new(args: &'a CheckArgs, root: &Path, filter: Filter) -> Self {
        Self {
            args,
            root: root.to_owned(),
            paths: TextPaths::new(args.absolute),
            filter,
            reported: Vec::new(),
            collected: Vec::new(),
            failed: None,
        }
    }

    /// Prints findings, unless the format is a single document. [`Self::end`] returns the first error.
    pub(super) fn findings(&mut self, findings: &[Finding]) {
        let reported = self.filter.reported(findings);
        if self.failed.is_none() && !reported.is_empty() && !self.args.statistics && self.args.write_baseline.is_none()
        {
            self.failed = self.print(&reported).err();
        }
        self.reported.extend(reported);
    }

    fn print(&mut self, findings: &[Finding]) -> anyhow::Result<()> {
        let explain = self.args.explain.is_some();
        match self.args.format {
            // Findings of one target are shown together, so all of them have to be known.
            CheckFormat::Text | CheckFormat::Sarif | CheckFormat::Gitlab | CheckFormat::Junit => Ok(()),
            CheckFormat::Concise => {
                let text = concise::findings(&self.paths, &self.root, findings);
                self.write_text(&text)
            }
            CheckFormat::Json => {
                let lines = lines(findings.iter().map(|it| WireFinding::new(it, explain)))?;
                self.write(&lines)
            }
            CheckFormat::Github => self.write_text(&github::annotations(findings)),
            CheckFormat::Rdjsonl => self.write(&lines(findings.iter().map(rdjsonl::diagnostic))?),
        }
    }

    /// Prints what follows the findings. Returns whether there are none that count.
    pub(super) fn end(mut self, mut report: CheckReport, fixed: FixCount) -> anyhow::Result<bool> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let summary = Summary { fixed, checked: report.found + report.missing };
        let filtered = report.findings.iter().filter(|finding| is_claim(finding)).count();
        report.findings = std::mem::take(&mut self.reported);
        let claims = report.findings.iter().filter(|finding| is_claim(finding)).count();
        report.missing -= filtered.saturating_sub(claims).min(report.missing);
        report.unknown_literals.retain(|unknown| self.filter.kinds.accepts(unknown.kind));
        if self.args.statistics {
            self.print_statistics(&report)?;
        } else {
            self.print_end(&report, &summary)?;
        }
        if let Some(file) = &self.args.output_file {
            fs::write(file, &self.collected).with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(claims == 0)
    }

    fn print_statistics(&mut self, report: &CheckReport) -> anyhow::Result<()> {
        if self.args.format == CheckFormat::Json {
            let counts = lines(statistics::counts(&report.findings))?;
            return self.write(&counts);
        }
        let text = statistics::text(&report.findings);
        self.write_text(&text)
    }

    fn print_end(&mut self, report: &CheckReport, summary: &Summary) -> anyhow::Result<()> {
        match self.args.format {
            CheckFormat::Text | CheckFormat::Concise => {
                let is_text = self.args.format == CheckFormat::Text;
                let mut out = String::new();
                if is_text {
                    text::findings(&mut out, &self.paths, &self.root, &report.findings, self.args.explain);
                    text::unknown_literals(&mut out, &self.paths, &self.root, report, self.args.explain);
                }
                self.write_text(&out)?;
                if !self.args.quiet {
                    let mut out = String::new();
                    if is_text {
                        text::unused_comments(&mut out, &self.paths, &self.root, report);
                    }
                    text::summary(&mut out, report, summary);
                    self.text_about_baseline(&mut out);
                    // A file of concise lines is for a program.
                    if self.args.output_file.is_none() || is_text {
                        self.write_text(&out)?;
                    }
                }
                Ok(())
            }
            CheckFormat::Json => {
                let mut all = lines(report.unknown_literals.iter().map(WireUnknownLiteral::from))?;
                all.extend(lines([WireSummary::new(report, &self.root.to_string_lossy())])?);
                self.write(&all)
            }
            CheckFormat::Sarif => self.write(&lines([sarif::log(report)])?),
            CheckFormat::Gitlab => self.write(&lines([gitlab::report(&report.findings)])?),
            CheckFormat::Junit => self.write(junit::document(&report.findings).as_bytes()),
            CheckFormat::Github | CheckFormat::Rdjsonl => Ok(()),
        }
    }

    fn text_about_baseline(&self, out: &mut String) {
        let Some(known) = &self.filter.known else { return };
        let unmet = if self.args.is_whole_run() { known.unmet() } else { 0 };
        text::baseline(out, known.met, unmet);
    }

    fn write_text(&mut self, text: &str) -> anyhow::Result<()> {
        if self.args.output_file.is_none() {
            return if self.args.prints_fixed_text() { write_text_to_stderr(text) } else { write_text(text) };
        }
        self.collected.extend(anstream::adapter::strip_str(text).to_string().into_bytes());
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        if self.args.output_file.is_none() {
            return if self.args.prints_fixed_text() { write_bytes_to_stderr(bytes) } else { write_bytes(bytes) };
        }
        self.collected.extend(bytes);
        Ok(())
    }
}

/// Serializes each item as one line of JSON.
fn lines(all: impl IntoIterator<Item = impl serde::Serialize>) -> anyhow::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for one in all {
        serde_json::to_writer(&mut lines, &one)?;
        lines.push(b'\n');
    }
    Ok(lines)
}
