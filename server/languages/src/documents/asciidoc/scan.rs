//! Scans lines of `AsciiDoc` for macros that name files, outside of comments. Blocks of literal text count only for
//! their includes.
//!
//! Not `asciidoc-parser`: it parses the whole document, and here only a few macros of a line matter.

use crate::documents::asciidoc::{attributes, kinds};
use pathfinder_literals::LiteralKind;
use std::ops::Range;

use pathfinder_literals::path::{extension, head};

/// No target is longer.
const MAX_TARGET_BYTES: usize = 400;

/// A macro with its target.
#[derive(Debug)]
pub(super) struct AsciiDocMacro<'t> {
    pub(super) kind: LiteralKind,
    /// The byte range of the target in the text.
    pub(super) range: Range<usize>,
    /// The target as written.
    pub(super) written: &'t str,
    /// True if an option of the macro, or a condition around it, lets the target be missing.
    pub(super) is_optional: bool,
}

/// Finds all macros of a document.
pub(super) fn find_macros<'t>(text: &'t str, found: &mut dyn FnMut(AsciiDocMacro<'t>)) {
    // The line that opened a block, and will close it; and the depth of nested conditions.
    let mut block: Option<&str> = None;
    let mut conditions = 0_usize;
    let mut at = 0;
    for full_line in text.split_inclusive('\n') {
        let start = at;
        at += full_line.len();
        let line = full_line.trim_end();
        if let Some(end) = block {
            if line == end {
                block = None;
            } else if !end.starts_with('/') {
                add_include(line, start, conditions > 0, found);
            }
            continue;
        }
        // `----`, `....`, `++++`, `////` and longer; a fence as in Markdown.
        let is_fence = |mark: char, least: usize| line.len() >= least && line.chars().all(|c| c == mark);
        if ['-', '.', '+', '/'].iter().any(|mark| is_fence(*mark, 4)) || line.starts_with("```") {
            block = Some(if line.starts_with("```") { "```" } else { line });
            continue;
        }
        if line.starts_with("//") {
            continue;
        }
        if (line.starts_with("ifdef::") || line.starts_with("ifndef::") || line.starts_with("ifeval::"))
            && (line.ends_with("[]") || line.starts_with("ifeval::"))
        {
            conditions += 1;
        } else if line.starts_with("endif::") {
            conditions = conditions.saturating_sub(1);
        } else if !add_include(line, start, conditions > 0, found) {
            find_inline(line, start, conditions > 0, found);
            find_attributes(line, start, conditions > 0, found);
        }
    }
}

/// Adds `add_include::path[options]`, alone on its line; returns whether the line is one.
fn add_include<'t>(line: &'t str, start: usize, is_optional: bool, found: &mut dyn FnMut(AsciiDocMacro<'t>)) -> bool {
    let Some((written, options)) = line.strip_prefix("include::").and_then(|rest| rest.split_once('[')) else {
        return false;
    };
    let from = start + "include::".len();
    let is_optional = is_optional || options.contains("optional");
    found(AsciiDocMacro { kind: kinds::INCLUDE, range: from..from + written.len(), written, is_optional });
    true
}

/// Finds macros in running text, and image blocks.
fn find_inline<'t>(line: &'t str, start: usize, is_optional: bool, found: &mut dyn FnMut(AsciiDocMacro<'t>)) {
    const NAMES: [(&str, LiteralKind); 4] =
        [("image:", kinds::IMAGE), ("video:", kinds::IMAGE), ("xref:", kinds::XREF), ("link:", kinds::LINK)];
    let code_ranges = code_ranges(line);
    for (name, kind) in NAMES {
        for (at, _) in line.match_indices(name) {
            // `\image:` is text, and `myimage:` is another word.
            let is_name = !line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '\\' | ':' | '-' | '_'));
            if !is_name || code_ranges.iter().any(|range| range.contains(&at)) {
                continue;
            }
            let mut from = at + name.len();
            from += usize::from(line[from..].starts_with(':'));
            let rest = head(&line[from..], MAX_TARGET_BYTES);
            // A target has no spaces and ends at the opening bracket.
            let end = rest.find(|c: char| c == '[' || c.is_whitespace()).unwrap_or(rest.len());
            if !rest[end..].starts_with('[') || rest.starts_with('+') {
                continue;
            }
            found(AsciiDocMacro { kind, range: start + from..start + from + end, written: &rest[..end], is_optional });
        }
    }
    // <<path#section,text>>
    for (at, _) in line.match_indices("<<") {
        let rest = head(&line[at + 2..], MAX_TARGET_BYTES);
        let Some(end) = rest.find(">>").filter(|_| !code_ranges.iter().any(|range| range.contains(&at))) else {
            continue;
        };
        let written = rest[..end].split(',').next().unwrap_or("");
        if written.contains('#') && !written.starts_with('#') && !written.contains(char::is_whitespace) {
            found(AsciiDocMacro {
                kind: kinds::XREF,
                range: start + at + 2..start + at + 2 + written.len(),
                written,
                is_optional,
            });
        }
    }
}

/// Finds the link of a block, `[icon=x,link=a.adoc]`, and the document that an attribute stands for, `:a-page: {rootdir}/a.adoc`.
fn find_attributes<'t>(line: &'t str, start: usize, is_optional: bool, found: &mut dyn FnMut(AsciiDocMacro<'t>)) {
    let mut add = |kind, written: &'t str, at: usize| {
        found(AsciiDocMacro { kind, range: start + at..start + at + written.len(), written, is_optional });
    };
    if let Some((_, value)) = attributes::definition(line)
        && attributes::split(value).is_some_and(|(_, path)| is_document(path))
    {
        add(kinds::XREF, value, line.len() - value.len());
    }
    let is_block = line.starts_with('[') && line.ends_with(']');
    let value = line.split_once("link=").filter(|(before, _)| is_block && before.ends_with(['[', ',', ' ']));
    if let Some((before, value)) = value {
        let at = before.len() + "link=".len() + usize::from(value.starts_with('"'));
        let written = line[at..].split([',', ']', '"']).next().unwrap_or_default();
        if is_document(head(written, MAX_TARGET_BYTES)) && !written.contains(char::is_whitespace) {
            add(kinds::LINK, written, at);
        }
    }
}

/// Returns whether a path is that of a document.
pub(super) fn is_document(path: &str) -> bool {
    matches!(extension(path).as_str(), "adoc" | "asciidoc" | "asc")
}

/// The byte ranges of inline code in a line.
fn code_ranges(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for at in memchr::memchr_iter(b'`', line.as_bytes()) {
        match open.take() {
            Some(from) => found.push(from..at),
            None => open = Some(at),
        }
    }
    // Longer lines of backquotes are data.
    found.truncate(200);
    found
}

/// The value of the first line `:name: value`.
pub(super) fn attribute_value<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| Some(line.strip_prefix(':')?.strip_prefix(name)?.strip_prefix(':')?.trim()))
}
