//! JSON: the files whose keys are known to name paths, and `$ref` and `$schema` anywhere.

mod composer;
mod editor;
mod package;
mod schema;
mod tools;
mod tsconfig;
mod workspace;

use super::Language;
use super::data::Node;
use super::data::json::read;
use super::data::report::DataReport;
use crate::checked::Checked;
use crate::path::{extension, name};
use crate::project::Project;
use crate::source::Source;

pub(crate) use schema::references;
pub(crate) use tools::extends;

/// JSON, with or without comments.
pub(crate) struct Json;

/// What one known file's keys mean.
type Check = fn(&mut DataReport<'_>, &Node);

impl Language for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "json" | "jsonc" | "json5" | "code-workspace" | "webmanifest")
            || matches!(name(path), ".eslintrc" | ".babelrc" | ".stylelintrc" | ".swcrc")
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let known = check_of(source.path());
        let general = has_references(source.text());
        if known.is_none() && !general {
            return;
        }
        let Some(root) = read(source.text()) else { return };
        let mut report = DataReport::new(source, project, found);
        if let Some(known) = known {
            known(&mut report, &root);
        }
        if general {
            schema::check(&mut report, &root);
        }
    }
}

/// Most JSON is data: it is parsed only if it has what could be a reference.
fn has_references(text: &str) -> bool {
    ["$ref", "$schema"].iter().any(|key| memchr::memmem::find(text.as_bytes(), key.as_bytes()).is_some())
}

/// What is known of a file by its name.
fn check_of(path: &str) -> Option<Check> {
    let name = name(path);
    let json = |stem: &str| {
        name.strip_prefix(stem).is_some_and(|rest| {
            matches!(rest, ".json" | ".jsonc" | ".json5") || (rest.starts_with('.') && extension(rest) == "json")
        })
    };
    let known: Check = match name {
        "package.json" => package::check,
        "package-lock.json" | "npm-shrinkwrap.json" => package::check_lock,
        "composer.json" => composer::check,
        "launch.json" | "tasks.json" | "settings.json" if path_ends(path, ".vscode") => editor::check,
        "devcontainer.json" | ".devcontainer.json" => editor::check_container,
        "project.json" => workspace::check_project,
        "angular.json" | "workspace.json" => workspace::check_angular,
        "lerna.json" => workspace::check_lerna,
        "deno.json" | "deno.jsonc" => workspace::check_deno,
        "ci.json" if path_ends(path, ".codesandbox") => tools::check_sandbox,
        "renovate.json" | "renovate.json5" | ".renovaterc.json" => tools::check_renovate,
        "biome.json" | "biome.jsonc" | "rome.json" | ".babelrc" | ".babelrc.json" | ".eslintrc" | ".eslintrc.json"
        | ".stylelintrc" | ".stylelintrc.json" | "tslint.json" | ".swcrc" => tools::check_extends,
        "release-please-config.json" | ".release-please-manifest.json" => tools::check_release,
        "CMakePresets.json" => tools::check_cmake,
        "app.json" => tools::check_expo,
        "turbo.json" | "turbo.jsonc" => tools::check_turbo,
        "typedoc.json" => tools::check_typedoc,
        _ if name.ends_with(".code-workspace") => editor::check_folders,
        _ if json("tsconfig") || json("jsconfig") => tsconfig::check,
        _ => return None,
    };
    Some(known)
}

/// Whether a file lies directly in a directory of this name.
fn path_ends(path: &str, directory: &str) -> bool {
    crate::path::name(crate::path::parent(path)) == directory
}

#[cfg(test)]
mod tests;
