//! Checks GitHub's workflows and actions.

use super::command;
use crate::data_report::{DataReport, PathRule};
use crate::yaml::kinds;
use pathfinder_literals::path::{extension, is_dynamic, is_within, join, name, parent};
use pathfinder_literals::{Lookup, Reason, Severity, Verdict, Want};
use pathfinder_syntax::data::{Node, Text};

/// Inputs of well-known actions that name one file of the repository.
const FILE_INPUTS: [&str; 9] = [
    "go-version-file",
    "node-version-file",
    "python-version-file",
    "java-version-file",
    "ruby-version-file",
    "deno-version-file",
    "bun-version-file",
    "global-json-file",
    "configuration-path",
];
/// Actions that download files which are not in the repository.
const DOWNLOAD_ACTIONS: [&str; 2] = ["download-artifact", "checkout"];

/// The contents of the workspace when a step runs.
#[derive(Default)]
struct JobWorkspace<'n> {
    /// Directories in which `actions/checkout` put another commit or repository; the empty text is the root.
    foreign: Vec<&'n str>,
    /// Directories below the root with a checkout of this commit.
    copies: Vec<&'n str>,
    /// True if the directory of a checkout is computed.
    is_unknown: bool,
    /// The commands of earlier steps.
    earlier_commands: Vec<&'n str>,
    /// The actions of earlier steps, and the texts of their inputs.
    earlier_actions: Vec<&'n str>,
    /// True if an earlier step used an action of others that may write any directory.
    has_writer: bool,
    /// True if an earlier step can have downloaded files.
    has_downloads: bool,
}

/// Checks a workflow.
pub(super) fn check_workflow(report: &mut DataReport<'_>, root: &Node) {
    // `x/.github/workflows` is a template for the repository that `x` becomes.
    let base = parent(parent(report.here()));
    for event in ["push", "pull_request", "pull_request_target"] {
        for text in root.texts(&format!("on.{event}.paths")) {
            if !text.text.starts_with('!') && !text.text.contains(['+', '*', '?', '[']) {
                let rule = PathRule::any(kinds::ACTIONS_PATHS).slash();
                // A shared workflow names files of the root that only some repositories have.
                let is_shared = !text.text.trim_start_matches('/').contains('/');
                report.check(text, if is_shared { rule.hint() } else { rule.warning() }, &[base]);
            }
        }
        let ignored = PathRule::any(kinds::ACTIONS_PATHS_IGNORE).hint().slash();
        report.check_all_from(root, &format!("on.{event}.paths-ignore"), ignored, &[base]);
    }
    let directory = root.at("defaults.run.working-directory").and_then(Node::str);
    for job in root.values("jobs.*") {
        if let Some(text) = job.get("uses").and_then(Node::text).filter(|text| text.text.starts_with("./")) {
            report.check(text, PathRule::file(kinds::ACTIONS_USES), &[base, ""]);
        }
        let directory = job.at("defaults.run.working-directory").and_then(Node::str).or(directory);
        check_steps(report, job, base, directory);
    }
}

/// Checks an action: its own files beside it, and the steps of a composite action from the root.
pub(super) fn check_action(report: &mut DataReport<'_>, root: &Node) {
    let Some(runs) = root.get("runs") else { return };
    for key in ["main", "pre", "post"] {
        if let Some(text) = runs.get(key).and_then(Node::text) {
            let is_generated = join(report.here(), &text.text).is_none_or(|path| {
                let directory = parent(&path);
                directory == report.here() || report.project.tree().names(directory).is_empty()
            });
            let exists = join(report.here(), &text.text).is_some_and(|path| report.exists(&path));
            if is_generated && !exists {
                report.unknown(kinds::ACTION_MAIN, text, Reason::Produced("the action's build".to_owned()));
            } else {
                let here = report.here();
                report.check(text, PathRule::file(kinds::ACTION_MAIN).warning(), &[here]);
            }
        }
    }
    if let Some(text) = runs.get("image").and_then(Node::text).filter(|text| text.text.ends_with("ockerfile")) {
        let here = report.here();
        report.check(text, PathRule::file(kinds::ACTION_IMAGE), &[here]);
    }
    // `./x` is relative to the caller's workspace, which is this repository only for its own actions.
    if let Some((base, _)) = report.source.path().split_once(".github/") {
        check_steps(report, runs, base.trim_end_matches('/'), None);
    }
}

