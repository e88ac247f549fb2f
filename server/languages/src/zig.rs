//! Zig: checks `@import` of files and `@embedFile`, both relative to the file.

mod kinds;
#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use pathfinder_syntax::grammars::{Query, ZIG};

use crate::keyword_hits::KeywordHits;
use pathfinder_literals::path::{ancestors, extension, join};
use pathfinder_literals::{Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Severity, Source, Want};
use pathfinder_syntax::string_ranges::string_content;

static QUERY: LazyLock<Query> = LazyLock::new(|| Query::new(&ZIG, include_str!("zig/literals.scm")));

/// Returns whether a `build.zig` above a directory adds a module of this name.
fn is_build_module(project: &Project, directory: &str, name: &str) -> bool {
    const CALLS: [&str; 4] = ["addImport(", "addAnonymousImport(", "addModule(", ".name = "];
    let tree = project.tree();
    // An existing file takes precedence over a module.
    if join(directory, name).is_some_and(|path| tree.kind(&path).is_some()) {
        return false;
    }
    let builds = ancestors(directory).filter_map(|above| join(above, "build.zig"));
    builds
        .filter_map(|path| tree.read(&path))
        .any(|text| CALLS.iter().any(|call| text.contains(&format!("{call}\"{name}\""))))
}

/// The [`Language`] of Zig sources.
pub(crate) struct Zig;

impl Language for Zig {
    fn name(&self) -> &'static str {
        "zig"
    }

    fn kinds(&self) -> &'static [LiteralKind] {
        kinds::ALL
    }

    fn claims(&self, path: &str) -> bool {
        extension(path) == "zig"
    }

    fn check(&self, source: &Source<'_>, project: &Project, found: &mut Vec<Checked>) {
        let text = source.text();
        if !text.contains("@import") && !text.contains("@embedFile") {
            return;
        }
        let Some(tree) = source.parse(&ZIG) else { return };
        let mut report = Report::new(source, project, found);
        for call in QUERY.matches(tree.root_node(), text, KeywordHits::find(text, &["@import", "@embedFile"]).ranges())
        {
            let (Some(name), Some(string)) = (call.range("name"), call.range("string")) else { continue };
            let Some(range) = string_content(text, string) else { continue };
            let literal = &text[range.clone()];
            let (kind, want) = match &text[name] {
                // Without the extension it is a module that `build.zig` defines.
                "@import" if extension(literal) != "zig" => continue,
                "@import" => (kinds::IMPORT, Want::File),
                _ => (kinds::EMBED, Want::File),
            };
            if kind == kinds::EMBED && !literal.contains(['/', '.']) {
                report.unknown(kind, range.start, range.len(), Reason::Elsewhere);
                continue;
            }
            if is_build_module(project, source.directory(), literal) {
                report.unknown(kind, range.start, range.len(), Reason::Produced("build.zig".to_owned()));
                continue;
            }
            let answer = Lookup::new(project, want).verdict(Severity::Error, [join(source.directory(), literal)]);
            report.add(kind, range.start, range.len(), answer);
        }
    }
}
