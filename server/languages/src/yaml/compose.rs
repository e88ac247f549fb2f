//! Checks Docker Compose files.

use rustc_hash::FxHashMap;

use crate::data_report::{DataReport, PathRule, has_variable};
use crate::yaml::kinds;
use pathfinder_literals::path::{extension, has_scheme, is_dynamic, join, name, parent};
use pathfinder_literals::{Lookup, Reason, Severity, Verdict, Want};
use pathfinder_syntax::data::{Node, Text};

/// Words in the names of sample files.
const SAMPLE_MARKS: [&str; 6] = ["example", "sample", "template", "dist", "default", "tmpl"];

/// Returns whether a path is that of a compose file, by its name.
pub(crate) fn is_compose(path: &str) -> bool {
    let name = name(path);
    matches!(extension(path).as_str(), "yml" | "yaml")
        && (name.starts_with("compose.") || name.contains("docker-compose") || name.starts_with("compose-"))
}

/// Returns the literal context and Dockerfile of each service that is built.
pub(crate) fn services<'n>(root: &'n Node<'_>) -> impl Iterator<Item = (&'n str, Option<&'n str>)> {
    root.values("services.*.build").map(|build| match build {
        Node::Text(text) => (&*text.text, None),
        _ => (build.get("context").and_then(Node::str).unwrap_or("."), build.get("dockerfile").and_then(Node::str)),
    })
}

/// Checks the paths of a compose file.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    let base_directories = base_directories(report);
    let base_directories: Vec<&str> = base_directories.iter().map(String::as_str).collect();
    for build in root.values("services.*.build") {
        let context = build.text().or_else(|| build.get("context").and_then(Node::text));
        if let Some(context) = context {
            check_context(report, context, &base_directories);
        }
        if let Some(text) = build.get("dockerfile").and_then(Node::text) {
            check_dockerfile(report, text, context.map_or(".", |context| &context.text), &base_directories);
        }
    }
    for text in root.texts("services.*.build.additional_contexts.*") {
        if text.text.starts_with('.') {
            report.check(text, PathRule::directory(kinds::COMPOSE_CONTEXT), &base_directories);
        }
    }
    let mut sampled = FxHashMap::default();
    for node in root.values("services.*.env_file") {
        let is_optional = node.get("required").is_some_and(|required| required.is(false));
        for text in node.text().into_iter().chain(node.get("path").and_then(Node::text)) {
            check_env_file(report, text, is_optional, &base_directories, &mut sampled);
        }
    }
    report.check_all_from(root, "services.*.extends.file", PathRule::file(kinds::COMPOSE_EXTENDS), &base_directories);
    for pattern in ["services.*.volumes", "services.*.volumes.source"] {
        for text in root.texts(pattern) {
            check_volume(report, text, &base_directories);
        }
    }
    // Secrets are deliberately absent from repositories.
    report.check_all_from(root, "secrets.*.file", PathRule::file(kinds::COMPOSE_SECRETS).hint(), &base_directories);
    report.check_all_from(root, "configs.*.file", PathRule::file(kinds::COMPOSE_CONFIGS).warning(), &base_directories);
    for pattern in ["include", "include.path"] {
        for text in root.texts(pattern).filter(|text| !text.text.contains("://")) {
            report.check(text, PathRule::file(kinds::COMPOSE_INCLUDE), &base_directories);
        }
    }
}

/// Checks what a volume mounts from beside the file. The runtime makes a directory for a path that is missing, so that only a path that
/// exists is a literal, and that of a file that is written in another case or moved by git's history.
fn check_volume(report: &mut DataReport<'_>, text: &Text, base_directories: &[&str]) {
    // In the long form, the whole text is the path.
    let host = text.text.split(':').next().unwrap_or_default();
    if !host.starts_with("./") && !host.starts_with("../") || is_dynamic(host) || has_variable(host) {
        return;
    }
    let tried = base_directories.iter().map(|base| join(base, host));
    let answer = Lookup::new(report.project, Want::Any).verdict(Severity::Warning, tried);
    let is_path = match &answer.0 {
        Verdict::Found(_) => true,
        Verdict::Missing(missing) => missing.instead.is_some() && !extension(host).is_empty(),
        Verdict::Unknown(_) => false,
    };
    let range = text.range.start..text.range.start + host.len();
    if is_path && report.source.text().get(range.clone()) == Some(host) {
        report.add(kinds::COMPOSE_VOLUMES, &Text { text: host.into(), range }, answer);
    }
}

