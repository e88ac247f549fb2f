//! Checks Kustomize files.

use crate::data_report::{DataReport, PathRule};
use crate::yaml::kinds;
use pathfinder_literals::path::{extension, join};
use pathfinder_literals::{LiteralKind, Lookup, Reason, Severity, Want};
use pathfinder_syntax::data::{Node, Text};

/// Checks the paths of a `kustomization.yaml`.
pub(super) fn check(report: &mut DataReport<'_>, root: &Node) {
    for (key, kind) in [
        ("resources", kinds::KUSTOMIZE_RESOURCES),
        ("bases", kinds::KUSTOMIZE_BASES),
        ("components", kinds::KUSTOMIZE_COMPONENTS),
        ("generators", kinds::KUSTOMIZE_GENERATORS),
        ("transformers", kinds::KUSTOMIZE_TRANSFORMERS),
    ] {
        root.texts(key).for_each(|text| check_resource(report, text, kind));
    }
    for (pattern, kind) in [
        ("patches.path", kinds::KUSTOMIZE_PATCHES),
        ("patchesStrategicMerge", kinds::KUSTOMIZE_PATCHES),
        ("patchesJson6902.path", kinds::KUSTOMIZE_PATCHES),
        ("replacements.path", kinds::KUSTOMIZE_REPLACEMENTS),
        ("configurations", kinds::KUSTOMIZE_CONFIGURATIONS),
        ("crds", kinds::KUSTOMIZE_CRDS),
        ("openapi.path", kinds::KUSTOMIZE_OPENAPI),
    ] {
        // A patch can be inline text.
        for text in root.texts(pattern).filter(|text| !text.text.contains(['\n', '{']) && !text.text.contains(": ")) {
            let here = report.here();
            report.check(text, PathRule::file(kind), &[here]);
        }
    }
    for (pattern, rule) in [
        ("configMapGenerator.files", PathRule::file(kinds::KUSTOMIZE_FILES).warning()),
        ("configMapGenerator.envs", PathRule::file(kinds::KUSTOMIZE_FILES).warning()),
        ("configMapGenerator.env", PathRule::file(kinds::KUSTOMIZE_FILES).warning()),
        // Secrets are deliberately absent from repositories.
        ("secretGenerator.files", PathRule::file(kinds::KUSTOMIZE_SECRETS).hint()),
        ("secretGenerator.envs", PathRule::file(kinds::KUSTOMIZE_SECRETS).hint()),
    ] {
        root.texts(pattern).for_each(|text| check_entry(report, text, rule));
    }
}

/// Checks a resource: a file, a directory with its own `kustomization.yaml`, or one of another repository.
fn check_resource(report: &mut DataReport<'_>, text: &Text, kind: LiteralKind) {
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
