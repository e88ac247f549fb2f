//! Zig: checks `@import` of files and `@embedFile`, both relative to the file.

mod kinds;
#[cfg(test)]
mod tests;

use pathfinder_syntax::grammars::{NodeKinds, ZIG};
use tree_sitter::Node;

use crate::keyword_hits::KeywordHits;
use pathfinder_literals::path::{ancestors, extension, join};
use pathfinder_literals::{Checked, Language, LiteralKind, Lookup, Project, Reason, Report, Severity, Source, Want};
use pathfinder_syntax::string_ranges::string_content;

static KINDS: NodeKinds = NodeKinds::new(&ZIG, &["builtin_function"]);

/// The name of a built-in function, and its first argument if that is a string.
fn name_and_string(call: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let part = |kind: &str| {
        (0..call.named_child_count()).filter_map(|at| call.named_child(at as u32)).find(|child| child.kind() == kind)
    };
    let string = part("arguments")?.named_child(0).filter(|first| first.kind() == "string")?;
    Some((part("builtin_identifier")?, string))
}

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
        .filter_map(|path| tree.read_shared(&path))
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
        for call in KINDS.nodes(tree.root_node(), KeywordHits::find(text, &["@import", "@embedFile"]).ranges()) {
            let Some((name, string)) = name_and_string(call) else { continue };
            let Some(range) = string_content(text, string.byte_range()) else { continue };
            let literal = &text[range.clone()];
            let (kind, want) = match &text[name.byte_range()] {
                // Without the extension it is a module that `build.zig` defines.
                "@import" if extension(literal) != "zig" => continue,
                "@import" => (kinds::IMPORT, Want::File),
                "@embedFile" => (kinds::EMBED, Want::File),
                _ => continue,
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
