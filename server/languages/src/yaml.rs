//! Checks YAML: files with known keys that name paths, and `$ref` in any file.

mod actions;
mod ansible;
mod ci;
mod command;
mod compose;
pub(crate) mod kinds;
mod kustomize;
mod mkdocs;
mod tools;

use crate::data_report::DataReport;
use crate::data_values;
use crate::json::check_references;
use crate::moved_addresses;
use crate::path_words;
use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::yaml::read;

pub(crate) use actions::subdirectory_of_commit;
pub(crate) use compose::{is_compose, services};

/// The YAML language.
pub(crate) struct Yaml;

/// A check of one known file's keys.
type YamlCheck = fn(&mut DataReport<'_>, &Node);

impl Language for Yaml {
    fn name(&self) -> &'static str {
        "yaml"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "yml" | "yaml")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let known = find_check(source.path());
        let has = |word: &str| memchr::memmem::find(source.text().as_bytes(), word.as_bytes()).is_some();
        let (has_references, has_rule_files, has_templates) = (has("$ref"), has("rule_files"), has("template:"));
        let has_values = data_values::has_values(source.path(), source.text());
        let has_includes = ansible::can_include(source.text());
        let has_any = has_references || has_rule_files || has_templates || has_values || has_includes;
        if known.is_none() && !has_any {
            return;
        }
        // A template is not YAML yet, and the base of its paths is unknown.
        if is_template(source.path(), source.text()) {
            return;
        }
        for mut root in read(tools::without_locked_packages(source.path(), source.text())) {
            let mut report = DataReport::new(source, project, found);
            if let Some(known) = known {
                known(&mut report, &root);
            }
            if has_references {
                check_references(&mut report, &root, kinds::REF);
            }
            if has_includes {
                ansible::check(&mut report, &root);
            }
            if has_rule_files && known.is_none() {
                tools::check_promtool(&mut report, &root);
            }
            if has_templates && known.is_none() {
                ci::check_azure_templates(&mut report, &root);
            }
            if has_values {
                if is_compose(source.path()) {
                    compose::remove_commands(&mut root);
                }
                data_values::check(&mut report, &root, kinds::VALUE);
                path_words::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
                data_values::pages::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
                data_values::names::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
                moved_addresses::add(source, project, found, kinds::VALUE, 0..source.text().len());
            }
        }
    }
}

/// The check for a file, by its name.
fn find_check(path: &str) -> Option<YamlCheck> {
    let name = name(path);
    let directory = pathfinder_literals::path::parent(path);
    let known: YamlCheck = match name {
        _ if directory.ends_with(".github/workflows") => actions::check_workflow,
        "action.yml" | "action.yaml" => actions::check_action,
        "dependabot.yml" | "dependabot.yaml" if directory.ends_with(".github") => tools::check_dependabot,
        "mkdocs.yml" | "mkdocs.yaml" => mkdocs::check,
        _ if name.starts_with("mkdocs.") => mkdocs::check,
        ".pre-commit-config.yaml" | ".pre-commit-config.yml" => tools::check_pre_commit,
        ".pre-commit-hooks.yaml" => return None,
        _ if name.ends_with(".gitlab-ci.yml") || name.ends_with(".gitlab-ci.yaml") => ci::check_gitlab,
        "kustomization.yml" | "kustomization.yaml" => kustomize::check,
        ".readthedocs.yml" | ".readthedocs.yaml" | "readthedocs.yml" | "readthedocs.yaml" => tools::check_readthedocs,
        ".golangci.yml" | ".golangci.yaml" => tools::check_golangci,
        "config.yml" if directory.ends_with(".circleci") => ci::check_circle,
        ".travis.yml" => ci::check_travis,
        "pubspec.yaml" | "pubspec_overrides.yaml" => tools::check_pubspec,
        "pnpm-workspace.yaml" => tools::check_pnpm,
        "pnpm-lock.yaml" => tools::check_pnpm_lock,
        ".yarnrc.yml" => tools::check_yarn,
        "buf.yaml" | "buf.work.yaml" => tools::check_buf,
        "antora.yml" => tools::check_antora,
        "_toc.yml" => tools::check_toc,
        "Chart.yaml" => tools::check_chart,
        ".eslintrc.yml" | ".eslintrc.yaml" | ".stylelintrc.yml" | ".stylelintrc.yaml" => tools::check_extends,
        ".goreleaser.yml" | ".goreleaser.yaml" => tools::check_goreleaser,
        _ if name.starts_with(".rubocop") => tools::check_rubocop,
        _ if name.starts_with("azure-pipelines") => ci::check_azure,
        _ if is_compose(path) => compose::check,
        _ => return None,
    };
    Some(known)
}

/// Returns whether Helm, Jinja or ERB fills in the file. `${{ }}` of GitHub and others is no template.
fn is_template(path: &str, text: &str) -> bool {
    let is_in_templates = path.contains("/templates/") || path.starts_with("templates/");
    let has_block = memchr::memmem::find(text.as_bytes(), b"{%").is_some();
    let has_helm = is_in_templates && text.match_indices("{{").any(|(at, _)| !text[..at].ends_with('$'));
    let has_marked_line = text.lines().any(|line| line.trim_start().starts_with("{{"));
    has_block || has_helm || has_marked_line
}

#[cfg(test)]
mod tests;
