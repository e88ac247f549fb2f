//! GitHub's workflows and actions.

use super::command;
use crate::checked::{Reason, Severity};
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, is_dynamic, join, parent};
use crate::project::within;

/// Inputs of well-known actions that name one file of the repository.
const INPUTS: [&str; 9] = [
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
/// Steps that bring files which are not in the repository.
const BRINGERS: [&str; 2] = ["download-artifact", "checkout"];

/// What is known of the workspace when a step runs.
#[derive(Default)]
struct Workspace<'n> {
    /// Where `actions/checkout` has put other things than this commit at the root; empty is the root.
    elsewhere: Vec<&'n str>,
    /// A checkout of this commit below the root.
    copies: Vec<&'n str>,
    /// A checkout whose place is computed.
    unclear: bool,
    /// What steps before this one have run.
    earlier: Vec<&'n str>,
    /// Whether a step before this one may have brought files.
    brought: bool,
}

/// A workflow.
pub(super) fn check_workflow(report: &mut DataReport<'_>, root: &Node) {
    // `x/.github/workflows` is a template for the repository that `x` becomes.
    let base = parent(parent(report.here()));
    for event in ["push", "pull_request", "pull_request_target"] {
        for text in root.texts(&format!("on.{event}.paths")) {
            if !text.text.starts_with('!') && !text.text.contains(['+', '*', '?', '[']) {
                let rule = PathRule::any("yaml.actions.paths").slash();
                // A workflow that many repositories share names files of the root that only some of them have.
                let shared = !text.text.trim_start_matches('/').contains('/');
                report.check(text, if shared { rule.hint() } else { rule.warning() }, &[base]);
            }
        }
        let ignored = PathRule::any("yaml.actions.paths-ignore").hint().slash();
        report.all_from(root, &format!("on.{event}.paths-ignore"), ignored, &[base]);
    }
    let directory = root.at("defaults.run.working-directory").and_then(Node::str);
    for job in root.values("jobs.*") {
        if let Some(text) = job.get("uses").and_then(Node::text).filter(|text| text.text.starts_with("./")) {
            report.check(text, PathRule::file("yaml.actions.uses"), &[base, ""]);
        }
        let directory = job.at("defaults.run.working-directory").and_then(Node::str).or(directory);
        steps(report, job, base, directory);
    }
}

/// An action: its own files beside it, and the steps of a composite one from the root.
pub(super) fn check_action(report: &mut DataReport<'_>, root: &Node) {
    let Some(runs) = root.get("runs") else { return };
    for key in ["main", "pre", "post"] {
        if let Some(text) = runs.get(key).and_then(Node::text) {
            let made = join(report.here(), &text.text).is_none_or(|path| {
                let directory = parent(&path);
                directory == report.here() || report.project.tree().names(directory).is_empty()
            });
            let there = join(report.here(), &text.text).is_some_and(|path| report.exists(&path));
            if made && !there {
                report.unknown("yaml.action.main", text, Reason::Produced("the action's build".to_owned()));
            } else {
                let here = report.here();
                report.check(text, PathRule::file("yaml.action.main").warning(), &[here]);
            }
        }
    }
    if let Some(text) = runs.get("image").and_then(Node::text).filter(|text| text.text.ends_with("ockerfile")) {
        let here = report.here();
        report.check(text, PathRule::file("yaml.action.image"), &[here]);
    }
    // `./x` is seen from the workspace of whoever calls: that is this repository for its own actions only.
    if let Some((base, _)) = report.source.path().split_once(".github/") {
        steps(report, runs, base.trim_end_matches('/'), None);
    }
}

