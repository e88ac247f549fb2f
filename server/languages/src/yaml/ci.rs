//! Checks configurations of other CI services: GitLab, `CircleCI`, Travis, Azure.

use super::command;
use crate::data_report::{DataReport, PathRule};
use crate::yaml::kinds;
use pathfinder_literals::Reason;
use pathfinder_literals::path::is_dynamic;
use pathfinder_syntax::data::{Node, Text};

/// Keys of a Travis file whose commands run in the repository root, in this order.
const TRAVIS_PHASES: [&str; 7] =
    ["before_install", "install", "before_script", "script", "after_success", "after_failure", "after_script"];

/// Checks the includes of GitLab, whose paths are relative to the root.
pub(super) fn check_gitlab(report: &mut DataReport<'_>, root: &Node) {
    for node in root.values("include").chain(root.values("*.trigger.include")) {
        check_include(report, node);
    }
}

/// Checks one entry of `include`.
fn check_include(report: &mut DataReport<'_>, node: &Node) {
    let rule = PathRule::file(kinds::GITLAB_INCLUDE).slash();
    let is_conditional = node.get("rules").is_some();
    for text in node.text().into_iter().chain(node.texts("local")) {
        if text.text.contains('$') {
            report.unknown(rule.kind, text, Reason::Dynamic);
        } else if is_conditional && !report.exists(text.text.trim_start_matches('/')) {
            report.unknown(rule.kind, text, Reason::Optional);
        } else {
            report.check(text, rule, &[""]);
        }
    }
}

/// Checks commands of `CircleCI` that are a path, unless the job has another working directory.
pub(super) fn check_circle(report: &mut DataReport<'_>, root: &Node) {
    for job in root.values("jobs.*") {
        let mut earlier_commands: Vec<&str> = Vec::new();
        for step in job.get("steps").map_or(&[][..], Node::items) {
            let run = step.get("run");
            let text = run.and_then(Node::text).or_else(|| run.and_then(|run| run.get("command")).and_then(Node::text));
            // Commands of orbs and of the file itself are not analyzed, although they can create files.
            let Some(text) = text else { continue };
            let has_own_directory = run.is_some_and(|run| run.get("working_directory").is_some());
            let base = (!has_own_directory).then_some("");
            command::check(report, kinds::CIRCLECI_RUN, text, base, &earlier_commands);
            earlier_commands.push(&text.text);
        }
    }
}

/// Checks commands of Travis that are a path.
pub(super) fn check_travis(report: &mut DataReport<'_>, root: &Node) {
    let mut earlier_commands: Vec<&Text> = Vec::new();
    for key in TRAVIS_PHASES {
        let own = ["jobs", "matrix"].map(|jobs| format!("{jobs}.include.{key}"));
        for text in root.texts(key).chain(own.iter().flat_map(|pattern| root.texts(pattern))) {
            let before: Vec<&str> = earlier_commands.iter().map(|text| text.text.as_ref()).collect();
            command::check(report, kinds::TRAVIS_SCRIPT, text, Some(""), &before);
            // The limit keeps the work from being quadratic in the number of commands.
            if earlier_commands.len() < 64 {
                earlier_commands.push(text);
            }
        }
    }
}

/// Checks templates of Azure: relative to the file, or with a leading slash to the root.
pub(super) fn check_azure(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("**.template") {
        if !text.text.contains('@') && !is_dynamic(&text.text) && !text.text.contains('$') {
            let here = if text.text.starts_with('/') { "" } else { report.here() };
            report.check(text, PathRule::file(kinds::AZURE_TEMPLATE).slash(), &[here]);
        }
    }
}
