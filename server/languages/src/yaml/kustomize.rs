//! Checks Kustomize files.

use crate::data_report::{DataReport, PathRule};
use pathfinder_literals::path::{extension, join};
use pathfinder_literals::{Lookup, Reason, Severity, Want};
use pathfinder_syntax::data::{Node, Text};

/// Checks the paths of a `kustomization.yaml`.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for (key, kind) in [
        ("resources", "yaml.kustomize.resources"),
        ("bases", "yaml.kustomize.bases"),
        ("components", "yaml.kustomize.components"),
        ("generators", "yaml.kustomize.generators"),
        ("transformers", "yaml.kustomize.transformers"),
    ] {
        root.texts(key).for_each(|text| check_resource(report, text, kind));
    }
    for (pattern, kind) in [
        ("patches.path", "yaml.kustomize.patches"),
        ("patchesStrategicMerge", "yaml.kustomize.patches"),
        ("patchesJson6902.path", "yaml.kustomize.patches"),
        ("replacements.path", "yaml.kustomize.replacements"),
        ("configurations", "yaml.kustomize.configurations"),
        ("crds", "yaml.kustomize.crds"),
        ("openapi.path", "yaml.kustomize.openapi"),
    ] {
        // A patch can be inline text.
        for text in root.texts(pattern).filter(|text| !text.text.contains(['\n', '{']) && !text.text.contains(": ")) {
            let here = report.here();
            report.check(text, PathRule::file(kind), &[here]);
        }
    }
    for (pattern, rule) in [
        ("configMapGenerator.files", PathRule::file("yaml.kustomize.files").warning()),
        ("configMapGenerator.envs", PathRule::file("yaml.kustomize.files").warning()),
        ("configMapGenerator.env", PathRule::file("yaml.kustomize.files").warning()),
        // Secrets are deliberately absent from repositories.
        ("secretGenerator.files", PathRule::file("yaml.kustomize.secrets").hint()),
        ("secretGenerator.envs", PathRule::file("yaml.kustomize.secrets").hint()),
    ] {
        root.texts(pattern).for_each(|text| check_entry(report, text, rule));
    }
}

/// Checks a resource: a file, a directory with its own `kustomization.yaml`, or one of another repository.
fn check_resource(report: &mut DataReport<'_>, text: &Text, kind: &'static str) {
    let rule = PathRule::any(kind);
    let is_remote = ["://", "?ref=", "git@", "github.com", "//"].iter().any(|mark| text.text.contains(mark));
    let has_host =
        text.text.split('/').next().is_some_and(|host| {
            host.trim_matches('.').contains('.') && text.text.contains('/') && !host.starts_with('.')
        });
    let Some(path) = (!is_remote).then(|| report.path(text, rule)).flatten() else {
        if is_remote {
            report.unknown(kind, text, Reason::Elsewhere);
        }
        return;
    };
    let path = join(report.here(), &path);
    if has_host && path.as_deref().is_none_or(|path| !report.exists(path)) {
        return report.unknown(kind, text, Reason::Elsewhere);
    }
    if matches!(extension(&text.text).as_str(), "yaml" | "yml" | "json") {
        return report.check_paths(text, PathRule::any(kind), [path]);
    }
    let files = ["kustomization.yaml", "kustomization.yml", "Kustomization"];
    let inside =
        files.iter().map(|file| path.as_ref().map(|path| format!("{path}/{file}").trim_start_matches('/').to_owned()));
    let mut lookup = Lookup::new(report.project, Want::File);
    let found = lookup.first(std::iter::once(path.clone()).chain(inside));
    let answer = match found {
        Some(path) => (pathfinder_literals::Verdict::Found(pathfinder_literals::Target { path }), Vec::new()),
        None => lookup.missing(Severity::Error),
    };
    report.add(kind, text, answer);
}

/// Checks `path` or `key=path`.
fn check_entry(report: &mut DataReport<'_>, text: &Text, rule: PathRule) {
    let Some(written) = report.source.text().get(text.range.clone()) else { return };
    let start = written.rfind('=').map_or(0, |at| at + 1);
    let path = text.text.rsplit('=').next().unwrap_or("");
    let cut = Text { text: path.into(), range: text.range.start + start..text.range.end };
    let here = report.here();
    report.check(&cut, rule, &[here]);
}
