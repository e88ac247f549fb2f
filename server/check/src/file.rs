//! Checks one file: finds its literals, judges them, and looks for fixes.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::ControlFlow;
use std::ops::Range;

use pathfinder_literals::report::{is_fixture, is_vendored};
use pathfinder_literals::{Checked, Code, Kind, Missing, Reason, Rewriting, Severity, Source, Target, Verdict, Want};

use super::Checker;
use super::budget::{findings_within_budget, points_of, within};
use super::finding::{FileReport, Finding, UnknownLiteral};
use super::fixes::{Fix, FixContext, MAX_EXPLAINED_FIXES, MAX_FIXES, ReadCache, find_fixes, lower_confidence};
use super::probability::{BrokenEstimate, BrokenEstimator, Statistics, undecided_miss};
use super::source_tree::SourceTree;
use super::suppress::Suppressions;
use super::uses;

/// Bytes of its line that a finding keeps. A minified file can have thousands of findings in one line, and a copy of it for each.
const MAX_LINE_BYTES: usize = 4 << 10;

/// Receives a finding's fixes, and whether some were left out because a budget is spent. Returns whether to go on.
type FixSink<'t> = dyn FnMut(&Finding, (Vec<Fix>, bool)) -> ControlFlow<()> + 't;

impl Checker {
    /// Checks a file as if it had these bytes.
    pub(crate) fn check_bytes(&self, file: &str, bytes: &[u8]) -> FileReport {
        self.check_within(file, bytes, &|findings| findings)
    }

    /// Checks a file as if it had these bytes, with fixes for as many findings as these points are enough for.
    pub(super) fn check_for(&self, points: usize, file: &str, bytes: &[u8]) -> FileReport {
        let Some(source) = Source::new(file, bytes) else { return FileReport::default() };
        let all = self.literals(&source);
        let mut report = self.judge(file, bytes, &source, &all);
        let most = within(points, &report.findings).len();
        report.proofs = self.add_fixes(&source, &all, &mut report.findings, most);
        report
    }

    /// Checks a file as if it had these bytes; `allow` maps the points of its findings to how many of them fixes may cost.
    pub(super) fn check_within(&self, file: &str, bytes: &[u8], allow: &dyn Fn(usize) -> usize) -> FileReport {
        let Some(source) = Source::new(file, bytes) else { return FileReport::default() };
        let all = self.literals(&source);
        self.report_literals(file, bytes, &source, &all, allow)
    }

    /// Finds and checks the literals of a file.
    pub(super) fn literals(&self, source: &Source<'_>) -> Vec<Checked> {
        let mut all = pathfinder_literals::check(source, &self.project);
        if let Some(emptied_packages) = &self.emptied_packages {
            emptied_packages.apply(source, &mut all);
        }
        all
    }

    /// Returns whether a literal can become a finding: nothing is at its target, or a rule left that undecided.
    pub(super) fn can_be_broken(&self, file: &str, literal: &Checked) -> bool {
        match literal.verdict {
            Verdict::Missing(_) => true,
            Verdict::Unknown(_) => self.statistics.is_some() && undecided_miss(&self.project, file, literal).is_some(),
            Verdict::Found(_) => false,
        }
    }

    /// Reports a file whose literals are known, with fixes for as many findings as the points that `allow` returns are enough for.
    pub(super) fn report_literals(
        &self,
        file: &str,
        bytes: &[u8],
        source: &Source<'_>,
        all: &[Checked],
        allow: &dyn Fn(usize) -> usize,
    ) -> FileReport {
        let mut report = self.judge(file, bytes, source, all);
        let wanted = findings_within_budget(&report.findings);
        let most = within(allow(wanted.iter().map(|finding| points_of(finding)).sum()), wanted).len();
        report.proofs = self.add_fixes(source, all, &mut report.findings, most);
        report
    }

