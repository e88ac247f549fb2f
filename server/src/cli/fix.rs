//! `pathfinder fix`: applies the fixes of broken path literals.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use pathfinder_languages::is_configuration;
use pathfinder_literals::Severity;

use super::args::{FixArgs, Scope};
use super::output::{Exit, print_error, write_bytes, write_text, write_text_to_stderr};
use super::render::{GOOD, HEAD, WARN, printable};
use super::text_paths::TextPaths;
use super::unified_diff::unified_diff;
use pathfinder_check::fix::{FixPlan, Threshold, plan, plan_text};
use pathfinder_check::{Checker, Finding, Options};
use pathfinder_project::snapshot::WorkspaceSnapshot;
use pathfinder_vfs::replace::{ReplaceError, replace};

/// Most passes over all files after a fix in configuration. The second pass sees its effect; further ones are needed
/// only if that pass changes configuration again.
const MAX_PASSES: usize = 4;

/// Fixes files, or prints the changes as a diff.
pub(crate) fn run(args: &FixArgs, scope: &Scope) -> anyhow::Result<Exit> {
    if scope.roots.len() > 1 {
        bail!("fix takes one root: give --root once");
    }
    let workspace = super::check::open(&scope.for_paths(&args.paths))?;
    let root = workspace.opened()[0].root.canonical.clone();
    let options = Arc::new(Options::load(&root, false)?);
    let files = super::check::select_files(&workspace, &root, &args.paths, &options)?;
    let threshold = args.min_confidence.map_or(Threshold::Preferred, Threshold::AtLeast);
    let printed = if args.dry_run { Printed::Diff } else { Printed::Fixes(TextPaths::new(args.absolute)) };
    let outcome = Fixer { workspace: &workspace, root: &root, options: &options, threshold, printed }.run(&files)?;
    if args.dry_run {
        print_would(&outcome)?;
    } else {
        write_text(&outcome.text("fixed"))?;
    }
    if outcome.failed > 0 {
        return Ok(Exit::Failed);
    }
    Ok(if outcome.left == 0 { Exit::Answered } else { Exit::Negative })
}

/// Number of applied fixes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FixCount {
    pub(super) fixed: usize,
}

/// Applies the certain fixes, for `check --fix`.
pub(super) fn apply_certain(
    workspace: &Arc<WorkspaceSnapshot>,
    options: &Arc<Options>,
    files: &[String],
) -> anyhow::Result<FixCount> {
    let outcome = Fixer::certain(workspace, options, Printed::Nothing).run(files)?;
    anyhow::ensure!(outcome.failed == 0, "{} fixes could not be written", outcome.failed);
    Ok(FixCount { fixed: outcome.fixed })
}

/// Prints the certain fixes as a diff, for `check --diff`. The status is negative if there are some.
pub(super) fn print_diff(
    workspace: &Arc<WorkspaceSnapshot>,
    options: &Arc<Options>,
    files: &[String],
) -> anyhow::Result<Exit> {
    let outcome = Fixer::certain(workspace, options, Printed::Diff).run(files)?;
    print_would(&outcome)?;
    Ok(outcome.diff_exit())
}

/// Applies the certain fixes to a text as the contents of a file, for `check --fix` of stdin. Returns the fixed text.
pub(super) fn fix_text(
    workspace: &Arc<WorkspaceSnapshot>,
    options: &Arc<Options>,
    file: &str,
    text: Vec<u8>,
) -> (Vec<u8>, FixCount) {
    let (plan, outcome) = Fixer::certain(workspace, options, Printed::Nothing).run_text(file, text);
    (plan.after, FixCount { fixed: outcome.fixed })
}

/// Prints the certain fixes of a text as a diff of a file, for `check --diff` of stdin.
pub(super) fn print_text_diff(
    workspace: &Arc<WorkspaceSnapshot>,
    options: &Arc<Options>,
    file: &str,
    text: Vec<u8>,
) -> anyhow::Result<Exit> {
    let (plan, outcome) = Fixer::certain(workspace, options, Printed::Diff).run_text(file, text);
    write_bytes(&diff(&plan))?;
    print_would(&outcome)?;
    Ok(outcome.diff_exit())
}

/// Prints on stderr how many fixes a diff has: stdout is for `git apply`.
fn print_would(outcome: &FixOutcome) -> anyhow::Result<()> {
    write_text_to_stderr(&outcome.text("would be fixed"))
}

