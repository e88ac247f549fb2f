//! Checks the references of `MyST`, the Markdown of Sphinx: directives in fences, and roles.

use std::ops::Range;

use crate::documents::markdown::kinds;
use crate::documents::rst::{
    RstReference, SphinxDocument, continue_role, document_of_card, find_open_role, find_role_targets, parse_target,
};
use pathfinder_literals::{Checked, LiteralKind, Project, Source};

/// Adds every reference of a document in a Sphinx project. `code` are the byte ranges of inline code.
pub(super) fn check(source: &Source<'_>, project: &Project, code: &[Range<usize>], found: &mut Vec<Checked>) {
    let document = SphinxDocument::new(source, project);
    if !document.is_in_sphinx() {
        return;
    }
    // The fence that is open, and whether it contains the entries of a `toctree`.
    let mut open: Option<(&str, bool)> = None;
    let mut open_role: Option<&str> = None;
    let mut at = 0;
    for full_line in source.text().split_inclusive('\n') {
        let start = at;
        at += full_line.len();
        let line = full_line.trim_end();
        let trimmed = line.trim_start();
        let start = start + line.len() - trimmed.len();
        let role = open_role.take();
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
            let (target, rest) = continue_role(trimmed, role);
            // A role looks like inline code: it counts as code only if it is inside other code.
            let is_code = |from: &usize| {
                let quote = start + trimmed[rest..*from].rfind('`').map_or(rest, |quote| rest + quote);
                code.iter().any(|range| range.start < quote && quote < range.end)
            };
            let roles = find_role_targets(&trimmed[rest..]).into_iter();
            let roles = roles.map(|(role, from, written)| (role, rest + from, written));
            for (role, from, written) in target.into_iter().chain(roles.filter(|(_, from, _)| !is_code(from))) {
                if let Some(kind) = kind_of_role(role) {
                    add(&document, kind, start + from, written, found);
                }
            }
            open_role = find_open_role(&trimmed[rest..]);
            if let Some((from, written)) = document_of_card(trimmed, &source.text()[at..]) {
                add(&document, kinds::DOC, start + from, written, found);
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

/// Returns the kind of the target of a role that names a file.
fn kind_of_role(role: &str) -> Option<LiteralKind> {
    match role {
        "{doc}" => Some(kinds::DOC),
        "{download}" => Some(kinds::DOWNLOAD),
        _ => None,
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

#[cfg(test)]
mod tests {
    use crate::testing::check;

    #[test]
    fn reads_titles_long_texts_and_cards() {
        check(
            "docs/conf.py = project = 'x'\ndocs/a.md\ndocs/new/c.md\nmoved docs/c.md docs/new/c.md",
            "docs/new/b.md",
            "{doc}`title <../a>` {doc}`a\nlong one <../c>` and `{doc}`a <../d>``\n\n{doc}`open\n\nx <../e>`\n\n:::{grid-item-card}\n:link: ../a\n:link-type: doc\n:::\n:::{grid-item-card}\n:link: f\n:link-type: ref\n:::\n",
            "md.doc ../a → docs/a.md
             md.doc ../c → moved
             md.doc ../a → docs/a.md",
        );
    }
}
