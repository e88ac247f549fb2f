//! The editor's own files: `.vscode`, `*.code-workspace`, `devcontainer.json`.

use crate::checked::{Reason, Severity};
use crate::language::data::report::{DataReport, PathRule};
use crate::language::data::{Node, Text};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, join, parent};

/// What stands for the workspace's directory.
const FOLDERS: [&str; 2] = ["${workspaceFolder}", "${workspaceRoot}"];
/// What is run as it is written: anything else is built first.
const SOURCES: [&str; 12] = ["js", "mjs", "cjs", "ts", "mts", "tsx", "py", "rb", "php", "pl", "lua", "sh"];
/// Options whose argument is a directory of the workspace.
const OPTIONS: [&str; 5] = ["-w", "--workspace", "--prefix", "--cwd", "-C"];

pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["configurations.cwd", "tasks.options.cwd", "options.cwd"] {
        root.texts(pattern).for_each(|text| place(report, text, Want::Directory, "json.vscode.cwd"));
    }
    for text in root.texts("configurations.program") {
        if SOURCES.contains(&extension(&text.text).as_str()) {
            program(report, text);
        }
    }
    for arguments in root.select("configurations") {
        let crate::language::data::NodeMatch::Value(configuration) = arguments else { continue };
        for list in ["runtimeArgs", "args"].iter().filter_map(|key| configuration.get(key)) {
            for pair in list.items().windows(2) {
                if let (Some(option), Some(text)) = (pair[0].str(), pair[1].text())
                    && OPTIONS.contains(&option)
                    && text.text.contains('/')
                    && !text.text.starts_with('@')
                {
                    place(report, text, Want::Directory, "json.vscode.args");
                }
            }
        }
    }
    // Settings have dots in their names, so they are no patterns.
    for (key, node) in root.entries() {
        match key.text.as_ref() {
            "rust-analyzer.linkedProjects" => {
                node.items()
                    .iter()
                    .filter_map(Node::text)
                    .for_each(|text| place(report, text, Want::File, "json.vscode.settings"));
            }
            "json.schemas" => {
                let urls = node.texts("url").filter(|text| text.text.starts_with('.'));
                urls.for_each(|text| place(report, text, Want::File, "json.vscode.settings"));
            }
            "yaml.schemas" => {
                let keys = node.texts("@").filter(|text| text.text.starts_with('.'));
                keys.for_each(|text| place(report, text, Want::File, "json.vscode.settings"));
            }
            _ => {}
        }
    }
}

/// A program of which the sources are in the repository: its directory must be there, or it is built.
fn program(report: &mut DataReport<'_>, text: &Text) {
    let Some(path) = inside(&text.text) else {
        return report.unknown("json.vscode.program", text, Reason::Dynamic);
    };
    let directory = join(parent(report.here()), parent(path.trim_start_matches('/')));
    if directory.is_none_or(|directory| report.project.tree().names(&directory).is_empty()) {
        return report.unknown("json.vscode.program", text, Reason::Produced("a build".to_owned()));
    }
    place(report, text, Want::File, "json.vscode.program");
}

/// A path in the workspace, which is the directory that `.vscode` is in or the root.
fn place(report: &mut DataReport<'_>, text: &Text, want: Want, kind: &'static str) {
    let Some(path) = inside(&text.text) else { return report.unknown(kind, text, Reason::Dynamic) };
    let folder = parent(report.here());
    let tried = [join(folder, path), join("", path)];
    let answer = Lookup::new(report.project, want).verdict(Severity::Warning, tried);
    report.add(kind, text, answer);
}

/// The path below the workspace; `None` if anything in it is computed or it is absolute.
fn inside(text: &str) -> Option<&str> {
    let below = FOLDERS.iter().find_map(|folder| text.strip_prefix(folder));
    let absolute = below.is_none() && (text.starts_with(['/', '~']) || text.contains(':'));
    let path = below.unwrap_or(text);
    (!path.contains('$') && !absolute && !path.contains(['*', '\\', '\n'])).then_some(path)
}

/// The folders of a workspace.
pub(super) fn check_folders(report: &mut DataReport<'_>, root: &Node) {
    report.all(root, "folders.path", PathRule::directory("json.vscode.folders").warning());
}

/// A development container: its files are seen from where it is.
pub(super) fn check_container(report: &mut DataReport<'_>, root: &Node) {
    for (pattern, rule) in [
        ("dockerFile", PathRule::file("json.devcontainer.dockerfile")),
        ("build.dockerfile", PathRule::file("json.devcontainer.dockerfile")),
        ("build.dockerFile", PathRule::file("json.devcontainer.dockerfile")),
        ("dockerComposeFile", PathRule::file("json.devcontainer.compose")),
        ("build.context", PathRule::directory("json.devcontainer.context")),
        ("context", PathRule::directory("json.devcontainer.context")),
    ] {
        report.all(root, pattern, rule);
    }
}