/// Removes what a service runs from a compose file: its paths are those of the container.
pub(super) fn remove_commands(root: &mut Node<'_>) {
    let Node::Map(entries) = root else { return };
    for (_, services) in entries.iter_mut().filter(|(key, _)| key.text == "services") {
        let Node::Map(services) = services else { continue };
        for (_, service) in services.iter_mut() {
            if let Node::Map(keys) = service {
                keys.retain(|(key, _)| !matches!(&*key.text, "command" | "entrypoint" | "healthcheck" | "working_dir"));
            }
        }
    }
}

/// The directories that paths can be relative to: this file's own and those above. Compose uses the directory of the
/// first file on the command line, or `--project-directory`.
fn base_directories(report: &DataReport<'_>) -> Vec<String> {
    let mut base_directories = vec![report.here().to_owned()];
    while let Some(last) = base_directories.last().filter(|last| !last.is_empty()) {
        base_directories.push(parent(last).to_owned());
    }
    base_directories
}

/// Checks a build context.
fn check_context(report: &mut DataReport<'_>, text: &Text, base_directories: &[&str]) {
    let is_remote = text.text.contains("://") || text.text.contains('@') || text.text.starts_with("github.com");
    if is_remote || text.text.contains('#') || text.text.contains(':') {
        return report.unknown(kinds::COMPOSE_BUILD, text, Reason::Elsewhere);
    }
    report.check(text, PathRule::directory(kinds::COMPOSE_BUILD), base_directories);
}

/// Checks a Dockerfile, relative to its context.
fn check_dockerfile(report: &mut DataReport<'_>, text: &Text, context: &str, base_directories: &[&str]) {
    let kind = kinds::COMPOSE_DOCKERFILE;
    let is_computed =
        [context, &text.text].iter().any(|part| is_dynamic(part) || has_variable(part) || has_scheme(part));
    if is_computed || context.contains('@') {
        return report.unknown(kind, text, Reason::Dynamic);
    }
    if text.text.starts_with(['/', '~']) {
        return report.unknown(kind, text, Reason::Outside);
    }
    let path = |base: &&str| join(base, context).and_then(|context| join(&context, &text.text));
    // From a directory further up, a context of `..` is out of the root.
    let (own, above) = base_directories.split_at(1);
    let tried = own.iter().map(path).chain(above.iter().filter_map(path).map(Some));
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Error, tried);
    report.add(kind, text, answer);
}

/// Checks an `env_file`. The user creates `.env`, and files with a sample beside them; `sampled` caches by directory
/// whether there are samples.
fn check_env_file(
    report: &mut DataReport<'_>,
    text: &Text,
    is_optional: bool,
    base_directories: &[&str],
    sampled: &mut FxHashMap<String, bool>,
) {
    let kind = kinds::COMPOSE_ENV_FILE;
    let exists = base_directories.iter().filter_map(|base| join(base, &text.text)).any(|path| report.exists(&path));
    let own = name(&text.text);
    if !exists && is_optional {
        return report.unknown(kind, text, Reason::Optional);
    }
    let mut is_sampled = |path: String| {
        *sampled.entry(parent(&path).to_owned()).or_insert_with_key(|directory| {
            let names = report.project.tree().names(directory);
            names.iter().any(|other| SAMPLE_MARKS.iter().any(|mark| other.contains(mark)))
        })
    };
    let mut paths = base_directories.iter().filter_map(|base| join(base, &text.text));
    if !exists && (own.starts_with(".env") || paths.any(&mut is_sampled)) {
        return report.unknown(kind, text, Reason::Produced("the user".to_owned()));
    }
    report.check(text, PathRule::file(kind).warning(), base_directories);
}
