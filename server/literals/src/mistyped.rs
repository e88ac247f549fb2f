//! Literals that no rule decides, or that need not lead anywhere, and that are one path of the tree mistyped.
//!
//! A rule that leaves a literal alone knows what could make its target: a build, a site, a test that wants it missing. None of
//! these makes a name that differs by one slip from the only file beside it, and that the project has nowhere.

use rustc_hash::FxHashSet;

use crate::checked::{Checked, Code, Missing, Reason, Severity, Verdict, Want};
use crate::path::name;
use crate::project::Project;
use crate::slip::is_slip;
use crate::tree::Kind;

/// Paths of one literal that are held against what is there: more say the same with other endings.
const MAX_TRIED: usize = 12;

/// Reports literals that are mistyped although their rule leaves them alone, and reports hints as warnings.
pub(crate) fn apply(project: &Project, found: &mut [Checked]) {
    let mistyped: Vec<(usize, Missing)> =
        found.iter().enumerate().filter_map(|(at, literal)| Some((at, judge(project, found, literal)?))).collect();
    for (at, missing) in mistyped {
        found[at].verdict = Verdict::Missing(missing);
    }
}

/// What is wrong with a literal that is mistyped.
fn judge(project: &Project, all: &[Checked], literal: &Checked) -> Option<Missing> {
    // Strings are hints wherever they stand.
    if literal.kind.ends_with(".string") || !is_open(project, &literal.verdict) {
        return None;
    }
    let slip = find(project, &literal.tried)?;
    if let Verdict::Missing(missing) = &literal.verdict {
        return Some(Missing { severity: Severity::Warning, ..missing.clone() });
    }
    let is_named = |other: &Checked| matches!(&other.verdict, Verdict::Found(target) if target.path == slip.meant);
    let tree = project.tree();
    // The place of the meant file is not where the rule expects what is made.
    let is_made = tree.is_ignored(&slip.wanted) && !tree.is_ignored(&slip.meant);
    if is_made || all.iter().any(is_named) {
        return None;
    }
    let reason = format!("{} does not exist", slip.wanted);
    let (code, severity) = (Code::MissingPath, Severity::Warning);
    Some(Missing { code, severity, reason, wanted: slip.wanted, want: Want::Any, instead: None })
}

/// Whether a verdict leaves room for a slip: a rule gave way, or only hints.
fn is_open(project: &Project, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Missing(missing) => {
            missing.severity == Severity::Hint && missing.code == Code::MissingPath && missing.instead.is_none()
        }
        // It may name a file of exactly this name that is elsewhere.
        Verdict::Unknown(Reason::Undecided(by)) => project.tree().kind(by).is_none(),
        Verdict::Unknown(Reason::Produced(_) | Reason::Ignored(_) | Reason::Elsewhere) => true,
        Verdict::Unknown(_) | Verdict::Found(_) => false,
    }
}

/// A path that was tried, and the one that was meant.
#[derive(Debug, PartialEq, Eq)]
struct Slip {
    wanted: String,
    meant: String,
}

/// The only path of which one that was tried is a slip in one segment.
fn find(project: &Project, tried: &[String]) -> Option<Slip> {
    let mut meant: FxHashSet<String> = FxHashSet::default();
    let mut first = None;
    for path in tried.iter().take(MAX_TRIED) {
        for other in near(project, path) {
            if meant.insert(other.clone()) {
                first.get_or_insert_with(|| Slip { wanted: path.clone(), meant: other });
            }
        }
    }
    first.filter(|_| meant.len() == 1)
}

/// Paths that are there and differ from this one by a slip in the first segment that is not there.
fn near(project: &Project, path: &str) -> Vec<String> {
    let tree = project.tree();
    let mut start = 0;
    for (at, _) in path.match_indices('/') {
        if tree.kind(&path[..at]) != Some(Kind::Directory) {
            break;
        }
        start = at + 1;
    }
    let (before, rest) = path.split_at(start);
    let (segment, rest) = rest.split_once('/').map_or((rest, None), |(segment, rest)| (segment, Some(rest)));
    let (stem, ending) = apart(segment);
    // A name that the project has elsewhere is one that somebody gave.
    if stem.is_empty() || project.has_name(stem) || project.ending_in(segment).is_some() {
        return Vec::new();
    }
    let names = tree.names(before.trim_end_matches('/'));
    let is_near = |other: &&String| {
        let (other, end) = apart(name(other));
        end == ending && is_slip(stem, other) && !is_plural(stem, other)
    };
    let there = names.iter().filter(is_near).map(|other| match rest {
        Some(rest) => format!("{before}{other}/{rest}"),
        None => format!("{before}{other}"),
    });
    there.filter(|path| tree.kind(path).is_some()).collect()
}

/// Whether one word is the other's plural: both are words.
fn is_plural(one: &str, other: &str) -> bool {
    one.strip_suffix('s') == Some(other) || other.strip_suffix('s') == Some(one)
}

/// A name up to its first dot, and the rest.
fn apart(name: &str) -> (&str, &str) {
    name.find('.').filter(|at| *at > 0).map_or((name, ""), |at| name.split_at(at))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, severities};

    #[test]
    fn reports_what_a_rule_leaves_alone() {
        // A build makes what is below `dist`, but not one letter beside what it has.
        let tree = "package.json = {}\ngen/Makefile\ndist/plugin.js\ndist/tools.js";
        check(
            tree,
            "a.js",
            "import './dist/plgin.js';\nimport './dist/other.js';\nimport './dist/tool.js';\n",
            "js.import ./dist/plgin.js → missing
             js.import ./dist/other.js → unknown produced
             js.import ./dist/tool.js → unknown produced",
        );
    }

    #[test]
    fn reports_slips_of_samples() {
        let tree = "app/templates/avatar.tsx\napp/templates/tools.ts";
        let check =
            |text: &str, expect: &str| assert_eq!(severities(tree, "app/templates/a.ts", text), [expect], "{text}");
        check("import './avaatr';", "warning");
        check("import './other';", "hint");
        check("import './tool';", "hint");
    }
}
