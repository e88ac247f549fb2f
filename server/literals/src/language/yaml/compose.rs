//! Docker Compose.

use rustc_hash::FxHashMap;

use crate::checked::{Reason, Severity};
use crate::language::data::report::{DataReport, PathRule, has_variable};
use crate::language::data::{Node, Text};
use crate::lookup::{Lookup, Want};
use crate::path::{extension, has_scheme, is_dynamic, join, name, parent};

/// What the names of samples have in them.
const SAMPLES: [&str; 6] = ["example", "sample", "template", "dist", "default", "tmpl"];

/// Whether a path is that of a compose file, by its name.
pub(crate) fn is_compose(path: &str) -> bool {
    let name = name(path);
    matches!(extension(path).as_str(), "yml" | "yaml")
        && (name.starts_with("compose.") || name.contains("docker-compose") || name.starts_with("compose-"))
}

/// What is built by the services of a compose file: context and Dockerfile (as they are written), where they are known.
pub(crate) fn services<'n>(root: &'n Node<'_>) -> impl Iterator<Item = (&'n str, Option<&'n str>)> {
    root.values("services.*.build").map(|build| match build {
        Node::Text(text) => (&*text.text, None),
        _ => (build.get("context").and_then(Node::str).unwrap_or("."), build.get("dockerfile").and_then(Node::str)),
    })
}

pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    let bases = bases(report);
    let bases: Vec<&str> = bases.iter().map(String::as_str).collect();
    for build in root.values("services.*.build") {
        let context = build.text().or_else(|| build.get("context").and_then(Node::text));
        if let Some(context) = context {
            report_context(report, context, &bases);
        }
        if let Some(text) = build.get("dockerfile").and_then(Node::text) {
            dockerfile(report, text, context.map_or(".", |context| &context.text), &bases);
        }
    }
    for text in root.texts("services.*.build.additional_contexts.*") {
        if text.text.starts_with('.') {
            report.check(text, PathRule::directory("yaml.compose.context"), &bases);
        }
    }
    let mut sampled = FxHashMap::default();
    for node in root.values("services.*.env_file") {
        let optional = node.get("required").is_some_and(|required| required.is(false));
        for text in node.text().into_iter().chain(node.get("path").and_then(Node::text)) {
            env_file(report, text, optional, &bases, &mut sampled);
        }
    }
    report.all_from(root, "services.*.extends.file", PathRule::file("yaml.compose.extends"), &bases);
    // Secrets are kept out of repositories on purpose.
    report.all_from(root, "secrets.*.file", PathRule::file("yaml.compose.secrets").hint(), &bases);
    report.all_from(root, "configs.*.file", PathRule::file("yaml.compose.configs").warning(), &bases);
    for pattern in ["include", "include.path"] {
        for text in root.texts(pattern).filter(|text| !text.text.contains("://")) {
            report.check(text, PathRule::file("yaml.compose.include"), &bases);
        }
    }
}

/// Paths are seen from the directory of the *first* file of a command line, or from `--project-directory`: that is
/// this one's or one above it.
fn bases(report: &DataReport<'_>) -> Vec<String> {
    let mut bases = vec![report.here().to_owned()];
    while let Some(last) = bases.last().filter(|last| !last.is_empty()) {
        bases.push(parent(last).to_owned());
    }
    bases
}

fn report_context(report: &mut DataReport<'_>, text: &Text, bases: &[&str]) {
    let remote = text.text.contains("://") || text.text.contains('@') || text.text.starts_with("github.com");
    if remote || text.text.contains('#') || text.text.contains(':') {
        return report.unknown("yaml.compose.build", text, Reason::Elsewhere);
    }
    report.check(text, PathRule::directory("yaml.compose.build"), bases);
}

/// Seen from the context.
fn dockerfile(report: &mut DataReport<'_>, text: &Text, context: &str, bases: &[&str]) {
    let kind = "yaml.compose.dockerfile";
    let computed = [context, &text.text].iter().any(|part| is_dynamic(part) || has_variable(part) || has_scheme(part));
    if computed || context.contains('@') {
        return report.unknown(kind, text, Reason::Dynamic);
    }
    if text.text.starts_with(['/', '~']) {
        return report.unknown(kind, text, Reason::Outside);
    }
    let tried = bases.iter().map(|base| join(base, context).and_then(|context| join(&context, &text.text)));
    let answer = Lookup::new(report.project, Want::File).verdict(Severity::Error, tried);
    report.add(kind, text, answer);
}

/// `.env` and what has a sample beside it is for each user to make; `sampled` keeps which directories have samples.
fn env_file(
    report: &mut DataReport<'_>,
    text: &Text,
    optional: bool,
    bases: &[&str],
    sampled: &mut FxHashMap<String, bool>,
) {
    let kind = "yaml.compose.env-file";
    let there = bases.iter().filter_map(|base| join(base, &text.text)).any(|path| report.exists(&path));
    let own = name(&text.text);
    if !there && optional {
        return report.unknown(kind, text, Reason::Optional);
    }
    let mut is_sampled = |path: String| {
        *sampled.entry(parent(&path).to_owned()).or_insert_with_key(|directory| {
            let names = report.project.tree().names(directory);
            names.iter().any(|other| SAMPLES.iter().any(|mark| other.contains(mark)))
        })
    };
    let mut paths = bases.iter().filter_map(|base| join(base, &text.text));
    if !there && (own.starts_with(".env") || paths.any(&mut is_sampled)) {
        return report.unknown(kind, text, Reason::Produced("the user".to_owned()));
    }
    report.check(text, PathRule::file(kind).warning(), bases);
}
