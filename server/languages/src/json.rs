//! Checks JSON: files with known keys that name paths, and `$ref` and `$schema` in any file.

mod composer;
mod editor;
pub(crate) mod kinds;
mod package;
mod published_outputs;
mod schema;
mod scripts;
mod tools;
mod tsconfig;
mod workspace;

use crate::data_report::DataReport;
use crate::data_values;
use crate::moved_addresses;
use crate::path_words;
use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Source};
use pathfinder_syntax::data::Node;
use pathfinder_syntax::data::json::read;

use published_outputs::NpmOutputs;

pub(crate) use schema::check_references;
pub(crate) use tools::check_extended_path;

/// The JSON language, with or without comments.
pub(crate) struct Json;

/// A check of one known file's keys.
type JsonCheck = fn(&mut DataReport<'_>, &Node);

impl Language for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        matches!(extension(path).as_str(), "json" | "jsonc" | "json5" | "code-workspace" | "webmanifest")
            || matches!(name(path), ".eslintrc" | ".babelrc" | ".stylelintrc" | ".swcrc")
    }

    fn published_by(&self, path: &str, project: &Project) -> Option<String> {
        project.index::<NpmOutputs>().find_manifest(project.tree(), path)
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let known = find_check(source.path());
        let can_have_references = has_references(source.text());
        let has_values = data_values::has_values(source.path(), source.text());
        if known.is_none() && !can_have_references && !has_values {
            return;
        }
        let Some(root) = read(source.text()) else { return };
        let mut report = DataReport::new(source, project, found);
        if let Some(known) = known {
            known(&mut report, &root);
        }
        if can_have_references {
            schema::check(&mut report, &root);
        }
        if has_values {
            data_values::check(&mut report, &root, kinds::VALUE);
            path_words::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
            data_values::pages::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
            data_values::names::check(source, project, found, kinds::VALUE, path_words::strings_of(&root));
            moved_addresses::add(source, project, found, kinds::VALUE, 0..source.text().len());
        }
    }
}

/// Returns whether a text can contain references. Most JSON is data, and need not be parsed.
fn has_references(text: &str) -> bool {
    ["$ref", "$schema"].iter().any(|key| memchr::memmem::find(text.as_bytes(), key.as_bytes()).is_some())
}

/// The check for a file, by its name.
fn find_check(path: &str) -> Option<JsonCheck> {
    let name = name(path);
    let json = |stem: &str| {
        name.strip_prefix(stem).is_some_and(|rest| {
            matches!(rest, ".json" | ".jsonc" | ".json5") || (rest.starts_with('.') && extension(rest) == "json")
        })
    };
    let known: JsonCheck = match name {
        "package.json" => package::check,
        "package-lock.json" | "npm-shrinkwrap.json" => package::check_lock,
        "composer.json" => composer::check,
        "launch.json" | "tasks.json" | "settings.json" if is_in_directory(path, ".vscode") => editor::check,
        "devcontainer.json" | ".devcontainer.json" => editor::check_container,
        "project.json" => workspace::check_project,
        "angular.json" | "workspace.json" => workspace::check_angular,
        "lerna.json" => workspace::check_lerna,
        "deno.json" | "deno.jsonc" => workspace::check_deno,
        "ci.json" if is_in_directory(path, ".codesandbox") => tools::check_sandbox,
        "renovate.json" | "renovate.json5" | ".renovaterc.json" => tools::check_renovate,
        "biome.json" | "biome.jsonc" | "rome.json" | ".babelrc" | ".babelrc.json" | ".eslintrc" | ".eslintrc.json"
        | ".stylelintrc" | ".stylelintrc.json" | "tslint.json" | ".swcrc" => tools::check_extends,
        "release-please-config.json" | ".release-please-manifest.json" => tools::check_release,
        "CMakePresets.json" => tools::check_cmake,
        "app.json" => tools::check_expo,
        "tauri.conf.json" | "tauri.conf.json5" => tools::check_tauri,
        "config.json" if is_in_directory(path, ".changes") => tools::check_covector,
        "turbo.json" | "turbo.jsonc" => tools::check_turbo,
        "typedoc.json" => tools::check_typedoc,
        _ if name.ends_with(".code-workspace") => editor::check_folders,
        _ if json("tsconfig") || json("jsconfig") => tsconfig::check,
        _ => return None,
    };
    Some(known)
}

/// Returns whether a file lies directly in a directory of this name.
fn is_in_directory(path: &str, directory: &str) -> bool {
    pathfinder_literals::path::name(pathfinder_literals::path::parent(path)) == directory
}

#[cfg(test)]
mod tests;
