//! Checks JavaScript and TypeScript, also in components of Vue, Svelte and Astro: specifiers of modules.
//!
//! A module can be missing only if its specifier is relative, or an alias or a package of the project resolves it. It
//! is not missing if a build, a framework or an installation can provide it.

mod aliases;
mod amd;
mod angular;
mod comments;
mod component;
mod configuration;
mod directory_paths;
mod document_ids;
mod extensions;
mod generated;
mod head;
mod hidden_words;
mod kinds;
mod learned_aliases;
mod modules;
mod packages;
mod resolve;
mod sample;
mod scan;
#[cfg(test)]
mod tests;
mod tree_file_system;
mod virtual_mocks;

use std::ops::Range;

use crate::data_values::pages;
use crate::near_name::NearName;
use crate::path_words;
use component::{Component, Framework, ScriptBlock};
use modules::JsModules;
use pathfinder_literals::path::{extension, name};
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Resolution, Source};
use resolve::SpecifierResolver;
pub(crate) use resolve::strip_loaders;
use scan::{Construct, ScriptSyntax, can_have_literals, find_literals};

/// The package of the project whose name a specifier has with a typo, in a directory of another name.
pub(crate) fn near_package(project: &Project, specifier: &str) -> Option<NearName> {
    Some(project.index::<JsModules>().packages().near_package(project, specifier)?.0)
}

/// The JavaScript and TypeScript language, with components that contain scripts.
pub(crate) struct Js;

impl Language for Js {
    fn name(&self) -> &'static str {
        "js"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        script_syntax(path).is_some() || framework(path).is_some()
    }

    fn checks_one_literal(&self) -> bool {
        true
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        if name(source.path()).contains(".min.") {
            return;
        }
        let mut report = Report::new(source, project, found);
        if let Some(framework) = framework(source.path()) {
            let component = Component::parse(text, framework);
            for range in component.asset_references.into_iter().filter(|range| source.wants(range)) {
                let resolver = SpecifierResolver {
                    project,
                    source,
                    is_typed: false,
                    construct: Construct::Import,
                    is_optional: false,
                };
                let outcome = resolver.resolve(&text[range.clone()]);
                report.add(kinds::VUE_SRC, range.start, range.len(), outcome);
            }
            for block in component.scripts {
                check(&mut report, &block.range, block.syntax);
            }
        } else if let Some(syntax) =
            script_syntax(source.path()).or_else(|| is_script(source).then_some(ScriptSyntax::Plain))
        {
            check(&mut report, &(0..text.len()), syntax);
            if syntax != ScriptSyntax::Plain {
                angular::check(&mut report);
            }
            let strings = configuration::find_strings(source);
            pages::check(source, project, found, kinds::JS_VALUE, strings.iter().cloned());
            path_words::check(source, project, found, kinds::JS_VALUE, strings);
            document_ids::check(source, project, found, kinds::JS_VALUE);
        }
    }
}

/// Returns the byte ranges of the imports in the scripts of a part of a file, which is written as a component of Vue.
pub(crate) fn find_component_imports(source: &Source<'_>, part: &Range<usize>) -> Vec<Range<usize>> {
    let scripts = Component::parse(&source.text()[part.clone()], Framework::Vue).scripts;
    let of_script = |block: ScriptBlock| {
        let script = part.start + block.range.start..part.start + block.range.end;
        let literals =
            find_literals(&source.text()[script.clone()], block.syntax, &|grammar| source.parse_part(&script, grammar));
        let imports = literals.into_iter().filter(|it| matches!(it.construct, Construct::Import | Construct::Dynamic));
        imports.map(|it| script.start + it.range.start..script.start + it.range.end).collect::<Vec<_>>()
    };
    scripts.into_iter().flat_map(of_script).collect()
}

/// Returns the verdict on a specifier in a document, by the rules of scripts.
pub(crate) fn resolve_import(source: &Source<'_>, project: &Project, written: &str) -> Resolution {
    let resolver =
        SpecifierResolver { project, source, is_typed: true, construct: Construct::Import, is_optional: false };
    resolver.resolve(written)
}

/// Checks the specifiers in one script of a file.
fn check(report: &mut Report<'_>, part: &Range<usize>, syntax: ScriptSyntax) {
    let is_typed = syntax != ScriptSyntax::Plain;
    directory_paths::check(report, part, if is_typed { kinds::TS_PATH } else { kinds::JS_PATH });
    let (at, text) = (part.start, &report.source.text()[part.clone()]);
    if !can_have_literals(text) {
        return;
    }
    for literal in find_literals(text, syntax, &|grammar| report.source.parse_part(part, grammar)) {
        let written = resolve::strip_loaders(&text[literal.range.clone()]);
        // A block that extends a package's types, or declares a package, names no file.
        if literal.construct == Construct::Module && !written.starts_with('.') {
            continue;
        }
        let start = at + literal.range.end - written.len();
        if !report.source.wants(&(start..start + written.len())) {
            continue;
        }
        let resolver = SpecifierResolver {
            project: report.project,
            source: report.source,
            is_typed: is_typed || literal.construct == Construct::CommentType,
            construct: literal.construct,
            is_optional: literal.is_optional,
        };
        let outcome = resolver.resolve(written);
        report.add(literal_kind(literal.construct, is_typed), start, written.len(), outcome);
    }
}

/// The literal kind of a construct.
fn literal_kind(construct: Construct, is_typed: bool) -> LiteralKind {
    match (construct, is_typed) {
        (Construct::Import, false) => kinds::JS_IMPORT,
        (Construct::Import, true) => kinds::TS_IMPORT,
        (Construct::Dynamic, false) => kinds::JS_DYNAMIC_IMPORT,
        (Construct::Dynamic, true) => kinds::TS_DYNAMIC_IMPORT,
        (Construct::Require, false) => kinds::JS_REQUIRE,
        (Construct::Require, true) => kinds::TS_REQUIRE,
        (Construct::Mock, false) => kinds::JS_MOCK,
        (Construct::Mock, true) => kinds::TS_MOCK,
        (Construct::Url, false) => kinds::JS_URL,
        (Construct::Url, true) => kinds::TS_URL,
        (Construct::Module, _) => kinds::TS_MODULE,
        (Construct::CommentType, _) => kinds::JS_COMMENT_TYPE,
        (Construct::Reference, false) => kinds::JS_REFERENCE,
        (Construct::Reference, true) => kinds::TS_REFERENCE,
    }
}

/// The syntax of a script, by its extension.
fn script_syntax(path: &str) -> Option<ScriptSyntax> {
    Some(match extension(path).as_str() {
        // Ember's have elements in a `<template>`.
        "js" | "jsx" | "mjs" | "cjs" | "gjs" => ScriptSyntax::Plain,
        "ts" | "mts" | "cts" => ScriptSyntax::Typed,
        "tsx" | "gts" => ScriptSyntax::Tsx,
        _ => return None,
    })
}

/// Returns whether a file without an extension is a script, which Node runs by its first line.
fn is_script(source: &Source<'_>) -> bool {
    extension(source.path()).is_empty() && source.text().starts_with("#!")
}

/// The framework of a component, by its extension.
fn framework(path: &str) -> Option<Framework> {
    Some(match extension(path).as_str() {
        "vue" => Framework::Vue,
        "svelte" => Framework::Svelte,
        "astro" => Framework::Astro,
        _ => return None,
    })
}
