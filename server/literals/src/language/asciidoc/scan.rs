//! Lines of `AsciiDoc`: macros that name files. Comments have none, nor have blocks of literal text, but for what is
//! included in them.

use std::ops::Range;

use crate::path::head;

/// No target is longer.
const LONGEST: usize = 400;

/// A macro with what it names.
#[derive(Debug)]
pub(super) struct Macro<'t> {
    pub(super) kind: &'static str,
    /// Where the target stands in the text.
    pub(super) range: Range<usize>,
    /// As written.
    pub(super) says: &'t str,
    /// Whether it says itself that it need not be there.
    pub(super) is_optional: bool,
}

/// Finds all macros of a document.
pub(super) fn macros<'t>(text: &'t str, found: &mut dyn FnMut(Macro<'t>)) {
    // The line that a block began with, and so ends with; and how deep conditions are nested.
    let mut block: Option<&str> = None;
    let mut conditions = 0_usize;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let start = at;
        at += whole.len();
        let line = whole.trim_end();
        if let Some(end) = block {
            if line == end {
                block = None;
            } else if !end.starts_with('/') {
                include(line, start, conditions > 0, found);
            }
            continue;
        }
        // `----`, `....`, `++++` and `////` and longer; a fence as in Markdown.
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
        } else if !include(line, start, conditions > 0, found) {
            inline(line, start, conditions > 0, found);
        }
    }
}

/// `include::path[options]`, alone on its line.
fn include<'t>(line: &'t str, start: usize, is_optional: bool, found: &mut dyn FnMut(Macro<'t>)) -> bool {
    let Some((says, options)) = line.strip_prefix("include::").and_then(|rest| rest.split_once('[')) else {
        return false;
    };
    let from = start + "include::".len();
    let is_optional = is_optional || options.contains("optional");
    found(Macro { kind: "adoc.include", range: from..from + says.len(), says, is_optional });
    true
}

/// Macros in running text, and blocks of images.
fn inline<'t>(line: &'t str, start: usize, is_optional: bool, found: &mut dyn FnMut(Macro<'t>)) {
    const NAMES: [(&str, &str); 4] =
        [("image:", "adoc.image"), ("video:", "adoc.image"), ("xref:", "adoc.xref"), ("link:", "adoc.link")];
    let code = code(line);
    for (name, kind) in NAMES {
        for (at, _) in line.match_indices(name) {
            // `\image:` is text, and `myimage:` is another word.
            let is_name = !line[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '\\' | ':' | '-' | '_'));
            if !is_name || code.iter().any(|range| range.contains(&at)) {
                continue;
            }
            let mut from = at + name.len();
            from += usize::from(line[from..].starts_with(':'));
            let rest = head(&line[from..], LONGEST);
            // A target has no spaces and ends where the text in brackets begins.
            let end = rest.find(|c: char| c == '[' || c.is_whitespace()).unwrap_or(rest.len());
            if !rest[end..].starts_with('[') || rest.starts_with('+') {
                continue;
            }
            found(Macro { kind, range: start + from..start + from + end, says: &rest[..end], is_optional });
        }
    }
    // <<path#section,text>>
    for (at, _) in line.match_indices("<<") {
        let rest = head(&line[at + 2..], LONGEST);
        let Some(end) = rest.find(">>").filter(|_| !code.iter().any(|range| range.contains(&at))) else { continue };
        let says = rest[..end].split(',').next().unwrap_or("");
        if says.contains('#') && !says.starts_with('#') && !says.contains(char::is_whitespace) {
            found(Macro { kind: "adoc.xref", range: start + at + 2..start + at + 2 + says.len(), says, is_optional });
        }
    }
}

/// Where a line is code: between backquotes.
fn code(line: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open = None;
    for at in memchr::memchr_iter(b'`', line.as_bytes()) {
        match open.take() {
            Some(from) => found.push(from..at),
            None => open = Some(at),
        }
    }
    // Long lines with thousands of them are data.
    found.truncate(200);
    found
}

/// The value of the first line `:name: value`.
pub(super) fn attribute<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| Some(line.strip_prefix(':')?.strip_prefix(name)?.strip_prefix(':')?.trim()))
}
