//! Checks files of editors: `.vscode`, `*.code-workspace`, `devcontainer.json`.

use crate::data_report::{DataReport, PathRule};
use crate::json::kinds;
use pathfinder_literals::path::{extension, join, parent};
use pathfinder_literals::{LiteralKind, Lookup, Reason, Severity, Want};
use pathfinder_syntax::data::{Node, Text};

/// Variables for the workspace directory.
const WORKSPACE_VARIABLES: [&str; 2] = ["${workspaceFolder}", "${workspaceRoot}"];
/// Extensions of programs that run without a build.
const SOURCE_EXTENSIONS: [&str; 12] = ["js", "mjs", "cjs", "ts", "mts", "tsx", "py", "rb", "php", "pl", "lua", "sh"];
/// Options whose argument is a directory of the workspace.
const DIRECTORY_OPTIONS: [&str; 5] = ["-w", "--workspace", "--prefix", "--cwd", "-C"];

/// Checks `launch.json`, `tasks.json` and `settings.json` of `.vscode`.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["tasks.options.cwd", "options.cwd"] {
        root.texts(pattern).for_each(|text| check_path(report, text, Want::Directory, kinds::VSCODE_CWD));
    }
    for matched in root.select("configurations") {
        let pathfinder_syntax::data::NodeMatch::Value(configuration) = matched else { continue };
        if let Some(text) = configuration.get("cwd").and_then(Node::text) {
            check_working_directory(report, text, configuration.get("program").and_then(Node::str));
        }
    }
    for text in root.texts("configurations.program") {
        if SOURCE_EXTENSIONS.contains(&extension(&text.text).as_str()) {
            check_program(report, text);
        }
    }
    for arguments in root.select("configurations") {
        let pathfinder_syntax::data::NodeMatch::Value(configuration) = arguments else { continue };
        for list in ["runtimeArgs", "args"].iter().filter_map(|key| configuration.get(key)) {
            for pair in list.items().windows(2) {
                if let (Some(option), Some(text)) = (pair[0].str(), pair[1].text())
                    && DIRECTORY_OPTIONS.contains(&option)
                    && text.text.contains('/')
                    && !text.text.starts_with('@')
                {
                    check_path(report, text, Want::Directory, kinds::VSCODE_ARGS);
                }
            }
        }
    }
    // Setting names contain dots, so `entries` is used instead of a pattern.
    for (key, node) in root.entries() {
        match key.text.as_ref() {
            "rust-analyzer.linkedProjects" => {
                node.items()
                    .iter()
                    .filter_map(Node::text)
                    .for_each(|text| check_path(report, text, Want::File, kinds::VSCODE_SETTINGS));
            }
            "json.schemas" => {
                let urls = node.texts("url").filter(|text| text.text.starts_with('.'));
                urls.for_each(|text| check_path(report, text, Want::File, kinds::VSCODE_SETTINGS));
            }
            "yaml.schemas" => {
                let keys = node.texts("@").filter(|text| text.text.starts_with('.'));
                keys.for_each(|text| check_path(report, text, Want::File, kinds::VSCODE_SETTINGS));
            }
            _ => {}
        }
    }
}

/// Checks the directory where a program runs. If the program is built into that directory, the build creates it.
fn check_working_directory(report: &mut DataReport<'_>, text: &Text, program: Option<&str>) {
    let is_built = program.is_some_and(|program| {
        parent(program) == text.text.trim_end_matches('/') && !SOURCE_EXTENSIONS.contains(&extension(program).as_str())
    });
    let exists = parse_workspace_path(&text.text)
        .and_then(|path| join(parent(report.here()), path.trim_start_matches('/')))
        .is_some_and(|path| report.project.tree().kind(&path).is_some());
    if is_built && !exists {
        return report.unknown(kinds::VSCODE_CWD, text, Reason::Produced("a build".to_owned()));
    }
    check_path(report, text, Want::Directory, kinds::VSCODE_CWD);
}

/// Checks a program that runs from source. If its directory is missing, a build creates it.
fn check_program(report: &mut DataReport<'_>, text: &Text) {
    let Some(path) = parse_workspace_path(&text.text) else {
        return report.unknown(kinds::VSCODE_PROGRAM, text, Reason::Dynamic);
    };
    let directory = join(parent(report.here()), parent(path.trim_start_matches('/')));
    if directory.is_none_or(|directory| report.project.tree().names(&directory).is_empty()) {
        return report.unknown(kinds::VSCODE_PROGRAM, text, Reason::Produced("a build".to_owned()));
    }
    check_path(report, text, Want::File, kinds::VSCODE_PROGRAM);
}

/// Checks a path in the workspace: the directory of `.vscode`, or the root.
fn check_path(report: &mut DataReport<'_>, text: &Text, want: Want, kind: LiteralKind) {
    let Some(path) = parse_workspace_path(&text.text) else { return report.unknown(kind, text, Reason::Dynamic) };
    let folder = parent(report.here());
    let tried = [join(folder, path), join("", path)];
    let answer = Lookup::new(report.project, want).verdict(Severity::Warning, tried);
    report.add(kind, text, answer);
}

/// Parses a path below the workspace; `None` if part of it is computed or it is absolute.
fn parse_workspace_path(text: &str) -> Option<&str> {
    let below = WORKSPACE_VARIABLES.iter().find_map(|folder| text.strip_prefix(folder));
    let is_absolute = below.is_none() && (text.starts_with(['/', '~']) || text.contains(':'));
    let path = below.unwrap_or(text);
    (!path.contains('$') && !is_absolute && !path.contains(['*', '\\', '\n'])).then_some(path)
}

/// Checks the folders of a workspace.
pub(super) fn check_folders(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "folders.path", PathRule::directory(kinds::VSCODE_FOLDERS).warning());
}

/// Checks a development container, whose paths are relative to its file.
pub(super) fn check_container(report: &mut DataReport<'_>, root: &Node) {
    for (pattern, rule) in [
        ("dockerFile", PathRule::file(kinds::DEVCONTAINER_DOCKERFILE)),
        ("build.dockerfile", PathRule::file(kinds::DEVCONTAINER_DOCKERFILE)),
        ("build.dockerFile", PathRule::file(kinds::DEVCONTAINER_DOCKERFILE)),
        ("dockerComposeFile", PathRule::file(kinds::DEVCONTAINER_COMPOSE)),
        ("build.context", PathRule::directory(kinds::DEVCONTAINER_CONTEXT)),
        ("context", PathRule::directory(kinds::DEVCONTAINER_CONTEXT)),
    ] {
        report.check_all(root, pattern, rule);
    }
}
