//! Scans lines of reStructuredText for directives with their options, entries of `toctree`, roles, and link targets,
//! outside of literal text, code and comments.
//!
//! Not `rst_parser`: its document has no byte ranges.

use crate::documents::rst::kinds;
use pathfinder_literals::LiteralKind;
use std::ops::Range;

use pathfinder_literals::path::{end, extension};

/// A reference to a file.
#[derive(Debug)]
pub(crate) struct RstReference<'t> {
    pub(crate) kind: LiteralKind,
    /// The byte range in the text.
    pub(crate) range: Range<usize>,
    /// The target as written.
    pub(crate) written: &'t str,
}

/// The body that is open, as long as lines are indented deeper than the contained number.
enum OpenBody {
    /// Text without references: code, a comment, a literal block.
    Opaque(usize),
    /// The options of a directive of the given kind; its `file` option names a file.
    Options(usize, LiteralKind),
    /// The entries of a `toctree`.
    Entries(usize),
}

/// Finds all references of a document.
pub(crate) fn find_references<'t>(text: &'t str, found: &mut dyn FnMut(RstReference<'t>)) {
    let mut body: Option<OpenBody> = None;
    let mut open_role: Option<&str> = None;
    let mut at = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(full_line) = lines.next() {
        let start = at;
        at += full_line.len();
        let line = full_line.trim_end();
        let trimmed = line.trim_start();
        let role = open_role.take();
        if trimmed.is_empty() {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let here = start + indent;
        match body {
            Some(OpenBody::Opaque(depth)) if indent > depth => continue,
            Some(OpenBody::Options(depth, kind)) if indent > depth => {
                let is_longer = |next: &&str| !next.trim().is_empty() && next.len() - next.trim_start().len() > indent;
                // A value that goes on in the next line is put together.
                let value =
                    trimmed.strip_prefix(":file:").map(str::trim).filter(|_| !lines.peek().is_some_and(is_longer));
                if let Some(value) = value.filter(|value| !value.is_empty()) {
                    found(rst_reference(kind, here + trimmed.len() - value.len(), value));
                }
                continue;
            }
            Some(OpenBody::Entries(depth)) if indent > depth => {
                if !trimmed.starts_with([':', '#']) && !trimmed.starts_with(".. ") {
                    let (from, entry) = parse_target(trimmed);
                    found(rst_reference(kinds::TOCTREE, here + from, entry));
                }
                continue;
            }
            _ => body = None,
        }
        if let Some(rest) = trimmed.strip_prefix("..").filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            body = parse_explicit(rest, here + 2, indent, found);
            continue;
        }
        let (target, rest) = continue_role(trimmed, role);
        if let Some((role, from, written)) = target {
            add_role(role, here + from, written, found);
        }
        find_inline(&trimmed[rest..], here + rest, found);
        open_role = find_open_role(&trimmed[rest..]);
        if let Some((from, written)) = document_of_card(trimmed, &text[at..]) {
            found(rst_reference(kinds::DOC, here + from, written));
        }
        // Two colons at the end of a paragraph start a literal block.
        if trimmed.ends_with("::") {
            body = Some(OpenBody::Opaque(indent));
        }
    }
}

/// Creates a reference at a byte of the text.
fn rst_reference(kind: LiteralKind, start: usize, written: &str) -> RstReference<'_> {
    RstReference { kind, range: start..start + written.len(), written }
}