/// The output for each changed file.
enum Printed {
    /// The changes as a diff; nothing is written.
    Diff,
    /// One line per applied fix.
    Fixes(TextPaths),
    Nothing,
}

/// Fixes files of one root.
struct Fixer<'a> {
    workspace: &'a Arc<WorkspaceSnapshot>,
    root: &'a Path,
    options: &'a Arc<Options>,
    threshold: Threshold,
    printed: Printed,
}

impl<'a> Fixer<'a> {
    /// Applies the fixes that need no review.
    fn certain(workspace: &'a Arc<WorkspaceSnapshot>, options: &'a Arc<Options>, printed: Printed) -> Self {
        let root = &workspace.opened()[0].root.canonical;
        Self { workspace, root, options, threshold: Threshold::Preferred, printed }
    }

    /// Plans the fixes of a text as the contents of a file, which need not exist; none if the settings ignore the file.
    fn run_text(&self, file: &str, text: Vec<u8>) -> (FixPlan, FixOutcome) {
        let Self { workspace, options, threshold, .. } = self;
        let found = options.wants(file).then(|| Checker::for_run(workspace, options).check_text(file, &text).findings);
        let findings: Vec<Finding> = claims(found.unwrap_or_default()).collect();
        let plan = plan_text(&Checker::new(workspace, options), file, text, &findings, *threshold);
        let mut outcome = FixOutcome::default();
        outcome.add_left(&plan, &findings, *threshold);
        outcome.add_fixed(&plan);
        (plan, outcome)
    }

    /// Fixes the files. Fixed configuration can decide others, so there may be several passes.
    fn run(&self, files: &[String]) -> anyhow::Result<FixOutcome> {
        let mut outcome = FixOutcome::default();
        for _ in 0..MAX_PASSES {
            let was = outcome.fixed;
            outcome = FixOutcome { fixed: was, files: outcome.files, is_decided: true, ..FixOutcome::default() };
            self.run_pass(files, &mut outcome)?;
            let is_dry = matches!(self.printed, Printed::Diff);
            if outcome.is_decided || is_dry || outcome.failed > 0 || outcome.fixed == was {
                break;
            }
        }
        Ok(outcome)
    }

    /// Fixes the files in their current state, one after the other, or prints the changes as a diff.
    fn run_pass(&self, files: &[String], outcome: &mut FixOutcome) -> anyhow::Result<()> {
        let Self { workspace, root, options, threshold, printed } = self;
        let bar = super::check::progress_bar(files.len());
        let report = Checker::for_run(workspace, options).check(files, &mut |_| bar.inc(1));
        bar.finish_and_clear();
        // Files change from here on.
        let checker = Checker::new(workspace, options);
        for findings in by_file(claims(report.findings)) {
            let file = findings[0].file.clone();
            let Some(plan) = plan(&checker, &file, &findings, *threshold) else {
                print_error("NotFixed", &format!("{file}: {}", ReplaceError::Gone));
                outcome.failed += 1;
                outcome.left += findings.len();
                continue;
            };
            outcome.add_left(&plan, &findings, *threshold);
            if plan.fixed.is_empty() {
                continue;
            }
            if let Printed::Diff = printed {
                write_bytes(&diff(&plan))?;
            } else if let Err(error) = replace(root, &plan.file, &plan.before, &plan.after) {
                print_error("NotFixed", &format!("{}: {error}", plan.file));
                outcome.failed += 1;
                outcome.left += plan.fixed_findings();
                continue;
            } else {
                if let Printed::Fixes(paths) = printed {
                    write_text(&applied_fixes(paths, root, &plan))?;
                }
                outcome.is_decided &= !is_configuration(&plan.file);
            }
            outcome.add_fixed(&plan);
        }
        Ok(())
    }
}

/// Counts of all files.
#[derive(Debug, Default)]
struct FixOutcome {
    fixed: usize,
    files: BTreeSet<String>,
    left: usize,
    /// Findings that are left because no fix is likely.
    without_fix: usize,
    /// Findings that are left because their fix is below the threshold.
    below_threshold: usize,
    /// The least confidence of those fixes; 0 if there are none.
    least_confidence: f32,
    failed: usize,
    /// True if no fixed literal decides where the literals of other files lead.
    is_decided: bool,
}