/// Checks the steps of a job, in order.
fn check_steps(report: &mut DataReport<'_>, job: &Node, base: &str, directory: Option<&str>) {
    let mut workspace = JobWorkspace::default();
    for step in job.get("steps").map_or(&[][..], Node::items) {
        let uses = step.get("uses").and_then(Node::text);
        if let Some(uses) = uses {
            if uses.text.starts_with("./") || uses.text == "." {
                check_used_action(report, uses, base, &workspace);
            }
            if let Some(with) = step.get("with") {
                check_inputs(report, with, base, &workspace, &uses.text);
            }
            let made = step.at("with.path").and_then(Node::text);
            if let Some(text) =
                made.filter(|text| uses.text.starts_with("actions/checkout@") && !is_dynamic(&text.text))
            {
                report.unknown(kinds::ACTIONS_WITH, text, Reason::Produced("a checkout".to_owned()));
            }
            record_action(&mut workspace, &uses.text, step.get("with"));
        }
        if let Some(run) = step.get("run").and_then(Node::text) {
            let own = step.get("working-directory").and_then(Node::str).or(directory);
            let from = match own {
                _ if workspace.is_unknown || workspace.has_downloads || !workspace.foreign.is_empty() => None,
                Some(own) if is_dynamic(own) => None,
                Some(own) => join(base, own),
                None => Some(base.to_owned()),
            };
            command::check(report, kinds::ACTIONS_RUN, run, from.as_deref(), &workspace.earlier_commands);
            workspace.earlier_commands.push(&run.text);
        }
        if let Some(text) = step.get("working-directory").and_then(Node::text)
            && !workspace.is_unknown
            && workspace.foreign.is_empty()
        {
            let path = text.text.trim_start_matches("./").trim_end_matches('/');
            if workspace.copies.iter().any(|at| is_within(path, at)) {
                report.unknown(kinds::ACTIONS_WORKING_DIRECTORY, text, Reason::Produced("a checkout".to_owned()));
            } else {
                let rule = PathRule::directory(kinds::ACTIONS_WORKING_DIRECTORY);
                // An earlier step can make the directory, or download it.
                let own = name(path);
                let can_be_made = |command: &&str| command::can_create_files(command) || command.contains(own);
                let is_own = !workspace.has_downloads
                    && !workspace.has_writer
                    && !workspace.earlier_commands.iter().any(can_be_made)
                    && !workspace.earlier_actions.iter().any(|text| text.contains(own));
                let is_there = || join(base, path).is_some_and(|path| report.exists(&path));
                if is_own || is_there() {
                    report.check(text, rule.warning(), &[base]);
                } else {
                    report.unknown(rule.kind, text, Reason::Produced("an earlier step".to_owned()));
                }
            }
        }
    }
}

/// Records the effect of a used action on the workspace.
fn record_action<'n>(workspace: &mut JobWorkspace<'n>, uses: &'n str, with: Option<&'n Node>) {
    let action = uses.split('@').next().unwrap_or("");
    if DOWNLOAD_ACTIONS.iter().any(|download| action.contains(download)) && action != "actions/checkout" {
        workspace.has_downloads = true;
    }
    if action != "actions/checkout" {
        workspace.has_writer |= can_write(action);
        workspace.earlier_actions.push(action);
        let inputs = with.map_or(&[][..], Node::entries);
        workspace.earlier_actions.extend(inputs.iter().filter_map(|(_, value)| value.str()));
        return;
    }
    let get = |key: &str| with.and_then(|with| with.get(key)).and_then(Node::str);
    let (path, other) = (get("path").unwrap_or("").trim_matches(['.', '/']), get("repository").or(get("ref")));
    if is_dynamic(path) {
        workspace.is_unknown = true;
    } else if path.is_empty() && other.is_none() {
        // This commit at the root matches the repository.
    } else if other.is_some() {
        workspace.foreign.push(path);
    } else {
        workspace.copies.push(path);
    }
}