    /// Findings of a file with these bytes, without fixes.
    pub(crate) fn judge_bytes(&self, file: &str, bytes: &[u8]) -> Vec<Finding> {
        let Some(source) = Source::new(file, bytes) else { return Vec::new() };
        self.judge(file, bytes, &source, &self.literals(&source)).findings
    }

    /// Reports everything that is missing in these bytes, however likely it is broken, without fixes.
    pub(crate) fn judge_all(&self, file: &str, bytes: &[u8]) -> FileReport {
        let Some(source) = Source::new(file, bytes) else { return FileReport::default() };
        self.judge_by(None, file, bytes, &source, &pathfinder_literals::check(&source, &self.project))
    }

    /// Reports a text whose literals are known, without fixes.
    pub(crate) fn judge(&self, file: &str, bytes: &[u8], source: &Source<'_>, all: &[Checked]) -> FileReport {
        self.judge_by(self.statistics.as_deref(), file, bytes, source, all)
    }

    /// Reports a text by these statistics; without statistics, everything that is missing.
    fn judge_by(
        &self,
        statistics: Option<&Statistics>,
        file: &str,
        bytes: &[u8],
        source: &Source<'_>,
        all: &[Checked],
    ) -> FileReport {
        let mut estimator = None;
        let mut report = FileReport::default();
        let lines = LazyCell::new(|| SourceLines::new(bytes));
        let mut suppressions = Suppressions::parse(source.text());
        let deletion = self.deletion.as_ref();
        let deleted_targets =
            LazyCell::new(|| deletion.map(|deletion| deletion.missing_targets(source)).unwrap_or_default());
        for checked in all {
            let missing = match &checked.verdict {
                Verdict::Found(target) => {
                    report.found += 1;
                    let Some(missing) = find_untracked_target(&*self.tree, file, target) else { continue };
                    Cow::Owned(missing)
                }
                Verdict::Unknown(reason) => {
                    // Only an estimate can say that an undecided literal is broken. A use of a deleted path is counted in any case.
                    let miss = match deletion {
                        Some(_) => deleted_targets.get(&checked.range.start).cloned(),
                        None => statistics.and_then(|_| undecided_miss(&self.project, file, checked)),
                    };
                    let Some(miss) = miss else {
                        report.unknown += 1;
                        let is_use = |paths| uses::can_use(checked, &lines.literal(&checked.range), paths);
                        report.unknown_uses += usize::from(deletion.is_some_and(|deletion| is_use(&deletion.paths)));
                        if self.options.explain {
                            report.unknown_literals.push(lines.unknown_literal(file, checked, reason.clone()));
                        }
                        continue;
                    };
                    Cow::Owned(miss)
                }
                Verdict::Missing(missing) => Cow::Borrowed(missing),
            };
            let literal = lines.literal(&checked.range);
            let severity = self.severity_in_fixture(file, &missing);
            let Some(severity) = self.options.severity(missing.code, severity, &literal) else { continue };
            let line = lines.line(checked.range.start);
            if suppressions.suppress(line) {
                continue;
            }
            let estimate = match (statistics, &checked.verdict) {
                (Some(statistics), Verdict::Missing(_) | Verdict::Unknown(_)) => {
                    let make = || BrokenEstimator::new(&*self.tree, &self.project, statistics, source, all);
                    estimator.get_or_insert_with(make).estimate(checked, &missing)
                }
                _ => BrokenEstimate::certain(),
            };
            // An error is certain, unless the user calls it one.
            let is_doubtful = severity == Severity::Error && !estimate.is_certain();
            let lowered = || self.options.severity(missing.code, Severity::Warning, &literal);
            let severity = if is_doubtful { lowered().unwrap_or(severity) } else { severity };
            // A hint makes no claim, so it needs no probability, unless the claim is all that there is.
            let is_undecided = matches!(checked.verdict, Verdict::Unknown(_));
            let is_claim = severity != Severity::Hint && !self.has_doubtful;
            if (is_undecided || is_claim) && !estimate.is_reported() {
                report.unknown += 1;
                if self.options.explain {
                    let reason = match &checked.verdict {
                        Verdict::Unknown(reason) => reason.clone(),
                        _ => Reason::Doubtful(estimate.explain_doubt()),
                    };
                    report.unknown_literals.push(UnknownLiteral {
                        estimate: Some(estimate),
                        ..lines.unknown_literal(file, checked, reason)
                    });
                }
                continue;
            }
            report.missing += usize::from(severity != Severity::Hint);
            report.findings.push(Finding { estimate, ..lines.finding(file, checked, &missing, severity) });
        }
        report.useless = suppressions.useless();
        report
    }

