//! Checks configurations of tools with few keys that name paths.

use crate::data_report::{DataReport, PathRule};
use crate::json::check_extended_path;
use crate::yaml::kinds;
use pathfinder_literals::path::{ancestors, extension, join, name, parent};
use pathfinder_literals::{Code, Missing, Reason, Severity, Target, Verdict, Want};
use pathfinder_syntax::data::{Node, Text};

/// Checks the manifest directories of Dependabot.
pub(super) fn check_dependabot(report: &mut DataReport<'_>, root: &Node) {
    let rule = PathRule::directory(kinds::DEPENDABOT_DIRECTORY).warning().slash();
    for update in root.values("updates") {
        // Another branch has other directories.
        if update.get("target-branch").is_some() {
            for text in update.texts("directory").chain(update.texts("directories")) {
                report.unknown(rule.kind, text, Reason::Undecided("the target branch".to_owned()));
            }
            continue;
        }
        for pattern in ["directory", "directories"] {
            report.check_all_from(update, pattern, rule, &[""]);
        }
    }
}

/// Checks local hooks of pre-commit: with the language `script`, the entry is a path from the root.
pub(super) fn check_pre_commit(report: &mut DataReport<'_>, root: &Node) {
    for repository in
        root.values("repos").filter(|repository| repository.get("repo").and_then(Node::str) == Some("local"))
    {
        for hook in repository.values("hooks") {
            if !matches!(hook.get("language").and_then(Node::str), Some("script" | "unsupported_script")) {
                continue;
            }
            if let Some(text) = hook.get("entry").and_then(Node::text) {
                let here = report.here();
                super::command::check(report, kinds::PRE_COMMIT_ENTRY, text, Some(here), &[]);
            }
        }
    }
}

/// Checks the files that a Read the Docs build reads, relative to the root. That of a repository which lies in this one is above the
/// configuration.
pub(super) fn check_readthedocs(report: &mut DataReport<'_>, root: &Node) {
    // `docs/.readthedocs.yaml` of a library is the deepest usual place.
    const MAX_OWN_DIRECTORIES: usize = 3;
    let roots: Vec<&str> = ancestors(report.here()).take(MAX_OWN_DIRECTORIES).chain([""]).collect();
    for (pattern, rule) in [
        ("sphinx.configuration", PathRule::file(kinds::READTHEDOCS_CONFIGURATION)),
        ("mkdocs.configuration", PathRule::file(kinds::READTHEDOCS_CONFIGURATION)),
        ("conda.environment", PathRule::file(kinds::READTHEDOCS_ENVIRONMENT)),
        ("conda.file", PathRule::file(kinds::READTHEDOCS_ENVIRONMENT)),
        ("python.install.requirements", PathRule::file(kinds::READTHEDOCS_REQUIREMENTS)),
        ("requirements_file", PathRule::file(kinds::READTHEDOCS_REQUIREMENTS)),
    ] {
        report.check_all_from(root, pattern, rule, &roots);
    }
    // `.[docs]` is the directory with the dependencies of a group.
    for text in root.texts("python.install.path").filter(|text| !text.text.ends_with(']')) {
        report.check(text, PathRule::directory(kinds::READTHEDOCS_PATH), &roots);
    }
}

/// Checks the files that `RuboCop` inherits or requires; a name without a leading dot is a gem.
pub(super) fn check_rubocop(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "inherit_from", PathRule::file(kinds::RUBOCOP_INHERIT_FROM));
    for text in root.texts("require").chain(root.texts("plugins")).filter(|text| text.text.starts_with('.')) {
        let here = report.here();
        report.check_with(text, PathRule::file(kinds::RUBOCOP_REQUIRE), &[here], &["", ".rb"]);
    }
}

/// Checks path rules of golangci-lint. They are regular expressions that match anywhere in a path. A rule that is a
/// literal path of a Go file, and matches no path of the repository, is for a removed file.
pub(super) fn check_golangci(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["issues.exclude-rules.path", "linters.exclusions.rules.path"] {
        for text in root.texts(pattern) {
            check_golangci_rule(report, text);
        }
    }
}

/// Checks the path of one rule.
fn check_golangci_rule(report: &mut DataReport<'_>, text: &Text) {
    let kind = kinds::GOLANGCI_PATH;
    let path = text.text.trim_start_matches('^').trim_end_matches('$').replace("\\.", ".");
    let is_literal = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte));
    if !is_literal || !path.contains('/') || extension(&path) != "go" || path.contains(".*") {
        return report.unknown(kind, text, Reason::Dynamic);
    }
    let found = report.project.tree().files().iter().find(|file| file.contains(path.as_str()));
    let wanted = join(report.here(), &path).unwrap_or_default();
    if let Some(file) = found {
        return report.add(kind, text, (Verdict::Found(Target { path: file.clone() }), Vec::new()));
    }
    if let Some(reason) = report.project.generated_by(&wanted) {
        return report.unknown(kind, text, reason);
    }
    let reason = format!("no path has {path} in it");
    let code = Code::MissingPath;
    let missing =
        Missing { code, severity: Severity::Warning, reason, wanted: wanted.clone(), want: Want::File, instead: None };
    report.add(kind, text, (Verdict::Missing(missing), vec![wanted]));
}