/// Returns whether an action of others may write a directory of the workspace: its name says of no other purpose.
fn can_write(action: &str) -> bool {
    const OTHER_PURPOSES: [&str; 10] =
        ["setup", "cache", "toolchain", "install", "login", "checkout", "filter", "changed", "version", "cancel"];
    let is_foreign = !action.starts_with(['.', '/']) && !action.starts_with("actions/");
    is_foreign && !OTHER_PURPOSES.iter().any(|purpose| action.contains(purpose))
}

/// Checks `uses: ./x`: a directory with `action.yml`, `action.yaml` or a Dockerfile, in one of the checkouts.
fn check_used_action(report: &mut DataReport<'_>, text: &Text, base: &str, workspace: &JobWorkspace<'_>) {
    let kind = kinds::ACTIONS_USES;
    if is_dynamic(&text.text) {
        return report.unknown(kind, text, Reason::Dynamic);
    }
    let path = text.text.trim_start_matches("./").trim_end_matches('/');
    let covers = |at: &&&str| at.is_empty() || is_within(path, at);
    let copied = workspace.copies.iter().find(covers).map(|at| path[at.len()..].trim_start_matches('/'));
    let mut tried = Vec::new();
    for path in [Some(path), copied].into_iter().flatten() {
        for file in ["action.yml", "action.yaml", "Dockerfile"] {
            tried.push(join(base, path).map(|path| format!("{path}/{file}").trim_start_matches('/').to_owned()));
        }
    }
    let exists = tried.iter().flatten().any(|path| report.exists(path));
    // An action of this repository is also used where the caller has checked that out, below a name that the caller chose.
    let own = path.find(".github/").filter(|at| *at > 0).map(|at| &path[at..]);
    let has_own = own.and_then(|own| join(base, own)).is_some_and(|own| report.exists(&own));
    let is_of_caller = has_own && report.source.path().contains(".github/actions/");
    let name = name(path);
    let is_generated =
        workspace.earlier_commands.iter().any(|text| text.contains(name) && command::can_create_files(text));
    let foreign = workspace.is_unknown || workspace.foreign.iter().any(|at| at.is_empty() || is_within(path, at));
    if !exists && (foreign || copied.is_some() || is_generated || is_of_caller) {
        let tried = tried.into_iter().flatten().collect();
        return report.add(kind, text, (Verdict::Unknown(Reason::Produced("a checkout".to_owned())), tried));
    }
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Error, tried);
    report.add(kind, text, answer);
}

/// Checks inputs that name a file, if the workspace is this repository.
fn check_inputs(report: &mut DataReport<'_>, with: &Node, base: &str, workspace: &JobWorkspace<'_>, uses: &str) {
    if workspace.is_unknown || workspace.has_downloads || !workspace.foreign.is_empty() || !workspace.copies.is_empty()
    {
        return;
    }
    // The daemon fetches such a context by itself, and looks for the Dockerfile in it.
    let context =
        with.get("context").and_then(Node::str).map_or(base, |context| subdirectory_of_commit(context).unwrap_or(base));
    for (key, node) in with.entries() {
        let standard = key.text == "standard" && uses.starts_with("php-actions/phpcs");
        let file = FILE_INPUTS.contains(&key.text.as_ref())
            || (standard && node.str().is_some_and(|text| extension(text) == "xml"));
        let built = uses.starts_with("docker/build-push-action") && key.text == "file";
        if let Some(text) = node.text().filter(|text| (file || built) && !text.text.contains(['*', '\n', ','])) {
            let base = if built { context } else { base };
            report.check(text, PathRule::file(kinds::ACTIONS_WITH).warning(), &[base]);
        }
    }
}

/// The directory in a build context that is the commit itself: `{{defaultContext}}:sub`.
pub(crate) fn subdirectory_of_commit(context: &str) -> Option<&str> {
    context.strip_prefix("{{defaultContext}}").map(|below| below.trim_start_matches(':'))
}