    /// The severity of what is missing. Inputs of tests are wrong on purpose, but not since the last month's move of a file that they name:
    /// code of tests stands in directories of such names too.
    fn severity_in_fixture(&self, file: &str, missing: &Missing) -> Severity {
        let is_recent = || missing.instead.as_ref().is_some_and(|to| !self.tree.was_there_a_month_ago(to));
        let is_raised = missing.code == Code::MovedPath && missing.severity == Severity::Hint;
        let is_raised = is_raised && is_fixture(file) && !is_vendored(file) && is_recent();
        if is_raised { Severity::Warning } else { missing.severity }
    }

    /// Adds fixes to the first `most` findings of this text. Returns how many spellings were tested.
    pub(crate) fn add_fixes(
        &self,
        source: &Source<'_>,
        all: &[Checked],
        findings: &mut [Finding],
        most: usize,
    ) -> usize {
        let mut found = Vec::new();
        let wanted: Vec<&Finding> = findings.iter().take(most).collect();
        let proofs = self.visit_fixes(source, all, &wanted, &mut |_, fixes| {
            found.push(fixes);
            ControlFlow::Continue(())
        });
        if self.fixing.is_none() {
            return proofs;
        }
        let mut found = found.into_iter();
        for finding in findings {
            match found.next() {
                Some((fixes, is_cut)) => (finding.fixes, finding.is_over_budget) = (fixes, is_cut),
                None => finding.is_over_budget = true,
            }
        }
        proofs
    }

    /// Passes the fixes of each finding to `each` while it asks for more, with a flag that says whether some were
    /// left out because the file's budget is spent. Returns how many spellings were tested.
    pub fn visit_fixes(
        &self,
        source: &Source<'_>,
        all: &[Checked],
        findings: &[&Finding],
        each: &mut FixSink<'_>,
    ) -> usize {
        let Some(workspace) = &self.fixing else { return 0 };
        let rewriting = Rewriting::new(source, &self.project, all);
        let max_fixes = if self.options.explain { MAX_EXPLAINED_FIXES } else { MAX_FIXES };
        let (tree, file, cache) = (&*self.tree, source.path(), &ReadCache::new(self.names.as_ref()));
        rewriting.verify_together(&moved_literals(all, findings));
        let context = FixContext { workspace, tree, file, source, all, cache, max_fixes };
        for finding in findings {
            let mut found = self.fixes_of(&context, &rewriting, finding).unwrap_or_default();
            let is_cut = rewriting.is_exhausted();
            if is_cut {
                lower_confidence(&mut found);
            }
            if each(finding, (found, is_cut)).is_break() {
                break;
            }
        }
        rewriting.proofs()
    }