/// Parses the explicit markup after two leading dots.
fn parse_explicit<'t>(
    text: &'t str,
    start: usize,
    indent: usize,
    found: &mut dyn FnMut(RstReference<'t>),
) -> Option<OpenBody> {
    let rest = text.trim_start();
    let at = start + text.len() - rest.len();
    if let Some(target) = rest.strip_prefix('_') {
        // `.. _name: target`; a name in backquotes can contain colons.
        if let Some((name, target_at)) = target.split_once(": ").filter(|(name, _)| !name.is_empty()) {
            let target_at = target_at.trim();
            if !target_at.ends_with('_') && name.matches('`').count() % 2 == 0 {
                found(rst_reference(kinds::TARGET, at + rest.len() - target_at.len(), target_at));
            }
        }
        return None;
    }
    if rest.starts_with('[') {
        return None;
    }
    // `.. |name| image:: path` is a directive with a name.
    let directive = match rest.strip_prefix('|') {
        Some(named) => named.split_once("| ").map_or("", |(_, directive)| directive),
        None => rest,
    };
    let Some((name, argument)) = directive.split_once("::") else { return Some(OpenBody::Opaque(indent)) };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '.' | ':')) {
        return Some(OpenBody::Opaque(indent));
    }
    let argument = argument.trim();
    let target_at = at + rest.len() - argument.len();
    let mut add = |kind: LiteralKind| {
        if !argument.is_empty() {
            found(rst_reference(kind, target_at, argument));
        }
    };
    match name {
        "include" | "mdinclude" => add(kinds::INCLUDE),
        "literalinclude" => add(kinds::LITERALINCLUDE),
        // Several files stand in one line; each ends so.
        "bibliography" if extension(argument).as_str() == "bib" && !argument.contains(' ') => add(kinds::BIBLIOGRAPHY),
        "image" => add(kinds::IMAGE),
        "figure" => add(kinds::FIGURE),
        "automodule" | "module" | "currentmodule" | "py:module" | "py:currentmodule" => add(kinds::MODULE),
        "csv-table" => return Some(OpenBody::Options(indent, kinds::CSV_TABLE)),
        "raw" => return Some(OpenBody::Options(indent, kinds::RAW)),
        "toctree" => return Some(OpenBody::Entries(indent)),
        "code-block" | "code" | "sourcecode" | "parsed-literal" | "math" | "highlight" | "doctest" | "testcode"
        | "testoutput" | "testsetup" | "prompt" | "graphviz" | "uml" | "mermaid" | "ipython" | "plot" | "jinja"
        | "autosummary" | "command-output" | "productionlist" | "index" | "only" | "ifconfig" | "tabularcolumns"
        | "todo" | "console" | "digraph" | "sidebar-links" => return Some(OpenBody::Opaque(indent)),
        _ => {}
    }
    None
}

/// Finds roles and links in running text.
fn find_inline<'t>(line: &'t str, start: usize, found: &mut dyn FnMut(RstReference<'t>)) {
    for (role, at, written) in find_role_targets(line) {
        add_role(role, start + at, written, found);
    }
    // `text <path>`_
    let mut from = 0;
    while let Some(close) = line[from..].find(">`_").map(|close| from + close) {
        let open = line[from..close].rfind('<').map(|open| from + open);
        let is_role =
            |open: usize| rfind_near(&line[..open], '`', 300).is_some_and(|quote| line[..quote].ends_with([':', '`']));
        if let Some(open) = open.filter(|open| !is_role(*open)) {
            let written = &line[open + 1..close];
            if !written.is_empty() && !written.ends_with('_') {
                found(rst_reference(kinds::TARGET, start + open + 1, written));
            }
        }
        from = close + ">`_".len();
    }
}

/// Adds the target of a role that names a file.
fn add_role<'t>(role: &str, start: usize, written: &'t str, found: &mut dyn FnMut(RstReference<'t>)) {
    let kind = match role {
        ":doc:" => kinds::DOC,
        ":download:" => kinds::DOWNLOAD,
        _ => return,
    };
    found(rst_reference(kind, start, written));
}

/// Returns the role whose text goes on in the next line: ``:doc:`a long``.
pub(crate) fn find_open_role(line: &str) -> Option<&str> {
    let open = line.rfind('`').filter(|_| line.bytes().filter(|byte| *byte == b'`').count() % 2 == 1)?;
    let role = role_before(line, open)?;
    (!line[open + 1..].starts_with('!')).then_some(role)
}

