//! Hooks and logs in hostile repositories. A file of `hooks/` has one attack per `[[case]]`:
//!
//! - `tree`: the repository, as `Project::new` has it;
//! - `agent` and `event` (a JSON text in which `ROOT` is the root), or `args` and `stdin` of another command;
//! - `command`: the command that the agent may run in the end, if the hook gives another one; `path` the same of a path. Without them
//!   the call stays as it is;
//! - `says` and `never`: what the answer has to have in it, and what it must not;
//! - `silent`: nothing is said at all; `stdout`: exactly this is printed.
//!
//! A command that the hook gives is run as well, and must leave every file as it was.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::project::{Outcome, Project};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    tree: String,
    #[serde(default)]
    agent: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    stdin: String,
    command: Option<String>,
    path: Option<String>,
    #[serde(default)]
    says: Vec<String>,
    #[serde(default)]
    never: Vec<String>,
    #[serde(default)]
    silent: bool,
    stdout: Option<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

/// Tries each attack of a file, and lists those that work.
#[track_caller]
fn check(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/attack/hooks").join(file);
    let Cases { case: cases } = toml_edit::de::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(!cases.is_empty(), "{file} has no cases");
    let wrong: Vec<String> =
        cases.iter().filter_map(|case| Some(format!("{}: {}", case.name, attack(case)?))).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Runs an attack; gives the defect in its outcome, if there is one.
fn attack(case: &Case) -> Option<String> {
    let project = Project::new(&case.tree);
    let root = project.root().display().to_string();
    let before = project.contents();
    let outcome = if case.agent.is_empty() {
        let args: Vec<&str> = case.args.iter().map(String::as_str).collect();
        project.run(&args, case.stdin.replace("ROOT", &root).as_bytes())
    } else {
        project.run(&["hook", &case.agent], case.event.replace("ROOT", &root).as_bytes())
    };
    let said = outcome.stdout.replace(&root, "ROOT");
    let wrong = judge(case, &outcome, &said);
    // The command that the agent would run now.
    let answer = serde_json::from_str(&said).unwrap_or(Value::Null);
    if let Some(command) = find(&answer, "command") {
        _ = project.shell(&command).status();
    }
    let changed = (project.contents() != before).then(|| "files were changed".to_owned());
    wrong.or(changed).map(|wrong| format!("{wrong}\n    said {}\n    {}", said.trim_end(), outcome.stderr.trim_end()))
}

fn judge(case: &Case, outcome: &Outcome, said: &str) -> Option<String> {
    if !case.agent.is_empty() && (outcome.code != Some(0) || !outcome.stderr.is_empty()) {
        return Some(format!("it ended with {:?}", outcome.code));
    }
    if let Some(expect) = case.stdout.as_ref().filter(|expect| *expect != said) {
        return Some(format!("not {expect:?}"));
    }
    if case.silent && !said.is_empty() {
        return Some("something was said".to_owned());
    }
    if let Some(text) = case.says.iter().find(|text| !said.contains(text.as_str())) {
        return Some(format!("{text:?} was not said"));
    }
    if let Some(text) = case.never.iter().find(|text| said.contains(text.as_str())) {
        return Some(format!("{text:?} was said"));
    }
    if case.agent.is_empty() {
        return None;
    }
    let answer = serde_json::from_str(said).unwrap_or(Value::Null);
    let path = ["file_path", "filePath", "path"].into_iter().find_map(|name| find(&answer, name));
    let is_other = find(&answer, "command") != case.command || path != case.path;
    is_other.then(|| "the call is another one".to_owned())
}

/// A text of this name, wherever it stands in a message.
fn find(message: &Value, name: &str) -> Option<String> {
    let object = message.as_object()?;
    let own = object.get(name).and_then(Value::as_str).map(str::to_owned);
    own.or_else(|| object.values().find_map(|value| find(value, name)))
}

#[test]
fn commands_run_nothing_else() {
    check("commands.toml");
}

#[test]
fn secrets_stay_secret() {
    check("secrets.toml");
}

#[test]
fn names_stay_names() {
    check("names.toml");
}
