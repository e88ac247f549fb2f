//! Lines of reStructuredText: directives with their options, entries of `toctree`, roles, and targets. What is literal
//! text, code or a comment has none of them.

use std::ops::Range;

use crate::path::end;

/// Something that names a file.
#[derive(Debug)]
pub(crate) struct Reference<'t> {
    pub(crate) kind: &'static str,
    /// Where it stands in the text.
    pub(crate) range: Range<usize>,
    /// As written.
    pub(crate) says: &'t str,
}

/// What is being read: the body of something, as far as lines are indented more than this.
enum Body {
    /// Text that says nothing: code, a comment, a literal block.
    Opaque(usize),
    /// The options of a directive, of which `file` names a file.
    Options(usize, &'static str),
    /// The entries of a `toctree`.
    Entries(usize),
}

/// Finds all references of a document.
pub(crate) fn references<'t>(text: &'t str, found: &mut dyn FnMut(Reference<'t>)) {
    let mut body: Option<Body> = None;
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let start = at;
        at += whole.len();
        let line = whole.trim_end();
        let trimmed = line.trim_start();
        if trimmed.is_empty() {
            continue;
        }
        let indent = line.len() - trimmed.len();
        let here = start + indent;
        match body {
            Some(Body::Opaque(of)) if indent > of => continue,
            Some(Body::Options(of, kind)) if indent > of => {
                if let Some(value) = trimmed.strip_prefix(":file:").map(str::trim).filter(|value| !value.is_empty()) {
                    found(reference(kind, here + trimmed.len() - value.len(), value));
                }
                continue;
            }
            Some(Body::Entries(of)) if indent > of => {
                if !trimmed.starts_with(':') && !trimmed.starts_with(".. ") {
                    let (from, entry) = document_in(trimmed);
                    found(reference("rst.toctree", here + from, entry));
                }
                continue;
            }
            _ => body = None,
        }
        if let Some(rest) = trimmed.strip_prefix("..").filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
            body = explicit(rest, here + 2, indent, found);
            continue;
        }
        inline(trimmed, here, found);
        // What follows two colons at the end of a paragraph is literal.
        if trimmed.ends_with("::") {
            body = Some(Body::Opaque(indent));
        }
    }
}

fn reference<'t>(kind: &'static str, start: usize, says: &'t str) -> Reference<'t> {
    Reference { kind, range: start..start + says.len(), says }
}

/// What begins with two dots, from behind them.
fn explicit<'t>(text: &'t str, start: usize, indent: usize, found: &mut dyn FnMut(Reference<'t>)) -> Option<Body> {
    let rest = text.trim_start();
    let at = start + text.len() - rest.len();
    if let Some(target) = rest.strip_prefix('_') {
        // `.. _name: where`; a name in backquotes can have colons.
        if let Some((name, place)) = target.split_once(": ").filter(|(name, _)| !name.is_empty()) {
            let place = place.trim();
            if !place.ends_with('_') && name.matches('`').count() % 2 == 0 {
                found(reference("rst.target", at + rest.len() - place.len(), place));
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
    let Some((name, argument)) = directive.split_once("::") else { return Some(Body::Opaque(indent)) };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+' | '.' | ':')) {
        return Some(Body::Opaque(indent));
    }
    let argument = argument.trim();
    let place = at + rest.len() - argument.len();
    let mut add = |kind: &'static str| {
        if !argument.is_empty() {
            found(reference(kind, place, argument));
        }
    };
    match name {
        "include" | "mdinclude" => add("rst.include"),
        "literalinclude" => add("rst.literalinclude"),
        "image" => add("rst.image"),
        "figure" => add("rst.figure"),
        "csv-table" => return Some(Body::Options(indent, "rst.csv-table")),
        "raw" => return Some(Body::Options(indent, "rst.raw")),
        "toctree" => return Some(Body::Entries(indent)),
        "code-block" | "code" | "sourcecode" | "parsed-literal" | "math" | "highlight" | "doctest" | "testcode"
        | "testoutput" | "testsetup" | "prompt" | "graphviz" | "uml" | "mermaid" | "ipython" | "plot" | "jinja"
        | "autosummary" | "command-output" | "productionlist" | "index" | "only" | "ifconfig" | "tabularcolumns"
        | "todo" | "console" | "digraph" | "sidebar-links" => return Some(Body::Opaque(indent)),
        _ => {}
    }
    None
}

/// Roles and references in running text.
fn inline<'t>(line: &'t str, start: usize, found: &mut dyn FnMut(Reference<'t>)) {
    for (role, at, says) in role_targets(line) {
        let kind = match role {
            ":doc:" => "rst.doc",
            ":download:" => "rst.download",
            _ => continue,
        };
        found(reference(kind, start + at, says));
    }
    // `text <path>`_
    let mut from = 0;
    while let Some(close) = line[from..].find(">`_").map(|close| from + close) {
        let open = line[from..close].rfind('<').map(|open| from + open);
        let is_role =
            |open: usize| rfind_near(&line[..open], '`', 300).is_some_and(|quote| line[..quote].ends_with([':', '`']));
        if let Some(open) = open.filter(|open| !is_role(*open)) {
            let says = &line[open + 1..close];
            if !says.is_empty() && !says.ends_with('_') {
                found(reference("rst.target", start + open + 1, says));
            }
        }
        from = close + ">`_".len();
    }
}

/// The name of a role with that of another project in it is not longer: a line is not searched again for each role.
const MAX_ROLE_BYTES: usize = 80;

/// All ``:role:`target` `` (or ``{role}`target` ``) of a line, with the place of the target; not those in literal text.
pub(crate) fn role_targets(line: &str) -> Vec<(&str, usize, &str)> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'`', &bytes[at..]).map(|open| at + open) {
        if bytes[open..].starts_with(b"``") {
            // Literal text up to the next two.
            let Some(end) = memchr::memmem::find(&bytes[open + 2..], b"``") else { return found };
            at = open + 2 + end + 2;
            continue;
        }
        let Some(close) = memchr::memchr(b'`', &bytes[open + 1..]).map(|close| open + 1 + close) else { return found };
        at = close + 1;
        let before = &line[..open];
        let (close_mark, begin) = if before.ends_with('}') { ('}', '{') } else { (':', ':') };
        // No role has a longer name.
        let Some(name) = before.strip_suffix(close_mark).and_then(|before| rfind_near(before, begin, 24)) else {
            continue;
        };
        // `:external+other:doc:` names a document of another project.
        let whole = end(&line[..name], MAX_ROLE_BYTES).rsplit(char::is_whitespace).next().unwrap_or_default();
        if begin == ':' && whole.contains(":external") {
            continue;
        }
        let role = &line[name..open];
        let says = &line[open + 1..close];
        let (from, target) = document_in(says);
        if role.len() < 20 && !target.is_empty() && !says.starts_with('!') {
            found.push((role, open + 1 + from, target));
        }
    }
    found
}

/// The target of `Title <target>` or of `target`, with its place.
pub(crate) fn document_in(says: &str) -> (usize, &str) {
    match says.strip_suffix('>').and_then(|inside| inside.rfind('<').map(|at| (at, inside))) {
        Some((at, inside)) => (at + 1, &inside[at + 1..]),
        None => (0, says),
    }
}

/// The last place of a character among the last bytes of a text.
fn rfind_near(text: &str, wanted: char, near: usize) -> Option<usize> {
    let from = (text.len().saturating_sub(near)..=text.len()).find(|at| text.is_char_boundary(*at))?;
    text[from..].rfind(wanted).map(|at| from + at)
}