/// Checks a unit test of Prometheus rules, whose paths are relative to the file.
pub(super) fn check_promtool(report: &mut DataReport<'_>, root: &Node) {
    if root.get("tests").is_some() && root.get("rule_files").is_some() {
        report.check_all(root, "rule_files", PathRule::file(kinds::PROMTOOL_RULE_FILES));
    }
}

/// Checks path dependencies and assets of Dart and Flutter.
pub(super) fn check_pubspec(report: &mut DataReport<'_>, root: &Node) {
    for section in ["dependencies", "dev_dependencies", "dependency_overrides"] {
        report.check_all(root, &format!("{section}.*.path"), PathRule::directory(kinds::PUBSPEC_PATH));
    }
    for pattern in ["flutter.assets", "flutter.assets.path", "flutter.fonts.fonts.asset"] {
        // `packages/x/…` is in another package.
        for text in root.texts(pattern).filter(|text| !text.text.starts_with("packages/")) {
            let here = report.here();
            report.check(text, PathRule::any(kinds::PUBSPEC_ASSETS).warning(), &[here]);
        }
    }
}

/// Checks the packages of pnpm.
pub(super) fn check_pnpm(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("packages").filter(|text| !text.text.starts_with('!')) {
        let here = report.here();
        report.check(text, PathRule::directory(kinds::PNPM_PACKAGES).warning(), &[here]);
    }
    report.check_all(root, "patchedDependencies.*", PathRule::file(kinds::PNPM_PATCHES));
}

/// Checks the patches in a lock file of pnpm. A patch that is renamed breaks each installation until the file is written anew.
pub(super) fn check_pnpm_lock(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "patchedDependencies.*.path", PathRule::file(kinds::PNPM_PATCHES));
}

/// Returns the part of a text that is worth parsing: a lock file of pnpm lists its patches before thousands of packages.
pub(super) fn without_locked_packages<'t>(path: &str, text: &'t str) -> &'t str {
    if name(path) != "pnpm-lock.yaml" {
        return text;
    }
    let end = ["\nimporters:", "\npackages:"].iter().filter_map(|key| text.find(key)).min();
    if text.contains("\npatchedDependencies:") { &text[..end.unwrap_or(text.len())] } else { "" }
}

/// Checks the release and the plugins of Yarn.
pub(super) fn check_yarn(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["yarnPath", "plugins", "plugins.path"] {
        // A plugin of Yarn itself is no path.
        for text in root.texts(pattern).filter(|text| text.text.contains('/') && !text.text.starts_with('@')) {
            let here = report.here();
            report.check(text, PathRule::file(kinds::YARN_PATH), &[here]);
        }
    }
}

/// Checks the modules of buf.
pub(super) fn check_buf(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["modules.path", "directories"] {
        report.check_all(root, pattern, PathRule::directory(kinds::BUF_MODULES));
    }
}

/// Checks Antora's navigation.
pub(super) fn check_antora(report: &mut DataReport<'_>, root: &Node) {
    report.check_all(root, "nav", PathRule::file(kinds::ANTORA_NAV));
}

/// Checks Jupyter Book's table of contents, which omits extensions: any that its configuration knows will do, `.Rmd` too.
pub(super) fn check_toc(report: &mut DataReport<'_>, root: &Node) {
    if root.get("format").is_none() && root.get("root").is_none() {
        return;
    }
    for pattern in ["root", "**.file"] {
        for text in root.texts(pattern).filter(|text| !text.text.contains("://")) {
            let here = report.here();
            let page = join(here, &text.text).unwrap_or_default();
            let names = report.project.tree().names(parent(&page));
            let own =
                names.iter().filter_map(|other| other.strip_prefix(name(&page))).filter(|end| end.starts_with('.'));
            let endings: Vec<&str> = ["", ".md", ".ipynb", ".rst", ".txt", ".py"].into_iter().chain(own).collect();
            report.check_with(text, PathRule::file(kinds::TOC_FILE), &[here], &endings);
        }
    }
}

/// Checks Helm's dependencies in the repository.
pub(super) fn check_chart(report: &mut DataReport<'_>, root: &Node) {
    for text in root.texts("dependencies.repository") {
        if let Some(path) = text.text.strip_prefix("file://") {
            let path = join(report.here(), path);
            report.check_paths(text, PathRule::directory(kinds::CHART_REPOSITORY).warning(), [path]);
        }
    }
}

/// Checks the configurations that `ESLint` and Stylelint extend.
pub(super) fn check_extends(report: &mut DataReport<'_>, root: &Node) {
    for pattern in ["extends", "overrides.extends"] {
        root.texts(pattern).for_each(|text| check_extended_path(report, text));
    }
}

/// Checks `GoReleaser`. The main package of a build is relative to the directory in which that runs.
pub(super) fn check_goreleaser(report: &mut DataReport<'_>, root: &Node) {
    for build in root.values("builds") {
        let directory = build.get("dir").and_then(Node::str);
        for main in build.texts("main") {
            // An alias can bring a directory.
            if directory.is_none() && build.get("<<").is_some() {
                report.unknown(kinds::GORELEASER_MAIN, main, Reason::Dynamic);
                continue;
            }
            let base = join(report.here(), directory.unwrap_or_default()).unwrap_or_default();
            report.check(main, PathRule::any(kinds::GORELEASER_MAIN).warning(), &[&base]);
        }
    }
    report.check_all(root, "dockers.dockerfile", PathRule::file(kinds::GORELEASER_DOCKERFILE).warning());
}
