//! Other services that run a repository's commands: GitLab, `CircleCI`, Travis, Azure.

use super::command;
use crate::checked::Reason;
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::path::is_dynamic;

/// Keys of a Travis file whose commands run in the repository's root, one after the other.
const TRAVIS: [&str; 7] =
    ["before_install", "install", "before_script", "script", "after_success", "after_failure", "after_script"];

/// GitLab: what is included. A path is always seen from the root.
pub(super) fn check_gitlab(report: &mut DataReport<'_>, root: &Node) {
    for node in root.values("include").chain(root.values("*.trigger.include")) {
        include(report, node);
    }
}

fn include(report: &mut DataReport<'_>, node: &Node) {
    let rule = PathRule::file("yaml.gitlab.include").slash();
    let conditional = node.get("rules").is_some();
    for text in node.text().into_iter().chain(node.texts("local")) {
        if text.text.contains('$') {
            report.unknown(rule.kind, text, Reason::Dynamic);
        } else if conditional && !report.exists(text.text.trim_start_matches('/')) {
            report.unknown(rule.kind, text, Reason::Optional);
        } else {
            report.check(text, rule, &[""]);
        }
    }
}

/// `CircleCI`: commands that are a path, unless the job works elsewhere.
pub(super) fn check_circle(report: &mut DataReport<'_>, root: &Node) {
    for job in root.values("jobs.*") {
        let mut earlier: Vec<&str> = Vec::new();
        for step in job.get("steps").map_or(&[][..], Node::items) {
            let run = step.get("run");
            let text = run.and_then(Node::text).or_else(|| run.and_then(|run| run.get("command")).and_then(Node::text));
            // What a command of an orb or of this file does is not looked at; it can bring files.
            let Some(text) = text else { continue };
            let moved = run.is_some_and(|run| run.get("working_directory").is_some());
            let base = (!moved).then_some("");
            command::check(report, "yaml.circleci.run", text, base, &earlier);
            earlier.push(&text.text);
        }
    }
}

/// Travis: the same.
pub(super) fn check_travis(report: &mut DataReport<'_>, root: &Node) {
    let mut earlier: Vec<&Text> = Vec::new();
    for key in TRAVIS {
        for text in root.texts(key) {
            let before: Vec<&str> = earlier.iter().map(|text| text.text.as_ref()).collect();
            command::check(report, "yaml.travis.script", text, Some(""), &before);
            // Quadratic in the number of commands otherwise.
            if earlier.len() < 64 {
                earlier.push(text);
            }
        }
    }
}

/// Azure: templates, from the file that names them or, with a slash before them, from the root.
pub(super) fn check_azure(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("**.template") {
        if !text.text.contains('@') && !is_dynamic(&text.text) && !text.text.contains('$') {
            let here = if text.text.starts_with('/') { "" } else { report.here() };
            report.check(text, PathRule::file("yaml.azure.template").slash(), &[here]);
        }
    }
}
