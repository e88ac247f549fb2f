//! What Sphinx reads in Markdown: directives in fences, and roles.

use std::ops::Range;

use crate::checked::Checked;
use crate::language::rst::{Documents, Reference, document_in, role_targets};
use crate::project::Project;
use crate::source::Source;

/// Adds every reference of a document, if Sphinx makes a page of it. `code` are the places of code in running text.
pub(super) fn check(source: &Source<'_>, project: &Project, code: &[Range<usize>], found: &mut Vec<Checked>) {
    let documents = Documents::new(source, project);
    if !documents.is_sphinx() {
        return;
    }
    // The fence that is open, and whether what it holds are the entries of a `toctree`.
    let mut open: Option<(&str, bool)> = None;
    let mut at = 0;
    for whole in source.text().split_inclusive('\n') {
        let start = at;
        at += whole.len();
        let line = whole.trim_end();
        let trimmed = line.trim_start();
        let start = start + line.len() - trimmed.len();
        let fence = fence(trimmed);
        if let Some((end, is_entries)) = open {
            if fence.is_some_and(|fence| fence.starts_with(end) && trimmed.len() == fence.len()) {
                open = None;
            } else if is_entries && !trimmed.is_empty() && !trimmed.starts_with([':', '-', '%']) {
                let (from, says) = document_in(trimmed);
                add(&documents, "md.toctree", start + from, says, found);
            }
            continue;
        }
        let Some(fence) = fence else {
            for (role, from, says) in role_targets(trimmed) {
                let kind = match role {
                    "{doc}" => "md.doc",
                    "{download}" => "md.download",
                    _ => continue,
                };
                // A role is written as code is: only what is code within something else is code.
                if code
                    .iter()
                    .all(|range| !(range.start + 1 < start + from && start + from + says.len() + 1 < range.end))
                {
                    add(&documents, kind, start + from, says, found);
                }
            }
            continue;
        };
        let rest = &trimmed[fence.len()..];
        let named = rest.trim_start().strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some((name, argument)) = named else {
            // Colons alone are a container in other notations, with text in it.
            if fence.starts_with(['`', '~']) {
                open = Some((fence, false));
            }
            continue;
        };
        let says = argument.trim();
        let from = start + trimmed.len() - argument.trim_start().len();
        let kind = match name {
            "include" => Some("md.include"),
            "literalinclude" => Some("md.literalinclude"),
            "image" | "figure" => Some("md.figure"),
            _ => None,
        };
        if let Some(kind) = kind {
            add(&documents, kind, from, says, found);
        }
        // An admonition holds text like any other.
        if fence.starts_with('`') || name == "toctree" {
            open = Some((fence, name == "toctree"));
        }
    }
}

fn add(documents: &Documents<'_>, kind: &'static str, start: usize, says: &str, found: &mut Vec<Checked>) {
    documents.add(&Reference { kind, range: start..start + says.len(), says }, found);
}

/// The fence that a line begins with.
fn fence(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|first| matches!(first, '`' | '~' | ':'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then(|| &line[..length])
}