    fn fixes_of(&self, context: &FixContext<'_>, rewriting: &Rewriting<'_>, finding: &Finding) -> Option<Vec<Fix>> {
        let place = (finding.range.start, finding.range.end);
        let at = context.all.binary_search_by_key(&place, |literal| (literal.range.start, literal.range.end)).ok()?;
        let literal = &context.all[at];
        let missing = match &literal.verdict {
            Verdict::Missing(missing) => Cow::Borrowed(missing),
            Verdict::Found(target) => Cow::Owned(find_untracked_target(&*self.tree, context.file, target)?),
            Verdict::Unknown(_) => {
                let missing = undecided_miss(&self.project, context.file, literal)?;
                let literal = Checked { verdict: Verdict::Missing(missing.clone()), ..literal.clone() };
                return Some(find_fixes(context, rewriting, &literal, &missing, &finding.estimate));
            }
        };
        Some(find_fixes(context, rewriting, literal, &missing, &finding.estimate))
    }
}

/// The literals of findings whose new path is recorded, with that path.
fn moved_literals<'l>(all: &'l [Checked], findings: &[&Finding]) -> Vec<(&'l Checked, &'l str)> {
    let literal_of = |finding: &&Finding| {
        let place = (finding.range.start, finding.range.end);
        let at = all.binary_search_by_key(&place, |literal| (literal.range.start, literal.range.end)).ok()?;
        match &all[at].verdict {
            Verdict::Missing(missing) if missing.code == Code::MovedPath => {
                Some((&all[at], missing.instead.as_deref()?))
            }
            _ => None,
        }
    };
    findings.iter().filter_map(literal_of).collect()
}

/// A target that exists on this machine and is not in the file's repository: another checkout lacks it. Often it is
/// only not added yet.
fn find_untracked_target(tree: &dyn SourceTree, file: &str, target: &Target) -> Option<Missing> {
    let Target { path } = target;
    let lacks = |path: &str| tree.is_tracked(path) == Some(false);
    if lacks(file) || !lacks(path) || tree.kind(path) != Some(Kind::File) {
        return None;
    }
    let reason = format!("{path} is there, but git does not have it");
    let (code, severity) = (Code::UntrackedTarget, Severity::Hint);
    Some(Missing { code, severity, reason, wanted: path.clone(), want: Want::File, instead: Some(path.clone()) })
}

/// The lines of a file.
struct SourceLines<'a> {
    bytes: &'a [u8],
    /// Start of each line. As in compilers, a carriage return alone ends no line.
    starts: Vec<usize>,
}

impl<'a> SourceLines<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1)).collect();
        Self { bytes, starts }
    }

    /// The line number of a byte offset, from 1.
    fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    fn column(&self, at: usize) -> usize {
        at - self.starts[self.line(at) - 1] + 1
    }

    fn literal(&self, range: &Range<usize>) -> String {
        String::from_utf8_lossy(&self.bytes[range.clone()]).into_owned()
    }

    fn finding(&self, file: &str, checked: &Checked, missing: &Missing, severity: Severity) -> Finding {
        let &Checked { kind, ref range, ref tried, .. } = checked;
        let line = self.line(range.start);
        let start = self.starts[line - 1];
        let end = self.starts.get(line).copied().unwrap_or(self.bytes.len()).min(start + MAX_LINE_BYTES);
        Finding {
            file: file.to_owned(),
            line,
            column: self.column(range.start),
            range: range.clone(),
            literal: self.literal(range),
            kind,
            tried: tried.clone(),
            text: String::from_utf8_lossy(&self.bytes[start..end]).trim_end().to_owned(),
            code: missing.code,
            severity,
            reason: missing.reason.clone(),
            wanted: missing.wanted.clone(),
            want: missing.want,
            instead: missing.instead.clone(),
            estimate: BrokenEstimate::certain(),
            fixes: Vec::new(),
            is_over_budget: false,
        }
    }

    fn unknown_literal(&self, file: &str, checked: &Checked, reason: Reason) -> UnknownLiteral {
        let &Checked { kind, ref range, ref tried, .. } = checked;
        UnknownLiteral {
            file: file.to_owned(),
            line: self.line(range.start),
            column: self.column(range.start),
            range: range.clone(),
            literal: self.literal(range),
            kind,
            tried: tried.clone(),
            reason,
            estimate: None,
        }
    }
}
