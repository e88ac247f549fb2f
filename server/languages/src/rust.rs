//! Rust: checks `mod`, `#[path]`, modules in paths, and macros that include a file.

mod attributes;
mod build_script;
mod earlier_crates;
mod includes;
mod kinds;
mod listed_modules;
mod macro_modules;
mod mistyped_uses;
mod module_tree;
mod module_uses;
mod modules;
mod packages;
mod scope;
#[cfg(test)]
mod tests;
mod tokens;
mod use_bindings;
mod use_paths;
mod walk;

use pathfinder_syntax::grammars::RUST;

use self::attributes::CfgCondition;
use self::build_script::BuildScripts;
use self::walk::{FileItem, can_begin_item, walk};
use crate::keyword_hits::KeywordHits;
use pathfinder_literals::path::extension;
use pathfinder_literals::report::severity_in;
use pathfinder_literals::{Checked, Language, LiteralKind, Project, Report, Severity, Source};

/// Each construct that names a file contains one of these words.
const KEYWORDS: [&str; 8] = [
    "include",
    "include_bytes",
    "include_dir",
    "include_spirv",
    "include_spirv_raw",
    "include_str",
    "include_wgsl",
    "mod",
];

/// The [`Language`] of Rust sources.
pub(crate) struct Rust;

impl Language for Rust {
    fn name(&self) -> &'static str {
        "rust"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn follows_binding(&self, kind: LiteralKind) -> bool {
        kind == kinds::BOUND
    }

    fn can_have_text(&self, kind: LiteralKind, text: &str) -> bool {
        kind != kinds::MOD || text.chars().all(|c| c == '_' || c.is_alphanumeric())
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "rs"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        let mut report = Report::new(source, project, found).with_moved_optional();
        module_uses::check(&mut report);
        let hits = KeywordHits::find(text, &KEYWORDS).filter(|range| can_begin_item(text, range));
        let has_calls = hits.ranges().iter().any(|range| &text[range.clone()] != "mod");
        let can_declare = || has_module(text) && tokens::can_declare_module(text);
        if !has_calls && !can_declare() {
            return;
        }
        // Without macros that include a file, nothing after the last declaration counts.
        let declarations = || KeywordHits::find(text, &["mod"]).filter(|range| declares_module(&text[range.end..]));
        let head = if has_calls { None } else { declarations().parse_head(text, &RUST) };
        let part = head.or_else(|| hits.parse_outline(text, &RUST));
        let Some(tree) = part.or_else(|| source.parse(&RUST)) else { return };
        let mut modules = modules::ModuleResolver::new(project, source.path());
        // A module in a function must have a `#[path]`. Without one, and without macros, functions are skipped.
        for item in walk(&tree, text, has_calls || text.contains("#[path"), &hits) {
            match item {
                FileItem::Module { name, attributes, inside } => modules.check(&mut report, name, &attributes, &inside),
                FileItem::Call { range, name, condition } => includes::check(&mut report, range, name, condition),
            }
        }
    }

    fn generated_by(&self, path: &str, project: &Project) -> Option<String> {
        project.index::<BuildScripts>().writer_of(path).map(str::to_owned)
    }
}

/// Returns whether a text contains `mod name;`. Most files do not.
fn has_module(text: &str) -> bool {
    memchr::memmem::find_iter(text.as_bytes(), "mod ").any(|at| declares_module(&text[at + 4..]))
}

/// Returns whether a text after `mod` goes on with `name;`.
fn declares_module(rest: &str) -> bool {
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("r#").unwrap_or(rest);
    rest.trim_start_matches(|c: char| c == '_' || c.is_alphanumeric()).trim_start().starts_with(';')
}

/// The severity of a missing file that is compiled under this condition.
fn severity(path: &str, condition: CfgCondition) -> Severity {
    // Inputs of a compiler's own tests are wrong on purpose.
    const WRONG: [&str; 10] = [
        "ui",
        "derive_ui",
        "compile-fail",
        "compile_fail",
        "fail",
        "ui-tests",
        "ui_tests",
        "trybuild",
        "corpora",
        "expand",
    ];
    let is_wrong = path.split('/').rev().skip(1).any(|segment| WRONG.contains(&segment));
    match condition {
        _ if is_wrong => Severity::Hint,
        CfgCondition::Always => severity_in(path, Severity::Error),
        CfgCondition::Test | CfgCondition::Platform | CfgCondition::Sometimes | CfgCondition::Custom => {
            severity_in(path, Severity::Warning)
        }
    }
}