impl FixOutcome {
    /// Counts the findings of a file that its fixes leave, and records why.
    fn add_left(&mut self, plan: &FixPlan, findings: &[Finding], threshold: Threshold) {
        self.left += plan.left;
        let is_left = |finding: &&Finding| plan.fixed.iter().all(|fixed| fixed.range != finding.range);
        findings.iter().filter(is_left).for_each(|finding| self.explain(finding, threshold));
    }

    /// Counts the fixes of a file.
    fn add_fixed(&mut self, plan: &FixPlan) {
        self.fixed += plan.fixed_findings();
        if !plan.fixed.is_empty() {
            self.files.insert(plan.file.clone());
        }
    }

    /// The status of a diff: negative if it has changes.
    fn diff_exit(&self) -> Exit {
        match (self.failed, self.fixed) {
            (0, 0) => Exit::Answered,
            (0, _) => Exit::Negative,
            _ => Exit::Failed,
        }
    }

    /// Records why a finding is left.
    fn explain(&mut self, finding: &Finding, threshold: Threshold) {
        match (finding.likely(), threshold) {
            (None, _) => self.without_fix += usize::from(!finding.is_over_budget),
            // Its fix was tried, and does not hold together with others or with a changed file.
            (Some(fix), Threshold::Preferred) if fix.preferred => {}
            (Some(fix), Threshold::AtLeast(least)) if fix.confidence >= least => {}
            (Some(fix), _) => {
                let is_first = self.below_threshold == 0;
                self.least_confidence =
                    if is_first { fix.confidence } else { self.least_confidence.min(fix.confidence) };
                self.below_threshold += 1;
            }
        }
    }

    /// Returns the counts as a sentence. `verb` says whether the fixes are written.
    fn text(&self, verb: &str) -> String {
        let Self { fixed, files, left, without_fix, below_threshold, least_confidence, .. } = self;
        let place = match files.len() {
            0 => String::new(),
            1 => " in 1 file".to_owned(),
            count => format!(" in {count} files"),
        };
        if fixed + left == 0 {
            return format!("{GOOD}nothing to fix{GOOD:#}\n");
        }
        let done = format!("{GOOD}{fixed} {verb}{GOOD:#}{place}");
        if *left == 0 {
            return format!("{done}\n");
        }
        // Rounded down, so that the command applies all of them.
        let option = format!("`--min-confidence {:.1}` applies", (least_confidence * 10.0).floor() / 10.0);
        let why = match *below_threshold {
            0 if without_fix == left => " (no likely fix)".to_owned(),
            0 => String::new(),
            count if count == *left => format!(" (below the confidence for automatic fixes; {option} them)"),
            count => format!(" ({count} below the confidence for automatic fixes; {option} them)"),
        };
        format!("{done}, {WARN}{left} left{WARN:#}{why}\n")
    }
}

/// The findings that make a claim; only these are fixed.
fn claims(findings: Vec<Finding>) -> impl Iterator<Item = Finding> {
    findings.into_iter().filter(|finding| finding.severity != Severity::Hint)
}

/// Groups findings by file. They come in that order.
fn by_file(findings: impl Iterator<Item = Finding>) -> Vec<Vec<Finding>> {
    let mut all: Vec<Vec<Finding>> = Vec::new();
    for finding in findings {
        match all.last_mut() {
            Some(last) if last[0].file == finding.file => last.push(finding),
            _ => all.push(vec![finding]),
        }
    }
    all
}

/// Formats the applied fixes, one per line.
fn applied_fixes(paths: &TextPaths, root: &Path, plan: &FixPlan) -> String {
    let mut out = String::new();
    // A name that stays belongs to the fix of its module.
    for one in plan.fixed.iter().filter(|one| one.old != one.new) {
        let (file, old, new) = (paths.in_line(root, &plan.file), printable(&one.old), printable(&one.new));
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{HEAD}{file}:{}:{}{HEAD:#}: {old} → {GOOD}{new}{GOOD:#}", one.line, one.column);
    }
    out
}

/// A file's changes as a unified diff for `git apply` and `patch -p1`.
fn diff(plan: &FixPlan) -> Vec<u8> {
    let names = (format!("a/{}", plan.file), format!("b/{}", plan.file));
    unified_diff(&plan.before, &plan.after, (&names.0, &names.1))
}
