//! Checks configurations of other CI services: GitLab, `CircleCI`, Travis, Azure.

use super::command;
use crate::data_report::{DataReport, PathRule};
use crate::yaml::kinds;
use pathfinder_literals::Reason;
use pathfinder_literals::path::{extension, is_dynamic};
use pathfinder_syntax::data::{Node, Text};

/// Keys of a Travis file whose commands run in the repository root, in this order.
const TRAVIS_PHASES: [&str; 7] =
    ["before_install", "install", "before_script", "script", "after_success", "after_failure", "after_script"];

/// Commands that are remembered of a file. The limit keeps the work from being quadratic in their number.
const MAX_EARLIER_COMMANDS: usize = 64;

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

/// Returns the root of the repository that a configuration of `CircleCI` is from: a copy of another repository has its own.
fn root_of_circle(path: &str) -> &str {
    path.rsplit_once(".circleci/").map_or("", |(above, _)| above.trim_end_matches('/'))
}

/// Returns whether the files of a job of `CircleCI` are in a directory that a step names, so that its working directory can be
/// one of theirs.
fn has_files_elsewhere(steps: &[Node]) -> bool {
    let directory = |step: &Node, (name, key)| Some(step.get(name)?.get(key)?.str()?.to_owned());
    let places = [("checkout", "path"), ("attach_workspace", "at")];
    let is_checked_out = steps.iter().any(|step| step.str() == Some("checkout"));
    let mut named = steps.iter().flat_map(|step| places.map(|place| directory(step, place))).flatten();
    // The default working directory is `~/project`.
    !is_checked_out && named.any(|at| !matches!(at.trim_end_matches('/'), "." | "~/project"))
}

/// Checks commands of `CircleCI` that are a path, unless the job has another working directory.
pub(super) fn check_circle(report: &mut DataReport<'_>, root: &Node) {
    for job in root.values("jobs.*") {
        let mut earlier_commands: Vec<&str> = Vec::new();
        let steps = job.get("steps").map_or(&[][..], Node::items);
        let is_elsewhere = has_files_elsewhere(steps);
        for step in steps {
            let run = step.get("run");
            let text = run.and_then(Node::text).or_else(|| run.and_then(|run| run.get("command")).and_then(Node::text));
            // Commands of orbs and of the file itself are not analyzed, although they can create files.
            let Some(text) = text else { continue };
            let has_own_directory = run.is_some_and(|run| run.get("working_directory").is_some());
            let base = (!has_own_directory && !is_elsewhere).then_some(root_of_circle(report.source.path()));
            command::check(report, kinds::CIRCLECI_RUN, text, base, &earlier_commands);
            earlier_commands.push(&text.text);
        }
    }
}

/// Checks commands of Travis that are a path: those of all jobs, then those of each.
pub(super) fn check_travis(report: &mut DataReport<'_>, root: &Node) {
    let mut shared_commands: Vec<&str> = Vec::new();
    check_phases(report, root, &mut shared_commands);
    for job in root.values("jobs.include").chain(root.values("matrix.include")) {
        check_phases(report, job, &mut shared_commands.clone());
    }
}

/// Checks the commands of the phases of a job in their order.
fn check_phases<'n>(report: &mut DataReport<'_>, job: &'n Node, earlier_commands: &mut Vec<&'n str>) {
    for text in TRAVIS_PHASES.iter().flat_map(|key| job.texts(key)) {
        command::check(report, kinds::TRAVIS_SCRIPT, text, Some(""), earlier_commands);
        if earlier_commands.len() < MAX_EARLIER_COMMANDS {
            earlier_commands.push(&text.text);
        }
    }
}

/// Checks the script of a task of Azure, which is relative to the root of the repository.
fn check_azure_task(report: &mut DataReport<'_>, step: &Node) {
    const INPUTS: [(&str, &str); 4] = [
        ("Bash@", "filePath"),
        ("PowerShell@", "filePath"),
        ("PythonScript@", "scriptPath"),
        ("ShellScript@", "scriptPath"),
    ];
    let task = step.get("task").and_then(Node::str).unwrap_or_default();
    for (_, input) in INPUTS.iter().filter(|(name, _)| task.starts_with(name)) {
        let text = step.get("inputs").and_then(|inputs| inputs.get(input)).and_then(Node::text);
        if let Some(text) = text.filter(|text| !is_dynamic(&text.text) && !text.text.contains('$')) {
            report.check(text, PathRule::file(kinds::AZURE_SCRIPT).warning(), &[""]);
        }
    }
}

/// Checks templates of Azure, relative to the file or with a leading slash to the root, and commands that are a path.
pub(super) fn check_azure(report: &mut DataReport<'_>, root: &Node) {
    let mut earlier_commands: Vec<&str> = Vec::new();
    for step in root.values("**.steps") {
        check_azure_task(report, step);
        let Some(text) = step.get("script").or_else(|| step.get("bash")).and_then(Node::text) else { continue };
        let base = step.get("workingDirectory").is_none().then_some("");
        command::check(report, kinds::AZURE_SCRIPT, text, base, &earlier_commands);
        if earlier_commands.len() < MAX_EARLIER_COMMANDS {
            earlier_commands.push(&text.text);
        }
    }
    check_azure_templates(report, root);
}

/// Checks the templates that a pipeline of Azure or a template of one includes: `template: ../steps/build.yml@self`. Files of any name can be
/// one, and no other tool has such a key for a path.
pub(super) fn check_azure_templates(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("**.template") {
        let path = text.text.strip_suffix("@self").unwrap_or(&text.text);
        let is_file = matches!(extension(path).as_str(), "yml" | "yaml");
        if is_file && !path.contains('@') && !is_dynamic(path) && !path.contains('$') {
            let here = if path.starts_with('/') { "" } else { report.here() };
            let text = Text { text: path.into(), range: text.range.start..text.range.start + path.len() };
            report.check(&text, PathRule::file(kinds::AZURE_TEMPLATE).slash(), &[here]);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_templates_of_pipelines() {
        let steps = "steps:\n- template: ./steps/lint.yml@self\n- template: /ci/steps/gone.yml\n- template: steps/x.yml@other\n- template: name\n";
        check(
            "ci/steps/lint.yml",
            "ci/build.yml",
            steps,
            "yaml.azure.template ./steps/lint.yml → ci/steps/lint.yml
         yaml.azure.template /ci/steps/gone.yml → missing",
        );
    }
}