/// Returns the target of a role that the line before left open, with the role and the byte offset, and where the text after it begins.
pub(crate) fn continue_role<'t>(line: &'t str, role: Option<&'t str>) -> (Option<(&'t str, usize, &'t str)>, usize) {
    let Some((role, close)) = role.zip(line.find('`')) else { return (None, 0) };
    let (from, target) = parse_target(&line[..close]);
    ((from > 0 && !target.is_empty()).then_some((role, from, target)), close + 1)
}

/// Returns the document that a card leads to, with its byte offset in the line of the option: `:link: a/b` with `:link-type: doc` among the
/// options `after` it.
pub(crate) fn document_of_card<'t>(option: &'t str, after: &str) -> Option<(usize, &'t str)> {
    /// Options of a card that are read: it has about ten, in any order.
    const MAX_OPTIONS: usize = 20;
    let written = option.strip_prefix(":link:")?.trim();
    let is_option = |line: &&str| line.starts_with(':') && !line.starts_with("::");
    let mut options = after.lines().map(str::trim).take_while(is_option).take(MAX_OPTIONS);
    let is_document = options.any(|line| line.strip_prefix(":link-type:").is_some_and(|kind| kind.trim() == "doc"));
    (is_document && !written.is_empty()).then(|| (option.len() - written.len(), written))
}

/// The longest role name with that of another project. The limit keeps a line from being searched again for each role.
const MAX_ROLE_BYTES: usize = 80;

/// Returns all ``:role:`target` `` (or ``{role}`target` ``) of a line with the byte offset of the target, outside of
/// literal text.
pub(crate) fn find_role_targets(line: &str) -> Vec<(&str, usize, &str)> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'`', &bytes[at..]).map(|open| at + open) {
        if bytes[open..].starts_with(b"``") {
            // Literal text extends to the next double backquote.
            let Some(end) = memchr::memmem::find(&bytes[open + 2..], b"``") else { return found };
            at = open + 2 + end + 2;
            continue;
        }
        let Some(close) = memchr::memchr(b'`', &bytes[open + 1..]).map(|close| open + 1 + close) else { return found };
        at = close + 1;
        let Some(role) = role_before(line, open) else { continue };
        let written = &line[open + 1..close];
        let (from, target) = parse_target(written);
        if role.len() < 20 && !target.is_empty() && !written.starts_with('!') {
            found.push((role, open + 1 + from, target));
        }
    }
    found
}

/// Returns the name of the role before the backquote at an offset, with its marks.
fn role_before(line: &str, open: usize) -> Option<&str> {
    let before = &line[..open];
    let (close_mark, begin) = if before.ends_with('}') { ('}', '{') } else { (':', ':') };
    // No role has a longer name.
    let name = before.strip_suffix(close_mark).and_then(|before| rfind_near(before, begin, 24))?;
    // `:external+other:doc:` names a document of another project.
    let full_role = end(&line[..name], MAX_ROLE_BYTES).rsplit(char::is_whitespace).next().unwrap_or_default();
    (begin != ':' || !full_role.contains(":external")).then(|| &line[name..open])
}

/// The target of `Title <target>` or of `target`, with its byte offset.
pub(crate) fn parse_target(written: &str) -> (usize, &str) {
    match written.strip_suffix('>').and_then(|inside| inside.rfind('<').map(|at| (at, inside))) {
        Some((at, inside)) => (at + 1, &inside[at + 1..]),
        None => (0, written),
    }
}

/// The last offset of a character among the last `near` bytes of a text.
fn rfind_near(text: &str, wanted: char, near: usize) -> Option<usize> {
    let from = (text.len().saturating_sub(near)..=text.len()).find(|at| text.is_char_boundary(*at))?;
    text[from..].rfind(wanted).map(|at| from + at)
}
