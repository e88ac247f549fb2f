//! JavaScript and TypeScript, also in components of Vue, Svelte and Astro: what names a module.
//!
//! Nothing is missing that a build, a framework or an installation may bring: a module is missing where its name is
//! relative to the file, or where an alias or a package of the project itself decides, and the place is one that is kept.

mod aliases;
mod blocks;
mod endings;
mod files;
mod modules;
mod packages;
mod produced;
mod resolve;
mod sample;
mod scan;
#[cfg(test)]
mod tests;
mod virtual_mocks;

use std::ops::Range;

use super::Language;
use crate::checked::Checked;
use crate::path::{extension, name};
use crate::project::Project;
use crate::report::{Report, Resolution};
use crate::source::Source;
use blocks::{Component, Framework};
use resolve::Asking;
use scan::{Construct, Script, is_worth_reading, literals};

/// JavaScript, TypeScript, and what holds them.
pub(crate) struct Js;

impl Language for Js {
    fn name(&self) -> &'static str {
        "js"
    }

    fn claims(&self, path: &str) -> bool {
        script(path).is_some() || framework(path).is_some()
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        if name(source.path()).contains(".min.") {
            return;
        }
        let mut report = Report::new(source, project, found);
        if let Some(framework) = framework(source.path()) {
            let component = Component::of(text, framework);
            for range in component.named {
                let asking =
                    Asking { project, source, is_typed: false, construct: Construct::Import, is_optional: false };
                let outcome = asking.verdict(&text[range.clone()]);
                report.add("vue.src", range.start, range.len(), outcome);
            }
            for block in component.blocks {
                check(&mut report, &block.range, block.script);
            }
        } else if let Some(script) = script(source.path()) {
            check(&mut report, &(0..text.len()), script);
        }
    }
}

/// The verdict on what a document with components imports, by the rules of scripts.
pub(crate) fn resolve_import(source: &Source<'_>, project: &Project, written: &str) -> Resolution {
    let asking = Asking { project, source, is_typed: true, construct: Construct::Import, is_optional: false };
    asking.verdict(written)
}

/// Adds what a part of the text names that is script.
fn check(report: &mut Report<'_>, part: &Range<usize>, script: Script) {
    let (at, text) = (part.start, &report.source.text()[part.clone()]);
    if !is_worth_reading(text) {
        return;
    }
    let is_typed = script != Script::Plain;
    for literal in literals(text, script, &|grammar| report.source.parsed_part(part, grammar)) {
        let written = &text[literal.range.clone()];
        // A block that adds to a package, or declares one, names no file.
        if literal.construct == Construct::Module && !written.starts_with('.') {
            continue;
        }
        let asking = Asking {
            project: report.project,
            source: report.source,
            is_typed,
            construct: literal.construct,
            is_optional: literal.is_optional,
        };
        let outcome = asking.verdict(written);
        report.add(kind(literal.construct, is_typed), at + literal.range.start, literal.range.len(), outcome);
    }
}

fn kind(construct: Construct, is_typed: bool) -> &'static str {
    match (construct, is_typed) {
        (Construct::Import, false) => "js.import",
        (Construct::Import, true) => "ts.import",
        (Construct::Dynamic, false) => "js.dynamic_import",
        (Construct::Dynamic, true) => "ts.dynamic_import",
        (Construct::Require, false) => "js.require",
        (Construct::Require, true) => "ts.require",
        (Construct::Mock, false) => "js.mock",
        (Construct::Mock, true) => "ts.mock",
        (Construct::Url, false) => "js.url",
        (Construct::Url, true) => "ts.url",
        (Construct::Module, _) => "ts.module",
        (Construct::Reference, false) => "js.reference",
        (Construct::Reference, true) => "ts.reference",
    }
}

/// How a script is read, by its extension.
fn script(path: &str) -> Option<Script> {
    Some(match extension(path).as_str() {
        "js" | "jsx" | "mjs" | "cjs" => Script::Plain,
        "ts" | "mts" | "cts" => Script::Typed,
        "tsx" => Script::Tsx,
        _ => return None,
    })
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
