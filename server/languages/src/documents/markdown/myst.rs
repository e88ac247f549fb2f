//! Checks the references of `MyST`, the Markdown of Sphinx: directives in fences, and roles.

use std::ops::Range;

use crate::documents::markdown::kinds;
use crate::documents::rst::{RstReference, SphinxDocument, find_role_targets, parse_target};
use pathfinder_literals::{Checked, LiteralKind, Project, Source};

/// Adds every reference of a document in a Sphinx project. `code` are the byte ranges of inline code.
pub(super) fn check(source: &Source<'_>, project: &Project, code: &[Range<usize>], found: &mut Vec<Checked>) {
    let document = SphinxDocument::new(source, project);
    if !document.is_in_sphinx() {
        return;
    }
    // The fence that is open, and whether it contains the entries of a `toctree`.
    let mut open: Option<(&str, bool)> = None;
    let mut at = 0;
    for full_line in source.text().split_inclusive('\n') {
        let start = at;
        at += full_line.len();
        let line = full_line.trim_end();
        let trimmed = line.trim_start();
        let start = start + line.len() - trimmed.len();
        let opening_fence = opening_fence(trimmed);
        if let Some((end, is_entries)) = open {
            if opening_fence
                .is_some_and(|opening_fence| opening_fence.starts_with(end) && trimmed.len() == opening_fence.len())
            {
                open = None;
            } else if is_entries && !trimmed.is_empty() && !trimmed.starts_with([':', '-', '%', '#']) {
                let (from, written) = parse_target(trimmed);
                add(&document, kinds::TOCTREE, start + from, written, found);
            }
            continue;
        }
        let Some(opening_fence) = opening_fence else {
            for (role, from, written) in find_role_targets(trimmed) {
                let kind = match role {
                    "{doc}" => kinds::DOC,
                    "{download}" => kinds::DOWNLOAD,
                    _ => continue,
                };
                // A role looks like inline code: it counts as code only if it is inside other code.
                if code
                    .iter()
                    .all(|range| !(range.start + 1 < start + from && start + from + written.len() + 1 < range.end))
                {
                    add(&document, kind, start + from, written, found);
                }
            }
            continue;
        };
        let rest = &trimmed[opening_fence.len()..];
        let named = rest.trim_start().strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some((name, argument)) = named else {
            // Colons alone open a container with text in other notations.
            if opening_fence.starts_with(['`', '~']) {
                open = Some((opening_fence, false));
            }
            continue;
        };
        let written = argument.trim();
        let from = start + trimmed.len() - argument.trim_start().len();
        let kind = match name {
            "include" => Some(kinds::INCLUDE),
            "literalinclude" => Some(kinds::LITERALINCLUDE),
            "image" | "figure" => Some(kinds::FIGURE),
            _ => None,
        };
        if let Some(kind) = kind {
            add(&document, kind, from, written, found);
        }
        // An admonition contains ordinary text.
        if opening_fence.starts_with('`') || name == "toctree" {
            open = Some((opening_fence, name == "toctree"));
        }
    }
}

/// Adds one reference at a byte of the text.
fn add(document: &SphinxDocument<'_>, kind: LiteralKind, start: usize, written: &str, found: &mut Vec<Checked>) {
    document.add(&RstReference { kind, range: start..start + written.len(), written }, found);
}

/// The fence at the start of a line.
fn opening_fence(line: &str) -> Option<&str> {
    let mark = line.chars().next().filter(|first| matches!(first, '`' | '~' | ':'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3).then(|| &line[..length])
}