fn steps(report: &mut DataReport<'_>, job: &Node, base: &str, directory: Option<&str>) {
    let mut workspace = Workspace::default();
    for step in job.get("steps").map_or(&[][..], Node::items) {
        let uses = step.get("uses").and_then(Node::text);
        if let Some(uses) = uses {
            if uses.text.starts_with("./") || uses.text == "." {
                action(report, uses, base, &workspace);
            }
            if let Some(with) = step.get("with") {
                inputs(report, with, base, &workspace, &uses.text);
            }
            remember(&mut workspace, &uses.text, step.get("with"));
        }
        if let Some(run) = step.get("run").and_then(Node::text) {
            let own = step.get("working-directory").and_then(Node::str).or(directory);
            let from = match own {
                _ if workspace.unclear || workspace.brought || !workspace.elsewhere.is_empty() => None,
                Some(own) if is_dynamic(own) => None,
                Some(own) => join(base, own),
                None => Some(base.to_owned()),
            };
            command::check(report, "yaml.actions.run", run, from.as_deref(), &workspace.earlier);
            workspace.earlier.push(&run.text);
        }
        if let Some(text) = step.get("working-directory").and_then(Node::text)
            && !workspace.unclear
            && workspace.elsewhere.is_empty()
        {
            report.check(text, PathRule::directory("yaml.actions.working-directory").hint(), &[base]);
        }
    }
}

/// What a step that uses an action does to the workspace.
fn remember<'n>(workspace: &mut Workspace<'n>, uses: &str, with: Option<&'n Node>) {
    let action = uses.split('@').next().unwrap_or("");
    if BRINGERS.iter().any(|bringer| action.contains(bringer)) && action != "actions/checkout" {
        workspace.brought = true;
    }
    if action != "actions/checkout" {
        return;
    }
    let get = |key: &str| with.and_then(|with| with.get(key)).and_then(Node::str);
    let (path, other) = (get("path").unwrap_or("").trim_matches(['.', '/']), get("repository").or(get("ref")));
    if is_dynamic(path) {
        workspace.unclear = true;
    } else if path.is_empty() && other.is_none() {
        // This commit, at the root: as it is in the repository.
    } else if other.is_some() {
        workspace.elsewhere.push(path);
    } else {
        workspace.copies.push(path);
    }
}

/// `uses: ./x`: a directory with `action.yml`, `action.yaml` or a Dockerfile, in what was checked out.
fn action(report: &mut DataReport<'_>, text: &Text, base: &str, workspace: &Workspace<'_>) {
    let kind = "yaml.actions.uses";
    if is_dynamic(&text.text) {
        return report.unknown(kind, text, Reason::Dynamic);
    }
    let path = text.text.trim_start_matches("./").trim_end_matches('/');
    let covers = |at: &&&str| at.is_empty() || within(path, at);
    let copied = workspace.copies.iter().find(covers).map(|at| path[at.len()..].trim_start_matches('/'));
    let mut tried = Vec::new();
    for path in [Some(path), copied].into_iter().flatten() {
        for file in ["action.yml", "action.yaml", "Dockerfile"] {
            tried.push(join(base, path).map(|path| format!("{path}/{file}").trim_start_matches('/').to_owned()));
        }
    }
    let there = tried.iter().flatten().any(|path| report.exists(path));
    let name = path.rsplit('/').next().unwrap_or(path);
    let made = workspace.earlier.iter().any(|text| text.contains(name) && command::makes_files(text));
    let elsewhere = workspace.unclear || workspace.elsewhere.iter().any(|at| at.is_empty() || within(path, at));
    if !there && (elsewhere || copied.is_some() || made) {
        return report.unknown(kind, text, Reason::Produced("a checkout".to_owned()));
    }
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Error, tried);
    report.add(kind, text, answer);
}

/// Inputs that name a file, where the workspace is this repository.
fn inputs(report: &mut DataReport<'_>, with: &Node, base: &str, workspace: &Workspace<'_>, uses: &str) {
    if workspace.unclear || workspace.brought || !workspace.elsewhere.is_empty() || !workspace.copies.is_empty() {
        return;
    }
    for (key, node) in with.entries() {
        let standard = key.text == "standard" && uses.starts_with("php-actions/phpcs");
        let file = INPUTS.contains(&key.text.as_ref())
            || (standard && node.str().is_some_and(|text| extension(text) == "xml"));
        let built = uses.starts_with("docker/build-push-action") && key.text == "file";
        if let Some(text) = node.text().filter(|text| (file || built) && !text.text.contains(['*', '\n', ','])) {
            report.check(text, PathRule::file("yaml.actions.with").warning(), &[base]);
        }
    }
}
